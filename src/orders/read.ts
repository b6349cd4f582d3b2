import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { requireOrder } from './require';
import { type OrderRow, selectOrder, type VersionedOrder } from './store';
import type { OrderLine } from './tables';

/** The lines of an order, none if there is no such order; for a use case that has checked the right to them. */
export async function linesOfOrder(ctx: Context, orgId: string, orderId: string): Promise<OrderLine[]> {
  const { rows } = await ctx.db.run({ rows: selectOrder({ orgId, id: orderId }) });
  return rows[0]?.items ?? [];
}

/** @throws AppError `order_not_found` */
export async function getOrder(ctx: Context, orderId: string): Promise<VersionedOrder> {
  const { orgId } = requireScope(ctx, 'orders.read');
  return loadOrder(ctx, orgId, orderId);
}

/** The row of an order, to decide about it. @throws AppError `order_not_found` */
export async function loadOrder(ctx: Context, orgId: string, orderId: string): Promise<OrderRow> {
  const { rows } = await ctx.db.run({ rows: selectOrder({ orgId, id: orderId }) });
  return requireOrder(rows[0]);
}
