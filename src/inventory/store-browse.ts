import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import { catalogProducts } from '../catalog/tables';
import { type Condition, inList } from '../platform/data/db';
import { orm } from '../platform/data/statements';
import { organizations } from '../tenants/tables';
import { pznColumn, twoLayers, withPzn } from './store';
import { CATALOG_LIST, entriesNamed } from './store-blocks';
import { stockColumns, threshold } from './store-stock';
import { inventory, listings, productBlocks } from './tables';

/** Filters of the inventory: stock below the threshold (including none), no stock, promised pieces that a count missed. */
export const STOCK_FILTERS = ['low', 'out', 'missing'] as const;
type StockFilter = (typeof STOCK_FILTERS)[number];

export interface InventoryFilter {
  /** Folded for search. */
  q?: string;
  /** The same, where it is a PZN: its products are found too. */
  pzn?: string;
  stock?: StockFilter;
  /** The last p1_id of the previous page. */
  after?: string;
}

/** A page of the organization's inventory ordered by p1_id, with the number of its shops that offer each product. */
export function selectInventoryPage(orgId: string, { q, pzn, stock, after }: InventoryFilter, limit: number) {
  const shopCount = sql<number>`(select count(*) from ${listings}
    where ${listings.orgId} = ${orgId} and ${listings.p1Id} = ${inventory.p1Id})`;
  // With both filters neither of them alone knows where the page ends.
  const ends = q === undefined || stock === undefined ? limit : undefined;
  return orm
    .select({
      ...twoLayers,
      ...pznColumn,
      ...stockColumns,
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
        stock && sql`${inventory.p1Id} in ${filtered(orgId, stock, after ?? '', ends)}`,
        q === undefined ? undefined : sql`${inventory.p1Id} in ${found(orgId, { q, pzn, after, limit: ends })}`,
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
export function selectCatalogPage(orgId: string, { q, pzn, after }: Omit<InventoryFilter, 'stock'>, limit: number) {
  return orm
    .select({ ...twoLayers, ...pznColumn })
    .from(catalogProducts)
    .leftJoin(inventory, and(eq(inventory.p1Id, catalogProducts.p1Id), eq(inventory.orgId, orgId)))
    .where(
      and(
        after === undefined ? undefined : gt(catalogProducts.p1Id, after),
        q === undefined ? undefined : sql`${catalogProducts.p1Id} in ${found(CATALOG_LIST, { q, pzn, after, limit })}`,
      ),
    )
    .orderBy(catalogProducts.p1Id)
    .limit(limit);
}

interface Sought {
  q: string;
  pzn?: string;
  after?: string;
  limit?: number;
}

/** Ids of the products of a list that a text or a PZN finds, as a subquery. */
function found(listId: string, { pzn, ...search }: Sought): Condition {
  const named = entriesNamed(listId, search);
  return pzn === undefined ? named : sql`(select p1_id from ${named} union ${withPzn(pzn)})`;
}

/** A name as the search compares it (search/words.ts): ä = ae = a. Stored names are folded without that. */
const collapsed = (text: SQL) => sql`replace(replace(replace(lower(${text}), 'ae', 'a'), 'oe', 'o'), 'ue', 'u')`;

/**
 * Products of an organization that have each of some words in their name or id, or one as their PZN, in any order: in stock first. Reads the blocks
 * of its inventory. @param words folded @param limits how many are counted, and how many are given, each with the number of all
 */
export function selectNamedProducts(
  orgId: string,
  words: readonly string[],
  { counted, shown }: { counted: number; shown: number },
) {
  const holds = (text: SQL) => sql`not exists (select 1 from json_each(${JSON.stringify(words)}) as word
    where instr(${text}, word.value) = 0)`;
  const named = sql`select entry.key as p1_id from ${productBlocks} as block cross join json_each(block.entries) as entry
    where block.list_id = ${orgId} and ${holds(collapsed(sql`block.entries`))}
      and ${holds(collapsed(sql`(entry.value ->> 0 || ' ' || entry.key || ' ' || replace(entry.key, '-', ''))`))}`;
  const pzns = words.filter((word) => /^\d{7,8}$/.test(word)).map((word) => word.padStart(8, '0'));
  const ids = sql`(select p1_id from (${named}) union
    select p1_id from ${catalogProducts} where pzn in ${inList(pzns)} limit ${counted})`;
  return orm
    .select({
      ...twoLayers,
      ...pznColumn,
      found: sql<number>`count(*) over ()`.as('found'),
    })
    .from(inventory)
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, inventory.p1Id))
    .where(and(eq(inventory.orgId, orgId), sql`${inventory.p1Id} in ${words.length > 0 ? ids : inList([])}`))
    .orderBy(sql`${inventory.stockQuantity} = 0`, sql`coalesce(${inventory.nameFolded}, ${catalogProducts.nameFolded})`)
    .limit(shown);
}
