import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { orm } from '../../platform/data/statements';
import { isSettled } from '../../tenants/tables';
import { goesOnAs } from '../deliveries/store-attempts';
import type { ClaimedDelivery } from '../deliveries/store-claim';
import type { StoredSecrets } from '../signing/secrets';
import { STORED_SECRETS } from '../subscriptions/store';
import { hold, release } from '../subscriptions/store-status';
import { deliveries, type HoldReason, subscriptions } from '../tables';

/** Why this service cannot post. */
export type UnreadyReason = Exclude<HoldReason, 'receiver_failing'>;

const isUnready = sql`hold_reason in ('secret_unreadable', 'address_refused')`;

/** What a post depended on when it was read. If any of it has changed since, the problem may be solved. */
type SeenTarget = Omit<StoredSecrets, 'previousSecretUntil'> & { url: string };

function isAsSeen(seen: SeenTarget) {
  return and(
    eq(subscriptions.id, seen.subscriptionId),
    isNull(subscriptions.deletedAt),
    eq(subscriptions.url, seen.url),
    eq(subscriptions.secretCiphertext, seen.secretCiphertext),
    sql`${subscriptions.previousSecretCiphertext} is ${seen.previousSecretCiphertext}`,
  );
}

/** Puts a subscription on hold unless it was changed since. */
export function holdUnready(seen: SeenTarget, reason: UnreadyReason, now: number) {
  return hold(isAsSeen(seen), { reason, now });
}

/**
 * Gives back a claim that was not posted: it does not count as an attempt. The lease identifies this very claim: if D1
 * runs the batch twice, the second time must not take a count from a later claim whose post is under way.
 */
export function giveBack(claimed: Pick<ClaimedDelivery, 'id' | 'attempt' | 'leaseUntil'>) {
  return orm
    .update(deliveries)
    .set({ status: goesOnAs, attemptCount: sql`${deliveries.attemptCount} - 1`, leaseUntil: 0 })
    .where(
      and(
        eq(deliveries.id, claimed.id),
        eq(deliveries.attemptCount, claimed.attempt),
        eq(deliveries.status, 'delivering'),
        eq(deliveries.leaseUntil, claimed.leaseUntil),
      ),
    );
}

/**
 * Subscriptions that are on hold because of this service, in random order, so that permanent cases do not block the
 * others.
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

/** Posts to it again; the batch is undone where somebody changed it since. */
export function releaseReady(seen: SeenTarget, now: number) {
  return release(and(isAsSeen(seen), isUnready), now);
}
