import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { HOUR_MS } from '../platform/time';
import { KEY_HOURS } from './limits';
import { deleteKeysBefore } from './store';

/** Keys that one run deletes: in a day more than a million of each database. */
const PAGE = 1000;

/** Forgets keys that are older than a day. */
export async function sweepKeys(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.run({ forgotten: deleteKeysBefore(ctx.now() - KEY_HOURS * HOUR_MS, PAGE) });
}
