import { sql } from 'drizzle-orm';
import { requireSystem } from './access';
import type { Context } from './context';
import { orm } from './statements';

/**
 * Renews what SQLite's planner knows of the database's tables, where they have changed much: for a job that runs once a day. It
 * looks at some hundred rows of each index, no more.
 */
export async function optimizeDatabase(ctx: Context): Promise<void> {
  requireSystem(ctx);
  await ctx.db.run({ optimized: orm.run(sql`pragma optimize`) });
}
