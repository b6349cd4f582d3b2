import { and, eq, gt, type InferInsertModel, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { catalogProducts } from '../catalog/tables';
import { inList, mustChangeOneRow } from '../platform/db';
import { type Named, orm, prepared } from '../platform/statements';
import { organizations, shops } from '../tenants/tables';
import { threshold } from './store-stock';
import { inventory, listings } from './tables';

interface StockedNames {
  orgId: string;
  shopId: string;
  p1Ids: readonly string[];
}

/** Which of these products are held, with their names in a shop (resolution.ts has the rule). */
export const selectStockedNames = prepared(({ orgId, shopId, p1Ids }: Named<StockedNames>) => {
  const name = sql<string>`coalesce(json_extract(${listings.overrides}, '$.name'), ${inventory.name}, ${catalogProducts.name})`;
  return orm
    .select({ p1Id: as<string>(inventory.p1Id, 'p1Id'), name: name.as('name') })
    .from(inventory)
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, inventory.p1Id))
    .leftJoin(listings, and(eq(listings.shopId, shopId), eq(listings.p1Id, inventory.p1Id)))
    .where(and(eq(inventory.orgId, orgId), sql`${inventory.p1Id} in ${inList(p1Ids)}`));
});

export const selectShops = prepared(({ orgId }: Named<{ orgId: string }>) =>
  orm
    .select({ id: shops.id, name: shops.name, isActive: shops.isActive })
    .from(shops)
    .where(eq(shops.orgId, orgId))
    .orderBy(shops.name, shops.id),
);

export const selectShop = prepared(({ orgId, shopId }: Named<{ orgId: string; shopId: string }>) =>
  orm
    .select({ id: shops.id, listedCount: shops.listedCount })
    .from(shops)
    .where(and(eq(shops.id, shopId), eq(shops.orgId, orgId))),
);

/** Gives a column a unique name: in a batch, Drizzle returns wrong values for joins whose columns share a name. */
export function as<T>(column: SQLiteColumn, alias: string) {
  return sql<T>`${column}`.as(alias);
}

/** The values of a product in the layers of the catalog and the organization, as columns. */
export const twoLayers = {
  p1Id: as<string>(catalogProducts.p1Id, 'p1Id'),
  catalogName: as<string>(catalogProducts.name, 'catalogName'),
  catalogSlug: as<string>(catalogProducts.slug, 'catalogSlug'),
  catalogDescription: as<string | null>(catalogProducts.description, 'catalogDescription'),
  catalogCategory: as<string>(catalogProducts.category, 'catalogCategory'),
  catalogPriceCents: as<number>(catalogProducts.priceCents, 'catalogPriceCents'),
  catalogThcPercent: as<number | null>(catalogProducts.thcPercent, 'catalogThcPercent'),
  catalogCbdPercent: as<number | null>(catalogProducts.cbdPercent, 'catalogCbdPercent'),
  catalogPrescriptionRequired: as<number>(catalogProducts.prescriptionRequired, 'catalogPrescriptionRequired'),
  /** Null when the organization does not hold the product. */
  stockQuantity: as<number | null>(inventory.stockQuantity, 'stockQuantity'),
  lowStockThreshold: as<number | null>(inventory.lowStockThreshold, 'lowStockThreshold'),
  name: as<string | null>(inventory.name, 'name'),
  slug: as<string | null>(inventory.slug, 'slug'),
  description: as<string | null>(inventory.description, 'description'),
  category: as<string | null>(inventory.category, 'category'),
  priceCents: as<number | null>(inventory.priceCents, 'priceCents'),
  available: as<number | null>(inventory.available, 'available'),
  thcPercent: as<number | null>(inventory.thcPercent, 'thcPercent'),
  cbdPercent: as<number | null>(inventory.cbdPercent, 'cbdPercent'),
  availableForPickup: as<number | null>(inventory.availableForPickup, 'availableForPickup'),
  availableForShipping: as<number | null>(inventory.availableForShipping, 'availableForShipping'),
  prescriptionRequired: as<number | null>(inventory.prescriptionRequired, 'prescriptionRequired'),
  createdAt: as<number | null>(inventory.createdAt, 'createdAt'),
  updatedAt: as<number | null>(inventory.updatedAt, 'updatedAt'),
};

export const threeLayers = {
  ...twoLayers,
  /** JSON text; null when the shop does not list the product. */
  overrides: as<string | null>(listings.overrides, 'overrides'),
  attachedAt: as<number | null>(listings.attachedAt, 'attachedAt'),
};

/** A catalog product as an organization sees it, held or not. */
export const selectProduct = prepared(({ orgId, p1Id }: Named<{ orgId: string; p1Id: string }>) =>
  orm
    .select(twoLayers)
    .from(catalogProducts)
    .leftJoin(inventory, and(eq(inventory.p1Id, catalogProducts.p1Id), eq(inventory.orgId, orgId)))
    .where(eq(catalogProducts.p1Id, p1Id)),
);

export type ProductRow = Awaited<ReturnType<typeof selectProduct>>[number];

/** A catalog product as a shop sees it, listed or not. */
export const selectProductInShop = prepared(
  ({ orgId, shopId, p1Id }: Named<{ orgId: string; shopId: string; p1Id: string }>) =>
    orm
      .select(threeLayers)
      .from(catalogProducts)
      .leftJoin(inventory, and(eq(inventory.p1Id, catalogProducts.p1Id), eq(inventory.orgId, orgId)))
      .leftJoin(listings, and(eq(listings.p1Id, catalogProducts.p1Id), eq(listings.shopId, shopId)))
      .where(eq(catalogProducts.p1Id, p1Id)),
);

export type ListedRow = Awaited<ReturnType<typeof selectProductInShop>>[number];

/** Adds a product to the inventory, without stock; the batch is undone when it is held already. */
export function insertStocked(row: {
  orgId: string;
  p1Id: string;
  initialStock: number;
  priceCents: number | null;
  now: number;
}) {
  const threshold = sql`(select low_stock_threshold from ${organizations} where id = ${row.orgId})`;
  const write = orm
    .insert(inventory)
    .values({
      orgId: row.orgId,
      p1Id: row.p1Id,
      stockQuantity: 0,
      // As it is after the first movement, which writes no row of the index then.
      isShort: sql`${row.initialStock} = 0 or ${row.initialStock} < ${threshold}`,
      priceCents: row.priceCents,
      createdAt: row.now,
      updatedAt: row.now,
    })
    .onConflictDoNothing();
  return mustChangeOneRow(write);
}

type InventoryColumns = Partial<InferInsertModel<typeof inventory>>;

/** @param still the batch is undone unless these columns still have these values */
export function updateStocked(orgId: string, p1Id: string, changes: InventoryColumns, still: InventoryColumns = {}) {
  const conditions = Object.entries(still).map(([name, value]) => {
    // SAFETY: `still` has the same keys as the table.
    const column = inventory[name as keyof InventoryColumns];
    return sql`${column} is ${sql.param(value, column)}`;
  });
  const write = orm
    .update(inventory)
    .set(changes)
    .where(and(eq(inventory.orgId, orgId), eq(inventory.p1Id, p1Id), ...conditions));
  return mustChangeOneRow(write);
}

export function deleteStocked(orgId: string, p1Id: string) {
  const write = orm.delete(inventory).where(and(eq(inventory.orgId, orgId), eq(inventory.p1Id, p1Id)));
  return mustChangeOneRow(write);
}

interface InventoryPage {
  orgId: string;
  /** Empty to begin with the first. */
  after: string;
  limit: number;
}

/** A page of an organization's inventory ordered by p1_id. */
export const selectInventory = prepared(({ orgId, after, limit }: Named<InventoryPage>) =>
  orm
    .select({ ...twoLayers, threshold: sql<number>`${threshold}`.as('threshold') })
    .from(inventory)
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, inventory.p1Id))
    .innerJoin(organizations, eq(organizations.id, inventory.orgId))
    .where(and(eq(inventory.orgId, orgId), gt(inventory.p1Id, after)))
    .orderBy(inventory.p1Id)
    .limit(limit),
);

export type InventoryRow = Awaited<ReturnType<typeof selectInventory>>[number];
