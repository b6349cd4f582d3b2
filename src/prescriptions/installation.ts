import type { Context } from '../platform/context';
import { newId } from '../platform/ids';
import { confirmInstallation, insertInstallation, selectInstallation } from './store-files';

/** The R2 object that holds the installation's id. */
const INSTALLATION_KEY = 'installation';

interface Found {
  row: { id: string; confirmedAt: number | null } | undefined;
  inBucket: string | null;
}

/**
 * Whether this database may decide about the files of this bucket: both must hold the same installation id. If neither
 * has one, this creates it: first the row, then the object, then the row's confirmation, so that an interrupted run is
 * completed by the next one. Any other difference is reported and no file is moved: the `database_id` or bucket name is
 * wrong, or one of them was restored to a time before the id was created. A person has to decide; deleting both creates
 * a new id.
 * @throws AppError `backend_unreachable`
 */
export async function isOwnBucket(ctx: Context): Promise<boolean> {
  const found = await look(ctx);
  const { row, inBucket } = found.inBucket === null && !found.row?.confirmedAt ? await make(ctx, found) : found;
  if (row && row.id === inBucket) {
    if (row.confirmedAt === null) await ctx.db.run({ row: confirmInstallation(ctx.db, row.id, ctx.now()) });
    return true;
  }
  const missing = inBucket === null ? 'installation_not_in_bucket' : 'installation_not_in_database';
  ctx.log('error', 'deletions_stopped', { code: row && inBucket !== null ? 'installation_differs' : missing });
  return false;
}

async function look(ctx: Context): Promise<Found> {
  const { rows } = await ctx.db.run({ rows: selectInstallation(ctx.db) });
  const object = await ctx.files.get(INSTALLATION_KEY);
  return { row: rows[0], inBucket: object === null ? null : await object.text() };
}

/** Another run may do the same at the same time: both end with the first one's id in both places. */
async function make(ctx: Context, found: Found): Promise<Found> {
  if (!found.row) await ctx.db.run({ row: insertInstallation(ctx.db, newId(), ctx.now()) });
  const { row } = await look(ctx);
  if (row) await ctx.files.put(INSTALLATION_KEY, row.id, { onlyIf: { etagDoesNotMatch: '*' } });
  return look(ctx);
}
