import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { inventory, isShort } from '../inventory/tables';
import { orderRequests } from '../order-requests/tables';
import { type OrderPaymentStatus, type OrderStatus, orders } from '../orders/tables';
import { orm } from '../platform/data/statements';
import { firstIdAt } from '../platform/ids';
import { MINUTE_MS } from '../platform/time';
import { organizations } from '../tenants/tables';
import type { Range } from './parts';
import { dayTotals } from './tables';

/** Epoch ms. */
export interface Period extends Range {
  orgId: string;
  /** Missing: all shops. */
  shopId?: string;
}

/** A row and its id are made in the same request, a little apart. */
const SLACK_MS = MINUTE_MS;

/** What came in during whole parts of days: up to three rows a day and shop. */
export function selectTotals({ orgId, shopId, from, to }: Period) {
  return orm
    .select()
    .from(dayTotals)
    .where(
      and(
        eq(dayTotals.orgId, orgId),
        gte(dayTotals.startsAt, from),
        lt(dayTotals.startsAt, to),
        shopId === undefined ? undefined : eq(dayTotals.shopId, shopId),
      ),
    );
}

export type Totals = Awaited<ReturnType<typeof selectTotals>>[number];

/** When the pending requests of a period came in, epoch ms: there are as many as wait in the inbox. */
export function selectPending({ orgId, shopId, from, to }: Period) {
  const { id, status, createdAt } = orderRequests;
  return orm
    .select({ createdAt })
    .from(orderRequests)
    .where(
      and(
        eq(orderRequests.orgId, orgId),
        eq(status, 'pending'),
        gte(id, firstIdAt(from - SLACK_MS)),
        lt(id, firstIdAt(to + SLACK_MS)),
        gte(createdAt, from),
        lt(createdAt, to),
        shopId === undefined ? undefined : eq(orderRequests.shopId, shopId),
      ),
    );
}

/** The orders of parts of a day, which no total holds. */
export function selectOrdersIn(orgId: string, ranges: readonly Range[]) {
  return orm
    .select({
      createdAt: sql<number>`orders.created_at`.as('order_created_at'),
      status: sql<OrderStatus>`orders.status`.as('order_status'),
      paymentStatus: sql<OrderPaymentStatus>`orders.payment_status`.as('order_payment'),
      // Refunds are not revenue.
      cents: sql<number>`orders.total_cents - orders.refunded_cents`.as('kept_cents'),
    })
    .from(sql`${rangesOf(ranges)} cross join ${orders} on orders.org_id = ${orgId} and ${isWithin('orders')}
      and orders.deleted_at is null`);
}

/** The requests of parts of a day that are not pending any more. */
export function selectDecidedIn(orgId: string, ranges: readonly Range[]) {
  const decided = orderRequests.status.enumValues.filter((status) => status !== 'pending');
  return orm
    .select({
      status: sql<(typeof decided)[number]>`order_requests.status`.as('decided_status'),
      seconds: sql<number | null>`(order_requests.decided_at - order_requests.created_at) / 1000`.as('seconds'),
    })
    .from(sql`${rangesOf(ranges)} cross join json_each(${JSON.stringify(decided)}) statuses
      cross join ${orderRequests} on order_requests.org_id = ${orgId} and order_requests.status = statuses.value
      and ${isWithin('order_requests')}`);
}

/** As a table. Ids increase with time, so that each is a range of an index that ends with the id. */
function rangesOf(ranges: readonly Range[]) {
  const bounded = ranges.map(({ from, to }) => {
    return { from, to, first: firstIdAt(from - SLACK_MS), end: firstIdAt(to + SLACK_MS) };
  });
  return sql`json_each(${JSON.stringify(bounded)}) ranges`;
}

function isWithin(table: 'orders' | 'order_requests') {
  const [id, createdAt] = [sql.raw(`${table}.id`), sql.raw(`${table}.created_at`)];
  return sql`${id} >= ranges.value ->> 'first' and ${id} < ranges.value ->> 'end'
    and ${createdAt} >= ranges.value ->> 'from' and ${createdAt} < ranges.value ->> 'to'`;
}

/** Products below their threshold, the lowest stock first. @param more columns beside these */
export function selectLowStock<More extends Record<string, SQL.Aliased>>(orgId: string, limit: number, more: More) {
  const threshold = sql`coalesce(inventory.low_stock_threshold, (select low_stock_threshold from ${organizations} where organizations.id = ${orgId}))`;
  return orm
    .select({
      p1Id: inventory.p1Id,
      stockQuantity: inventory.stockQuantity,
      threshold: sql<number>`${threshold}`.as('threshold'),
      ...more,
    })
    .from(inventory)
    .where(sql`${isShort(orgId)} and inventory.stock_quantity < ${threshold}`)
    .orderBy(inventory.stockQuantity, inventory.p1Id)
    .limit(limit);
}
