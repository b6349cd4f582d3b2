import { type BulkOrder, type BulkRefusal, type BulkStep, type Order, progressOf } from '../../orders/service';
import { orderPath } from '../http/paths';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import { Say } from '../ui/parts';
import type { View } from '../ui/view';
import { deskMessages } from './desk-messages';

/** `3 von 5 gepackt`, `angehalten`; where it is at another step, which one. */
export function refusalText(view: View, refusal: BulkRefusal | 'changed', order: Order): string {
  const t = deskMessages(view);
  if (refusal === 'other_status') return sharedMessages(view).orders.statuses[order.status];
  const { packed, packs } = progressOf(order);
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
              ({refusalText(view, each.refusal ?? 'changed', each.order)})
            </>
          ))}
        </p>
      )}
    </Say>
  );
}
