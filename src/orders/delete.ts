import { recordAudit } from '../audit/record';
import { journaling } from '../audit/service';
import { emptyAnswers } from '../idempotency/service';
import { eraseEmails } from '../messages/service';
import { requireScope } from '../platform/access';
import { commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import type { Context } from '../platform/context';
import { inList } from '../platform/data/db';
import { AppError } from '../platform/errors';
import { outboxEvent } from '../webhooks/outbox';
import { withReferencesOfOrders } from './erasure';
import { suppliedCount } from './parts';
import { loadOrder } from './read';
import { updateOrderRow } from './store';
import { ERASED_ORDER } from './store-erasure';
import { deleteWords } from './timeline/store';

/**
 * Deletes a cancelled order of which nothing has left: it disappears from every list, and its personal data are erased, in events too; the row
 * stays.
 * @throws AppError `order_not_found`, `order_not_deletable`, `legal_hold` (of its customer or request)
 */
export function deleteOrder(ctx: Context, orderId: string): Promise<void> {
  const { orgId } = requireScope(ctx, 'orders.write');
  return journaling(ctx, (write) =>
    retryOnConflict(ctx, async () => {
      const order = await loadOrder(ctx, orgId, orderId);
      if (order.status !== 'cancelled') {
        throw new AppError('order_not_deletable', 'Only a cancelled order can be deleted. Cancel it first.');
      }
      if (suppliedCount(order) > 0) {
        throw new AppError(
          'order_not_deletable',
          'A part of the order has left the pharmacy. What was supplied is kept.',
        );
      }
      await write({ orgId, kind: 'order', orderIds: [orderId] });
      const now = ctx.now();
      const batch = {
        notes: deleteWords({ requestIds: inList([]), orderIds: inList([orderId]) }),
        emails: eraseEmails(orgId, inList([orderId]), now),
        answers: emptyAnswers(orgId, inList([orderId])),
        order: withReferencesOfOrders(
          { orgId, orderIds: inList([orderId]), since: order.createdAt },
          // Not marked as erased, because retention still has to process its request.
          updateOrderRow(order, { ...ERASED_ORDER, deletedAt: now, updatedAt: now }),
        ),
        event: outboxEvent(ctx, { type: 'order_deleted', orgId, about: order, metadata: { order_id: orderId } }),
        audit: recordAudit(ctx, { orgId, action: 'order.deleted', entityId: orderId }),
      };
      await commit(ctx, batch, { constraints: { orders_held: onLegalHold } });
    }),
  );
}

function onLegalHold(): AppError {
  return new AppError('legal_hold', 'The customer or the request of this order is kept for legal reasons.');
}
