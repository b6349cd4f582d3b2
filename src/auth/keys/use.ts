import type { Actor, Context } from '../../platform/context';
import { isCurrent } from '../../platform/crypto/crypto';
import type { Statement } from '../../platform/data/statements';
import { assertNotCooling, countFailure, isCooling } from '../../platform/http/rate-limit';
import { IsolateCache } from '../../platform/isolate-cache';
import { mac } from '../../platform/mac';
import { KEY_CACHE_MS } from '../limits';
import { hashKey, isActiveKey, isKeyOf } from './format';
import { type ApiKeyRow, selectApiKey, touchApiKey, touchWithHash } from './store';

/** Returns a SELECT of the key with this id. The caller runs it in its own batch. */
export function apiKeyById(id: string) {
  return selectApiKey({ id });
}

/** Whether a presented key is the key of this row and may be used. False does not tell the reason. */
export async function isUsableKey(ctx: Context, presented: string, row: ApiKeyRow | undefined): Promise<boolean> {
  if (!row || !(await isKeyOf(ctx, presented, row.hash))) return false;
  return isActiveKey(row, ctx.now());
}

export function actorOfKey(row: ApiKeyRow): Extract<Actor, { kind: 'api_key' }> {
  const { id: keyId, familyId, orgId, scopes, prescriptionShopIds } = row;
  return { kind: 'api_key', keyId, familyId, orgId, scopes, prescriptionShopIds };
}

const LAST_USED_EVERY_MS = 60_000;

/**
 * Returns the statement that records the use of a key. There is none if a use was recorded within the last minute. If
 * the stored hash was made under an old root secret, the statement is always returned, and also replaces the hash.
 * @param key as presented, verified
 */
export async function noteKeyUse(ctx: Context, row: ApiKeyRow, key: string): Promise<{ keyUse?: Statement }> {
  const [id, now] = [row.id, ctx.now()];
  if (!isCurrent(ctx.config.roots, row.hash))
    return { keyUse: touchWithHash({ id, now, hash: await hashKey(ctx, key) }) };
  if (row.lastUsedAt !== null && now - row.lastUsedAt < LAST_USED_EVERY_MS) return {};
  return { keyUse: touchApiKey({ id, now }) };
}

/**
 * Refuses a caller who has tried too many wrong keys. It never refuses a usable key. Two counters count failures: one
 * for the address, one for the address together with this key. When the address has failed too often, a caller without
 * a key is refused. A caller with a key is refused only if this key has failed too often from this address. So nobody
 * can lock a key out by sending wrong keys with its id, or by sending wrong keys from the same address. A caller who
 * sends a new invented key each time causes one read of two rows per request, and gets 429.
 *
 * @param presented the key as sent, its format already checked; null when none was sent
 * @throws AppError `rate_limited`
 */
export async function assertMayTry(ctx: Context, address: string, presented: string | null): Promise<void> {
  if (!isCooling(ctx, 'auth', { address })) return;
  const also = await failedKey(ctx, address, presented);
  assertNotCooling(ctx, 'auth', also ? { also } : { address });
}

/**
 * Counts a failed attempt. Pass null for a usable key that was sent to the wrong place or lacks a scope, because such a
 * key must not be refused later.
 * @throws AppError `rate_limited` when there were too many failures
 */
export async function countFailedKey(ctx: Context, address: string, presented: string | null): Promise<void> {
  await countFailure(ctx, 'auth', { address, also: await failedKey(ctx, address, presented) });
}

/**
 * Returns the name of the counter for one API key at one address; undefined without a key. It contains a MAC instead of
 * the key, because the key may be a real one that was revoked.
 */
async function failedKey(ctx: Context, address: string, presented: string | null): Promise<string[] | undefined> {
  return presented === null ? undefined : [`${address} key ${await mac(ctx, 'failed api key', presented)}`];
}

const CACHED_KEYS_MAX = 1_000;

/** The rows of keys, by key id. A key that was not found is cached too, with the row undefined. */
const cache = new IsolateCache<{ row: ApiKeyRow | undefined }>(CACHED_KEYS_MAX, KEY_CACHE_MS);

/** Clears the cache, so that this isolate sees a change at once. Other isolates see it within `KEY_CACHE_MS`. */
export function forgetKeys(): void {
  cache.clear();
}

/** Reads a key's row through the cache, so the row may be `KEY_CACHE_MS` old. */
export async function keyState(ctx: Context, keyId: string): Promise<ApiKeyRow | undefined> {
  const read = async () => {
    const key = await ctx.db.rows(selectApiKey({ id: keyId }));
    return { row: key[0] };
  };
  return (await cache.get(keyId, read, ctx.now())).row;
}
