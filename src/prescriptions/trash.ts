import { requireOperator } from '../platform/access';
import type { Context } from '../platform/context';
import { unavailable } from '../platform/errors/errors';
import { describeError } from '../platform/log';
import { mapConcurrent } from '../platform/map-concurrent';
import { DAY_MS, HOUR_MS } from '../platform/time';
import { keysFound, pagesWithin } from './installation';
import { ORPHAN_AGE_MS, TRASH_KEPT_MS } from './limits';
import { FILE_PREFIX, type FileOwner, ownerOfFile } from './storage';
import { selectExplained } from './store';

export const TRASH_PREFIX = 'trash/';
/**
 * The reason why a file is in the trash. `orphan`: no row referred to it. `given_up`: it was on the deletion list. The
 * file's metadata contain the reason.
 */
type Reason = 'orphan' | 'given_up';

/** How many days of the trash are searched: the longest time that files stay there, and two days for the sweep to run. */
const DAYS_LOOKED_AT = TRASH_KEPT_MS.orphan / DAY_MS + 2;
/** How many files are copied at a time. R2 shares the six connections of an invocation with all other calls. */
const AT_ONCE = 4;

/** Returns the key of a file in the trash: `trash/<yyyy-mm-dd>/<original key>`. It contains only ids and dates. */
function trashKeyOf(fileKey: string, time: number): string {
  return `${TRASH_PREFIX}${new Date(time).toISOString().slice(0, 10)}/${fileKey}`;
}

/** Returns the key that a file in the trash had before. */
export function originalKeyOf(trashKey: string): string {
  return trashKey.slice(TRASH_PREFIX.length + 'yyyy-mm-dd/'.length);
}

/** Whether a file has been in the trash long enough to be deleted. A file without metadata counts as an orphan. */
export function isOver({ key, customMetadata }: R2Object, now: number): boolean {
  const since = Number(customMetadata?.trashed_at) || Date.parse(key.slice(TRASH_PREFIX.length).slice(0, 10)) + DAY_MS;
  return now - since > TRASH_KEPT_MS[reasonOf({ customMetadata })];
}

function reasonOf({ customMetadata }: Pick<R2Object, 'customMetadata'>): Reason {
  return customMetadata?.reason === 'given_up' ? 'given_up' : 'orphan';
}

/**
 * Moves files into the trash. They are first copied with their checksum, and then deleted. After an interruption, the
 * file is still in its place, and the next run repeats the move. A missing file counts as moved.
 * @returns the keys of the files that are no longer in their place
 * @throws R2's error if no file could be copied, or if deleting fails
 */
export async function moveToTrash(ctx: Context, fileKeys: readonly string[], reason: Reason): Promise<string[]> {
  const now = ctx.now();
  const customMetadata = { reason, trashed_at: String(now) };
  const copied = await eachAlone(ctx, fileKeys, async (fileKey) => {
    const to = trashKeyOf(fileKey, now);
    if (await copy(ctx, fileKey, to, customMetadata)) return;
    // The file was already in the trash as an orphan; now that it is given up, the shorter retention applies.
    const lying = reason === 'given_up' ? await findInTrash(ctx, fileKey) : null;
    if (!lying || reasonOf(lying) === reason) return;
    await copy(ctx, lying.key, to, customMetadata);
    if (lying.key !== to) await ctx.files.delete(lying.key);
  });
  if (copied.length > 0) await ctx.files.delete(copied);
  return copied;
}

/**
 * Moves files from the trash back to their original keys.
 * @returns the number of moved files
 */
export async function putBack(ctx: Context, trashKeys: readonly string[]): Promise<number> {
  const back = await eachAlone(ctx, trashKeys, async (trashKey) => {
    const fileKey = originalKeyOf(trashKey);
    if ((await ctx.files.head(fileKey)) === null) await copy(ctx, trashKey, fileKey);
  });
  if (back.length > 0) await ctx.files.delete(back);
  return back.length;
}

/**
 * Returns a file that is in its place or in the trash; null if it is in neither.
 * @param length if given, only this many bytes from the start are read
 */
export async function openFile(ctx: Context, fileKey: string, length?: number): Promise<R2ObjectBody | null> {
  const part = length === undefined ? {} : { range: { offset: 0, length } };
  const inPlace = await ctx.files.get(fileKey, part);
  if (inPlace) return inPlace;
  const lying = await findInTrash(ctx, fileKey);
  return lying && ctx.files.get(lying.key, part);
}

async function findInTrash(ctx: Context, fileKey: string): Promise<R2Object | null> {
  const days = Array.from({ length: DAYS_LOOKED_AT }, (_, day) => ctx.now() - day * DAY_MS);
  const found = await mapConcurrent(days, AT_ONCE, (time) => ctx.files.head(trashKeyOf(fileKey, time)));
  return found.find((object) => object !== null) ?? null;
}

/**
 * Copies an object to another key as a stream. R2 checks the bytes against their SHA-256.
 * @returns false if the object does not exist
 */
async function copy(
  ctx: Context,
  from: string,
  to: string,
  customMetadata: Record<string, string> = {},
): Promise<boolean> {
  const object = await ctx.files.get(from);
  if (object === null) return false;
  const { sha256 } = object.checksums;
  const made = await ctx.files.put(to, object.body, {
    httpMetadata: object.httpMetadata,
    customMetadata: { ...object.customMetadata, ...customMetadata },
    ...(sha256 && { sha256 }),
  });
  if (made?.size !== object.size) throw new Error('R2 stored another size than it gave');
  return true;
}

/**
 * Runs `work` for each key. A failure does not stop the others.
 * @returns the keys for which `work` succeeded
 * @throws the first failure if `work` succeeded for no key
 */
async function eachAlone(
  ctx: Context,
  keys: readonly string[],
  work: (key: string) => Promise<void>,
): Promise<string[]> {
  const failures: unknown[] = [];
  const done = await mapConcurrent(keys, AT_ONCE, async (key) => {
    try {
      await work(key);
      return [key];
    } catch (error) {
      failures.push(error);
      return [];
    }
  });
  if (failures.length === keys.length && keys.length > 0) throw failures[0];
  if (failures.length > 0) {
    ctx.log('error', 'file_move_failed', { count: failures.length, total: keys.length, ...describeError(failures[0]) });
  }
  return done.flat();
}

/**
 * How many past days each run searches for orphans. The sweep runs every hour, so that each day is searched many times.
 */
const DAYS_EACH_RUN = 7;
/**
 * The number of days before the last `DAYS_EACH_RUN` days. Each run also searches one of these older days, to find
 * files that were left while the sweeps were stopped.
 */
const OLDER_DAYS = 90;
/** The page size of R2's list, and the number of keys in one statement. */
const FILES_PAGE = 1_000;
/** The most queries of one run. Each page of files takes one query of each database. */
const QUERIES_MAX = 300;

interface Orphans {
  /** The number of files that were old enough to be checked. */
  seen: number;
  count: number;
  /** The keys of the first orphans, at most `keysMax`. */
  keys: string[];
}

/**
 * Returns files for which no database has a row and that are on no deletion list. It only reads.
 * @throws AppError `backend_unreachable`; then nothing may be moved
 */
export async function findOrphans(ctx: Context, keysMax: number): Promise<Orphans> {
  const found: Orphans = { seen: 0, count: 0, keys: [] };
  const pagesMax = pagesWithin(ctx, QUERIES_MAX);
  let pages = 0;
  for (const day of daysOf(ctx.now())) {
    let cursor: string | undefined;
    do {
      if (pages === pagesMax) return found;
      pages += 1;
      const page = await ctx.files.list({ prefix: `${FILE_PREFIX}${day}/`, limit: FILES_PAGE, cursor });
      const isOld = ({ uploaded }: R2Object) => ctx.now() - uploaded.getTime() > ORPHAN_AGE_MS;
      const old = page.objects.filter(isOld).map(({ key }) => key);
      const explained = await keysFound(ctx, old, selectExplained);
      const orphans = old.filter((key) => !explained.has(key));
      found.seen += old.length;
      found.count += orphans.length;
      found.keys.push(...orphans.slice(0, keysMax - found.keys.length));
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor);
  }
  return found;
}

/**
 * Returns the days whose files a run checks (`yyyy-mm-dd`). Their order changes every hour, so that all days are
 * checked even if one run cannot check all.
 */
function daysOf(now: number): string[] {
  const hour = Math.floor(now / HOUR_MS);
  const recent = Array.from({ length: DAYS_EACH_RUN }, (_, index) => 1 + ((hour + index) % DAYS_EACH_RUN));
  const back = [DAYS_EACH_RUN + 1 + (hour % OLDER_DAYS), ...recent];
  return back.map((days) => new Date(now - days * DAY_MS).toISOString().slice(0, 10));
}

/** The page size of R2's list, and the number of keys in one statement. */
const PAGE = 500;
/** How long before its row a file may have been stored, in ms. */
const BEFORE_ROW_MS = HOUR_MS;

/** A PDF whose row was lost. */
export interface LostFile extends FileOwner {
  fileKey: string;
  /** The time when the file was stored, epoch ms. */
  storedAt: number;
  sizeBytes: number;
}

/**
 * Returns a page of lost PDFs that were stored since a time. A PDF is lost if no database has a row for it. PDFs in
 * their place come first, then orphans in the trash. Files whose metadata name no owner are skipped.
 * @param of.isMeant says whether the file of an R2 key is wanted
 * @param of.cursor the `nextCursor` of the previous page
 * @throws AppError `backend_unreachable` unless every database answers
 */
export async function findLostFiles(
  ctx: Context,
  of: { since: number; cursor?: string; isMeant: (fileKey: string) => boolean },
): Promise<{ files: LostFile[]; nextCursor: string | null }> {
  requireOperator(ctx);
  const since = of.since - BEFORE_ROW_MS;
  const isTrash = of.cursor?.startsWith(TRASH_PREFIX) ?? false;
  const prefix = isTrash ? TRASH_PREFIX : FILE_PREFIX;
  const startAfter = of.cursor ?? `${FILE_PREFIX}${new Date(since).toISOString().slice(0, 10)}/`;
  const include = ['customMetadata' as const];
  const page = await ctx.files.list({ prefix, startAfter, limit: PAGE, include }).catch((error) => {
    ctx.log('error', 'files_failed', describeError(error));
    throw unavailable();
  });
  const candidates = page.objects.flatMap((object) => {
    const owner = ownerOfFile(object);
    const fileKey = isTrash ? originalKeyOf(object.key) : object.key;
    const isOrphan = !isTrash || object.customMetadata?.reason === 'orphan';
    // A file in the trash is a copy; its original key contains the day that it was stored.
    const storedAt = isTrash ? Date.parse(fileKey.slice(FILE_PREFIX.length).slice(0, 10)) : object.uploaded.getTime();
    const isSince = isTrash ? storedAt + 24 * HOUR_MS > since : storedAt >= since;
    const isLost = owner !== null && isOrphan && isSince && of.isMeant(fileKey);
    return isLost ? [{ ...owner, fileKey, storedAt, sizeBytes: object.size }] : [];
  });
  const keys = candidates.map(({ fileKey }) => fileKey);
  const explained = await keysFound(ctx, keys, selectExplained);
  const last = page.truncated ? page.objects.at(-1)?.key : undefined;
  return {
    files: candidates.filter(({ fileKey }) => !explained.has(fileKey)),
    nextCursor: last ?? (isTrash ? null : TRASH_PREFIX),
  };
}
