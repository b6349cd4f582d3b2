import { and, desc, eq, type InferInsertModel, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { has, pick, unset } from '../../platform/data/columns';
import { ifChanged, inList, insertSelect, mustChangeOneRow, updateOneRow } from '../../platform/data/db';
import {
  type Condition,
  jsonOf,
  type Named,
  orm,
  prepared,
  preparedCondition,
  type Statement,
} from '../../platform/data/statements';
import { firstIdAt } from '../../platform/ids';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time';
import { isAtWork, isSettled } from '../../tenants/tables';
import { type ClaimedDelivery, DUE, deliveryRow, resumedStatus } from '../deliveries/store';
import type { EventType } from '../event-types';
import { nextSeq } from '../events/store';
import {
  DISABLED_AFTER_DAYS,
  EXHAUSTED_IN_ROW_MAX,
  PROBE_MINUTES,
  PROBE_SELDOM_AFTER_HOURS,
  PROBE_SELDOM_MINUTES,
} from '../limits';
import type { StoredSecrets } from '../signing/sign';
import { changedAt, hold, isShopHost, NOT_ON_HOLD, release, STORED_SECRETS } from '../subscriptions/store';
import { deliveries, events, type HoldReason, secretCanaries, subscriptions } from '../tables';

/** The reasons why this service cannot post to a subscription. */
export type UnreadyReason = Exclude<HoldReason, 'receiver_failing'>;

const isUnready = sql`hold_reason in ('secret_unreadable', 'address_refused')`;

/**
 * The values on which a post depended, as they were read. If one of them has changed since, posting may be possible
 * again.
 */
type SeenTarget = Omit<StoredSecrets, 'previousSecretUntil'> & { url: string };

function isAsSeen(seen: SeenTarget) {
  return and(
    has(subscriptions, {
      id: seen.subscriptionId,
      url: seen.url,
      secretCiphertext: seen.secretCiphertext,
      deletedAt: null,
    }),
    sql`${subscriptions.previousSecretCiphertext} is ${seen.previousSecretCiphertext}`,
  );
}

/** Puts a subscription on hold unless its address or secrets have changed since they were read. */
export function holdUnready(seen: SeenTarget, reason: UnreadyReason, now: number) {
  return hold(isAsSeen(seen), { reason, now });
}

/**
 * Gives back a claim that was not posted. It then does not count as an attempt. The lease identifies the claim: if D1
 * runs the batch twice, the second run must not lower the count of a later claim whose post is under way.
 */
export function giveBack(claimed: Pick<ClaimedDelivery, 'id' | 'attempt' | 'leaseUntil'>) {
  return orm
    .update(deliveries)
    .set({ status: resumedStatus, attemptCount: sql`${deliveries.attemptCount} - 1`, leaseUntil: 0 })
    .where(
      has(deliveries, {
        id: claimed.id,
        attemptCount: claimed.attempt,
        status: 'delivering',
        leaseUntil: claimed.leaseUntil,
      }),
    );
}

/**
 * Selects subscriptions that are on hold because this service cannot post to them. The order is random, because those
 * that stay on hold must not block the others.
 */
export function selectOnHold(limit: number) {
  return orm
    .select({
      orgId: subscriptions.orgId,
      url: subscriptions.url,
      ...STORED_SECRETS,
    })
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.holdReason),
        isUnready,
        isSettled(subscriptions.orgId),
        eq(subscriptions.status, 'holding'),
        isNull(subscriptions.deletedAt),
      ),
    )
    .orderBy(sql`random()`)
    .limit(limit);
}

export type OnHold = Awaited<ReturnType<typeof selectOnHold>>[number];

/** Makes a subscription active again, if address and secrets are as they were read. Otherwise, the batch is undone. */
export function releaseReady(seen: SeenTarget, now: number) {
  return release(and(isAsSeen(seen), isUnready), now);
}

const isHeldForFailing = has(subscriptions, { status: 'holding', holdReason: 'receiver_failing', deletedAt: null });

/**
 * Marks receivers as healthy, because they have accepted a post. Writes nothing for a receiver that is already healthy.
 */
export const markHealthy = prepared(({ ids }: Named<{ ids: readonly string[] }>) =>
  orm
    .update(subscriptions)
    .set({ isHealthy: true, exhaustedInRow: 0, failingSince: sql`iif(status = 'active', null, failing_since)` })
    .where(and(inArray(subscriptions.id, inList(ids)), sql`(is_healthy = 0 or exhausted_in_row > 0)`)),
);

/** Marks a receiver as unhealthy, after a failed attempt, if another attempt follows. */
export const markFailed = prepared(({ id }: Named<{ id: string }>, onlyIf: Condition) =>
  orm
    .update(subscriptions)
    .set({ isHealthy: false })
    .where(and(has(subscriptions, { id, isHealthy: true }), onlyIf)),
);

/**
 * Marks a receiver as unhealthy after the last attempt of a delivery. Counts the delivery in the failure streak: the
 * deliveries in a row that were given up.
 * @param endedAt epoch ms
 */
export const markExhausted = prepared(({ id, endedAt }: Named<{ id: string; endedAt: number }>, onlyIf: Condition) =>
  orm
    .update(subscriptions)
    .set({
      isHealthy: false,
      exhaustedInRow: sql`exhausted_in_row + 1`,
      failingSince: sql`min(coalesce(failing_since, ${endedAt}), ${endedAt})`,
    })
    .where(and(eq(subscriptions.id, id), onlyIf)),
);

/** Stops posts until a time (epoch ms), because the receiver asked for it. Posts that are under way go on. */
export function postpone(id: string, until: number) {
  return orm
    .update(subscriptions)
    .set({ waitUntil: sql`max(coalesce(wait_until, 0), ${until})` })
    .where(eq(subscriptions.id, id));
}

/**
 * Puts a subscription on hold if too many deliveries in a row have failed.
 * @returns its id as `held`, if it was put on hold
 */
export function holdFailing(id: string, now: number) {
  const isFailing = and(eq(subscriptions.id, id), sql`exhausted_in_row >= ${EXHAUSTED_IN_ROW_MAX}`);
  return hold(isFailing, { reason: 'receiver_failing', now, nextProbeAt: now + PROBE_MINUTES * MINUTE_MS }).returning({
    held: subscriptions.id,
  });
}

/** Pauses a subscription, because its receiver wants no more posts. */
export function pauseGone(id: string, now: number) {
  return orm
    .update(subscriptions)
    .set({ ...NOT_ON_HOLD, status: 'paused', updatedAt: changedAt(now) })
    .where(and(eq(subscriptions.id, id), inArray(subscriptions.status, ['active', 'holding'])));
}

/**
 * Releases a subscription, because its receiver has accepted a post. The batch is undone if the subscription is no
 * longer on hold for its failing receiver.
 */
export function releaseRecovered(id: string, now: number) {
  return release(and(has(subscriptions, { id, isHealthy: true }), isHeldForFailing), now);
}

/**
 * Selects the subscriptions that are on hold for a failing receiver and can now be released, tried or disabled. The one
 * whose next try is earliest is first.
 */
export function selectFailing(now: number, limit: number) {
  return orm
    .select(pick(subscriptions, ['id', 'orgId', 'isHealthy', 'heldSince']))
    .from(subscriptions)
    .where(
      and(
        sql`hold_reason is not null`,
        isHeldForFailing,
        isAtWork(subscriptions.orgId),
        or(
          eq(subscriptions.isHealthy, true),
          lte(subscriptions.nextProbeAt, now),
          lte(subscriptions.heldSince, now - DISABLED_AFTER_DAYS * DAY_MS),
        ),
      ),
    )
    .orderBy(subscriptions.nextProbeAt)
    .limit(limit);
}

export type Failing = Awaited<ReturnType<typeof selectFailing>>[number];

/**
 * Returns the statements that try the receiver of a subscription on hold, if the next try is due. They choose one of
 * its held deliveries and make it due.
 */
export function probe(subscriptionId: string, now: number): Statement[] {
  return ifChanged(chooseProbe(subscriptionId, now), (isChosen) => releaseProbe(subscriptionId, now, isChosen));
}

const UNDER_WAY = sql`(select chosen.id from ${deliveries} as chosen where chosen.id = probe_id
  and chosen.status in ('pending', 'delivering'))`;

/** SQL for the time of the next try of a failing receiver that is tried now. */
function nextProbe(now: number) {
  const isLong = sql`held_since <= ${now - PROBE_SELDOM_AFTER_HOURS * HOUR_MS}`;
  return sql`${now} + iif(${isLong}, ${PROBE_SELDOM_MINUTES * MINUTE_MS}, ${PROBE_MINUTES * MINUTE_MS})`;
}

/**
 * Chooses the oldest held delivery as the probe. If the last probe is still pending or being posted, it stays the
 * probe.
 */
function chooseProbe(subscriptionId: string, now: number) {
  const oldest = sql`(select min(held.id) from ${deliveries} as held
    where held.subscription_id = ${subscriptionId} and held.status = 'held')`;
  return orm
    .update(subscriptions)
    .set({ probeId: sql`coalesce(${UNDER_WAY}, ${oldest})`, nextProbeAt: nextProbe(now) })
    .where(
      and(
        eq(subscriptions.id, subscriptionId),
        isHeldForFailing,
        lte(subscriptions.nextProbeAt, now),
        sql`coalesce(wait_until, 0) <= ${now} and ${oldest} is not null`,
      ),
    );
}

/**
 * Returns the statements that try a failing receiver now with a given held delivery, even if the next try is not due
 * yet. The batch is undone in each of these cases: the delivery is not held, the receiver is not on hold for failing,
 * the receiver asked to wait, or another try is under way.
 */
export function probeWith(of: { orgId: string; deliveryId: string; withCallbacks: boolean }, now: number) {
  const subscriptionId = sql`(select waiting.subscription_id from ${deliveries} as waiting
    where waiting.id = ${of.deliveryId} and waiting.org_id = ${of.orgId} and waiting.status = 'held')`;
  const chosen = orm
    .update(subscriptions)
    .set({ probeId: of.deliveryId, nextProbeAt: nextProbe(now) })
    .where(
      and(
        sql`id = ${subscriptionId} and ${UNDER_WAY} is null and coalesce(wait_until, 0) <= ${now}`,
        isHeldForFailing,
        of.withCallbacks ? undefined : isNull(subscriptions.integrationId),
      ),
    );
  const released = orm
    .update(deliveries)
    .set({ status: 'pending', nextAttemptAt: now })
    .where(eq(deliveries.id, of.deliveryId))
    .returning(DUE);
  return { chosen: mustChangeOneRow(chosen), released };
}

function releaseProbe(subscriptionId: string, now: number, isChosen: Condition) {
  return orm
    .update(deliveries)
    .set({ status: 'pending', nextAttemptAt: now })
    .where(
      sql`id = (select probe_id from ${subscriptions} where ${subscriptions.id} = ${subscriptionId})
        and status = 'held' and ${isChosen}`,
    )
    .returning({ id: deliveries.id });
}

/**
 * Disables a subscription, so that new events get no deliveries. The batch is undone if the subscription is no longer
 * on hold for its failing receiver. The numbers of skipped events are stored as one range. If events of an earlier
 * range still exist, that range is extended.
 */
export function disableFailing({ id, orgId, now }: { id: string; orgId: string; now: number }) {
  const hasEarlier = sql`skipped_until >= (select min(seq) from ${events} where org_id = ${orgId})`;
  const isLong = lte(subscriptions.heldSince, now - DISABLED_AFTER_DAYS * DAY_MS);
  const disabled = {
    status: 'disabled' as const,
    nextProbeAt: null,
    probeId: null,
    skippedAfter: sql`iif(${hasEarlier}, skipped_after, ${nextSeq(orgId)} - 1)`,
    skippedUntil: null,
    updatedAt: changedAt(now),
  };
  return updateOneRow(subscriptions, disabled, and(eq(subscriptions.id, id), isHeldForFailing, isLong));
}

/** The MAC of the fixed text under each root secret, by the secret's id. */
export type Fingerprints = Readonly<Record<string, string>>;

/**
 * SQL for whether the database was written with the root secrets in use: at least one has a canary, and none differs
 * from its canary. Also true while the database has no canary at all.
 */
export const canaryKnows = preparedCondition(({ fingerprints }: Named<{ fingerprints: Fingerprints }>) => {
  const ring = sql`from secret_canaries as canary
    join json_each(${jsonOf(fingerprints)}) as ring on ring.key = canary.key_id`;
  return sql`(not exists (select 1 ${ring} where ring.value <> canary.fingerprint)
    and (exists (select 1 ${ring}) or not exists (select 1 from secret_canaries)))`;
});

export function selectCanaries() {
  return orm.select({ keyId: secretCanaries.keyId, fingerprint: secretCanaries.fingerprint }).from(secretCanaries);
}

export type Canary = Awaited<ReturnType<typeof selectCanaries>>[number];

export function insertCanary(row: { keyId: string; fingerprint: string; createdAt: number }) {
  return orm.insert(secretCanaries).values(row).onConflictDoNothing();
}

/** Selects the newest signing secrets, to try whether the root secrets can decrypt them. */
export function selectNewestSecrets(limit: number) {
  return orm
    .select({ subscriptionId: subscriptions.id, secretCiphertext: subscriptions.secretCiphertext })
    .from(subscriptions)
    .where(isNull(subscriptions.deletedAt))
    .orderBy(desc(subscriptions.id))
    .limit(limit);
}

/**
 * Inserts a test event. The batch is undone if the subscription does not exist, or if it already had `limit.max` test
 * events since `limit.since`.
 */
export function insertTestEvent(
  row: Pick<InferInsertModel<typeof events>, 'id' | 'orgId' | 'type' | 'body' | 'createdAt'>,
  limit: { subscriptionId: string; since: number; max: number },
) {
  const write = insertSelect(
    events,
    { ...unset(events), ...row, seq: nextSeq(row.orgId), isTest: true },
    sql`where exists (select 1 from ${subscriptions}
        where ${subscriptions.id} = ${limit.subscriptionId} and ${subscriptions.orgId} = ${row.orgId}
          and ${subscriptions.deletedAt} is null)
      and (select count(*) from ${deliveries} where ${deliveries.subscriptionId} = ${limit.subscriptionId}
          and ${deliveries.id} >= ${firstIdAt(limit.since)} and ${deliveries.trigger} = 'test') < ${limit.max}`,
  );
  return mustChangeOneRow(write);
}

/** Inserts the delivery of a test event as claimed. It gets no queue message, and nobody else can claim it. */
export function insertTestDelivery(
  delivery: {
    id: string;
    orgId: string;
    eventId: string;
    eventType: EventType;
    subscriptionId: string;
    createdAt: number;
  },
  leaseUntil: number,
) {
  const row = deliveryRow({ ...delivery, priority: 0, trigger: 'test', status: 'delivering' });
  return orm.insert(deliveries).values({ ...row, attemptCount: 1, leaseUntil });
}

/** Selects the address and the secrets of a subscription in any status. */
export function selectTarget(orgId: string, id: string) {
  return orm
    .select({
      url: subscriptions.url,
      ...STORED_SECRETS,
      isOwnHost: sql<number>`${isShopHost(sql`subscriptions.host`)}`.as('is_own_host'),
    })
    .from(subscriptions)
    .where(has(subscriptions, { orgId, id }));
}
