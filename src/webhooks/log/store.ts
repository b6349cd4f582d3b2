import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { auditByEntity } from '../../audit/store';
import { auditLog } from '../../audit/tables';
import { has, pick } from '../../platform/data/columns';
import { insertSelect, mustChangeOneRow } from '../../platform/data/db';
import { type Condition, idsForEach, type Named, orm, prepared } from '../../platform/data/statements';
import { firstIdAt } from '../../platform/ids';
import { DAY_MS, HOUR_MS } from '../../platform/time';
import { DUE, deliveryRow } from '../deliveries/rows';
import { isChosen, isMissed, passesFilters } from '../deliveries/store-fanout';
import type { EventType } from '../event-types';
import { sequenceOf } from '../events/store';
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

/** A delivery counts as failed when it was given up, or when it waits for another attempt. */
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
  /** Only deliveries with one of these. */
  statuses?: readonly DeliveryStatus[];
  eventTypes?: readonly EventType[];
  eventId?: string;
  /** The failure class of the delivery's latest attempt. */
  failureClass?: FailureClass;
  /** Only deliveries created since then, epoch ms. */
  since?: number;
}

interface LogPage {
  filter: LogFilter;
  /** Only deliveries older than this one. */
  before?: string;
  limit: number;
}

/** How many deliveries a page scans for a filter. */
const WINDOW = 1_000;

interface LogOf {
  orgId: string;
  /** The id, or a subquery for it. */
  subscriptionId: string | SQL;
}

/** The log of the n-th subscription of an organization, counted from 0. */
export function nthLog(orgId: string, n: number): LogOf {
  return { orgId, subscriptionId: sql`(${nthOf(orgId, n)})` };
}

/** Column names must be unique, because D1 returns the rows of a batch by name. */
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

/** Statuses that have an index of their own in the order of the log. */
const INDEXED: readonly DeliveryStatus[] = ['exhausted', 'held'];
/** The type without an index, because its inserts must be fast. */
const UNINDEXED: EventType = 'order_request_submitted';

/** How a page searches for its filter. */
interface Search {
  /** Parts of the log, each in the order of the log by an index; at most as many as `INDEXED`. */
  parts: SQL[];
  /** The single part is run for each of these values, as `each.value`. */
  values?: readonly string[];
  /** The index of each part, if SQLite would choose another. */
  index?: 'deliveries_by_event' | 'deliveries_by_type';
  /** Whether every row found matches the filter, so no more than one page is read. */
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

/** How many deliveries a page reads, whether or not they match. */
function windowOf({ filter, limit }: LogPage): number {
  return searchFor(filter).isExact ? limit : WINDOW;
}

/** SELECT of the `id`s of the deliveries that a page reads, newest first. */
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

/** Greater than every id. */
const LAST_ID = 'g';

/**
 * The oldest delivery that a page reads, if there may be older ones. It limits what a page reads when few rows match.
 */
export function selectWindowEnd(at: LogOf, page: LogPage) {
  return orm
    .select({ id: sql<string>`id`.as('window_end') })
    .from(sql`(${lookedAt(at, page)})`)
    .orderBy(sql`id desc`)
    .limit(1)
    .offset(windowOf(page) - 1);
}

/** A page of a subscription's log, newest first, each delivery with its latest attempt. */
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

/** @param withCallbacks whether deliveries to callbacks of integrations are found too */
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

/** The last attempt of the delivery that last tried a failing receiver, else of the newest that was given up. */
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

/** The subscription's secrets, and when they and the address last changed according to the audit log. */
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

/** How many deliveries of the period the figures cover, the newest ones. */
export const DELIVERIES_LOOKED_AT = 500;
/** The figures also cover this many of the newest deliveries of any age, and of those before the oldest waiting one. */
const ALSO_LOOKED_AT = 50;
/** How many events are scanned for those that the filters rejected. */
export const EVENTS_LOOKED_AT = 500;
/** The count of waiting deliveries stops here. */
export const DELIVERIES_COUNTED_MAX = 1_000;
/** How many audit rows are scanned for status changes. */
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

/** Attempts with the same failure class and HTTP status. */
export interface Outcome {
  /** Null for a success. */
  failureClass: FailureClass | null;
  httpStatus: number | null;
  /** 1 when they began in the period, 0 when before. */
  isRecent: 0 | 1;
  /** How many hours ago each began, 0 for the last hour; up to 23 in the period. */
  hoursAgo: number[];
  /** One duration per attempt. */
  durationsMs: number[];
  /** When the last successful delivery among these succeeded. */
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
 * The data for the figures of one subscription, one row. Attempts exclude test events and belong to deliveries created
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
      /**
       * Events that were given up and have not arrived since, among the last `DELIVERIES_COUNTED_MAX` failed
       * deliveries.
       */
      givenUp: sql<number>`given_up`,
      /** When the oldest of those events happened. */
      givenUpSince: sql<number | null>`given_up_since`,
      /** Events of the period, among the newest `EVENTS_LOOKED_AT`, that its filters rejected. */
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

/** How many events since a time the filters of a row `subscription` rejected; no row is stored for those. */
function keptFrom(since: number): SQL {
  return sql`select count(*) from (select * from ${events} where org_id = subscription.org_id
      and seq > (select max(seq) from ${events} where org_id = subscription.org_id) - ${EVENTS_LOOKED_AT}) as event
    where event.created_at >= ${since} and event.is_test = 0
      and ${isChosen('event', 'subscription')} and not ${passesFilters('event', 'subscription')}`;
}

/** Status and address changes, newest first. */
export function selectHistory(orgId: string, target: SQL) {
  return orm
    .select({
      at: sql<number>`at`,
      action: sql<(typeof STATUS_ACTIONS)[number]>`action`,
      reasonCode: sql<StopReason | null>`reason_code`,
    })
    .from(sql`(${changesOf(sql`${orgId}`, target)} limit ${HISTORY_SHOWN})`);
}

/** The last status change. */
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
 * An organization's subscriptions to which nothing is posted although nobody paused them: on hold, disabled, or paused because
 * the receiver answered 410. Callers show them to owners alone.
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
 * Inserts a new delivery of the same event; the batch is undone unless the old one has ended and its subscription is
 * active.
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
