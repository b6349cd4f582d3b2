import { journaling, noting } from '../audit/journal';
import { recordAudit } from '../audit/record';
import { emptyAnswers } from '../idempotency/store';
import { deleteEmails, eraseEmails } from '../messages/store';
import { requireRole, requireScope } from '../platform/access';
import { type BatchEntry, commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import type { Context } from '../platform/context';
import { inList } from '../platform/data/db';
import type { Condition, Statement } from '../platform/data/statements';
import { AppError, notFound } from '../platform/errors/errors';
import { outboxEvent, withReferences } from '../webhooks/outbox';
import { closePaymentLinks } from './payments/store';
import { loadOrder } from './read';
import { suppliedCount } from './rules';
import {
  ERASED_ORDER,
  eraseIdleCustomers,
  eraseOrders,
  ordersCreatedAt,
  setCustomerHold,
  updateOrderRow,
} from './store';
import { deleteWords } from './timeline/store';

/**
 * Returns the statements that erase the personal data in orders (`ERASED_ORDER`). They also void the payment links of
 * the orders and delete the e-mails about them. The record of sold goods, times and prices stays.
 * @param orderIds a subquery of order ids
 */
export function eraseOrdersIn(ctx: Context, orgId: string, orderIds: Condition): Statement[] {
  return [
    closePaymentLinks(orderIds, 'voided'),
    deleteEmails(orgId, orderIds),
    eraseOrders(orgId, orderIds, ctx.now()),
  ];
}

/**
 * Returns the statements that erase orders (`eraseOrdersIn`) and then customers of these orders. A customer is erased
 * if all orders of the customer are then erased and no legal hold keeps the customer.
 */
export function eraseOrdersAndCustomers(ctx: Context, orgId: string, orderIds: Condition): Statement[] {
  return [...eraseOrdersIn(ctx, orgId, orderIds), eraseIdleCustomers(orgId, orderIds, ctx.now())];
}

/**
 * Returns the statements that clear the references to the orders in events, followed by the statement `deleted`.
 * References to requests and prescriptions stay, because the requests and prescriptions are not deleted.
 * @param of.since epoch ms: when the first of these orders was created
 * @param deleted the statement that deletes the orders
 */
export function withReferencesOfOrders(
  { orgId, orderIds, since }: { orgId: string; orderIds: Condition; since: number },
  deleted: BatchEntry,
): BatchEntry[] {
  const none = inList([]);
  const createdAt = ordersCreatedAt(orgId, orderIds);
  return withReferences({ orgId, orderIds, requestIds: none, prescriptionIds: none, createdAt, since }, [deleted]);
}

/**
 * Protects a customer and its orders from retention and erasure, or ends that protection. Owners only.
 * @throws AppError `customer_not_found`
 */
export async function holdCustomer(ctx: Context, input: { customerId: string; isOnLegalHold: boolean }): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { customerId, isOnLegalHold } = input;
  const batch = {
    customer: setCustomerHold(orgId, customerId, isOnLegalHold, ctx.now()),
    audit: recordAudit(ctx, {
      orgId,
      action: isOnLegalHold ? 'customer.held' : 'customer.released',
      entityId: customerId,
    }),
  };
  await noting(ctx, { orgId, kind: 'customer_hold', id: customerId, at: ctx.now(), is_on: isOnLegalHold }, () =>
    commit(ctx, batch, { refused: () => notFound('customer_not_found') }),
  );
}

/**
 * Deletes a cancelled order if no part of it has left the pharmacy. The personal data of the order are erased, also in
 * events. The row of the order stays, but only lists of changes show the order.
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
          // The order is not marked as erased, because retention still has to process its request.
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
