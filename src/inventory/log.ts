import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { ABOVE_ALL_IDS } from '../platform/ids';
import { pageOf } from '../platform/page';
import { notHeld, requireCatalogProduct } from './product';
import { selectProduct } from './store';
import { selectLedger } from './store-detail';

/**
 * The movements of a product's stock, newest first, in one round trip. What was removed from the inventory keeps its own.
 * @param input.before the last movement of the page before
 * @throws AppError `catalog_product_not_found`; `not_found` when the organization never held it
 */
export async function listMovements(ctx: Context, input: { p1Id: string; limit: number; before: string | null }) {
  const { orgId } = requireScope(ctx, 'inventory.read');
  const { p1Id, limit, before } = input;
  const { product, rows } = await ctx.db.run({
    product: selectProduct({ orgId, p1Id }),
    rows: selectLedger({ orgId, p1Id, before: before ?? ABOVE_ALL_IDS, limit: limit + 1 }),
  });
  const { stockQuantity } = requireCatalogProduct(product[0]);
  if (stockQuantity === null && rows.length === 0 && before === null) throw notHeld();
  const { page, nextCursor } = pageOf(rows, limit, ({ id }) => id);
  return { movements: page, nextCursor };
}

export type LedgerEntry = Awaited<ReturnType<typeof listMovements>>['movements'][number];
