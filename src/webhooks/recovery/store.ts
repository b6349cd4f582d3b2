import { and, sql } from 'drizzle-orm';
import { has, pick } from '../../platform/data/columns';
import { insertSelect, mustChangeOneRow } from '../../platform/data/db';
import { type Condition, numberedId, orm } from '../../platform/data/statements';
import { firstIdAt } from '../../platform/ids';
import { HOUR_MS } from '../../platform/time';
import { isSettled } from '../../tenants/tables';
import { DUE, deliveryRow, type SubscriptionRef } from '../deliveries/store';
import { isChosen, isMissed, passesFilters, priorityOf } from '../deliveries/store-fanout';
import { lastSeqBefore } from '../events/store';
import { RECOVERED_COUNTED_MAX } from '../limits';
import { deliveries, events, subscriptions } from '../tables';

/** A subscription, and the period in which the missed events were created. */
export interface Missed extends SubscriptionRef {
  /** Epoch ms. */
  since: number;
  until: number;
}

/** The time in the id of a delivery may differ by this much (ms) from the time of its event. */
const COMMIT_LAG_MS = HOUR_MS;

/** The columns of an event that a recovery needs. */
const EVENT = sql.raw(
  ['id', 'type', 'created_at', 'is_test', 'chunk_seq', 'shop_id', 'source', 'integration_id']
    .map((column) => `event.${column}`)
    .join(', '),
);

/**
 * SQL for events with a failed delivery, each with its position `at` in the recovery. They are found through these
 * deliveries, so events that were delivered are not read.
 */
function failedOf(which: Condition): Condition {
  return sql`(select ${EVENT}, failed.id as at
    from (select id, event_id from ${deliveries} where status = 'exhausted' and ${which}) as failed
      join ${events} as event on event.id = failed.event_id)`;
}

function skippedOf(which: Condition): Condition {
  return sql`(select ${EVENT}, seq as at from ${events} as event where ${which})`;
}

/**
 * Returns the FROM and WHERE clauses that select missed events from `among`. An event was missed if the subscription
 * should have got it in the period but did not get it.
 */
function missedOf(
  { orgId, subscriptionId }: SubscriptionRef,
  among: Condition,
  since: Condition,
  until: Condition,
): Condition {
  return sql`from ${among} as missed join ${subscriptions} as subscription
      on subscription.id = ${subscriptionId} and subscription.org_id = ${orgId}
    where missed.created_at >= max(subscription.created_at, ${since}) and missed.created_at <= ${until}
      and missed.is_test = 0 and subscription.deleted_at is null
      and ${isChosen('missed', 'subscription')} and ${passesFilters('missed', 'subscription')}
      and ${isMissed(sql`missed.id`, sql`subscription.id`)}`;
}

/** SQL for a column of the subscription. */
function columnOf(subscriptionId: string, column: string): Condition {
  return sql`(select ${sql.raw(column)} from ${subscriptions} where id = ${subscriptionId})`;
}

/** SQL for the ids of the missed events of a period, each once. */
function missedIn({ since, until, ...of }: Missed): Condition {
  const { orgId, subscriptionId } = of;
  const failed = failedOf(sql`subscription_id = ${subscriptionId} and id >= ${firstIdAt(since - COMMIT_LAG_MS)}
    and id < ${firstIdAt(until + COMMIT_LAG_MS)} order by id desc limit ${RECOVERED_COUNTED_MAX}`);
  const skipped = skippedOf(sql`org_id = ${orgId}
    and seq > max(${columnOf(subscriptionId, 'skipped_after')}, ${lastSeqBefore(orgId, since)})
    and seq <= coalesce(${columnOf(subscriptionId, 'skipped_until')}, 9e15) and created_at <= ${until}
    order by seq desc limit ${RECOVERED_COUNTED_MAX}`);
  return sql`(select missed.id ${missedOf(of, failed, sql`${since}`, sql`${until}`)}
    union select missed.id ${missedOf(of, skipped, sql`${since}`, sql`${until}`)})`;
}

/**
 * Counts the events of a period that were not delivered. If there are more than `RECOVERED_COUNTED_MAX`, the count is too low.
 */
export function countMissed(missed: Missed) {
  return orm.select({ count: sql<number>`count(*)`.as('missed') }).from(sql`${missedIn(missed)} as found`);
}

/**
 * How far a running recovery has come. If D1 runs a batch twice, the second run finds another position and does
 * nothing.
 */
export interface RecoveryPosition extends SubscriptionRef {
  /** The id of the last failed delivery that was checked; null when all of them have been checked. */
  failedAfter: string | null;
  /** The number of the last event that was checked for a missing delivery. */
  after: number;
}

/** The columns of a `RecoveryPosition`. `after` is null when the recovery has ended. */
const PROGRESS = { failedAfter: subscriptions.recoverFailedAfter, after: subscriptions.recoverAfter };

/**
 * Begins a recovery. The batch is undone if the subscription is not active, if a recovery is already running, or if
 * everything was delivered.
 */
export function beginRecovery(missed: Missed, now: number) {
  const { orgId, subscriptionId, since, until } = missed;
  const before = firstIdAt(since - COMMIT_LAG_MS);
  const hasFailed = sql`exists (select 1 from ${deliveries} where subscription_id = ${subscriptionId}
    and status = 'exhausted' and deliveries.id > ${before})`;
  const write = orm
    .update(subscriptions)
    .set({
      recoverFailedAfter: sql`iif(${hasFailed}, ${before}, null)`,
      recoverAfter: sql`max(coalesce(skipped_after, 0), ${lastSeqBefore(orgId, since)})`,
      recoverSince: since,
      recoverUntil: until,
      recoverStartedAt: now,
    })
    .where(
      and(
        has(subscriptions, { id: subscriptionId, orgId, status: 'active', deletedAt: null, recoverAfter: null }),
        sql`exists ${missedIn(missed)}`,
      ),
    )
    .returning(PROGRESS);
  return mustChangeOneRow(write);
}

/**
 * SQL for whether the subscription is active and its recovery is still at this position. For statements about
 * subscriptions.
 */
function isAt({ subscriptionId, failedAfter, after }: RecoveryPosition): Condition {
  return sql`id = ${subscriptionId} and status = 'active' and recover_failed_after is ${failedAfter}
    and recover_after = ${after}`;
}

/** SQL for the next rows of a running recovery. Leaves out deliveries that the recovery itself has made. */
function page(at: RecoveryPosition, size: number): Condition {
  const { orgId, subscriptionId, failedAfter, after } = at;
  const isUnderWay = sql`exists (select 1 from ${subscriptions} where ${isAt(at)})`;
  if (failedAfter !== null) {
    return failedOf(sql`subscription_id = ${subscriptionId} and id > ${failedAfter} and ${isUnderWay}
      and created_at < ${columnOf(subscriptionId, 'recover_started_at')} order by id limit ${size}`);
  }
  return skippedOf(sql`org_id = ${orgId} and seq > ${after} and ${isUnderWay}
    and ${columnOf(subscriptionId, 'skipped_after')} is not null
    and seq <= coalesce(${columnOf(subscriptionId, 'skipped_until')}, 9e15)
    and created_at <= ${columnOf(subscriptionId, 'recover_until')} order by seq limit ${size}`);
}

/**
 * Inserts a delivery for each missed event of the next page. `advanceRecovery` must come after it, with the same size.
 */
export function insertRecovered(
  at: RecoveryPosition,
  size: number,
  { idPrefix, now }: { idPrefix: string; now: number },
) {
  const row = deliveryRow({
    id: numberedId(idPrefix, sql`recovered.position`),
    orgId: at.orgId,
    eventId: sql`recovered.id`,
    subscriptionId: at.subscriptionId,
    priority: priorityOf(sql`recovered.type`),
    eventType: sql`recovered.type`,
    trigger: 'redelivery',
    status: 'pending',
    createdAt: now,
  });
  const { subscriptionId } = at;
  const since = columnOf(subscriptionId, 'recover_since');
  const until = columnOf(subscriptionId, 'recover_until');
  const from = sql`from (select missed.id, missed.type, row_number() over (order by min(missed.at)) - 1 as position
      ${missedOf(at, page(at, size), since, until)} group by missed.id) as recovered
    where true`;
  return insertSelect(deliveries, row, from).onConflictDoNothing().returning(DUE);
}

/**
 * Moves the position of a recovery past the page: first through failed deliveries, then through events without a
 * delivery. If nothing is left, the recovery ends.
 */
export function advanceRecovery(at: RecoveryPosition, size: number) {
  const next = sql`(select iif(count(*) < ${size}, null, max(at)) from ${page(at, size)})`;
  return orm
    .update(subscriptions)
    .set(at.failedAfter === null ? { recoverAfter: next } : { recoverFailedAfter: next })
    .where(isAt(at))
    .returning(PROGRESS);
}

/** Selects the subscriptions with a running recovery, and those with deliveries that do not match their status yet. */
export function selectUnfinished(limit: number) {
  return orm
    .select({
      subscriptionId: subscriptions.id,
      ...pick(subscriptions, ['orgId', 'isSettling', 'status']),
      ...PROGRESS,
    })
    .from(subscriptions)
    .where(
      sql`(is_settling = 1 or recover_after is not null) and (is_settling = 1 or status = 'active')
        and ${isSettled(subscriptions.orgId)}`,
    )
    .limit(limit);
}

export type Unfinished = Awaited<ReturnType<typeof selectUnfinished>>[number];

/** The clocks of isolates may differ by this much (ms). An id begins with the time of the isolate that made it. */
const SKEW_MS = 60_000;

/** Selects the progress of the last recovery, if it began after `since`. */
export function selectProgress({ orgId, subscriptionId }: SubscriptionRef, since: number) {
  const count = (status: Condition, name: string) => sql<number>`coalesce(sum(${status}), 0)`.as(name);
  return orm
    .select({
      startedAt: sql<number>`subscription.recover_started_at`.as('bulk_at'),
      isUnderWay: sql<number>`subscription.recover_after is not null`.as('bulk_under_way'),
      total: sql<number>`count(delivery.id)`.as('bulk_total'),
      delivered: count(sql`delivery.status = 'succeeded'`, 'bulk_delivered'),
      waiting: count(sql`delivery.status in ('pending', 'delivering', 'held')`, 'bulk_waiting'),
      failed: count(sql`delivery.status in ('exhausted', 'cancelled')`, 'bulk_failed'),
    })
    .from(
      sql`${subscriptions} as subscription left join ${deliveries} as delivery
        on delivery.subscription_id = subscription.id and delivery.id >= ${firstIdAt(since - SKEW_MS)}
          and delivery.created_at >= subscription.recover_started_at and delivery.trigger = 'redelivery'`,
    )
    .where(
      sql`subscription.id = ${subscriptionId} and subscription.org_id = ${orgId} and subscription.recover_started_at >= ${since}`,
    )
    .groupBy(sql`subscription.id`);
}
