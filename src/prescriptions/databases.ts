import { type Context, onEachDatabase } from '../platform/context';
import { describeError } from '../platform/log';
import type { selectExplained, selectReferenced } from './store-files';

/**
 * Asks every database, because the bucket belongs to all of them.
 * @throws what the first one fails with: whoever cannot ask all may move or delete nothing
 */
export function askEachDatabase<T>(ctx: Context, ask: (at: Context) => Promise<T>): Promise<T[]> {
  const asked = onEachDatabase(ctx).map(async (at) => {
    try {
      return await ask(at);
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
