import type * as z from 'zod';
import type { Context } from './context';
import { unavailable } from './errors/errors';
import { describeError } from './log';

/** Stores bytes under a new key. R2 checks them against their SHA-256. @throws AppError `backend_unreachable` */
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

/** Stores a small text under a key in place of an earlier one. @throws AppError `backend_unreachable` */
export async function putText(ctx: Context, key: string, text: string): Promise<void> {
  await orUnavailable(ctx, () => ctx.files.put(key, text, { httpMetadata: { contentType: 'application/json' } }));
}

/** Returns a small text; null if there is none under the key. @throws AppError `backend_unreachable` */
export function readText(ctx: Context, key: string): Promise<string | null> {
  return orUnavailable(ctx, async () => (await (await ctx.files.get(key))?.text()) ?? null);
}

/**
 * Returns the condition for a write to an object: the object has not changed since it was read.
 * @param etag the etag that was read; null if there was no object
 */
export function ifUnchanged(etag: string | null): R2Conditional {
  return etag === null ? { etagDoesNotMatch: '*' } : { etagMatches: etag };
}

/**
 * A JSON object that was read from the bucket. `writeHeld` writes it back only if nobody else has written it meanwhile.
 */
export interface Held<T> {
  record: T;
  /** Null if there was no object under the key. */
  etag: string | null;
}

/**
 * Reads a JSON object.
 * @returns null if there is no object under the key
 * @throws AppError `backend_unreachable`, also if the object does not match the schema
 */
export function readHeld<T>(ctx: Context, key: string, schema: z.ZodType<T>): Promise<Held<T> | null> {
  return orUnavailable(ctx, async () => {
    const object = await ctx.files.get(key);
    return object && { record: schema.parse(await object.json()), etag: object.etag };
  });
}

/**
 * Writes a JSON object back, unless somebody else has written it since it was read.
 * @returns the object with its new etag; null, without writing, if somebody else has written it
 * @throws AppError `backend_unreachable`
 */
export function writeHeld<T>(ctx: Context, key: string, { record, etag }: Held<T>): Promise<Held<T> | null> {
  return orUnavailable(ctx, async () => {
    const put = await ctx.files.put(key, JSON.stringify(record), { onlyIf: ifUnchanged(etag) });
    return put && { record, etag: put.etag };
  });
}

/** Lists keys in order. R2 may return fewer than `limit` even if more exist. @throws AppError `backend_unreachable` */
export function listFiles(
  ctx: Context,
  options: { prefix: string; startAfter?: string; limit: number },
): Promise<{ keys: string[]; isTruncated: boolean }> {
  return orUnavailable(ctx, async () => {
    const { objects, truncated } = await ctx.files.list(options);
    return { keys: objects.map(({ key }) => key), isTruncated: truncated };
  });
}

/** Returns the objects under a prefix, page by page. @throws AppError `backend_unreachable` */
export async function* objectsIn(
  ctx: Context,
  options: Pick<R2ListOptions, 'prefix' | 'include'>,
): AsyncGenerator<R2Object[]> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await orUnavailable(ctx, () => ctx.files.list({ ...options, cursor: cursor ?? undefined }));
    yield page.objects;
    cursor = page.truncated ? page.cursor : null;
  }
}

/**
 * Deletes the objects under these keys.
 * @param keys at most 1,000
 * @throws AppError `backend_unreachable`
 */
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
