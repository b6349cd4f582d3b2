import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { requireOrder } from './require';
import { type OrderRow, selectOrder, type VersionedOrder } from './store';

/** An order, if there is one; for a use case that has checked the right to it. */
export async function findOrder(ctx: Context, orgId: string, orderId: string): Promise<OrderRow | undefined> {
  const { rows } = await ctx.db.run({ rows: selectOrder({ orgId, id: orderId }) });
  return rows[0];
}

/** @throws AppError `order_not_found` */
export async function getOrder(ctx: Context, orderId: string): Promise<VersionedOrder> {
  const { orgId } = requireScope(ctx, 'orders.read');
  return loadOrder(ctx, orgId, orderId);
}

/** The row of an order, to decide about it. @throws AppError `order_not_found` */
export async function loadOrder(ctx: Context, orgId: string, orderId: string): Promise<OrderRow> {
  return requireOrder(await findOrder(ctx, orgId, orderId));
}
