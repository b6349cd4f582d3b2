import { type Context, onEachDatabase } from '../platform/context';
import { invalidInput } from '../platform/errors';
import { ping } from './store';

/**
 * The database with the most room: that is where a new organization goes. With one database no round trip, with several one
 * for each, at once.
 * @throws AppError `backend_unreachable` when none can be reached; one of several is left out
 */
export async function mostRoom(ctx: Context): Promise<number> {
  if (ctx.databases.count === 1) return 0;
  const answers = await Promise.allSettled(
    onEachDatabase(ctx).map(({ db }) => db.run({ answer: ping() }).then(() => db)),
  );
  const reached = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const [first, ...others] = reached;
  if (!first) throw (answers[0] as PromiseRejectedResult).reason;
  return others.reduce((best, db) => ((db.sizeBytes ?? 0) < (best.sizeBytes ?? 0) ? db : best), first).shard;
}

/** @throws AppError `validation_failed` when no database has this number */
export function requireBound(ctx: Context, shard: number): void {
  const { count } = ctx.databases;
  if (shard < count) return;
  const message = `Send the number of a database: 0 to ${count - 1}.`;
  throw invalidInput([{ pointer: '/shard', code: 'not_bound', message }]);
}
