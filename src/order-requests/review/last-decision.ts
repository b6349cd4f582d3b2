import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { selectDecided } from './store-decision';

export interface DecidedRequest {
  id: string;
  status: string;
  /** Null once the person was erased. */
  customer: string | null;
  /** Set for an approved request. */
  orderId: string | null;
}

/** What the page shows right after a decision; undefined if the organization has no such request. One round trip. */
export async function readDecided(ctx: Context, id: string): Promise<DecidedRequest | undefined> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const { rows } = await ctx.db.run({ rows: selectDecided(orgId, id) });
  const [row] = rows;
  return (
    row && { id: row.id, status: row.status, customer: row.customerName ?? row.customerEmail, orderId: row.orderId }
  );
}
