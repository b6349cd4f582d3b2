import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { auditByEntity } from '../../audit/store';
import { auditLog } from '../../audit/tables';
import { has, pick } from '../../platform/data/columns';
import { insertSelect, mustChangeOneRow } from '../../platform/data/db';
import { type Condition, idsForEach, type Named, orm, prepared } from '../../platform/data/statements';
import { firstIdAt } from '../../platform/ids';
import { DAY_MS, HOUR_MS } from '../../platform/time';
import { DUE, deliveryRow } from '../deliveries/store';
import { isChosen, isMissed, passesFilters } from '../deliveries/store-fanout';
import type { EventType } from '../event-types';
import { sequenceOf } from '../events/store';
import { DELIVERIES_COUNTED_MAX, STATUS_CHANGES_SHOWN } from '../limits';
import { STORED_SECRETS } from '../subscriptions/store';
import {
  type DELIVERY_STATUSES,
  deliveries,
  deliveryAttempts,
  events,
  type FailureClass,
  HOLD_REASONS,
  type HoldReason,
  subscriptions,
} from '../tables';

export const LOG_STATUSES = ['all', 'failed', 'waiting', 'held', 'succeeded', 'cancelled'] as const;
export type LogStatus = (typeof LOG_STATUSES)[number];

type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * The SQL condition of each status in the filter. `failed` matches deliveries that were given up, and deliveries that
 * wait for another attempt.
 */
const MATCHES: Record<LogStatus, SQL | undefined> = {
  all: undefined,
  failed: sql`(${deliveries.status} = 'exhausted' or (${deliveries.status} = 'pending' and ${deliveries.attemptCount} > 0))`,
  waiting: sql`${deliveries.status} in ('pending', 'delivering')`,
  held: eq(deliveries.status, 'held'),
  succeeded: eq(deliveries.status, 'succeeded'),
  cancelled: eq(deliveries.status, 'cancelled'),
};

export interface LogFilter {
  status: LogStatus;
  /** Only deliveries with one of these statuses. */
  statuses?: readonly DeliveryStatus[];
  eventTypes?: readonly EventType[];
  eventId?: string;
  /** Only deliveries whose latest attempt has this failure class. */
  failureClass?: FailureClass;
  /** Only deliveries that were created at this time or later, epoch ms. */
  since?: number;
}

interface LogPage {
  filter: LogFilter;
  /** The id of a delivery. The page has only older deliveries. */
  before?: string;
  limit: number;
}

/** The most deliveries that a page scans if some of them may not match the filter (`isExact` is false). */
const WINDOW = 1_000;

interface LogOf {
  orgId: string;
  /** The id of the subscription, or SQL for it. */
  subscriptionId: string | SQL;
}

/** Returns the log of the n-th subscription of an organization, counted from 0. */
export function nthLog(orgId: string, n: number): LogOf {
  return { orgId, subscriptionId: sql`(${nthOf(orgId, n)})` };
}

/** The columns of a logged delivery. Their names must be unique, because D1 returns the rows of a batch by name. */
const LOGGED = {
  id: deliveries.id,
  subscriptionId: deliveries.subscriptionId,
  eventId: deliveries.eventId,
  eventType: events.type,
  trigger: deliveries.trigger,
  status: deliveries.status,
  attemptCount: deliveries.attemptCount,
  nextAttemptAt: deliveries.nextAttemptAt,
  createdAt: deliveries.createdAt,
};

/** The statuses for which an index has the deliveries in the order of the log. */
const INDEXED: readonly DeliveryStatus[] = ['exhausted', 'held'];
/** The event type that has no index, because its inserts must be fast. */
const UNINDEXED: EventType = 'order_request_submitted';

/** How a page finds the deliveries that match its filter. */
interface Search {
  /**
   * SQL conditions, at most as many as `INDEXED` has members. Each selects deliveries that an index has in the order of
   * the log.
   */
  parts: SQL[];
  /**
   * If set, `parts` has only one condition. The condition is evaluated once for each of these values, and reads the
   * value as `each.value`.
   */
  values?: readonly string[];
  /** The index that SQLite must use for each of the `parts`. Undefined if SQLite chooses the right one itself. */
  index?: 'deliveries_by_event' | 'deliveries_by_type';
  /**
   * Whether every delivery that meets the conditions also matches the filter. If so, a page reads no more deliveries
   * than it shows.
   */
  isExact: boolean;
}

function searchFor({ status, statuses, eventTypes, eventId, failureClass }: LogFilter): Search {
  const hasStatus = status !== 'all' || statuses !== undefined;
  const asked = statuses ?? (status === 'held' ? ['held' as const] : []);
  if (eventId !== undefined) {
    return { parts: [sql`event_id = ${eventId}`], index: 'deliveries_by_event', isExact: false };
  }
  if (asked.length > 0 && asked.every((each) => INDEXED.includes(each))) {
    const parts = [...new Set(asked)].map((each) => sql.raw(`status = '${each}'`));
    return { parts, isExact: !eventTypes && !failureClass };
  }
  if (eventTypes && !eventTypes.includes(UNINDEXED)) {
    const parts = [sql.raw(`event_type = each.value and event_type <> '${UNINDEXED}'`)];
    return { parts, values: eventTypes, index: 'deliveries_by_type', isExact: !hasStatus && !failureClass };
  }
  return { parts: [sql`true`], isExact: !hasStatus && !eventTypes && !failureClass };
}

/** Returns how many deliveries a page reads, whether they match or not. */
function windowOf({ filter, limit }: LogPage): number {
  return searchFor(filter).isExact ? limit : WINDOW;
}

/** Returns SQL for the ids of the deliveries that a page reads, newest first. */
function lookedAt(at: LogOf, page: LogPage): SQL {
  const { before, filter } = page;
  const window = windowOf(page);
  const { parts, values, index } = searchFor(filter);
  const by = index ? sql.raw(`indexed by ${index}`) : sql``;
  const found = parts.map(
    (part) => sql`select * from (select id from ${deliveries} ${by}
      where subscription_id = ${at.subscriptionId} and org_id = ${at.orgId} and ${part}
        and id < ${before ?? LAST_ID} and id >= ${firstIdAt(filter.since ?? 0)} order by id desc limit ${window})`,
  );
  const [only] = found;
  if (only && found.length === 1 && !values) return only;
  const all =
    values && only ? sql`select found.value as id from ${idsForEach(values, only)}` : sql.join(found, sql` union all `);
  return sql`select * from (${all}) order by id desc limit ${window}`;
}

/** An id that sorts after all ids. */
const LAST_ID = 'g';

/**
 * Selects the id of the oldest delivery that a page scans. If too few of the scanned deliveries match, the next page
 * begins after this one. No row if the page scans all older deliveries.
 */
export function selectWindowEnd(at: LogOf, page: LogPage) {
  return orm
    .select({ id: sql<string>`id`.as('window_end') })
    .from(sql`(${lookedAt(at, page)})`)
    .orderBy(sql`id desc`)
    .limit(1)
    .offset(windowOf(page) - 1);
}

/** Selects a page of a subscription's log, newest first. Each delivery has its latest attempt. */
export function selectLog(at: LogOf, page: LogPage) {
  const { status, statuses, eventTypes, eventId, failureClass } = page.filter;
  return orm
    .select({ ...LOGGED, ...pick(deliveryAttempts, ['httpStatus', 'failureClass', 'durationMs']) })
    .from(sql`(${lookedAt(at, page)}) as looked_at`)
    .innerJoin(deliveries, sql`${deliveries.id} = looked_at.id`)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .leftJoin(deliveryAttempts, has(deliveryAttempts, { deliveryId: deliveries.id, attempt: deliveries.attemptCount }))
    .where(
      and(
        MATCHES[status],
        statuses && inArray(deliveries.status, statuses),
        eventTypes && inArray(events.type, eventTypes),
        eventId === undefined ? undefined : eq(deliveries.eventId, eventId),
        failureClass && eq(deliveryAttempts.failureClass, failureClass),
      ),
    )
    .orderBy(sql`looked_at.id desc`)
    .limit(page.limit);
}

/** Selects a delivery. @param withCallbacks whether deliveries to callbacks of integrations are found, too */
export function selectDelivery(orgId: string, id: string, withCallbacks = true) {
  const isShown = sql`(${withCallbacks ? 1 : 0} or exists (select 1 from ${subscriptions}
    where ${subscriptions.id} = ${deliveries.subscriptionId} and ${subscriptions.integrationId} is null))`;
  return orm
    .select({ ...LOGGED, body: events.body, sequence: sql<number>`${sequenceOf('events')}`.as('sequence') })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(and(has(deliveries, { id, orgId }), isShown));
}

export function selectAttempts(orgId: string, deliveryId: string) {
  const isOurs = sql`exists (select 1 from ${deliveries} where ${deliveries.id} = ${deliveryId}
    and ${deliveries.orgId} = ${orgId})`;
  return orm
    .select()
    .from(deliveryAttempts)
    .where(and(eq(deliveryAttempts.deliveryId, deliveryId), isOurs))
    .orderBy(deliveryAttempts.attempt);
}

/**
 * Selects the last failed attempt of two deliveries: the one that last tried a failing receiver, and the newest one
 * that was given up.
 */
export function selectLastFailed(orgId: string, subscriptionId: string) {
  const probe = sql`(select probe_id from ${subscriptions} where id = ${subscriptionId} and org_id = ${orgId})`;
  const givenUp = sql`(select max(id) from ${deliveries} where subscription_id = ${subscriptionId}
    and status = 'exhausted' and org_id = ${orgId})`;
  return orm
    .select()
    .from(deliveryAttempts)
    .where(sql`delivery_id in (${probe}, ${givenUp}) and failure_class is not null`)
    .orderBy(desc(deliveryAttempts.startedAt))
    .limit(1);
}

/**
 * Selects the secrets of a subscription, and when its secrets and its address last changed according to the audit log.
 */
export function selectSigning(orgId: string, subscriptionId: string) {
  const lastTime = (of: SQL) => sql<number | null>`(select max(${auditLog.at}) from ${auditByEntity}
    where ${auditLog.orgId} = ${orgId} and ${auditLog.entityId} = ${subscriptionId} and ${of})`;
  return orm
    .select({
      ...STORED_SECRETS,
      secretChangedAt: lastTime(
        sql`${auditLog.action} in ('subscription.secret_rotated', 'subscription.secret_overlap_ended')`,
      ).as('secret_changed_at'),
      urlChangedAt: lastTime(sql`${auditLog.action} = 'subscription.updated'
        and exists (select 1 from json_each(${auditLog.fields}) where value = 'url')`).as('url_changed_at'),
    })
    .from(subscriptions)
    .where(has(subscriptions, { orgId, id: subscriptionId }));
}

/** At most this many of the newest deliveries of the period are covered by the figures. */
export const DELIVERIES_LOOKED_AT = 500;
/**
 * The figures also cover this many of the newest deliveries, even if they are older than the period. Also covered are
 * the oldest waiting delivery and the deliveries right before it, together this many.
 */
const ALSO_LOOKED_AT = 50;
/** At most this many of the newest events are searched for events that the filters rejected. */
export const EVENTS_LOOKED_AT = 500;
/** At most this many of the newest audit rows are searched for changes of the status. */
const AUDIT_LOOKED_AT = 500;

const STATUS_ACTIONS = [
  'subscription.created',
  'subscription.paused',
  'subscription.resumed',
  'subscription.held',
  'subscription.released',
  'subscription.disabled',
  'subscription.updated',
] as const;

/** The reasons why nothing is posted to a subscription that nobody paused. */
export const STOP_REASONS = [...HOLD_REASONS, 'receiver_gone'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/**
 * All attempts with the same failure class and HTTP status. Attempts that began in the period and earlier attempts are
 * separate entries (`isRecent`).
 */
export interface Outcome {
  /** Null for a success. */
  failureClass: FailureClass | null;
  httpStatus: number | null;
  /** 1 if these attempts began in the period, 0 if before. */
  isRecent: 0 | 1;
  /** How many hours ago each attempt began; 0 for the last 60 minutes, and at most 23 in the period. */
  hoursAgo: number[];
  /** One duration per attempt. */
  durationsMs: number[];
  /** The time when the last success among these attempts ended, epoch ms; null if none succeeded. */
  lastSuccessAt: number | null;
}

/** Returns SQL for the id of a subscription. It selects no row if the organization does not have the subscription. */
export function oneOf(orgId: string, id: string): SQL {
  return sql`select id from ${subscriptions} where id = ${id} and org_id = ${orgId} and deleted_at is null`;
}

/**
 * Returns SQL for the id of the n-th subscription of an organization, counted from 0 in the order of
 * `selectSubscriptions`.
 */
export function nthOf(orgId: string, n: number): SQL {
  return sql`select id from ${subscriptions} where org_id = ${orgId} and deleted_at is null and integration_id is null
    order by id limit 1 offset ${n}`;
}

/**
 * Selects the data for the figures of one subscription, as one row. The attempts belong to deliveries that were created
 * since a time, and to some older ones (`ALSO_LOOKED_AT`). Test events are left out.
 * @param target SQL for the id of the subscription
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
      // SAFETY: the statement below makes this JSON.
      outcomes: sql<Outcome[]>`outcomes`.mapWith((json: string) => JSON.parse(json) as Outcome[]),
      /** Number of waiting deliveries, counted up to `DELIVERIES_COUNTED_MAX`. */
      waiting: sql<number>`waiting`,
      oldestWaitingAt: sql<number | null>`oldest_waiting`,
      /**
       * Number of events that were given up and have not arrived since, among the last `DELIVERIES_COUNTED_MAX` failed
       * deliveries.
       */
      givenUp: sql<number>`given_up`,
      /** The time when the oldest of the events in `givenUp` happened. */
      givenUpSince: sql<number | null>`given_up_since`,
      /**
       * Number of events of the period that the subscription's filters rejected, among the newest `EVENTS_LOOKED_AT`
       * events.
       */
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

/**
 * Returns SQL for the number of events that the filters of the row `subscription` have rejected since a time. Rejected
 * events have no deliveries, so the events themselves are counted.
 */
function keptFrom(since: number): SQL {
  return sql`select count(*) from (select * from ${events} where org_id = subscription.org_id
      and seq > (select max(seq) from ${events} where org_id = subscription.org_id) - ${EVENTS_LOOKED_AT}) as event
    where event.created_at >= ${since} and event.is_test = 0
      and ${isChosen('event', 'subscription')} and not ${passesFilters('event', 'subscription')}`;
}

/** Selects the changes of a subscription's status and address, newest first. */
export function selectHistory(orgId: string, target: SQL) {
  return orm
    .select({
      at: sql<number>`at`,
      action: sql<(typeof STATUS_ACTIONS)[number]>`action`,
      reasonCode: sql<StopReason | null>`reason_code`,
    })
    .from(sql`(${changesOf(sql`${orgId}`, target)} limit ${STATUS_CHANGES_SHOWN})`);
}

/** Selects the last change of a subscription's status. */
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
 * Selects an organization's subscriptions to which nothing is posted although nobody paused them. They are on hold,
 * disabled, or paused because the receiver answered 410. Callers show them only to owners.
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

/**
 * Inserts a new delivery of the event of an earlier delivery. The batch is undone unless the earlier delivery has ended
 * and its subscription is active.
 */
export function insertRedelivery(
  of: { orgId: string; deliveryId: string; withCallbacks: boolean },
  id: string,
  now: number,
) {
  const row = deliveryRow({
    id,
    orgId: of.orgId,
    eventId: sql`earlier.event_id`,
    subscriptionId: sql`earlier.subscription_id`,
    priority: sql`earlier.priority`,
    eventType: sql`earlier.event_type`,
    trigger: 'redelivery',
    status: 'pending',
    createdAt: now,
  });
  const write = insertSelect(
    deliveries,
    row,
    sql`from ${deliveries} as earlier
      join ${subscriptions} as subscription on subscription.id = earlier.subscription_id
      where earlier.id = ${of.deliveryId} and earlier.org_id = ${of.orgId}
        and earlier.status in ('succeeded', 'exhausted', 'cancelled') and earlier.trigger <> 'test'
        and subscription.status = 'active' and subscription.deleted_at is null
        and (${of.withCallbacks ? 1 : 0} or subscription.integration_id is null)`,
  )
    // If D1 runs the batch twice, the second run finds its own row.
    .onConflictDoUpdate({ target: deliveries.id, set: { createdAt: now } })
    .returning(DUE);
  return mustChangeOneRow(write);
}
