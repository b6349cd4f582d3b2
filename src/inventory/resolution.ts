import { PRODUCT_FIELDS, type ProductField, type ProductFieldSpec, productFields } from '../catalog/fields';
import type { Overrides, ProductValues } from './fields';

/** The layer from which a value comes. */
export type Source = 'catalog' | 'organization' | 'shop' | 'default';

export interface ResolvedProduct {
  values: ProductValues;
  sources: Record<ProductField, Source>;
}

/** The values used when no layer has one. */
const DEFAULTS: ProductValues = Object.fromEntries(
  PRODUCT_FIELDS.map((field): [string, unknown] => {
    const { fallback }: ProductFieldSpec = productFields[field];
    return [field, fallback ?? null];
  }),
);
// SAFETY: one entry for each field.
const DEFAULT_SOURCES = Object.fromEntries(
  PRODUCT_FIELDS.map((field) => [field, 'default']),
) as ResolvedProduct['sources'];

/**
 * Lays each layer over the ones before it: a shop's override has precedence over the organization's value, and that over the
 * catalog's. Null and missing values are inherited. A slug is never a shop's own.
 */
export function resolveProduct(layers: { catalog: ProductValues; organization: ProductValues; shop: Overrides }) {
  const resolved: ResolvedProduct = { values: { ...DEFAULTS }, sources: { ...DEFAULT_SOURCES } };
  lay(resolved, layers.catalog, 'catalog');
  lay(resolved, layers.organization, 'organization');
  lay(resolved, layers.shop, 'shop');
  return resolved;
}

/** @param layer each of its keys is a field */
function lay({ values, sources }: ResolvedProduct, layer: ProductValues, source: Source): void {
  for (const key in layer) {
    const field = key as ProductField;
    const value = layer[field];
    if (value === null || value === undefined || (field === 'slug' && source === 'shop')) continue;
    (values as Record<ProductField, unknown>)[field] = value;
    sources[field] = source;
  }
}

/**
 * The overrides after a write. Every key has a scalar value, so a deep merge is a merge by key; null removes the key
 * (RFC 7396).
 */
export function applyOverrides(current: Overrides, change: Overrides, mode: 'merge' | 'replace'): Overrides {
  const merged = mode === 'merge' ? { ...current, ...change } : change;
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as Overrides;
}

/** Names of the fields in which two sets of values differ; missing and null count as equal. */
export function changedFields(before: ProductValues, after: ProductValues): ProductField[] {
  return PRODUCT_FIELDS.filter((field) => field in after && (before[field] ?? null) !== (after[field] ?? null));
}
