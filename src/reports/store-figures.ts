import { type SQL, sql } from 'drizzle-orm';
import { catalogProducts } from '../catalog/tables';
import { inventory } from '../inventory/tables';
import { orderRequests } from '../order-requests/tables';
import { type OrderPaymentStatus, type OrderStatus, orders } from '../orders/tables';
import type { Database } from '../platform/db';
import { firstIdAt } from '../platform/ids';
import { addDays, type Day, startOf } from '../platform/pharmacy-time';
import { organizations } from '../tenants/tables';
import { type Days, eachDay } from './days';

/** The organization, all its shops or one of them, and the days. */
export interface Within extends Days {
  orgId: string;
  shopId?: string;
}

/**
 * The days as a table, each with the range of ids that were created on it: ids increase with time, and the indexes end
 * with the id.
 */
function daysIn(days: Days): SQL {
  const ranges = eachDay(days).map((day) => ({ day, first: firstId(day), end: firstId(addDays(day, 1)) }));
  return sql`json_each(${JSON.stringify(ranges)}) days`;
}

function firstId(day: Day): string {
  return firstIdAt(startOf(day));
}

const isOnDay = (id: SQL) => sql`${id} >= days.value ->> 'first' and ${id} < days.value ->> 'end'`;

function ofShop(table: SQL, shopId: string | undefined): SQL {
  return shopId === undefined ? sql`` : sql`and ${table}.shop_id = ${shopId}`;
}

/** CROSS JOIN makes the days the outer loop, so that each day is one range of the index (org, id). */
export function selectOrderFigures(db: Database, { orgId, shopId, ...days }: Within) {
  return db.orm
    .select({
      day: sql<Day>`days.value ->> 'day'`.as('day'),
      status: sql<OrderStatus>`orders.status`.as('order_status'),
      paymentStatus: sql<OrderPaymentStatus>`orders.payment_status`.as('order_payment'),
      count: sql<number>`count(*)`.as('amount'),
      // Refunds are not revenue.
      totalCents: sql<number>`sum(orders.total_cents - orders.refunded_cents)`.as('sum_cents'),
    })
    .from(sql`${daysIn(days)} cross join ${orders} on orders.org_id = ${orgId} and ${isOnDay(sql`orders.id`)}
      and orders.deleted_at is null ${ofShop(sql`orders`, shopId)}`)
    .groupBy(sql`1, 2, 3`);
}

/** The index of requests is (org, status, id), so each day and status is one range of it. */
export function selectRequestFigures(db: Database, { orgId, shopId, ...days }: Within) {
  return db.orm
    .select({
      day: sql<Day>`days.value ->> 'day'`.as('day'),
      status: sql<(typeof orderRequests.status.enumValues)[number]>`statuses.value`.as('request_status'),
      count: sql<number>`count(*)`.as('amount'),
    })
    .from(sql`${daysIn(days)} cross join json_each(${JSON.stringify(orderRequests.status.enumValues)}) statuses
      cross join ${orderRequests} on order_requests.org_id = ${orgId} and order_requests.status = statuses.value
      and ${isOnDay(sql`order_requests.id`)} ${ofShop(sql`order_requests`, shopId)}`)
    .groupBy(sql`1, 2`);
}

/**
 * Sold products or, for lines without a product, their names: highest revenue first. A product has the organization's
 * name for it, whatever platforms call it; the first and the last of their names are returned too. A refund does not
 * refer to a line, so each line of the order is reduced by the same share.
 */
export function selectProductFigures(db: Database, { orgId, shopId, from, to }: Within, limit: number) {
  const line = (field: string) => sql.raw(`line.value ->> '${field}'`);
  const kept = sql`iif(orders.refunded_cents = 0, 1, 1.0 - 1.0 * orders.refunded_cents / orders.total_cents)`;
  const sold = db.orm
    .select({
      p1Id: sql<string | null>`${line('p1Id')}`.as('line_p1_id'),
      firstName: sql<string>`min(${line('name')})`.as('line_first_name'),
      lastName: sql<string>`max(${line('name')})`.as('line_last_name'),
      quantity: sql<number>`sum(${line('quantity')})`.as('line_quantity'),
      totalCents:
        sql<number>`cast(round(sum((${line('quantity')}) * (${line('priceCents')}) * ${kept})) as integer)`.as(
          'line_cents',
        ),
    })
    .from(sql`${orders}, json_each(orders.items) line`)
    .where(sql`orders.org_id = ${orgId} and orders.id >= ${firstId(from)} and orders.id < ${firstId(addDays(to, 1))}
      and orders.deleted_at is null and orders.status not in ('cancelled', 'returned') ${ofShop(sql`orders`, shopId)}`)
    .groupBy(sql`coalesce(${line('p1Id')}, ${line('name')})`)
    .orderBy(sql`line_cents desc, line_quantity desc, line_last_name`)
    .limit(limit)
    .as('sold');
  // Table names are written out: Drizzle omits them from a field's SQL in a select of one table.
  const productName = sql`(select coalesce(stocked.name, product.name) from ${catalogProducts} as product
    left join ${inventory} as stocked on stocked.org_id = ${orgId} and stocked.p1_id = product.p1_id
    where product.p1_id = line_p1_id)`;
  return db.orm
    .select({
      p1Id: sql<string | null>`line_p1_id`.as('sold_p1_id'),
      name: sql<string>`coalesce(${productName}, line_last_name)`.as('sold_name'),
      askedAs: sql<string>`json_array(line_first_name, line_last_name)`.as('sold_asked_as'),
      quantity: sql<number>`line_quantity`.as('sold_quantity'),
      totalCents: sql<number>`line_cents`.as('sold_cents'),
    })
    .from(sold)
    .orderBy(sql`line_cents desc, line_quantity desc, line_last_name`);
}

/** Products below their threshold, the lowest stock first, with the organization's names. */
export function selectNamedLowStock(db: Database, orgId: string, limit: number) {
  const threshold = sql`coalesce(inventory.low_stock_threshold, (select low_stock_threshold from ${organizations} where organizations.id = ${orgId}))`;
  const name = sql`coalesce(inventory.name, (select name from ${catalogProducts} where catalog_products.p1_id = inventory.p1_id))`;
  return db.orm
    .select({
      p1Id: inventory.p1Id,
      name: sql<string>`${name}`.as('product_name'),
      stockQuantity: inventory.stockQuantity,
      threshold: sql<number>`${threshold}`.as('threshold'),
    })
    .from(inventory)
    .where(sql`inventory.org_id = ${orgId} and inventory.is_short = 1 and inventory.stock_quantity < ${threshold}`)
    .orderBy(inventory.stockQuantity, inventory.p1Id)
    .limit(limit);
}
