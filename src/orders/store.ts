import {
  and,
  asc,
  desc,
  eq,
  gt,
  type InferInsertModel,
  type InferSelectModel,
  isNull,
  lt,
  type SQL,
  sql,
} from 'drizzle-orm';
import { auditByEntity } from '../audit/store';
import { apiKeys, members } from '../auth/tables';
import { catalogProducts } from '../catalog/tables';
import { withPzn } from '../inventory/store';
import { has, nextChange, pick } from '../platform/data/columns';
import { inList, insertSelect, updateOneRow } from '../platform/data/db';
import { LOOKED_MAX, madeWithin, type PageAfter, type PageBefore, type Period } from '../platform/data/page';
import {
  type Condition,
  columnsOf,
  idsForEach,
  type Named,
  orm,
  prepared,
  type Value,
} from '../platform/data/statements';
import { narrowColumns, octetsOf } from '../platform/data/wide-rows';
import { type ErasedKey, emptied } from '../platform/fields';
import { ABOVE_ALL_IDS } from '../platform/ids';
import { organizations } from '../platform/tables';
import type { Searchable } from '../search/store';
import { shops } from '../tenants/tables';
import { customersFields, ordersFields } from './fields';
import { RESTRICTED_MS, TO_PACK_COUNTED_MAX } from './limits';
import {
  customers,
  IS_TO_PACK,
  ORDER_STATUSES,
  type OrderPaymentStatus,
  type OrderStatus,
  orderBatches,
  orders,
  paymentLinks,
} from './tables';

export type OrderRow = InferSelectModel<typeof orders>;
/**
 * An order as use cases return it. It lacks the columns on which the next write depends, because a caller's copy of
 * them may be out of date.
 */
export type Order = Omit<OrderRow, 'version' | 'changeNumber' | 'holdsStock'>;
/**
 * An order with its version. A caller that sends the version back changes the order only if nobody has changed it
 * since.
 */
export type VersionedOrder = Order & Pick<OrderRow, 'version'>;
export type NewOrder = Omit<Required<InferInsertModel<typeof orders>>, 'customerId' | 'number' | 'changeNumber'>;

export const selectOrder = prepared(({ orgId, id }: Named<{ orgId: string; id: string }>) =>
  orm
    .select()
    .from(orders)
    .where(has(orders, { id, orgId, deletedAt: null })),
);

/** Selects the order that a request became, unless the order was deleted. @param requestId may be a subquery */
export function selectOrderOfRequest(requestId: Value<string> | Condition) {
  return orm
    .select()
    .from(orders)
    .where(and(sql`${orders.orderRequestId} = ${requestId}`, isNull(orders.deletedAt)));
}

/**
 * Counts the orders that are to be packed and have packs in the pharmacy, up to `TO_PACK_COUNTED_MAX`. The number may
 * be shown only to those who may see the result of `countWaiting` (order requests).
 */
export const countToPack = prepared(({ orgId }: Named<{ orgId: string }>) => {
  const waiting = sql`(select 1 from ${orders} indexed by orders_to_pack where org_id = ${orgId} and ${IS_TO_PACK}
    limit ${TO_PACK_COUNTED_MAX})`;
  return orm.select({ count: sql<number>`count(*)`.as('to_pack') }).from(waiting);
});

export function selectOrderByExternalId(orgId: string, shopId: string, externalId: string) {
  return orm
    .select()
    .from(orders)
    .where(has(orders, { orgId, shopId, externalId, deletedAt: null }));
}

/** Selects the order with this number. */
export function selectOrdersNumbered(orgId: string, number: number) {
  return orm
    .select()
    .from(orders)
    .where(has(orders, { orgId, number, deletedAt: null }));
}

/** Selects orders that a search found, newest first. @param ids a subquery */
export function selectFoundOrders(orgId: string, ids: Condition, limit: number) {
  return orm
    .select()
    .from(orders)
    .where(and(has(orders, { orgId, deletedAt: null }), sql`${orders.id} in ${ids}`))
    .orderBy(desc(orders.id))
    .limit(limit);
}

/**
 * Says which customer an order belongs to: `knownCustomerId` if it is set, else the customer with `foldedEmail`, else a
 * new customer with the id `newCustomerId`.
 */
export interface CustomerKey {
  knownCustomerId: string | null;
  newCustomerId: string;
  foldedEmail: string | null;
}

/** Inserts an order. Its number and its customer (`CustomerKey`) are determined when the batch runs. */
export const insertOrder = prepared((row: Named<NewOrder & CustomerKey>) => {
  const last = sql`(select max(number) from ${orders} where org_id = ${row.orgId})`;
  const floor = sql`(select order_number_floor from ${organizations} where id = ${row.orgId})`;
  const number = sql`max(coalesce(${last}, 0), coalesce(${floor}, 0)) + 1`;
  const byEmail = sql`(select id from ${customers} where org_id = ${row.orgId} and email = ${row.foldedEmail})`;
  const customerId = sql`coalesce(${row.knownCustomerId}, ${byEmail}, ${row.newCustomerId})`;
  const changeNumber = nextChange(orders, row.orgId, row.updatedAt);
  return insertSelect(orders, { ...columnsOf(orders, row), number, changeNumber, customerId }, sql`where true`);
});

export const insertCustomer = prepared((row: Named<InferSelectModel<typeof customers>>) =>
  orm.insert(customers).values(columnsOf(customers, row)).onConflictDoNothing(),
);

/**
 * Selects the id of a customer who is not erased: the customer with this id, or else the one with this folded e-mail
 * address. Both arguments may be subqueries.
 */
export function selectCustomer(orgId: Value<string>, id: string | Condition | null, email: string | Condition | null) {
  return orm
    .select({ id: customers.id })
    .from(customers)
    .where(
      and(has(customers, { orgId, erasedAt: null }), sql`(${customers.id} = ${id} or ${customers.email} = ${email})`),
    )
    .orderBy(desc(sql`${customers.id} = ${id}`))
    .limit(1);
}

/** Changes an order. The batch is undone if the order has changed since it was read. */
export function updateOrderRow(
  read: { orgId: string; id: string; version: number },
  changes: { [K in keyof InferInsertModel<typeof orders>]?: InferInsertModel<typeof orders>[K] | Condition },
) {
  return updateOneRow(
    orders,
    { ...changes, version: read.version + 1 },
    has(orders, { orgId: read.orgId, id: read.id, version: read.version, deletedAt: null }),
  );
}

/** Returns a subquery of the id of an order's request, for queries that run before the order is read. */
export function requestIdOf(orgId: string, orderId: string): Condition {
  return sql`(select order_request_id from ${orders} where org_id = ${orgId} and id = ${orderId})`;
}

/** Returns a subquery of the id of an order's shop, for queries that run before the order is read. */
export function shopIdOf(orgId: string, orderId: string): Condition {
  return sql`(select shop_id from ${orders} where org_id = ${orgId} and id = ${orderId})`;
}

/** Returns a subquery of the id of an order's customer, for queries that run before the order is read. */
export function customerIdOf(orgId: string, orderId: string): Condition {
  return sql`(select customer_id from ${orders} where org_id = ${orgId} and id = ${orderId})`;
}

/** Condition for other statements of the batch: the order exists, and is neither erased nor cancelled. */
export function orderLives(orgId: string, id: string): Condition {
  return sql`exists (select 1 from ${orders} where id = ${id} and org_id = ${orgId} and deleted_at is null
    and erased_at is null and status <> 'cancelled')`;
}

/** Condition for writes about an order: it exists and is not erased. */
export function orderIsThere(orgId: string, id: string): Condition {
  return sql`exists (select 1 from ${orders} where id = ${id} and org_id = ${orgId} and deleted_at is null and erased_at is null)`;
}

/** Selects the name of an order's shop, and the columns that determine its shipping options. */
export function selectShopOfOrder(orgId: string, orderId: string) {
  return orm
    .select(pick(shops, ['name', 'deliveryServiceName', 'deliveryServiceKind', 'expressKind', 'shippingAliases']))
    .from(shops)
    .where(sql`${shops.id} = ${shopIdOf(orgId, orderId)}`);
}

/** Selects the payment links of an order. */
export function selectLinks(orgId: string, orderId: string) {
  return orm
    .select(pick(paymentLinks, ['id', 'status', 'amountCents', 'expiresAt']))
    .from(paymentLinks)
    .where(has(paymentLinks, { orderId, orgId }));
}

/**
 * Selects names of the people and keys in the history of an order, its request and its payment links. Also selects the
 * names of people who packed the order. Former members are included.
 */
export function selectNames(orgId: string, orderId: string) {
  const things = sql`select ${orderId} union all select order_request_id from ${orders} where org_id = ${orgId} and id = ${orderId}
    union all select id from ${paymentLinks} where order_id = ${orderId}`;
  const actors = sql`(select actor_id from ${auditByEntity} where org_id = ${orgId} and entity_id in (${things}))`;
  const byOf = (column: typeof orders.packing | typeof orders.supply) =>
    sql`select json_extract(line.value, '$.by') from ${orders}, json_each(${column}) as line
      where orders.org_id = ${orgId} and orders.id = ${orderId}`;
  const packers = sql`(${byOf(orders.packing)} union ${byOf(orders.supply)})`;
  const called = sql`(select id, name from ${members} where org_id = ${orgId} and name is not null and (id in ${actors} or id in ${packers})
    union all select id, name from ${apiKeys} where org_id = ${orgId} and id in ${actors}) as called`;
  return orm
    .select({ id: sql<string>`called.id`.as('called_id'), name: sql<string>`called.name`.as('called_name') })
    .from(called);
}

/** Returns a subquery of the ids of an order's products, for queries that run before the order is read. */
export function productsOf(orgId: string, orderId: string): Condition {
  return sql`(select json_extract(line.value, '$.p1Id') from ${orders}, json_each(${orders.items}) as line
    where orders.org_id = ${orgId} and orders.id = ${orderId})`;
}

/**
 * Selects the customer with an e-mail address, and counts the customer's orders. At most one customer has the address.
 * @param email in lower case
 */
export function selectCustomersByEmail(orgId: string, email: string) {
  const counted = sql<number>`(select count(*) from ${orders} as own where own.customer_id = customers.id and own.deleted_at is null)`;
  return orm
    .select({ ...pick(customers, ['id', 'name', 'email', 'createdAt']), orders: counted.as('orders') })
    .from(customers)
    .where(has(customers, { orgId, email, erasedAt: null }));
}

/** How orders are indexed for the search. Lists of orders filter the search results by status and shop. */
export const SEARCHED_ORDERS: Searchable = {
  kind: 'o',
  table: orders,
  changes: 'orders_changes',
  fields: ordersFields,
  isGone: sql`erased_at is not null or deleted_at is not null`,
  state: sql`'s' || replace(status, '_', '') || ' h' || substr(shop_id, -12)`,
};

export interface OrderFilter extends Period {
  statuses?: readonly OrderStatus[];
  paymentStatuses?: readonly OrderPaymentStatus[];
  shopId?: string;
  externalId?: string;
  externalReference?: string;
}

/** Columns whose values may be large. */
const WIDE = [orders.items, orders.platformDetails, orders.packing, orders.supply];
export const LISTED = narrowColumns(orders, WIDE);

/**
 * Selects whole orders, unsorted. They are the large orders of a page, or the orders of an export.
 * @param ids a subquery
 */
export function selectWholeOrders(orgId: string, ids: SQL) {
  return orm
    .select()
    .from(orders)
    .where(and(eq(orders.orgId, orgId), sql`${orders.id} in ${ids}`));
}

/** Selects the orders after a cursor, newest first. */
export const selectAllOrders = prepared(({ orgId, before, limit }: Named<PageBefore>) =>
  orm
    .select(LISTED)
    .from(orders)
    .where(and(has(orders, { orgId, deletedAt: null }), lt(orders.id, before)))
    .orderBy(desc(orders.id))
    .limit(limit),
);

/** Selects the orders after a cursor that match a filter, newest first. */
export function selectOrders(page: PageBefore, filter: OrderFilter) {
  const found = lookedAt({ ...page, limit: isLookedThrough(filter) ? LOOKED_MAX : page.limit }, filter);
  return orm
    .select(LISTED)
    .from(orders)
    .where(and(has(orders, { orgId: page.orgId, deletedAt: null }), sql`${orders.id} in ${found}`, matches(filter)))
    .orderBy(desc(orders.id))
    .limit(page.limit);
}

/**
 * Whether a page scans at most `LOOKED_MAX` orders. It does for a filter by payment status, because no index contains
 * the payment status.
 */
export function isLookedThrough({ paymentStatuses, externalId, externalReference }: OrderFilter): boolean {
  return paymentStatuses !== undefined && externalId === undefined && externalReference === undefined;
}

/**
 * Selects the id of the last order that a page scanned. Returns no row if the page scanned fewer than `LOOKED_MAX`
 * orders, because then no more orders follow.
 */
export function selectLookedEnd(page: PageBefore, filter: OrderFilter) {
  const looked = lookedAt({ ...page, limit: LOOKED_MAX }, filter);
  return orm
    .select({ before: sql<string>`looked_end` })
    .from(sql`(select min(id) as looked_end, count(*) as looked from ${looked})`)
    .where(sql`looked >= ${LOOKED_MAX}`);
}

/** Returns a subquery of the ids of the newest orders that an index finds for a filter. */
function lookedAt(page: PageBefore, filter: OrderFilter): SQL {
  const { orgId } = page;
  const { statuses, shopId, externalId, externalReference } = filter;
  const within = madeWithin(filter, page.before);
  if (externalId !== undefined) {
    // The index begins with the shop.
    return sql`(select id from ${orders} indexed by orders_external where external_id = ${externalId} and deleted_at is null
      and shop_id in (select ${shops.id} from ${shops} where ${shops.orgId} = ${orgId}) and ${within})`;
  }
  if (externalReference !== undefined) {
    return sql`(select id from ${orders} indexed by orders_by_reference
      where org_id = ${orgId} and external_reference = ${externalReference} and ${within})`;
  }
  const newest = sql`and deleted_at is null and ${within} order by id desc limit ${page.limit}`;
  const [status, ...furtherStatuses] = statuses ?? [];
  if (shopId === undefined && status !== undefined && furtherStatuses.length === 0) {
    return sql`(select id from ${orders} indexed by orders_by_status where org_id = ${orgId} and status = ${status} ${newest})`;
  }
  if (shopId !== undefined || statuses !== undefined) {
    // The subquery reads one page for each status.
    const of =
      shopId === undefined
        ? sql`orders_by_status where org_id = ${orgId}`
        : sql`orders_by_shop where shop_id = ${shopId} and org_id = ${orgId}`;
    const ofEach = sql`select id from ${orders} indexed by ${of} and status = each.value ${newest}`;
    const found = idsForEach(statuses ?? ORDER_STATUSES, ofEach);
    return sql`(select found.value as id from ${found} order by id desc limit ${page.limit})`;
  }
  return sql`(select id from ${orders} where org_id = ${orgId} ${newest})`;
}

/**
 * Returns the conditions of a filter. The subquery or the cursor finds the rows, so `+` keeps SQLite from using the
 * indexes of these columns.
 */
function matches(filter: OrderFilter): SQL | undefined {
  const { statuses, paymentStatuses, shopId, externalId, externalReference, createdAfter, createdBefore } = filter;
  return and(
    statuses && sql`+${orders.status} in ${inList(statuses)}`,
    paymentStatuses && sql`+${orders.paymentStatus} in ${inList(paymentStatuses)}`,
    shopId === undefined ? undefined : sql`+${orders.shopId} = ${shopId}`,
    externalId === undefined ? undefined : sql`+${orders.externalId} = ${externalId}`,
    externalReference === undefined ? undefined : sql`+${orders.externalReference} = ${externalReference}`,
    createdAfter === undefined ? undefined : sql`+${orders.createdAt} > ${createdAfter}`,
    createdBefore === undefined ? undefined : sql`+${orders.createdAt} < ${createdBefore}`,
  );
}

/** Selects the orders after a change number, including deleted orders, sorted by change number. */
export function selectChangedOrders({ orgId, after, limit }: PageAfter<number>, filter: OrderFilter) {
  const matching = matches(filter);
  const isLooked = sql`change_number <= coalesce(${lookedChange(orgId, after)}, ${Number.MAX_SAFE_INTEGER})`;
  return orm
    .select(LISTED)
    .from(orders)
    .where(and(eq(orders.orgId, orgId), gt(orders.changeNumber, after), matching && and(isLooked, matching)))
    .orderBy(asc(orders.changeNumber))
    .limit(limit);
}

/**
 * Selects the change number of the last order that a filtered page scanned. It is null if the page scanned fewer than
 * `LOOKED_MAX` orders, because then no more orders follow.
 */
export function selectLookedChange(orgId: string, after: number) {
  return orm
    .select({ changedAfter: sql<number | null>`${lookedChange(orgId, after)}`.as('looked_change') })
    .from(sql`(select 1)`);
}

function lookedChange(orgId: string, after: number): SQL {
  return sql`(select change_number from ${orders} where org_id = ${orgId} and change_number > ${after}
    order by change_number limit 1 offset ${LOOKED_MAX - 1})`;
}

export function selectCustomerRow(orgId: string, id: string) {
  return orm.select().from(customers).where(has(customers, { orgId, id }));
}

/** Selects those columns of a customer's orders that erasure and export need before they read the whole orders. */
export function selectOrdersOfCustomer(orgId: string, customerId: string) {
  return (
    orm
      .select({ ...pick(orders, ['id', 'orderRequestId', 'createdAt']), octets: octetsOf(WIDE) })
      .from(orders)
      // `+` keeps SQLite from reading all orders of the organization.
      .where(and(eq(orders.customerId, customerId), sql`+${orders.orgId} = ${orgId}`))
      .orderBy(orders.id)
  );
}

/** Returns a subquery of the ids of a customer's orders. */
export function ordersOf(customerId: string): Condition {
  return sql`(select ${orders.id} from ${orders} where ${orders.customerId} = ${customerId})`;
}

/** Returns a subquery of the times when these orders were created. */
export function ordersCreatedAt(orgId: string, orderIds: Condition): Condition {
  return sql`(select created_at from ${orders} where org_id = ${orgId} and id in ${orderIds})`;
}

/** Statuses of completed or cancelled orders (`isLocked` in rules.ts). */
const ENDED = sql.raw(`('delivered', 'picked_up', 'returned', 'cancelled')`);

function isOpenOrderOf(customerId: string): Condition {
  return sql`customer_id = ${customerId} and erased_at is null and deleted_at is null and status not in ${ENDED}`;
}

/** Selects the ids of a customer's orders that have not ended. */
export function openOrdersOf(customerId: string) {
  return orm.select({ id: orders.id }).from(orders).where(isOpenOrderOf(customerId)).orderBy(orders.id);
}

/**
 * Condition: the customer has no open order. A batch with this condition fails if an order came or was reopened since
 * the read.
 */
export function noOrderIsOpen(customerId: string): Condition {
  return sql`not exists (select 1 from ${orders} where ${isOpenOrderOf(customerId)})`;
}

/** Returns a subquery of the ids of the requests that a customer's orders came from. */
export function requestsOf(customerId: string): Condition {
  return sql`(select ${orders.orderRequestId} from ${orders}
    where ${orders.customerId} = ${customerId} and ${orders.orderRequestId} is not null)`;
}

/**
 * Returns a subquery of the ids of orders that ended before a time and are not erased yet. Leaves out orders whose
 * customer is on legal hold.
 * @param isKept condition for a row of `orders`. An order for which it holds is left out
 */
export function ordersEndedBefore(orgId: string, before: number, limit: number, isKept: Condition): Condition {
  return sql`(select id from ${orders} indexed by orders_ended
    where org_id = ${orgId} and erased_at is null and updated_at < ${before}
    and status in ${ENDED} and not ${isKept}
    and not exists (select 1 from ${customers} where customers.id = orders.customer_id and customers.legal_hold = 1)
    order by updated_at limit ${limit})`;
}

/**
 * SQL for an order's lines without texts that somebody entered. The name of each line becomes the name of its product
 * in the catalog, or empty. Table names are written out, because Drizzle omits them in a statement about one table.
 */
const ERASED_ITEMS = sql`(select json_group_array(json_set(line.value, '$.name', coalesce(
    (select product.name from ${catalogProducts} as product where product.p1_id = line.value ->> '$.p1Id'), '')))
  from (select value from json_each(orders.items) order by key) as line)`;

/** Condition: packs whose batch is known have left the pharmacy, and the order is not deleted. */
const HAS_LEFT = sql`(instr(orders.items, '"left":true') > 0 and orders.deleted_at is null)`;

/**
 * The values that deletion, erasure and retention write over an order's personal data. The record of sold goods, times
 * and prices stays. If packs of a known batch have left, `restricted` keeps the names that the law requires to be kept.
 */
export const ERASED_ORDER = {
  ...emptied(ordersFields),
  items: ERASED_ITEMS,
  restricted: sql`iif(${HAS_LEFT}, json_object('customer_name', orders.customer_name, 'prescriber_name',
    orders.prescriber_name), orders.restricted)`,
  restrictedUntil: sql`iif(${HAS_LEFT}, orders.updated_at + ${sql.raw(String(RESTRICTED_MS))}, orders.restricted_until)`,
} satisfies Record<ErasedKey<typeof ordersFields> | 'restrictedUntil', unknown>;

export function eraseOrders(orgId: string, orderIds: Condition, now: number) {
  return orm
    .update(orders)
    .set({ ...ERASED_ORDER, version: sql`${orders.version} + 1`, updatedAt: now, erasedAt: now })
    .where(and(eq(orders.orgId, orgId), sql`${orders.id} in ${orderIds}`, isNull(orders.erasedAt)));
}

/**
 * Clears deleted orders like `eraseOrders`, but does not mark them as erased (see `deleteOrder`). Sets the time of
 * deletion of cancelled orders to now.
 */
export function eraseDeletedOrders(orgId: string, orderIds: Condition, now: number) {
  const deletedAt = sql`case when orders.status = 'cancelled' then ${now} else orders.deleted_at end`;
  return orm
    .update(orders)
    .set({ ...ERASED_ORDER, version: sql`${orders.version} + 1`, updatedAt: now, deletedAt })
    .where(and(eq(orders.orgId, orgId), sql`${orders.id} in ${orderIds}`));
}

/** Clears the personal data in a customer's row. Does nothing if they are erased already or a legal hold keeps them. */
export function eraseCustomer(orgId: string, id: string, now: number) {
  return orm
    .update(customers)
    .set({ ...emptied(customersFields), erasedAt: now, updatedAt: now })
    .where(has(customers, { orgId, id, legalHold: false, erasedAt: null }));
}

/**
 * Erases the customers of these orders if all their orders are erased and no legal hold keeps them. Other customers
 * need no check, because an order never changes its customer. Put this statement after `eraseOrdersIn` in the batch.
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

/** Sets or ends the legal hold of a customer. The batch is undone if there is no such customer. */
export function setCustomerHold(orgId: string, id: string, legalHold: boolean, now: number) {
  return updateOneRow(customers, { legalHold, updatedAt: now }, has(customers, { orgId, id }));
}

/** Selects the orders that have packs of a batch (`foldBatch`), newest first. */
export function selectOrdersOfBatch(of: { orgId: string; batch: string; after: string | null; limit: number }) {
  const ids = sql`(select order_id from ${orderBatches} where org_id = ${of.orgId} and batch = ${of.batch}
    and order_id < ${of.after ?? ABOVE_ALL_IDS} order by order_id desc limit ${of.limit})`;
  return orm
    .select()
    .from(orders)
    .where(and(eq(orders.orgId, of.orgId), sql`${orders.id} in ${ids}`))
    .orderBy(desc(orders.id));
}

/**
 * Clears the names that were kept of erased orders, once the law no longer requires them. While an organization is
 * being moved, its orders wait for a later run.
 */
export function endRestricted(now: number) {
  return orm
    .update(orders)
    .set({ restricted: null, restrictedUntil: null })
    .where(
      sql`restricted_until is not null and restricted_until < ${now}
        and exists (select 1 from ${organizations} as home where home.id = orders.org_id and home.state = 'active')`,
    );
}

/**
 * Returns a subquery of the ids of an order's products and of the products with a PZN. It can run before the order is
 * read.
 */
export function productsOfOrPzn(orgId: string, orderId: string, pzn: string | null): Condition {
  const own = productsOf(orgId, orderId);
  return pzn === null ? own : sql`(select * from ${own} union ${withPzn(orgId, pzn)})`;
}

export function selectOrderByNumber(orgId: string, number: number) {
  return orm
    .select(pick(orders, ['id', 'number', 'shopId', 'status']))
    .from(orders)
    .where(has(orders, { orgId, number, deletedAt: null }));
}
