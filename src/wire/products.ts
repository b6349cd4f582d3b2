import * as z from 'zod';
import {
  PRODUCT_FIELDS,
  type ProductField,
  type ProductFieldSpec,
  productFields,
  productRules,
  type RuleOf,
} from '../catalog/fields';
import { UNITS } from '../catalog/tables';
import { isPzn } from '../codes/numbers';
import type { CatalogEntry, LedgerEntry } from '../inventory/browse';
import type { InventoryResult } from '../inventory/bulk/inventory';
import { ITEM_FAULTS, type ItemFault } from '../inventory/bulk/items';
import { METADATA_BYTES_MAX, METADATA_DEPTH_MAX, STOCK_MAX } from '../inventory/limits';
import type { Offer } from '../inventory/offers';
import { type Product, writtenOverrides } from '../inventory/products';
import type { Source } from '../inventory/resolution';
import type { InventoryItem } from '../inventory/stock';
import { LEDGER_REASONS } from '../inventory/tables';
import { utf8 } from '../platform/crypto/crypto';
import { depthOf } from '../platform/http/json';
import { fault } from '../platform/http/validation';
import {
  notEmpty,
  objectOf,
  p1IdSchema,
  priceSchema,
  pznSchema,
  shopIdSchema,
  timestampSchema,
  wireAmount,
  wired,
} from './schemas';

export function wireProduct(product: Product): z.input<typeof productSchema> {
  return {
    p1_id: product.p1Id,
    pzn: product.pzn,
    name: product.name,
    slug: product.slug,
    description: product.description,
    category: product.category,
    price: wireAmount(product.priceCents),
    available: product.available,
    thc_percent: product.thcPercent,
    cbd_percent: product.cbdPercent,
    available_for_pickup: product.availableForPickup,
    available_for_shipping: product.availableForShipping,
    prescription_required: product.prescriptionRequired,
    unit: product.unit,
    unit_step: product.unitStep,
    stock_quantity: product.stockQuantity,
    shop_id: product.shopId,
    sources: wireSources(product.sources),
    metadata: product.metadata,
  };
}

const WIRE_NAMES = PRODUCT_FIELDS.map((field) => [field, productFields[field].wire] as const);

function wireSources(sources: Product['sources']): Record<string, Source> {
  const named: Record<string, Source> = {};
  for (const [field, name] of WIRE_NAMES) named[name] = sources[field];
  return named;
}

export function wireOffer(offer: Offer): z.input<typeof offerSchema> {
  return wired(offerSchema, {
    ...offer,
    attached: offer.isAttached,
    // Stored overrides are returned with the API's names and units.
    overrides: writtenOverrides(offer.overrides),
    effective: offer.effective && wireProduct(offer.effective),
    changed: offer.isChanged,
  });
}

export function wireCatalogEntry(entry: CatalogEntry): z.input<typeof catalogEntrySchema> {
  const { priceCents, prescriptionRequired, isHeld } = entry;
  return wired(catalogEntrySchema, {
    ...{ ...entry, price: wireAmount(priceCents) },
    ...{ prescriptionRequired: prescriptionRequired === 1, inInventory: isHeld === 1 },
  });
}

export function wireInventoryItem(item: InventoryItem): z.input<typeof inventoryItemSchema> {
  return wired(inventoryItemSchema, { ...item, price: wireAmount(item.priceCents) });
}

export function wireLedgerEntry(entry: LedgerEntry): z.input<typeof ledgerEntrySchema> {
  const { createdAt: at, after, onHandAfter, actorId, orderId, orderRequestId } = entry;
  const now = { stockQuantity: after, onHand: onHandAfter };
  const why = { actor: actorId, orderId: orderId ?? undefined, orderRequestId: orderRequestId ?? undefined };
  return wired(ledgerEntrySchema, { ...entry, at, ...now, ...why });
}

type Rules = typeof productFields;
/** The schema of a product field in the API. */
type Schema<K extends ProductField> = Rules[K]['kind'] extends 'money' ? typeof priceSchema : RuleOf<K>;
type Fields = { [K in ProductField as Rules[K]['wire']]: Schema<K> };
type Effective = {
  [K in ProductField as Rules[K]['wire']]: Rules[K] extends { isOptional: true } ? z.ZodNullable<Schema<K>> : Schema<K>;
};
type Optional<T extends z.ZodType> = z.ZodOptional<z.ZodNullable<T>>;

/**
 * Calls `of` with the schema of each product field. @returns the results by the names that the API has for the fields
 */
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
type OptionalFields = { [N in keyof Fields]: Optional<Fields[N]> };
const optionalFields = byName<OptionalFields>((schema) => schema.nullish());
/** The optional fields without descriptions, which keeps the OpenAPI document short. PUT has the descriptions. */
const fieldsAsOfPut = byName<OptionalFields>((schema) => schema.nullish().describe('As in PUT /products/{p1_id}.'));

/**
 * The body of an update (contract 3.3): any of these fields. Null removes the organization's own value. The catalog's
 * value then applies again.
 */
export const productUpdateSchema = notEmpty(z.strictObject(optionalFields));
export const productUpdateShape = fieldsAsOfPut;

/** The stock of a product that enters the inventory. */
export const initialStockSchema = z
  .int()
  .min(0)
  .max(STOCK_MAX)
  .default(1)
  .meta({ description: 'Units in stock.', example: 20 });

const pzn = z
  .string()
  .nullable()
  .meta({ description: 'PZN, the German number of a pack: eight digits.', example: '01126619' });

/** The body that creates an organization's own product: the fields of an update, a PZN, and the first stock. */
export const ownProductSchema = z.strictObject({
  ...fieldsAsOfPut,
  name: fields.name,
  price: fields.price,
  pzn: pznSchema.refine(isPzn, 'The check digit of the PZN is wrong.').nullish(),
  initial_stock: initialStockSchema,
});

const { slug: _, unit: __, unit_step: ___, ...overridable } = fieldsAsOfPut;

/** A JSON object with data of the caller. Its fields are not checked. */
const metadataSchema = z
  .looseObject({})
  .refine(
    (object) => depthOf(object) <= METADATA_DEPTH_MAX,
    fault('too_deep', `Nest at most ${METADATA_DEPTH_MAX} levels.`),
  )
  .refine(
    (object) => utf8(JSON.stringify(object)).length <= METADATA_BYTES_MAX,
    fault('too_big', `Send ${METADATA_BYTES_MAX} bytes of JSON at most.`),
  )
  .meta({
    description: `Whatever you keep with the product in this shop: a JSON object of ${METADATA_BYTES_MAX / 1024} KiB at most, ${METADATA_DEPTH_MAX} levels deep. A merge goes into its objects, and null removes a key (RFC 7396).`,
    example: { shelf: 'A3', erp: { number: 4711 } },
  });

/**
 * The fields that a shop may override: every product field except slug, unit and step. Null removes the override, so
 * that the value is inherited again.
 */
export const overridesSchema = z.strictObject({ ...overridable, metadata: metadataSchema.nullish() }).meta({
  id: 'Overrides',
  description: 'What a shop says differently: any of these fields, and no others. null takes one back.',
  example: { price: 8.49 },
});

export const overridesModeSchema = z
  .enum(['merge', 'replace'])
  .default('merge')
  .describe('merge (default): by key, null removes one. replace: the whole object.');

export const shopSchema = objectOf('Shop', 'A shop of the organization.', {
  shop_id: shopIdSchema,
  name: z.string().meta({ description: 'Shop name.', example: 'Löwen-Apotheke' }),
  is_active: z.boolean().meta({ description: 'Whether it accepts order requests.', example: true }),
  url: z.url().nullable().meta({
    description: 'Where platforms reach it ({shop_url}); null while it has no active host.',
    example: 'https://rx.loewen-apotheke.example',
  }),
  shipping_options: z.array(z.string()).meta({
    description: 'What `shipping_option` may be: three that every shop has, and the name of its delivery service.',
    example: ['Abholung', 'Versand', 'Express', 'Lieferdienst'],
  }),
});

const source = z.enum(['catalog', 'organization', 'shop', 'default']);
const stock = z.int().min(0).meta({ description: 'What can still be promised, in `unit`.', example: 20 });
const unit = z.enum(UNITS).describe('What is counted.');

export const productSchema = objectOf(
  'Product',
  'A product as a shop or the organization sees it: catalog, inventory and overrides combined.',
  {
    p1_id: p1IdSchema,
    pzn,
    ...effective,
    stock_quantity: stock,
    shop_id: shopIdSchema.nullable().describe('The shop that the product is read for; null for the organization.'),
    sources: z.record(z.string(), source).meta({
      description: 'Which layer each value comes from, by the name of the field.',
      example: { name: 'catalog', price: 'shop', available: 'default' },
    }),
    metadata: metadataSchema.describe('The metadata of the shop that it is read for; `{}` without any.'),
  },
);

export const offerSchema = objectOf('Offer', 'A product in a shop.', {
  shop_id: shopIdSchema,
  p1_id: p1IdSchema,
  attached: z.boolean().describe('Whether the shop offers it.'),
  overrides: overridesSchema,
  effective: productSchema.nullable().describe('What the shop shows; null when it does not offer the product.'),
  changed: z.boolean().describe('false when it was like this before the call.'),
});

export const paginationSchema = objectOf('Pagination', 'Position of a page.', {
  page: z.int().meta({ description: 'This page, from 1.', example: 1 }),
  limit: z.int().meta({ description: 'Page size.', example: 50 }),
  total: z.int().meta({ description: 'Entries on all pages.', example: 120 }),
  total_pages: z.int().meta({ description: 'How many pages there are.', example: 3 }),
});

export const catalogEntrySchema = objectOf('CatalogProduct', 'A product of the catalog, as the catalog says it.', {
  p1_id: p1IdSchema,
  pzn,
  name: fields.name,
  slug: fields.slug,
  category: fields.category,
  price: fields.price,
  prescription_required: fields.prescription_required,
  in_inventory: z.boolean().meta({ description: 'Whether the organization holds it.', example: true }),
});

const pieces = (description: string, example: number) => z.int().min(0).meta({ description, example });

/** The fields about the stock, in addition to `stock_quantity`. */
const stockState = {
  on_hand: pieces(
    'What is in the house: `stock_quantity` + `committed_quantity` + `reserved_quantity` - `shortage`.',
    24,
  ),
  committed_quantity: pieces('What is promised to orders and still in the house, pick-up shelves included.', 4),
  reserved_quantity: pieces('What is reserved for order requests, for a time.', 0),
  shortage: pieces('What is promised and the last count did not find.', 0),
  stock_version: pieces('Raised by every change of the stock; for `if_stock_version`.', 7),
};

export const inventoryItemSchema = objectOf('InventoryItem', 'A product that the organization holds.', {
  p1_id: p1IdSchema,
  name: fields.name,
  slug: fields.slug,
  category: fields.category,
  price: fields.price,
  unit,
  unit_step: z.int().describe('Sold in multiples of it.'),
  stock_quantity: stock,
  ...stockState,
  low_stock_threshold: z.int().min(0).meta({
    description: 'Stock below it sends `low_stock`: the threshold of the product, else of the organization.',
    example: 5,
  }),
  created_at: timestampSchema.describe('When it was added to the inventory.'),
  updated_at: timestampSchema.describe('When it was last changed.'),
});

export const updatedProductSchema = productSchema
  .extend({ changed: z.array(z.string()).describe('Names of the fields that changed.') })
  .meta({ id: 'UpdatedProduct', description: 'A product after a change.' });

export const shopProductSchema = productSchema
  .extend({ overrides: overridesSchema })
  .meta({ id: 'ShopProduct', description: 'A product with what the shop says differently.' });

export const stockChangeSchema = objectOf('StockChange', 'The stock of a product after a change.', {
  p1_id: p1IdSchema,
  unit,
  stock_quantity: stock,
  ...stockState,
  changed: z.array(z.string()).describe('Names of the fields that changed.'),
});

export const ledgerEntrySchema = objectOf('StockMovement', 'A movement of the stock.', {
  at: timestampSchema.describe('When the stock moved.'),
  delta: z.int().meta({ description: 'Difference of `stock_quantity`.', example: -2 }),
  stock_quantity: z.int().min(0).meta({ description: 'What could be promised then.', example: 18 }),
  on_hand: z.int().min(0).nullable().meta({ description: 'What lay in the house then.', example: 20 }),
  reason: z.enum(LEDGER_REASONS).meta({ description: 'As it was sent, or what the service did.', example: 'order' }),
  reference: z.string().nullable().meta({ description: 'As it was sent.', example: 'LS-2026-117' }),
  actor: z.string().nullable().describe('Id of the key or member; null: the service.'),
  order_id: z.string().optional().describe('The order that caused it.'),
  order_request_id: z.string().optional().describe('The order request whose reservation it changed.'),
});

const ITEM_STATUSES = ['created', 'updated', 'unchanged', 'failed'] as const;
// SAFETY: the keys of the table.
const ITEM_CODES = Object.keys(ITEM_FAULTS) as [ItemFault, ...ItemFault[]];

const count = (description: string, example: number) => z.int().min(0).meta({ description, example });

const itemResultSchema = objectOf('ItemResult', 'What became of one item.', {
  p1_id: p1IdSchema.nullable().describe('null: the PZN names no product, or several.'),
  status: z.enum(ITEM_STATUSES).meta({ description: 'failed: nothing of the item was written.', example: 'updated' }),
  unit: unit.optional(),
  stock_quantity: count('What can be promised now.', 20).optional(),
  on_hand: count('What lies in the house now.', 24).optional(),
  shortage: count('What is promised and was not found; missing where nothing is.', 0).optional(),
  stock_version: count('The version of the stock now.', 7).optional(),
  code: z.enum(ITEM_CODES).optional().meta({ description: 'Why it failed.', example: 'version_mismatch' }),
  detail: z.string().optional().describe('What to change.'),
});

export const bulkResultSchema = objectOf('BulkResult', 'What became of the items of a bulk command.', {
  results: z.array(itemResultSchema).describe('One for each item, in their order.'),
  summary: z
    .object({
      created: count('Products that entered the inventory.', 1),
      updated: count('Products that changed.', 497),
      unchanged: count('Products that were so already.', 1),
      failed: count('Items of which nothing was written.', 1),
    })
    .describe('How many items had each status.'),
});

interface BulkResult {
  results: readonly InventoryResult[];
  summary: z.input<typeof bulkResultSchema>['summary'];
}

export function wireBulkResult({ results, summary }: BulkResult): z.input<typeof bulkResultSchema> {
  return { results: results.map(wireItemResult), summary };
}

function wireItemResult(result: InventoryResult): z.input<typeof itemResultSchema> {
  const { p1Id, status, fault, unit, shortage, stockQuantity, onHand, stockVersion } = result;
  return {
    p1_id: p1Id,
    status,
    ...(stockVersion !== undefined && { unit, stock_quantity: stockQuantity, on_hand: onHand }),
    ...(shortage && { shortage }),
    ...(stockVersion !== undefined && { stock_version: stockVersion }),
    ...(fault && { code: fault, detail: ITEM_FAULTS[fault] }),
  };
}
