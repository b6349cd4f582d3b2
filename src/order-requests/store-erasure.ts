import { and, eq, isNull, sql } from 'drizzle-orm';
import { customers, orders } from '../orders/tables';
import type { Condition, Database } from '../platform/db';
import { ERASED } from './store-review';
import { orderRequests } from './tables';

/** Ids of all requests of a person: those that became orders, and those with the same id or e-mail, as a subquery. */
export function requestsOfPerson(orgId: string, customerId: string, fromOrders: Condition): Condition {
  return sql`(select id from ${orderRequests} where org_id = ${orgId} and (
    id in ${fromOrders} or customer_id = ${customerId}
    or lower(customer_email) = (select email from ${customers} where customers.id = ${customerId})))`;
}

/** Ids of requests whose time is over: rejected ones, and those of erased orders, as a subquery. */
export function requestsToErase(orgId: string, rejectedBefore: number, limit: number): Condition {
  return sql`(select id from ${orderRequests} where org_id = ${orgId} and erased_at is null and legal_hold = 0
    and status = 'rejected' and decided_at < ${rejectedBefore} order by id limit ${limit})`;
}

export function selectRequestsIn(db: Database, requestIds: Condition) {
  return db.orm.select().from(orderRequests).where(sql`${orderRequests.id} in ${requestIds}`);
}

/** Takes the person out of requests; one that still waits is thereby deleted, since nothing is left to decide. */
export function eraseRequests(db: Database, requestIds: Condition, now: number) {
  return db.orm
    .update(orderRequests)
    .set({
      ...ERASED,
      needsInfo: false,
      status: sql`case status when 'pending' then 'deleted' else status end`,
      erasedAt: now,
      updatedAt: now,
    })
    .where(and(sql`${orderRequests.id} in ${requestIds}`, isNull(orderRequests.erasedAt)));
}

export function setRequestHold(db: Database, orgId: string, id: string, legalHold: boolean, now: number) {
  return db.orm
    .update(orderRequests)
    .set({ legalHold, updatedAt: now })
    .where(and(eq(orderRequests.orgId, orgId), eq(orderRequests.id, id)));
}

export function selectIds(db: Database, requestIds: Condition) {
  return db.orm.select({ id: orderRequests.id }).from(orderRequests).where(sql`${orderRequests.id} in ${requestIds}`);
}

/** Orders of a subquery with the requests they came from, and whether those are held. */
export function selectRequestsOfOrders(db: Database, orderIds: Condition) {
  return db.orm
    .select({
      orderId: sql<string>`${orders.id}`.as('order_id'),
      requestId: sql<string | null>`${orderRequests.id}`.as('request_id'),
      isHeld: sql<number | null>`${orderRequests.legalHold}`.as('is_held'),
    })
    .from(orders)
    .leftJoin(orderRequests, eq(orderRequests.id, orders.orderRequestId))
    .where(sql`${orders.id} in ${orderIds}`);
}
