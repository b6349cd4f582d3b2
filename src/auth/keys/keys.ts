import { noting } from '../../audit/journal';
import { recordAudit } from '../../audit/record';
import { requireOperator, requireOwnerOrOperator, requireRole, type Scope } from '../../platform/access';
import { commit, organizationMustExist } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { AppError, invalidField, notFound } from '../../platform/errors/errors';
import { newId } from '../../platform/ids';
import { isTestOrganization } from '../../tenants/shops';
import { createCallback } from '../../webhooks/subscriptions/settings';
import { selectAreShops, selectCallbackOf, selectCallbacks, selectShopNames } from '../../webhooks/subscriptions/store';
import { endingCallback } from '../../webhooks/subscriptions/subscriptions';
import { API_KEYS_MAX, KEYS_LISTED_MAX } from '../limits';
import { hashKey, isActiveKey, newApiKey } from './format';
import * as store from './store';

export type ApiKey = Awaited<ReturnType<typeof listApiKeys>>[number];

/** Returns the organization's keys, revoked ones last. Each key has the callback of its integration, or null. */
export async function listApiKeys(ctx: Context) {
  requireRole(ctx, ['owner']);
  return (await readKeys(ctx)).keys;
}

/** Returns the keys as `listApiKeys` returns them, and the names of the organization's shops. */
export async function readKeys(ctx: Context) {
  const { orgId } = requireRole(ctx, ['owner']);
  const { keys, callbacks, shops } = await ctx.db.run({
    keys: store.selectApiKeys(orgId, KEYS_LISTED_MAX),
    callbacks: selectCallbacks(orgId),
    shops: selectShopNames(orgId),
  });
  const withCallback = keys.map((key) => ({
    ...key,
    callback: callbacks.find(({ integrationId }) => integrationId === key.familyId) ?? null,
  }));
  return { keys: withCallback, shops };
}

/**
 * Sets whether webhooks get `order_request_submitted` about order requests that are sent with an integration key. If
 * they do not, the event appears only in the event feed. @throws AppError `api_key_not_found`
 */
export async function setSubmittedEvents(ctx: Context, input: { keyId: string; isOn: boolean }): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const batch = {
    key: store.updateIntegrationKey(orgId, input.keyId, { sendsSubmittedEvents: input.isOn }),
    audit: recordAudit(ctx, {
      orgId,
      action: input.isOn ? 'api_key.submitted_events_on' : 'api_key.submitted_events_off',
      entityId: input.keyId,
      fields: ['sends_submitted_events'],
    }),
  };
  await commit(ctx, batch, { refused: () => notFound('api_key_not_found', 'There is no such integration key.') });
}

/**
 * Sets whether an integration key reserves stock and how much, and how much of the stock its platform sees.
 * @throws AppError `api_key_not_found`
 */
export async function setKeyStock(
  ctx: Context,
  { keyId, ...stock }: store.KeyStock & { keyId: string },
): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const fields = ['reserves', 'reserve_share', 'stock_shown'];
  const batch = {
    key: store.updateIntegrationKey(orgId, keyId, stock),
    audit: recordAudit(ctx, { orgId, action: 'api_key.stock_set', entityId: keyId, fields }),
  };
  await commit(ctx, batch, { refused: () => notFound('api_key_not_found', 'There is no such integration key.') });
}

interface KeyRotation {
  keyId: string;
  /** How long the old key stays valid together with the new one, in ms; 0 revokes it at once. */
  overlapMs: number;
  /** When the new key expires, epoch ms; null if it never expires. */
  expiresAt: number | null;
}

/**
 * Replaces an active key by a new key with the same rights. The old key stays valid for `overlapMs`. Both keys belong
 * to the same integration, so a submission that is repeated with the new key is recognized.
 * @returns the new key's id, and the key itself. The key can be shown only now, because only its hash is stored
 * @throws AppError `validation_failed` if `expiresAt` has passed; `api_key_not_found`; `api_key_not_rotatable` for a
 *   key that is revoked or expired; `key_overlap_running` while another key of the integration is valid (with
 *   `overlapMs` 0, only if the other key is not older than this one)
 */
export async function rotateApiKey(ctx: Context, input: KeyRotation): Promise<{ keyId: string; apiKey: string }> {
  const { orgId } = requireRole(ctx, ['owner']);
  const now = ctx.now();
  const { keyId, overlapMs, expiresAt } = input;
  if (expiresAt !== null && expiresAt <= now)
    throw invalidField('/expires_at', 'too_small', 'Send a time in the future.');
  const { id, key } = newApiKey(await isTestOrganization(ctx, orgId));
  const hash = await hashKey(ctx, key);
  const rotation = { orgId, keyId, now, overlapMs };
  const reasonCode = overlapMs > 0 ? 'with_overlap' : 'at_once';
  const batch = {
    key: store.insertRotatedKey(rotation, { id, hash, createdBy: ctx.actor.kind, expiresAt }),
    old: store.retireKey(rotation),
    rotated: recordAudit(ctx, { orgId, action: 'api_key.rotated', entityId: keyId, reasonCode }),
    created: recordAudit(ctx, { orgId, action: 'api_key.created', entityId: id }),
  };
  await noting(ctx, { orgId, kind: 'api_key', id: keyId, at: now, until: now + overlapMs }, () =>
    commit(ctx, batch, { refused: () => whyNotRotated(ctx, rotation) }),
  );
  return { keyId: id, apiKey: key };
}

async function whyNotRotated(ctx: Context, { orgId, keyId, now }: store.Rotation): Promise<AppError> {
  const [key] = await ctx.db.rows(store.selectApiKey({ id: keyId }));
  if (key?.orgId !== orgId) return notFound('api_key_not_found');
  return isActiveKey(key, now)
    ? new AppError('key_overlap_running', 'Another key of this integration is still valid. Revoke it first.')
    : new AppError('api_key_not_rotatable', 'This key is no longer valid. Create a new one.');
}

interface NewApiKey extends Partial<store.KeyStock> {
  orgId: string;
  name: string;
  scopes: Scope[];
  /** Ids of the shops whose prescriptions the key may read. If missing, it may read those of all shops. */
  prescriptionShopIds?: string[];
  /** Epoch milliseconds. */
  expiresAt?: number;
}

/**
 * Creates an API key. A key with the scope `external_orders.submit` is an integration key. It never reads
 * prescriptions, because a platform holds it.
 * @returns the key's id, and the key itself. The key can be shown only now, because only its hash is stored
 * @throws AppError `validation_failed`, `organization_not_found`, `shop_not_found`, `api_key_limit_reached`
 */
export async function createApiKey(ctx: Context, input: NewApiKey): Promise<{ keyId: string; apiKey: string }> {
  requireOwnerOrOperator(ctx, input.orgId);
  const now = ctx.now();
  if (input.expiresAt !== undefined && input.expiresAt <= now) {
    throw invalidField('/expires_at', 'too_small', 'Send a time in the future.');
  }
  assertReadsPrescriptions(input);
  assertIntegration(input);
  const { prescriptionShopIds = null } = input;
  const [shops] = prescriptionShopIds ? await ctx.db.rows(selectAreShops(input.orgId, prescriptionShopIds)) : [];
  if (shops?.areShops === 0) throw notFound('shop_not_found', 'This organization has no such shop.');
  const { id, key } = newApiKey(await isTestOrganization(ctx, input.orgId));
  const row = {
    id,
    orgId: input.orgId,
    familyId: newId(),
    name: input.name,
    scopes: [...new Set(input.scopes)],
    prescriptionShopIds,
    hash: await hashKey(ctx, key),
    sendsSubmittedEvents: true,
    reserves: input.reserves ?? false,
    reserveShare: input.reserveShare ?? null,
    stockShown: input.stockShown ?? 'none',
    createdAt: now,
    createdBy: ctx.actor.kind,
    expiresAt: input.expiresAt ?? null,
  };
  const batch = {
    key: store.insertApiKey(row, now),
    audit: recordAudit(ctx, { orgId: input.orgId, action: 'api_key.created', entityId: id }),
  };
  await commit(ctx, batch, { refused: keyLimit, constraints: organizationMustExist });
  return { keyId: id, apiKey: key };
}

function assertReadsPrescriptions({ scopes, prescriptionShopIds }: NewApiKey): void {
  const isReading = scopes.includes('prescriptions.read');
  if (isReading && scopes.includes('external_orders.submit')) {
    const message = 'A key of a platform (external_orders.submit) cannot have prescriptions.read. Create another key.';
    throw invalidField('/scopes', 'invalid_value', message);
  }
  if (!isReading && prescriptionShopIds) {
    const message = 'It limits prescriptions.read, which the key does not have.';
    throw invalidField('/prescription_shop_ids', 'invalid_value', message);
  }
}

/** @throws AppError `validation_failed` if stock settings are given for a key without `external_orders.submit` */
function assertIntegration({ scopes, reserves, reserveShare, stockShown }: NewApiKey): void {
  const isSet = reserves || (reserveShare ?? null) !== null || (stockShown ?? 'none') !== 'none';
  if (!isSet || scopes.includes('external_orders.submit')) return;
  const message = 'reserves, reserve_share and stock_shown are of keys with external_orders.submit.';
  throw invalidField('/scopes', 'invalid_value', message);
}

function keyLimit(): AppError {
  const detail = `An organization has at most ${API_KEYS_MAX} active API keys. Revoke one first.`;
  return new AppError('api_key_limit_reached', detail);
}

/**
 * Revokes a key at once. Its tokens stop working within 30 s. If no other key of its integration is active, the
 * callback of the integration ends too, and waiting events of the callback are not sent. Safe to repeat.
 * @throws AppError `api_key_not_found`
 */
export async function revokeApiKey(ctx: Context, { orgId, keyId }: { orgId: string; keyId: string }): Promise<void> {
  requireOwnerOrOperator(ctx, orgId);
  const at = ctx.now();
  await noting(ctx, { orgId, kind: 'api_key', id: keyId, at, until: at }, () => revoke(ctx, orgId, keyId));
}

/**
 * Ends a key that a restore of the database brought back. If the time `until` (epoch ms) has passed, the key is revoked
 * at once. Otherwise it expires at that time at the latest.
 */
export async function endKeyAgain(ctx: Context, key: { orgId: string; keyId: string; until: number }): Promise<void> {
  requireOperator(ctx);
  const { orgId, keyId, until } = key;
  const now = ctx.now();
  if (until > now) {
    await commit(ctx, { key: store.retireKey({ orgId, keyId, now, overlapMs: until - now }) });
    return;
  }
  const [found] = await ctx.db.rows(store.selectApiKey({ id: keyId }));
  if (found?.orgId === orgId && found.revokedAt === null) await revoke(ctx, orgId, keyId);
}

async function revoke(ctx: Context, orgId: string, keyId: string): Promise<void> {
  const now = ctx.now();
  const integrationId = store.familyOf(orgId, keyId);
  const isLast = store.hasNoActiveKey({ orgId, familyId: integrationId, now });
  await retryOnConflict(ctx, async () => {
    const { keys, callbacks } = await ctx.db.run({
      keys: store.selectApiKey({ id: keyId }),
      callbacks: selectCallbackOf(orgId, integrationId),
    });
    if (keys[0]?.orgId !== orgId) throw notFound('api_key_not_found');
    await commit(ctx, {
      key: store.revokeApiKeyRow(orgId, keyId, now),
      audit: recordAudit(ctx, { orgId, action: 'api_key.revoked', entityId: keyId }),
      callback: endingCallback(ctx, { orgId, integrationId, seen: callbacks[0]?.id }, isLast),
    });
  });
}

interface NewCallback {
  /** The id of an integration key. */
  keyId: string;
  url: string;
}

/**
 * Sets the callback of an integration key. The callback gets the events of order requests that were sent with this key
 * or with a key that replaced it. The callback ends when the last of these keys ends.
 * @returns the subscription, and the signing secret, which is returned only here
 * @throws AppError `api_key_not_found` if the key is no valid integration key; and the errors of `createCallback`
 */
export async function setCallback(ctx: Context, { keyId, url }: NewCallback) {
  const { orgId } = requireRole(ctx, ['owner']);
  const now = ctx.now();
  const [key] = await ctx.db.rows(store.selectApiKey({ id: keyId }));
  const isTheirs = key?.orgId === orgId && key.scopes.includes('external_orders.submit');
  if (!isTheirs || !isActiveKey(key, now)) throw notFound('api_key_not_found', 'There is no such integration key.');
  const { familyId } = key;
  return createCallback(ctx, { integrationId: familyId, url, isThere: store.hasActiveKey({ orgId, familyId, now }) });
}
