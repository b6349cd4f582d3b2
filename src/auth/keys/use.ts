import type { Actor, Context } from '../../platform/context';
import type { Statement } from '../../platform/data/db';
import { isCurrentMac } from '../../platform/mac';
import { hashKey, isKeyOf } from './format';
import { isActiveKey } from './rules';
import { type ApiKeyRow, selectApiKey, touchApiKey, touchWithHash } from './store';

/** The statement that finds a key by the id it contains, for the caller's own batch. */
export function apiKeyById(id: string) {
  return selectApiKey({ id });
}

/** Whether a presented key is the key of this row and is still usable. The result does not tell why it is not. */
export async function isUsableKey(ctx: Context, presented: string, row: ApiKeyRow | undefined): Promise<boolean> {
  if (!row || !(await isKeyOf(ctx, presented, row.hash))) return false;
  return isActiveKey(row, ctx.now());
}

export function actorOfKey(row: ApiKeyRow): Extract<Actor, { kind: 'api_key' }> {
  return { kind: 'api_key', keyId: row.id, familyId: row.familyId, orgId: row.orgId, scopes: row.scopes };
}

const LAST_USED_EVERY_MS = 60_000;

/**
 * The statement that records the use of a key, or none if a use was recorded within the last minute. A hash under an old pepper
 * is written anew with it, at once.
 * @param key as presented, verified
 */
export async function noteKeyUse(ctx: Context, row: ApiKeyRow, key: string): Promise<{ keyUse?: Statement }> {
  const [id, now] = [row.id, ctx.now()];
  if (!isCurrentMac(ctx, row.hash)) return { keyUse: touchWithHash({ id, now, hash: await hashKey(ctx, key) }) };
  if (row.lastUsedAt !== null && now - row.lastUsedAt < LAST_USED_EVERY_MS) return {};
  return { keyUse: touchApiKey({ id, now }) };
}
