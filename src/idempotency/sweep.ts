import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { HOUR_MS } from '../platform/time';
import { KEY_HOURS } from './limits';
import { deleteKeysBefore } from './store';

/** Keys that one run deletes: seven million a day in each database, more than eight API keys at their limit use. */
const PAGE = 5_000;

/** Deletes keys that are older than a day. */
export async function sweepKeys(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.run({ forgotten: deleteKeysBefore(ctx.now() - KEY_HOURS * HOUR_MS, PAGE) });
}
