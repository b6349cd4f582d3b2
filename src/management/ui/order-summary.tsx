import type { Order, OrderStatus } from '../../orders/service';
import { Chip } from './layout';
import { sharedMessages } from './messages';
import type { View } from './view';

export function customerOf(view: View, { customerName, customerEmail }: Order): string {
  return customerName ?? customerEmail ?? sharedMessages(view).orders.noName;
}

/** Names of the products that an order's lines hand out. */
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
  const { orders: t } = sharedMessages(view);
  return (
    <span class="chips">
      <Chip tone={TONES[order.status]}>{t.statuses[order.status]}</Chip>
      {order.onHold && <Chip tone="bad">{t.fields.on_hold}</Chip>}
      {order.originalMissing && <Chip tone="bad">{t.fields.original_missing}</Chip>}
      {order.express && <Chip tone="wait">{t.fields.express}</Chip>}
      {order.archived && <Chip tone="quiet">{t.fields.archived}</Chip>}
    </span>
  );
}
