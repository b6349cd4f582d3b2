import type { ProductField, ValueOf } from '../catalog/fields';

/** A product's values in one layer; null or missing means that the value is inherited. */
export type ProductValues = { [K in ProductField]?: ValueOf<K> | null };

/** The values that a shop overrides: any field except the slug. */
export type Overrides = Omit<ProductValues, 'slug'>;
