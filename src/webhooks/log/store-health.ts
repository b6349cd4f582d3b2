import { type SQL, sql } from 'drizzle-orm';
import { auditByEntity } from '../../audit/service';
import type { Condition } from '../../platform/data/db';
import { type Named, orm, prepared } from '../../platform/data/statements';
import { firstIdAt } from '../../platform/ids';
import { DAY_MS, HOUR_MS } from '../../platform/time';
import { isChosen, passesFilters } from '../deliveries/store-fanout';
import { isMissed } from '../deliveries/store-missed';
import type { FailureClass } from '../tables';
import { deliveries, deliveryAttempts, events, HOLD_REASONS, type HoldReason, subscriptions } from '../tables';

/** How many deliveries of the period the figures look at, the newest ones. */
export const DELIVERIES_LOOKED_AT = 500;
/** And so many of the newest ones, however old, and of those before the oldest one that waits: what waits was not tried. */
const ALSO_LOOKED_AT = 50;
/** How many events are looked at for those that filters kept away. */
export const EVENTS_LOOKED_AT = 500;
/** Counting what waits stops here. */
export const DELIVERIES_COUNTED_MAX = 1_000;
/** How many audit rows are looked through for changes of the status. */
const AUDIT_LOOKED_AT = 500;
const HISTORY_SHOWN = 12;

const STATUS_ACTIONS = [
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

/** Attempts that ended the same way: what the receiver said, or that it said nothing. */
export interface Outcome {
  /** Null for a success. */
  failureClass: FailureClass | null;
  httpStatus: number | null;
  /** 1 when they began in the period, 0 when before. */
  isRecent: 0 | 1;
  /** How many hours ago each began, 0 for the last hour; up to 23 in the period. */
  hoursAgo: number[];
  /** Of each attempt. */
  durationsMs: number[];
  /** When the last of these deliveries succeeded that did. */
  lastSuccessAt: number | null;
}

/** The id of a subscription of an organization. */
export function oneOf(orgId: string, id: string): SQL {
  return sql`select id from ${subscriptions} where id = ${id} and org_id = ${orgId} and deleted_at is null`;
}

/** The id of the n-th subscription of an organization, counted from 0 in the order of `selectSubscriptions`. */
export function nthOf(orgId: string, n: number): SQL {
  return sql`select id from ${subscriptions} where org_id = ${orgId} and deleted_at is null and integration_id is null
    order by id limit 1 offset ${n}`;
}

/**
 * What the figures of one subscription are made of, one row. Attempts are without test events, those of deliveries made
 * since a time (see `ALSO_LOOKED_AT` for older ones).
 * @param target selects the id of the subscription
 */
export function selectHealth(target: SQL, since: number) {
  const ofTarget = sql`subscription_id = (select id from target)`;
  const waiting = (status: SQL, order: SQL) =>
    sql`select count(*) as count, min(id) as first_id from (select id from ${deliveries}
      where ${ofTarget} and status = ${status} order by ${order} limit ${DELIVERIES_COUNTED_MAX})`;
  const newest = (where: SQL, limit: number) =>
    sql`select * from (select id, status, trigger, attempt_count, finished_at from ${deliveries}
      where ${ofTarget} and ${where} order by id desc limit ${limit})`;
  return orm
    .select({
      // SAFETY: made by the statement below.
      outcomes: sql<Outcome[]>`outcomes`.mapWith((json: string) => JSON.parse(json) as Outcome[]),
      /** Up to `DELIVERIES_COUNTED_MAX`. */
      waiting: sql<number>`waiting`,
      oldestWaitingAt: sql<number | null>`oldest_waiting`,
      /** Events that were given up and have not arrived since, among the last `DELIVERIES_COUNTED_MAX` failed deliveries. */
      givenUp: sql<number>`given_up`,
      /** When the oldest of them happened. */
      givenUpSince: sql<number | null>`given_up_since`,
      /** Events of the period, among the newest `EVENTS_LOOKED_AT`, that its filters kept from it. */
      filtered: sql<number>`filtered`,
    })
    .from(
      sql`(with target as (${target}),
        waits as materialized (
          ${waiting(sql`'pending'`, sql`priority, next_attempt_at`)} union all ${waiting(sql`'held'`, sql`id`)}),
        recent as (
          ${newest(sql`id >= ${firstIdAt(since)}`, DELIVERIES_LOOKED_AT)}
          union ${newest(sql`true`, ALSO_LOOKED_AT)}
          union ${newest(sql`id <= (select min(first_id) from waits)`, ALSO_LOOKED_AT)}),
        tried as (
          select failure_class, http_status, started_at >= ${since} as is_recent, json_group_array(duration_ms) as durations,
            json_group_array(cast((${since + DAY_MS} - started_at) / ${HOUR_MS} as integer)) as hours,
            max(iif(status = 'succeeded', finished_at, null)) as last_success
          from recent join ${deliveryAttempts} as attempt on attempt.delivery_id = recent.id
          where recent.attempt_count > 0 and recent.trigger <> 'test' group by 1, 2, 3),
        lost as materialized (
          select count(distinct event_id) as count, min(event_id) as first_id
          from (select event_id, trigger from ${deliveries} where ${ofTarget} and status = 'exhausted'
            order by id desc limit ${DELIVERIES_COUNTED_MAX}) as failed
          where trigger <> 'test' and ${isMissed(sql`failed.event_id`, sql`(select id from target)`)})
        select
          (select json_group_array(json_object('failureClass', failure_class, 'httpStatus', http_status, 'isRecent', is_recent,
            'durationsMs', json(durations), 'hoursAgo', json(hours), 'lastSuccessAt', last_success)) from tried) as outcomes,
          (select min(sum(count), ${DELIVERIES_COUNTED_MAX}) from waits) as waiting,
          (select created_at from ${deliveries} where id = (select min(first_id) from waits)) as oldest_waiting,
          (select count from lost) as given_up,
          (select created_at from ${events} where id = (select first_id from lost)) as given_up_since,
          (select iif(shop_ids is null and sources is null, 0, (${keptFrom(since)}))
            from ${subscriptions} as subscription where id = (select id from target)) as filtered)`,
    );
}

/** How many events of a time the filters of a row `subscription` kept from it: nothing is written for them. */
function keptFrom(since: number): SQL {
  return sql`select count(*) from (select * from ${events} where org_id = subscription.org_id
      and seq > (select max(seq) from ${events} where org_id = subscription.org_id) - ${EVENTS_LOOKED_AT}) as event
    where event.created_at >= ${since} and event.is_test = 0
      and ${isChosen('event', 'subscription')} and not ${passesFilters('event', 'subscription')}`;
}

/** Changes of the status and of the address, newest first. */
export function selectHistory(orgId: string, target: SQL) {
  return orm
    .select({
      at: sql<number>`at`,
      action: sql<(typeof STATUS_ACTIONS)[number]>`action`,
      reasonCode: sql<StopReason | null>`reason_code`,
    })
    .from(sql`(${changesOf(sql`${orgId}`, target)} limit ${HISTORY_SHOWN})`);
}

/** The last change of the status alone. */
export function selectLastChange(orgId: string, target: SQL) {
  return orm
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

/**
 * Subscriptions to which nothing is posted although nobody paused them: on hold, disabled, or paused by their receiver. Only
 * an owner of that organization may see them.
 */
export const selectStopped = prepared(({ orgId }: Named<{ orgId: string }>) => {
  const lastPause = sql`(select reason_code from ${auditByEntity}
    where org_id = stopped.org_id and entity_id = stopped.id and action = 'subscription.paused' order by id desc limit 1)`;
  return orm
    .select({
      id: sql<string>`stopped.id`.as('stopped_id'),
      url: sql<string>`stopped.url`.as('stopped_url'),
      status: sql<'holding' | 'paused' | 'disabled'>`stopped.status`.as('stopped_status'),
      holdReason: sql<HoldReason | null>`stopped.hold_reason`.as('stopped_reason'),
    })
    .from(sql`${subscriptions} as stopped indexed by subscriptions_by_org`)
    .where(
      sql`stopped.org_id = ${orgId} and stopped.deleted_at is null and (stopped.status in ('holding', 'disabled')
        or (stopped.status = 'paused' and ${lastPause} = 'receiver_gone'))`,
    )
    .orderBy(sql`stopped.id`);
});

export type StoppedSubscription = Awaited<ReturnType<typeof selectStopped>>[number];
