import * as z from 'zod';
import { overridesSchema, priceSchema, productFieldSchemas } from '../inventory/service';

export { priceSchema };

/** Wire schemas of the organization API. Answers are described, requests are checked. */
export const idSchema = z.string().min(1).max(100);
export const p1IdSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .meta({ description: 'Catalog product id.', example: 'P1-10001' });
export const shopIdSchema = idSchema.meta({
  description: 'A shop of the organization.',
  example: '019aa0b0-1f00-7aaa-8c01-0c9be1b2a301',
});

export const timestampSchema = z.iso
  .datetime()
  .meta({ description: 'ISO 8601, UTC.', example: '2026-11-20T09:30:00.000Z' });

export const shopSchema = z
  .object({
    shop_id: shopIdSchema,
    name: z.string().meta({ description: 'Shop name.', example: 'Löwen-Apotheke' }),
    is_active: z.boolean().meta({ description: 'Whether it accepts order requests.', example: true }),
  })
  .meta({ id: 'Shop', description: 'A shop of the organization.' });

const source = z.enum(['catalog', 'organization', 'shop', 'default']);
const stock = z.int().min(0).meta({ description: 'Pieces that the organization holds.', example: 20 });
const { name, slug, description, category, ...fields } = productFieldSchemas;

export const productSchema = z
  .object({
    p1_id: p1IdSchema,
    name,
    slug,
    description: description.nullable(),
    category,
    ...fields,
    thc_percent: fields.thc_percent.nullable(),
    cbd_percent: fields.cbd_percent.nullable(),
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

export const overridesAnswerSchema = overridesSchema;

export const offerSchema = z
  .object({
    shop_id: shopIdSchema,
    p1_id: p1IdSchema,
    attached: z.boolean().meta({ description: 'Whether the shop offers it.' }),
    overrides: overridesAnswerSchema,
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

export const inventoryItemSchema = z
  .object({
    p1_id: p1IdSchema,
    name,
    slug,
    category,
    price: priceSchema,
    stock_quantity: stock,
    low_stock_threshold: z.int().min(0).meta({
      description:
        '`low_stock` is sent when the stock falls below this: the threshold of the product or else of the organization.',
      example: 5,
    }),
    created_at: timestampSchema.meta({ description: 'When it was added to the inventory.' }),
    updated_at: timestampSchema.meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'InventoryItem', description: 'A product that the organization holds.' });

export const fieldErrorSchema = z
  .object({
    pointer: z
      .string()
      .meta({ description: 'Where: JSON Pointer (RFC 6901), empty for the whole body.', example: '/price' }),
    code: z.string().meta({ description: 'Stable code of the fault.', example: 'invalid_amount' }),
    message: z.string().meta({ description: 'What to change.', example: 'Send EUR with at most two decimals.' }),
  })
  .meta({ description: 'One fault of a request.' });

export const problemSchema = z
  .looseObject({
    type: z.url().meta({ description: 'Documentation of this code.' }),
    title: z.string().meta({ description: 'The code in words.' }),
    status: z.int().meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'What happened and what to change.' }),
    instance: z.string().meta({ description: 'Path of the request, without its query.' }),
    code: z.string().meta({ description: 'Stable code for programs to switch on.' }),
    request_id: z.uuid().meta({ description: 'Also in the header X-Request-Id.' }),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457); some codes have additional members.' });

/** `{ data: [ … ] }`, as every list is answered. */
export function dataOf<T extends z.ZodType>(schema: T) {
  return z.object({ data: z.array(schema).meta({ description: 'The entries.' }) });
}

/** The same with a cursor. */
export function pageOf<T extends z.ZodType>(schema: T) {
  return dataOf(schema).extend({
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor` to get the next page; null at the end.' }),
  });
}
