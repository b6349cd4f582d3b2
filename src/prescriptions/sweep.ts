import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { enqueue } from '../platform/queue/enqueue';
import { ATTEMPTS_MAX } from '../platform/queue/retry';
import { deletionsOf } from '../platform/switches';
import { planAfterFailure } from './consumer';
import { keysFound, pagesWithin } from './databases';
import { isBucketOfAll, isOwnBucket } from './installation';
import { findOrphans } from './orphans';
import { selectDueFetches } from './store';
import { deleteFileDeletions, selectFileDeletions, selectReferenced } from './store-files';
import { isOver, moveToTrash, originalKeyOf, putBack, TRASH_PREFIX } from './trash';

/** The sweep sends another message for a row only after this time. */
const GRACE_MS = 5_000;
const DUE_MAX = 200;

/** Sends queue messages again for what waits to be fetched, and ends what was interrupted at its last attempt. */
export async function sweepFetches(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const { due } = await ctx.db.run({ due: selectDueFetches(ctx.now() - GRACE_MS, DUE_MAX) });
  const spent = due.filter(({ attempt }) => attempt >= ATTEMPTS_MAX);
  await ctx.db.run({ ended: spent.map((claim) => planAfterFailure(ctx, claim, 'interrupted').statement) });
  await enqueue(
    ctx,
    ctx.queues.prescriptionFetches,
    due.filter(({ attempt }) => attempt < ATTEMPTS_MAX),
  );
  if (due.length > 0) ctx.log('info', 'fetches_swept', { count: due.length });
}

/** The most files that one run moves: each is read, written and deleted. */
const MOVED_MAX = 200;
/**
 * More unexplained files than this number, and than this share of those checked, are not leftovers: rows are missing.
 */
const UNEXPLAINED_MAX = 20;
const UNEXPLAINED_SHARE_MAX = 0.01;

/**
 * Moves files that no database has a row for into the trash. A request never does so, because a batch that seemed to fail may
 * have been committed. If there are too many, a restore or a wrong database is the likelier reason: nothing is moved
 * and an error is logged, until the rows are back or the operator switches `deletions` to `confirmed`.
 */
export async function sweepOrphanFiles(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (!(await isBucketOfAll(ctx))) return;
  const { seen, count, keys } = await findOrphans(ctx, MOVED_MAX);
  const isTooMany = count > Math.max(UNEXPLAINED_MAX, seen * UNEXPLAINED_SHARE_MAX);
  if (isTooMany && (await deletionsOf(ctx)) !== 'confirmed') {
    ctx.log('error', 'deletions_stopped', { code: 'too_many_orphans', count, total: seen });
    return;
  }
  const moved = await moveToTrash(ctx, keys, 'orphan');
  ctx.log('info', 'orphan_files_moved', { count: moved.length, total: seen });
}

/**
 * Moves files on the deletion list into the trash and only then removes them from the list, so that none is lost if a
 * run is interrupted.
 */
export async function sweepFileDeletions(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const { waiting } = await ctx.db.run({ waiting: selectFileDeletions(MOVED_MAX) });
  if (waiting.length === 0 || !(await isOwnBucket(ctx))) return;
  const moved = await moveToTrash(
    ctx,
    waiting.map(({ fileKey }) => fileKey),
    'given_up',
  );
  await ctx.db.run({ done: deleteFileDeletions(moved) });
  ctx.log('info', 'given_up_files_moved', { count: moved.length, total: waiting.length });
}

/** One page of R2's list and of its delete, and the keys of one statement. */
const TRASH_PAGE = 1_000;
/** Limits one run, in queries: with one database 200,000 files, oldest first. */
const TRASH_QUERIES_MAX = 200;

/**
 * Deletes files that have been in the trash long enough, and moves back those that a row refers to again after a
 * restore. The rows of all databases are checked before anything is deleted.
 */
export async function sweepTrash(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (!(await isBucketOfAll(ctx))) return;
  const pagesMax = pagesWithin(ctx, TRASH_QUERIES_MAX);
  const counts = { seen: 0, back: 0, deleted: 0 };
  let cursor: string | undefined;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const options = { prefix: TRASH_PREFIX, limit: TRASH_PAGE, cursor, include: ['customMetadata' as const] };
    const page = await ctx.files.list(options);
    const { named, over } = await judge(ctx, page.objects);
    if (over.length > 0) await ctx.files.delete(over);
    counts.back += await putBack(ctx, named.slice(0, MOVED_MAX - counts.back));
    counts.deleted += over.length;
    counts.seen += page.objects.length;
    if (!page.truncated) break;
    cursor = page.cursor;
  }
  ctx.log('info', 'trash_files_deleted', { count: counts.deleted, total: counts.seen });
  if (counts.back > 0) ctx.log('warn', 'trash_files_put_back', { count: counts.back, total: counts.seen });
}

async function judge(ctx: Context, objects: readonly R2Object[]): Promise<{ named: string[]; over: string[] }> {
  const originals = objects.map(({ key }) => originalKeyOf(key));
  const known = await keysFound(ctx, originals, selectReferenced);
  const isNamed = ({ key }: R2Object) => known.has(originalKeyOf(key));
  return {
    named: objects.filter(isNamed).map(({ key }) => key),
    over: objects.filter((object) => !isNamed(object) && isOver(object, ctx.now())).map(({ key }) => key),
  };
}
