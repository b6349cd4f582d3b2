import { sql } from 'drizzle-orm';
import { inventory } from '../inventory/tables';
import { orderRequests } from '../order-requests/tables';
import { orders } from '../orders/tables';
import type { Database } from '../platform/db';
import { firstIdAt } from '../platform/ids';
import { organizations } from '../tenants/tables';
import { deliveries, subscriptions } from '../webhooks/tables';

export interface Period {
  orgId: string;
  /** Missing: all shops. */
  shopId?: string;
  /** Epoch ms, inclusive. */
  from: number;
  /** Epoch ms, exclusive. */
  to: number;
}

/** Ids increase with time, so a period is a range of the index (org, id). */
function ordersWithin({ orgId, from, to }: Period) {
  return sql`${orders.orgId} = ${orgId} and ${orders.id} >= ${firstIdAt(from)} and ${orders.id} < ${firstIdAt(to)}`;
}

/**
 * The index of requests is (org, status, id): because every status is listed, the period is a range for each of them.
 */
function requestsWithin({ orgId, shopId, from, to }: Period) {
  const { id, status } = orderRequests;
  return sql`${orderRequests.orgId} = ${orgId} and ${status} in ${[...status.enumValues]}
    and ${id} >= ${firstIdAt(from)} and ${id} < ${firstIdAt(to)}
    ${shopId === undefined ? sql`` : sql`and ${orderRequests.shopId} = ${shopId}`}`;
}

export function selectOrdersByDay(db: Database, period: Period) {
  return db.orm
    .select({
      day: sql<string>`strftime('%Y-%m-%d', created_at / 1000, 'unixepoch')`.as('day'),
      status: orders.status,
      count: sql<number>`count(*)`.as('count'),
      // Refunds are not revenue.
      totalCents: sql<number>`sum(total_cents - refunded_cents)`.as('sum_cents'),
    })
    .from(orders)
    .where(sql`${ordersWithin(period)} and deleted_at is null`)
    .groupBy(sql`1`, orders.status)
    .orderBy(sql`1`, orders.status);
}

export function selectRequestsByOutcome(db: Database, period: Period) {
  return db.orm
    .select({ status: orderRequests.status, count: sql<number>`count(*)`.as('count') })
    .from(orderRequests)
    .where(requestsWithin(period))
    .groupBy(orderRequests.status);
}

/** The median of the seconds from submission to decision; with an even number the lower of the two middle values. */
export function selectMedianReview(db: Database, period: Period) {
  const decided = sql`${requestsWithin(period)} and decided_at is not null`;
  return db.orm
    .select({ seconds: sql<number>`(decided_at - created_at) / 1000`.as('seconds') })
    .from(orderRequests)
    .where(decided)
    .orderBy(sql`decided_at - created_at`)
    .limit(1)
    .offset(sql`(select max(0, (count(*) - 1) / 2) from order_requests where ${decided})` as unknown as number);
}

export function selectLowStock(db: Database, orgId: string, limit: number) {
  const threshold = sql`coalesce(inventory.low_stock_threshold, (select low_stock_threshold from ${organizations} where organizations.id = ${orgId}))`;
  return db.orm
    .select({
      p1Id: inventory.p1Id,
      stockQuantity: inventory.stockQuantity,
      threshold: sql<number>`${threshold}`.as('threshold'),
    })
    .from(inventory)
    .where(sql`inventory.org_id = ${orgId} and inventory.is_short = 1 and inventory.stock_quantity < ${threshold}`)
    .orderBy(inventory.stockQuantity, inventory.p1Id)
    .limit(limit);
}

/**
 * The webhook deliveries of the period. An organization has only a few subscriptions, so this reads few ranges; deleted
 * subscriptions count too.
 */
export function selectDeliveriesByStatus(db: Database, { orgId, from, to }: Period) {
  return db.orm
    .select({ status: sql<string>`deliveries.status`.as('delivery_status'), count: sql<number>`count(*)`.as('count') })
    .from(subscriptions)
    .innerJoin(deliveries, sql`deliveries.subscription_id = subscriptions.id`)
    .where(
      sql`subscriptions.org_id = ${orgId} and deliveries.id >= ${firstIdAt(from)} and deliveries.id < ${firstIdAt(to)}`,
    )
    .groupBy(sql`deliveries.status`);
}
