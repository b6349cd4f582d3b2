import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { type DecidedRequest, selectDecided } from './store-decision';

/** What the page shows right after a decision; undefined if the organization has no such request. One round trip. */
export async function readDecided(ctx: Context, id: string): Promise<DecidedRequest | undefined> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const { rows } = await ctx.db.run({ rows: selectDecided(orgId, id) });
  return rows[0];
}
