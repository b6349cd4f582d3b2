import * as z from 'zod';
import { CATEGORY_MAX, DESCRIPTION_MAX, NAME_MAX, SLUG, SLUG_MAX, SLUG_MESSAGE } from '../catalog/limits';
import { AMOUNT_CENTS_MAX } from '../platform/money';

const percent = z.number().min(0).max(100);
const flag = z.boolean();

/**
 * The product fields that an organization and a shop may override, each with its rule; adapters map them to the names
 * on the wire.
 */
export const productFields = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(NAME_MAX)
    .meta({ description: 'Product name.', example: 'Ibuprofen 400 mg Filmtabletten, 20 St' }),
  slug: z
    .string()
    .max(SLUG_MAX)
    .regex(SLUG, SLUG_MESSAGE)
    .meta({ description: 'Lower-case letters, digits and single hyphens.', example: 'ibuprofen-400-20-st' }),
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
  priceCents: z.int().min(0).max(AMOUNT_CENTS_MAX),
  available: flag.meta({ description: 'Whether it is on offer at all.', example: true }),
  thcPercent: percent.meta({ description: 'THC content in percent.', example: 18 }),
  cbdPercent: percent.meta({ description: 'CBD content in percent.', example: 1 }),
  availableForPickup: flag.meta({ description: 'Whether customers may collect it.', example: true }),
  availableForShipping: flag.meta({ description: 'Whether it may be sent to customers.', example: true }),
  prescriptionRequired: flag.meta({ description: 'Whether an order needs an approved prescription.', example: false }),
};

export type ProductField = keyof typeof productFields;

/** All fields that have layers, in the order in which responses show them. */
export const PRODUCT_FIELDS = Object.keys(productFields) as ProductField[];

/** A product's values in one layer; null or missing means that the value is inherited. */
export type ProductValues = { [K in ProductField]?: z.infer<(typeof productFields)[K]> | null };

/** The values that a shop overrides: any field except the slug. */
export type Overrides = Omit<ProductValues, 'slug'>;

/** The effective values of a product: the catalog always has some of them, and others have a default. */
export interface ResolvedValues {
  name: string;
  slug: string;
  description: string | null;
  category: string;
  priceCents: number;
  available: boolean;
  thcPercent: number | null;
  cbdPercent: number | null;
  availableForPickup: boolean;
  availableForShipping: boolean;
  prescriptionRequired: boolean;
}
