import type { Context } from '../platform/context';
import { DAY_MS, HOUR_MS } from '../platform/time';
import { keysFound, pagesWithin } from './databases';
import { FILE_PREFIX } from './storage';
import { selectExplained } from './store-files';

/** Files of requests that failed after their upload: at this age, no upload can still be under way. */
const ORPHAN_AGE_MS = DAY_MS;
/** How many past days each run looks through; it runs every hour, so each day is checked many times. */
const DAYS_EACH_RUN = 7;
/** How many days before those are also checked, one per run, to find what was left while the sweeps were stopped. */
const OLDER_DAYS = 90;
/** One page of R2's list, and the keys of one statement. */
const FILES_PAGE = 1_000;
/** Limits one run, in queries: each page is one for each database. */
const QUERIES_MAX = 300;

export interface Orphans {
  /** Files that are old enough to be judged. */
  seen: number;
  count: number;
  /** The first of them, up to the requested number. */
  keys: string[];
}

/**
 * Finds files that no database has a row for and that are on no list of deletions. Only reads.
 * @throws AppError `backend_unreachable`: then nothing may be moved
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

/** Each hour begins with another day, so that all are checked even if one run cannot check all. */
function daysOf(now: number): string[] {
  const hour = Math.floor(now / HOUR_MS);
  const recent = Array.from({ length: DAYS_EACH_RUN }, (_, index) => 1 + ((hour + index) % DAYS_EACH_RUN));
  const back = [DAYS_EACH_RUN + 1 + (hour % OLDER_DAYS), ...recent];
  return back.map((days) => new Date(now - days * DAY_MS).toISOString().slice(0, 10));
}
