import * as z from 'zod';
import type { StockShown } from '../auth/tables';
import { UNITS } from '../catalog/tables';
import type { listOffered } from '../inventory/browse';
import { PAGE_LIMIT, SEARCH_MAX } from '../platform/limits';
import { shippingOptionsOf } from '../tenants/rules';
import type { ShopAtHost } from '../tenants/store';
import { keyCursor, keyCursorSchema } from './cursors';
import {
  momentSchema,
  objectOf,
  p1IdSchema,
  pageOf,
  priceSchema,
  timestampSchema,
  wireAmount,
  wireTime,
} from './schemas';

/** Schemas of a shop and its offers, for the platforms that send it order requests. */

export const ownShopSchema = objectOf('OwnShop', 'The shop at this address.', {
  name: z.string().meta({ description: 'Shop name.', example: 'Löwen-Apotheke' }),
  is_active: z.boolean().meta({ description: 'Whether it accepts order requests.', example: true }),
  shipping_options: z.array(z.string()).meta({
    description:
      'What `shipping_option` of an order request may say here. The fourth is the name of the delivery service of the shop.',
    example: ['Abholung', 'Versand', 'Express', 'Lieferdienst'],
  }),
});

export function wireOwnShop(shop: ShopAtHost): z.input<typeof ownShopSchema> {
  return { name: shop.name, is_active: Boolean(shop.isActive), shipping_options: shippingOptionsOf(shop) };
}

const LIMIT = PAGE_LIMIT.connector;

export const offeredQuerySchema = z.strictObject({
  q: z.string().trim().min(1).max(SEARCH_MAX).optional().describe('Part of the name or id, or a PZN.'),
  pzn: z
    .string()
    .regex(/^\d{1,8}$/, 'Send up to eight digits.')
    .transform((digits) => digits.padStart(8, '0'))
    .optional()
    .meta({ description: 'PZN; leading zeros may be left out.', example: '01126619' }),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'Send a whole number in decimal digits.')
    .transform(Number)
    .pipe(z.int().min(1).max(LIMIT.max))
    .default(LIMIT.default)
    .meta({
      description: `Page size, 1 to ${LIMIT.max}.`,
      override: { type: 'integer', minimum: 1, maximum: LIMIT.max, default: LIMIT.default },
    }),
  updated_after: momentSchema
    .optional()
    .describe('Only products whose values or stock have changed since then. A page may have fewer than `limit`.'),
  cursor: keyCursorSchema,
});

export const offeredPageSchema = pageOf(
  objectOf('OfferedProduct', 'A product as this shop offers it.', {
    p1_id: p1IdSchema,
    pzn: z.string().nullable().meta({ description: 'German product number; null without one.', example: '01126619' }),
    name: z.string().meta({ description: 'Name in this shop.', example: 'Ibuprofen 400 mg Filmtabletten, 20 St' }),
    price: priceSchema.describe('Price in this shop, in EUR.'),
    available: z.boolean().describe('Whether it can be had now: the shop sells it, and has it in stock.'),
    prescription_required: z.boolean().describe('Whether an order of it needs a prescription.'),
    category: z.string().meta({ description: 'Category in this shop.', example: 'flowers' }),
    unit: z.enum(UNITS).meta({ description: 'What quantities and the price are of.', example: 'piece' }),
    unit_step: z.int().min(1).meta({ description: 'It is sold in multiples of this.', example: 1 }),
    thc_percent: z.number().nullable().meta({ description: 'THC in percent; null: not known.', example: null }),
    cbd_percent: z.number().nullable().meta({ description: 'CBD in percent; null: not known.', example: null }),
    updated_at: timestampSchema.describe('When its values or its stock were last changed.'),
    stock_quantity: z
      .int()
      .min(0)
      .optional()
      .describe('What can be ordered now, in its unit. Only for keys to which the pharmacy shows it.'),
    stock_level: z
      .enum(['many', 'few', 'none'])
      .optional()
      .describe('The same, roughly: few is below the threshold of the pharmacy. Only for keys that get it instead.'),
    shipping_options: z
      .array(z.string())
      .meta({ description: 'Those of the shop by which it may be ordered today.', example: ['Abholung', 'Versand'] }),
  }),
);

type Listed = Awaited<ReturnType<typeof listOffered>>;

/** Returns a page of a shop's products as JSON. @param shown how much of the stock the platform of the key may see */
export function wireOffered({ products, nextCursor }: Listed, shown: StockShown): z.input<typeof offeredPageSchema> {
  return {
    data: products.map((product) => ({
      p1_id: product.p1Id,
      pzn: product.pzn,
      name: product.name,
      price: wireAmount(product.priceCents),
      available: product.isAvailable,
      prescription_required: product.prescriptionRequired,
      category: product.category,
      unit: product.unit,
      unit_step: product.unitStep,
      thc_percent: product.thcPercent,
      cbd_percent: product.cbdPercent,
      updated_at: wireTime(product.updatedAt),
      ...(shown === 'quantity' && { stock_quantity: product.stockQuantity }),
      ...(shown === 'level' && { stock_level: levelOf(product) }),
      shipping_options: product.shippingOptions,
    })),
    next_cursor: keyCursor(nextCursor),
    has_more: nextCursor !== null,
  };
}

/** Returns the stock as a level. Less stock than one unit step cannot be ordered, so its level is `none`. */
function levelOf({ stockQuantity, unitStep, isShort }: Listed['products'][number]) {
  if (stockQuantity < unitStep) return 'none';
  return isShort ? 'few' : 'many';
}
