import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import { ordersFields } from '../../orders/fields';
import { customers, orders } from '../../orders/tables';
import { type Condition, inList } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import { emptied } from '../../platform/fields';
import { orderRequests } from '../tables';

/** Rows of an erasure that hold personal data (again), each with whether it has a legal hold. */
export function selectCustomersLeft(orgId: string, ids: readonly string[]) {
  return orm
    .select({ id: customers.id, isOnLegalHold: customers.legalHold })
    .from(customers)
    .where(and(eq(customers.orgId, orgId), isNull(customers.erasedAt), sql`${customers.id} in ${inList(ids)}`));
}

/**
 * @param requestIds a subquery
 * @param isDeletion they were to be deleted: what has become an order was not, and never will be
 */
export function selectRequestsLeft(orgId: string, requestIds: Condition, isDeletion: boolean) {
  return orm
    .select({ id: orderRequests.id, isOnLegalHold: orderRequests.legalHold })
    .from(orderRequests)
    .where(
      and(
        eq(orderRequests.orgId, orgId),
        isNull(orderRequests.erasedAt),
        isDeletion ? ne(orderRequests.status, 'approved') : undefined,
        sql`${orderRequests.id} in ${requestIds}`,
      ),
    );
}

/**
 * Orders that still hold a person's data, or the caller's id or texts. Deleted orders are not marked as erased, so that
 * mark is not used here. Table names are written out: Drizzle omits them in a statement about one table.
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

/** Deletes a request again that had been deleted after its rejection. */
export function deleteRejected(requestIds: Condition) {
  return orm
    .update(orderRequests)
    .set({ status: 'deleted' })
    .where(and(eq(orderRequests.status, 'rejected'), sql`${orderRequests.id} in ${requestIds}`));
}
