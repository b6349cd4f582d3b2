import { invalidInput, notFound } from '../platform/errors';
import { shippingOptionsOf } from '../tenants/service';
import type { OrderRow } from './store';

export function requireOrder(order: OrderRow | undefined): OrderRow {
  if (!order) throw notFound('order_not_found', 'There is no such order.');
  return order;
}

/** @throws AppError `unknown_shipping_option` with those that the shop offers */
export function requireShippingOption(option: string, shop: { deliveryServiceName: string } | undefined): void {
  const options = shop ? shippingOptionsOf(shop) : [];
  if (options.includes(option)) return;
  const message = `Allowed: ${options.join(', ')}.`;
  throw invalidInput([{ pointer: '/shipping_option', code: 'unknown_shipping_option', message }]);
}
