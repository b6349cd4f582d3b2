import {
  CATALOG_FIELDS,
  PRODUCT_FIELDS,
  type ProductField,
  productFields,
  type ResolvedValues,
} from '../catalog/fields';
import { type AppError, notFound } from '../platform/errors';
import type { JsonObject } from '../platform/merge-patch';
import type { Overrides, ProductValues } from './fields';
import { type Place, type ResolvedProduct, resolve, SHOP_PLACES } from './resolution';
import { catalogColumn, type ListedRow, type ProductRow } from './store';
import type { WrittenOverrides } from './tables';
import { readOverrides } from './written';

/** A product as an organization sees it (`shopId` null), or as one of its shops sees it. */
export interface Product extends ResolvedValues {
  p1Id: string;
  stockQuantity: number;
  shopId: string | null;
  /** The layer from which each value comes. */
  sources: ResolvedProduct['sources'];
  /** What the shop keeps with it. */
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
/** @param row of the organization's columns at least */
export const organizationLayer = (row: Pick<ProductRow, ProductField>) => layerOf(row, ORGANIZATION_PLACES);

function layerOf(row: Partial<ProductRow>, places: readonly Place[]): ProductValues {
  return Object.fromEntries(
    places.map(({ field, name, isStoredFlag }) => {
      const value = row[name as keyof ProductRow];
      return [field, isStoredFlag && value !== null ? value === 1 : value];
    }),
  );
}

/** @param row may leave out the columns of fields that the caller does not look at */
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
  const { p1Id, stockQuantity } = row;
  return { ...values, p1Id, stockQuantity: stockQuantity ?? 0, shopId, sources, metadata: overrides.metadata ?? {} };
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
