import { invalidInput, notFound } from '../platform/errors';
import { shippingOptionIn, shippingOptionsOf } from '../tenants/service';
import type { OrderRow } from './store';

export function requireOrder(order: OrderRow | undefined): OrderRow {
  if (!order) throw notFound('order_not_found', 'There is no such order.');
  return order;
}

/**
 * @returns the option as the shop writes it
 * @throws AppError `unknown_shipping_option` with those that the shop offers
 */
export function requireShippingOption(option: string, shop: { deliveryServiceName: string } | undefined): string {
  const found = shop && shippingOptionIn(option, shop);
  if (found !== undefined) return found;
  const options = shop ? shippingOptionsOf(shop) : [];
  const message = `Allowed: ${options.join(', ')}.`;
  throw invalidInput([{ pointer: '/shipping_option', code: 'unknown_shipping_option', message }]);
}
