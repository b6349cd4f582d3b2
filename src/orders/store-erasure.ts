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
 * @param isKept holds for a row of `orders` that stays
 */
export function ordersEndedBefore(orgId: string, before: number, limit: number, isKept: Condition): Condition {
  return sql`(select id from ${orders} indexed by orders_ended
    where org_id = ${orgId} and erased_at is null and updated_at < ${before}
    and status in ('delivered', 'picked_up', 'returned', 'cancelled') and not ${isKept}
    and not exists (select 1 from ${customers} where customers.id = orders.customer_id and customers.legal_hold = 1)
    order by updated_at limit ${limit})`;
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

/**
 * Takes the person out of customers of these orders, once no order is left that still names them. An order never
 * changes its customer, so whoever has become idle is found by the orders that were erased.
 */
export function eraseIdleCustomers(db: Database, orderIds: Condition, now: number) {
  const idle = sql`(select customers.id from ${customers}
    where customers.id in (select erased.customer_id from ${orders} as erased where erased.id in ${orderIds})
    and customers.erased_at is null and customers.legal_hold = 0
    and not exists (select 1 from ${orders} where orders.customer_id = customers.id and orders.erased_at is null))`;
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
