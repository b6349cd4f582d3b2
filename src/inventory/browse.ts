import { isPzn } from '../codes/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { foldForSearch } from '../platform/fold-for-search';
import { pageOf } from '../platform/page';
import { productOf } from './product';
import { stockOf } from './state';
import { type InventoryFilter, selectCatalogPage, selectInventoryPage } from './store-browse';

const INVENTORY_PAGE = 50;
const CATALOG_PAGE = 25;

/**
 * The organization's inventory, filtered, in one round trip.
 * @param filter.q as typed
 * @returns a page ordered by p1_id, and the cursor of the next page, null at the end
 */
export async function browseInventory(ctx: Context, filter: InventoryFilter) {
  const { orgId } = requireScope(ctx, 'inventory.read');
  const rows = selectInventoryPage(orgId, folded(filter), INVENTORY_PAGE + 1);
  const { page, nextCursor } = pageOf((await ctx.db.run({ rows })).rows, INVENTORY_PAGE, p1IdOf);
  return {
    nextCursor,
    products: page.map((row) => ({
      ...productOf(row, null, {}),
      ...stockOf(row),
      pzn: row.pzn,
      catalogSlug: row.catalogSlug,
      catalogPriceCents: row.catalogPriceCents,
      threshold: row.threshold,
      shopCount: row.shopCount,
    })),
  };
}

export type BrowsedInventory = Awaited<ReturnType<typeof browseInventory>>;
export type BrowsedProduct = BrowsedInventory['products'][number];

/**
 * Products of the catalog, with the organization's own values where it holds them, in one round trip. Otherwise like
 * `browseInventory`.
 */
export async function searchCatalog(ctx: Context, filter: Omit<InventoryFilter, 'stock'>) {
  const { orgId } = requireScope(ctx, 'products.read');
  const rows = selectCatalogPage(orgId, folded(filter), CATALOG_PAGE + 1);
  const { page, nextCursor } = pageOf((await ctx.db.run({ rows })).rows, CATALOG_PAGE, p1IdOf);
  return {
    nextCursor,
    products: page.map((row) => ({
      p1Id: row.p1Id,
      pzn: row.pzn,
      name: row.catalogName,
      slug: row.catalogSlug,
      category: row.catalogCategory,
      priceCents: row.catalogPriceCents,
      isPrescription: row.catalogPrescriptionRequired === 1,
      /** Null when the organization does not hold the product. */
      stockQuantity: row.stockQuantity,
    })),
  };
}

export type CatalogPage = Awaited<ReturnType<typeof searchCatalog>>;

function folded<T extends InventoryFilter>(filter: T): T {
  const { q } = filter;
  if (q === undefined) return filter;
  return { ...filter, q: foldForSearch(q), pzn: isPzn(q) ? q : undefined };
}

function p1IdOf({ p1Id }: { p1Id: string }): string {
  return p1Id;
}
