import { notFound } from '../platform/errors';
import type { Overrides, ProductValues, ResolvedValues } from './fields';
import { type ResolvedProduct, resolveProduct } from './resolution';
import type { ListedRow, ProductRow } from './store';
import { readValues, type WrittenValues } from './written';

/** A product as an organization sees it (`shopId` null), or as one of its shops sees it. */
export interface Product extends ResolvedValues {
  p1Id: string;
  stockQuantity: number;
  shopId: string | null;
  /** The layer from which each value comes. */
  sources: ResolvedProduct['sources'];
}

export function catalogLayer(row: ProductRow): ProductValues {
  return {
    name: row.catalogName,
    slug: row.catalogSlug,
    description: row.catalogDescription,
    category: row.catalogCategory,
    priceCents: row.catalogPriceCents,
    thcPercent: row.catalogThcPercent,
    cbdPercent: row.catalogCbdPercent,
    prescriptionRequired: row.catalogPrescriptionRequired === 1,
  };
}

export function organizationLayer(row: ProductRow): ProductValues {
  return {
    name: row.name,
    slug: row.slug,
    description: row.description,
    category: row.category,
    priceCents: row.priceCents,
    available: asBoolean(row.available),
    thcPercent: row.thcPercent,
    cbdPercent: row.cbdPercent,
    availableForPickup: asBoolean(row.availableForPickup),
    availableForShipping: asBoolean(row.availableForShipping),
    prescriptionRequired: asBoolean(row.prescriptionRequired),
  };
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
