import { and, eq, gt, sql } from 'drizzle-orm';
import { catalogProducts } from '../catalog/tables';
import type { Condition, Database } from '../platform/db';
import { organizations } from '../tenants/tables';
import { twoLayers } from './store';
import { threshold } from './store-stock';
import { inventory, listings } from './tables';

/** Filters of the inventory: stock below the threshold (including none), or no stock. */
export const STOCK_FILTERS = ['low', 'out'] as const;

export interface InventoryFilter {
  /** Folded for search. */
  q?: string;
  stock?: (typeof STOCK_FILTERS)[number];
  /** The last p1_id of the previous page. */
  after?: string;
}

/** A page of the organization's inventory ordered by p1_id, with the number of its shops that offer each product. */
export function selectInventoryPage(db: Database, orgId: string, { q, stock, after }: InventoryFilter, limit: number) {
  const shopCount = sql<number>`(select count(*) from ${listings}
    where ${listings.orgId} = ${orgId} and ${listings.p1Id} = ${inventory.p1Id})`;
  return db.orm
    .select({
      ...twoLayers,
      threshold: sql<number>`${threshold}`.as('threshold'),
      shopCount: shopCount.as('shop_count'),
    })
    .from(inventory)
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, inventory.p1Id))
    .innerJoin(organizations, eq(organizations.id, inventory.orgId))
    .where(
      and(
        eq(inventory.orgId, orgId),
        after === undefined ? undefined : gt(inventory.p1Id, after),
        stock === 'out' ? eq(inventory.stockQuantity, 0) : undefined,
        stock === 'low' ? sql`${inventory.stockQuantity} < ${threshold}` : undefined,
        q === undefined ? undefined : holds(q, sql`coalesce(${inventory.nameFolded}, ${catalogProducts.nameFolded})`),
      ),
    )
    .orderBy(inventory.p1Id)
    .limit(limit);
}

export type InventoryPageRow = Awaited<ReturnType<typeof selectInventoryPage>>[number];

/**
 * A page of the catalog ordered by p1_id, with the organization's values where it holds the product. A search reads on
 * until the page is full.
 */
export function selectCatalogPage(db: Database, orgId: string, filter: Omit<InventoryFilter, 'stock'>, limit: number) {
  return db.orm
    .select(twoLayers)
    .from(catalogProducts)
    .leftJoin(inventory, and(eq(inventory.p1Id, catalogProducts.p1Id), eq(inventory.orgId, orgId)))
    .where(
      and(
        filter.after === undefined ? undefined : gt(catalogProducts.p1Id, filter.after),
        filter.q === undefined ? undefined : holds(filter.q, sql`${catalogProducts.nameFolded}`),
      ),
    )
    .orderBy(catalogProducts.p1Id)
    .limit(limit);
}

/** Whether the folded name or the p1_id contains the text. */
function holds(q: string, nameFolded: Condition): Condition {
  return sql`(instr(${nameFolded}, ${q}) > 0 or instr(lower(${catalogProducts.p1Id}), ${q}) > 0)`;
}
