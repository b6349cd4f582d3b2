import { sql } from 'drizzle-orm';
import type { AuditAction } from '../../audit/record';
import { auditLog } from '../../audit/tables';
import { type Condition, type Database, insertSelect, mustChangeOneRow, mustChangeRows } from '../../platform/db';
import { firstIdAt } from '../../platform/ids';
import { deliveries, subscriptions } from '../tables';
import { deliveryRow } from './rows';

/** The audit action of a bulk redelivery; its audit row has the same time as its deliveries. */
export const REDELIVERED = 'subscription.redelivered' satisfies AuditAction;

interface Of {
  orgId: string;
  subscriptionId: string;
}

/** A new delivery for the event of one; the batch is undone unless that has ended and its subscription is active. */
export function insertRedelivery(db: Database, of: { orgId: string; deliveryId: string }, id: string, now: number) {
  const row = deliveryRow({
    id,
    orgId: of.orgId,
    eventId: sql`earlier.event_id`,
    subscriptionId: sql`earlier.subscription_id`,
    trigger: 'redelivery',
    status: 'pending',
    createdAt: now,
  });
  const write = insertSelect(
    db,
    deliveries,
    row,
    sql`from ${deliveries} as earlier
      join ${subscriptions} as subscription on subscription.id = earlier.subscription_id
      where earlier.id = ${of.deliveryId} and earlier.org_id = ${of.orgId}
        and earlier.status in ('succeeded', 'exhausted', 'cancelled') and earlier.trigger <> 'test'
        and subscription.status = 'active' and subscription.deleted_at is null`,
  ).returning({ id: deliveries.id });
  return mustChangeOneRow(db, write);
}

/**
 * How many of a subscription's deliveries are looked at: a later delivery of an event is never further back than an
 * earlier one.
 */
const LOOKED_AT_MAX = 20_000;

/** Events whose deliveries since a time all failed: none arrived, none is on its way or waits. Oldest first. */
function failedSince({ orgId, subscriptionId }: Of, since: number) {
  return sql`(select event_id, max(id) as last_id from (
      select id, event_id, status from ${deliveries}
      where subscription_id = ${subscriptionId} and org_id = ${orgId} and id >= ${firstIdAt(since)} and "trigger" <> 'test'
      order by id desc limit ${LOOKED_AT_MAX}
    ) group by event_id
    having sum(status in ('pending', 'delivering', 'held', 'succeeded')) = 0 and sum(status = 'exhausted') > 0)`;
}

export function countFailedSince(db: Database, of: Of, since: number) {
  return db.orm
    .select({ count: sql<number>`count(*)`.as('failed_events') })
    .from(sql`${failedSince(of, since)} as failed`);
}

/**
 * One new delivery for each event that failed, as many as there are ids, while the subscription is active. The batch is undone
 * where there is nothing to do.
 */
export function insertRedeliveries(db: Database, of: Of, since: number, ids: readonly string[], now: number) {
  const row = deliveryRow({
    id: sql`delivery_ids.value`,
    orgId: of.orgId,
    eventId: sql`failed.event_id`,
    subscriptionId: of.subscriptionId,
    trigger: 'redelivery',
    status: 'pending',
    createdAt: now,
  });
  const write = insertSelect(
    db,
    deliveries,
    row,
    sql`from (
        select event_id, row_number() over (order by last_id) - 1 as position from ${failedSince(of, since)}
        order by last_id limit ${ids.length}
      ) as failed
      join json_each(${JSON.stringify(ids)}) as delivery_ids on delivery_ids.key = failed.position
      where exists (select 1 from ${subscriptions} where ${subscriptions.id} = ${of.subscriptionId}
        and ${subscriptions.orgId} = ${of.orgId} and ${subscriptions.status} = 'active'
        and ${subscriptions.deletedAt} is null)`,
  ).returning({ id: deliveries.id });
  return mustChangeRows(db, write);
}

/** A bulk redelivery's rows are created at nearly the same time as its audit row, and ids begin with their time. */
const SKEW_MS = 60_000;

/** The progress of the last bulk redelivery, if it began after `since`. */
export function selectProgress(db: Database, of: Of, since: number) {
  const lastBulk = sql`(select max(at) as at from ${auditLog} where org_id = ${of.orgId}
    and entity_id = ${of.subscriptionId} and action = ${REDELIVERED} and at >= ${since})`;
  const count = (status: Condition, name: string) => sql<number>`coalesce(sum(${status}), 0)`.as(name);
  return db.orm
    .select({
      startedAt: sql<number>`bulk.at`.as('bulk_at'),
      total: sql<number>`count(*)`.as('bulk_total'),
      delivered: count(sql`delivery.status = 'succeeded'`, 'bulk_delivered'),
      waiting: count(sql`delivery.status in ('pending', 'delivering', 'held')`, 'bulk_waiting'),
      failed: count(sql`delivery.status in ('exhausted', 'cancelled')`, 'bulk_failed'),
    })
    .from(
      sql`${lastBulk} as bulk join ${deliveries} as delivery on delivery.subscription_id = ${of.subscriptionId}
        and delivery.id > ${idPrefix(sql`bulk.at - ${SKEW_MS}`)} and delivery.id < ${idPrefix(sql`bulk.at + ${SKEW_MS}`)}
        and delivery.created_at = bulk.at and delivery.trigger = 'redelivery'`,
    )
    .groupBy(sql`bulk.at`);
}

/** Like `firstIdAt`, for a time that only the database knows. */
function idPrefix(at: Condition): Condition {
  return sql`substr(printf('%012x', ${at}), 1, 8) || '-' || substr(printf('%012x', ${at}), 9)`;
}
