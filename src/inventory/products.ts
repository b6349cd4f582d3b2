import { recordAudit } from '../audit/record';
import {
  CATALOG_FIELDS,
  OWN_PREFIX,
  PRODUCT_FIELDS,
  type ProductField,
  productFields,
  type ResolvedValues,
  type WrittenValues,
} from '../catalog/fields';
import type { ToldHolders } from '../catalog/import';
import type { Unit } from '../catalog/tables';
import { requireScope } from '../platform/access';
import { commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import type { Context } from '../platform/context';
import { AppError, notFound } from '../platform/errors/errors';
import { foldText } from '../platform/fold';
import type { JsonObject } from '../platform/http/json';
import { newId } from '../platform/ids';
import { toCents, toEur } from '../platform/money';
import { selectShopOfOrganization } from '../tenants/store';
import { outboxProducts } from '../webhooks/outbox';
import type { Overrides, ProductValues } from './fields';
import { createdEvents, ledgerWriter, productEvents } from './ledger';
import { changedFields, type Place, type ResolvedProduct, resolve, SHOP_PLACES } from './resolution';
import * as store from './store';
import type { EntryFilter } from './store-browse';
import { selectListed, selectListedMatching } from './store-listings';
import * as stockStore from './store-stock';
import type { WrittenOverrides } from './tables';

/** A product as an organization sees it (`shopId` null), or as one of its shops sees it. */
export interface Product extends ResolvedValues {
  p1Id: string;
  /** Eight digits; null for a product without one. */
  pzn: string | null;
  stockQuantity: number;
  shopId: string | null;
  /** The layer from which each value comes. */
  sources: ResolvedProduct['sources'];
  /** The shop's free metadata. */
  metadata: JsonObject;
}

const placeOf = (field: ProductField, name: keyof store.ProductRow): Place => ({
  field,
  name,
  isStoredFlag: productFields[field].kind === 'flag',
});
const CATALOG_PLACES = CATALOG_FIELDS.map((field) => placeOf(field, store.catalogColumn(field)));
const ORGANIZATION_PLACES = PRODUCT_FIELDS.map((field) => placeOf(field, field));

export const catalogLayer = (row: store.ProductRow) => layerOf(row, CATALOG_PLACES);
/** Returns the organization's values of a product. @param row has at least the organization's columns */
export const organizationLayer = (row: Pick<store.ProductRow, ProductField>) => layerOf(row, ORGANIZATION_PLACES);

function layerOf(row: Partial<store.ProductRow>, places: readonly Place[]): ProductValues {
  return Object.fromEntries(
    places.map(({ field, name, isStoredFlag }) => {
      const value = row[name as keyof store.ProductRow];
      return [field, isStoredFlag && value !== null ? value === 1 : value];
    }),
  );
}

/**
 * Returns the effective values of a product, and their sources.
 * @param row may lack the columns of fields that the caller does not use
 */
export function resolveRow(
  row: Partial<store.ProductRow>,
  overrides: Overrides,
): ResolvedProduct & { values: ResolvedValues } {
  const resolved = resolve([
    [row, CATALOG_PLACES, 'catalog'],
    [row, ORGANIZATION_PLACES, 'organization'],
    [overrides, SHOP_PLACES, 'shop'],
  ]);
  // SAFETY: the catalog always has a name, a slug, a category and a price; the other values may be null or have a
  // default.
  return resolved as ResolvedProduct & { values: ResolvedValues };
}

export function productOf(row: store.ProductRow, shopId: string | null, overrides: Overrides): Product {
  const { values, sources } = resolveRow(row, overrides);
  const { p1Id, pzn, stockQuantity } = row;
  const layers = isOwn(p1Id) ? ofOrganization(sources) : sources;
  const metadata = overrides.metadata ?? {};
  return { ...values, p1Id, pzn, stockQuantity: stockQuantity ?? 0, shopId, sources: layers, metadata };
}

/** Whether the product is an organization's own, not the catalog's. */
export function isOwn(p1Id: string): boolean {
  return p1Id.startsWith(OWN_PREFIX);
}

/**
 * Returns the sources of an own product's values. The catalog's table stores these values, but their source is the
 * organization.
 */
function ofOrganization(sources: ResolvedProduct['sources']): ResolvedProduct['sources'] {
  // SAFETY: each source stays under its field.
  return Object.fromEntries(
    Object.entries(sources).map(([field, source]) => [field, source === 'catalog' ? 'organization' : source]),
  ) as ResolvedProduct['sources'];
}

export function overridesOf(row: Pick<store.ListedRow, 'overrides'>): Overrides {
  // SAFETY: only this folder writes overrides, and it validates them before.
  return row.overrides === null ? {} : readOverrides(JSON.parse(row.overrides) as WrittenOverrides);
}

export function requireCatalogProduct<T>(row: T | undefined): T {
  if (row === undefined) throw notFound('catalog_product_not_found', 'The catalog has no product with this p1_id.');
  return row;
}

export function notHeld(): AppError {
  return notFound('not_found', 'The product is not in the inventory.');
}

export function requireShopRow<T>([shop]: readonly T[]): T {
  if (!shop) throw notFound('shop_not_found', 'This organization has no such shop.');
  return shop;
}

/**
 * Returns the values of a product that are set, under their API names and in API units. Stored overrides, events and
 * the audit log use this form, because the contract limits the size of overrides as the API sends them.
 */
function writtenValues(values: ProductValues): WrittenValues {
  // SAFETY: the keys of `values` are field names.
  const present = Object.entries(values) as [ProductField, ProductValues[ProductField]][];
  return Object.fromEntries(
    present.map(([field, value]) => [
      productFields[field].wire,
      productFields[field].kind === 'money' && typeof value === 'number' ? toEur(value) : value,
    ]),
  );
}

const FIELD_OF = new Map<string, ProductField>(PRODUCT_FIELDS.map((field) => [productFields[field].wire, field]));

/**
 * Returns the values whose written form is `values`; the inverse of `writtenValues`. @param values validated by the
 * caller
 */
export function readValues(values: WrittenValues): ProductValues {
  const read: Partial<Record<ProductField, unknown>> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = FIELD_OF.get(name);
    if (!field) continue;
    read[field] = productFields[field].kind === 'money' && typeof value === 'number' ? toCents(value) : value;
  }
  // SAFETY: the values are validated, and each stays under its field.
  return read as ProductValues;
}

/** Like `writtenValues`, for overrides. */
export function writtenOverrides({ metadata, ...values }: Overrides): WrittenOverrides {
  return metadata === undefined ? writtenValues(values) : { ...writtenValues(values), metadata };
}

/** Like `readValues`, for overrides. */
export function readOverrides(written: WrittenOverrides): Overrides {
  const { slug: _, ...values } = readValues(written);
  return written.metadata === undefined ? values : { ...values, metadata: written.metadata };
}

/**
 * The stock of a product, and its version. The quantities are, in this order: available to promise, on hand, promised,
 * reserved, and promised but missing.
 */
export type StockState = Pick<
  stockStore.Moved,
  'stockQuantity' | 'onHand' | 'committedQuantity' | 'reservedQuantity' | 'shortage' | 'stockVersion'
>;

export function stockOf(state: StockState): StockState {
  const { stockQuantity, onHand, committedQuantity, reservedQuantity, shortage, stockVersion } = state;
  return { stockQuantity, onHand, committedQuantity, reservedQuantity, shortage, stockVersion };
}

/** Returns the wire names of the quantities that a movement changed. */
export function movedFields({ delta, onHandDelta }: Pick<stockStore.Moved, 'delta' | 'onHandDelta'>): string[] {
  return [...(delta === 0 ? [] : ['stock_quantity']), ...(onHandDelta === 0 ? [] : ['on_hand'])];
}

/**
 * Whether a change may have an effect. Always true for a count with a time, because its effect depends on later
 * movements.
 */
export function mayMove(change: stockStore.StockChange, before: Pick<StockState, 'stockQuantity' | 'onHand'>): boolean {
  if ('delta' in change) return change.delta !== 0;
  if ('to' in change) return change.to !== before.stockQuantity;
  return change.countedAt !== undefined || change.onHand !== before.onHand;
}

/** Contract 4.2: returns a page of a shop's products, ordered by p1_id. @throws AppError `shop_not_found` */
export async function listProducts(
  ctx: Context,
  input: { shopId: string; page: number; limit: number; q?: string; category?: string; available?: boolean },
): Promise<{ products: Product[]; total: number }> {
  const { orgId } = requireScope(ctx, 'products.read');
  const { shopId, page, limit, q, category, available } = input;
  const filter: EntryFilter = {
    q: q === undefined ? null : foldText(q),
    category: category ?? null,
    available: available ?? null,
  };
  const window = { limit, offset: (page - 1) * limit };
  const isFiltered = Object.values(filter).some((value) => value !== null);
  const { shop, rows, matching } = await ctx.db.run({
    shop: selectShopOfOrganization({ orgId, shopId }),
    ...(isFiltered
      ? { rows: undefined, matching: selectListedMatching({ orgId, shopId, ...filter, ...window }) }
      : { rows: selectListed({ orgId, shopId, ...window }), matching: undefined }),
  });
  const { listedCount } = requireShopRow(shop);
  const shown = rows ?? (matching ?? []).filter(({ p1Id }) => p1Id !== null);
  return {
    products: shown.map((row) => productOf(row, shopId, overridesOf(row))),
    total: matching ? (matching[0]?.total ?? 0) : listedCount,
  };
}

/**
 * Contract 4.3: reads a product that a shop offers.
 * @throws AppError `shop_not_found`, `catalog_product_not_found`, `product_not_attached`
 */
export async function getProduct(ctx: Context, input: { shopId: string; p1Id: string }) {
  const { orgId } = requireScope(ctx, 'products.read');
  const row = await readInShop(ctx, orgId, input);
  if (row.overrides === null || row.stockQuantity === null) {
    throw notFound('product_not_attached', 'This shop does not offer this product. Attach it first.');
  }
  const overrides = overridesOf(row);
  return { product: productOf(row, input.shopId, overrides), overrides };
}

/** Reads a catalog product as one of the organization's shops sees it, listed or not. */
export async function readInShop(ctx: Context, orgId: string, { shopId, p1Id }: { shopId: string; p1Id: string }) {
  const { shop, rows } = await ctx.db.run({
    shop: selectShopOfOrganization({ orgId, shopId }),
    rows: store.selectProductInShop({ orgId, shopId, p1Id }),
  });
  requireShopRow(shop);
  return requireCatalogProduct(rows[0]);
}

/**
 * Contract 4.4: adds a catalog product to the inventory. A product that the organization already holds is not changed.
 * @throws AppError `catalog_product_not_found`
 */
export function addToInventory(ctx: Context, input: store.NewStocked): Promise<{ product: Product; isNew: boolean }> {
  const { orgId } = requireScope(ctx, 'products.write');
  return retryOnConflict(ctx, async () => {
    const rows = await ctx.db.rows(store.selectProduct({ orgId, p1Id: input.p1Id }));
    const row = requireCatalogProduct(rows[0]);
    if (row.stockQuantity !== null) return { product: productOf(row, null, {}), isNew: false };
    const now = ctx.now();
    await commit(ctx, {
      stocked: store.insertStocked({ ...input, orgId, now }),
      stock: stockStore.insertMovements({ ...ledgerWriter(ctx, orgId), now }, [
        { id: newId(), p1Id: input.p1Id, change: { to: input.initialStock }, reason: 'initial' },
      ]),
      // The audit row gets the time of the ledger row, by which the two are matched.
      audit: recordAudit({ ...ctx, now: () => now }, { orgId, action: 'product.added', entityId: input.p1Id }),
      event: createdEvents(ctx, orgId, [input.p1Id]),
    });
    const stocked = { ...row, stockQuantity: input.initialStock, priceCents: input.priceCents };
    return { product: productOf(stocked, null, {}), isNew: true };
  });
}

/**
 * Contract 4.5: sets or clears values of the organization's layer. If nothing changes, nothing is written and no event
 * is created.
 * @param update null clears a value, a missing field is not changed
 * @param seen the values that the form showed. A value that somebody has changed since is not overwritten
 * @returns the product, and the names of the changed fields as in the event
 * @throws AppError `catalog_product_not_found`, `product_not_in_inventory`, `slug_taken`, `unit_fixed`,
 *   `changed_meanwhile`
 */
export function updateProduct(ctx: Context, p1Id: string, update: ProductValues, seen?: ProductValues) {
  const { orgId } = requireScope(ctx, 'products.write');
  return retryOnConflict(ctx, async () => {
    const rows = await ctx.db.rows(store.selectProduct({ orgId, p1Id }));
    const row = requireStocked(requireCatalogProduct(rows[0]));
    const layer = organizationLayer(row);
    const changed = changedFields(layer, update);
    const names = changed.map((field) => productFields[field].wire);
    if (seen) requireAsSeen(layer, seen, changed);
    if (changed.length > 0) {
      const nameFolded = update.name === undefined ? {} : { nameFolded: update.name && foldText(update.name) };
      const changes = { ...update, ...nameFolded, updatedAt: ctx.now() };
      await commit(
        ctx,
        {
          stocked: store.updateStocked(orgId, p1Id, changes, seen && pick(layer, changed)),
          audit: recordAudit(ctx, { orgId, action: 'product.updated', entityId: p1Id, fields: names }),
          event: productEvents(ctx, orgId, [{ p1Id, fields: names }]),
        },
        { constraints: { unique: slugTaken, unit_fixed: unitFixed } },
      );
    }
    return { product: productOf(rowAfter(row, update), null, {}), changed: names };
  });
}

interface Recount {
  unit: Unit;
  unitStep: number;
  /** The price of a unit. */
  priceCents: number;
  /** The counted stock on hand, in the new unit. */
  onHand: number;
}

/**
 * Changes the unit of a product, and the values that depend on the unit: step, price and stock. One batch.
 * @throws AppError `catalog_product_not_found`, `product_not_in_inventory`; `unit_fixed` while orders or reservations
 *   hold some of the product
 */
export function recountInUnit(ctx: Context, p1Id: string, { onHand, ...values }: Recount): Promise<void> {
  const { orgId } = requireScope(ctx, 'products.write');
  requireScope(ctx, 'inventory.write');
  return retryOnConflict(ctx, async () => {
    const [found] = await ctx.db.rows(store.selectProductStock(orgId, p1Id));
    const row = requireStocked(requireCatalogProduct(found));
    if (row.committedQuantity + row.reservedQuantity > 0) throw unitFixed();
    const [now, id] = [ctx.now(), newId()];
    const counted = (movement: string, quantity: number) =>
      stockStore.insertMovements({ ...ledgerWriter(ctx, orgId), now }, [
        { id: movement, p1Id, change: { onHand: quantity }, reason: 'count' },
      ]);
    const names = [
      ...changedFields(organizationLayer(row), values).map((field) => productFields[field].wire),
      'on_hand',
    ];
    await commit(
      ctx,
      {
        seen: stockStore.whileStocked({ orgId, products: [{ p1Id, id, stockVersion: row.stockVersion }] }),
        emptied: counted(id, 0),
        stocked: store.updateStocked(orgId, p1Id, { ...values, updatedAt: now }),
        counted: counted(newId(), onHand),
        audit: recordAudit(
          { ...ctx, now: () => now },
          { orgId, action: 'product.updated', entityId: p1Id, fields: names },
        ),
        event: productEvents(ctx, orgId, [{ p1Id, fields: ['stock_quantity', ...names] }]),
      },
      { constraints: { unit_fixed: unitFixed } },
    );
  });
}

/** Returns the row as it is after the write. */
function rowAfter(row: store.ProductRow, update: ProductValues): store.ProductRow {
  const stored = Object.entries(update).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? Number(value) : value,
  ]);
  return { ...row, ...Object.fromEntries(stored) };
}

function pick(values: ProductValues, fields: readonly ProductField[]): ProductValues {
  return Object.fromEntries(fields.map((field) => [field, values[field] ?? null]));
}

/**
 * Requires that each field to be changed still has the value that the form showed.
 * @throws AppError `changed_meanwhile` with an error for each field that has another value
 */
export function requireAsSeen(stored: ProductValues, seen: ProductValues, changing: readonly ProductField[]): void {
  const message = 'Somebody else changed this in the meantime. Look at it again.';
  const errors = changedFields(pick(stored, changing), pick(seen, changing)).map((field) => ({
    pointer: `/${productFields[field].wire}`,
    code: 'changed_meanwhile',
    message,
  }));
  if (errors.length > 0) throw new AppError('changed_meanwhile', message, { errors });
}

export function requireStocked<Row extends { stockQuantity: number | null }>(row: Row): Row {
  if (row.stockQuantity !== null) return row;
  throw new AppError(
    'product_not_in_inventory',
    'The product is not in the inventory. Add it first: POST /products/add-to-inventory.',
  );
}

function unitFixed(): AppError {
  const message =
    'The unit changes only while nothing is in stock, promised or reserved. Once no order and no reservation holds any of it, count the stock to 0 (PATCH /inventory/{p1Id} with on_hand 0), change unit, unit_step and price, and count the stock in the new unit.';
  return new AppError('unit_fixed', message, { errors: [{ pointer: '/unit', code: 'unit_fixed', message }] });
}

export function slugTaken(): AppError {
  return new AppError('slug_taken', 'Another product of this organization has this slug.', {
    errors: [{ pointer: '/slug', code: 'slug_taken', message: 'Choose another slug.' }],
  });
}

/** The most events `product_updated`, each about one product, that one batch makes. */
const EVENTS_MAX = 1_000;

/**
 * Prepares events about catalog products that an import changes. They go to the organizations of one database that hold
 * such a product. An organization gets events only about values that it inherits from the catalog, and none while it is
 * being moved to another database. Takes one read.
 */
export async function tellHolders(ctx: Context, p1Ids: readonly string[]): Promise<ToldHolders> {
  const holders = await ctx.db.rows(stockStore.selectHolders(p1Ids));
  const takingEach = holders.filter(({ takesEach }) => takesEach === 1).length;
  return {
    togetherMax: Math.max(1, Math.floor(EVENTS_MAX / Math.max(1, takingEach))),
    held: async () => (await ctx.db.run({ held: stockStore.selectHeld(p1Ids) })).held.map(({ p1Id }) => p1Id),
    entriesOf: (products) => {
      const changed = products.map((each) => ({ ...each, isOfCatalog: true }));
      return holders.map(({ orgId, takesEach }) => {
        const rows = stockStore.changedWhereSettled({ orgId, changed });
        return outboxProducts(ctx, { orgId, rowsMax: changed.length, rows, isEachTaken: takesEach === 1 });
      });
    },
  };
}
