import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { type Condition, ifChanged, inList, type Statement, updateOneRow } from '../../platform/data/db';
import { type Named, orm, prepared } from '../../platform/data/statements';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time';
import { isAtWork } from '../../tenants/tables';
import { nextSeq } from '../events/store';
import {
  DISABLED_AFTER_DAYS,
  EXHAUSTED_IN_ROW_MAX,
  PROBE_MINUTES,
  PROBE_SELDOM_AFTER_HOURS,
  PROBE_SELDOM_MINUTES,
} from '../limits';
import { changedAt, hold, NOT_ON_HOLD, release } from '../subscriptions/store-status';
import { deliveries, events, subscriptions } from '../tables';

const isHeldForFailing = and(
  eq(subscriptions.status, 'holding'),
  eq(subscriptions.holdReason, 'receiver_failing'),
  isNull(subscriptions.deletedAt),
);

/** These receivers accepted. Writes nothing where they did so before. */
export const markHealthy = prepared(({ ids }: Named<{ ids: readonly string[] }>) =>
  orm
    .update(subscriptions)
    .set({ isHealthy: true, exhaustedInRow: 0, failingSince: sql`iif(status = 'active', null, failing_since)` })
    .where(and(inArray(subscriptions.id, inList(ids)), sql`(is_healthy = 0 or exhausted_in_row > 0)`)),
);

/** The receiver did not accept, and another attempt follows. */
export const markFailed = prepared(({ id }: Named<{ id: string }>, onlyIf: Condition) =>
  orm
    .update(subscriptions)
    .set({ isHealthy: false })
    .where(and(eq(subscriptions.id, id), onlyIf, eq(subscriptions.isHealthy, true))),
);

/** As `markFailed`, where no attempt follows. @param endedAt epoch ms */
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

/** The receiver asked to be left alone until then. What it accepts meanwhile was under way before. */
export function postpone(id: string, until: number) {
  return orm
    .update(subscriptions)
    .set({ waitUntil: sql`max(coalesce(wait_until, 0), ${until})` })
    .where(eq(subscriptions.id, id));
}

/** Puts a subscription on hold whose receiver failed too often in a row. @returns its id as `held` if it did */
export function holdFailing(id: string, now: number) {
  const isFailing = and(eq(subscriptions.id, id), sql`exhausted_in_row >= ${EXHAUSTED_IN_ROW_MAX}`);
  return hold(isFailing, { reason: 'receiver_failing', now, nextProbeAt: now + PROBE_MINUTES * MINUTE_MS }).returning({
    held: subscriptions.id,
  });
}

/** Pauses a subscription whose receiver wants no more posts. */
export function pauseGone(id: string, now: number) {
  return orm
    .update(subscriptions)
    .set({ ...NOT_ON_HOLD, status: 'paused', updatedAt: changedAt(now) })
    .where(and(eq(subscriptions.id, id), inArray(subscriptions.status, ['active', 'holding'])));
}

/** Posts again to a receiver that has accepted; the batch is undone where it is not on hold for failing any more. */
export function releaseRecovered(id: string, now: number) {
  return release(and(eq(subscriptions.id, id), isHeldForFailing, eq(subscriptions.isHealthy, true)), now);
}

/** Subscriptions on hold for a failing receiver with which something is to be done now, the longest due first. */
export function selectFailing(now: number, limit: number) {
  return orm
    .select({
      id: subscriptions.id,
      orgId: subscriptions.orgId,
      isHealthy: subscriptions.isHealthy,
      heldSince: subscriptions.heldSince,
    })
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

/** If a subscription on hold is to be tried: chooses a delivery for it, and makes that due. */
export function probe(subscriptionId: string, now: number): Statement[] {
  return ifChanged(chooseProbe(subscriptionId, now), (isChosen) => releaseProbe(subscriptionId, now, isChosen));
}

/** The oldest delivery that waits, or further the one chosen last while its message is on its way. */
function chooseProbe(subscriptionId: string, now: number) {
  const isLong = sql`held_since <= ${now - PROBE_SELDOM_AFTER_HOURS * HOUR_MS}`;
  const wait = sql`iif(${isLong}, ${PROBE_SELDOM_MINUTES * MINUTE_MS}, ${PROBE_MINUTES * MINUTE_MS})`;
  const underWay = sql`(select chosen.id from ${deliveries} as chosen where chosen.id = probe_id
    and chosen.status in ('pending', 'delivering'))`;
  const oldest = sql`(select min(held.id) from ${deliveries} as held
    where held.subscription_id = ${subscriptionId} and held.status = 'held')`;
  return orm
    .update(subscriptions)
    .set({ probeId: sql`coalesce(${underWay}, ${oldest})`, nextProbeAt: sql`${now} + ${wait}` })
    .where(
      and(
        eq(subscriptions.id, subscriptionId),
        isHeldForFailing,
        lte(subscriptions.nextProbeAt, now),
        sql`coalesce(wait_until, 0) <= ${now} and ${oldest} is not null`,
      ),
    );
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
 * Gives up on a receiver: events get no deliveries from here on. The batch is undone where it is not on hold for failing any
 * more. The time of an earlier time without deliveries is added to while there are events of it.
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
