import { requireOperator } from '../platform/access';
import type { Context } from '../platform/context';
import { unavailable } from '../platform/errors';
import { describeError } from '../platform/log';
import { HOUR_MS } from '../platform/time';
import { keysFound } from './databases';
import { FILE_PREFIX, type FileOwner, ownerOfFile } from './storage';
import { selectExplained } from './store-files';
import { originalKeyOf, TRASH_PREFIX } from './trash';

/** One list of R2, and the keys of one statement. */
const PAGE = 500;
/** A file is stored shortly before its row. */
const BEFORE_ROW_MS = HOUR_MS;

/** A PDF whose row is gone. */
export interface LostFile extends FileOwner {
  fileKey: string;
  /** Epoch ms. */
  storedAt: number;
  sizeBytes: number;
}

/**
 * PDFs that were stored since a time and that no database has a row for, a page of them: those in their place, then those
 * that lie in the trash because of that. Files that do not say whose they are were stored before there was that.
 * @param of.isMeant which of them
 * @param of.cursor `nextCursor` of the page before
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
    // What lies in the trash was copied there; the day that it was stored stands in its key.
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
