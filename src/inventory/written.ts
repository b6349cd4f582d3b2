import { toCents, toEur } from '../platform/money';
import { PRODUCT_FIELDS, type ProductField, type ProductValues } from './fields';

/**
 * How a product's fields are written down: in stored overrides, whose size the contract limits as the API sends them, in
 * events and in the audit log.
 */
export interface WrittenValues {
  name?: string | null;
  slug?: string | null;
  description?: string | null;
  category?: string | null;
  /** EUR. */
  price?: number | null;
  available?: boolean | null;
  thc_percent?: number | null;
  cbd_percent?: number | null;
  available_for_pickup?: boolean | null;
  available_for_shipping?: boolean | null;
  prescription_required?: boolean | null;
}

export type WrittenField = keyof WrittenValues;

export const WRITTEN_NAMES = {
  name: 'name',
  slug: 'slug',
  description: 'description',
  category: 'category',
  priceCents: 'price',
  available: 'available',
  thcPercent: 'thc_percent',
  cbdPercent: 'cbd_percent',
  availableForPickup: 'available_for_pickup',
  availableForShipping: 'available_for_shipping',
  prescriptionRequired: 'prescription_required',
} as const satisfies Record<ProductField, WrittenField>;

/** The values that are there, in their order. */
export function writtenValues(values: ProductValues): WrittenValues {
  // SAFETY: the keys of the values are fields.
  const present = Object.entries(values) as [ProductField, ProductValues[ProductField]][];
  return Object.fromEntries(
    present.map(([field, value]) => [
      WRITTEN_NAMES[field],
      field === 'priceCents' && typeof value === 'number' ? toEur(value) : value,
    ]),
  );
}

/** @param values checked, as the API takes them */
export function readValues(values: WrittenValues): ProductValues {
  const fieldOf = new Map(PRODUCT_FIELDS.map((field) => [WRITTEN_NAMES[field] as string, field]));
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = fieldOf.get(name);
      if (!field) return [];
      return [[field, field === 'priceCents' && typeof value === 'number' ? toCents(value) : value]];
    }),
  );
}
