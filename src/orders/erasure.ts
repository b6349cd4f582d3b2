import { recordAudit } from '../audit/record';
import { requireRole } from '../platform/access';
import { commit } from '../platform/commit';
import type { Context } from '../platform/context';
import { type Condition, inList, type Statement } from '../platform/db';
import { notFound } from '../platform/errors';
import { eraseReferences } from '../webhooks/outbox';
import {
  createdAtOfOrders,
  emptyDeletedOrders,
  eraseCustomerRow,
  eraseIdleCustomers,
  eraseOrders,
  noOrderIsOpen as noOpenOrder,
  ordersOfCustomer,
  requestsOfCustomer,
  selectCustomerRow,
  selectOpenOrders,
  selectOrdersOfCustomer,
  setCustomerHold,
  voidLinksOf,
} from './store-erasure';

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

/** When these orders were created, as a subquery of epoch ms. @param orderIds a subquery of order ids */
export function ordersCreatedAt(orgId: string, orderIds: Condition): Condition {
  return createdAtOfOrders(orgId, orderIds);
}

/**
 * The statement that deletes orders again that had been deleted; an order that is no longer cancelled is only cleared.
 */
export function eraseDeletedOrders(ctx: Context, orgId: string, orderIds: Condition): Statement {
  return emptyDeletedOrders(orgId, orderIds, ctx.now());
}

/** The statement that takes the person out of a customer's row, unless it is gone from there or a legal hold keeps it. */
export function eraseCustomer(ctx: Context, orgId: string, customerId: string): Statement {
  return eraseCustomerRow(orgId, customerId, ctx.now());
}

/** The statements that load a customer with its orders, for the caller's own batch. */
export function loadCustomer(orgId: string, customerId: string) {
  return {
    customer: selectCustomerRow(orgId, customerId),
    orders: selectOrdersOfCustomer(orgId, customerId),
  };
}

/** Ids of a customer's orders, as a subquery. */
export function ordersOf(customerId: string): Condition {
  return ordersOfCustomer(customerId);
}

/** Ids of the requests that a customer's orders came from, as a subquery. */
export function requestsOf(customerId: string): Condition {
  return requestsOfCustomer(customerId);
}

/**
 * The statement that erases the person from the customers of these orders, if no other order refers to them. Put it
 * after `eraseOrdersIn` in the batch.
 * @param orderIds a subquery of order ids
 */
export function eraseIdleCustomersOf(ctx: Context, orgId: string, orderIds: Condition): Statement {
  return eraseIdleCustomers(orgId, orderIds, ctx.now());
}

/** The statement that finds a customer's open orders, for the caller's own batch. */
export function openOrdersOf(customerId: string) {
  return selectOpenOrders(customerId);
}

/** All of a customer's orders are completed or cancelled; a condition for the batch that erases. */
export function noOrderIsOpen(customerId: string): Condition {
  return noOpenOrder(customerId);
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
