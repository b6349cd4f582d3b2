import { type SQL, sql } from 'drizzle-orm';
import { auditByEntity } from '../../audit/service';
import type { Condition, Database } from '../../platform/db';
import { firstIdAt } from '../../platform/ids';
import { type Named, orm, prepared } from '../../platform/statements';
import { isMissed } from '../deliveries/store-streak';
import type { FailureClass } from '../tables';
import { deliveries, deliveryAttempts, events, HOLD_REASONS, type HoldReason, subscriptions } from '../tables';

/** How many deliveries of the period the figures look at, the newest ones. */
const LOOKED_AT = 2_000;
/**
 * And so many of the newest ones, however old, and of those before the oldest one that is held: a failing receiver is
 * tried with that one.
 */
const ALSO_LOOKED_AT = 50;
/** Counting what waits stops here. */
export const DELIVERIES_COUNTED_MAX = 1_000;
const FAILURES_SHOWN = 4;
/** How many audit rows are looked through for changes of the status. */
const AUDIT_LOOKED_AT = 500;
const HISTORY_SHOWN = 12;

export const STATUS_ACTIONS = [
  'subscription.created',
  'subscription.paused',
  'subscription.resumed',
  'subscription.held',
  'subscription.released',
  'subscription.disabled',
  'subscription.updated',
] as const;

/** Why nothing is posted to a subscription that nobody paused. */
export const STOP_REASONS = [...HOLD_REASONS, 'receiver_gone'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** What the receiver said, or that it said nothing, and how often. */
export interface Failure {
  failureClass: FailureClass;
  httpStatus: number | null;
  count: number;
}

/** The id of a subscription of an organization. */
export function oneOf(orgId: string, id: string): SQL {
  return sql`select id from ${subscriptions} where id = ${id} and org_id = ${orgId} and deleted_at is null`;
}

/** The id of the n-th subscription of an organization, counted from 0 in the order of `selectSubscriptions`. */
export function nthOf(orgId: string, n: number): SQL {
  return sql`select id from ${subscriptions} where org_id = ${orgId} and deleted_at is null order by id limit 1 offset ${n}`;
}

/**
 * Figures of one subscription, one row. Attempts are those since a time, without test events, of deliveries made since
 * then (see `ALSO_LOOKED_AT` for older ones); times of answers leave out what never reached a receiver. Percentiles are by nearest rank.
 * @param target selects the id of the subscription
 */
export function selectHealth(db: Database, target: SQL, since: number) {
  const ofTarget = sql`subscription_id = (select id from target)`;
  const waiting = (status: SQL, order: SQL) =>
    sql`select * from (select created_at from ${deliveries} where ${ofTarget} and status = ${status} order by ${order} limit ${DELIVERIES_COUNTED_MAX})`;
  const newest = (where: SQL, limit: number) =>
    sql`select * from (select id, status, trigger, attempt_count, finished_at from ${deliveries}
      where ${ofTarget} and ${where} order by id desc limit ${limit})`;
  // A bound number would be a float, and its division not whole.
  const rank = (percent: number) =>
    sql`(select duration_ms from timed where position = (of_all * ${sql.raw(String(percent))} + 99) / 100)`;
  return db.orm
    .select({
      attempts: sql<number>`attempts`,
      succeeded: sql<number>`succeeded`,
      p50Ms: sql<number | null>`p50`,
      p95Ms: sql<number | null>`p95`,
      lastSuccessAt: sql<number | null>`last_success`,
      /** The most frequent ones first; while nothing is attempted, those from before. */
      failures: sql<Failure[]>`failures`.mapWith(readFailures),
      /** Up to `DELIVERIES_COUNTED_MAX`. */
      waiting: sql<number>`waiting`,
      oldestWaitingAt: sql<number | null>`oldest_waiting`,
      /** Events that were given up and have not arrived since, among the last `DELIVERIES_COUNTED_MAX` failed deliveries. */
      givenUp: sql<number>`given_up`,
      /** When the oldest of them, or of those not looked at, happened. */
      givenUpSince: sql<number | null>`given_up_since`,
    })
    .from(
      sql`(with target as (${target}),
        recent as materialized (
          ${newest(sql`id >= ${firstIdAt(since)}`, LOOKED_AT)}
          union ${newest(sql`true`, ALSO_LOOKED_AT)}
          union ${newest(sql`id <= (select min(id) from ${deliveries} where ${ofTarget} and status = 'held')`, ALSO_LOOKED_AT)}),
        tried as materialized (
          select duration_ms, http_status, failure_class, started_at from recent
          join ${deliveryAttempts} as attempt on attempt.delivery_id = recent.id
          where recent.attempt_count > 0 and recent.trigger <> 'test'),
        made as materialized (select * from tried where started_at >= ${since}),
        timed as materialized (
          select duration_ms, row_number() over (order by duration_ms) as position, count(*) over () as of_all
          from made where coalesce(failure_class, '') not in ('blocked', 'interrupted')),
        failed as materialized (
          select id, event_id, trigger from ${deliveries} where ${ofTarget} and status = 'exhausted' order by id desc limit ${DELIVERIES_COUNTED_MAX}),
        lost as materialized (
          select events.created_at from failed join ${events} on events.id = failed.event_id
          where trigger <> 'test' and ${isMissed(sql`failed.event_id`, sql`(select id from target)`)} group by failed.event_id),
        waits as materialized (
          ${waiting(sql`'pending'`, sql`priority, next_attempt_at`)} union all ${waiting(sql`'held'`, sql`id`)})
        select
          (select count(*) from made) as attempts,
          (select count(*) from made where failure_class is null) as succeeded,
          ${rank(50)} as p50, ${rank(95)} as p95,
          (select max(finished_at) from recent where status = 'succeeded' and trigger <> 'test') as last_success,
          (select json_group_array(json_object('failureClass', failure_class, 'httpStatus', http_status, 'count', times))
            from (select failure_class, http_status, count(*) as times from tried where failure_class is not null
              and (started_at >= ${since} or not exists (select 1 from made)) group by 1, 2 order by times desc limit ${FAILURES_SHOWN})) as failures,
          (select min(count(*), ${DELIVERIES_COUNTED_MAX}) from waits) as waiting,
          (select min(created_at) from waits) as oldest_waiting,
          (select count(*) from lost) as given_up,
          (select min(created_at) from lost) as given_up_since)`,
    );
}

function readFailures(json: unknown): Failure[] {
  // SAFETY: made by the statement above.
  return JSON.parse(json as string) as Failure[];
}

/** Changes of the status and of the address, newest first. */
export function selectHistory(db: Database, orgId: string, target: SQL) {
  return db.orm
    .select({
      at: sql<number>`at`,
      action: sql<(typeof STATUS_ACTIONS)[number]>`action`,
      reasonCode: sql<StopReason | null>`reason_code`,
    })
    .from(sql`(${changesOf(sql`${orgId}`, target)} limit ${HISTORY_SHOWN})`);
}

/** The last change of the status alone. */
export function selectLastChange(db: Database, orgId: string, target: SQL) {
  return db.orm
    .select({
      at: sql<number>`at`,
      reasonCode: sql<StopReason | null>`reason_code`,
    })
    .from(sql`(${changesOf(sql`${orgId}`, target, sql`action <> 'subscription.updated'`)} limit 1)`);
}

function changesOf(orgId: SQL, target: SQL, also: Condition = sql`true`): SQL {
  const actions = sql.raw(STATUS_ACTIONS.map((action) => `'${action}'`).join(', '));
  return sql`select * from (select * from ${auditByEntity} where org_id = ${orgId} and entity_id = (${target})
      order by id desc limit ${AUDIT_LOOKED_AT})
    where action in (${actions}) and ${also}
      and (action <> 'subscription.updated' or exists (select 1 from json_each(fields) where value = 'url'))
    order by id desc`;
}

/** Subscriptions to which nothing is posted although nobody paused them: on hold, disabled, or paused by their receiver. */
export const selectStopped = prepared(({ orgId }: Named<{ orgId: string }>) => {
  const lastPause = sql`(select reason_code from ${auditByEntity}
    where org_id = stopped.org_id and entity_id = stopped.id and action = 'subscription.paused' order by id desc limit 1)`;
  return orm
    .select({
      id: sql<string>`stopped.id`.as('stopped_id'),
      host: sql<string>`stopped.host`.as('stopped_host'),
      status: sql<'holding' | 'paused' | 'disabled'>`stopped.status`.as('stopped_status'),
      holdReason: sql<HoldReason | null>`stopped.hold_reason`.as('stopped_reason'),
    })
    .from(sql`${subscriptions} as stopped`)
    .where(
      sql`stopped.org_id = ${orgId} and stopped.deleted_at is null and (stopped.status in ('holding', 'disabled')
        or (stopped.status = 'paused' and ${lastPause} = 'receiver_gone'))`,
    )
    .orderBy(sql`stopped.id`);
});
