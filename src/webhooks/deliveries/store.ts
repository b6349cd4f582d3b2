import { and, eq, gt, gte, type InferInsertModel, inArray, lte, sql } from 'drizzle-orm';
import { type Condition, type Database, inList, insertSelect, mustChangeOneRow } from '../../platform/db';
import { firstIdAt } from '../../platform/ids';
import { ATTEMPTS_MAX } from '../../platform/retry';
import { HOUR_MS } from '../../platform/time';
import { shopHosts } from '../../tenants/tables';
import { SUBSCRIPTIONS_MAX } from '../limits';
import { deliveries, deliveryAttempts, events, subscriptions } from '../tables';
import { deliveryRow } from './rows';

/** The delivery's subscription accepts posts now. */
const isPostedTo = sql`exists (select 1 from ${subscriptions} where ${subscriptions.id} = ${deliveries.subscriptionId}
  and ${subscriptions.status} = 'active' and ${subscriptions.deletedAt} is null)`;

/** A queue's delay has whole seconds: a message that arrives up to this early still finds its row due. */
const EARLY_MESSAGE_MS = 2_000;

/** The delivery's subscription was deleted. */
const isDeleted = sql`exists (select 1 from ${subscriptions}
  where ${subscriptions.id} = ${deliveries.subscriptionId} and ${subscriptions.deletedAt} is not null)`;

/**
 * The status of a delivery that is not finished: `pending`, `held` if its subscription accepts no posts now, or ended
 * if the subscription was deleted.
 */
export const goesOnAs = sql`case when ${isPostedTo} then 'pending' when ${isDeleted} then 'cancelled' else 'held' end`;

/** The batch is undone where the organization is at its limit or the host is one of ours. */
export function insertSubscription(db: Database, row: InferInsertModel<typeof subscriptions>) {
  const write = insertSelect(
    db,
    subscriptions,
    { holdReason: null, previousSecretCiphertext: null, previousSecretUntil: null, deletedAt: null, ...row },
    sql`where (select count(*) from ${subscriptions}
          where ${subscriptions.orgId} = ${row.orgId} and ${subscriptions.deletedAt} is null) < ${SUBSCRIPTIONS_MAX}
        and not ${isShopHost(sql`${row.host}`)}`,
  );
  return mustChangeOneRow(db, write);
}

export function selectIsShopHost(db: Database, host: string) {
  return db.orm
    .select({ host: shopHosts.host })
    .from(shopHosts)
    .where(and(eq(shopHosts.host, host), eq(shopHosts.status, 'active')));
}

/**
 * The source of the other columns that a claim returns: an UPDATE can return columns of other tables only through
 * scalar subqueries. Table names are written out, because Drizzle omits them in a statement about one table.
 */
const ofEvent = sql`from ${events} as event where event.id = deliveries.event_id`;
const ofSubscription = sql`from ${subscriptions} as subscription where subscription.id = deliveries.subscription_id`;

/**
 * Claims due deliveries for one attempt each. The same write raises the count and sets the lease, so that two claimers
 * never get the same attempt. Returns everything that the post needs.
 * @param onlyIf nothing is claimed unless this condition holds
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

/** Only active hosts count. A pending host must not stop another organization's events to its own address. */
export function isShopHost(host: ReturnType<typeof sql>) {
  return sql`exists (select 1 from ${shopHosts} as own where own.host = ${host} and own.status = 'active')`;
}

/** The log row of an attempt; a second row for the same attempt is ignored. */
export function insertAttempt(db: Database, row: InferInsertModel<typeof deliveryAttempts>) {
  return db.orm.insert(deliveryAttempts).values(row).onConflictDoNothing();
}

/**
 * Ends an attempt, if this claim still has its lease. If more attempts follow and the subscription was paused in the
 * meantime, the delivery becomes `held`: as `pending` nobody could claim it, and every sweep would send a message for
 * it. If the subscription was deleted, the delivery ends.
 */
export function finishAttempt(
  db: Database,
  claim: { id: string; attempt: number },
  next: { status: 'pending' | 'succeeded' | 'exhausted'; nextAttemptAt: number; finishedAt: number | null },
) {
  const status = next.status === 'pending' ? goesOnAs : next.status;
  return db.orm
    .update(deliveries)
    .set({ ...next, status, leaseUntil: 0 })
    .where(
      and(eq(deliveries.id, claim.id), eq(deliveries.attemptCount, claim.attempt), eq(deliveries.status, 'delivering')),
    );
}

/** Pauses a subscription whose receiver wants no more posts; put `holdDeliveries` after it. */
export function pauseRefused(db: Database, id: string, now: number) {
  return db.orm
    .update(subscriptions)
    .set({ status: 'paused', holdReason: null, updatedAt: now })
    .where(and(eq(subscriptions.id, id), inArray(subscriptions.status, ['active', 'holding'])));
}

/** Keeps due deliveries of a subscription that accepts no posts now: they become `held`. */
export function holdDeliveries(db: Database, subscriptionId: string) {
  return db.orm
    .update(deliveries)
    .set({ status: 'held' })
    .where(
      and(eq(deliveries.subscriptionId, subscriptionId), eq(deliveries.status, 'pending'), sql`not ${isPostedTo}`),
    );
}

/** Due deliveries whose queue message was lost, the longest waiting first. */
export function selectDue(db: Database, before: number, limit: number) {
  return db.orm
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(sql`status = 'pending'`, lte(deliveries.nextAttemptAt, before), lte(deliveries.createdAt, before)))
    .orderBy(deliveries.nextAttemptAt)
    .limit(limit);
}

/** Deliveries whose lease ended before their attempt was recorded. */
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
 * One more delivery for an event whose last attempt was interrupted. The log must show that: a claimer that finished
 * late may have recorded a response. The unique index allows only one.
 */
export function insertRecoveryDelivery(db: Database, lost: LeasedOutDelivery, id: string, createdAt: number) {
  const row = deliveryRow({
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

/** Far longer than the time between creating an event's id and its commit. */
const COMMIT_LAG_MS = HOUR_MS;

/**
 * An organization's events after a cursor, oldest first, without test events.
 *
 * Older events are skipped by number and not read: numbers are assigned at commit, ids when the event is created. An
 * event whose id is an hour older than `since` was committed before `since`, so its number is lower than that of every
 * event created since; one look-up by id finds such a number. At most one hour of the organization's events is read in
 * addition.
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
