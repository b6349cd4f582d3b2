import type { Review } from '../../order-requests/service';
import { formatMoney } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { Say } from '../ui/parts';
import { shippingWord } from '../ui/shipping';
import type { View } from '../ui/view';
import { itemMessages } from './item-messages';
import { messages } from './messages';
import { mayCheck } from './prescription-checks';

type Blocker = Review['blockers'][number];
type Warning = Review['warnings'][number];

/** What staff should know of the request as it was sent, beside what its lines say. */
export function Warnings({ view, review }: { view: View; review: Review }) {
  const texts = review.warnings.map((warning) => warningText(view, review, warning)).filter((text) => text !== null);
  return (
    <>
      {texts.map((text) => (
        <Say tone="wait">{text}</Say>
      ))}
    </>
  );
}

function warningText(view: View, { request, paymentDifference }: Review, warning: Warning): string | null {
  const t = messages(view);
  const name = sharedMessages(view).requests.warningTexts[warning.code];
  switch (warning.code) {
    case 'total_mismatch': {
      // Otherwise the choice above the items tells both amounts.
      if (paymentDifference) return null;
      const [sent, computed] = [warning.sentCents, warning.computedCents].map((cents) =>
        formatMoney(view.language, cents),
      );
      return `${name}: ${t.totals(sent ?? '', computed ?? '')}`;
    }
    case 'payment_method_conflict':
      return `${name}: ${t.payments[request.paymentStatus]}, ${request.shippingOption === null ? itemMessages(view).noShipping : shippingWord(view, request.shippingOption)}`;
    case 'product_id_conflict': {
      const place = indexOf(warning.pointer);
      const { p1Id, productId } = request.items[place] ?? {};
      return `${name}: ${itemMessages(view).line(place + 1)}, ${p1Id}, ${productId}`;
    }
    // The tick says it to who may check.
    case 'prescription_unreadable':
      return mayCheck(view) ? null : name;
    // Lines and person say these themselves.
    default:
      return null;
  }
}

/**
 * The text of an obstacle for the reader's role: staff are not told to review prescriptions, which they cannot see.
 * @param length `blockerShort` for the inbox
 */
export function blockerText(
  view: Pick<View, 'language' | 'session'>,
  code: Blocker['code'],
  length: 'blockerTexts' | 'blockerShort' = 'blockerTexts',
): string {
  const t = messages(view);
  const texts: Record<Blocker['code'], string> = t[length];
  const staffTexts: Partial<typeof texts> = view.session?.role === 'staff' ? t.staff[length] : {};
  return staffTexts[code] ?? texts[code];
}

/** Obstacles of the request as a whole. */
const ABOUT_ALL: readonly Blocker['code'][] = ['payment_undecided', 'address_missing', 'payment_missing'];

/** Names of the items that an obstacle is about. */
export function itemsOf(blocker: Blocker, { lines }: Pick<Review, 'lines'>): string[] {
  const names = lines.map((line) => line.productName ?? line.name);
  if ('p1Id' in blocker) return [blocker.productName ?? blocker.p1Id];
  if (ABOUT_ALL.includes(blocker.code)) return [];
  if ('pointer' in blocker) return names.slice(indexOf(blocker.pointer), indexOf(blocker.pointer) + 1);
  return names.filter((_, index) => lines[index]?.prescriptionRequired);
}

/** The position in a list that a JSON pointer ends with. */
export function indexOf(pointer: string): number {
  return Number(pointer.split('/').at(-1));
}
