import { requireSystem } from '../../platform/access';
import type { Context } from '../../platform/context';
import { describeError } from '../../platform/log';
import { DAY_MS } from '../../platform/time';
import { BELONGINGS, type Belonging } from './belongings';
import { deletePage, pageSizeOf, selectElsewhere, selectLeft } from './store';

/**
 * Deletes one page of the rows that an organization left behind, children first.
 * @param from the table to continue with; null to begin at the last table
 * @returns the table to continue with; true when no rows are left
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
 * Deletes rows of organizations from this database a day after the organization moved away, or a day after a move to this
 * database was given up. Starts with the organization that left first, and deletes its own row last. Deletes nothing of an
 * organization unless the directory says that it lives elsewhere.
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

/**
 * Deletes pages of one organization. Never throws, so that a failure does not delay other organizations.
 * @returns how many pages were tried
 */
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
