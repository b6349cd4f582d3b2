import {
  CATALOG_FIELDS,
  OWN_PREFIX,
  PRODUCT_FIELDS,
  type ProductField,
  productFields,
  type ResolvedValues,
  type WrittenValues,
} from '../catalog/fields';
import { type AppError, notFound } from '../platform/errors/errors';
import type { JsonObject } from '../platform/http/json';
import { toCents, toEur } from '../platform/money';
import type { Overrides, ProductValues } from './fields';
import { type Place, type ResolvedProduct, resolve, SHOP_PLACES } from './resolution';
import { catalogColumn, type ListedRow, type ProductRow } from './store';
import type { Moved, StockChange } from './store-stock';
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

const placeOf = (field: ProductField, name: keyof ProductRow): Place => ({
  field,
  name,
  isStoredFlag: productFields[field].kind === 'flag',
});
const CATALOG_PLACES = CATALOG_FIELDS.map((field) => placeOf(field, catalogColumn(field)));
const ORGANIZATION_PLACES = PRODUCT_FIELDS.map((field) => placeOf(field, field));

export const catalogLayer = (row: ProductRow) => layerOf(row, CATALOG_PLACES);
/** @param row at least the organization's columns */
export const organizationLayer = (row: Pick<ProductRow, ProductField>) => layerOf(row, ORGANIZATION_PLACES);

function layerOf(row: Partial<ProductRow>, places: readonly Place[]): ProductValues {
  return Object.fromEntries(
    places.map(({ field, name, isStoredFlag }) => {
      const value = row[name as keyof ProductRow];
      return [field, isStoredFlag && value !== null ? value === 1 : value];
    }),
  );
}

/** @param row may lack columns of fields that the caller does not use */
export function resolveRow(
  row: Partial<ProductRow>,
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

export function productOf(row: ProductRow, shopId: string | null, overrides: Overrides): Product {
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

/** An own product has no layer of the catalog: what it was added with is the organization's. */
function ofOrganization(sources: ResolvedProduct['sources']): ResolvedProduct['sources'] {
  // SAFETY: each source stays under its field.
  return Object.fromEntries(
    Object.entries(sources).map(([field, source]) => [field, source === 'catalog' ? 'organization' : source]),
  ) as ResolvedProduct['sources'];
}

export function overridesOf(row: Pick<ListedRow, 'overrides'>): Overrides {
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
 * The present values of a product under their API names and in API units. Stored overrides, events and the audit log
 * use this form, because the contract limits the size of overrides as the API sends them.
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

/** The inverse of `writtenValues`. @param values validated */
export function readValues(values: WrittenValues): ProductValues {
  const read: Partial<Record<ProductField, unknown>> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = FIELD_OF.get(name);
    if (!field) continue;
    read[field] = productFields[field].kind === 'money' && typeof value === 'number' ? toCents(value) : value;
  }
  // SAFETY: validated, and each value stays under its field.
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

/** The stock of a product: available to promise, on hand, promised, reserved, and promised but missing; and its version. */
export type StockState = Pick<
  Moved,
  'stockQuantity' | 'onHand' | 'committedQuantity' | 'reservedQuantity' | 'shortage' | 'stockVersion'
>;

export function stockOf(state: StockState): StockState {
  const { stockQuantity, onHand, committedQuantity, reservedQuantity, shortage, stockVersion } = state;
  return { stockQuantity, onHand, committedQuantity, reservedQuantity, shortage, stockVersion };
}

/** Wire names of the quantities that a movement changed. */
export function movedFields({ delta, onHandDelta }: Pick<Moved, 'delta' | 'onHandDelta'>): string[] {
  return [...(delta === 0 ? [] : ['stock_quantity']), ...(onHandDelta === 0 ? [] : ['on_hand'])];
}

/** Whether a change may have an effect. For a count with a time this depends on later movements, so it may. */
export function mayMove(change: StockChange, before: Pick<StockState, 'stockQuantity' | 'onHand'>): boolean {
  if ('delta' in change) return change.delta !== 0;
  if ('to' in change) return change.to !== before.stockQuantity;
  return change.countedAt !== undefined || change.onHand !== before.onHand;
}
