import { and, eq, gt, gte, type InferInsertModel, inArray, lte, sql } from 'drizzle-orm';
import { type Condition, type Database, inList, insertSelect } from '../../platform/db';
import { firstIdAt } from '../../platform/ids';
import { ATTEMPTS_MAX } from '../../platform/retry';
import { HOUR_MS } from '../../platform/time';
import { shopHosts } from '../../tenants/tables';
import { SUBSCRIPTIONS_MAX } from '../limits';
import { deliveries, deliveryAttempts, events, subscriptions } from '../tables';
import { rowOfRun } from './rows';

/** The delivery's subscription takes posts now. */
const isPostedTo = sql`exists (select 1 from ${subscriptions} where ${subscriptions.id} = ${deliveries.subscriptionId}
  and ${subscriptions.status} = 'active' and ${subscriptions.deletedAt} is null)`;

/** A queue's delay is whole seconds: a doorbell up to this early still finds its row due. */
const EARLY_MESSAGE_MS = 2_000;

/** The delivery's subscription was deleted. */
const isDeleted = sql`exists (select 1 from ${subscriptions}
  where ${subscriptions.id} = ${deliveries.subscriptionId} and ${subscriptions.deletedAt} is not null)`;

/** What becomes of a run that goes on: of a subscription that takes no posts now it waits, of a deleted one nothing does. */
export const goesOnAs = sql`case when ${isPostedTo} then 'pending' when ${isDeleted} then 'cancelled' else 'held' end`;

/** Inserts unless the organization is at its limit or the host is one of ours; guard it with `assertOneRowChanged`. */
export function insertSubscription(db: Database, row: InferInsertModel<typeof subscriptions>) {
  return insertSelect(
    db,
    subscriptions,
    { holdReason: null, previousSecretCiphertext: null, previousSecretUntil: null, deletedAt: null, ...row },
    sql`where (select count(*) from ${subscriptions}
          where ${subscriptions.orgId} = ${row.orgId} and ${subscriptions.deletedAt} is null) < ${SUBSCRIPTIONS_MAX}
        and not ${isShopHost(sql`${row.host}`)}`,
  );
}

export function selectIsShopHost(db: Database, host: string) {
  return db.orm
    .select({ host: shopHosts.host })
    .from(shopHosts)
    .where(and(eq(shopHosts.host, host), eq(shopHosts.status, 'active')));
}

/**
 * Where a claim finds what else it returns: an UPDATE can return columns of other tables through scalar subqueries
 * only. Names are written out, since Drizzle leaves the table off a column in a statement about one table.
 */
const ofEvent = sql`from ${events} as event where event.id = deliveries.event_id`;
const ofSubscription = sql`from ${subscriptions} as subscription where subscription.id = deliveries.subscription_id`;

/**
 * Takes due runs for one attempt each: raises the count and leases the row in the same write, so that two claimers
 * never hold the same attempt. What the post needs comes back with it.
 * @param onlyIf nothing is taken unless this holds
 */
export function claimDeliveries(
  db: Database,
  ids: readonly string[],
  now: number,
  leaseUntil: number,
  onlyIf?: Condition,
) {
  return db.orm
    .update(deliveries)
    .set({ status: 'delivering', attemptCount: sql`${deliveries.attemptCount} + 1`, leaseUntil })
    .where(
      and(
        inArray(deliveries.id, inList(ids)),
        eq(deliveries.status, 'pending'),
        lte(deliveries.nextAttemptAt, now + EARLY_MESSAGE_MS),
        sql`${deliveries.attemptCount} < ${ATTEMPTS_MAX}`,
        isPostedTo,
        onlyIf,
      ),
    )
    .returning({
      id: deliveries.id,
      orgId: deliveries.orgId,
      eventId: deliveries.eventId,
      subscriptionId: deliveries.subscriptionId,
      trigger: deliveries.trigger,
      attempt: deliveries.attemptCount,
      eventType: sql<string>`(select event.type ${ofEvent})`.as('event_type'),
      body: sql<string>`(select event.body ${ofEvent})`.as('event_body'),
      url: sql<string>`(select subscription.url ${ofSubscription})`.as('subscription_url'),
      secretCiphertext: sql<string>`(select subscription.secret_ciphertext ${ofSubscription})`.as(
        'subscription_secret',
      ),
      previousSecretCiphertext: sql<
        string | null
      >`(select subscription.previous_secret_ciphertext ${ofSubscription})`.as('previous_secret'),
      previousSecretUntil: sql<number | null>`(select subscription.previous_secret_until ${ofSubscription})`.as(
        'previous_until',
      ),
      isOwnHost: sql<number>`${isShopHost(sql`(select subscription.host ${ofSubscription})`)}`.as('is_own_host'),
    });
}

export type ClaimedDelivery = Awaited<ReturnType<typeof claimDeliveries>>[number];

/** One that waits for the operator is a wish: it must not keep another organization's events from its own address. */
export function isShopHost(host: ReturnType<typeof sql>) {
  return sql`exists (select 1 from ${shopHosts} as own where own.host = ${host} and own.status = 'active')`;
}

/** The log row of an attempt; a second one for the same attempt is dropped. */
export function insertAttempt(db: Database, row: InferInsertModel<typeof deliveryAttempts>) {
  return db.orm.insert(deliveryAttempts).values(row).onConflictDoNothing();
}

/**
 * Ends an attempt, if this claim still holds it. A run that goes on waits as `held` when its subscription was paused
 * meanwhile: as `pending` nobody could claim it, and every sweep would ring for it. Of a deleted one nothing waits.
 */
export function finishAttempt(
  db: Database,
  held: { id: string; attempt: number },
  next: { status: 'pending' | 'succeeded' | 'exhausted'; nextAttemptAt: number; finishedAt: number | null },
) {
  const status = next.status === 'pending' ? goesOnAs : next.status;
  return db.orm
    .update(deliveries)
    .set({ ...next, status, leaseUntil: 0 })
    .where(
      and(eq(deliveries.id, held.id), eq(deliveries.attemptCount, held.attempt), eq(deliveries.status, 'delivering')),
    );
}

/** Posts no more to a subscription that does not want it; put `holdDeliveries` behind it. */
export function pauseRefused(db: Database, id: string, now: number) {
  return db.orm
    .update(subscriptions)
    .set({ status: 'paused', holdReason: null, updatedAt: now })
    .where(and(eq(subscriptions.id, id), inArray(subscriptions.status, ['active', 'holding'])));
}

/** What is due for a subscription that takes no posts any more waits as `held` and loses nothing. */
export function holdDeliveries(db: Database, subscriptionId: string) {
  return db.orm
    .update(deliveries)
    .set({ status: 'held' })
    .where(
      and(eq(deliveries.subscriptionId, subscriptionId), eq(deliveries.status, 'pending'), sql`not ${isPostedTo}`),
    );
}

/** Runs whose doorbell was missed. The first of them waited longest. */
export function selectDue(db: Database, before: number, limit: number) {
  return db.orm
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(sql`status = 'pending'`, lte(deliveries.nextAttemptAt, before), lte(deliveries.createdAt, before)))
    .orderBy(deliveries.nextAttemptAt)
    .limit(limit);
}

/** Runs whose claimer never came back. */
export function selectLeasedOut(db: Database, now: number, limit: number) {
  return db.orm
    .select({
      id: deliveries.id,
      orgId: deliveries.orgId,
      eventId: deliveries.eventId,
      subscriptionId: deliveries.subscriptionId,
      trigger: deliveries.trigger,
      attempt: deliveries.attemptCount,
      leaseUntil: deliveries.leaseUntil,
    })
    .from(deliveries)
    .where(and(sql`status = 'delivering'`, lte(deliveries.leaseUntil, now)))
    .orderBy(deliveries.leaseUntil)
    .limit(limit);
}

export type LeasedOutDelivery = Awaited<ReturnType<typeof selectLeasedOut>>[number];

/**
 * One more run for an event whose last attempt was interrupted, which the log must say: a claimer that came back late
 * may have ended the run with an answer. The unique index keeps it the only one.
 */
export function insertRecoveryRun(db: Database, lost: LeasedOutDelivery, id: string, createdAt: number) {
  const row = rowOfRun({
    id,
    orgId: lost.orgId,
    eventId: lost.eventId,
    subscriptionId: lost.subscriptionId,
    trigger: 'recovery',
    status: sql`case ${subscriptions.status} when 'active' then 'pending' else 'held' end`,
    createdAt,
  });
  return insertSelect(
    db,
    deliveries,
    row,
    sql`from ${subscriptions}
      where ${subscriptions.id} = ${lost.subscriptionId} and ${subscriptions.deletedAt} is null
        and ${subscriptions.status} <> 'disabled'
        and exists (select 1 from ${deliveryAttempts} where ${deliveryAttempts.deliveryId} = ${lost.id}
          and ${deliveryAttempts.attempt} = ${lost.attempt} and ${deliveryAttempts.failureClass} = 'interrupted')`,
  )
    .onConflictDoNothing()
    .returning({ id: deliveries.id });
}

/** Longer than any batch takes from the id that an event gets to its commit, by far. */
const COMMIT_LAG_MS = HOUR_MS;

/**
 * An organization's events behind a cursor, oldest first. What was made to try a subscription out is no news.
 *
 * Older events are passed over by number, not read: numbers are given at commit, ids when the event is made. An event
 * whose id is an hour older than `since` was committed before `since`, so its number is below that of every event made
 * since then; one look-up by id finds such a number. What is read in vain is at most one hour of the organization's.
 */
export function selectEvents(db: Database, orgId: string, after: number, since: number, limit: number) {
  const before = sql`coalesce((select old.seq from ${events} as old
    where old.id < ${firstIdAt(since - COMMIT_LAG_MS)} order by old.id desc limit 1), 0)`;
  return db.orm
    .select({ seq: events.seq, body: events.body })
    .from(events)
    .where(
      and(
        eq(events.orgId, orgId),
        gt(events.seq, sql`max(${after}, ${before})`),
        gte(events.createdAt, since),
        eq(events.isTest, false),
      ),
    )
    .orderBy(events.seq)
    .limit(limit);
}
