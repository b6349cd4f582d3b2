import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { deleteFiles } from '../platform/files';
import { DAY_MS } from '../platform/time';
import { KEPT_DAYS } from './limits';
import { RESTORES } from './record';

const PAGE = 500;
const PAGES_MAX = 10;

/** Deletes objects of restores, including copied rows, that are older than `KEPT_DAYS`. */
export async function sweepRestores(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const before = ctx.now() - KEPT_DAYS * DAY_MS;
  let cursor: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await ctx.files.list({ prefix: RESTORES, limit: PAGE, cursor });
    const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < before).map(({ key }) => key);
    if (old.length > 0) {
      await deleteFiles(ctx, old);
      ctx.log('info', 'restores_swept', { count: old.length });
    }
    if (!page.truncated) return;
    cursor = page.cursor;
  }
}
