import * as z from 'zod';
import { business, type FieldsOf } from '../platform/fields';
import { AMOUNT_CENTS_MAX } from '../platform/money';
import { CATEGORY_MAX, DESCRIPTION_MAX, NAME_MAX, SLUG, SLUG_MAX, SLUG_MESSAGE } from './limits';
import type { catalogProducts } from './tables';

/** The values of each kind of field. `lines` is a text of several lines, `money` is in cents. */
interface ValuesOfKinds {
  text: string;
  lines: string;
  money: number;
  percent: number;
  flag: boolean;
}

export interface ProductFieldSpec {
  kind: keyof ValuesOfKinds;
  /** The name in the API, in imports, in stored overrides, in events and in the audit log. */
  wire: string;
  rule: z.ZodType;
  /** The catalog has it: in a column of the same name, and in imports. */
  inCatalog?: true;
  /** The value may be missing: no layer needs to have one. */
  isOptional?: true;
  /** The value where no layer has one. */
  fallback?: boolean;
}

const text = (max: number) => z.string().trim().min(1).max(max);
const percent = z.number().min(0).max(100);
const flag = z.boolean();

/**
 * What is said of a product, field by field, in the order in which responses show it. The catalog says some of it; an
 * organization may override all, and a shop all but the slug, in columns and overrides of the same names.
 */
export const productFields = {
  name: {
    kind: 'text',
    wire: 'name',
    inCatalog: true,
    rule: text(NAME_MAX).meta({ description: 'Product name.', example: 'Ibuprofen 400 mg Filmtabletten, 20 St' }),
  },
  slug: {
    kind: 'text',
    wire: 'slug',
    inCatalog: true,
    rule: z
      .string()
      .max(SLUG_MAX)
      .regex(SLUG, SLUG_MESSAGE)
      .meta({ description: 'Lower-case letters, digits and single hyphens.', example: 'ibuprofen-400-20-st' }),
  },
  description: {
    kind: 'lines',
    wire: 'description',
    inCatalog: true,
    isOptional: true,
    rule: z
      .string()
      .max(DESCRIPTION_MAX)
      .meta({ description: 'Text for customers.', example: 'Für Erwachsene und Kinder ab 20 kg.' }),
  },
  category: {
    kind: 'text',
    wire: 'category',
    inCatalog: true,
    rule: text(CATEGORY_MAX).meta({ description: 'Category, in your own words.', example: 'Schmerzmittel' }),
  },
  priceCents: { kind: 'money', wire: 'price', inCatalog: true, rule: z.int().min(0).max(AMOUNT_CENTS_MAX) },
  available: {
    kind: 'flag',
    wire: 'available',
    fallback: true,
    rule: flag.meta({ description: 'Whether it is on offer at all.', example: true }),
  },
  thcPercent: {
    kind: 'percent',
    wire: 'thc_percent',
    inCatalog: true,
    isOptional: true,
    rule: percent.meta({ description: 'THC content in percent.', example: 18 }),
  },
  cbdPercent: {
    kind: 'percent',
    wire: 'cbd_percent',
    inCatalog: true,
    isOptional: true,
    rule: percent.meta({ description: 'CBD content in percent.', example: 1 }),
  },
  availableForPickup: {
    kind: 'flag',
    wire: 'available_for_pickup',
    fallback: true,
    rule: flag.meta({ description: 'Whether customers may collect it.', example: true }),
  },
  availableForShipping: {
    kind: 'flag',
    wire: 'available_for_shipping',
    fallback: true,
    rule: flag.meta({ description: 'Whether it may be sent to customers.', example: true }),
  },
  prescriptionRequired: {
    kind: 'flag',
    wire: 'prescription_required',
    inCatalog: true,
    rule: flag.meta({ description: 'Whether an order needs an approved prescription.', example: false }),
  },
} as const satisfies Record<string, ProductFieldSpec>;

type Fields = typeof productFields;
export type ProductField = keyof Fields;
/** The fields that have a property. */
type Having<Property> = { [K in ProductField]: Fields[K] extends Property ? K : never }[ProductField];
export type CatalogField = Having<{ inCatalog: true }>;

/** A field's value in a layer that has one. */
export type ValueOf<K extends ProductField> = ValuesOfKinds[Fields[K]['kind']];

/** The effective values of a product: those that are not optional are never null. */
export type ResolvedValues = {
  [K in ProductField]: ValueOf<K> | (K extends Having<{ isOptional: true }> ? null : never);
};

/** A product of the catalog as it is imported. */
export type CatalogProduct = Pick<ResolvedValues, CatalogField> & { p1Id: string; nameFolded: string };

/** A product's values under their names on the wire, amounts in EUR. */
export type WrittenValues = { [K in ProductField as Fields[K]['wire']]?: ValueOf<K> | null };
export type WrittenField = keyof WrittenValues;

// SAFETY: the keys are those of the table.
export const PRODUCT_FIELDS = Object.keys(productFields) as ProductField[];
export const CATALOG_FIELDS = PRODUCT_FIELDS.filter(
  (field): field is CatalogField => 'inCatalog' in productFields[field],
);

export const catalogProductsFields = {
  ...business('p1Id', 'pzn', 'nameFolded', 'createdAt', 'updatedAt'),
  ...business(...CATALOG_FIELDS),
} satisfies FieldsOf<typeof catalogProducts>;
