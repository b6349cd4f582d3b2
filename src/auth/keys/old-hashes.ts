import { requireOperator } from '../../platform/access';
import type { Context } from '../../platform/context';
import { countKeysUnder } from './store';

/**
 * How many valid API keys of the database have their hash under a pepper. Each is written anew when it is used; nobody else knows
 * what its hash would be.
 */
export async function countOldKeys(ctx: Context, pepperId: string): Promise<number> {
  requireOperator(ctx);
  const counted = await ctx.db.rows(countKeysUnder(pepperId, ctx.now()));
  return counted[0]?.left ?? 0;
}
