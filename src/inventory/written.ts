import { toCents, toEur } from '../platform/money';
import { PRODUCT_FIELDS, type ProductField, type ProductValues } from './fields';

/**
 * A product's fields as JSON in stored overrides, in events and in the audit log. The same names and units as in the
 * API, because the contract limits the size of overrides as the API sends them.
 */
export interface WrittenValues {
  name?: string | null;
  slug?: string | null;
  description?: string | null;
  category?: string | null;
  /** In EUR. */
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

/** The values that are present, in the order of the fields. */
export function writtenValues(values: ProductValues): WrittenValues {
  // SAFETY: the keys of `values` are field names.
  const present = Object.entries(values) as [ProductField, ProductValues[ProductField]][];
  return Object.fromEntries(
    present.map(([field, value]) => [
      WRITTEN_NAMES[field],
      field === 'priceCents' && typeof value === 'number' ? toEur(value) : value,
    ]),
  );
}

const FIELD_OF = new Map<string, ProductField>(PRODUCT_FIELDS.map((field) => [WRITTEN_NAMES[field], field]));

/** @param values already validated, as in the API */
export function readValues(values: WrittenValues): ProductValues {
  const read: Partial<Record<ProductField, unknown>> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = FIELD_OF.get(name);
    if (field) read[field] = field === 'priceCents' && typeof value === 'number' ? toCents(value) : value;
  }
  // SAFETY: validated, and each value stays under its field.
  return read as ProductValues;
}
