import { type Context, onEachDatabase, withDatabase } from '../platform/context';
import { confirmInstallation, insertInstallation, selectInstallation } from '../platform/data/databases';
import { ifUnchanged, listFiles } from '../platform/files';
import { newId } from '../platform/ids';
import { describeError } from '../platform/log';
import type { selectExplained, selectReferenced } from './store';

/**
 * The prefix of the keys of the R2 objects that hold the databases' ids: `installation` for `DB`, `installation-1` for
 * `DB_1`.
 */
const INSTALLATION_KEY = 'installation';
/** The most ids of databases that are listed. A Worker cannot bind that many databases. */
const DATABASES_MAX = 1_000;

interface Found {
  row: { id: string; shard: number; confirmedAt: number | null } | undefined;
  inBucket: string | null;
}

/**
 * Whether this database may decide about its files in this bucket. Both must hold the same installation id, and the
 * database must hold the number under which it is bound.
 *
 * If neither has an id, this function creates it: first the row, then the object, then the row's confirmation. In this
 * order, the next run can complete an interrupted one.
 *
 * Any other difference is logged, and no file is moved. A person has to find the reason: the `database_id` or the
 * bucket's name is wrong, or the database or the bucket was restored to a time before the id was created. After both
 * ids are deleted, the next run creates a new one.
 * @throws AppError `backend_unreachable`
 */
export async function isOwnBucket(ctx: Context): Promise<boolean> {
  const found = await look(ctx);
  const { row, inBucket } = found.inBucket === null && !found.row?.confirmedAt ? await make(ctx, found) : found;
  if (row && row.id === inBucket && row.shard === ctx.db.shard) {
    if (row.confirmedAt === null) await ctx.db.run({ row: confirmInstallation(row.id, ctx.now()) });
    return true;
  }
  const missing = inBucket === null ? 'installation_not_in_bucket' : 'installation_not_in_database';
  const code = row && inBucket !== null ? 'installation_differs' : missing;
  ctx.log('error', 'deletions_stopped', { code, shard: ctx.db.shard });
  return false;
}

/**
 * Whether the bound databases together may decide about all files of this bucket. `isOwnBucket` must hold for each of
 * them. The bucket must not name another database, because the files of that database would seem to have no row.
 * @throws AppError `backend_unreachable` if one of them cannot be queried
 */
export async function isBucketOfAll(ctx: Context): Promise<boolean> {
  const own = await askEachDatabase(ctx, isOwnBucket);
  if (own.includes(false)) return false;
  const bound = onEachDatabase(ctx).map(keyOf);
  const { keys } = await listFiles(ctx, { prefix: INSTALLATION_KEY, limit: DATABASES_MAX });
  const isComplete = keys.every((key) => bound.includes(key));
  if (!isComplete) ctx.log('error', 'deletions_stopped', { code: 'database_not_bound', count: keys.length });
  return isComplete;
}

/** Returns the ids of the databases that this bucket belongs to, by database number. @throws R2's error */
export async function installationIds(ctx: Context): Promise<ReadonlyMap<number, string>> {
  const { objects } = await ctx.files.list({
    prefix: INSTALLATION_KEY,
    limit: DATABASES_MAX,
    include: ['customMetadata'],
  });
  const numberOf = (key: string) => Number(key.slice(INSTALLATION_KEY.length + 1));
  const told = objects.flatMap(({ key, customMetadata: { id } = {} }) => (id ? [[numberOf(key), id] as const] : []));
  return new Map(told);
}

function keyOf({ db }: Context): string {
  return db.shard === 0 ? INSTALLATION_KEY : `${INSTALLATION_KEY}-${db.shard}`;
}

async function look(ctx: Context): Promise<Found> {
  const rows = await ctx.db.rows(selectInstallation());
  const object = await ctx.files.get(keyOf(ctx));
  return { row: rows[0], inBucket: object === null ? null : await object.text() };
}

/**
 * Creates the installation id. If several runs do so at the same time, the database and the bucket both get the id of
 * the first run.
 */
async function make(ctx: Context, found: Found): Promise<Found> {
  if (!found.row) await ctx.db.run({ row: insertInstallation({ id: newId(), shard: ctx.db.shard, now: ctx.now() }) });
  const { row } = await look(ctx);
  if (row?.shard === ctx.db.shard)
    await ctx.files.put(keyOf(ctx), row.id, {
      onlyIf: ifUnchanged(null),
      // Lets a list return the id without reading the object.
      customMetadata: { id: row.id },
    });
  return look(ctx);
}

/** D1's limit for the queries of an invocation. */
const QUERIES_MAX = 1_000;

/**
 * Returns the result of `ask` for each database. All are asked, because the bucket belongs to all of them.
 * `isBucketOfAll` has checked before that they are the right databases, so that one query each is enough.
 * @throws the error of the first database that fails, because nothing may be moved or deleted without every result
 */
function askEachDatabase<T>(ctx: Context, ask: (at: Context) => Promise<T>): Promise<T[]> {
  const asked = onEachDatabase(ctx).map(async (at) => {
    try {
      return await ask(withDatabase(at, ctx.databases.unasked(at.db.shard)));
    } catch (error) {
      ctx.log('error', 'database_failed', { shard: at.db.shard, ...describeError(error) });
      throw error;
    }
  });
  return Promise.all(asked);
}

/**
 * Returns those of the given R2 keys that a statement finds in any database.
 * @throws as `askEachDatabase`
 */
export async function keysFound(
  ctx: Context,
  fileKeys: readonly string[],
  select: typeof selectReferenced | typeof selectExplained,
): Promise<ReadonlySet<string | null>> {
  if (fileKeys.length === 0) return new Set();
  const found = await askEachDatabase(ctx, ({ db }) => db.run({ rows: select(fileKeys) }));
  return new Set(found.flatMap(({ rows }) => rows.map(({ fileKey }) => fileKey)));
}

/**
 * Returns the number of pages of files for which a run may query every database. It is as many as `queries` allows, but
 * at least one. If even one page would exceed D1's limit per invocation, logs an error and returns 0.
 */
export function pagesWithin(ctx: Context, queries: number): number {
  const { count } = ctx.databases;
  if (ctx.db.meter.statements + count > QUERIES_MAX) {
    ctx.log('error', 'files_not_looked_through', { total: count });
    return 0;
  }
  return Math.max(1, Math.floor(queries / count));
}
