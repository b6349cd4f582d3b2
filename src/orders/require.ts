import { notFound } from '../platform/errors';
import type { OrderRow } from './store';

export function requireOrder(order: OrderRow | undefined): OrderRow {
  if (!order) throw notFound('order_not_found', 'There is no such order.');
  return order;
}
