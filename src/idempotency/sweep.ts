import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { HOUR_MS } from '../platform/time';
import { KEY_HOURS } from './limits';
import { deleteKeysBefore } from './store';

/** Keys that one run deletes: in a day seven millions of each database, more than eight keys at their limit use up. */
const PAGE = 5_000;

/** Forgets keys that are older than a day. */
export async function sweepKeys(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.run({ forgotten: deleteKeysBefore(ctx.now() - KEY_HOURS * HOUR_MS, PAGE) });
}
