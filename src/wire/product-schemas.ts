import * as z from 'zod';
import {
  PRODUCT_FIELDS,
  type ProductField,
  type ProductFieldSpec,
  productFields,
  productRules,
  type RuleOf,
} from '../catalog/fields';
import { notEmpty, p1IdSchema, priceSchema, shopIdSchema, timestampSchema } from './schemas';

type Rules = typeof productFields;
/** A field's schema on the wire. */
type Schema<K extends ProductField> = Rules[K]['kind'] extends 'money' ? typeof priceSchema : RuleOf<K>;
type Fields = { [K in ProductField as Rules[K]['wire']]: Schema<K> };
type Effective = {
  [K in ProductField as Rules[K]['wire']]: Rules[K] extends { isOptional: true } ? z.ZodNullable<Schema<K>> : Schema<K>;
};
type Optional<T extends z.ZodType> = z.ZodOptional<z.ZodNullable<T>>;

/** Something of each field's schema, under the field's name on the wire. */
function byName<T>(of: (schema: z.ZodType, spec: ProductFieldSpec) => z.ZodType): T {
  const entries = PRODUCT_FIELDS.map((field) => {
    const spec: ProductFieldSpec = productFields[field];
    return [spec.wire, of(spec.kind === 'money' ? priceSchema : productRules[field], spec)];
  });
  // SAFETY: the caller names the type of what it makes.
  return Object.fromEntries(entries) as T;
}

const fields = byName<Fields>((schema) => schema);
const effective = byName<Effective>((schema, { isOptional }) => (isOptional ? schema.nullable() : schema));
const optionalFields = byName<{ [N in keyof Fields]: Optional<Fields[N]> }>((schema) => schema.nullable().optional());

/**
 * Contract 3.3: any of these fields; null clears the organization's value, so that the catalog's value applies again.
 */
export const productUpdateSchema = notEmpty(z.strictObject(optionalFields));

const { slug: _, ...overridable } = optionalFields;

/**
 * The fields that a shop may override: every product field except the slug. Null removes the override, so that the
 * value is inherited again.
 */
export const overridesSchema = z.strictObject(overridable).meta({
  id: 'Overrides',
  description: 'What a shop says differently: any of these fields, and no others. null takes one back.',
  example: { price: 8.49 },
});

export const shopSchema = z
  .object({
    shop_id: shopIdSchema,
    name: z.string().meta({ description: 'Shop name.', example: 'Löwen-Apotheke' }),
    is_active: z.boolean().meta({ description: 'Whether it accepts order requests.', example: true }),
  })
  .meta({ id: 'Shop', description: 'A shop of the organization.' });

const source = z.enum(['catalog', 'organization', 'shop', 'default']);
const stock = z.int().min(0).meta({ description: 'Pieces that can still be promised.', example: 20 });

export const productSchema = z
  .object({
    p1_id: p1IdSchema,
    ...effective,
    stock_quantity: stock,
    shop_id: shopIdSchema
      .nullable()
      .meta({ description: 'The shop that the product is read for; null for the organization.' }),
    sources: z.record(z.string(), source).meta({
      description: 'Which layer each value comes from, by the name of the field.',
      example: { name: 'catalog', price: 'shop', available: 'default' },
    }),
  })
  .meta({
    id: 'Product',
    description: 'A product as a shop or the organization sees it: catalog, inventory and overrides combined.',
  });

export const offerSchema = z
  .object({
    shop_id: shopIdSchema,
    p1_id: p1IdSchema,
    attached: z.boolean().meta({ description: 'Whether the shop offers it.' }),
    overrides: overridesSchema,
    effective: productSchema
      .nullable()
      .meta({ description: 'What the shop shows; null when it does not offer the product.' }),
    changed: z.boolean().meta({ description: 'false when it was like this before the call.' }),
  })
  .meta({ id: 'Offer', description: 'A product in a shop.' });

export const paginationSchema = z
  .object({
    page: z.int().meta({ description: 'This page, from 1.', example: 1 }),
    limit: z.int().meta({ description: 'Page size.', example: 50 }),
    total: z.int().meta({ description: 'Entries on all pages.', example: 120 }),
    total_pages: z.int().meta({ description: 'How many pages there are.', example: 3 }),
  })
  .meta({ id: 'Pagination', description: 'Position of a page.' });

const pieces = (description: string, example: number) => z.int().min(0).meta({ description, example });

/** Beside `stock_quantity`. */
const stockState = {
  on_hand: pieces('Pieces in the house: `stock_quantity` + `committed_quantity` - `shortage`.', 24),
  committed_quantity: pieces('Pieces that are promised to orders and still in the house, pick-up shelves included.', 4),
  shortage: pieces('Promised pieces that the last count did not find.', 0),
  stock_version: pieces('Raised by every change of the stock; for `if_stock_version`.', 7),
};

export const inventoryItemSchema = z
  .object({
    p1_id: p1IdSchema,
    name: fields.name,
    slug: fields.slug,
    category: fields.category,
    price: fields.price,
    stock_quantity: stock,
    ...stockState,
    low_stock_threshold: z.int().min(0).meta({
      description:
        '`low_stock` is sent when the stock falls below this: the threshold of the product or else of the organization.',
      example: 5,
    }),
    created_at: timestampSchema.meta({ description: 'When it was added to the inventory.' }),
    updated_at: timestampSchema.meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'InventoryItem', description: 'A product that the organization holds.' });

export const updatedProductSchema = productSchema
  .extend({ changed: z.array(z.string()).meta({ description: 'Names of the fields that changed.' }) })
  .meta({ id: 'UpdatedProduct', description: 'A product after a change.' });

export const shopProductSchema = productSchema
  .extend({ overrides: overridesSchema })
  .meta({ id: 'ShopProduct', description: 'A product with what the shop says differently.' });

export const stockChangeSchema = z
  .object({
    p1_id: p1IdSchema,
    stock_quantity: stock,
    ...stockState,
    changed: z.array(z.string()).meta({ description: 'Names of the fields that changed.' }),
  })
  .meta({ id: 'StockChange', description: 'The stock of a product after a change.' });
