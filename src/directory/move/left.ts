import { requireSystem } from '../../platform/access';
import type { Context } from '../../platform/context';
import { describeError } from '../../platform/log';
import { DAY_MS } from '../../platform/time';
import { BELONGINGS, type Belonging } from './belongings';
import { deletePage, pageSizeOf, selectElsewhere, selectLeft } from './store';

/**
 * Deletes a page of what an organization left behind, children first.
 * @param from the table to go on with; null for the last one
 * @returns the table to go on with; true when nothing is left
 */
export async function deleteOf(
  ctx: Context,
  shard: number,
  orgId: string,
  from: string | null,
): Promise<string | true> {
  const db = ctx.databases.at(shard);
  const at = from === null ? BELONGINGS.length - 1 : BELONGINGS.findIndex(({ table }) => table === from);
  // SAFETY: there is a table at each of these places.
  const belonging = BELONGINGS[at] as Belonging;
  const { deleted } = await db.run(deletePage(belonging, orgId));
  if (deleted.meta.changes >= pageSizeOf(belonging)) return belonging.table;
  return at === 0 ? true : (BELONGINGS[at - 1]?.table ?? true);
}

/** How long the rows of an organization that moved away are kept. */
const KEPT_MS = DAY_MS;
const LEFT_MAX = 1_000;
/** Deleted by one run. */
const PAGES_DELETED_MAX = 50;

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
    if (pages >= PAGES_DELETED_MAX) return;
    pages += await deleteLeft(ctx, orgId, PAGES_DELETED_MAX - pages);
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
