import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { ring } from '../platform/doorbell';
import { ATTEMPTS_MAX } from '../platform/retry';
import { planAfterFailure } from './consumer';
import { FILE_PREFIX } from './storage';
import { deleteFileDeletions, selectDueFetches, selectFileDeletions, selectReferenced } from './store';

/** A doorbell gets this long before the sweep rings again. */
const GRACE_MS = 5_000;
const DUE_MAX = 200;

/** Rings again for what waits to be fetched, and ends what was interrupted at its last attempt. */
export async function sweepFetches(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const { due } = await ctx.db.run({ due: selectDueFetches(ctx.db, ctx.now() - GRACE_MS, DUE_MAX) });
  const spent = due.filter(({ attempt }) => attempt >= ATTEMPTS_MAX);
  await ctx.db.run({ ended: spent.map((held) => planAfterFailure(ctx, held, 'interrupted').statement) });
  await ring(
    ctx,
    ctx.queues.prescriptionFetches,
    due.filter(({ attempt }) => attempt < ATTEMPTS_MAX),
  );
}

const DAY_MS = 86_400_000;
/** Files of requests that failed after their upload: older than this, none is still under way. */
const ORPHAN_AGE_MS = DAY_MS;
/** How many past days each sweep looks through; it runs every hour, so a day is seen many times. */
const ORPHAN_DAYS = 7;
/** One page of R2's list, and one statement's worth of keys. */
const FILES_PAGE = 500;

/** Deletes files that no row names. No request ever does: a batch that seemed to fail may have committed. */
export async function sweepOrphanFiles(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const now = ctx.now();
  for (let days = 1; days <= ORPHAN_DAYS; days += 1) {
    const day = new Date(now - days * DAY_MS).toISOString().slice(0, 10);
    let cursor: string | undefined;
    do {
      const page = await ctx.files.list({ prefix: `${FILE_PREFIX}${day}/`, limit: FILES_PAGE, cursor });
      const old = page.objects.filter(({ uploaded }) => now - uploaded.getTime() > ORPHAN_AGE_MS).map(({ key }) => key);
      await deleteUnreferenced(ctx, old);
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor);
  }
}

async function deleteUnreferenced(ctx: Context, fileKeys: string[]): Promise<void> {
  if (fileKeys.length === 0) return;
  const { referenced } = await ctx.db.run({ referenced: selectReferenced(ctx.db, fileKeys) });
  const kept = new Set(referenced.map(({ fileKey }) => fileKey));
  const orphans = fileKeys.filter((key) => !kept.has(key));
  if (orphans.length > 0) await ctx.files.delete(orphans);
  ctx.log('info', 'orphan_files_deleted', { count: orphans.length });
}

/** One page of R2's delete. */
const DELETIONS_MAX = 500;

/** Deletes the files that were given up: from R2 first, then from the list, so that none is forgotten half-way. */
export async function sweepFileDeletions(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const { waiting } = await ctx.db.run({ waiting: selectFileDeletions(ctx.db, DELETIONS_MAX) });
  const keys = waiting.map(({ fileKey }) => fileKey);
  if (keys.length === 0) return;
  await ctx.files.delete(keys);
  await ctx.db.run({ done: deleteFileDeletions(ctx.db, keys) });
  ctx.log('info', 'files_deleted', { count: keys.length });
}
