import { and, eq, gt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { catalogProducts, isGlobal, type Unit } from '../catalog/tables';
import { has } from '../platform/data/columns';
import { LOOKED_MAX, type PageAfter } from '../platform/data/page';
import { type Condition, encoded, orm, type Value } from '../platform/data/statements';
import { organizations } from '../platform/tables';
import { SHOPS_NAMED_MAX, SHORT_COUNTED_MAX } from './limits';
import { as, shippingPolicy, threeLayers, twoLayers, withPzn } from './store';
import { stockColumns, threshold } from './store-stock';
import { inventory, listings, productBlocks } from './tables';

/**
 * Filters of the inventory by stock. `low`: the stock is below the threshold; it may be 0. `out`: the stock is 0.
 * `missing`: a count did not find some of the promised quantity.
 */
export const STOCK_FILTERS = ['low', 'out', 'missing'] as const;
type StockFilter = (typeof STOCK_FILTERS)[number];

/** A search, made from the text that a person typed. */
export interface ProductSearch {
  /** The words of the search, folded. All must occur, in any order. */
  words: readonly string[];
  /** The whole text if it is a PZN. Products with this PZN are found, too. */
  pzn?: string;
}

export interface InventoryFilter {
  search?: ProductSearch;
  stock?: StockFilter;
  /** The last p1_id of the previous page. */
  after?: string;
}

/** Selects a page of the organization's inventory ordered by p1_id, with the shops that offer each product. */
export function selectInventoryPage(orgId: string, { search, stock, after }: InventoryFilter, limit: number) {
  const offering = sql`from ${listings} where ${listings.orgId} = ${orgId} and ${listings.p1Id} = ${inventory.p1Id}`;
  // With both filters, neither subquery may stop at the end of the page.
  const ends = search === undefined || stock === undefined ? limit : undefined;
  return orm
    .select({
      ...twoLayers,
      ...stockColumns,
      threshold: sql<number>`${threshold}`.as('threshold'),
      shopCount: sql<number>`(select count(*) ${offering})`.as('shop_count'),
      /** JSON; at most `SHOPS_NAMED_MAX`. */
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
        search && sql`${inventory.p1Id} in ${found(orgId, orgId, search, after, ends)}`,
      ),
    )
    .orderBy(inventory.p1Id)
    .limit(limit);
}

/**
 * Returns a subquery of the ids of the products that a stock filter finds. It reads the index for this filter.
 * @param limit undefined for all
 */
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
 * Selects a page of the catalog ordered by p1_id, with the organization's values of held products. A search reads
 * blocks until the page is full. A search by PZN also finds the organization's own product.
 */
export function selectCatalogPage(orgId: string, { search, after }: Omit<InventoryFilter, 'stock'>, limit: number) {
  return orm
    .select(twoLayers)
    .from(catalogProducts)
    .leftJoin(inventory, has(inventory, { p1Id: catalogProducts.p1Id, orgId }))
    .where(
      and(
        after === undefined ? undefined : gt(catalogProducts.p1Id, after),
        search ? sql`${catalogProducts.p1Id} in ${found(orgId, CATALOG_LIST, search, after, limit)}` : isGlobal,
      ),
    )
    .orderBy(catalogProducts.p1Id)
    .limit(limit);
}

/**
 * Counts the products of each tab. Of the products that run low or are out of stock, at most `SHORT_COUNTED_MAX` are
 * counted; `isMore` is 1 if the count stopped there. The count of products with missing quantities has the same limit.
 */
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

/** Reads at most two products with a PZN. More than one is rare. */
export function selectWithPzn(orgId: string, pzn: string) {
  return orm
    .select({ p1Id: catalogProducts.p1Id, name: catalogProducts.name })
    .from(catalogProducts)
    .where(sql`${catalogProducts.p1Id} in (${withPzn(orgId, pzn)})`)
    .orderBy(catalogProducts.p1Id)
    .limit(2);
}

/** Selects the stocked products after an id, with the columns of the exported file. */
export function selectInventoryExport(orgId: string, after: string, limit: number) {
  const offering = sql`(select count(*) from ${listings}
    where ${listings.orgId} = ${orgId} and ${listings.p1Id} = ${inventory.p1Id})`;
  return orm
    .select({
      p1Id: as<string>(inventory.p1Id, 'p1Id'),
      pzn: twoLayers.pzn,
      name: sql<string>`coalesce(${inventory.name}, ${catalogProducts.name})`.as('name'),
      category: sql<string>`coalesce(${inventory.category}, ${catalogProducts.category})`.as('category'),
      priceCents: as<number | null>(inventory.priceCents, 'priceCents'),
      catalogPriceCents: as<number>(catalogProducts.priceCents, 'catalogPriceCents'),
      unit: sql<Unit>`coalesce(${inventory.unit}, ${catalogProducts.unit}, 'piece')`.as('unit'),
      unitStep: sql<number>`coalesce(${inventory.unitStep}, ${catalogProducts.unitStep}, 1)`.as('unitStep'),
      ...stockColumns,
      lowStockThreshold: as<number | null>(inventory.lowStockThreshold, 'lowStockThreshold'),
      shopCount: sql<number>`${offering}`.as('shopCount'),
    })
    .from(inventory)
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, inventory.p1Id))
    .where(and(eq(inventory.orgId, orgId), gt(inventory.p1Id, after)))
    .orderBy(inventory.p1Id)
    .limit(limit);
}

/** Returns a subquery of the ids that a search finds in a list of products. */
function found(
  orgId: string,
  listId: string,
  { words, pzn }: ProductSearch,
  after?: string,
  limit?: number,
): Condition {
  const named = entriesNamed(listId, { q: null, words, after, limit });
  return pzn === undefined ? named : sql`(select p1_id from ${named} union ${withPzn(orgId, pzn)})`;
}

/**
 * Reads the organization's products that a search finds, products in stock first. Each row also has the number of found
 * products. Reads the search blocks of the inventory.
 * @param limits `counted`: the most products that are found by name; `shown`: the most rows
 */
export function selectNamedProducts(
  orgId: string,
  search: ProductSearch,
  { counted, shown }: { counted: number; shown: number },
) {
  return orm
    .select({ ...twoLayers, found: sql<number>`count(*) over ()`.as('found') })
    .from(inventory)
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, inventory.p1Id))
    .where(
      and(eq(inventory.orgId, orgId), sql`${inventory.p1Id} in ${found(orgId, orgId, search, undefined, counted)}`),
    )
    .orderBy(sql`${inventory.stockQuantity} = 0`, sql`coalesce(${inventory.nameFolded}, ${catalogProducts.nameFolded})`)
    .limit(shown);
}

/** A filter of the catalog. */
export interface CatalogFilter {
  /** Folded for search: a part of the name or id. */
  q?: string;
  /** Eight digits. */
  pzn?: string;
  category?: string;
}

/** A position in the catalog: a product, and the time of the last change of its row (epoch ms). */
export interface CatalogPlace {
  updatedAt: number;
  p1Id: string;
}

const columns = {
  p1Id: as<string>(catalogProducts.p1Id, 'p1Id'),
  pzn: twoLayers.pzn,
  name: as<string>(catalogProducts.name, 'name'),
  slug: as<string>(catalogProducts.slug, 'slug'),
  category: as<string>(catalogProducts.category, 'category'),
  priceCents: as<number>(catalogProducts.priceCents, 'priceCents'),
  prescriptionRequired: as<number>(catalogProducts.prescriptionRequired, 'prescriptionRequired'),
  updatedAt: as<number>(catalogProducts.updatedAt, 'updatedAt'),
  isHeld: sql<number>`${inventory.p1Id} is not null`.as('isHeld'),
};

function selectCatalog(orgId: string) {
  return orm
    .select(columns)
    .from(catalogProducts)
    .leftJoin(inventory, has(inventory, { p1Id: catalogProducts.p1Id, orgId }));
}

/**
 * Reads a page of the catalog ordered by p1_id. A search reads blocks until the page is full.
 * @param after empty for the first page
 */
export function selectCatalogMatching(orgId: string, filter: CatalogFilter, after: string, limit: number) {
  const { q, pzn, category } = filter;
  const isBlocks = pzn === undefined && (q !== undefined || category !== undefined);
  const found = isBlocks
    ? sql`${catalogProducts.p1Id} in ${entriesNamed(CATALOG_LIST, { q: q ?? null, category, after, limit })}`
    : and(
        pzn === undefined ? isGlobal : sql`${catalogProducts.p1Id} in (${withPzn(orgId, pzn)})`,
        q === undefined
          ? undefined
          : sql`(instr(${catalogProducts.nameFolded}, ${q}) > 0 or instr(${foldedId(catalogProducts.p1Id)}, ${q}) > 0)`,
        category === undefined ? undefined : eq(catalogProducts.category, category),
      );
  return selectCatalog(orgId)
    .where(and(gt(catalogProducts.p1Id, after), found))
    .orderBy(catalogProducts.p1Id)
    .limit(limit);
}

/** Selects a page of the catalog in the order of the products' last changes. */
export function selectCatalogByChange(orgId: string, after: CatalogPlace, limit: number) {
  return selectCatalog(orgId)
    .where(
      and(isGlobal, sql`(${catalogProducts.updatedAt}, ${catalogProducts.p1Id}) > (${after.updatedAt}, ${after.p1Id})`),
    )
    .orderBy(catalogProducts.updatedAt, catalogProducts.p1Id)
    .limit(limit);
}

/** A filter of a list of products. Null allows any value. */
export interface EntryFilter {
  /** Folded for search: a part of the name or id. */
  q: string | null;
  category: string | null;
  available: boolean | null;
}

/** A filter whose values may be placeholders of a prepared statement. */
type EntryFilterValues = { readonly [Name in keyof EntryFilter]: Value<EntryFilter[Name]> };

/** The id of a list of products: the id of a shop or of an organization, which may be a subquery, or `CATALOG_LIST`. */
type ListId = Value<string> | Condition;
const CATALOG_LIST = '';

const blocks = sql`${productBlocks} as block`;
const blocksWithEntries = sql`${blocks} cross join json_each(block.entries) as entry`;
const folded = sql`(entry.value ->> 0)`;

/** Returns SQL that folds an id as `foldText` folds ASCII text, so that a folded search finds an "ae" in a UUID. */
export function foldedId(id: SQL | SQLWrapper): SQL {
  return sql`replace(replace(replace(lower(${id}), 'ae', 'a'), 'oe', 'o'), 'ue', 'u')`;
}

/**
 * Condition: the JSON of the block may contain `before` followed by the text. The condition is cheap and rules out most
 * blocks; whether a product matches is checked afterwards. Names are stored folded, ids are not. Folding removes some
 * letters "e", so both sides are compared without this letter.
 */
function holdsText(text: Value<string | null>, before = ''): SQL {
  const quoted = sql`replace(json_quote(${text}), 'e', '')`;
  return sql`instr(replace(lower(block.entries), 'e', ''), ${before} || substr(${quoted}, 2, length(${quoted}) - 2)) > 0`;
}

function mayHold({ q }: Pick<EntryFilterValues, 'q'>): SQL {
  return sql`(${q} is null or ${holdsText(q)})`;
}

function isMeant({ q, category, available }: EntryFilterValues): SQL {
  return sql`(${q} is null or instr(${folded}, ${q}) > 0 or instr(${foldedId(sql`entry.key`)}, ${q}) > 0)
    and (${category} is null or entry.value ->> 1 = ${category})
    and (${available} is null or entry.value ->> 2 = ${encoded(available, Number)})`;
}

/**
 * Returns the beginning of a WITH clause. Its table `start` has one row: the first block of a page, and the number of
 * products in the blocks before this block. If the page is past the end, `start` has no row. Reads one row for each
 * block up to the first block of the page.
 */
export function startOfPage(listId: ListId, offset: Value<number>): SQL {
  return sql`with start as materialized (${firstReaching(
    sql`select first_p1_id, product_count as hits from ${productBlocks} where list_id = ${listId}`,
    offset,
  )})`;
}

function firstReaching(counted: SQL, offset: Value<number>): SQL {
  return sql`select first_p1_id, upto - hits as skipped
    from (select first_p1_id, hits, sum(hits) over (order by first_p1_id rows unbounded preceding) as upto from (${counted}))
    where upto > ${offset} limit 1`;
}

/** Returns SQL for the offset of the page within the block `start`. */
export function offsetInStart(offset: Value<number>): SQL {
  return sql`coalesce(${offset} - (select skipped from start), 0)`;
}

/**
 * Returns a subquery of the ids of one page of matches, in order. Each row also has the number of all matches. If the
 * page is empty, there is one row without an id. Each block (`productBlocks`) with a possible match is parsed once.
 * Each block of the page is parsed twice.
 */
export function pageOfEntries(
  listId: ListId,
  filter: EntryFilterValues,
  { limit, offset }: { limit: Value<number>; offset: Value<number> },
): SQL {
  return sql`(with counted as materialized (select block.first_p1_id,
      iif(${mayHold(filter)}, (select count(*) from json_each(block.entries) as entry where ${isMeant(filter)}), 0) as hits
      from ${blocks} where block.list_id = ${listId}),
    start as materialized (${firstReaching(sql`select first_p1_id, hits from counted`, offset)}),
    page as (select entry.key as p1_id from ${blocksWithEntries}
      where block.list_id = ${listId} and block.first_p1_id >= (select first_p1_id from start)
        and ${mayHold(filter)} and ${isMeant(filter)}
      order by block.first_p1_id, entry.key limit ${limit} offset ${offsetInStart(offset)})
    select page.p1_id, number.total from (select coalesce(sum(hits), 0) as total from counted) as number left join page on true)`;
}

interface Search {
  /** The text to find, folded for search; null finds any name. */
  q: string | null;
  /** Further words that must occur. */
  words?: readonly string[];
  category?: string | null;
  /** Only ids after this one. */
  after?: string;
  /** The most ids to find, in order; default: all. */
  limit?: number;
  /** Only names that begin with the text. */
  isBeginning?: boolean;
}

/**
 * Returns a subquery of the ids of a list's products whose name or id contains a text. Reads blocks until the limit is
 * reached.
 */
export function entriesNamed(
  listId: ListId,
  { q, words = [], category = null, after, limit, isBeginning }: Search,
): SQL {
  const filter = { q, category, available: null };
  const conditions = [
    sql`block.list_id = ${listId}`,
    after === undefined
      ? undefined
      : sql`block.first_p1_id >= coalesce((select max(first_p1_id) from ${productBlocks}
          where list_id = ${listId} and first_p1_id <= ${after}), '') and entry.key > ${after}`,
    isBeginning
      ? sql`${holdsText(q, '["')} and instr(${folded}, ${q}) = 1`
      : sql`${mayHold(filter)} and ${isMeant(filter)}`,
    ...words.map(
      (word) =>
        sql`${holdsText(word)} and (instr(${folded}, ${word}) > 0 or instr(${foldedId(sql`entry.key`)}, ${word}) > 0)`,
    ),
  ];
  return sql`(select entry.key as p1_id from ${blocksWithEntries} where ${and(...conditions)}
    ${limit === undefined ? sql`` : sql`order by block.first_p1_id, entry.key limit ${limit}`})`;
}

interface OfferedPage extends PageAfter<string> {
  shopId: string;
}

interface Sought {
  /** Folded for search. */
  q: string | null;
  /** The searched text if it is a PZN, otherwise null. Products with this PZN are found too. */
  qPzn: string | null;
  pzn: string | null;
  updatedAfter: number | null;
}

/**
 * Reads a page of the products that a shop offers, ordered by p1_id. Reads three rows for each product. A search also
 * reads blocks until the page is full. With `updatedAfter`, the page looks only at the next `LOOKED_MAX` products.
 */
export function selectOffered({ orgId, shopId, after, limit }: OfferedPage, { q, qPzn, pzn, updatedAfter }: Sought) {
  const updatedAt = sql<number>`max(${inventory.updatedAt}, ${listings.updatedAt}, ${catalogProducts.updatedAt})`;
  const isShort = sql<number>`${inventory.isShort}`.as('isShort');
  // With both filters, neither subquery may stop at the end of the page.
  const named = q === null ? null : entriesNamed(shopId, { q, after, limit: pzn === null ? limit : undefined });
  // This also finds products with the PZN of an own product that another shop offers.
  const ofPzn = (number: string) => sql`select same.p1_id from ${catalogProducts} as same where same.pzn = ${number}`;
  const found = named && (qPzn === null ? named : sql`(select p1_id from ${named} union ${ofPzn(qPzn)})`);
  return orm
    .select({
      ...threeLayers,
      isShort,
      updatedAt: updatedAt.as('updatedAt'),
      policy: shippingPolicy(orgId),
    })
    .from(listings)
    .innerJoin(inventory, has(inventory, { orgId, p1Id: listings.p1Id }))
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, listings.p1Id))
    .where(
      and(
        eq(listings.shopId, shopId),
        gt(listings.p1Id, after),
        found ? sql`${listings.p1Id} in ${found}` : undefined,
        pzn === null ? undefined : sql`${listings.p1Id} in (${ofPzn(pzn)})`,
        updatedAfter === null
          ? undefined
          : sql`${listings.p1Id} <= coalesce(${lookedOffered({ shopId, after })}, ${ABOVE_ALL_TEXT}) and ${updatedAt} > ${updatedAfter}`,
      ),
    )
    .orderBy(listings.p1Id)
    .limit(limit);
}

/** A text that sorts after every product id, because ids are ASCII. */
const ABOVE_ALL_TEXT = '\u{10ffff}';

/**
 * Returns a subquery of the id of the last product that a page with `updatedAfter` scans. The id is null if fewer than
 * `LOOKED_MAX` products are left.
 */
function lookedOffered({ shopId, after }: Pick<OfferedPage, 'shopId' | 'after'>): SQL {
  return sql`(select looked.p1_id from ${listings} as looked where looked.shop_id = ${shopId} and looked.p1_id > ${after}
    order by looked.p1_id limit 1 offset ${LOOKED_MAX - 1})`;
}

/** Selects the id of `lookedOffered` in a query of its own. */
export function selectOfferedEnd(page: Pick<OfferedPage, 'shopId' | 'after'>) {
  return orm.select({ p1Id: sql<string | null>`${lookedOffered(page)}`.as('looked_end') }).from(sql`(select 1)`);
}
