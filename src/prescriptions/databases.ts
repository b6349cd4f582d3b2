import { type Context, onEachDatabase } from '../platform/context';
import { describeError } from '../platform/log';

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
