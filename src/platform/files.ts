import type { Context } from './context';
import { unavailable } from './errors/errors';
import { describeError } from './log';

/** Stores bytes under a new key; R2 checks them against their SHA-256. @throws AppError `backend_unreachable` */
export async function putFile(
  ctx: Context,
  key: string,
  bytes: Uint8Array,
  sha256: Uint8Array,
  { contentType, customMetadata }: { contentType: string; customMetadata: Record<string, string> },
): Promise<void> {
  const put = () => ctx.files.put(key, bytes, { sha256, httpMetadata: { contentType }, customMetadata });
  await orUnavailable(ctx, put, 'file_put_failed');
}

/** Stores a small text under a key, and replaces an earlier one. @throws AppError `backend_unreachable` */
export async function putText(ctx: Context, key: string, text: string): Promise<void> {
  await orUnavailable(ctx, () => ctx.files.put(key, text, { httpMetadata: { contentType: 'application/json' } }));
}

/** A small text, or null if there is none. @throws AppError `backend_unreachable` */
export function readText(ctx: Context, key: string): Promise<string | null> {
  return orUnavailable(ctx, async () => (await (await ctx.files.get(key))?.text()) ?? null);
}

/** The condition that an object is still the one that was read: its etag, or null if there was no object. */
export function ifUnchanged(etag: string | null): R2Conditional {
  return etag === null ? { etagDoesNotMatch: '*' } : { etagMatches: etag };
}

/** Keys in order. R2 may return fewer than `limit` even if more exist. @throws AppError `backend_unreachable` */
export function listFiles(
  ctx: Context,
  options: { prefix: string; startAfter?: string; limit: number },
): Promise<{ keys: string[]; isTruncated: boolean }> {
  return orUnavailable(ctx, async () => {
    const { objects, truncated } = await ctx.files.list(options);
    return { keys: objects.map(({ key }) => key), isTruncated: truncated };
  });
}

/** @param keys at most 1,000 @throws AppError `backend_unreachable` */
export function deleteFiles(ctx: Context, keys: string[]): Promise<void> {
  return orUnavailable(ctx, () => ctx.files.delete(keys));
}

async function orUnavailable<T>(ctx: Context, act: () => Promise<T>, event = 'files_failed'): Promise<T> {
  try {
    return await act();
  } catch (error) {
    ctx.log('error', event, describeError(error));
    throw unavailable();
  }
}
