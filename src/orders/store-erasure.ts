import { and, eq, isNull, sql } from 'drizzle-orm';
import { catalogProducts } from '../catalog/tables';
import { type Condition, mustChangeOneRow } from '../platform/data/db';
import { orm } from '../platform/data/statements';
import { octetsOf } from '../platform/data/wide-rows';
import { type ErasedKey, emptied } from '../platform/fields';
import { customersFields, ordersFields } from './fields';
import { WIDE } from './store-list';
import { customers, orders } from './tables';

export function selectCustomerRow(orgId: string, id: string) {
  return orm
    .select()
    .from(customers)
    .where(and(eq(customers.orgId, orgId), eq(customers.id, id)));
}

/** What erasure and export need to know of a customer's orders before they read them. */
export function selectOrdersOfCustomer(orgId: string, customerId: string) {
  return (
    orm
      .select({
        id: orders.id,
        orderRequestId: orders.orderRequestId,
        createdAt: orders.createdAt,
        octets: octetsOf(WIDE),
      })
      .from(orders)
      // `+` keeps SQLite from reading all of the organization.
      .where(and(eq(orders.customerId, customerId), sql`+${orders.orgId} = ${orgId}`))
      .orderBy(orders.id)
  );
}

/** Ids of a customer's orders, as a subquery. */
export function ordersOf(customerId: string): Condition {
  return sql`(select ${orders.id} from ${orders} where ${orders.customerId} = ${customerId})`;
}

/** When these orders were created, as a subquery. */
export function ordersCreatedAt(orgId: string, orderIds: Condition): Condition {
  return sql`(select created_at from ${orders} where org_id = ${orgId} and id in ${orderIds})`;
}

/** Statuses of completed or cancelled orders (`isLocked` in rules.ts). */
const ENDED = sql.raw(`('delivered', 'picked_up', 'returned', 'cancelled')`);

function isOpenOrderOf(customerId: string): Condition {
  return sql`customer_id = ${customerId} and erased_at is null and deleted_at is null and status not in ${ENDED}`;
}

/** A customer's orders that are still under way. */
export function openOrdersOf(customerId: string) {
  return orm.select({ id: orders.id }).from(orders).where(isOpenOrderOf(customerId)).orderBy(orders.id);
}

/** An order may arrive or be reopened between reading and erasing: this fails the batch. */
export function noOrderIsOpen(customerId: string): Condition {
  return sql`not exists (select 1 from ${orders} where ${isOpenOrderOf(customerId)})`;
}

/** Ids of the requests that a customer's orders came from, as a subquery. */
export function requestsOf(customerId: string): Condition {
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
    and status in ${ENDED} and not ${isKept}
    and not exists (select 1 from ${customers} where customers.id = orders.customer_id and customers.legal_hold = 1)
    order by updated_at limit ${limit})`;
}

/**
 * The lines of an order without free text: each has the catalog name of its product, or no name. Table names are
 * written out: Drizzle omits them in a statement about one table.
 */
const ERASED_ITEMS = sql`(select json_group_array(json_set(line.value, '$.name', coalesce(
    (select product.name from ${catalogProducts} as product where product.p1_id = line.value ->> '$.p1Id'), '')))
  from (select value from json_each(orders.items) order by key) as line)`;

/**
 * What deleting, erasure and retention clear in an order: the personal data. What was sold, when and for how much
 * stays.
 */
export const ERASED_ORDER = { ...emptied(ordersFields), items: ERASED_ITEMS } satisfies Record<
  ErasedKey<typeof ordersFields>,
  unknown
>;

export function eraseOrders(orgId: string, orderIds: Condition, now: number) {
  return orm
    .update(orders)
    .set({ ...ERASED_ORDER, version: sql`${orders.version} + 1`, updatedAt: now, erasedAt: now })
    .where(and(eq(orders.orgId, orgId), sql`${orders.id} in ${orderIds}`, isNull(orders.erasedAt)));
}

/**
 * As `eraseOrders`, for deleted orders, which are not marked as erased (`deleteOrder`): deletes them again; one that is no longer
 * cancelled is only cleared.
 */
export function eraseDeletedOrders(orgId: string, orderIds: Condition, now: number) {
  const deletedAt = sql`case when orders.status = 'cancelled' then ${now} else orders.deleted_at end`;
  return orm
    .update(orders)
    .set({ ...ERASED_ORDER, version: sql`${orders.version} + 1`, updatedAt: now, deletedAt })
    .where(and(eq(orders.orgId, orgId), sql`${orders.id} in ${orderIds}`));
}

/** Takes the person out of a customer's row, unless it is gone from there or a legal hold keeps it. */
export function eraseCustomer(orgId: string, id: string, now: number) {
  return orm
    .update(customers)
    .set({ ...emptied(customersFields), erasedAt: now, updatedAt: now })
    .where(
      and(eq(customers.orgId, orgId), eq(customers.id, id), eq(customers.legalHold, false), isNull(customers.erasedAt)),
    );
}

/**
 * Erases the person from customers of these orders if no remaining order refers to them. An order never changes its
 * customer, so the erased orders lead to all such customers. Put it after `eraseOrdersIn` in the batch.
 */
export function eraseIdleCustomers(orgId: string, orderIds: Condition, now: number) {
  const idle = sql`(select customers.id from ${customers}
    where customers.id in (select erased.customer_id from ${orders} as erased
      where erased.org_id = ${orgId} and erased.id in ${orderIds})
    and customers.erased_at is null and customers.legal_hold = 0
    and not exists (select 1 from ${orders} where orders.customer_id = customers.id and orders.erased_at is null))`;
  return orm
    .update(customers)
    .set({ ...emptied(customersFields), erasedAt: now, updatedAt: now })
    .where(sql`${customers.id} in ${idle}`);
}

/** The batch is undone unless the customer is there. */
export function setCustomerHold(orgId: string, id: string, legalHold: boolean, now: number) {
  const write = orm
    .update(customers)
    .set({ legalHold, updatedAt: now })
    .where(and(eq(customers.orgId, orgId), eq(customers.id, id)));
  return mustChangeOneRow(write);
}
