import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Condition, type Database, insertSelect, mustChangeOneRow } from '../../platform/db';
import { firstIdAt } from '../../platform/ids';
import { isSettled } from '../../tenants/tables';
import { deliveries, events, subscriptions } from '../tables';
import { DUE, deliveryRow } from './rows';
import { lastSeqBefore } from './store';
import { priorityOf } from './store-fanout';

/** A subscription of an organization. */
export interface Of {
  orgId: string;
  subscriptionId: string;
}

/** The organization's events behind a number and up to a time, in order. */
function eventsAfter(orgId: string, after: Condition, until: Condition, limit: number): Condition {
  return sql`(select seq, id, type, created_at from ${events} where org_id = ${orgId} and seq > ${after}
    and created_at <= ${until} and is_test = 0 order by seq limit ${limit})`;
}

/**
 * FROM … WHERE: of some events those that a subscription should have got and has not. None of their deliveries arrived, is
 * on its way or waits: all failed, or there is none, since the subscription was disabled.
 */
function undelivered({ orgId, subscriptionId }: Of, among: Condition): Condition {
  return sql`from ${among} as missed join ${subscriptions} as subscription
      on subscription.id = ${subscriptionId} and subscription.org_id = ${orgId}
    where missed.created_at >= subscription.created_at and subscription.deleted_at is null
      and exists (select 1 from json_each(subscription.event_types) where value = missed.type)
      and not exists (select 1 from ${deliveries} as delivery where delivery.event_id = missed.id
        and delivery.subscription_id = subscription.id and delivery.status in ('pending', 'delivering', 'held', 'succeeded'))`;
}

/** Among the first events since a time. */
const LOOKED_AT_MAX = 20_000;

function undeliveredSince(of: Of, since: number): Condition {
  const among = sql`(select * from ${eventsAfter(of.orgId, lastSeqBefore(of.orgId, since), sql`9e15`, LOOKED_AT_MAX)}
    where created_at >= ${since})`;
  return sql`(select missed.id ${undelivered(of, among)})`;
}

/** How many events since a time were not delivered, as far as can be told. */
export function countUndeliveredSince(db: Database, of: Of, since: number) {
  return db.orm
    .select({ count: sql<number>`count(*)`.as('undelivered') })
    .from(sql`${undeliveredSince(of, since)} as found`);
}

/**
 * Begins a recovery; the batch is undone unless the subscription is active, none is under way and something was not
 * delivered.
 * @returns the number of the last event before it; null when there is none to look at
 */
export function beginRecovery(db: Database, of: Of, since: number, now: number) {
  const { orgId, subscriptionId } = of;
  const before = sql`(select min(seq) - 1 from ${events} where org_id = ${orgId} and seq > ${lastSeqBefore(orgId, since)}
    and created_at >= ${since} and created_at <= ${now})`;
  const write = db.orm
    .update(subscriptions)
    .set({ recoverAfter: before, recoverStartedAt: now })
    .where(
      and(
        eq(subscriptions.id, subscriptionId),
        eq(subscriptions.orgId, orgId),
        eq(subscriptions.status, 'active'),
        isNull(subscriptions.deletedAt),
        isNull(subscriptions.recoverAfter),
        sql`exists ${undeliveredSince(of, since)}`,
      ),
    )
    .returning({ recoverAfter: subscriptions.recoverAfter });
  return mustChangeOneRow(write);
}

/** A recovery under way that has come to the event `after`: a batch that D1 runs twice finds it elsewhere the second time. */
export interface Under extends Of {
  after: number;
}

/** The subscription of a recovery, in a statement about subscriptions: active, and no other batch has gone on since. */
function isAt({ subscriptionId, after }: Under): Condition {
  return sql`id = ${subscriptionId} and status = 'active' and recover_after = ${after}`;
}

/** The next events of a recovery under way. */
function page(under: Under, size: number): Condition {
  const of = (column: string) => sql`(select ${sql.raw(column)} from ${subscriptions} where ${isAt(under)})`;
  return eventsAfter(under.orgId, of('recover_after'), of('recover_started_at'), size);
}

/** A new delivery for each undelivered event of the next page. Put `advanceRecovery` after it, with the same size. */
export function insertRecovered(of: Under, ids: readonly string[], now: number) {
  const row = deliveryRow({
    id: sql`delivery_ids.value`,
    orgId: of.orgId,
    eventId: sql`recovered.id`,
    subscriptionId: of.subscriptionId,
    priority: priorityOf(sql`recovered.type`),
    trigger: 'redelivery',
    status: 'pending',
    createdAt: now,
  });
  const from = sql`from (select missed.id, missed.type, row_number() over (order by missed.seq) - 1 as position
      ${undelivered(of, page(of, ids.length))}) as recovered
    join json_each(${JSON.stringify(ids)}) as delivery_ids on delivery_ids.key = recovered.position where true`;
  return insertSelect(deliveries, row, from).onConflictDoNothing().returning(DUE);
}

/** Goes on behind the page; ends the recovery when nothing is left. */
export function advanceRecovery(db: Database, of: Under, size: number) {
  const next = sql`(select iif(count(*) < ${size}, null, max(seq)) from ${page(of, size)})`;
  return db.orm
    .update(subscriptions)
    .set({ recoverAfter: next })
    .where(isAt(of))
    .returning({ recoverAfter: subscriptions.recoverAfter });
}

/** Subscriptions whose recovery goes on. */
export function selectRecovering(db: Database, limit: number) {
  return db.orm
    .select({ subscriptionId: subscriptions.id, orgId: subscriptions.orgId, after: sql<number>`recover_after` })
    .from(subscriptions)
    .where(and(sql`recover_after is not null`, eq(subscriptions.status, 'active'), isSettled(subscriptions.orgId)))
    .limit(limit);
}

/** Ids begin with their time, which clocks of isolates tell a little differently. */
const SKEW_MS = 60_000;

/** The progress of the last recovery, if it began after `since`. */
export function selectProgress(db: Database, { orgId, subscriptionId }: Of, since: number) {
  const count = (status: Condition, name: string) => sql<number>`coalesce(sum(${status}), 0)`.as(name);
  return db.orm
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
