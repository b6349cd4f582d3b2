import type { Context } from '../platform/context';

/**
 * The database with the most room: that is where a new organization goes. With one database no round trip, with several one
 * for each, at once.
 * @throws AppError `backend_unreachable` when none can be reached; one of several is left out
 */
export async function mostRoom(ctx: Context): Promise<number> {
  const { count } = ctx.databases;
  if (count === 1) return 0;
  const sizes = await Promise.allSettled(Array.from({ length: count }, (_, shard) => ctx.databases.size(shard)));
  const reached = sizes.flatMap((size, shard) => (size.status === 'fulfilled' ? [{ shard, bytes: size.value }] : []));
  const [first, ...others] = reached;
  if (!first) throw (sizes[0] as PromiseRejectedResult).reason;
  return others.reduce((best, each) => (each.bytes < best.bytes ? each : best), first).shard;
}
