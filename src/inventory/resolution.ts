import { type Overrides, PRODUCT_FIELDS, type ProductField, type ProductValues } from './fields';

/** The layer from which a value comes. */
export type Source = 'catalog' | 'organization' | 'shop' | 'default';

export interface ResolvedProduct {
  values: ProductValues;
  sources: Record<ProductField, Source>;
}

/** The values used when no layer has one. */
const DEFAULTS: ProductValues = { available: true, availableForPickup: true, availableForShipping: true };

interface Layers {
  catalog: ProductValues;
  organization: ProductValues;
  shop: Overrides;
}

/** Each field by the rule of `resolveField`, and the source of each value. */
export function resolveProduct(layers: Layers): ResolvedProduct {
  const values: Record<string, unknown> = {};
  const sources = {} as Record<ProductField, Source>;
  for (const field of PRODUCT_FIELDS) [values[field], sources[field]] = resolveField(layers, field);
  return { values: values as ProductValues, sources };
}

/**
 * The rule of the three layers: a shop's override has precedence over the organization's value, and that over the
 * catalog's. Null and missing values are inherited.
 */
export function resolveField<F extends ProductField>(layers: Layers, field: F): [ProductValues[F], Source] {
  const overrides: ProductValues = layers.shop;
  if (field !== 'slug' && (overrides[field] ?? null) !== null) return [overrides[field], 'shop'];
  if ((layers.organization[field] ?? null) !== null) return [layers.organization[field], 'organization'];
  if ((layers.catalog[field] ?? null) !== null) return [layers.catalog[field], 'catalog'];
  return [DEFAULTS[field] ?? null, 'default'];
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
