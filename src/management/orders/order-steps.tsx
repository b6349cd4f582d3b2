import {
  isNothingHere,
  isPickup,
  type OrderDetail,
  type OrderStatus,
  owedCount,
  progressOf,
} from '../../orders/service';
import { formatMoment } from '../ui/format';
import { Mark, type MarkName } from '../ui/icons';
import { sharedMessages } from '../ui/messages';
import { messages } from './messages';
import type { DetailProps } from './order-props';
import { packingMessages } from './packing-messages';
import { supplyMessages } from './supply-messages';

interface Step {
  name: string;
  more: string | null;
  mark: MarkName;
  at: 'past' | 'now' | 'later';
}

/** The way of an order: what is behind it, where it is, what comes. */
export function OrderSteps({ view, detail }: DetailProps) {
  return (
    <ol class="steps" aria-label={messages(view).way}>
      {stepsOf({ view, detail }).map(({ name, more, mark, at }) => (
        <li
          class={at === 'past' ? 'done' : undefined}
          aria-current={at === 'now' ? 'step' : undefined}
          {...(at === 'now' && { id: 'status', tabindex: -1 })}
        >
          <Mark name={mark} />
          <span>{name}</span>
          {more && <small>{more}</small>}
        </li>
      ))}
    </ol>
  );
}

/** The statuses of the usual way, after the one in which the order waits for something else. */
function wayOf({ status, shippingOption }: OrderDetail['order']): OrderStatus[] {
  const waits = status === 'awaiting_prescription' || status === 'awaiting_payment' ? [status] : [];
  return isPickup(shippingOption)
    ? [...waits, 'awaiting_packing', 'ready_pickup', 'picked_up']
    : [...waits, 'awaiting_packing', 'ready_shipping', 'shipped', 'delivered'];
}

function stepsOf({ view, detail }: DetailProps): Step[] {
  const { order } = detail;
  const t = messages(view);
  const { statuses } = sharedMessages(view).orders;
  const accepted: Step = {
    name: order.orderRequestId === null ? t.created : t.accepted,
    more: acceptedBy({ view, detail }),
    mark: 'done',
    at: 'past',
  };
  const way = wayOf(order);
  const now = way.indexOf(order.status);
  // Off the way: cancelled or returned.
  if (now < 0) return [accepted, { name: statuses[order.status], more: null, mark: 'failed', at: 'now' }];
  const isOver = now === way.length - 1;
  return [
    accepted,
    ...way.map((status, place): Step => {
      const at = place < now ? 'past' : place === now ? 'now' : 'later';
      const isPacked = status === 'awaiting_packing' && at === 'past';
      return {
        name: partNameOf({ view, order, status, at }) ?? (isPacked ? packingMessages(view).packed : statuses[status]),
        more: moreOf({ view, detail }, status, at),
        mark: at === 'past' || (at === 'now' && isOver) ? 'done' : at === 'later' ? 'open' : markOf(order),
        at,
      };
    }),
  ];
}

/** What a step is called while something is still to come. */
function partNameOf({
  view,
  order,
  status,
  at,
}: Pick<DetailProps, 'view'> & Pick<OrderDetail, 'order'> & { status: OrderStatus; at: Step['at'] }) {
  if (owedCount(order) === 0) return undefined;
  const t = supplyMessages(view);
  if (status === 'awaiting_packing' && at !== 'later') {
    return at === 'now' && isNothingHere(order) ? t.waits : at === 'past' ? t.partPacked : undefined;
  }
  if (at !== 'now') return undefined;
  const { parts } = sharedMessages(view).orders;
  return status === 'ready_pickup' || status === 'ready_shipping' ? parts[status] : undefined;
}

function markOf({ onHold, originalMissing }: OrderDetail['order']): MarkName {
  if (onHold) return 'held';
  return originalMissing ? 'look' : 'half';
}

function acceptedBy({ view, detail }: DetailProps): string {
  const at = formatMoment(view.language, detail.order.createdAt, view.now);
  const made = detail.history.find(({ action }) => action === 'order_request.approved' || action === 'order.created');
  const name = made?.actorId && detail.names.get(made.actorId);
  return name ? `${at}, ${name}` : at;
}

function moreOf({ view, detail: { order, names } }: DetailProps, status: OrderStatus, at: Step['at']): string | null {
  const t = packingMessages(view);
  if (status === 'awaiting_packing') {
    const { packed, packs } = progressOf(order);
    if (at === 'now') return t.progress(packed, packs);
    const last = order.packing?.reduce((one, other) => ((one.at ?? 0) < (other.at ?? 0) ? other : one));
    if (at === 'later' || !last?.at) return null;
    const name = names.get(last.by ?? '');
    return [formatMoment(view.language, last.at, view.now), name].filter(Boolean).join(', ');
  }
  if (status === 'ready_pickup' && at === 'now') return order.shelf && t.inShelf(order.shelf);
  if (status === 'picked_up' && at === 'later' && order.paymentStatus === 'cash_on_pickup')
    return messages(view).paysThen;
  return null;
}
