import * as z from 'zod';
import { changeStock, getInventoryItem, listInventory, listMovements, removeFromInventory } from '../inventory/service';
import { invalidInput } from '../platform/errors';
import { has, none, refusing } from '../platform/http/json-schema';
import { idCursor, idCursorSchema, keyCursor, keyCursorSchema } from '../wire/cursors';
import { inventoryItemSchema, ledgerEntrySchema, stockChangeSchema } from '../wire/product-schemas';
import { wireInventoryItem, wireLedgerEntry, wireStock } from '../wire/products';
import { p1IdSchema, shopIdSchema } from '../wire/schemas';
import { endpointsOf } from './endpoint';
import { limitSchema, pageAnswer, pageBody } from './paging';
import { STOCK_CHANGES, STOCK_REFUSED, STOCK_RULES, stockChangeOf, stockMembers } from './stock-bodies';

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
      return { body: { data: movements.map(wireLedgerEntry), next_cursor: idCursor(nextCursor) } };
    },
  }),
  api.patch('/inventory/:p1Id', {
    id: 'changeStock',
    summary: 'Change stock or threshold',
    description:
      'Sets what can still be promised (`stock_quantity`), sets what lies in the house (`on_hand`) or moves both (`delta`), and sets the threshold of `low_stock`. What is promised to orders stays. A count sends `on_hand`: what is promised is subtracted, and where less was found, `stock_quantity` is 0 and `shortage` says how much is missing. With `counted_at`, what came or went since then is added to the count; a count that a later one has overtaken changes nothing. If you book goods out when they are packed, and not when they are handed over, subtract first what your orders that are not handed over contain.',
    body: z
      .strictObject({
        ...stockMembers,
        reason: stockMembers.reason.default('other'),
      })
      .refine(STOCK_RULES[0].holds, STOCK_RULES[0])
      .refine(STOCK_RULES[1].holds, STOCK_RULES[1])
      .refine((body) => [...STOCK_CHANGES, 'low_stock_threshold' as const].some((name) => body[name] !== undefined), {
        message: 'Send stock_quantity, on_hand, delta or low_stock_threshold.',
        params: { code: 'no_fields' },
      })
      .meta(
        refusing(...STOCK_REFUSED, none(...[...STOCK_CHANGES, 'low_stock_threshold'].map((name) => has(name, {})))),
      ),
    answers: { 200: { description: 'The stock after the change.', schema: stockChangeSchema } },
    errors: ['catalog_product_not_found', 'product_not_in_inventory', 'insufficient_stock', 'version_mismatch'],
    handle: async (ctx, { params: { p1Id }, body }) => {
      const { reason, reference, low_stock_threshold: lowStockThreshold, if_stock_version: ifStockVersion } = body;
      const change = stockChangeOf(body, ctx.now());
      if (change && 'pointer' in change) throw invalidInput([change]);
      const { changed, ...state } = await changeStock(ctx, {
        ...{ p1Id, change, reason, reference, lowStockThreshold, ifStockVersion },
      });
      return { body: { p1_id: p1Id, ...wireStock(state), changed } };
    },
    again: async (ctx, { params: { p1Id } }) => ({
      body: { p1_id: p1Id, ...wireStock(await getInventoryItem(ctx, p1Id)), changed: [] },
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
