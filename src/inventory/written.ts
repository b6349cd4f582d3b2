import { PRODUCT_FIELDS, type ProductField, productFields, type WrittenValues } from '../catalog/fields';
import { toCents, toEur } from '../platform/money';
import type { Overrides, ProductValues } from './fields';
import type { WrittenOverrides } from './tables';

/**
 * A product's fields as JSON in stored overrides, in events and in the audit log have the same names and units as in the API,
 * because the contract limits the size of overrides as the API sends them. Here are the values that are present, in their order.
 */
export function writtenValues(values: ProductValues): WrittenValues {
  // SAFETY: the keys of `values` are field names.
  const present = Object.entries(values) as [ProductField, ProductValues[ProductField]][];
  return Object.fromEntries(
    present.map(([field, value]) => [
      productFields[field].wire,
      productFields[field].kind === 'money' && typeof value === 'number' ? toEur(value) : value,
    ]),
  );
}

const FIELD_OF = new Map<string, ProductField>(PRODUCT_FIELDS.map((field) => [productFields[field].wire, field]));

/** @param values already validated, as in the API */
export function readValues(values: WrittenValues): ProductValues {
  const read: Partial<Record<ProductField, unknown>> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = FIELD_OF.get(name);
    if (!field) continue;
    read[field] = productFields[field].kind === 'money' && typeof value === 'number' ? toCents(value) : value;
  }
  // SAFETY: validated, and each value stays under its field.
  return read as ProductValues;
}

/** As `writtenValues`, of overrides. */
export function writtenOverrides({ metadata, ...values }: Overrides): WrittenOverrides {
  return metadata === undefined ? writtenValues(values) : { ...writtenValues(values), metadata };
}

/** As `readValues`, of overrides. */
export function readOverrides(written: WrittenOverrides): Overrides {
  const { slug: _, ...values } = readValues(written);
  return written.metadata === undefined ? values : { ...values, metadata: written.metadata };
}
