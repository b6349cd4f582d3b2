import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import { ordersFields } from '../../orders/fields';
import { customers, orders } from '../../orders/tables';
import { has, pick } from '../../platform/data/columns';
import { inList, updateOneRow } from '../../platform/data/db';
import { type Condition, orm } from '../../platform/data/statements';
import { octetsOf } from '../../platform/data/wide-rows';
import { emptied } from '../../platform/fields';
import { ERASED, WIDE } from '../store';
import { orderRequests } from '../tables';

/**
 * Returns a subquery of the ids of all requests of a person: those that became orders, and those with the same customer
 * id or e-mail. Decided requests are found by indexes of these columns. Pending requests are found by status, and all
 * of them are scanned.
 * @param withUnfolded adds every request with a non-ASCII e-mail. SQLite's lower() cannot fold it, so the caller must
 *   compare it
 */
export function requestsOfPerson(
  orgId: string,
  customerId: string,
  fromOrders: Condition,
  { withUnfolded = false } = {},
): Condition {
  // `|| ''` makes the e-mail column an expression. Without it, SQLite would not use the index on
  // `lower(customer_email)`.
  const isSameEmail = sql`lower(customer_email) = (select email || '' from ${customers} where customers.id = ${customerId})`;
  const isUnfolded = withUnfolded ? sql`customer_email glob '*[^ -~]*'` : sql`0`;
  const decidedBy = (index: string, where: Condition) =>
    sql`select id from ${orderRequests} indexed by ${sql.raw(index)} where ${where} and status <> 'pending' and org_id = ${orgId}`;
  const kinds = [
    sql`select id from ${orderRequests} where id in ${fromOrders} and +org_id = ${orgId}`,
    decidedBy('order_requests_by_customer', sql`customer_id = ${customerId}`),
    decidedBy('order_requests_by_email', sql`customer_email is not null and ${isSameEmail}`),
    sql`select id from ${orderRequests} indexed by order_requests_by_status where org_id = ${orgId} and status = 'pending'
      and (customer_id = ${customerId} or ${isSameEmail} or ${isUnfolded})`,
    ...(withUnfolded ? [decidedBy('order_requests_by_unfolded_email', isUnfolded)] : []),
  ];
  return sql`(${sql.join(kinds, sql` union `)})`;
}

/** Ids of rejected requests that are older than the retention time, as a subquery. */
export function requestsToErase(orgId: string, rejectedBefore: number, limit: number): Condition {
  return sql`(select id from ${orderRequests} indexed by order_requests_rejected
    where org_id = ${orgId} and erased_at is null and legal_hold = 0
    and status = 'rejected' and decided_at < ${rejectedBefore} order by decided_at limit ${limit})`;
}

/**
 * Empties the bodies of requests that were decided before a time, unless a legal hold keeps them. Returns their ids.
 */
export function forgetPayloadsBefore(orgId: string, before: number, limit: number) {
  const old = sql`(select id from ${orderRequests} indexed by order_requests_payload
    where org_id = ${orgId} and payload is not null and decided_at is not null and decided_at < ${before}
    and legal_hold = 0 order by decided_at limit ${limit})`;
  return orm
    .update(orderRequests)
    .set({ payload: null })
    .where(sql`${orderRequests.id} in ${old}`)
    .returning({ id: orderRequests.id });
}

/** Condition for a query about orders: the order came from a request with a legal hold. */
export function orderOfRequestOnLegalHold(): Condition {
  return sql`exists (select 1 from ${orderRequests} as request
    where request.id = orders.order_request_id and request.legal_hold = 1)`;
}

/**
 * Condition: none of these requests has a legal hold. The batch fails if a legal hold was set since the requests were
 * read.
 */
export function noneOnLegalHold(requestIds: Condition): Condition {
  return sql`not exists (select 1 from ${orderRequests} where legal_hold = 1 and id in ${requestIds})`;
}

/** The columns of requests that erasure and export need before they read whole requests. */
export function selectRequestsIn(requestIds: Condition) {
  return orm
    .select({
      ...pick(orderRequests, ['id', 'status', 'customerId', 'customerEmail', 'legalHold', 'createdAt']),
      octets: octetsOf([orderRequests.payload, ...WIDE]),
    })
    .from(orderRequests)
    .where(sql`${orderRequests.id} in ${requestIds}`)
    .orderBy(orderRequests.id);
}

/** Whole requests, with their bodies as they were sent. */
export function selectWholeRequests(requestIds: Condition) {
  return orm.select().from(orderRequests).where(sql`${orderRequests.id} in ${requestIds}`).orderBy(orderRequests.id);
}

/**
 * Returns a SELECT for `outboxEventsFromRows`. It has a row for each pending request of `requestIds`, with the metadata
 * of the event `order_request_deleted` and the id of the integration. The reference in the metadata is empty, because
 * the erasure clears the reference too.
 */
export function deletedAmong(requestIds: Condition): Condition {
  return sql`select json_object('order_request_id', order_requests.id, 'external_reference', '',
      'shop_id', order_requests.shop_id, 'source', order_requests.source) as metadata, order_requests.integration_id
    from ${orderRequests} where status = 'pending' and id in ${requestIds}`;
}

/** Condition: the person has no requests except these. The batch fails if another one was submitted since the read. */
export function noneBeyond(ofPerson: Condition, requestIds: Condition): Condition {
  return sql`not exists (select 1 from ${orderRequests} where id in ${ofPerson} and id not in ${requestIds})`;
}

/** Clears the personal data of requests. A pending request becomes `deleted`, because nothing is left to decide. */
export function eraseRequests(requestIds: Condition, now: number) {
  return orm
    .update(orderRequests)
    .set({
      ...ERASED,
      needsInfo: false,
      needsInfoCode: null,
      status: sql`case status when 'pending' then 'deleted' else status end`,
      erasedAt: now,
      updatedAt: now,
    })
    .where(and(sql`${orderRequests.id} in ${requestIds}`, isNull(orderRequests.erasedAt)));
}

/** Sets or ends a legal hold. The batch is undone unless the request exists and is not erased. */
export function setRequestHold(orgId: string, id: string, legalHold: boolean, now: number) {
  return updateOneRow(orderRequests, { legalHold, updatedAt: now }, has(orderRequests, { orgId, id, erasedAt: null }));
}

export function selectIds(requestIds: Condition) {
  return orm.select({ id: orderRequests.id }).from(orderRequests).where(sql`${orderRequests.id} in ${requestIds}`);
}

/** Selects the ids of the orders in a subquery, each with the id of the request that it came from. */
export function selectRequestsOfOrders(orgId: string, orderIds: Condition) {
  return orm
    .select({ orderId: orders.id, requestId: orders.orderRequestId })
    .from(orders)
    .where(and(eq(orders.orgId, orgId), sql`${orders.id} in ${orderIds}`));
}

/** When these requests were created, as a subquery. */
export function createdAtOfRequests(requestIds: Condition): Condition {
  return sql`(select created_at from ${orderRequests} where id in ${requestIds})`;
}

/** The rows of both subqueries, without duplicates, as a subquery. */
export function eitherOf(one: Condition, other: Condition): Condition {
  return sql`(select * from ${one} union select * from ${other})`;
}

/**
 * Selects those of these customers that are not marked as erased in this database. Says for each whether it has a legal
 * hold.
 */
export function selectCustomersLeft(orgId: string, ids: readonly string[]) {
  return orm
    .select({ id: customers.id, isOnLegalHold: customers.legalHold })
    .from(customers)
    .where(and(has(customers, { orgId, erasedAt: null }), sql`${customers.id} in ${inList(ids)}`));
}

/**
 * Selects the requests of `requestIds` that are not marked as erased, and whether each has a legal hold.
 * @param requestIds a subquery
 * @param isDeletion leaves out approved requests, because they are never deleted
 */
export function selectRequestsLeft(orgId: string, requestIds: Condition, isDeletion: boolean) {
  return orm
    .select({ id: orderRequests.id, isOnLegalHold: orderRequests.legalHold })
    .from(orderRequests)
    .where(
      and(
        has(orderRequests, { orgId, erasedAt: null }),
        isDeletion ? ne(orderRequests.status, 'approved') : undefined,
        sql`${orderRequests.id} in ${requestIds}`,
      ),
    );
}

/**
 * Selects those orders of `orderIds` that still have personal data, and whether a legal hold protects each order. The
 * columns that erasure clears are checked themselves, because deleted orders are not marked as erased. Table names are
 * written out: Drizzle omits them in a statement about one table.
 * @param orderIds a subquery
 */
export function selectOrdersLeft(orgId: string, orderIds: Condition) {
  const isOnLegalHold = sql<number>`(exists (select 1 from ${customers} as person
      where person.id = orders.customer_id and person.legal_hold = 1)
    or exists (select 1 from ${orderRequests} as request
      where request.id = orders.order_request_id and request.legal_hold = 1))`;
  const erased = Object.keys(emptied(ordersFields)) as (keyof ReturnType<typeof emptied<typeof ordersFields>>)[];
  const texts = erased.map((key) => sql`orders.${sql.identifier(orders[key].name)}`);
  const names = sql`coalesce(${sql.join(texts, sql`, `)}) is not null`;
  return orm
    .select({ id: orders.id, isOnLegalHold: isOnLegalHold.as('order_on_legal_hold') })
    .from(orders)
    .where(and(eq(orders.orgId, orgId), sql`${orders.id} in ${orderIds}`, names));
}

/** Sets rejected requests to `deleted` again, after a restore of the database. */
export function deleteRejected(requestIds: Condition) {
  return orm
    .update(orderRequests)
    .set({ status: 'deleted' })
    .where(and(eq(orderRequests.status, 'rejected'), sql`${orderRequests.id} in ${requestIds}`));
}

/** The erased orders for which the law requires a record of the customer, and until when (epoch ms). */
export function selectRestrictedOf(orgId: string, customerId: string) {
  return orm
    .select({ orderId: orders.id, until: sql<number>`${orders.restrictedUntil}`.as('kept_until') })
    .from(orders)
    .where(and(sql`+${orders.orgId} = ${orgId}`, eq(orders.customerId, customerId), isNotNull(orders.restricted)))
    .orderBy(orders.id);
}
