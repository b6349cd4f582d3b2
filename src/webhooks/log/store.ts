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

/** The condition of each filter. `failed` means that a delivery was given up or waits for another attempt. */
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
  /** The failure class of the delivery's latest attempt. */
  failureClass?: FailureClass;
  /** Only deliveries created at or after this time, epoch ms. */
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
  /** The id of the subscription, or a subquery for it. */
  subscriptionId: string | SQL;
}

/** The log of the n-th subscription of an organization, counted from 0. */
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

/** Statuses whose deliveries an index has in the order of the log. */
const INDEXED: readonly DeliveryStatus[] = ['exhausted', 'held'];
/** The type that has no index, because its inserts must be fast. */
const UNINDEXED: EventType = 'order_request_submitted';

/** How a page searches for its filter. */
interface Search {
  /**
   * Conditions for parts of the log. An index has each part in the order of the log. At most as many as `INDEXED` has.
   */
  parts: SQL[];
  /** The single part is run for each of these values, as `each.value`. */
  values?: readonly string[];
  /** The index of each part, if SQLite would choose another. */
  index?: 'deliveries_by_event' | 'deliveries_by_type';
  /** Whether every row that is found matches the filter, so that no more than one page is read. */
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

/** An id that is greater than every other id. */
const LAST_ID = 'g';

/**
 * Reads the oldest delivery that a page scans, if older ones may follow. It limits what a page scans when few rows
 * match.
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

/** Reads a delivery. @param withCallbacks whether deliveries to callbacks of integrations are found, too */
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
 * Reads the last failed attempt of the delivery that last tried a failing receiver, or of the newest one that was given
 * up.
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

/** Reads the subscription's secrets, and when the secrets and the address last changed according to the audit log. */
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

/** The figures cover at most this many of the newest deliveries of the period. */
export const DELIVERIES_LOOKED_AT = 500;
/**
 * The figures also cover this many of the newest deliveries of any age, and this many before the oldest waiting
 * delivery.
 */
const ALSO_LOOKED_AT = 50;
/** How many of the newest events are scanned for events that the filters rejected. */
export const EVENTS_LOOKED_AT = 500;
/** The highest number of waiting deliveries that is counted. */
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
  /** 1 if the attempts began in the period, 0 if they began before. */
  isRecent: 0 | 1;
  /** How many hours ago each attempt began, 0 for the last hour; up to 23 in the period. */
  hoursAgo: number[];
  /** One duration per attempt. */
  durationsMs: number[];
  /** When the last successful delivery of these attempts succeeded; null if none did. */
  lastSuccessAt: number | null;
}

/** SELECT of the id of a subscription, if the organization has it. */
export function oneOf(orgId: string, id: string): SQL {
  return sql`select id from ${subscriptions} where id = ${id} and org_id = ${orgId} and deleted_at is null`;
}

/**
 * SELECT of the id of the n-th subscription of an organization, counted from 0 in the order of `selectSubscriptions`.
 */
export function nthOf(orgId: string, n: number): SQL {
  return sql`select id from ${subscriptions} where org_id = ${orgId} and deleted_at is null and integration_id is null
    order by id limit 1 offset ${n}`;
}

/**
 * Reads the data for the figures of one subscription, as one row. Attempts leave out test events and belong to
 * deliveries created since a time (`ALSO_LOOKED_AT` says which older ones count).
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
      // SAFETY: the statement below makes this JSON.
      outcomes: sql<Outcome[]>`outcomes`.mapWith((json: string) => JSON.parse(json) as Outcome[]),
      /** Up to `DELIVERIES_COUNTED_MAX`. */
      waiting: sql<number>`waiting`,
      oldestWaitingAt: sql<number | null>`oldest_waiting`,
      /**
       * Events that were given up and have not arrived since. Only the last `DELIVERIES_COUNTED_MAX` failed deliveries
       * are looked at.
       */
      givenUp: sql<number>`given_up`,
      /** When the oldest event in `givenUp` happened. */
      givenUpSince: sql<number | null>`given_up_since`,
      /** Events of the period, among the newest `EVENTS_LOOKED_AT`, that the subscription's filters rejected. */
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
 * SELECT of how many events since a time the filters of a row `subscription` rejected. No row is stored for a rejected
 * event.
 */
function keptFrom(since: number): SQL {
  return sql`select count(*) from (select * from ${events} where org_id = subscription.org_id
      and seq > (select max(seq) from ${events} where org_id = subscription.org_id) - ${EVENTS_LOOKED_AT}) as event
    where event.created_at >= ${since} and event.is_test = 0
      and ${isChosen('event', 'subscription')} and not ${passesFilters('event', 'subscription')}`;
}

/** Reads status and address changes, newest first. */
export function selectHistory(orgId: string, target: SQL) {
  return orm
    .select({
      at: sql<number>`at`,
      action: sql<(typeof STATUS_ACTIONS)[number]>`action`,
      reasonCode: sql<StopReason | null>`reason_code`,
    })
    .from(sql`(${changesOf(sql`${orgId}`, target)} limit ${HISTORY_SHOWN})`);
}

/** Reads the last status change. */
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
 * Reads an organization's subscriptions to which nothing is posted although nobody paused them. They are on hold,
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
 * Inserts a new delivery of the same event. The batch is undone unless the earlier delivery has ended and its
 * subscription is active.
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
