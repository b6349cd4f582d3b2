import { isPzn } from '../codes/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import type { Statement } from '../platform/data/db';
import { foldText } from '../platform/fold';
import { pageOf } from '../platform/page';
import { overridesOf, resolveRow } from './product';
import { selectOffered } from './store-offered';

export interface OfferedQuery {
  shopId: string;
  /** As typed: a part of the name or id, or a PZN. */
  q?: string;
  pzn?: string;
  limit: number;
  /** Only products behind this id. */
  after: string | null;
}

/**
 * What a shop offers, for platforms that send it order requests: a page by p1_id.
 * @param keyUse records the use of the key in the same batch
 */
export async function listOffered(ctx: Context, { shopId, q, pzn, limit, after }: OfferedQuery, keyUse?: Statement) {
  const { orgId } = requireScope(ctx, 'external_orders.submit');
  const sought = { q: q === undefined ? null : foldText(q), qPzn: q !== undefined && isPzn(q) ? q : null };
  const rows = selectOffered({ orgId, shopId, after: after ?? '', limit: limit + 1 }, { ...sought, pzn: pzn ?? null });
  const { page, nextCursor } = pageOf((await ctx.db.run({ keyUse, rows })).rows, limit, ({ p1Id }) => p1Id);
  const products = page.map((row) => {
    const { name, priceCents, available, prescriptionRequired } = resolveRow(row, overridesOf(row)).values;
    const { p1Id, pzn: number } = row;
    /** It can be ordered: the flag says so, and there is stock. */
    const isAvailable = available && (row.stockQuantity ?? 0) > 0;
    return { p1Id, pzn: number, name, priceCents, isAvailable, prescriptionRequired };
  });
  return { products, nextCursor };
}
