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

/** The place of a field's value in a layer: its key, and whether flags are stored as 0 and 1. */
export interface Place {
  field: ProductField;
  name: string;
  isStoredFlag: boolean;
}

/** A layer: its values, their places, and its name as a source. */
type Layer = readonly [values: object, places: readonly Place[], source: Source];

const PLACES: readonly Place[] = PRODUCT_FIELDS.map((field) => ({ field, name: field, isStoredFlag: false }));
/** Shops cannot override slug, unit and step. */
export const SHOP_PLACES = PLACES.filter(({ field }) => field !== 'slug' && !('isOfProduct' in productFields[field]));

/** Shop overrides take precedence over the organization's values, which take precedence over the catalog's. */
export function resolveProduct(layers: { catalog: ProductValues; organization: ProductValues; shop: Overrides }) {
  return resolve([
    [layers.catalog, PLACES, 'catalog'],
    [layers.organization, PLACES, 'organization'],
    [layers.shop, SHOP_PLACES, 'shop'],
  ]);
}

/** Later layers take precedence over earlier ones. Null and missing values are inherited. */
export function resolve(layers: readonly Layer[]): ResolvedProduct {
  const values: Record<string, unknown> = { ...DEFAULTS };
  const sources = { ...DEFAULT_SOURCES };
  for (const [layer, places, source] of layers) {
    for (const { field, name, isStoredFlag } of places) {
      const value = (layer as Record<string, unknown>)[name];
      if (value === null || value === undefined) continue;
      values[field] = isStoredFlag ? value === 1 : value;
      sources[field] = source;
    }
  }
  return { values, sources };
}

/** Returns the overrides after a write. A merge also merges the metadata, and null removes a key (RFC 7396). */
export function applyOverrides(current: Overrides, change: Overrides, mode: 'merge' | 'replace'): Overrides {
  // SAFETY: each value comes from `current` or `change`, under its field.
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
