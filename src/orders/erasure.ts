import { recordAudit } from '../audit/record';
import { requireRole } from '../platform/access';
import { commit } from '../platform/commit';
import type { Context } from '../platform/context';
import { type Condition, inList, type Statement } from '../platform/db';
import { notFound } from '../platform/errors';
import { eraseReferences } from '../webhooks/outbox';
import { createdAtOfOrders, eraseOrders, setCustomerHold, voidLinksOf } from './store-erasure';

/**
 * The statements that erase the person from orders: customer, address and notes are cleared; what was sold, when and
 * for how much stays.
 * @param orderIds a subquery of order ids
 */
export function eraseOrdersIn(ctx: Context, orgId: string, orderIds: Condition): Statement[] {
  return [voidLinksOf(orderIds), eraseOrders(orgId, orderIds, ctx.now())];
}

/**
 * The statements that clear the references in events about deleted orders. Their requests and prescriptions stay, and
 * so do the events about those.
 * @param since epoch ms: when the first of them was created
 */
export function eraseReferencesOfOrders(orgId: string, orderIds: Condition, since: number): Statement[] {
  const none = inList([]);
  const createdAt = createdAtOfOrders(orgId, orderIds);
  return eraseReferences({ orgId, orderIds, requestIds: none, prescriptionIds: none, createdAt, since });
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
  await commit(
    ctx,
    {
      customer: setCustomerHold(orgId, customerId, isOnLegalHold, ctx.now()),
      audit: recordAudit(ctx, {
        orgId,
        action: isOnLegalHold ? 'customer.held' : 'customer.released',
        entityId: customerId,
      }),
    },
    { refused: customerNotFound },
  );
}
