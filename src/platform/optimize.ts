import { requireSystem } from './access';
import type { Context } from './context';
import { OPTIMIZE } from './data/statements';

/**
 * Lets SQLite's planner learn how the database's tables have grown: for a job that runs once a day. It looks at some hundred rows
 * of an index, no more.
 */
export async function optimizeDatabase(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.run({ optimized: OPTIMIZE });
}
