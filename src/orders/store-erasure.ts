import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Condition, Database } from '../platform/db';
import { customers, orders, paymentLinks } from './tables';

export function selectCustomerRow(db: Database, orgId: string, id: string) {
  return db.orm
    .select()
    .from(customers)
    .where(and(eq(customers.orgId, orgId), eq(customers.id, id)));
}

export function selectOrdersOfCustomer(db: Database, orgId: string, customerId: string) {
  return db.orm
    .select()
    .from(orders)
    .where(and(eq(orders.customerId, customerId), eq(orders.orgId, orgId)))
    .orderBy(orders.id);
}

/** Ids of a customer's orders, as a subquery. */
export function ordersOfCustomer(customerId: string): Condition {
  return sql`(select ${orders.id} from ${orders} where ${orders.customerId} = ${customerId})`;
}

/** Ids of the requests that a customer's orders came from, as a subquery. */
export function requestsOfCustomer(customerId: string): Condition {
  return sql`(select ${orders.orderRequestId} from ${orders}
    where ${orders.customerId} = ${customerId} and ${orders.orderRequestId} is not null)`;
}

/**
 * Orders that ended before a time, not erased yet, as a subquery of ids.
 * @param keptRequests a subquery of request ids whose orders stay
 */
export function ordersEndedBefore(orgId: string, before: number, limit: number, keptRequests: Condition): Condition {
  return sql`(select id from ${orders} where org_id = ${orgId} and erased_at is null and updated_at < ${before}
    and status in ('delivered', 'picked_up', 'returned', 'cancelled')
    and (order_request_id is null or order_request_id not in ${keptRequests})
    and not exists (select 1 from ${customers} where customers.id = orders.customer_id and customers.legal_hold = 1)
    order by id limit ${limit})`;
}

/** What deleting, erasure and retention take out of an order: the person. What was sold, when and for how much stays. */
export const ERASED_ORDER = {
  customerName: null,
  customerEmail: null,
  addressStreet: null,
  addressCity: null,
  addressPostalCode: null,
  addressPhone: null,
  paymentReference: null,
  externalReference: null,
  // The caller's id is free again: its next upsert makes a new order instead of filling this one.
  externalId: null,
  holdReason: null,
  note: null,
  refundNote: null,
};

export function eraseOrders(db: Database, orderIds: Condition, now: number) {
  return db.orm
    .update(orders)
    .set({ ...ERASED_ORDER, version: sql`${orders.version} + 1`, updatedAt: now, erasedAt: now })
    .where(and(sql`${orders.id} in ${orderIds}`, isNull(orders.erasedAt)));
}

export function voidLinksOf(db: Database, orderIds: Condition) {
  return db.orm
    .update(paymentLinks)
    .set({ status: 'voided' })
    .where(and(sql`${paymentLinks.orderId} in ${orderIds}`, eq(paymentLinks.status, 'open')));
}

export function eraseCustomerRow(db: Database, orgId: string, id: string, now: number) {
  return db.orm
    .update(customers)
    .set({ name: null, email: null, erasedAt: now, updatedAt: now })
    .where(
      and(eq(customers.orgId, orgId), eq(customers.id, id), eq(customers.legalHold, false), isNull(customers.erasedAt)),
    );
}

/** Takes the person out of customers of whom no order is left that still names one. */
export function eraseIdleCustomers(db: Database, orgId: string, before: number, now: number, limit: number) {
  const idle = sql`(select id from ${customers} where org_id = ${orgId} and erased_at is null and legal_hold = 0
    and updated_at < ${before}
    and not exists (select 1 from ${orders} where orders.customer_id = customers.id and orders.erased_at is null)
    limit ${limit})`;
  return db.orm
    .update(customers)
    .set({ name: null, email: null, erasedAt: now, updatedAt: now })
    .where(sql`${customers.id} in ${idle}`);
}

export function setCustomerHold(db: Database, orgId: string, id: string, legalHold: boolean, now: number) {
  return db.orm
    .update(customers)
    .set({ legalHold, updatedAt: now })
    .where(and(eq(customers.orgId, orgId), eq(customers.id, id)));
}
