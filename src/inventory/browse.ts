import { isPzn } from '../codes/numbers';
import { pznOf } from '../codes/read';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { pageOf } from '../platform/data/page';
import type { Condition, Statement } from '../platform/data/statements';
import { notFound } from '../platform/errors/errors';
import { foldText } from '../platform/fold';
import { ABOVE_ALL_IDS } from '../platform/ids';
import { dayOf } from '../platform/pharmacy-time';
import { optionsOf, policyOf, type Shippable } from '../tenants/shipping';
import { selectShopsWithHost } from '../tenants/store';
import type { Overrides } from './fields';
import { INVENTORY_PAGE_SIZE, PICKER_FOUND_MAX, RESERVATIONS_SHOWN } from './limits';
import {
  catalogLayer,
  isOwn,
  notHeld,
  organizationLayer,
  overridesOf,
  type Product,
  productOf,
  requireCatalogProduct,
  resolveRow,
  stockOf,
} from './products';
import { resolveProduct } from './resolution';
import * as store from './store';
import * as browseStore from './store-browse';
import { selectHolding, type selectOrderable } from './store-listings';
import { selectReservationsFor } from './store-reservations';

/** How many products of a file are read at once. */
const EXPORT_PART = 2_000;

/** A filter whose search text is as a person typed it. */
interface TypedFilter extends Omit<browseStore.InventoryFilter, 'search'> {
  /** The search text as typed: words of the name in any order, the id, or the PZN. */
  q?: string;
}

/**
 * Reads a page of the organization's inventory, filtered, in one round trip.
 * @returns a page ordered by p1_id, the cursor of the next page (null on the last one), the number of products of each
 *   tab, the organization's shops and, if the search is a PZN, the products with this PZN
 */
export async function browseInventory(ctx: Context, { q, ...filter }: TypedFilter) {
  const { orgId } = requireScope(ctx, 'inventory.read');
  const search = searchOf(q);
  const read = await ctx.db.run({
    rows: browseStore.selectInventoryPage(orgId, { ...filter, search }, INVENTORY_PAGE_SIZE + 1),
    counted: browseStore.selectInventoryCounts(orgId),
    shops: selectShopsWithHost({ orgId }),
    named: search?.pzn ? browseStore.selectWithPzn(orgId, search.pzn) : undefined,
  });
  const { page, nextCursor } = pageOf(read.rows, INVENTORY_PAGE_SIZE, p1IdOf);
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
      /** The first `SHOPS_NAMED_MAX` shops that offer the product. */
      shopIds: JSON.parse(row.shopIds) as string[],
    })),
  };
}

export type BrowsedInventory = Awaited<ReturnType<typeof browseInventory>>;
export type BrowsedProduct = BrowsedInventory['products'][number];

/**
 * Reads a page of the catalog, in one round trip. A product that the organization holds has the organization's stock
 * and unit. Filter and cursor work as in `browseInventory`.
 */
export async function searchCatalog(ctx: Context, { q, after }: Omit<TypedFilter, 'stock'>) {
  const { orgId } = requireScope(ctx, 'products.read');
  const rows = browseStore.selectCatalogPage(orgId, { search: searchOf(q), after }, INVENTORY_PAGE_SIZE + 1);
  const { page, nextCursor } = pageOf((await ctx.db.run({ rows })).rows, INVENTORY_PAGE_SIZE, p1IdOf);
  return {
    nextCursor,
    products: page.map((row) => ({
      p1Id: row.p1Id,
      pzn: row.pzn,
      name: row.catalogName,
      slug: row.catalogSlug,
      category: row.catalogCategory,
      priceCents: row.catalogPriceCents,
      thcPercent: row.catalogThcPercent,
      cbdPercent: row.catalogCbdPercent,
      unit: row.unit ?? row.catalogUnit ?? 'piece',
      isPrescription: row.catalogPrescriptionRequired === 1,
      /** Null when the organization does not hold the product. */
      stockQuantity: row.stockQuantity,
    })),
  };
}

export type CatalogPage = Awaited<ReturnType<typeof searchCatalog>>;

interface FindInCatalog extends browseStore.CatalogFilter {
  /** Only products that changed in the catalog after this time (epoch ms). */
  updatedAfter?: number;
  limit: number;
  /** The last product of the previous page. */
  after: browseStore.CatalogPlace | null;
}

/**
 * Reads a page of the catalog in one round trip. It is ordered by p1_id, or by the time of the last change if
 * `updatedAfter` is the only filter. With `updatedAfter` and other filters, a page may have fewer products than the
 * limit although more follow.
 */
export async function findInCatalog(ctx: Context, { updatedAfter, limit, after, ...filter }: FindInCatalog) {
  const { orgId } = requireScope(ctx, 'products.read');
  const { q } = filter;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const rows = await ctx.db.rows(
    updatedAfter === undefined || isFiltered
      ? browseStore.selectCatalogMatching(orgId, { ...filter, q: q && foldText(q) }, after?.p1Id ?? '', limit + 1)
      : browseStore.selectCatalogByChange(orgId, after ?? { updatedAt: updatedAfter + 1, p1Id: '' }, limit + 1),
  );
  const { page, nextCursor } = pageOf(rows, limit, ({ updatedAt, p1Id }) => ({ updatedAt, p1Id }));
  return { products: page.filter(({ updatedAt }) => updatedAt > (updatedAfter ?? -1)), nextCursor };
}

export type CatalogEntry = Awaited<ReturnType<typeof findInCatalog>>['products'][number];

/**
 * Returns all stocked products for a file, ordered by id. They are read in parts while the caller iterates.
 * @throws AppError `insufficient_scope`
 */
export function exportInventory(ctx: Context) {
  return stockedProducts(ctx, requireScope(ctx, 'inventory.read').orgId);
}

async function* stockedProducts(ctx: Context, orgId: string) {
  let after = '';
  for (;;) {
    const rows = await ctx.db.rows(browseStore.selectInventoryExport(orgId, after, EXPORT_PART));
    yield* rows;
    const last = rows[EXPORT_PART - 1];
    if (!last) return;
    after = last.p1Id;
  }
}

/** The most words of a search. Each word takes several of the 100 bound values that a statement may have. */
const WORDS_MAX = 6;

/**
 * Returns the statement that finds the organization's products by a text, for the caller's own batch. @param text the
 * text as a person typed it
 */
export function namedInInventory(orgId: string, text: string, limits: { counted: number; shown: number }) {
  return browseStore.selectNamedProducts(orgId, searchOf(text), limits);
}

function searchOf(q: string): browseStore.ProductSearch;
function searchOf(q: string | undefined): browseStore.ProductSearch | undefined;
function searchOf(q: string | undefined): browseStore.ProductSearch | undefined {
  if (q === undefined) return undefined;
  const words = foldText(q).split(' ').filter(Boolean).slice(0, WORDS_MAX);
  return { words, pzn: pznOf(q) ?? undefined };
}

function p1IdOf({ p1Id }: { p1Id: string }): string {
  return p1Id;
}

/** Returns the statements that read everything about one product of an organization, for the caller's own batch. */
export function productDetail(orgId: string, p1Id: string) {
  return {
    rows: store.selectProductStock(orgId, p1Id),
    twins: store.selectTwin(orgId, p1Id),
    shops: store.selectShopsOffering(orgId, p1Id),
    defaults: store.selectDefaultThreshold(orgId),
    movements: store.selectMovements(orgId, p1Id),
    reservations: selectReservationsFor(orgId, p1Id, RESERVATIONS_SHOWN),
  };
}

type Loaded = { [K in keyof ReturnType<typeof productDetail>]: Awaited<ReturnType<typeof productDetail>[K]> };

/**
 * Returns a product with all its layers: the values of the catalog and of the organization, and for every shop the
 * effective values and their sources.
 * @throws AppError `not_found` when the organization does not hold the product
 */
export function productDetailOf({ rows, twins, shops, defaults, movements, reservations }: Loaded) {
  const [[row], [twin]] = [rows, twins];
  if (!row || row.stockQuantity === null) throw notFound();
  const own = resolveRow(row, {});
  const catalog = catalogLayer(row);
  return {
    p1Id: row.p1Id,
    pzn: row.pzn,
    name: own.values.name,
    /**
     * Whether the product is the organization's own. The next member, `twin`, is the catalog's product with the same
     * PZN, with which an own product can be joined. It is null if there is no such product or the two were joined
     * before.
     */
    isOwn: isOwn(row.p1Id),
    twin: twin ? { p1Id: twin.p1Id, name: twin.catalogName } : null,
    ...stockOf(row),
    /** The product's own threshold; null when the organization's applies. */
    lowStockThreshold: row.lowStockThreshold,
    defaultThreshold: defaults[0]?.threshold ?? 0,
    catalog,
    organization: organizationLayer(row),
    /** The values that would apply if the organization overrode nothing. */
    base: resolveProduct({ catalog, organization: {}, shop: {} }),
    /** The values that apply where a shop overrides nothing. */
    own,
    shops: shops.map(({ id, name, isActive, overrides }) => {
      const said = overridesOf({ overrides });
      return {
        id,
        name,
        isActive: isActive === 1,
        isAttached: overrides !== null,
        overrides: said,
        resolved: resolveRow(row, said),
      };
    }),
    movements,
    reservations,
  };
}

export type ProductDetail = ReturnType<typeof productDetailOf>;
export type ShopOffer = ProductDetail['shops'][number];
export type Movement = ProductDetail['movements'][number];

/**
 * Returns the stock movements of a product, newest first, in one round trip. A removed product keeps its movements.
 * @param input.before the last movement of the previous page
 * @throws AppError `catalog_product_not_found`; `not_found` when the organization never held it
 */
export async function listMovements(ctx: Context, input: { p1Id: string; limit: number; before: string | null }) {
  const { orgId } = requireScope(ctx, 'inventory.read');
  const { p1Id, limit, before } = input;
  const { product, rows } = await ctx.db.run({
    product: store.selectProduct({ orgId, p1Id }),
    rows: store.selectLedger({ orgId, p1Id, before: before ?? ABOVE_ALL_IDS, limit: limit + 1 }),
  });
  const { stockQuantity } = requireCatalogProduct(product[0]);
  if (stockQuantity === null && rows.length === 0 && before === null) throw notHeld();
  const { page, nextCursor } = pageOf(rows, limit, ({ id }) => id);
  return { movements: page, nextCursor };
}

export type LedgerEntry = Awaited<ReturnType<typeof listMovements>>['movements'][number];

interface OfferedQuery {
  shopId: string;
  /** The search text as typed: a part of the name or id, or a PZN. */
  q?: string;
  pzn?: string;
  /** Only products that were changed after this time, epoch ms. */
  updatedAfter?: number;
  limit: number;
  /** Only products after this id. */
  after: string | null;
}

/**
 * Reads a page of the products that a shop offers, ordered by p1_id. It is for platforms that send order requests to
 * the shop.
 * @param keyUse a statement of the same batch that records the use of the API key
 */
export async function listOffered(ctx: Context, query: OfferedQuery, keyUse?: Statement) {
  const { shopId, q, pzn, updatedAfter = null, limit, after } = query;
  const { orgId } = requireScope(ctx, 'external_orders.submit');
  const today = dayOf(ctx.now());
  const sought = { q: q === undefined ? null : foldText(q), qPzn: q !== undefined && isPzn(q) ? q : null };
  const wanted = { orgId, shopId, after: after ?? '', limit: limit + 1 };
  const { rows, end } = await ctx.db.run({
    keyUse,
    rows: browseStore.selectOffered(wanted, { ...sought, pzn: pzn ?? null, updatedAfter }),
    end: updatedAfter === null ? undefined : browseStore.selectOfferedEnd(wanted),
  });
  const { page, nextCursor } = pageOf(rows, limit, ({ p1Id }) => p1Id);
  const products = page.map((row) => {
    const { values } = resolveRow(row, overridesOf(row));
    const { name, priceCents, available, prescriptionRequired, category, unit, unitStep, thcPercent, cbdPercent } =
      values;
    const { p1Id, pzn: number, updatedAt } = row;
    const stockQuantity = row.stockQuantity ?? 0;
    const shippingOptions = optionsOf({ ...values, policy: policyOf(row.policy) }, { shopId, today });
    /** Whether the product can be ordered: its flag is set, and it is in stock. */
    const isAvailable = available && stockQuantity > 0;
    const said = { name, priceCents, prescriptionRequired, category, unit, unitStep, thcPercent, cbdPercent };
    const stock = { isAvailable, stockQuantity, isShort: row.isShort === 1 };
    return { p1Id, pzn: number, ...said, ...stock, updatedAt, shippingOptions };
  });
  return { products, nextCursor: nextCursor ?? end?.[0]?.p1Id ?? null };
}

/** The data of a held product that orders use. */
export interface OrderableProduct
  extends Shippable,
    Pick<
      Product,
      'p1Id' | 'pzn' | 'name' | 'prescriptionRequired' | 'unit' | 'unitStep' | 'thcPercent' | 'cbdPercent'
    > {
  /** The shop's effective price of a unit. */
  priceCents: number;
  stockQuantity: number;
}

/** The products that the organization holds, with the values of one shop, by product id. */
export interface OrderableProducts extends ReadonlyMap<string, OrderableProduct> {
  /** Ids of products that the organization does not hold and that require a prescription according to the catalog. */
  readonly prescribed: ReadonlySet<string>;
}

type RowInShop = Awaited<ReturnType<typeof selectOrderable>>[number];
type OrderableRow = Omit<RowInShop, 'shopId'>;

/**
 * Returns the found products of one shop by product id, in the order of the rows. Each value comes from the layer that
 * takes precedence.
 */
export function orderableById(rows: readonly OrderableRow[]): OrderableProducts {
  return productsOf(rows, overridesOf);
}

/**
 * Returns a function that takes a shop's id and returns the found products, by product id, as that shop sells them. A
 * product that the shop does not offer has the organization's values.
 */
export function orderableByShop(rows: readonly RowInShop[]): (shopId: string) => OrderableProducts {
  const unlisted = productsOf(rows, () => ({}));
  const shops = new Map(
    [...new Set(rows.map(({ shopId }) => shopId))].map((shopId) => {
      const listed = orderableById(rows.filter((row) => row.shopId === shopId));
      return [shopId, withPrescribed(new Map([...unlisted, ...listed]), unlisted.prescribed)] as const;
    }),
  );
  return (shopId) => shops.get(shopId) ?? unlisted;
}

function productsOf(rows: readonly OrderableRow[], shopOf: (row: OrderableRow) => Overrides): OrderableProducts {
  const isHeld = (row: OrderableRow) => row.stockQuantity !== null;
  const prescribed = rows.filter((row) => !isHeld(row) && resolved(row, {}).prescriptionRequired);
  return withPrescribed(
    new Map(rows.filter(isHeld).map((row) => [row.p1Id, resolved(row, shopOf(row))])),
    new Set(prescribed.map(({ p1Id }) => p1Id)),
  );
}

function withPrescribed(products: Map<string, OrderableProduct>, prescribed: ReadonlySet<string>): OrderableProducts {
  return Object.assign(products, { prescribed });
}

function resolved(row: OrderableRow, shop: Overrides): OrderableProduct {
  const { name, category, prescriptionRequired, priceCents, ...others } = resolveRow(row, shop).values;
  const { available, availableForPickup, availableForShipping, unit, unitStep, thcPercent, cbdPercent } = others;
  const { p1Id, pzn } = row;
  return {
    ...{ p1Id, pzn, name, category, prescriptionRequired, priceCents, stockQuantity: row.stockQuantity ?? 0 },
    ...{ unit, unitStep, thcPercent, cbdPercent },
    ...{ available, availableForPickup, availableForShipping, policy: policyOf(row.policy) },
  };
}

/**
 * Returns the statement that finds stocked products by a text that a person typed or scanned: a part of the name or id,
 * or the PZN. The caller puts it into its own batch. The products have the shop's values. Products whose name begins
 * with the text come first, then products in stock. The statement reads the search blocks of the shop and of the
 * organization, and some hundred products.
 * @param shopId may be a subquery
 */
export function holdingProducts(orgId: string, shopId: string | Condition, text: string) {
  return selectHolding(orgId, shopId, { q: foldText(text), pzn: pznOf(text) }, PICKER_FOUND_MAX);
}
