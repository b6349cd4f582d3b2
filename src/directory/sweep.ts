import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { HOUR_MS } from '../platform/time';
import type { StandsBehind } from './reserve';
import { deleteAsRead, selectEntriesOf } from './store';
import type { DirectoryKind } from './tables';

export { sweepLeft, sweepMoves } from './move/jobs';

const PAGE = 200;

/**
 * Deletes the entries of one kind that lead to the database of the context, are older than an hour and have nothing behind
 * them: what was reserved and never written, and what was removed from a database that has no directory. With one database
 * there are none, and no round trip.
 */
export async function sweepEntries(ctx: Context, kind: DirectoryKind, standsBehind: StandsBehind): Promise<void> {
  requireSystem(ctx);
  if (ctx.databases.count === 1) return;
  const directory = ctx.databases.at(0);
  const at = { kind, shard: ctx.db.shard };
  const before = ctx.now() - HOUR_MS;
  let after = { orgId: '', key: '' };
  for (let isLast = false; !isLast; ) {
    const { page } = await directory.run({ page: selectEntriesOf(at, { before, after, limit: PAGE }) });
    const kept = new Set(await standsBehind(ctx.db, page));
    const lost = page.filter((entry) => !kept.has(entry));
    if (lost.length > 0) await directory.run({ gone: deleteAsRead(lost) });
    after = page.at(-1) ?? after;
    isLast = page.length < PAGE;
  }
}
