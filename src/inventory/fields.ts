import * as z from 'zod';
import { toCents, toEur } from '../platform/money';

/** Product fields that an organization and a shop may set; their names are those of the wire. */
const NAME_MAX = 200;
const SLUG_MAX = 100;
const DESCRIPTION_MAX = 4000;
const CATEGORY_MAX = 100;

export const slugSchema = z
  .string()
  .max(SLUG_MAX)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lower-case letters, digits and single hyphens.')
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
  .meta({ description: 'EUR with at most two decimals.', example: 9.95 });

const percent = z.number().min(0).max(100);

const fields = {
  name: z.string().trim().min(1).max(NAME_MAX),
  slug: slugSchema,
  description: z.string().max(DESCRIPTION_MAX),
  category: z.string().trim().min(1).max(CATEGORY_MAX),
  price: priceSchema,
  available: z.boolean(),
  thc_percent: percent,
  cbd_percent: percent,
  available_for_pickup: z.boolean(),
  available_for_shipping: z.boolean(),
  prescription_required: z.boolean(),
};

/** Every field that has layers, in the order in which answers show them. */
export const PRODUCT_FIELDS = Object.keys(fields) as ProductField[];
export type ProductField = keyof typeof fields;

/** A product's values at one layer; null or missing means "inherits". */
export type ProductValues = { [K in ProductField]?: z.infer<(typeof fields)[K]> | null };

const optionalFields = Object.fromEntries(
  Object.entries(fields).map(([name, schema]) => [name, schema.nullable().optional()]),
) as { [K in ProductField]: z.ZodOptional<z.ZodNullable<(typeof fields)[K]>> };

/** SPEC, Product update fields: any of them; null clears the organization's value, so that the catalogue's shows again. */
export const productUpdateSchema = z.strictObject(optionalFields).refine((update) => Object.keys(update).length > 0, {
  message: 'Send at least one field.',
  params: { code: 'no_fields' },
});
export type ProductUpdate = z.infer<typeof productUpdateSchema>;

const { slug: _, ...overridable } = optionalFields;

/** What a shop may override: every product field but the slug; null removes the key, so that the value inherits again. */
export const overridesSchema = z.strictObject(overridable);
export type Overrides = z.infer<typeof overridesSchema>;
