import type { Context } from '../../platform/context';
import { IsolateCache } from '../../platform/isolate-cache';
import { type ApiKeyRow, selectApiKey } from './store';

/** After a key is revoked, its tokens stop working within this time in every isolate. */
const CACHE_MS = 30_000;
const CACHED_KEYS_MAX = 1_000;

/** Keys that are not there are kept, too. */
const cache = new IsolateCache<{ row: ApiKeyRow | undefined }>(CACHED_KEYS_MAX, CACHE_MS);

/** For what is to be seen at once where it was changed; other isolates see it once their rows are that old. */
export function forgetKeys(): void {
  cache.clear();
}

/** The row of a key, at most 30 s old. */
export async function keyState(ctx: Context, keyId: string): Promise<ApiKeyRow | undefined> {
  const read = async () => {
    const key = await ctx.db.rows(selectApiKey({ id: keyId }));
    return { row: key[0] };
  };
  return (await cache.get(keyId, read, ctx.now())).row;
}
