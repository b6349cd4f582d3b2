import * as z from 'zod';
import { listMovements } from '../inventory/browse';
import { faultOfCount } from '../inventory/ledger';
import { COUNTED_DAYS_MAX, REFERENCE_MAX, STOCK_MAX } from '../inventory/limits';
import { changeStock, getInventoryItem, listInventory, removeFromInventory } from '../inventory/stock';
import type { StockChange } from '../inventory/store-stock';
import { STOCK_REASONS } from '../inventory/tables';
import { type FieldError, invalidInput } from '../platform/errors/errors';
import { all, fault, has, none, refusing, textOf } from '../platform/http/validation';
import { idCursor, idCursorSchema, keyCursor, keyCursorSchema } from '../wire/cursors';
import {
  inventoryItemSchema,
  ledgerEntrySchema,
  stockChangeSchema,
  wireInventoryItem,
  wireLedgerEntry,
} from '../wire/products';
import { momentSchema, objectOf, p1IdSchema, pageOfData, shopIdSchema, wired } from '../wire/schemas';
import { endpointsOf } from './endpoint/endpoint';
import { limitSchema, pageAnswer, pageBody } from './endpoint/paging';

const pieces = z.int().min(0).max(STOCK_MAX);

/** The members of a body that are about a product's stock. They have no defaults. */
export const stockMembers = {
  stock_quantity: pieces.optional().meta({ description: 'What can be promised from now on.', example: 20 }),
  on_hand: pieces.optional().meta({ description: 'What lies in the house, what is promised included.', example: 24 }),
  delta: z
    .int()
    .min(-STOCK_MAX)
    .max(STOCK_MAX)
    .optional()
    .meta({ description: 'What came (above 0) or went; of these three send one.', example: -2 }),
  counted_at: momentSchema
    .optional()
    .describe(`When \`on_hand\` was counted: at most ${COUNTED_DAYS_MAX} days ago; ISO 8601 with an offset.`),
  if_stock_version: pieces.optional().describe('Changes nothing unless `stock_version` is this: version_mismatch.'),
  reason: z.enum(STOCK_REASONS).optional().describe('Why the stock changes.'),
  reference: textOf(REFERENCE_MAX).optional().describe('Your own word for it, for the log. No personal data.'),
  low_stock_threshold: pieces.nullish().describe("null: the organization's threshold."),
};

export const STOCK_CHANGES = ['stock_quantity', 'on_hand', 'delta'] as const;

interface StockBody {
  stock_quantity?: number;
  on_hand?: number;
  delta?: number;
  counted_at?: number;
}

interface StockRule {
  holds: (body: StockBody) => boolean;
  path: string[];
  message: string;
  params: { code: string };
}

/** The rules between the members of `stockMembers`, for `refine`. */
export const STOCK_RULES: readonly [StockRule, StockRule] = [
  {
    holds: (body: StockBody) => STOCK_CHANGES.filter((name) => body[name] !== undefined).length < 2,
    path: ['delta'],
    ...fault('stock_or_delta', 'Send one of stock_quantity, on_hand and delta.'),
  },
  {
    holds: ({ counted_at, on_hand }: StockBody) => counted_at === undefined || on_hand !== undefined,
    path: ['counted_at'],
    ...fault('invalid_value', 'Send it together with on_hand.'),
  },
];

/** The rules of `STOCK_RULES` as JSON Schemas. A body that matches one of them is refused. */
export const STOCK_REFUSED = [
  ...STOCK_CHANGES.flatMap((one, index) =>
    STOCK_CHANGES.slice(index + 1).map((other) => all(has(one, {}), has(other, {}))),
  ),
  all(has('counted_at', {}), none(has('on_hand', {}))),
];

/**
 * Returns the stock change that a body asks for.
 * @returns undefined if the body asks for none; a fault if the time of a count is impossible
 */
export function stockChangeOf(body: StockBody, now: number, pointer = ''): StockChange | FieldError | undefined {
  if (body.delta !== undefined) return { delta: body.delta };
  if (body.stock_quantity !== undefined) return { to: body.stock_quantity };
  if (body.on_hand === undefined) return undefined;
  if (body.counted_at === undefined) return { onHand: body.on_hand };
  const countedAt = body.counted_at;
  const fault = faultOfCount(countedAt, now);
  if (fault) return { pointer: `${pointer}/counted_at`, code: 'invalid_value', message: fault };
  return { onHand: body.on_hand, countedAt };
}

const api = endpointsOf({ tag: 'Inventory', scopes: 'inventory' });

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
      return { body: pageBody(items, wireInventoryItem, keyCursor(nextCursor), ({ p1Id }) => keyCursor(p1Id)) };
    },
  }),
  api.get('/inventory/:p1Id', {
    id: 'getInventoryItem',
    summary: 'Get product of the inventory',
    description: 'One product as the list shows it: its stock, what is promised of it, and its version.',
    answers: { 200: { description: 'As the list shows it.', schema: inventoryItemSchema } },
    errors: ['catalog_product_not_found', 'not_found'],
    handle: async (ctx, { params: { p1Id } }) => ({ body: wireInventoryItem(await getInventoryItem(ctx, p1Id)) }),
  }),
  api.get('/inventory/:p1Id/log', {
    id: 'listStockMovements',
    summary: 'List movements of stock',
    description: 'The ledger of one product, newest first. What was removed from the inventory keeps its own.',
    query: z.object({ limit: limitSchema, cursor: idCursorSchema }),
    answers: pageAnswer(ledgerEntrySchema),
    errors: ['catalog_product_not_found', 'not_found'],
    handle: async (ctx, { params: { p1Id }, query: { limit, cursor } }) => {
      const { movements, nextCursor } = await listMovements(ctx, { p1Id, limit, before: cursor ?? null });
      return { body: pageOfData(movements.map(wireLedgerEntry), idCursor(nextCursor)) };
    },
  }),
  api.patch('/inventory/:p1Id', {
    id: 'changeStock',
    summary: 'Change stock or threshold',
    description:
      'Sets what can still be promised (`stock_quantity`) or what lies in the house (`on_hand`), or moves both (`delta`); sets the threshold of `low_stock`. What is promised to orders stays. A count sends `on_hand`: what is promised and reserved is subtracted; where less was found, reservations end, the newest first, and `shortage` says what is still missing. With `counted_at`, what moved since is added; a count that a later one overtook changes nothing. If you book goods out when you pack them, add what is packed and not handed over first.',
    body: z
      .strictObject({
        ...stockMembers,
        reason: stockMembers.reason.default('other'),
      })
      .refine(STOCK_RULES[0].holds, STOCK_RULES[0])
      .refine(STOCK_RULES[1].holds, STOCK_RULES[1])
      .refine(
        (body) => [...STOCK_CHANGES, 'low_stock_threshold' as const].some((name) => body[name] !== undefined),
        fault('no_fields', 'Send stock_quantity, on_hand, delta or low_stock_threshold.'),
      )
      .meta(
        refusing(...STOCK_REFUSED, none(...[...STOCK_CHANGES, 'low_stock_threshold'].map((name) => has(name, {})))),
      ),
    answers: { 200: { description: 'The stock after the change.', schema: stockChangeSchema } },
    errors: ['catalog_product_not_found', 'product_not_in_inventory', 'insufficient_stock', 'version_mismatch'],
    handle: async (ctx, { params: { p1Id }, body }) => {
      const { reason, reference, low_stock_threshold: lowStockThreshold, if_stock_version: ifStockVersion } = body;
      const change = stockChangeOf(body, ctx.now());
      if (change && 'pointer' in change) throw invalidInput([change]);
      const { changed, unit, ...state } = await changeStock(ctx, {
        ...{ p1Id, change, reason, reference, lowStockThreshold, ifStockVersion },
      });
      return { body: wired(stockChangeSchema, { unit, ...state, changed }) };
    },
    again: async (ctx, { params: { p1Id } }) => {
      const item = await getInventoryItem(ctx, p1Id);
      return { body: wired(stockChangeSchema, { ...item, changed: [] }) };
    },
  }),
  api.delete('/inventory/:p1Id', {
    id: 'removeFromInventory',
    summary: 'Remove product from inventory',
    description: 'Also detaches it from every shop.',
    answers: {
      200: {
        description: 'Removed.',
        schema: objectOf('RemovedProduct', 'A product that left the inventory.', {
          p1_id: p1IdSchema,
          deleted: z.literal(true).describe('Always true.'),
          detached_shop_ids: z.array(shopIdSchema).describe('Shops that offered it until now.'),
        }),
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
