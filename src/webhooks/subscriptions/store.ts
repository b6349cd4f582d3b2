import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { unset } from '../../platform/data/columns';
import { type Condition, insertSelect, mustChangeOneRow, updateOneRow } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import { shopHosts } from '../../tenants/tables';
import { nextSeq } from '../events/store';
import { SUBSCRIPTIONS_MAX } from '../limits';
import { subscriptions } from '../tables';
import { changedAt, NOT_ON_HOLD } from './store-status';

function isOrganizations(orgId: string, id: string) {
  return and(eq(subscriptions.orgId, orgId), eq(subscriptions.id, id), isNull(subscriptions.deletedAt));
}

const SHOWN = {
  id: subscriptions.id,
  url: subscriptions.url,
  eventTypes: subscriptions.eventTypes,
  status: subscriptions.status,
  /** Why nothing is posted to it while it is on hold or disabled. */
  holdReason: subscriptions.holdReason,
  heldSince: subscriptions.heldSince,
  nextProbeAt: subscriptions.nextProbeAt,
  exhaustedInRow: subscriptions.exhaustedInRow,
  /** Nothing is posted before: its receiver asked for that. Null or past when it did not. */
  waitUntil: subscriptions.waitUntil,
  /** Until then the secret before the last rotation signs too; null or past when only one secret is valid. */
  previousSecretUntil: subscriptions.previousSecretUntil,
  createdAt: subscriptions.createdAt,
  /** Increases with every change, so a form that was made before the last change is refused. */
  updatedAt: subscriptions.updatedAt,
};

/** What `StoredSecrets` is read from. */
export const STORED_SECRETS = {
  subscriptionId: subscriptions.id,
  secretCiphertext: subscriptions.secretCiphertext,
  previousSecretCiphertext: subscriptions.previousSecretCiphertext,
  previousSecretUntil: subscriptions.previousSecretUntil,
};

export function selectSubscriptions(orgId: string) {
  return orm
    .select(SHOWN)
    .from(subscriptions)
    .where(and(eq(subscriptions.orgId, orgId), isNull(subscriptions.deletedAt)))
    .orderBy(subscriptions.id);
}

export function selectSubscription(orgId: string, id: string) {
  return orm.select(SHOWN).from(subscriptions).where(isOrganizations(orgId, id));
}

/** The batch is undone where the organization is at its limit or the host is one of ours. */
export function insertSubscription(row: Omit<typeof subscriptions.$inferInsert, 'status' | 'updatedAt'>) {
  const write = insertSelect(
    subscriptions,
    {
      ...unset(subscriptions),
      ...row,
      status: 'active',
      updatedAt: row.createdAt,
    },
    sql`where (select count(*) from ${subscriptions}
          where ${subscriptions.orgId} = ${row.orgId} and ${subscriptions.deletedAt} is null) < ${SUBSCRIPTIONS_MAX}
        and not ${isShopHost(sql`${row.host}`)}`,
  );
  return mustChangeOneRow(write);
}

/** Of this database. Only active hosts count: a pending one must not stop another organization's events to its own address. */
export function isShopHost(host: ReturnType<typeof sql>): Condition {
  return sql`exists (select 1 from ${shopHosts} as own where own.host = ${host})`;
}

export function selectIsShopHost(host: string) {
  return orm.select({ host: shopHosts.host }).from(shopHosts).where(eq(shopHosts.host, host));
}

interface At {
  orgId: string;
  id: string;
  now: number;
}

/** Stops it; the batch is undone unless it is active or on hold. */
export function pause(at: At) {
  const isGoing = inArray(subscriptions.status, ['active', 'holding']);
  const paused = { ...NOT_ON_HOLD, status: 'paused' as const, exhaustedInRow: 0, updatedAt: at.now };
  return updateOneRow(subscriptions, paused, and(isOrganizations(at.orgId, at.id), isGoing));
}

/** Sets it going, whatever stopped it; the batch is undone where it is active. From here on events get deliveries again. */
export function resume(at: At) {
  const isStopped = inArray(subscriptions.status, ['paused', 'holding', 'disabled']);
  const resumed = {
    ...NOT_ON_HOLD,
    status: 'active' as const,
    exhaustedInRow: 0,
    failingSince: null,
    waitUntil: null,
    skippedUntil: sql`iif(status = 'disabled', ${nextSeq(at.orgId)} - 1, skipped_until)`,
    updatedAt: at.now,
  };
  return updateOneRow(subscriptions, resumed, and(isOrganizations(at.orgId, at.id), isStopped));
}

/** The batch is undone unless the subscription is there. */
export function markDeleted(orgId: string, id: string, now: number) {
  const deleted = { ...NOT_ON_HOLD, recoverAfter: null, deletedAt: now, updatedAt: now };
  return updateOneRow(subscriptions, deleted, isOrganizations(orgId, id));
}

/** The subscription of an organization, in the version that the form showed. */
interface SeenSubscription extends At {
  /** `updatedAt` as shown. */
  seenAt: number;
}

function isAsSeen(seen: SeenSubscription) {
  return and(isOrganizations(seen.orgId, seen.id), eq(subscriptions.updatedAt, seen.seenAt));
}

/** Changes address and events; the batch is undone where the host is one of ours or the form showed an older state. */
export function updateTarget(
  seen: SeenSubscription,
  to: { url: string; host: string; eventTypes: (typeof subscriptions.$inferSelect)['eventTypes'] },
) {
  const changed = {
    ...to,
    // A failing receiver is tried at once at its new address, and who asked to wait was another one.
    nextProbeAt: sql`iif(next_probe_at is null, null, ${seen.now})`,
    waitUntil: sql`iif(url = ${to.url}, wait_until, null)`,
    updatedAt: changedAt(seen.now),
  };
  return updateOneRow(subscriptions, changed, and(isAsSeen(seen), sql`not ${isShopHost(sql`${to.host}`)}`));
}

const isUnreadable = sql`coalesce(hold_reason, '') = 'secret_unreadable'`;

/**
 * Puts a new secret in the place of the current one, which goes on signing for `overlapMs`. While an earlier one still
 * does, no third begins: it would cut that one's time short. One that cannot be decrypted signs no more: it is dropped.
 * The batch is undone where this is refused.
 */
export function updateSecret(seen: SeenSubscription, secretCiphertext: string, overlapMs: number) {
  const hasOverlap = overlapMs > 0;
  const hasNone = sql`(${isUnreadable} or coalesce(${subscriptions.previousSecretUntil}, 0) <= ${seen.now})`;
  const replaced = {
    secretCiphertext,
    previousSecretCiphertext: hasOverlap ? sql`iif(${isUnreadable}, null, secret_ciphertext)` : null,
    previousSecretUntil: hasOverlap ? sql`iif(${isUnreadable}, null, ${seen.now + overlapMs})` : null,
    updatedAt: changedAt(seen.now),
  };
  return updateOneRow(subscriptions, replaced, and(isAsSeen(seen), hasOverlap ? hasNone : undefined));
}

/** The current secret alone is valid from here on; the batch is undone where it is so already. */
export function dropPreviousSecret(at: At) {
  const dropped = { previousSecretCiphertext: null, previousSecretUntil: null, updatedAt: changedAt(at.now) };
  const isInOverlap = gt(subscriptions.previousSecretUntil, at.now);
  return updateOneRow(subscriptions, dropped, and(isOrganizations(at.orgId, at.id), isInOverlap));
}
