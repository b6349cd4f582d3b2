import { sql } from 'drizzle-orm';
import type { AuditAction } from '../../audit/record';
import { auditByEntity } from '../../audit/service';
import { auditLog } from '../../audit/tables';
import { unset } from '../../platform/data/columns';
import { type Condition, inList, insertSelect } from '../../platform/data/db';
import { numberedId, orm } from '../../platform/data/statements';
import { firstIdAt } from '../../platform/ids';
import { isSettled } from '../../tenants/tables';
import { deliveries, deliveryAttempts, events } from '../tables';

/** Which events are old, and which of them are kept for now. Epoch ms. */
export interface RetentionBounds {
  createdBefore: number;
  /** An event with a delivery made since then stays: it may continue, and reports have not counted it yet. */
  deliveredSince: number;
}

/** One of the event's deliveries is under way, or was requested recently. */
function isUnderWay(eventId: Condition, deliveredSince: number): Condition {
  return sql`exists (select 1 from ${deliveries} as delivery where delivery.event_id = ${eventId}
    and (delivery.status = 'delivering' or delivery.created_at >= ${deliveredSince}))`;
}

/** The oldest events to delete. An organization's newest always stays, because the next one's number follows from it. */
export function selectEnding({ createdBefore, deliveredSince }: RetentionBounds, limit: number) {
  return orm
    .select({ id: events.id })
    .from(events)
    .where(
      sql`events.id < ${firstIdAt(createdBefore)} and events.seq < (select max(newest.seq) from ${events} as newest where newest.org_id = events.org_id)
        and ${isSettled(events.orgId)} and not ${isUnderWay(sql`events.id`, deliveredSince)}`,
    )
    .orderBy(events.id)
    .limit(limit);
}

/** Of these events, those that may still be deleted at the time of the batch. */
function ending(eventIds: readonly string[], { deliveredSince }: RetentionBounds): Condition {
  return sql`(select chosen.value from json_each(${JSON.stringify(eventIds)}) as chosen
    where not ${isUnderWay(sql`chosen.value`, deliveredSince)})`;
}

const isWaiting = sql`delivery.status in ('held', 'pending')`;

/** The audit action for deliveries that were deleted because they had waited for too long. */
const WAITED_TOO_LONG = 'subscription.deliveries_expired' satisfies AuditAction;

interface ExpiredRow {
  idPrefix: string;
  at: number;
  dayStart: number;
  requestId: string;
}

/** One audit row per day for each subscription whose waiting deliveries are deleted. */
function insertExpired(eventIds: Condition, row: ExpiredRow) {
  return insertSelect(
    auditLog,
    {
      ...unset(auditLog),
      id: numberedId(row.idPrefix, sql`row_number() over ()`),
      orgId: sql`waiting.org_id`,
      at: row.at,
      actorKind: 'system',
      action: WAITED_TOO_LONG,
      entityId: sql`waiting.subscription_id`,
      requestId: row.requestId,
    },
    sql`from (select distinct delivery.org_id, delivery.subscription_id from ${deliveries} as delivery
        where delivery.event_id in ${eventIds} and ${isWaiting}) as waiting
      where not exists (select 1 from ${auditByEntity} where org_id = waiting.org_id
        and entity_id = waiting.subscription_id
        and action = ${WAITED_TOO_LONG} and at >= ${row.dayStart})`,
  );
}

/** Deletes these events, with their deliveries and attempts, and records which subscriptions lose some that still waited. */
export function endEvents(eventIds: readonly string[], bounds: RetentionBounds, row: ExpiredRow) {
  const ids = ending(eventIds, bounds);
  const ofThem = sql`select delivery.id from ${deliveries} as delivery where delivery.event_id in ${ids}`;
  const isEmpty = sql`not exists (select 1 from ${deliveries} as delivery where delivery.event_id = events.id)`;
  return {
    waiting: orm.select({ waiting: sql<number>`count(*)`.as('waiting') }).from(sql`(${ofThem} and ${isWaiting})`),
    expired: insertExpired(ids, row),
    attempts: orm.delete(deliveryAttempts).where(sql`delivery_id in (${ofThem})`),
    deliveries: orm.delete(deliveries).where(sql`event_id in ${ids}`),
    events: orm.delete(events).where(sql`id in ${inList(eventIds)} and ${isEmpty}`),
  };
}
