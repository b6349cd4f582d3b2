import { and, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { has, isUnder, unset } from '../../platform/data/columns';
import { insertSelect, mustChangeOneRow, updateOneRow } from '../../platform/data/db';
import { type Condition, orm } from '../../platform/data/statements';
import { isSettled, shopHosts, shops } from '../../tenants/tables';
import { nextSeq } from '../events/store';
import { CALLBACKS_MAX, SUBSCRIPTIONS_MAX } from '../limits';
import { type HoldReason, subscriptions } from '../tables';

function isOrganizations(orgId: string, id: string) {
  return has(subscriptions, { orgId, id, deletedAt: null });
}

const SHOWN = {
  id: subscriptions.id,
  url: subscriptions.url,
  eventTypes: subscriptions.eventTypes,
  /** The shops, or platforms, about which the subscription gets events; null for all. */
  shopIds: subscriptions.shopIds,
  sources: subscriptions.sources,
  /** The integration whose callback this is; null for a subscription. */
  integrationId: subscriptions.integrationId,
  status: subscriptions.status,
  /** The reason why nothing is posted while the subscription is on hold or disabled. */
  holdReason: subscriptions.holdReason,
  heldSince: subscriptions.heldSince,
  nextProbeAt: subscriptions.nextProbeAt,
  exhaustedInRow: subscriptions.exhaustedInRow,
  /** Nothing is posted before this time, because the receiver asked for a wait. Null or past if there is no wait. */
  waitUntil: subscriptions.waitUntil,
  /** Until this time, the secret before the last rotation signs, too. Null or past if only one secret is valid. */
  previousSecretUntil: subscriptions.previousSecretUntil,
  /** Whether a recovery is running, 1 or 0. */
  isRecovering: sql<number>`recover_after is not null`.as('is_recovering'),
  createdAt: subscriptions.createdAt,
  /** Increases with every change. A form that shows an older version is thereby refused. */
  updatedAt: subscriptions.updatedAt,
};

/** The columns of `StoredSecrets`. */
export const STORED_SECRETS = {
  subscriptionId: subscriptions.id,
  secretCiphertext: subscriptions.secretCiphertext,
  previousSecretCiphertext: subscriptions.previousSecretCiphertext,
  previousSecretUntil: subscriptions.previousSecretUntil,
};

/** Selects the organization's subscriptions, without callbacks. */
export function selectSubscriptions(orgId: string) {
  return selectLive(orgId, isNull(subscriptions.integrationId));
}

/** Selects the callbacks of the organization's integrations. */
export function selectCallbacks(orgId: string) {
  return selectLive(orgId, isNotNull(subscriptions.integrationId));
}

function selectLive(orgId: string, which: SQL) {
  return orm
    .select(SHOWN)
    .from(subscriptions)
    .where(and(has(subscriptions, { orgId, deletedAt: null }), which))
    .orderBy(subscriptions.id);
}

/** Selects the shops that a subscription's filter can name. */
export function selectShopNames(orgId: string) {
  return orm.select({ id: shops.id, name: shops.name }).from(shops).where(eq(shops.orgId, orgId)).orderBy(shops.id);
}

/** Selects a subscription. @param withCallbacks whether callbacks of integrations are found, too */
export function selectSubscription(orgId: string, id: string, withCallbacks = true) {
  const isShown = withCallbacks ? undefined : isNull(subscriptions.integrationId);
  return orm
    .select(SHOWN)
    .from(subscriptions)
    .where(and(isOrganizations(orgId, id), isShown));
}

/**
 * Inserts a subscription. The batch is undone in these cases: the organization has reached its limit, the host belongs
 * to a shop, the filter has another organization's shop, or `onlyIf` does not hold.
 */
export function insertSubscription(
  row: Omit<typeof subscriptions.$inferInsert, 'status' | 'updatedAt'>,
  onlyIf: Condition = sql`true`,
) {
  const [isCounted, max] =
    row.integrationId == null
      ? [sql`other.integration_id is null`, SUBSCRIPTIONS_MAX]
      : [sql`other.integration_id is not null`, CALLBACKS_MAX];
  const write = insertSelect(
    subscriptions,
    {
      ...unset(subscriptions),
      ...row,
      status: 'active',
      updatedAt: row.createdAt,
    },
    sql`where (select count(*) from ${subscriptions} as other
          where other.org_id = ${row.orgId} and other.deleted_at is null and ${isCounted}) < ${max}
        and not ${isShopHost(sql`${row.host}`)} and ${areShopsOf(row.orgId, row.shopIds ?? null)} and ${onlyIf}`,
  );
  return mustChangeOneRow(write);
}

/** SQL for whether all of these are shops of the organization. */
function areShopsOf(orgId: string, shopIds: readonly string[] | null): Condition {
  return sql`not exists (select 1 from json_each(${JSON.stringify(shopIds ?? [])}) as named
    where not exists (select 1 from ${shops} as shop where shop.id = named.value and shop.org_id = ${orgId}))`;
}

export function selectAreShops(orgId: string, shopIds: readonly string[] | null) {
  return orm.select({ areShops: sql<number>`${areShopsOf(orgId, shopIds)}`.as('are_shops') }).from(sql`(select 1)`);
}

/**
 * SQL for whether the host is an active host of a shop in this database. Pending hosts do not count, because they must
 * not block the events of another organization.
 */
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

/** Pauses a subscription. The batch is undone if the subscription is neither active nor on hold. */
export function pause(at: At) {
  const isGoing = inArray(subscriptions.status, ['active', 'holding']);
  const paused = { ...NOT_ON_HOLD, status: 'paused' as const, exhaustedInRow: 0, updatedAt: at.now };
  return updateOneRow(subscriptions, paused, and(isOrganizations(at.orgId, at.id), isGoing));
}

/**
 * Makes a stopped subscription active. Events then get deliveries again. The batch is undone if the subscription is
 * already active.
 */
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

function deletedAt(now: number) {
  return { ...NOT_ON_HOLD, recoverAfter: null, deletedAt: now, updatedAt: now };
}

/** Marks a subscription as deleted. The batch is undone if there is no such subscription. */
export function markDeleted(orgId: string, id: string, now: number) {
  return updateOneRow(subscriptions, deletedAt(now), isOrganizations(orgId, id));
}

/** Deletes a callback, if `onlyIf` holds. */
export function endCallbackIf({ orgId, id, now }: At, onlyIf: Condition) {
  return orm
    .update(subscriptions)
    .set(deletedAt(now))
    .where(and(isOrganizations(orgId, id), onlyIf));
}

/** Deletes a subscription or a callback. Changes nothing if it does not exist. */
export function endAgain({ orgId, id, now }: At) {
  return orm.update(subscriptions).set(deletedAt(now)).where(isOrganizations(orgId, id));
}

/** Selects the callback of an integration. @param integrationId SQL for the id of the integration */
export function selectCallbackOf(orgId: string, integrationId: Condition) {
  return orm.select({ id: subscriptions.id }).from(subscriptions).where(callbackIsOf(orgId, integrationId));
}

/** SQL for whether an integration has no callback except `otherThan`. */
export function hasNoOtherCallback(orgId: string, integrationId: Condition, otherThan: string | undefined): Condition {
  return sql`not exists (select 1 from ${subscriptions} where ${callbackIsOf(orgId, integrationId)} and id is not ${otherThan ?? null})`;
}

function callbackIsOf(orgId: string, integrationId: Condition) {
  return sql`org_id = ${orgId} and integration_id = ${integrationId} and deleted_at is null`;
}

/** A subscription in the version that the form showed. */
interface SeenSubscription extends At {
  /** The `updatedAt` that the form showed. */
  seenAt: number;
}

function isAsSeen(seen: SeenSubscription) {
  return and(isOrganizations(seen.orgId, seen.id), eq(subscriptions.updatedAt, seen.seenAt));
}

/**
 * Changes the address, the event types and the filters of a subscription. The batch is undone in these cases: the host
 * belongs to a shop, a shop in the filter is unknown, or the subscription has changed since `seenAt`.
 */
export function updateTarget(
  seen: SeenSubscription,
  to: Pick<typeof subscriptions.$inferSelect, 'url' | 'host' | 'eventTypes' | 'shopIds' | 'sources'>,
) {
  const changed = {
    ...to,
    // A failing receiver is tried at once at its new address, and a wait ends, because it applied to the old address.
    nextProbeAt: sql`iif(next_probe_at is null, null, ${seen.now})`,
    waitUntil: sql`iif(url = ${to.url}, wait_until, null)`,
    updatedAt: changedAt(seen.now),
  };
  const isAllowed = sql`not ${isShopHost(sql`${to.host}`)} and ${areShopsOf(seen.orgId, to.shopIds)}`;
  return updateOneRow(subscriptions, changed, and(isAsSeen(seen), isAllowed));
}

const isUnreadable = sql`coalesce(hold_reason, '') = 'secret_unreadable'`;

/**
 * Replaces the current secret. The replaced secret signs for `overlapMs` more, unless it cannot be decrypted. The batch
 * is undone if an overlap is asked for while an even older secret still signs: only two secrets are stored, so the
 * older one would end too soon.
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

/** Drops the previous secret. The batch is undone if only the current secret is valid. */
export function dropPreviousSecret(at: At) {
  const dropped = { previousSecretCiphertext: null, previousSecretUntil: null, updatedAt: changedAt(at.now) };
  const isInOverlap = gt(subscriptions.previousSecretUntil, at.now);
  return updateOneRow(subscriptions, dropped, and(isOrganizations(at.orgId, at.id), isInOverlap));
}

/** SQL for the new `updatedAt`. It always increases, even if there are two changes within one millisecond. */
export function changedAt(now: number) {
  return sql`max(${now}, updated_at + 1)`;
}

/** The values of the columns about a hold, for a subscription that is not on hold. */
export const NOT_ON_HOLD = { holdReason: null, heldSince: null, nextProbeAt: null, probeId: null };

interface Hold {
  reason: HoldReason;
  now: number;
  /** The time when the receiver is tried next with a held delivery. Missing if the sweep checks the reason instead. */
  nextProbeAt?: number;
}

/** Puts an active subscription on hold, if `which` holds. */
export function hold(which: Condition | undefined, { reason, now, nextProbeAt }: Hold) {
  return orm
    .update(subscriptions)
    .set({ status: 'holding', holdReason: reason, heldSince: now, nextProbeAt, updatedAt: changedAt(now) })
    .where(and(eq(subscriptions.status, 'active'), which));
}

/** Makes a subscription that is on hold active. The batch is undone unless it is on hold and `which` holds. */
export function release(which: Condition | undefined, now: number) {
  const released = { ...NOT_ON_HOLD, status: 'active' as const, updatedAt: changedAt(now) };
  return updateOneRow(subscriptions, released, and(eq(subscriptions.status, 'holding'), which));
}

type SecretColumn = 'secretCiphertext' | 'previousSecretCiphertext';

/**
 * Selects secrets that are encrypted under a root secret. Leaves out deleted subscriptions, and organizations that are
 * being moved.
 */
export function selectSecretsUnder(column: SecretColumn, rootId: string, limit: number) {
  return orm
    .select({ id: subscriptions.id, ciphertext: subscriptions[column] })
    .from(subscriptions)
    .where(and(isUnder(subscriptions[column], rootId), isNull(subscriptions.deletedAt), isSettled(subscriptions.orgId)))
    .limit(limit);
}

/** Replaces an encrypted secret, if it is still the one that was read. */
export function replaceSecret(column: SecretColumn, { id, from, to }: { id: string; from: string | null; to: string }) {
  return orm
    .update(subscriptions)
    .set({ [column]: to })
    .where(and(eq(subscriptions.id, id), sql`${subscriptions[column]} = ${from}`));
}
