import { recordAudit } from '../../audit/record';
import { requireRole } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { AppError } from '../../platform/errors';
import { loadOrder } from '../read';
import { isLocked } from '../rules';
import { type OrderRow, updateOrderRow } from '../store';

type Place = Pick<OrderRow, 'shelf' | 'bags'>;

/**
 * Says where an order waits and in how many bags. Safe to repeat.
 * @throws AppError `order_not_found`, `order_locked`
 */
export function shelveOrder(ctx: Context, orderId: string, place: Place): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner', 'pharmacist', 'staff']);
  return retryOnConflict(ctx, async () => {
    const order = await loadOrder(ctx, orgId, orderId);
    const fields = (['shelf', 'bags'] as const).filter((key) => order[key] !== place[key]);
    if (fields.length === 0) return;
    if (isLocked(order.status)) throw new AppError('order_locked', `The order is ${order.status}; it waits nowhere.`);
    await commit(ctx, {
      order: updateOrderRow(order, place),
      audit: recordAudit(ctx, { orgId, action: 'order.updated', entityId: orderId, fields }),
    });
  });
}
