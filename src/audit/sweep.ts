import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { deleteFiles, listFiles } from '../platform/files';
import { DAY_MS } from '../platform/time';
import { JOURNAL_PREFIX } from './journal';

/** Longer than D1's Time Travel (30 days): no restore can need an older entry. */
const JOURNAL_DAYS = 35;
/** The page size for listing and deleting in R2. */
const PAGE = 500;
const PAGES_MAX = 10;

/** Deletes entries of the erasure journal that no restore can need any more, the oldest first. */
export async function sweepJournal(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const firstKept = `${JOURNAL_PREFIX}${new Date(ctx.now() - JOURNAL_DAYS * DAY_MS).toISOString().slice(0, 10)}/`;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { keys } = await listFiles(ctx, { prefix: JOURNAL_PREFIX, limit: PAGE });
    const old = keys.filter((key) => key < firstKept);
    if (old.length === 0) return;
    await deleteFiles(ctx, old);
    ctx.log('info', 'journal_swept', { count: old.length });
    if (old.length < keys.length) return;
  }
}
