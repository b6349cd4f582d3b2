import type { Context } from '../../platform/context';
import { type ApiKeyRow, selectApiKey } from './store';

/** After a key is revoked, its tokens stop working within this time in every isolate. */
const CACHE_MS = 30_000;
const CACHED_KEYS_MAX = 1_000;

/** Holds values, never promises: on Workers, a promise that another request started may never settle. */
const cache = new Map<string, { row: ApiKeyRow | undefined; readAt: number }>();

/** The row of a key, at most 30 s old. */
export async function keyState(ctx: Context, keyId: string): Promise<ApiKeyRow | undefined> {
  const known = cache.get(keyId);
  if (known && ctx.now() - known.readAt < CACHE_MS) return known.row;
  const { key } = await ctx.db.run({ key: selectApiKey({ id: keyId }) });
  if (cache.size >= CACHED_KEYS_MAX) cache.clear();
  cache.set(keyId, { row: key[0], readAt: ctx.now() });
  return key[0];
}
