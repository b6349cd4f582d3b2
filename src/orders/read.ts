import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { requireOrder } from './require';
import { type Order, selectOrder, selectOrdersHolding } from './store';

/** The statement that finds orders by what somebody names, for the caller's own batch. */
export function ordersHolding(ctx: Context, orgId: string, search: string, limit: number) {
  return selectOrdersHolding(ctx.db, orgId, search, limit);
}

/** @throws AppError `order_not_found` */
export async function getOrder(ctx: Context, orderId: string): Promise<Order> {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows } = await ctx.db.run({ rows: selectOrder({ orgId, id: orderId }) });
  return requireOrder(rows[0]);
}
