import type { OrderStatus, OrderView } from '../../orders/service';
import { formatMoney } from './format';
import { Chip } from './layout';
import { sharedMessages } from './messages';
import type { View } from './view';

export function customerOf(view: View, { customer }: OrderView): string {
  return customer.name ?? customer.email ?? sharedMessages(view).orders.noName;
}

/** What the lines of an order hand out, by name. */
export function itemNamesOf({ items }: OrderView): string[] {
  return items.map((item) => item.product_name ?? item.name);
}

/** The API's amounts are EUR with at most two decimals. */
export function euro(view: View, amount: number): string {
  return formatMoney(view.language, Math.round(amount * 100));
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

export function OrderStatusChips({ view, order }: { view: View; order: OrderView }) {
  const shared = sharedMessages(view);
  return (
    <span class="chips">
      <Chip tone={TONES[order.status]}>{shared.orders.statuses[order.status]}</Chip>
      {order.flags.on_hold && <Chip tone="bad">{shared.orders.flags.on_hold}</Chip>}
      {order.flags.express && <Chip tone="wait">{shared.orders.flags.express}</Chip>}
      {order.flags.archived && <Chip tone="quiet">{shared.orders.flags.archived}</Chip>}
    </span>
  );
}
