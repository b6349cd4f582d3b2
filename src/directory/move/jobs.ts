import { requireSystem } from '../../platform/access';
import type { Context } from '../../platform/context';
import { describeError } from '../../platform/log';
import { DAY_MS } from '../../platform/time';
import { continueMove } from './move';
import { deleteOf } from './steps';
import { selectLeft } from './store-copy';
import { selectElsewhere, selectUnderWay } from './store-moves';

/** Moves that one run goes on with. */
const MOVES_MAX = 3;
/** How long the rows of an organization that moved away are kept. */
const KEPT_MS = DAY_MS;
const LEFT_MAX = 1_000;
/** Deleted by one run. */
const PAGES_MAX = 50;

/** Goes on with moves whose caller ended, so that no pharmacy stays fenced. They are kept in `DB`, whose turn this is. */
export async function sweepMoves(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (ctx.databases.count === 1 || ctx.db.shard !== 0) return;
  const { underWay } = await ctx.db.run({ underWay: selectUnderWay(MOVES_MAX) });
  for (const { orgId } of underWay) await continueMove(ctx, orgId);
}

/**
 * Deletes what an organization left behind in this database a day after it moved, or after a move to it was given up. The
 * oldest goes first, and its own row last; nothing is deleted of one that does not live elsewhere.
 */
export async function sweepLeft(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (ctx.databases.count === 1) return;
  const { left } = await ctx.db.run({ left: selectLeft(ctx.now() - KEPT_MS, LEFT_MAX) });
  if (left.length === 0) return;
  const directory = ctx.databases.at(0);
  const orgIds = left.map(({ id }) => id);
  const { found } = await directory.run({ found: selectElsewhere(orgIds, ctx.db.shard) });
  const elsewhere = new Set(found.map(({ orgId }) => orgId));
  let pages = 0;
  for (const orgId of orgIds.filter((id) => elsewhere.has(id))) {
    if (pages >= PAGES_MAX) return;
    pages += await deleteLeft(ctx, orgId, PAGES_MAX - pages);
  }
}

/** Never throws, so that one organization keeps no other waiting. @returns how many pages were tried */
async function deleteLeft(ctx: Context, orgId: string, pagesMax: number): Promise<number> {
  const fields = { org_id: orgId, shard: ctx.db.shard };
  let table: string | null | true = null;
  let pages = 0;
  try {
    while (table !== true && pages < pagesMax) {
      pages += 1;
      table = await deleteOf(ctx, ctx.db.shard, orgId, table);
    }
    if (table === true) ctx.log('info', 'moved_rows_deleted', fields);
  } catch (error) {
    ctx.log('error', 'moved_rows_kept', { ...fields, ...describeError(error) });
  }
  return pages;
}
