import type { Context } from '../../platform/context';
import { assertNotCooling, countFailure, isCooling } from '../../platform/http/rate-limit';
import { mac } from '../../platform/mac';

/**
 * Limits how often somebody can try keys, and never refuses a usable key. Failures are counted by address, and by
 * address together with exactly this key. A caller is refused before the key is read only when no key was sent or when
 * exactly this key has failed repeatedly. So nobody can lock a key out by sending wrong keys with its id, or by sending
 * wrong keys from the same address. Somebody who sends a new invented key each time causes one read of two rows per
 * request, and gets 429.
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
 * Counts a failed attempt. Pass null for a key that is usable in itself but was sent to the wrong place or lacks a
 * scope: such a key must not be refused later.
 * @throws AppError `rate_limited` when there were too many failures
 */
export async function countFailedKey(ctx: Context, address: string, presented: string | null): Promise<void> {
  await countFailure(ctx, 'auth', { address, also: await failedKey(ctx, address, presented) });
}

/** The key itself is not kept here either, because it may be a real key that was revoked. */
async function failedKey(ctx: Context, address: string, presented: string | null): Promise<string[] | undefined> {
  return presented === null ? undefined : [`${address} key ${await mac(ctx, 'failed api key', presented)}`];
}
