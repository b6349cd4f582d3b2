import { type Context, onEachDatabase, withDatabase } from '../platform/context';
import { describeError } from '../platform/log';
import type { selectExplained, selectReferenced } from './store-files';

/** D1 allows an invocation so many. */
const QUERIES_MAX = 1_000;

/**
 * Asks every database, because the bucket belongs to all of them. What each says of itself is compared by `isBucketOfAll` first, so
 * it is one query each.
 * @throws what the first one fails with: whoever cannot ask all may move or delete nothing
 */
export function askEachDatabase<T>(ctx: Context, ask: (at: Context) => Promise<T>): Promise<T[]> {
  const asked = onEachDatabase(ctx).map(async (at) => {
    try {
      return await ask(withDatabase(at, ctx.databases.unasked(at.db.shard)));
    } catch (error) {
      ctx.log('error', 'database_failed', { shard: at.db.shard, ...describeError(error) });
      throw error;
    }
  });
  return Promise.all(asked);
}

/** Those of these R2 keys that a statement finds in any database. @throws as `askEachDatabase` */
export async function keysFound(
  ctx: Context,
  fileKeys: readonly string[],
  select: typeof selectReferenced | typeof selectExplained,
): Promise<ReadonlySet<string | null>> {
  if (fileKeys.length === 0) return new Set();
  const found = await askEachDatabase(ctx, ({ db }) => db.run({ rows: select(fileKeys) }));
  return new Set(found.flatMap(({ rows }) => rows.map(({ fileKey }) => fileKey)));
}

/**
 * For how many pages of files a run may ask every database: as many as its share of queries allows, and at least one. None where even
 * that is more than D1 allows an invocation: the log then says so.
 */
export function pagesWithin(ctx: Context, queries: number): number {
  const { count } = ctx.databases;
  if (ctx.db.meter.statements + count > QUERIES_MAX) {
    ctx.log('error', 'files_not_looked_through', { total: count });
    return 0;
  }
  return Math.max(1, Math.floor(queries / count));
}
