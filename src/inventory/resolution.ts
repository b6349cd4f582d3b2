import { PRODUCT_FIELDS, type ProductField, type ProductFieldSpec, productFields } from '../catalog/fields';
import { isSameJson, mergePatch } from '../platform/http/json';
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
 * Shop overrides take precedence over the organization's values, which take precedence over the catalog's. Null and missing
 * values are inherited. A shop cannot override the slug.
 */
export function resolveProduct(layers: {
  catalog: ProductValues;
  organization: ProductValues;
  shop: Overrides;
}): ResolvedProduct {
  const values: Record<string, unknown> = { ...DEFAULTS };
  const sources = { ...DEFAULT_SOURCES };
  for (const source of ['catalog', 'organization', 'shop'] as const) {
    const layer: ProductValues = layers[source];
    for (const field of PRODUCT_FIELDS) {
      const value = layer[field];
      if (value === null || value === undefined || (source === 'shop' && field === 'slug')) continue;
      values[field] = value;
      sources[field] = source;
    }
  }
  return { values, sources };
}

/** The overrides after a write. A merge includes the metadata, and null removes a key (RFC 7396). */
export function applyOverrides(current: Overrides, change: Overrides, mode: 'merge' | 'replace'): Overrides {
  // SAFETY: each value comes from one of the two, under its field.
  return mergePatch(mode === 'merge' ? current : {}, change) as Overrides;
}

/** Names of the fields in which two sets of values differ; missing and null count as equal. */
export function changedFields(before: ProductValues, after: ProductValues): ProductField[] {
  return PRODUCT_FIELDS.filter((field) => field in after && (before[field] ?? null) !== (after[field] ?? null));
}

/** Wire names of all fields in which overrides differ. */
export function changedOverrides(before: Overrides, after: Overrides): string[] {
  const removed = Object.keys(before).map((field) => [field, null]);
  const names = changedFields(before, { ...Object.fromEntries(removed), ...after }).map(
    (field) => productFields[field].wire,
  );
  return isSameJson(before.metadata ?? {}, after.metadata ?? {}) ? names : [...names, 'metadata'];
}
