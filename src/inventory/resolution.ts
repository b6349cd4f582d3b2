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

/** Each field's value by the rule of `sourceOf`, and its source. */
export function resolveProduct(layers: Layers): ResolvedProduct {
  const values: Record<string, unknown> = {};
  const sources = {} as Record<ProductField, Source>;
  for (const field of PRODUCT_FIELDS) {
    const source = sourceOf(layers, field);
    values[field] = valueFrom(layers, source, field);
    sources[field] = source;
  }
  return { values: values as ProductValues, sources };
}

/** One field's value by the rule of `sourceOf`. */
export function resolveField<F extends ProductField>(layers: Layers, field: F): ProductValues[F] {
  return valueFrom(layers, sourceOf(layers, field), field);
}

/**
 * The rule of the three layers: a shop's override has precedence over the organization's value, and that over the
 * catalog's. Null and missing values are inherited.
 */
function sourceOf({ shop, organization, catalog }: Layers, field: ProductField): Source {
  if (field !== 'slug' && (shop[field] ?? null) !== null) return 'shop';
  if ((organization[field] ?? null) !== null) return 'organization';
  return (catalog[field] ?? null) === null ? 'default' : 'catalog';
}

function valueFrom<F extends ProductField>(layers: Layers, source: Source, field: F): ProductValues[F] {
  const layer: ProductValues = source === 'default' ? DEFAULTS : layers[source];
  return layer[field] ?? null;
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
