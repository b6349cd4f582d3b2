import * as z from 'zod';
import { priceSchema, slugSchema } from '../inventory/service';

export { priceSchema };

/** Wire schemas of the organization API. Answers are described, requests are checked. */
export const idSchema = z.string().min(1).max(100);
export const p1IdSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .meta({ description: 'Catalogue product id.', example: 'P1-10001' });
export const shopIdSchema = idSchema.meta({
  description: 'A shop of the organization.',
  example: '019aa0b0-1f00-7aaa-8c01-0c9be1b2a301',
});

export const timestampSchema = z.iso
  .datetime()
  .meta({ description: 'ISO 8601, UTC.', example: '2026-11-20T09:30:00.000Z' });
const nullablePercent = z.number().min(0).max(100).nullable();

export const shopSchema = z
  .object({ shop_id: shopIdSchema, name: z.string(), is_active: z.boolean() })
  .meta({ id: 'Shop' });

const source = z.enum(['catalog', 'organization', 'shop', 'default']);

export const productSchema = z
  .object({
    p1_id: p1IdSchema,
    name: z.string(),
    slug: slugSchema,
    description: z.string().nullable(),
    category: z.string(),
    price: priceSchema,
    available: z.boolean(),
    thc_percent: nullablePercent,
    cbd_percent: nullablePercent,
    available_for_pickup: z.boolean(),
    available_for_shipping: z.boolean(),
    prescription_required: z.boolean(),
    stock_quantity: z.int().min(0),
    shop_id: shopIdSchema
      .nullable()
      .meta({ description: 'The shop that the product is read for; null for the organization.' }),
    sources: z.record(z.string(), source).meta({ description: 'Which layer each value comes from.' }),
  })
  .meta({
    id: 'Product',
    description: 'A product as a shop or the organization sees it: catalogue, inventory and overrides in one.',
  });

export const overridesAnswerSchema = z
  .record(z.string(), z.unknown())
  .meta({ id: 'Overrides', description: 'What the shop says differently.', example: { price: 8.49 } });

export const offerSchema = z
  .object({
    shop_id: shopIdSchema,
    p1_id: p1IdSchema,
    attached: z.boolean(),
    overrides: overridesAnswerSchema,
    effective: productSchema
      .nullable()
      .meta({ description: 'What the shop shows; null when it does not offer the product.' }),
    changed: z.boolean(),
  })
  .meta({ id: 'Offer', description: 'A product in a shop.' });

export const paginationSchema = z
  .object({ page: z.int(), limit: z.int(), total: z.int(), total_pages: z.int() })
  .meta({ id: 'Pagination' });

export const inventoryItemSchema = z
  .object({
    p1_id: p1IdSchema,
    name: z.string(),
    slug: slugSchema,
    category: z.string(),
    price: priceSchema,
    stock_quantity: z.int().min(0),
    low_stock_threshold: z.int().min(0),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'InventoryItem' });

export const problemSchema = z
  .looseObject({
    type: z.url().meta({ description: 'Documentation of this code.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What happened and what to change.' }),
    instance: z.string().meta({ description: 'Path of the request, without its query.' }),
    code: z.string().meta({ description: 'Stable; what to switch on.' }),
    request_id: z.uuid().meta({ description: 'Also in the header X-Request-Id.' }),
    errors: z
      .array(
        z.object({
          pointer: z.string().meta({ description: 'JSON Pointer (RFC 6901).' }),
          code: z.string(),
          message: z.string(),
        }),
      )
      .max(50)
      .optional(),
  })
  .meta({ id: 'Problem', description: 'Every error, as in RFC 9457.' });
