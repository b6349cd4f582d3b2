import type { BulkOrder, BulkRefusal, BulkStep, Progress } from '../../orders/service';
import { orderPath } from '../http/paths';
import { customerOf } from '../ui/order-summary';
import { Say } from '../ui/parts';
import type { View } from '../ui/view';
import { deskMessages } from './desk-messages';

/** `3 von 5 gepackt`, `angehalten`. */
export function refusalText(view: View, refusal: BulkRefusal | 'changed', { packed, packs }: Progress): string {
  const t = deskMessages(view);
  return refusal === 'not_packed' ? t.progress(packed, packs) : t.refusals[refusal];
}

/** Where what stands in the way is dealt with. */
function remedyOf({ order, refusal }: BulkOrder): string {
  const path = orderPath(order.id);
  if (refusal === 'original_missing') return `${path}/original`;
  const isAsked =
    refusal === 'rest_owed' ||
    refusal === 'payment_open' ||
    refusal === 'address_missing' ||
    refusal === 'prescription_expired';
  return isAsked ? `${path}/ship` : path;
}

/** What became of a selection: each order by name, those that were refused with why and where that ends. */
export function BulkResult({ view, step, bulk }: { view: View; step: BulkStep; bulk: readonly BulkOrder[] }) {
  const t = deskMessages(view);
  const done = bulk.filter(({ isDone }) => isDone);
  const left = bulk.filter(({ isDone }) => !isDone);
  return (
    <Say tone={left.length > 0 ? 'wait' : 'good'} role="status" class="bulk-result">
      <p>
        <b>{t.done[step](done.length, bulk.length)}</b>
        {done.length > 0 && ': '}
        {done.map(({ order }, place) => (
          <>
            {place > 0 && ', '}
            <a href={orderPath(order.id)}>
              {order.number} <bdi>{customerOf(view, order)}</bdi>
            </a>
          </>
        ))}
      </p>
      {left.length > 0 && (
        <p>
          <b>{t.left}:</b>{' '}
          {left.map((each, place) => (
            <>
              {place > 0 && ', '}
              <a href={remedyOf(each)}>
                {each.order.number} <bdi>{customerOf(view, each.order)}</bdi>
              </a>{' '}
              ({refusalText(view, each.refusal ?? 'changed', each.progress)})
            </>
          ))}
        </p>
      )}
    </Say>
  );
}
