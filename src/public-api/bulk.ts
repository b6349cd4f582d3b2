import * as z from 'zod';
import { changeInventory } from '../inventory/bulk/inventory';
import type { InventoryChange } from '../inventory/bulk/items';
import { changeProducts, type ProductChange } from '../inventory/bulk/products';
import { COMMAND_SHOPS_MAX, ITEM_SHOPS_MAX, ITEMS_MAX } from '../inventory/limits';
import { readOverrides, readValues } from '../inventory/products';
import { type FieldError, invalidInput } from '../platform/errors/errors';
import { all, fault, has, none, refusing } from '../platform/http/validation';
import { ERRORS_MAX } from '../platform/limits';
import {
  bulkResultSchema,
  overridesModeSchema,
  overridesSchema,
  productUpdateShape,
  wireBulkResult,
} from '../wire/products';
import { centsOf, p1IdSchema, priceSchema, pznSchema, shopIdSchema } from '../wire/schemas';
import { endpointsOf } from './endpoint/endpoint';
import { STOCK_CHANGES, STOCK_REFUSED, STOCK_RULES, stockChangeOf, stockMembers } from './inventory';

/** Each command of this file is for many products. */

const inventoryApi = endpointsOf({ tag: 'Inventory', scopes: 'inventory' });
const productApi = endpointsOf({ tag: 'Products', scopes: 'products' });

const ABOUT =
  `1 to ${ITEMS_MAX} items, one of each product. Faults of form are 400, and nothing is written. What stands in the way of ` +
  'one item (`code`) fails it alone: 200 with a result for each, in their order.';

/** The members of an item that name its product. */
const named = {
  p1_id: p1IdSchema.optional(),
  pzn: pznSchema.optional(),
};

interface Named {
  p1_id?: string;
  pzn?: string;
}

const NAMES = ['p1_id', 'pzn'] as const;
const NAMED_RULE = {
  holds: (item: Named) => (item.p1_id === undefined) !== (item.pzn === undefined),
  path: ['p1_id'],
  ...fault('p1_id_or_pzn', 'Send p1_id or pzn.'),
};
const NAMED_REFUSED = [all(...NAMES.map((name) => has(name, {}))), none(...NAMES.map((name) => has(name, {})))];

const MORE_CHANGES = ['low_stock_threshold', 'price', 'add', 'attach_to', 'detach_from'] as const;
const CHANGES = [...STOCK_CHANGES, ...MORE_CHANGES];

const shopIds = (description: string) => z.array(shopIdSchema).max(ITEM_SHOPS_MAX).optional().describe(description);

const inventoryItemSchema = z
  .strictObject({
    ...named,
    ...stockMembers,
    price: priceSchema.nullish().describe("The organization's own price; null: the catalog's."),
    add: z
      .literal(true)
      .optional()
      .describe('Adds the product to the inventory where it is not there; with stock_quantity or on_hand.'),
    attach_to: shopIds('Shops that offer it from now on; its stock has to be above 0 then.'),
    detach_from: shopIds('Shops that offer it no longer.'),
  })
  .refine(NAMED_RULE.holds, NAMED_RULE)
  .refine(STOCK_RULES[0].holds, STOCK_RULES[0])
  .refine(STOCK_RULES[1].holds, STOCK_RULES[1])
  .refine(
    ({ add, stock_quantity, on_hand }) => add === undefined || stock_quantity !== undefined || on_hand !== undefined,
    fault('invalid_value', 'Send it together with stock_quantity or on_hand.', ['add']),
  )
  .refine(
    ({ attach_to = [], detach_from = [] }) => attach_to.every((shopId) => !detach_from.includes(shopId)),
    fault('invalid_value', 'A shop is attached or detached, not both.', ['detach_from']),
  )
  .refine(
    (item) => CHANGES.some((name) => item[name] !== undefined),
    fault('no_fields', `Send at least one of ${CHANGES.join(', ')}.`),
  )
  .meta({
    id: 'InventoryItemChange',
    description: 'What changes of one product of the inventory.',
    ...refusing(
      ...NAMED_REFUSED,
      ...STOCK_REFUSED,
      all(has('add', {}), none(has('stock_quantity', {}), has('on_hand', {}))),
      none(...CHANGES.map((name) => has(name, {}))),
    ),
  });

const productItemSchema = z
  .strictObject({
    ...named,
    ...productUpdateShape,
    overrides: z
      .array(
        z
          .strictObject({ shop_id: shopIdSchema, overrides: overridesSchema, mode: overridesModeSchema })
          .describe('As POST /shops/product-overrides takes them.'),
      )
      .max(ITEM_SHOPS_MAX)
      .refine(
        (each) => new Set(each.map(({ shop_id }) => shop_id)).size === each.length,
        fault('duplicate_shop', 'Name each shop once.'),
      )
      .optional()
      .describe('What shops that offer it say differently, each shop once.'),
  })
  .refine(NAMED_RULE.holds, NAMED_RULE)
  .refine(
    (item) => Object.keys(item).some((name) => !NAMES.some((each) => each === name)),
    fault('no_fields', 'Send at least one field to change.'),
  )
  .meta({
    id: 'ProductItemChange',
    description: 'What changes of one product: any of the fields of PUT, and overrides of shops.',
    ...refusing(
      ...NAMED_REFUSED,
      none(...[...Object.keys(productUpdateShape), 'overrides'].map((name) => has(name, {}))),
    ),
  });

/**
 * Returns the schema of a body with many items.
 * @param shopsOf returns the number of shops that an item names
 */
function itemsOf<T extends z.ZodType<Named>>(item: T, shopsOf: (item: z.output<T>) => number) {
  return z.strictObject({
    items: z
      .array(item)
      .min(1)
      .max(ITEMS_MAX)
      .check((context) => {
        context.issues.push(
          ...repeated(context.value).map(([place, name]) => ({
            code: 'custom' as const,
            input: context.value,
            path: [place, name],
            ...fault('duplicate_item', 'An earlier item names the same product. Send one item for each product.'),
          })),
        );
      })
      .refine(
        (items) => items.reduce((sum, each) => sum + shopsOf(each), 0) <= COMMAND_SHOPS_MAX,
        fault('too_many_shops', `Name ${COMMAND_SHOPS_MAX} shops at most in all items together.`),
      )
      .describe(`1 to ${ITEMS_MAX}, one of each product; together they name shops at most ${COMMAND_SHOPS_MAX} times.`),
  });
}

/**
 * Returns the items that name the same product as an earlier item: the index of each, and the member that names the
 * product.
 */
function repeated(items: readonly Named[]): [place: number, name: string][] {
  const seen = new Set<string>();
  return items.flatMap((item, place) =>
    NAMES.flatMap((name): [number, string][] => {
      const key = item[name] && `${name} ${item[name]}`;
      if (key === undefined || !seen.has(key)) {
        if (key !== undefined) seen.add(key);
        return [];
      }
      return [[place, name]];
    }),
  );
}

type InventoryItem = z.output<typeof inventoryItemSchema>;

/** Converts items to changes. @throws AppError `validation_failed` for an impossible time of a count */
function inventoryChanges(items: readonly InventoryItem[], now: number): InventoryChange[] {
  const faults: FieldError[] = [];
  const changes = items.map((item, place): InventoryChange => {
    const stock = stockChangeOf(item, now, `/items/${place}`);
    const isFault = stock !== undefined && 'pointer' in stock;
    if (isFault) faults.push(stock);
    return {
      p1Id: item.p1_id,
      pzn: item.pzn,
      stock: isFault ? undefined : stock,
      ifStockVersion: item.if_stock_version,
      reason: item.reason,
      reference: item.reference,
      priceCents: item.price == null ? item.price : centsOf(item.price),
      lowStockThreshold: item.low_stock_threshold,
      isAdded: item.add,
      attachTo: item.attach_to,
      detachFrom: item.detach_from,
    };
  });
  if (faults.length > 0) throw invalidInput(faults.slice(0, ERRORS_MAX));
  return changes;
}

function productChange({ p1_id, pzn, overrides = [], ...values }: z.output<typeof productItemSchema>): ProductChange {
  return {
    p1Id: p1_id,
    pzn,
    values: readValues(values),
    overrides: overrides.map((each) => ({
      shopId: each.shop_id,
      overrides: readOverrides(each.overrides),
      mode: each.mode,
    })),
  };
}

/** Returns a change without values for an item's product. A repeated command thus gets the product's current state. */
function namedBy({ p1_id, pzn }: Named) {
  return { p1Id: p1_id, pzn };
}

const answers = { 200: { description: 'A result for each item, in their order.', schema: bulkResultSchema } };

export const bulkEndpoints = [
  inventoryApi.patch('/inventory', {
    id: 'changeInventory',
    summary: 'Change many products of the inventory',
    description: `${ABOUT} An item takes what PATCH /inventory/{p1Id} takes; price, add, attach and detach need the scope products.write, too. Items that change nothing are \`unchanged\` and send no event.`,
    isBulk: true,
    body: itemsOf(inventoryItemSchema, ({ attach_to = [], detach_from = [] }) => attach_to.length + detach_from.length),
    answers,
    handle: async (ctx, { body }) => {
      return { body: wireBulkResult(await changeInventory(ctx, inventoryChanges(body.items, ctx.now()))) };
    },
    again: async (ctx, { body }) => ({ body: wireBulkResult(await changeInventory(ctx, body.items.map(namedBy))) }),
  }),
  productApi.patch('/products', {
    id: 'changeProducts',
    summary: 'Change many products',
    description: `Answers as PATCH /inventory does. An item has the fields of PUT /products/{p1Id} except the unit, and \`overrides\` of shops that offer the product.`,
    isBulk: true,
    body: itemsOf(productItemSchema, ({ overrides = [] }) => overrides.length),
    answers,
    handle: async (ctx, { body }) => ({
      body: wireBulkResult(await changeProducts(ctx, body.items.map(productChange))),
    }),
    again: async (ctx, { body }) => ({
      body: wireBulkResult(
        await changeProducts(
          ctx,
          body.items.map((item) => ({ ...namedBy(item), values: {}, overrides: [] })),
        ),
      ),
    }),
  }),
];
