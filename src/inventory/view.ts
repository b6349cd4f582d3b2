import { notFound } from '../platform/errors';
import { toCents, toEur } from '../platform/money';
import type { Overrides, ProductUpdate, ProductValues } from './fields';
import { type ResolvedProduct, resolveProduct, type Source } from './resolution';
import type { ListedRow, ProductRow } from './store';
import type { inventory } from './tables';

/** A product as answers show it (contract 3.2), with what stands beside the contract's fields. */
export interface ProductView extends Omit<ProductValues, 'slug'> {
  p1_id: string;
  slug: string;
  stock_quantity: number;
  shop_id: string | null;
  /** Which layer each value comes from. */
  sources: Record<string, Source>;
}

export function catalogLayer(row: ProductRow): ProductValues {
  return {
    name: row.catalogName,
    slug: row.catalogSlug,
    description: row.catalogDescription,
    category: row.catalogCategory,
    price: toEur(row.catalogPriceCents),
    thc_percent: row.catalogThcPercent,
    cbd_percent: row.catalogCbdPercent,
    prescription_required: row.catalogPrescriptionRequired === 1,
  };
}

export function organizationLayer(row: ProductRow): ProductValues {
  return {
    name: row.name,
    slug: row.slug,
    description: row.description,
    category: row.category,
    price: row.priceCents === null ? null : toEur(row.priceCents),
    available: asBoolean(row.available),
    thc_percent: row.thcPercent,
    cbd_percent: row.cbdPercent,
    available_for_pickup: asBoolean(row.availableForPickup),
    available_for_shipping: asBoolean(row.availableForShipping),
    prescription_required: asBoolean(row.prescriptionRequired),
  };
}

export function resolveRow(row: ProductRow, overrides: Overrides): ResolvedProduct {
  return resolveProduct({ catalog: catalogLayer(row), organization: organizationLayer(row), shop: overrides });
}

/** The product as the organization sees it (`shopId` null) or as one of its shops does. */
export function productView(row: ProductRow, shopId: string | null, overrides: Overrides): ProductView {
  const { values, sources } = resolveRow(row, overrides);
  return {
    p1_id: row.p1Id,
    ...values,
    // SAFETY: the catalogue always has a slug.
    slug: values.slug as string,
    stock_quantity: row.stockQuantity ?? 0,
    shop_id: shopId,
    sources,
  };
}

export function overridesOf(row: Pick<ListedRow, 'overrides'>): Overrides {
  // SAFETY: written by this slice only, and checked against the schema then.
  return row.overrides === null ? {} : (JSON.parse(row.overrides) as Overrides);
}

/** The organization's layer as columns; a missing field is left alone, null clears it. */
export function columnsOf(update: ProductUpdate): Partial<typeof inventory.$inferInsert> {
  const {
    price,
    thc_percent,
    cbd_percent,
    available_for_pickup,
    available_for_shipping,
    prescription_required,
    ...same
  } = update;
  return dropUndefined({
    ...same,
    priceCents: price === null || price === undefined ? price : toCents(price),
    thcPercent: thc_percent,
    cbdPercent: cbd_percent,
    availableForPickup: available_for_pickup,
    availableForShipping: available_for_shipping,
    prescriptionRequired: prescription_required,
  });
}

function dropUndefined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

function asBoolean(stored: number | null): boolean | null {
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
