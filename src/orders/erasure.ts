import { recordAudit } from '../audit/record';
import { noting } from '../audit/service';
import { deleteEmails } from '../messages/service';
import { requireRole } from '../platform/access';
import { type BatchEntry, commit } from '../platform/commit';
import type { Context } from '../platform/context';
import { type Condition, inList, type Statement } from '../platform/data/db';
import { notFound } from '../platform/errors';
import { withReferences } from '../webhooks/outbox';
import { closePaymentLinks } from './payments/store';
import { eraseIdleCustomers, eraseOrders, ordersCreatedAt, setCustomerHold } from './store-erasure';

/**
 * The statements that erase the person from orders: customer, address and notes are cleared; what was sold, when and
 * for how much stays.
 * @param orderIds a subquery of order ids
 */
export function eraseOrdersIn(ctx: Context, orgId: string, orderIds: Condition): Statement[] {
  return [
    closePaymentLinks(orderIds, 'voided'),
    deleteEmails(orgId, orderIds),
    eraseOrders(orgId, orderIds, ctx.now()),
  ];
}

/** As `eraseOrdersIn`, and of their customers those that no other order refers to. */
export function eraseOrdersAndCustomers(ctx: Context, orgId: string, orderIds: Condition): Statement[] {
  return [...eraseOrdersIn(ctx, orgId, orderIds), eraseIdleCustomers(orgId, orderIds, ctx.now())];
}

/**
 * Deletes orders, after it has cleared the references in events about them. Their requests and prescriptions stay, and so do
 * the events about those.
 * @param of.since epoch ms: when the first of them was created
 * @param deleted what deletes them
 */
export function withReferencesOfOrders(
  { orgId, orderIds, since }: { orgId: string; orderIds: Condition; since: number },
  deleted: BatchEntry,
): BatchEntry[] {
  const none = inList([]);
  const createdAt = ordersCreatedAt(orgId, orderIds);
  return withReferences({ orgId, orderIds, requestIds: none, prescriptionIds: none, createdAt, since }, [deleted]);
}

export function customerNotFound() {
  return notFound('customer_not_found', 'There is no such customer.');
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
    commit(ctx, batch, { refused: customerNotFound }),
  );
}
