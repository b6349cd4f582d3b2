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
// SAFETY: there is one entry for each field.
const DEFAULT_SOURCES = Object.fromEntries(
  PRODUCT_FIELDS.map((field) => [field, 'default']),
) as ResolvedProduct['sources'];

/**
 * A place: `name` is the key under which a layer has the value of `field`. `isStoredFlag` says whether the layer stores
 * the value as 0 or 1 instead of a boolean.
 */
export interface Place {
  field: ProductField;
  name: string;
  isStoredFlag: boolean;
}

/** A layer: its values, the keys under which it has them, and its name as a source. */
type Layer = readonly [values: object, places: readonly Place[], source: Source];

const PLACES: readonly Place[] = PRODUCT_FIELDS.map((field) => ({ field, name: field, isStoredFlag: false }));
/** Shops cannot override slug, unit and step. */
export const SHOP_PLACES = PLACES.filter(({ field }) => field !== 'slug' && !('isOfProduct' in productFields[field]));

/**
 * Returns the effective values of a product, and the layer that each value comes from. The shop's overrides take
 * precedence over the organization's values, and these take precedence over the catalog's.
 */
export function resolveProduct(layers: { catalog: ProductValues; organization: ProductValues; shop: Overrides }) {
  return resolve([
    [layers.catalog, PLACES, 'catalog'],
    [layers.organization, PLACES, 'organization'],
    [layers.shop, SHOP_PLACES, 'shop'],
  ]);
}

/**
 * Returns the effective values from layers, and the layer that each value comes from. A later layer takes precedence
 * over an earlier one. A value that is null or missing in a layer is inherited from the layers before it.
 */
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

/**
 * Returns the overrides after a write. `replace` drops the current overrides. `merge` keeps the overrides that are not
 * in the change, also within the metadata. Null removes a key (RFC 7396).
 */
export function applyOverrides(current: Overrides, change: Overrides, mode: 'merge' | 'replace'): Overrides {
  // SAFETY: each value comes from `current` or `change`, under its field.
  return mergePatch(mode === 'merge' ? current : {}, change) as Overrides;
}

/**
 * Returns the names of the fields of `after` whose value differs from the value in `before`. Missing and null count as
 * equal.
 */
export function changedFields(before: ProductValues, after: ProductValues): ProductField[] {
  return PRODUCT_FIELDS.filter((field) => field in after && (before[field] ?? null) !== (after[field] ?? null));
}

/** Returns the wire names of all fields in which overrides differ. */
export function changedOverrides(before: Overrides, after: Overrides): string[] {
  const removed = Object.keys(before).map((field) => [field, null]);
  const names = changedFields(before, { ...Object.fromEntries(removed), ...after }).map(
    (field) => productFields[field].wire,
  );
  return isSameJson(before.metadata ?? {}, after.metadata ?? {}) ? names : [...names, 'metadata'];
}
