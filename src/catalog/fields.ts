import * as z from 'zod';
import { business, type FieldsOf } from '../platform/fields';
import { textOf } from '../platform/http/validation';
import { AMOUNT_CENTS_MAX } from '../platform/limits';
import { CATEGORY_MAX, DESCRIPTION_MAX, NAME_MAX, SLUG_MAX, UNIT_STEP_MAX } from './limits';
import { type catalogProducts, UNITS, type Unit } from './tables';

/** The beginning of the id of an organization's own product. No id of the global catalog begins with it. */
export const OWN_PREFIX = 'own-';
/** Lower-case letters, digits and single hyphens. */
export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const SLUG_MESSAGE = 'Use lower-case letters, digits and single hyphens.';

type WithMax = { max: number };

/** The rule of each kind of field. `lines` is a text of several lines, `money` is in cents. */
const RULES = {
  text: ({ max }: WithMax) => textOf(max),
  slug: ({ max }: WithMax) => z.string().max(max).regex(SLUG, SLUG_MESSAGE),
  lines: ({ max }: WithMax) => z.string().max(max),
  money: () => z.int().min(0).max(AMOUNT_CENTS_MAX),
  percent: () => z.number().min(0).max(100),
  flag: () => z.boolean(),
  unit: () => z.enum(UNITS),
  step: () => z.int().min(1).max(UNIT_STEP_MAX),
};
export type ProductKind = keyof typeof RULES;

export interface ProductFieldSpec {
  kind: ProductKind;
  /** The field's name in the API, imports, stored overrides, events and the audit log. */
  wire: string;
  /** The longest text, in characters. */
  max?: number;
  /** The field's description in the reference of the API. */
  says?: string;
  example?: unknown;
  /** True if the catalog has this field: a column of the same name, and a column in imports. */
  inCatalog?: true;
  /** True if the value may be missing in every layer (catalog, organization and shop). */
  isOptional?: true;
  /** The default, if no layer has a value. */
  fallback?: boolean | string | number;
  /** True if shops cannot override the field. */
  isOfProduct?: true;
}

const text = { kind: 'text', inCatalog: true } as const;
const percent = { kind: 'percent', inCatalog: true, isOptional: true } as const;
const sold = { inCatalog: true, isOfProduct: true } as const;
const offer = { kind: 'flag', fallback: true, example: true } as const;

/**
 * The fields of a product, in the order of responses. The catalog has some of them. An organization may override every
 * field, a shop every field but slug, unit and step. Each column has the name of its field. Stored overrides use the
 * wire names.
 */
export const productFields = {
  name: {
    ...text,
    wire: 'name',
    max: NAME_MAX,
    says: 'Product name.',
    example: 'Ibuprofen 400 mg Filmtabletten, 20 St',
  },
  slug: {
    ...text,
    kind: 'slug',
    wire: 'slug',
    max: SLUG_MAX,
    says: 'Lower-case letters, digits and single hyphens.',
    example: 'ibuprofen-400-20-st',
  },
  description: {
    ...text,
    kind: 'lines',
    isOptional: true,
    wire: 'description',
    max: DESCRIPTION_MAX,
    says: 'Text for customers.',
    example: 'Für Erwachsene und Kinder ab 20 kg.',
  },
  category: {
    ...text,
    wire: 'category',
    max: CATEGORY_MAX,
    says: 'Category, in your own words.',
    example: 'Schmerzmittel',
  },
  priceCents: { kind: 'money', inCatalog: true, wire: 'price' },
  available: { ...offer, wire: 'available', says: 'Whether it is on offer at all.' },
  thcPercent: { ...percent, wire: 'thc_percent', says: 'THC content in percent.', example: 18 },
  cbdPercent: { ...percent, wire: 'cbd_percent', says: 'CBD content in percent.', example: 1 },
  availableForPickup: { ...offer, wire: 'available_for_pickup', says: 'Whether customers may collect it.' },
  availableForShipping: { ...offer, wire: 'available_for_shipping', says: 'Whether it may be sent to customers.' },
  prescriptionRequired: {
    kind: 'flag',
    inCatalog: true,
    wire: 'prescription_required',
    says: 'Whether an order needs an approved prescription.',
    example: false,
  },
  unit: {
    ...sold,
    kind: 'unit',
    wire: 'unit',
    fallback: 'piece',
    says: 'What quantities, prices and stock count. It changes only at stock 0.',
    example: 'piece',
  },
  unitStep: {
    ...sold,
    kind: 'step',
    wire: 'unit_step',
    fallback: 1,
    says: 'Sold in multiples of so many: 5 for a tin of 5 g.',
    example: 1,
  },
} as const satisfies Record<string, ProductFieldSpec>;

type Fields = typeof productFields;
export type ProductField = keyof Fields;
/** The names of the fields whose specification has this property. */
type Having<Property> = { [K in ProductField]: Fields[K] extends Property ? K : never }[ProductField];
export type CatalogField = Having<{ inCatalog: true }>;

export type RuleOf<K extends ProductField> = ReturnType<(typeof RULES)[Fields[K]['kind']]>;

/** The type of a field's value in the catalog, an organization or a shop. */
export type ValueOf<K extends ProductField> = z.infer<RuleOf<K>>;

/** The effective values of a product. Only optional ones may be null. */
export type ResolvedValues = {
  [K in ProductField]: ValueOf<K> | (K extends Having<{ isOptional: true }> ? null : never);
};

/** A product of the catalog as it is imported. */
export type CatalogProduct = Pick<ResolvedValues, CatalogField> & {
  p1Id: string;
  /** Eight digits. */
  pzn: string | null;
  nameFolded: string;
};

/** A product as it is read from a line and stored. If `unit` and `unitStep` are null, it is sold by the piece. */
export type ImportedProduct = Omit<CatalogProduct, 'unit' | 'unitStep'> & {
  unit: Unit | null;
  unitStep: number | null;
};

/** A product's values under their API names, amounts in EUR. */
export type WrittenValues = { [K in ProductField as Fields[K]['wire']]?: ValueOf<K> | null };
export type WrittenField = keyof WrittenValues;

// SAFETY: the keys are those of the table.
export const PRODUCT_FIELDS = Object.keys(productFields) as ProductField[];
export const CATALOG_FIELDS = PRODUCT_FIELDS.filter(
  (field): field is CatalogField => 'inCatalog' in productFields[field],
);

/** The Zod schema of each field's value. */
// SAFETY: each field has the rule of its kind.
export const productRules = Object.fromEntries(
  PRODUCT_FIELDS.map((field) => {
    const { kind, max = 0, says, example }: ProductFieldSpec = productFields[field];
    return [field, RULES[kind]({ max }).meta({ description: says, example })];
  }),
) as { [K in ProductField]: RuleOf<K> };

export const catalogProductsFields = {
  ...business('p1Id', 'pzn', 'nameFolded', 'orgId', 'joinedP1Id', 'createdAt', 'updatedAt'),
  ...business(...CATALOG_FIELDS),
} satisfies FieldsOf<typeof catalogProducts>;
