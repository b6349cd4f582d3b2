import { and, asc, desc, eq, gt, type InferInsertModel, lt, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import {
  CATALOG_FIELDS,
  type CatalogField,
  OWN_PREFIX,
  PRODUCT_FIELDS,
  type ProductField,
  productFields,
  type ResolvedValues,
  type ValueOf,
} from '../catalog/fields';
import { catalogProducts, isGlobal, isVisible, type Unit } from '../catalog/tables';
import { has, isStill, pick } from '../platform/data/columns';
import { inList, mustChangeOneRow, updateOneRow } from '../platform/data/db';
import type { PageAfter, PageBefore } from '../platform/data/page';
import { type Condition, type Named, orm, prepared, type Value } from '../platform/data/statements';
import { organizations } from '../platform/tables';
import { shops } from '../tenants/tables';
import { MOVEMENTS_SHOWN } from './limits';
import { stockColumns, threshold } from './store-stock';
import { inventory, listings, stockMovements } from './tables';

interface StockedNames {
  orgId: string;
  shopId: string;
  p1Ids: readonly string[];
}

/**
 * Reads which of these products are stocked, with their names in a shop (resolution.ts has the rule) and whether the
 * shop's customers can order them.
 */
export const selectStockedNames = prepared(({ orgId, shopId, p1Ids }: Named<StockedNames>) =>
  stockedNames(orgId, shopId, inList(p1Ids)),
);

/** Like `selectStockedNames`, with subqueries for the ids and the shop. */
export function stockedNames(orgId: Value<string>, shopId: Value<string> | Condition, p1Ids: Condition) {
  const said = (name: string) => sql`json_extract(${listings.overrides}, '$.${sql.raw(name)}')`;
  const flag = (field: 'available' | 'availableForPickup' | 'availableForShipping') =>
    sql<number>`coalesce(${said(productFields[field].wire)}, ${inventory[field]}, 1)`.as(field);
  return orm
    .select({
      p1Id: as<string>(inventory.p1Id, 'p1Id'),
      name: sql<string>`coalesce(${said('name')}, ${inventory.name}, ${catalogProducts.name})`.as('name'),
      category: sql<string>`coalesce(${said('category')}, ${inventory.category}, ${catalogProducts.category})`.as(
        'category',
      ),
      unit: sql<Unit>`coalesce(${inventory.unit}, ${catalogProducts.unit}, 'piece')`.as('unit'),
      available: flag('available'),
      availableForPickup: flag('availableForPickup'),
      availableForShipping: flag('availableForShipping'),
      priceCents: sql<number>`coalesce(cast(round(${said('price')} * 100) as integer), ${inventory.priceCents},
        ${catalogProducts.priceCents})`.as('priceCents'),
      unitStep: sql<number>`coalesce(${said('unit_step')}, ${inventory.unitStep}, ${catalogProducts.unitStep}, 1)`.as(
        'unitStep',
      ),
      policy: shippingPolicy(orgId),
    })
    .from(inventory)
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, inventory.p1Id))
    .leftJoin(listings, and(sql`${listings.shopId} = ${shopId}`, eq(listings.p1Id, inventory.p1Id)))
    .where(and(eq(inventory.orgId, orgId), sql`${inventory.p1Id} in ${p1Ids}`));
}

/** Returns SQL for the `ShippingPolicy` of an organization as JSON. SQLite computes it once for each statement. */
export function shippingPolicy(orgId: Value<string>) {
  const ofShop = sql`json_object('deliveryServiceName', of_shop.delivery_service_name, 'expressKind', of_shop.express_kind,
    'deliveryServiceKind', of_shop.delivery_service_kind)`;
  return sql<string>`(select json_object('rules', json(of_org.shipping_rules), 'shops', (select json_group_object(of_shop.id, ${ofShop})
    from ${shops} as of_shop where of_shop.org_id = of_org.id)) from ${organizations} as of_org where of_org.id = ${orgId})`.as(
    'policy',
  );
}

/** Gives a column a unique name: in a batch, Drizzle returns wrong values for joins whose columns share a name. */
export function as<T>(column: SQLiteColumn, alias: string) {
  return sql<T>`${column}`.as(alias);
}

/** A value as SQLite returns it. */
type Stored<K extends ProductField> = ValueOf<K> extends boolean ? number : ValueOf<K>;
type CatalogColumns = {
  [K in CatalogField as CatalogColumn<K>]: SQL.Aliased<Stored<K> | Extract<ResolvedValues[K], null>>;
};
type OwnColumns = { [K in ProductField]: SQL.Aliased<Stored<K> | null> };
type CatalogColumn<K extends string> = `catalog${Capitalize<K>}`;

/** Returns the name of a field's catalog value in a row that also has the organization's value. */
export function catalogColumn<K extends CatalogField>(field: K): CatalogColumn<K> {
  // SAFETY: `Capitalize` in the type does the same.
  return `catalog${field.charAt(0).toUpperCase()}${field.slice(1)}` as CatalogColumn<K>;
}

/** The values of a product in the layers of the catalog and the organization, as columns. */
export const twoLayers = {
  p1Id: as<string>(catalogProducts.p1Id, 'p1Id'),
  /** The German product number (PZN), which no layer changes. */
  pzn: as<string | null>(catalogProducts.pzn, 'pzn'),
  // SAFETY: the columns have one entry for each field of their type.
  ...(Object.fromEntries(
    CATALOG_FIELDS.map((field) => [catalogColumn(field), as(catalogProducts[field], catalogColumn(field))]),
  ) as CatalogColumns),
  ...(Object.fromEntries(PRODUCT_FIELDS.map((field) => [field, as(inventory[field], field)])) as OwnColumns),
  /** Null if the organization does not hold the product. */
  stockQuantity: as<number | null>(inventory.stockQuantity, 'stockQuantity'),
  lowStockThreshold: as<number | null>(inventory.lowStockThreshold, 'lowStockThreshold'),
  createdAt: as<number | null>(inventory.createdAt, 'createdAt'),
  updatedAt: as<number | null>(inventory.updatedAt, 'updatedAt'),
};

export const threeLayers = {
  ...twoLayers,
  /** JSON text; null when the shop does not list the product. */
  overrides: as<string | null>(listings.overrides, 'overrides'),
  attachedAt: as<number | null>(listings.attachedAt, 'attachedAt'),
};

/**
 * Returns a SELECT of the ids of the products with a PZN. If the organization has an own product with this PZN that was
 * not joined with the catalog's, the SELECT finds only the own product. Otherwise it finds the catalog's products.
 */
export function withPzn(orgId: Value<string> | SQL, pzn: string | SQL): SQL {
  const own = sql`select 1 from ${catalogProducts} as own where own.pzn = ${pzn} and +own.org_id = ${orgId}
    and own.joined_p1_id is null`;
  return sql`select found.p1_id from ${catalogProducts} as found where found.pzn = ${pzn}
    and iif(found.org_id is null, not exists (${own}), found.org_id = ${orgId} and found.joined_p1_id is null)`;
}

/** Selects a catalog product as an organization sees it, stocked or not. */
export const selectProduct = prepared(({ orgId, p1Id }: Named<{ orgId: string; p1Id: string }>) =>
  orm
    .select(twoLayers)
    .from(catalogProducts)
    .leftJoin(inventory, has(inventory, { p1Id: catalogProducts.p1Id, orgId }))
    .where(and(eq(catalogProducts.p1Id, p1Id), isVisible(orgId))),
);

/** Like `selectProduct`, with all columns of the stock. @param p1Id an id, or a subquery of one */
export function selectProductStock(orgId: string, p1Id: string | Condition) {
  return orm
    .select({ ...twoLayers, ...stockColumns })
    .from(catalogProducts)
    .leftJoin(inventory, has(inventory, { p1Id: catalogProducts.p1Id, orgId }))
    .where(and(sql`${catalogProducts.p1Id} = ${p1Id}`, isVisible(orgId)));
}

/**
 * Reads the catalog's product that has the PZN of an own product. Finds nothing if the own product was joined before.
 * The columns are those of `selectProductStock`.
 */
export function selectTwin(orgId: string, ownP1Id: string) {
  return selectProductStock(
    orgId,
    sql`(select min(twin.p1_id) from ${catalogProducts} as own join ${catalogProducts} as twin on twin.pzn = own.pzn
      where own.p1_id = ${ownP1Id} and own.org_id = ${orgId} and own.joined_p1_id is null and +twin.org_id is null)`,
  );
}

/**
 * Records the catalog's product with which an own product is joined. Rolls the batch back if the own product was joined
 * before.
 */
export function markJoined(own: { orgId: string; p1Id: string }, joinedP1Id: string, now: number) {
  const isOpen = has(catalogProducts, { p1Id: own.p1Id, orgId: own.orgId, joinedP1Id: null });
  return updateOneRow(catalogProducts, { joinedP1Id, updatedAt: now }, isOpen);
}

export type ProductRow = Awaited<ReturnType<typeof selectProduct>>[number];

/** Selects a catalog product as a shop sees it, listed or not. */
export const selectProductInShop = prepared(
  ({ orgId, shopId, p1Id }: Named<{ orgId: string; shopId: string; p1Id: string }>) =>
    orm
      .select(threeLayers)
      .from(catalogProducts)
      .leftJoin(inventory, has(inventory, { p1Id: catalogProducts.p1Id, orgId }))
      .leftJoin(listings, has(listings, { p1Id: catalogProducts.p1Id, shopId }))
      .where(and(eq(catalogProducts.p1Id, p1Id), isVisible(orgId))),
);

export type ListedRow = Awaited<ReturnType<typeof selectProductInShop>>[number];

export interface NewStocked {
  p1Id: string;
  initialStock: number;
  /** The organization's own price; null for the price of the catalog. */
  priceCents: number | null;
}

/**
 * Adds a product to the inventory, without stock. Rolls the batch back if it is stocked already.
 * @param layer further values of the organization's layer
 */
export function insertStocked(row: NewStocked & { orgId: string; now: number }, layer: InventoryColumns = {}) {
  const threshold = sql`(select low_stock_threshold from ${organizations} where id = ${row.orgId})`;
  const write = orm
    .insert(inventory)
    .values({
      ...layer,
      orgId: row.orgId,
      p1Id: row.p1Id,
      stockQuantity: 0,
      // This is the value after the first movement, so that the movement need not change the index.
      isShort: sql`${row.initialStock} = 0 or ${row.initialStock} < ${threshold}`,
      priceCents: row.priceCents,
      createdAt: row.now,
      updatedAt: row.now,
    })
    .onConflictDoNothing();
  return mustChangeOneRow(write);
}

type InventoryColumns = Partial<InferInsertModel<typeof inventory>>;

/**
 * Updates columns of a stocked product.
 * @param still rolls the batch back unless these columns still have these values
 */
export function updateStocked(orgId: string, p1Id: string, changes: InventoryColumns, still: InventoryColumns = {}) {
  return updateOneRow(inventory, changes, and(has(inventory, { orgId, p1Id }), isStill(inventory, still)));
}

export function deleteStocked(orgId: string, p1Id: string) {
  return mustChangeOneRow(orm.delete(inventory).where(has(inventory, { orgId, p1Id })));
}

/** Selects a page of an organization's inventory ordered by p1_id. */
export const selectInventory = prepared(({ orgId, after, limit }: Named<PageAfter<string>>) =>
  orm
    .select({ ...twoLayers, ...stockColumns, threshold: sql<number>`${threshold}`.as('threshold') })
    .from(inventory)
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, inventory.p1Id))
    .innerJoin(organizations, eq(organizations.id, inventory.orgId))
    .where(and(eq(inventory.orgId, orgId), gt(inventory.p1Id, after)))
    .orderBy(inventory.p1Id)
    .limit(limit),
);

export type InventoryRow = Awaited<ReturnType<typeof selectInventory>>[number];

/** Reads one catalog product with the columns of `selectInventory`, stocked or not. */
export const selectInventoryItem = prepared(({ orgId, p1Id }: Named<{ orgId: string; p1Id: string }>) =>
  orm
    .select({ ...twoLayers, ...stockColumns, threshold: sql<number>`${threshold}`.as('threshold') })
    .from(catalogProducts)
    .innerJoin(organizations, eq(organizations.id, orgId))
    .leftJoin(inventory, has(inventory, { orgId: organizations.id, p1Id: catalogProducts.p1Id }))
    .where(and(eq(catalogProducts.p1Id, p1Id), isVisible(orgId))),
);

/** Selects every shop of the organization, with its overrides if it offers the product. */
export function selectShopsOffering(orgId: string, p1Id: string) {
  return orm
    .select({
      id: as<string>(shops.id, 's_id'),
      name: as<string>(shops.name, 's_name'),
      isActive: as<number>(shops.isActive, 's_is_active'),
      /** JSON text; null when the shop does not offer the product. */
      overrides: as<string | null>(listings.overrides, 'l_overrides'),
    })
    .from(shops)
    .leftJoin(listings, has(listings, { shopId: shops.id, p1Id }))
    .where(eq(shops.orgId, orgId))
    .orderBy(shops.name, shops.id);
}

/** Reads the threshold of products that have no threshold of their own. */
export function selectDefaultThreshold(orgId: string) {
  return orm
    .select({ threshold: organizations.lowStockThreshold })
    .from(organizations)
    .where(eq(organizations.id, orgId));
}

/** Selects the latest movements of a product, newest first. */
export function selectMovements(orgId: string, p1Id: string, limit = MOVEMENTS_SHOWN) {
  return orm
    .select(
      pick(stockMovements, [
        'id',
        'delta',
        'after',
        'onHandDelta',
        'onHandAfter',
        'reason',
        'reference',
        'orderId',
        'actorKind',
        'actorId',
        'createdAt',
      ]),
    )
    .from(stockMovements)
    .where(has(stockMovements, { orgId, p1Id }))
    .orderBy(desc(stockMovements.id))
    .limit(limit);
}

interface LedgerPage extends PageBefore {
  p1Id: string;
}

/** Selects a page of a product's movements, newest first. */
export const selectLedger = prepared(({ orgId, p1Id, before, limit }: Named<LedgerPage>) =>
  orm
    .select(
      pick(stockMovements, [
        'id',
        'createdAt',
        'delta',
        'after',
        'onHandAfter',
        'reason',
        'reference',
        'actorId',
        'orderId',
        'orderRequestId',
      ]),
    )
    .from(stockMovements)
    .where(and(has(stockMovements, { orgId, p1Id }), lt(stockMovements.id, before)))
    .orderBy(desc(stockMovements.id))
    .limit(limit),
);

/** Returns a subquery of the ids of the orders to which a product's latest movements belong. */
export function ordersOfMovements(orgId: string, p1Id: string, limit = MOVEMENTS_SHOWN): Condition {
  return sql`(select order_id from (select order_id from ${stockMovements}
    where org_id = ${orgId} and p1_id = ${p1Id} order by id desc limit ${limit}) where order_id is not null)`;
}

/** Returns a subquery of the ids of the people and keys that made a product's latest movements. */
export function actorsOf(orgId: string, p1Id: string, limit = MOVEMENTS_SHOWN): Condition {
  return sql`(select actor_id from (select actor_id from ${stockMovements}
    where org_id = ${orgId} and p1_id = ${p1Id} order by id desc limit ${limit}) where actor_id is not null)`;
}

/** Reads the first catalog products that an organization holds, with its own prices. */
export function selectFirstHeld(orgId: string, limit: number) {
  return orm
    .select({ p1Id: inventory.p1Id, priceCents: inventory.priceCents })
    .from(inventory)
    .where(and(eq(inventory.orgId, orgId), sql`${inventory.p1Id} not like ${`${OWN_PREFIX}%`}`))
    .orderBy(asc(inventory.p1Id))
    .limit(limit);
}

/** Selects the first products of the catalog. */
export function selectFirstInCatalog(limit: number) {
  return orm
    .select({ p1Id: catalogProducts.p1Id })
    .from(catalogProducts)
    .where(isGlobal)
    .orderBy(asc(catalogProducts.p1Id))
    .limit(limit);
}
