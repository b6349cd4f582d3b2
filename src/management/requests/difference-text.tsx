import type { Difference } from '../../order-requests/service';
import { formatMoney } from '../ui/format';
import type { View } from '../ui/view';
import { itemMessages } from './item-messages';
import { messages } from './messages';

type Reader = Pick<View, 'language'>;

/** A difference as a sentence that names both values. @param sentCents what the platform asked for the line */
export function DifferenceText({
  view,
  difference,
  sentCents,
}: {
  view: Reader;
  difference: Difference;
  sentCents: number | undefined;
}) {
  const t = itemMessages(view);
  const what = messages(view).differences[difference.code];
  switch (difference.code) {
    case 'price': {
      const [price, own] = difference.values;
      return (
        <>
          <b>{formatMoney(view.language, price)}</b>
          {price === sentCents && ` ${t.asSent}`}, {t.ownPrice} <b>{formatMoney(view.language, own)}</b>
        </>
      );
    }
    case 'sent_price': {
      const [sent] = difference.values;
      return `${t.sent} ${formatMoney(view.language, sent)}, ${t.ownApplies}.`;
    }
    default: {
      const [asked, supplied] = valuesOf(view, difference);
      const [before, now] = difference.values;
      return (
        <>
          <b>{what}:</b> <bdi>{before === now ? `${supplied}, ${t.asAsked}` : t.instead(supplied, asked)}</bdi>
        </>
      );
    }
  }
}

function valuesOf(view: Reader, difference: Difference): [asked: string, supplied: string] {
  const t = itemMessages(view);
  const { packs, units } = messages(view);
  if (difference.code === 'quantity') {
    const [asked, supplied] = difference.values;
    return [asked === null ? t.unsaid : String(asked), packs(supplied ?? 0)];
  }
  if (difference.code === 'total_amount') {
    const [asked, supplied] = difference.values;
    return [`${asked.size} ${units[asked.unit]}`, `${supplied.size} ${units[supplied.unit]}`];
  }
  const [asked, supplied] = difference.values;
  return [String(asked ?? t.unsaid), String(supplied ?? t.unsaid)];
}

/** Where a name differs, for `MarkedName`. */
export function spansOf(view: Reader, differences: readonly Difference[], side: 'asked' | 'supplied') {
  const { differences: words } = messages(view);
  // Of the others a sentence below tells.
  return differences.flatMap(({ code, severity, spans }) =>
    spans[side].map((span) => ({ ...span, title: severity === 'marked' ? words[code] : undefined })),
  );
}
