import type { Order, OrderStatus } from '../../orders/service';
import { Chip } from './layout';
import type { View } from './view';

export function customerOf(view: View, { customerName, customerEmail }: Order): string {
  return customerName ?? customerEmail ?? view.words.orders.noName;
}

/** What the lines of an order hand out, by name. */
export function itemNamesOf({ items }: Order): string[] {
  return items.map((item) => item.productName ?? item.name);
}

const TONES: Record<OrderStatus, 'good' | 'wait' | 'bad' | 'quiet'> = {
  awaiting_prescription: 'wait',
  awaiting_payment: 'wait',
  awaiting_packing: 'wait',
  ready_pickup: 'good',
  ready_shipping: 'good',
  shipped: 'good',
  delivered: 'quiet',
  picked_up: 'quiet',
  returned: 'quiet',
  cancelled: 'quiet',
};

export function OrderStatusChips({ view, order }: { view: View; order: Order }) {
  const { statuses, flags } = view.words.orders;
  return (
    <span class="chips">
      <Chip tone={TONES[order.status]}>{statuses[order.status]}</Chip>
      {order.onHold && <Chip tone="bad">{flags.on_hold}</Chip>}
      {order.express && <Chip tone="wait">{flags.express}</Chip>}
      {order.archived && <Chip tone="quiet">{flags.archived}</Chip>}
    </span>
  );
}
