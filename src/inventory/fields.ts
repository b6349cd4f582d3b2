import * as z from 'zod';
import { CATEGORY_MAX, DESCRIPTION_MAX, NAME_MAX, SLUG, SLUG_MAX, SLUG_MESSAGE } from '../catalog/limits';
import { NOT_EMPTY } from '../platform/json-schema';
import { AMOUNT_CENTS_MAX, toCents, toEur } from '../platform/money';

/** Product fields that an organization and a shop may set; their names are those of the wire. */

export const slugSchema = z
  .string()
  .max(SLUG_MAX)
  .regex(SLUG, SLUG_MESSAGE)
  .meta({ description: 'Lower-case letters, digits and single hyphens.', example: 'ibuprofen-400-20-st' });

/** EUR with at most two decimals, rid of float noise. Stays a number here; `toCents` turns it into what is stored. */
export const priceSchema = z
  .number()
  .nonnegative()
  .refine((amount) => toCents(amount) !== null, {
    message: 'Send EUR with at most two decimals, up to 10 million.',
    params: { code: 'invalid_amount' },
  })
  .overwrite((amount) => toEur(toCents(amount) ?? 0))
  .meta({
    description: 'EUR with at most two decimals.',
    example: 9.95,
    override: ({ jsonSchema }) => {
      jsonSchema.maximum = toEur(AMOUNT_CENTS_MAX);
    },
  });

const percent = z.number().min(0).max(100);
const flag = z.boolean();

const fields = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(NAME_MAX)
    .meta({ description: 'Product name.', example: 'Ibuprofen 400 mg Filmtabletten, 20 St' }),
  slug: slugSchema,
  description: z
    .string()
    .max(DESCRIPTION_MAX)
    .meta({ description: 'Text for customers.', example: 'Für Erwachsene und Kinder ab 20 kg.' }),
  category: z
    .string()
    .trim()
    .min(1)
    .max(CATEGORY_MAX)
    .meta({ description: 'Category, in your own words.', example: 'Schmerzmittel' }),
  price: priceSchema,
  available: flag.meta({ description: 'Whether it is on offer at all.', example: true }),
  thc_percent: percent.meta({ description: 'THC content in percent.', example: 18 }),
  cbd_percent: percent.meta({ description: 'CBD content in percent.', example: 1 }),
  available_for_pickup: flag.meta({ description: 'Whether customers may collect it.', example: true }),
  available_for_shipping: flag.meta({ description: 'Whether it may be sent to customers.', example: true }),
  prescription_required: flag.meta({ description: 'Whether an order needs an approved prescription.', example: false }),
};

/** The same fields as answers hold them: each with a value, or null where no layer has one. */
export const productFieldSchemas = fields;

/** Every field that has layers, in the order in which answers show them. */
export const PRODUCT_FIELDS = Object.keys(fields) as ProductField[];
export type ProductField = keyof typeof fields;

/** A product's values at one layer; null or missing means "inherits". */
export type ProductValues = { [K in ProductField]?: z.infer<(typeof fields)[K]> | null };

const optionalFields = Object.fromEntries(
  Object.entries(fields).map(([name, schema]) => [name, schema.nullable().optional()]),
) as { [K in ProductField]: z.ZodOptional<z.ZodNullable<(typeof fields)[K]>> };

/** Contract 3.3: any of them; null clears the organization's value, so that the catalog's shows again. */
export const productUpdateSchema = z
  .strictObject(optionalFields)
  .refine((update) => Object.keys(update).length > 0, {
    message: 'Send at least one field.',
    params: { code: 'no_fields' },
  })
  .meta(NOT_EMPTY);
export type ProductUpdate = z.infer<typeof productUpdateSchema>;

const { slug: _, ...overridable } = optionalFields;

/** What a shop may override: every product field but the slug; null removes the key, so that the value inherits again. */
export const overridesSchema = z.strictObject(overridable).meta({
  id: 'Overrides',
  description: 'What a shop says differently: any of these fields, and no others. null takes one back.',
  example: { price: 8.49 },
});
export type Overrides = z.infer<typeof overridesSchema>;
