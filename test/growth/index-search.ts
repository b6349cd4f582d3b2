import { SEARCHED } from '../../src/order-requests/search/search';
import { commit } from '../../src/platform/commit';
import type { Context } from '../../src/platform/context';
import { insertEntries, selectPosition, selectTail } from '../../src/search/store';
import { termsOf } from '../../src/search/words';

/** Eight times what the service takes at once: a database that nobody else uses may be busy for longer. */
const ROWS = 2_000;

/** Takes all rows of an organization into the index of the search, by the statements of the service. */
export async function indexSearch(ctx: Context, orgId: string): Promise<void> {
  for (const of of Object.values(SEARCHED)) {
    for (let isMore = true; isMore; ) {
      const read = await ctx.db.run({
        at: selectPosition(orgId, of.kind),
        rows: selectTail(of, orgId, ROWS, 'oldest'),
      });
      const entries = read.rows
        .filter(({ isGone }) => !isGone)
        .map((row) => ({ ...row, words: termsOf(of.fields, row).join(' ') }));
      const [from, to] = [read.at[0]?.position ?? 0, read.rows.at(-1)?.changeNumber];
      if (to !== undefined) await commit(ctx, { entries: insertEntries(of, orgId, entries, { from, to }) });
      isMore = read.rows.length === ROWS;
    }
  }
}
