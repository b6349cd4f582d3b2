import { and, eq, isNull, sql } from 'drizzle-orm';
import { insertSelect, mustChangeOneRow } from '../../platform/data/db';
import { type Condition, numberedId, orm } from '../../platform/data/statements';
import { firstIdAt } from '../../platform/ids';
import { HOUR_MS } from '../../platform/time';
import { isSettled } from '../../tenants/tables';
import { DUE, deliveryRow, type SubscriptionRef } from '../deliveries/rows';
import { isChosen, isMissed, passesFilters, priorityOf } from '../deliveries/store-fanout';
import { lastSeqBefore } from '../events/store';
import { deliveries, events, subscriptions } from '../tables';

/** A subscription, and when what it missed happened. */
export interface Missed extends SubscriptionRef {
  /** Epoch ms. */
  since: number;
  until: number;
}

/** Ids of deliveries are made with their events, if not always in the same moment. */
const COMMIT_LAG_MS = HOUR_MS;
/** How many failed deliveries, and how many events without a delivery, are counted; the newest ones. */
const COUNTED_MAX = 10_000;

/** Of an event, what a recovery decides by. */
const EVENT = sql.raw(
  ['id', 'type', 'created_at', 'is_test', 'chunk_seq', 'shop_id', 'source', 'integration_id']
    .map((column) => `event.${column}`)
    .join(', '),
);

/**
 * What a recovery looks at, as rows of an event and its place `at`. Events that failed are found by their deliveries, so that
 * what was delivered in between is not read; only the events of a time without deliveries are read one by one.
 */
function failedOf(which: Condition): Condition {
  return sql`(select ${EVENT}, failed.id as at
    from (select id, event_id from ${deliveries} where status = 'exhausted' and ${which}) as failed
      join ${events} as event on event.id = failed.event_id)`;
}

function skippedOf(which: Condition): Condition {
  return sql`(select ${EVENT}, seq as at from ${events} as event where ${which})`;
}

/** FROM … WHERE: of such rows those whose event a subscription should have got in a time and has not. */
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

/** A column of the subscription. */
function columnOf(subscriptionId: string, column: string): Condition {
  return sql`(select ${sql.raw(column)} from ${subscriptions} where id = ${subscriptionId})`;
}

/** SELECT of the ids of the events, each once, of a time that is counted at once. */
function missedIn({ since, until, ...of }: Missed): Condition {
  const { orgId, subscriptionId } = of;
  const failed = failedOf(sql`subscription_id = ${subscriptionId} and id >= ${firstIdAt(since - COMMIT_LAG_MS)}
    and id < ${firstIdAt(until + COMMIT_LAG_MS)} order by id desc limit ${COUNTED_MAX}`);
  const skipped = skippedOf(sql`org_id = ${orgId}
    and seq > max(${columnOf(subscriptionId, 'skipped_after')}, ${lastSeqBefore(orgId, since)})
    and seq <= coalesce(${columnOf(subscriptionId, 'skipped_until')}, 9e15) and created_at <= ${until}
    order by seq desc limit ${COUNTED_MAX}`);
  return sql`(select missed.id ${missedOf(of, failed, sql`${since}`, sql`${until}`)}
    union select missed.id ${missedOf(of, skipped, sql`${since}`, sql`${until}`)})`;
}

/** How many events of a time were not delivered, as far as can be told. */
export function countMissed(missed: Missed) {
  return orm.select({ count: sql<number>`count(*)`.as('missed') }).from(sql`${missedIn(missed)} as found`);
}

/** Where a recovery under way has come to. A batch that D1 runs twice finds it elsewhere the second time. */
export interface RecoveryPosition extends SubscriptionRef {
  /** Among what failed: the id of the last delivery that was looked at; null once all were. */
  failedAfter: string | null;
  /** Among the events without a delivery: the number of the last one that was looked at. */
  after: number;
}

/** The columns of `RecoveryPosition`, of which `after` is null once the recovery has ended. */
const PROGRESS = { failedAfter: subscriptions.recoverFailedAfter, after: subscriptions.recoverAfter };

/**
 * Begins a recovery; the batch is undone unless the subscription is active, none is under way and something was not
 * delivered.
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
        eq(subscriptions.id, subscriptionId),
        eq(subscriptions.orgId, orgId),
        eq(subscriptions.status, 'active'),
        isNull(subscriptions.deletedAt),
        isNull(subscriptions.recoverAfter),
        sql`exists ${missedIn(missed)}`,
      ),
    )
    .returning(PROGRESS);
  return mustChangeOneRow(write);
}

/** The subscription of a recovery, in a statement about subscriptions: active, and no other batch has gone on since. */
function isAt({ subscriptionId, failedAfter, after }: RecoveryPosition): Condition {
  return sql`id = ${subscriptionId} and status = 'active' and recover_failed_after is ${failedAfter}
    and recover_after = ${after}`;
}

/** The next rows of a recovery under way. What it made itself is not looked at again. */
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

/** A new delivery for each missed event of the next page. Put `advanceRecovery` after it, with the same size. */
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

/** Goes on behind the page: first through what failed, then through what had no delivery; ends when nothing is left. */
export function advanceRecovery(at: RecoveryPosition, size: number) {
  const next = sql`(select iif(count(*) < ${size}, null, max(at)) from ${page(at, size)})`;
  return orm
    .update(subscriptions)
    .set(at.failedAfter === null ? { recoverAfter: next } : { recoverFailedAfter: next })
    .where(isAt(at))
    .returning(PROGRESS);
}

/** Subscriptions with which the sweep goes on: their recovery, or a change of status that more deliveries wait for. */
export function selectUnfinished(limit: number) {
  return orm
    .select({
      subscriptionId: subscriptions.id,
      orgId: subscriptions.orgId,
      isSettling: subscriptions.isSettling,
      status: subscriptions.status,
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

/** Ids begin with their time, which clocks of isolates tell a little differently. */
const SKEW_MS = 60_000;

/** The progress of the last recovery, if it began after `since`. */
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
