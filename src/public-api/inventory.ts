import * as z from 'zod';
import { STOCK_MAX } from '../inventory/limits';
import { changeStock, listInventory, removeFromInventory, STOCK_REASONS } from '../inventory/service';
import { all, has, none, refusing } from '../platform/http/json-schema';
import { inventoryItemSchema, stockChangeSchema } from '../wire/product-schemas';
import { wireInventoryItem } from '../wire/products';
import { p1IdSchema, shopIdSchema } from '../wire/schemas';
import { endpointsOf } from './endpoint';
import { keyCursor, keyCursorSchema, limitSchema, pageAnswer } from './paging';

const api = endpointsOf({ tag: 'Inventory', scopes: 'inventory' });

function wireStock({ p1Id, stockQuantity, changed }: Awaited<ReturnType<typeof changeStock>>) {
  return { p1_id: p1Id, stock_quantity: stockQuantity, changed };
}

const pieces = z.int().min(0).max(STOCK_MAX);

export const inventoryEndpoints = [
  api.get('/inventory', {
    id: 'listInventory',
    summary: 'List inventory',
    description: 'All products of the inventory, ordered by p1_id.',
    query: z.object({
      limit: limitSchema,
      cursor: keyCursorSchema,
    }),
    answers: pageAnswer(inventoryItemSchema),
    handle: async (ctx, { query }) => {
      const { items, nextCursor } = await listInventory(ctx, { limit: query.limit, after: query.cursor ?? null });
      return { body: { data: items.map(wireInventoryItem), next_cursor: keyCursor(nextCursor) } };
    },
  }),
  api.patch('/inventory/:p1Id', {
    id: 'changeStock',
    summary: 'Change stock or threshold',
    description: 'Sets the stock (`stock_quantity`) or moves it (`delta`), and sets the threshold of `low_stock`.',
    body: z
      .strictObject({
        stock_quantity: pieces.optional().meta({ description: 'The stock from now on.', example: 20 }),
        delta: z
          .int()
          .min(-STOCK_MAX)
          .max(STOCK_MAX)
          .optional()
          .meta({ description: 'Pieces that came (above 0) or went; not together with stock_quantity.', example: -2 }),
        reason: z.enum(STOCK_REASONS).default('other').meta({ description: 'Why the stock changes.' }),
        low_stock_threshold: pieces.nullable().optional().meta({ description: "null: the organization's threshold." }),
      })
      .refine(({ stock_quantity, delta }) => stock_quantity === undefined || delta === undefined, {
        path: ['delta'],
        message: 'Send stock_quantity or delta, not both.',
        params: { code: 'stock_or_delta' },
      })
      .refine(
        (body) => [body.stock_quantity, body.delta, body.low_stock_threshold].some((value) => value !== undefined),
        {
          message: 'Send stock_quantity, delta or low_stock_threshold.',
          params: { code: 'no_fields' },
        },
      )
      .meta(
        refusing(
          all(has('stock_quantity', {}), has('delta', {})),
          none(has('stock_quantity', {}), has('delta', {}), has('low_stock_threshold', {})),
        ),
      ),
    answers: { 200: { description: 'The stock after the change.', schema: stockChangeSchema } },
    errors: ['catalog_product_not_found', 'product_not_in_inventory', 'insufficient_stock'],
    handle: async (ctx, { params: { p1Id }, body }) => {
      const { stock_quantity: to, delta, reason, low_stock_threshold: lowStockThreshold } = body;
      const change = to !== undefined ? { to } : delta !== undefined ? { delta } : undefined;
      const result = await changeStock(ctx, { p1Id, change, reason, lowStockThreshold });
      return { body: wireStock(result) };
    },
    again: async (ctx, { params: { p1Id } }) => ({
      body: wireStock(await changeStock(ctx, { p1Id, reason: 'other' })),
    }),
  }),
  api.delete('/inventory/:p1Id', {
    id: 'removeFromInventory',
    summary: 'Remove product from inventory',
    description: 'Also detaches it from every shop.',
    answers: {
      200: {
        description: 'Removed.',
        schema: z
          .object({
            p1_id: p1IdSchema,
            deleted: z.literal(true).meta({ description: 'Always true.' }),
            detached_shop_ids: z.array(shopIdSchema).meta({ description: 'Shops that offered it until now.' }),
          })
          .meta({ id: 'RemovedProduct', description: 'A product that left the inventory.' }),
      },
    },
    errors: ['catalog_product_not_found', 'product_not_in_inventory'],
    handle: async (ctx, { params: { p1Id } }) => {
      const { detachedShopIds } = await removeFromInventory(ctx, p1Id);
      return { body: { p1_id: p1Id, deleted: true, detached_shop_ids: detachedShopIds } };
    },
    again: async (_, { params: { p1Id } }) => ({ body: { p1_id: p1Id, deleted: true, detached_shop_ids: [] } }),
  }),
];
