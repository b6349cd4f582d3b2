import { recordAudit } from '../audit/record';
import { readsPrescriptionsOf, requireScope } from '../platform/access';
import { commit } from '../platform/commit';
import type { Context } from '../platform/context';
import { pageOf } from '../platform/data/page';
import { foldBatch } from './batch-rules';
import { selectOrdersOfBatch } from './store';

/**
 * Lists the orders that have packs of a batch, for a recall, newest order first. For each order, only its lines with
 * packs of the batch are returned.
 * The law requires some names of erased orders to be kept. A caller who may see prescriptions gets them, too. Each page
 * writes one row of the audit log.
 * @param input.after the last order of the previous page
 */
export async function findBatch(ctx: Context, input: { batch: string; limit: number; after: string | null }) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { limit, after } = input;
  const batch = foldBatch(input.batch);
  const { rows } = await commit(ctx, {
    audit: recordAudit(ctx, { orgId, action: 'organization.rows_read', entityId: orgId, fields: ['batches'] }),
    rows: selectOrdersOfBatch({ orgId, batch, after, limit: limit + 1 }),
  });
  const { page, nextCursor } = pageOf(rows, limit, ({ id }) => id);
  const supplied = page.flatMap((order) => {
    const kept = readsPrescriptionsOf(ctx, order.shopId) ? order.restricted : null;
    return order.items.flatMap((item, line) =>
      (item.batches ?? [])
        // Packs of a cancelled order went back into stock, unless they had left.
        .filter((each) => foldBatch(each.batch) === batch && (each.left || order.status !== 'cancelled'))
        .map((each) => ({
          order,
          line,
          item,
          ...each,
          customerName: order.customerName ?? kept?.customer_name ?? null,
          prescriberName: order.prescriberName ?? kept?.prescriber_name ?? null,
        })),
    );
  });
  return { supplied, nextCursor };
}

export type SuppliedBatch = Awaited<ReturnType<typeof findBatch>>['supplied'][number];
