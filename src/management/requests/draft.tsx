import type { Review } from '../../order-requests/service';
import type { Language } from '../http/language';
import { requestPath } from '../http/paths';
import { formatMoment } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { Say } from '../ui/parts';
import { priceText } from '../ui/price';
import { linesOf, type TypedLine, withSpare } from './lines';
import { messages } from './messages';
import type { ReviewProps } from './review-state';
import type { TypedForm } from './typed-form';

/** What the form says before anybody types: what was prepared, else what was sent. */
export function initialForm(review: Review, language: Language): Pick<TypedForm, 'lines' | 'acknowledged' | 'payment'> {
  const { draft } = review.request;
  if (!draft) return { lines: linesOf(review, language), acknowledged: [], payment: '' };
  const { acknowledged, payment } = draft;
  return { lines: withSpare(preparedLines(review, language)), acknowledged, payment: payment ?? '' };
}

/** The prepared lines, each in its row; a submitted item that is none of them was removed. */
function preparedLines({ request }: Review, language: Language): TypedLine[] {
  const { items, draft } = request;
  const rows = (draft?.lines ?? []).map(({ item }, place) => item ?? place);
  const count = Math.max(items.length, ...rows.map((row) => row + 1));
  return Array.from({ length: count }, (_, row) => {
    const line = draft?.lines[rows.indexOf(row)];
    const { p1Id, productId, priceCents, isCoPayment } = line ?? items[row] ?? NO_LINE;
    return {
      productId: p1Id ?? productId ?? '',
      quantity: String(line?.quantity ?? 0),
      price: priceText(priceCents, language),
      isCoPayment: isCoPayment === true,
      later: line?.later ? String(line.later.quantity) : '',
      expectedOn: line?.later?.expectedOn ?? '',
    };
  });
}

const NO_LINE = { p1Id: null, productId: null, priceCents: 0, isCoPayment: false };

/** Who prepared the review, and when. */
export function Prepared({ view, review, state }: ReviewProps) {
  const t = messages(view);
  const { draft, id } = review.request;
  return (
    <>
      <Hidden name="draft" value={state.draft ?? draft?.version ?? ''} />
      {draft && (
        <Say tone="note" mark="half">
          <p>
            {t.prepared(review.decidedByName ?? t.somebody, formatMoment(view.language, draft.savedAt, view.now))}{' '}
            <button class="plain" type="submit" formaction={`${requestPath(id)}/draft/discard`}>
              {t.discardDraft}
            </button>
          </p>
        </Say>
      )}
    </>
  );
}
