import { requireSystem } from '../../platform/access';
import type { Context } from '../../platform/context';
import { describeError } from '../../platform/log';
import { DAY_MS } from '../../platform/time';
import { BELONGINGS } from './belongings';
import { deletePage, pageSizeOf, selectElsewhere, selectLeft } from './store';

/**
 * Deletes rows of an organization that are left in a database after a move, at most `pagesMax` pages. A row is deleted
 * before the rows that it refers to.
 * @returns the number of pages, and whether no rows are left
 */
export async function deleteRowsOf(
  ctx: Context,
  shard: number,
  orgId: string,
  pagesMax: number,
): Promise<{ pages: number; isDone: boolean }> {
  let pages = 0;
  for (const belonging of BELONGINGS.toReversed()) {
    for (let isLast = false; !isLast; pages += 1) {
      if (pages >= pagesMax) return { pages, isDone: false };
      const { deleted } = await ctx.databases.at(shard).run(deletePage(belonging, orgId));
      isLast = deleted.meta.changes < pageSizeOf(belonging);
    }
  }
  return { pages, isDone: true };
}

/** How long the rows of an organization that moved away are kept. */
const KEPT_MS = DAY_MS;
const LEFT_MAX = 1_000;
/** The most pages of rows that one run deletes. */
const PAGES_DELETED_MAX = 50;

/**
 * Deletes the rows of organizations that left this database at least a day ago: they moved away, or their move to this
 * database was given up. It starts with the organization that left first. The row in `organizations` is deleted last.
 * An organization's rows are deleted only if the directory says that the organization is on another database.
 */
export async function sweepLeft(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (ctx.databases.count === 1) return;
  const { shard } = ctx.db;
  const left = (await ctx.db.rows(selectLeft(ctx.now() - KEPT_MS, LEFT_MAX))).map(({ id }) => id);
  if (left.length === 0) return;
  const found = await ctx.databases.at(0).rows(selectElsewhere(left, shard));
  const elsewhere = new Set(found.map(({ orgId }) => orgId));
  let pages = 0;
  for (const orgId of left.filter((id) => elsewhere.has(id))) {
    const fields = { org_id: orgId, shard };
    try {
      const deleted = await deleteRowsOf(ctx, shard, orgId, PAGES_DELETED_MAX - pages);
      if (!deleted.isDone) return;
      pages += deleted.pages;
      ctx.log('info', 'moved_rows_deleted', fields);
    } catch (error) {
      // An error of one organization does not stop the others.
      ctx.log('error', 'moved_rows_kept', { ...fields, ...describeError(error) });
    }
  }
}
