import type { Context } from './context';
import { unavailable } from './errors';
import { describeError } from './log';

/** Stores bytes under a fresh key; R2 checks them against their SHA-256. @throws AppError `backend_unreachable` */
export async function putFile(
  ctx: Context,
  key: string,
  bytes: Uint8Array,
  sha256: Uint8Array,
  contentType: string,
): Promise<void> {
  try {
    await ctx.files.put(key, bytes, { sha256, httpMetadata: { contentType } });
  } catch (error) {
    ctx.log('error', 'file_put_failed', describeError(error));
    throw unavailable();
  }
}
