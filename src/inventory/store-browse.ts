import { and, eq, gt, sql } from 'drizzle-orm';
import { catalogProducts } from '../catalog/tables';
import type { Condition } from '../platform/data/db';
import { orm } from '../platform/data/statements';
import { organizations } from '../tenants/tables';
import { as, pznColumn, twoLayers, withPzn } from './store';
import { CATALOG_LIST, entriesNamed } from './store-blocks';
import { stockColumns, threshold } from './store-stock';
import { inventory, listings, productBlocks } from './tables';

/** Filters of the inventory: stock below the threshold (including none), no stock, promised pieces that a count missed. */
export const STOCK_FILTERS = ['low', 'out', 'missing'] as const;
type StockFilter = (typeof STOCK_FILTERS)[number];

/** A typed search. */
export interface ProductSearch {
  /** Folded for search: all of them are to be found, in any order. */
  words: readonly string[];
  /** Where it is a PZN: its products are found too. */
  pzn?: string;
}

export interface InventoryFilter {
  search?: ProductSearch;
  stock?: StockFilter;
  /** The last p1_id of the previous page. */
  after?: string;
}

/** So many shops are named in a row; of more, the row has the number. */
export const SHOPS_NAMED_MAX = 4;
/** Products that run low are counted up to this many. */
export const SHORT_COUNTED_MAX = 500;

/** A page of the organization's inventory ordered by p1_id, with the shops that offer each product. */
export function selectInventoryPage(orgId: string, { search, stock, after }: InventoryFilter, limit: number) {
  const offering = sql`from ${listings} where ${listings.orgId} = ${orgId} and ${listings.p1Id} = ${inventory.p1Id}`;
  // With both filters neither of them alone knows where the page ends.
  const ends = search === undefined || stock === undefined ? limit : undefined;
  return orm
    .select({
      ...twoLayers,
      ...pznColumn,
      ...stockColumns,
      threshold: sql<number>`${threshold}`.as('threshold'),
      shopCount: sql<number>`(select count(*) ${offering})`.as('shop_count'),
      /** JSON; complete where they are few. */
      shopIds: sql<string>`(select json_group_array(shop_id) from (select ${listings.shopId} as shop_id ${offering}
        limit ${SHOPS_NAMED_MAX}))`.as('shop_ids'),
    })
    .from(inventory)
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, inventory.p1Id))
    .innerJoin(organizations, eq(organizations.id, inventory.orgId))
    .where(
      and(
        eq(inventory.orgId, orgId),
        after === undefined ? undefined : gt(inventory.p1Id, after),
        stock && sql`${inventory.p1Id} in ${filtered(orgId, stock, after ?? '', ends)}`,
        search && sql`${inventory.p1Id} in ${found(orgId, search, after, ends)}`,
      ),
    )
    .orderBy(inventory.p1Id)
    .limit(limit);
}

/** Ids of the products of a filter, by its index, as a subquery. @param limit undefined for all of them */
function filtered(orgId: string, stock: StockFilter, after: string, limit: number | undefined): Condition {
  const ends = sql`order by p1_id ${limit === undefined ? sql`` : sql`limit ${limit}`}`;
  if (stock === 'missing') {
    return sql`(select p1_id from ${inventory} indexed by inventory_shortage
      where org_id = ${orgId} and shortage > 0 and p1_id > ${after} ${ends})`;
  }
  const own = sql`(select low_stock_threshold from ${organizations} where id = ${orgId})`;
  const isMeant =
    stock === 'out' ? sql`stock_quantity = 0` : sql`stock_quantity < coalesce(low_stock_threshold, ${own})`;
  return sql`(select p1_id from ${inventory} indexed by inventory_short
    where org_id = ${orgId} and is_short = 1 and p1_id > ${after} and ${isMeant} ${ends})`;
}

/**
 * A page of the catalog ordered by p1_id, with the organization's values where it holds the product. A search reads
 * blocks until the page is full.
 */
export function selectCatalogPage(orgId: string, { search, after }: Omit<InventoryFilter, 'stock'>, limit: number) {
  return orm
    .select({ ...twoLayers, ...pznColumn })
    .from(catalogProducts)
    .leftJoin(inventory, and(eq(inventory.p1Id, catalogProducts.p1Id), eq(inventory.orgId, orgId)))
    .where(
      and(
        after === undefined ? undefined : gt(catalogProducts.p1Id, after),
        search && sql`${catalogProducts.p1Id} in ${found(CATALOG_LIST, search, after, limit)}`,
      ),
    )
    .orderBy(catalogProducts.p1Id)
    .limit(limit);
}

/** How many products each tab has: those that run low are counted up to a number, and `isMore` says that there are more. */
export function selectInventoryCounts(orgId: string) {
  const own = sql`(select low_stock_threshold from ${organizations} where id = ${orgId})`;
  const short = sql`(select stock_quantity, low_stock_threshold from ${inventory} indexed by inventory_short
    where org_id = ${orgId} and is_short = 1 limit ${SHORT_COUNTED_MAX})`;
  const missing = sql`(select 1 from ${inventory} indexed by inventory_shortage
    where org_id = ${orgId} and shortage > 0 limit ${SHORT_COUNTED_MAX})`;
  return orm
    .select({
      all: sql<number>`(select coalesce(sum(product_count), 0) from ${productBlocks} where list_id = ${orgId})`.as(
        'al',
      ),
      low: sql<number>`coalesce(sum(stock_quantity < coalesce(low_stock_threshold, ${own})), 0)`.as('low'),
      out: sql<number>`coalesce(sum(stock_quantity = 0), 0)`.as('out_of'),
      missing: sql<number>`(select count(*) from ${missing})`.as('missing'),
      isMore: sql<number>`count(*) = ${SHORT_COUNTED_MAX}`.as('is_more'),
    })
    .from(sql`${short} as short`);
}

/** What the catalog has with a PZN; more than one is rare. */
export function selectWithPzn(pzn: string) {
  return orm
    .select({ p1Id: catalogProducts.p1Id, name: catalogProducts.name })
    .from(catalogProducts)
    .where(sql`${catalogProducts.p1Id} in (${withPzn(pzn)})`)
    .orderBy(catalogProducts.p1Id)
    .limit(2);
}

/** What the organization stocks behind an id, with what a file says of it. */
export function selectInventoryExport(orgId: string, after: string, limit: number) {
  const offering = sql`(select count(*) from ${listings}
    where ${listings.orgId} = ${orgId} and ${listings.p1Id} = ${inventory.p1Id})`;
  return orm
    .select({
      p1Id: as<string>(inventory.p1Id, 'p1Id'),
      ...pznColumn,
      name: sql<string>`coalesce(${inventory.name}, ${catalogProducts.name})`.as('name'),
      category: sql<string>`coalesce(${inventory.category}, ${catalogProducts.category})`.as('category'),
      priceCents: as<number | null>(inventory.priceCents, 'priceCents'),
      catalogPriceCents: as<number>(catalogProducts.priceCents, 'catalogPriceCents'),
      ...stockColumns,
      lowStockThreshold: as<number | null>(inventory.lowStockThreshold, 'lowStockThreshold'),
      shopCount: sql<number>`${offering}`.as('shop_count'),
    })
    .from(inventory)
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, inventory.p1Id))
    .where(and(eq(inventory.orgId, orgId), gt(inventory.p1Id, after)))
    .orderBy(inventory.p1Id)
    .limit(limit);
}

/** Ids of the products of a list that a search finds, as a subquery. */
function found(listId: string, { words, pzn }: ProductSearch, after?: string, limit?: number): Condition {
  const named = entriesNamed(listId, { q: null, words, after, limit });
  return pzn === undefined ? named : sql`(select p1_id from ${named} union ${withPzn(pzn)})`;
}

/**
 * Products of an organization that a search finds, those in stock first. Reads the blocks of its inventory.
 * @param limits how many are counted, and how many are given, each with the number of all
 */
export function selectNamedProducts(
  orgId: string,
  search: ProductSearch,
  { counted, shown }: { counted: number; shown: number },
) {
  return orm
    .select({ ...twoLayers, ...pznColumn, found: sql<number>`count(*) over ()`.as('found') })
    .from(inventory)
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, inventory.p1Id))
    .where(and(eq(inventory.orgId, orgId), sql`${inventory.p1Id} in ${found(orgId, search, undefined, counted)}`))
    .orderBy(sql`${inventory.stockQuantity} = 0`, sql`coalesce(${inventory.nameFolded}, ${catalogProducts.nameFolded})`)
    .limit(shown);
}
