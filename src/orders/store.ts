import { and, desc, eq, type InferInsertModel, type InferSelectModel, isNull, sql } from 'drizzle-orm';
import { nextChange } from '../platform/data/changes';
import { type Condition, insertSelect, mustChangeOneRow } from '../platform/data/db';
import { columnsOf, type Named, orm, prepared, type Value } from '../platform/data/statements';
import { organizations, shops } from '../tenants/tables';
import { customers, IS_TO_PACK, orders } from './tables';

export type OrderRow = InferSelectModel<typeof orders>;
/** An order as use cases give it. What its next write rests on stays in this slice: a copy may be older than the row. */
export type Order = Omit<OrderRow, 'version' | 'changeNumber' | 'holdsStock'>;
/** With its version, for callers that change it only as they saw it. */
export type VersionedOrder = Order & Pick<OrderRow, 'version'>;
export type NewOrder = Omit<Required<InferInsertModel<typeof orders>>, 'customerId' | 'number' | 'changeNumber'>;

export const selectOrder = prepared(({ orgId, id }: Named<{ orgId: string; id: string }>) =>
  orm
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.orgId, orgId), isNull(orders.deletedAt))),
);

/** The order that a request became, unless it was deleted. @param requestId may be a subquery */
export function selectOrderOfRequest(requestId: Value<string> | Condition) {
  return orm
    .select()
    .from(orders)
    .where(and(sql`${orders.orderRequestId} = ${requestId}`, isNull(orders.deletedAt)));
}

/** Counting stops here. */
export const TO_PACK_COUNTED_MAX = 100;

/** How many orders wait to be packed, something of them being here, counted up to the limit. For whose eyes: as `countWaiting` of order requests. */
export const countToPack = prepared(({ orgId }: Named<{ orgId: string }>) => {
  const waiting = sql`(select 1 from ${orders} indexed by orders_to_pack where org_id = ${orgId} and ${IS_TO_PACK}
    limit ${TO_PACK_COUNTED_MAX})`;
  return orm.select({ count: sql<number>`count(*)`.as('to_pack') }).from(waiting);
});

export function selectOrderByExternalId(orgId: string, shopId: string, externalId: string) {
  return orm
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.orgId, orgId),
        eq(orders.shopId, shopId),
        eq(orders.externalId, externalId),
        isNull(orders.deletedAt),
      ),
    );
}

/** The order that the purpose of a transfer names. */
export function selectOrdersNumbered(orgId: string, number: number) {
  return orm
    .select()
    .from(orders)
    .where(and(eq(orders.orgId, orgId), eq(orders.number, number), isNull(orders.deletedAt)));
}

/** Orders that a search found, newest first. @param ids a subquery */
export function selectFoundOrders(orgId: string, ids: Condition, limit: number) {
  return orm
    .select()
    .from(orders)
    .where(and(eq(orders.orgId, orgId), isNull(orders.deletedAt), sql`${orders.id} in ${ids}`))
    .orderBy(desc(orders.id))
    .limit(limit);
}

/** The known customer's id, or the id for a new one, and the e-mail that identifies it. */
export interface CustomerKey {
  knownCustomerId: string | null;
  newCustomerId: string;
  foldedEmail: string | null;
}

/** The order's row; its number and its customer, by id or else by e-mail, are found at the time of the batch. */
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

/** A customer that is not erased, by id or else by e-mail (folded); either may be a subquery. */
export function selectCustomer(orgId: Value<string>, id: string | Condition | null, email: string | Condition | null) {
  return orm
    .select({ id: customers.id })
    .from(customers)
    .where(
      and(
        eq(customers.orgId, orgId),
        isNull(customers.erasedAt),
        sql`(${customers.id} = ${id} or ${customers.email} = ${email})`,
      ),
    )
    .orderBy(desc(sql`${customers.id} = ${id}`))
    .limit(1);
}

/** Changes an order; the batch is undone unless it still is as it was read. */
export function updateOrderRow(
  read: { orgId: string; id: string; version: number },
  changes: { [K in keyof InferInsertModel<typeof orders>]?: InferInsertModel<typeof orders>[K] | Condition },
) {
  const write = orm
    .update(orders)
    .set({ ...changes, version: read.version + 1 })
    .where(
      and(
        eq(orders.orgId, read.orgId),
        eq(orders.id, read.id),
        eq(orders.version, read.version),
        isNull(orders.deletedAt),
      ),
    );
  return mustChangeOneRow(write);
}

/** The request that an order came from, for a statement that cannot know the order yet. */
export function requestIdOf(orgId: string, orderId: string): Condition {
  return sql`(select order_request_id from ${orders} where org_id = ${orgId} and id = ${orderId})`;
}

/** The shop of an order that is not read yet, as a subquery. */
export function shopIdOf(orgId: string, orderId: string): Condition {
  return sql`(select shop_id from ${orders} where org_id = ${orgId} and id = ${orderId})`;
}

/** The customer of an order that is not read yet, as a subquery. */
export function customerIdOf(orgId: string, orderId: string): Condition {
  return sql`(select customer_id from ${orders} where org_id = ${orgId} and id = ${orderId})`;
}

/** The order exists and is not cancelled; a condition for other writes. */
export function orderLives(orgId: string, id: string): Condition {
  return sql`exists (select 1 from ${orders} where id = ${id} and org_id = ${orgId} and deleted_at is null
    and erased_at is null and status <> 'cancelled')`;
}

/** The order is there, with its person: a condition for what is written about it. */
export function orderIsThere(orgId: string, id: string): Condition {
  return sql`exists (select 1 from ${orders} where id = ${id} and org_id = ${orgId} and deleted_at is null and erased_at is null)`;
}

/** The name of an order's shop, and what determines its possible shipping options. */
export function selectShopOfOrder(orgId: string, orderId: string) {
  return orm
    .select({ name: shops.name, deliveryServiceName: shops.deliveryServiceName })
    .from(shops)
    .where(sql`${shops.id} = ${shopIdOf(orgId, orderId)}`);
}
