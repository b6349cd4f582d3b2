import { pznOf } from '../codes/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { foldText } from '../platform/fold';
import { pageOf } from '../platform/page';
import { productOf } from './product';
import { stockOf } from './state';
import { selectShops } from './store';
import {
  type InventoryFilter,
  type ProductSearch,
  selectCatalogPage,
  selectInventoryCounts,
  selectInventoryExport,
  selectInventoryPage,
  selectNamedProducts,
  selectWithPzn,
} from './store-browse';
import { type CatalogFilter, type CatalogPlace, selectCatalogByChange, selectCatalogMatching } from './store-catalog';

/** Each row has a form: a page stays below 60 KB. */
const INVENTORY_PAGE = 30;
const CATALOG_PAGE = 25;
/** One file has so many products, read in two parts. */
const EXPORT_PART = 10_000;
const EXPORT_MAX = 2 * EXPORT_PART;

/** What people ask for. */
export interface TypedFilter extends Omit<InventoryFilter, 'search'> {
  /** As typed: words of the name in any order, the id, or the PZN. */
  q?: string;
}

/**
 * The organization's inventory, filtered, in one round trip.
 * @returns a page ordered by p1_id, and the cursor of the next page, null at the end; how many products each tab has, and the
 *   organization's shops; for a PZN, what the catalog has with it
 */
export async function browseInventory(ctx: Context, { q, ...filter }: TypedFilter) {
  const { orgId } = requireScope(ctx, 'inventory.read');
  const search = searchOf(q);
  const read = await ctx.db.run({
    rows: selectInventoryPage(orgId, { ...filter, search }, INVENTORY_PAGE + 1),
    counted: selectInventoryCounts(orgId),
    shops: selectShops({ orgId }),
    named: search?.pzn ? selectWithPzn(search.pzn) : undefined,
  });
  const { page, nextCursor } = pageOf(read.rows, INVENTORY_PAGE, p1IdOf);
  return {
    nextCursor,
    counts: read.counted[0] ?? { all: 0, low: 0, out: 0, missing: 0, isMore: 0 },
    shops: read.shops,
    inCatalog: read.named ?? [],
    products: page.map((row) => ({
      ...productOf(row, null, {}),
      ...stockOf(row),
      pzn: row.pzn,
      catalogSlug: row.catalogSlug,
      catalogPriceCents: row.catalogPriceCents,
      threshold: row.threshold,
      shopCount: row.shopCount,
      /** The first of them. */
      shopIds: JSON.parse(row.shopIds) as string[],
    })),
  };
}

export type BrowsedInventory = Awaited<ReturnType<typeof browseInventory>>;
export type BrowsedProduct = BrowsedInventory['products'][number];

/**
 * Products of the catalog, with the organization's own values where it holds them, in one round trip. Otherwise like
 * `browseInventory`.
 */
export async function searchCatalog(ctx: Context, { q, after }: Omit<TypedFilter, 'stock'>) {
  const { orgId } = requireScope(ctx, 'products.read');
  const rows = selectCatalogPage(orgId, { search: searchOf(q), after }, CATALOG_PAGE + 1);
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

export interface FindInCatalog extends CatalogFilter {
  /** Only what the catalog has changed since (epoch ms). */
  updatedAfter?: number;
  limit: number;
  /** The last product of the page before. */
  after: CatalogPlace | null;
}

/**
 * A page of the catalog: ordered by p1_id, or where only changed products are wanted and nothing else is asked, by change. One
 * round trip. With both, a page may have fewer products than the limit and yet not be the last.
 */
export async function findInCatalog(ctx: Context, { updatedAfter, limit, after, ...filter }: FindInCatalog) {
  const { orgId } = requireScope(ctx, 'products.read');
  const { q } = filter;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const rows = await ctx.db.rows(
    updatedAfter === undefined || isFiltered
      ? selectCatalogMatching(orgId, { ...filter, q: q && foldText(q) }, after?.p1Id ?? '', limit + 1)
      : selectCatalogByChange(orgId, after ?? { updatedAt: updatedAfter + 1, p1Id: '' }, limit + 1),
  );
  const { page, nextCursor } = pageOf(rows, limit, ({ updatedAt, p1Id }) => ({ updatedAt, p1Id }));
  return { products: page.filter(({ updatedAt }) => updatedAt > (updatedAfter ?? -1)), nextCursor };
}

export type CatalogEntry = Awaited<ReturnType<typeof findInCatalog>>['products'][number];

/**
 * What the organization stocks, for a file: at most 20,000 products in the order of their ids, in two round trips at most.
 * @returns the rows, and whether there are more
 */
export async function exportInventory(ctx: Context) {
  const { orgId } = requireScope(ctx, 'inventory.read');
  const first = await ctx.db.rows(selectInventoryExport(orgId, '', EXPORT_PART + 1));
  if (first.length <= EXPORT_PART) return { rows: first, isCut: false };
  const second = await ctx.db.rows(selectInventoryExport(orgId, first[EXPORT_PART - 1]?.p1Id ?? '', EXPORT_PART + 1));
  const rows = [...first.slice(0, EXPORT_PART), ...second];
  return { rows: rows.slice(0, EXPORT_MAX), isCut: rows.length > EXPORT_MAX };
}

/** Each takes several of the hundred values of a statement. */
const WORDS_MAX = 6;

/** The statement that finds the organization's products by a text, for the caller's own batch. @param text as typed */
export function namedInInventory(orgId: string, text: string, limits: { counted: number; shown: number }) {
  return selectNamedProducts(orgId, searchOf(text), limits);
}

function searchOf(q: string): ProductSearch;
function searchOf(q: string | undefined): ProductSearch | undefined;
function searchOf(q: string | undefined): ProductSearch | undefined {
  if (q === undefined) return undefined;
  const words = foldText(q).split(' ').filter(Boolean).slice(0, WORDS_MAX);
  return { words, pzn: pznOf(q) ?? undefined };
}

function p1IdOf({ p1Id }: { p1Id: string }): string {
  return p1Id;
}
