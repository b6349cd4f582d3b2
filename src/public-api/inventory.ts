import * as z from 'zod';
import { COUNTED_DAYS_MAX, REFERENCE_MAX, STOCK_MAX } from '../inventory/limits';
import {
  changeStock,
  faultOfCount,
  listInventory,
  removeFromInventory,
  STOCK_REASONS,
  type StockChange,
} from '../inventory/service';
import type { Context } from '../platform/context';
import { invalidInput } from '../platform/errors';
import { all, has, none, refusing } from '../platform/http/json-schema';
import { textOf } from '../platform/http/validation';
import { inventoryItemSchema, stockChangeSchema } from '../wire/product-schemas';
import { wireInventoryItem, wireStock } from '../wire/products';
import { p1IdSchema, shopIdSchema, timestampSchema } from '../wire/schemas';
import { endpointsOf } from './endpoint';
import { keyCursor, keyCursorSchema, limitSchema, pageAnswer } from './paging';

const api = endpointsOf({ tag: 'Inventory', scopes: 'inventory' });

const pieces = z.int().min(0).max(STOCK_MAX);
const referenceSchema = textOf(REFERENCE_MAX);
const STOCK_CHANGES = ['stock_quantity', 'on_hand', 'delta'] as const;

interface StockBody {
  stock_quantity?: number;
  on_hand?: number;
  delta?: number;
  counted_at?: string;
}

/** What a body asks of the stock. @throws AppError `validation_failed` for a time that cannot be that of a count */
function stockChangeOf(ctx: Context, body: StockBody): StockChange | undefined {
  if (body.delta !== undefined) return { delta: body.delta };
  if (body.stock_quantity !== undefined) return { to: body.stock_quantity };
  if (body.on_hand === undefined) return undefined;
  if (body.counted_at === undefined) return { onHand: body.on_hand };
  const countedAt = Date.parse(body.counted_at);
  const fault = faultOfCount(countedAt, ctx.now());
  if (fault) throw invalidInput([{ pointer: '/counted_at', code: 'invalid_value', message: fault }]);
  return { onHand: body.on_hand, countedAt };
}

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
    description:
      'Sets what can still be promised (`stock_quantity`), sets what lies in the house (`on_hand`) or moves both (`delta`), and sets the threshold of `low_stock`. What is promised to orders stays. A count sends `on_hand`: what is promised is subtracted, and where less was found, `stock_quantity` is 0 and `shortage` says how much is missing. With `counted_at`, what came or went since then is added to the count; a count that a later one has overtaken changes nothing. If you book goods out when they are packed, and not when they are handed over, subtract first what your orders that are not handed over contain.',
    body: z
      .strictObject({
        stock_quantity: pieces.optional().meta({ description: 'What can be promised from now on.', example: 20 }),
        on_hand: pieces
          .optional()
          .meta({ description: 'What lies in the house, promised pieces included.', example: 24 }),
        delta: z
          .int()
          .min(-STOCK_MAX)
          .max(STOCK_MAX)
          .optional()
          .meta({ description: 'Pieces that came (above 0) or went; of these three send one.', example: -2 }),
        counted_at: timestampSchema
          .optional()
          .meta({ description: `When \`on_hand\` was counted: at most ${COUNTED_DAYS_MAX} days ago.` }),
        if_stock_version: pieces
          .optional()
          .meta({ description: 'Changes nothing unless `stock_version` is this: 412 version_mismatch.' }),
        reason: z.enum(STOCK_REASONS).default('other').meta({ description: 'Why the stock changes.' }),
        reference: referenceSchema
          .optional()
          .meta({ description: 'Your own word for it, for the log. No personal data.' }),
        low_stock_threshold: pieces.nullable().optional().meta({ description: "null: the organization's threshold." }),
      })
      .refine((body) => STOCK_CHANGES.filter((name) => body[name] !== undefined).length < 2, {
        path: ['delta'],
        message: 'Send one of stock_quantity, on_hand and delta.',
        params: { code: 'stock_or_delta' },
      })
      .refine(({ counted_at, on_hand }) => counted_at === undefined || on_hand !== undefined, {
        path: ['counted_at'],
        message: 'Send it together with on_hand.',
        params: { code: 'invalid_value' },
      })
      .refine((body) => [...STOCK_CHANGES, 'low_stock_threshold' as const].some((name) => body[name] !== undefined), {
        message: 'Send stock_quantity, on_hand, delta or low_stock_threshold.',
        params: { code: 'no_fields' },
      })
      .meta(
        refusing(
          ...STOCK_CHANGES.flatMap((one, index) =>
            STOCK_CHANGES.slice(index + 1).map((other) => all(has(one, {}), has(other, {}))),
          ),
          all(has('counted_at', {}), none(has('on_hand', {}))),
          none(...[...STOCK_CHANGES, 'low_stock_threshold'].map((name) => has(name, {}))),
        ),
      ),
    answers: { 200: { description: 'The stock after the change.', schema: stockChangeSchema } },
    errors: ['catalog_product_not_found', 'product_not_in_inventory', 'insufficient_stock', 'version_mismatch'],
    handle: async (ctx, { params: { p1Id }, body }) => {
      const { reason, reference, low_stock_threshold: lowStockThreshold, if_stock_version: ifStockVersion } = body;
      const change = stockChangeOf(ctx, body);
      const { changed, ...state } = await changeStock(ctx, {
        ...{ p1Id, change, reason, reference, lowStockThreshold, ifStockVersion },
      });
      return { body: { p1_id: p1Id, ...wireStock(state), changed } };
    },
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
  }),
];
