import type { Context } from '../../platform/context';
import { assertNotCooling, countFailure, isCooling } from '../../platform/rate-limit';
import { hashKey } from './format';

/**
 * What keeps strangers from trying keys without end, and never stands in a usable key's way: failures are counted for
 * the address, and for the address with exactly this key. Only a caller without a key, or with a key that itself failed
 * again and again, is turned away before the read that would tell. So neither garbage that carries a real key's id nor a
 * neighbor behind the same address locks a key out; a stranger who makes up a new key each time costs one read of two
 * rows each, and is answered 429.
 *
 * @param presented the key as sent, its form checked; null when none was
 * @throws AppError `rate_limited`
 */
export async function assertMayTry(ctx: Context, address: string, presented: string | null): Promise<void> {
  if (!isCooling(ctx, 'auth', { address })) return;
  const also = presented === null ? undefined : [await failedKey(ctx, address, presented)];
  assertNotCooling(ctx, 'auth', also ? { also } : { address });
}

/**
 * Counts a key that is missing or not usable. A key that is usable, but elsewhere or for something else, is not counted
 * by itself: pass null for it.
 * @throws AppError `rate_limited` once there are too many
 */
export async function countFailedKey(ctx: Context, address: string, presented: string | null): Promise<void> {
  const also = presented === null ? undefined : [await failedKey(ctx, address, presented)];
  await countFailure(ctx, 'auth', { address, also });
}

/** A hash with the pepper, as it is stored: what was sent may be a real key that was revoked. */
async function failedKey(ctx: Context, address: string, presented: string): Promise<string> {
  return `${address} key ${await hashKey(ctx.config.keyPepper, presented)}`;
}
