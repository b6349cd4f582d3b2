import {
  CATALOG_FIELDS,
  PRODUCT_FIELDS,
  type ProductField,
  productFields,
  type ResolvedValues,
  type WrittenValues,
} from '../catalog/fields';
import { notFound } from '../platform/errors';
import type { Overrides, ProductValues } from './fields';
import { type ResolvedProduct, resolveProduct } from './resolution';
import { catalogColumn, type ListedRow, type ProductRow } from './store';
import { readValues } from './written';

/** A product as an organization sees it (`shopId` null), or as one of its shops sees it. */
export interface Product extends ResolvedValues {
  p1Id: string;
  stockQuantity: number;
  shopId: string | null;
  /** The layer from which each value comes. */
  sources: ResolvedProduct['sources'];
}

/** Where a layer's values stand in a row, flags as 0 and 1. */
type LayerColumns = readonly (readonly [field: ProductField, column: keyof ProductRow, isFlag: boolean])[];

const CATALOG_LAYER: LayerColumns = CATALOG_FIELDS.map((field) => [field, catalogColumn(field), isFlag(field)]);
const ORGANIZATION_LAYER: LayerColumns = PRODUCT_FIELDS.map((field) => [field, field, isFlag(field)]);

export const catalogLayer = (row: ProductRow) => layerOf(row, CATALOG_LAYER);
export const organizationLayer = (row: ProductRow) => layerOf(row, ORGANIZATION_LAYER);

function layerOf(row: ProductRow, columns: LayerColumns): ProductValues {
  const layer: Partial<Record<ProductField, unknown>> = {};
  for (const [field, column, isFlag] of columns) {
    const stored = row[column];
    layer[field] = isFlag && stored !== null ? stored === 1 : stored;
  }
  // SAFETY: the columns hold the fields' values.
  return layer as ProductValues;
}

function isFlag(field: ProductField): boolean {
  return productFields[field].kind === 'flag';
}

export function resolveRow(row: ProductRow, overrides: Overrides): ResolvedProduct & { values: ResolvedValues } {
  const layers = { catalog: catalogLayer(row), organization: organizationLayer(row), shop: overrides };
  // SAFETY: the catalog always has a name, a slug, a category and a price; the other values may be null or have a
  // default.
  return resolveProduct(layers) as ResolvedProduct & { values: ResolvedValues };
}

export function productOf(row: ProductRow, shopId: string | null, overrides: Overrides): Product {
  const { values, sources } = resolveRow(row, overrides);
  return { ...values, p1Id: row.p1Id, stockQuantity: row.stockQuantity ?? 0, shopId, sources };
}

export function overridesOf(row: Pick<ListedRow, 'overrides'>): Overrides {
  // SAFETY: only this folder writes overrides, and it validates them before.
  return row.overrides === null ? {} : readValues(JSON.parse(row.overrides) as WrittenValues);
}

export function asBoolean(stored: number | null): boolean | null {
  return stored === null ? null : stored === 1;
}

export function requireCatalogProduct<T>(row: T | undefined): T {
  if (row === undefined) throw notFound('catalog_product_not_found', 'The catalog has no product with this p1_id.');
  return row;
}

export function requireShopRow<T>([shop]: readonly T[]): T {
  if (!shop) throw notFound('shop_not_found', 'This organization has no such shop.');
  return shop;
}
