import { type SQL, sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { WrittenValues } from '../catalog/fields';
import { catalogProducts } from '../catalog/tables';
import type { JsonObject } from '../platform/http/json';
import { organizationId } from '../platform/tables';
import { shopId } from '../tenants/tables';

/** A product that an organization holds. Null fields are inherited from the catalog. */
export const inventory = sqliteTable(
  'inventory',
  {
    orgId: organizationId(),
    p1Id: text('p1_id')
      .notNull()
      .references(() => catalogProducts.p1Id),
    /** What can still be promised. Maintained, as the next three, only by the ledger's trigger (migrations). */
    stockQuantity: integer('stock_quantity').notNull(),
    /** Promised to orders and still in the house, pick-up shelves included. */
    committedQuantity: integer('committed_quantity').notNull().default(0),
    /** How much of what is promised a count did not find. */
    shortage: integer('shortage').notNull().default(0),
    /** Raised by every movement; an organization that adds a product again goes on counting. */
    stockVersion: integer('stock_version').notNull().default(0),
    /** When the latest count was made that found what was there and so made no movement. Epoch ms. */
    countedAt: integer('counted_at'),
    /** Null: the organization's threshold applies. */
    lowStockThreshold: integer('low_stock_threshold'),
    /** The stock is zero or below the threshold. Maintained by triggers (migrations), so that a list finds these by an index. */
    isShort: integer('is_short', { mode: 'boolean' }).notNull().default(true),
    name: text('name'),
    /** The name as search compares it (platform/fold.ts); null if the name is null. */
    nameFolded: text('name_folded'),
    slug: text('slug'),
    description: text('description'),
    category: text('category'),
    priceCents: integer('price_cents'),
    available: integer('available', { mode: 'boolean' }),
    thcPercent: real('thc_percent'),
    cbdPercent: real('cbd_percent'),
    availableForPickup: integer('available_for_pickup', { mode: 'boolean' }),
    availableForShipping: integer('available_for_shipping', { mode: 'boolean' }),
    prescriptionRequired: integer('prescription_required', { mode: 'boolean' }),
    /** Free metadata: a JSON object. */
    metadata: text('metadata'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.p1Id] }),
    uniqueIndex('inventory_slug').on(t.orgId, t.slug).where(sql`slug is not null`),
    index('inventory_short').on(t.orgId, t.p1Id).where(sql`is_short = 1`),
    index('inventory_shortage').on(t.orgId, t.p1Id).where(sql`shortage > 0`),
    check('inventory_metadata', sql`${t.metadata} is null or json_valid(${t.metadata})`),
    check('stock_not_negative', sql`${t.stockQuantity} >= 0`),
    check('stock_committed', sql`${t.committedQuantity} >= 0`),
    // So `on_hand` is never negative, and what can still be promised is in the house.
    check(
      'stock_shortage',
      sql`${t.shortage} between 0 and ${t.committedQuantity} and (${t.shortage} = 0 or ${t.stockQuantity} = 0)`,
    ),
    check('inventory_price', sql`coalesce(${t.priceCents}, 0) >= 0`),
    check(
      'inventory_percent',
      sql`coalesce(${t.thcPercent}, 0) between 0 and 100 and coalesce(${t.cbdPercent}, 0) between 0 and 100`,
    ),
  ],
);

/** What lies in the house: not a column of its own, so that it cannot differ. */
export const onHand = sql`(${inventory.stockQuantity} + ${inventory.committedQuantity} - ${inventory.shortage})`;

/** The product runs low: found by its index, since without statistics the planner would go through all products. */
export function isShort(orgId: string): SQL {
  return sql`inventory.org_id = ${orgId} and inventory.p1_id in (select short.p1_id
    from ${inventory} as short indexed by inventory_short where short.org_id = ${orgId} and short.is_short = 1)`;
}

/**
 * What lists of products are found by, in few rows: the listings of a shop, the inventory of an organization and the catalog,
 * each in blocks of at most 256 products in the order of their ids. So a page far behind is found by counting blocks, and a
 * search reads blocks instead of products. Maintained only by triggers (migrations). Stays when an organization moves, since
 * the copied products write it there.
 */
export const productBlocks = sqliteTable(
  'product_blocks',
  {
    /** The id of the shop or organization; empty for the catalog. */
    listId: text('list_id').notNull(),
    /** The block holds the products from this id on, up to the next block. */
    firstP1Id: text('first_p1_id').notNull(),
    productCount: integer('product_count').notNull(),
    /** JSON: of each product by its id its folded name, its category and whether it is available, as they apply in the list. */
    entries: text('entries').notNull(),
  },
  (t) => [primaryKey({ columns: [t.listId, t.firstP1Id] })],
);

/** Overrides as they are stored and as the API sends them. */
export type WrittenOverrides = WrittenValues & { metadata?: JsonObject | null };

/** A product that a shop offers, with the shop's overrides. */
export const listings = sqliteTable(
  'listings',
  {
    shopId: shopId(),
    p1Id: text('p1_id').notNull(),
    orgId: text('org_id').notNull(),
    overrides: text('overrides', { mode: 'json' }).$type<WrittenOverrides>().notNull(),
    /** The overridden name as search compares it; null if the name is inherited. */
    nameFolded: text('name_folded'),
    attachedAt: integer('attached_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.shopId, t.p1Id] }),
    // When a product is removed from the inventory, it is detached from every shop.
    index('listings_by_product').on(t.orgId, t.p1Id),
    check('listings_overrides', sql`json_valid(${t.overrides})`),
  ],
);

export const STOCK_REASONS = ['count', 'delivery', 'damage', 'return', 'correction', 'other'] as const;
export type StockReason = (typeof STOCK_REASONS)[number];

/** What the service itself gives as the reason of a movement. */
export const OWN_STOCK_REASONS = ['initial', 'removed', 'order', 'order_cancelled', 'order_fulfilled'] as const;
export const LEDGER_REASONS = [...STOCK_REASONS, ...OWN_STOCK_REASONS] as const;

/**
 * The only way to change stock: a row is inserted here, and a trigger (migrations) updates the inventory, which refuses any other
 * change. So the sums of the ledger always equal the stock, what is committed and what is on hand.
 */
export const stockMovements = sqliteTable(
  'stock_movements',
  {
    /** UUIDv7: a product's movements in the order of their ids, as they were asked for. */
    id: text('id').notNull(),
    orgId: text('org_id').notNull(),
    p1Id: text('p1_id').notNull(),
    /** Of `stock_quantity`. */
    delta: integer('delta').notNull(),
    before: integer('stock_before').notNull(),
    after: integer('stock_after').notNull(),
    committedDelta: integer('committed_delta').notNull().default(0),
    onHandDelta: integer('on_hand_delta').notNull().default(0),
    /** Null in movements that were made before it was counted. */
    onHandAfter: integer('on_hand_after'),
    /** When the stock was counted that this movement sets; null for one that adds or takes. */
    countedAt: integer('counted_at'),
    /** The reason that staff or an API client gave, or the operation of the service that caused the movement. */
    reason: text('reason', { enum: LEDGER_REASONS }).notNull(),
    /** What an API client or staff call it: the number of a delivery note, of a count. */
    reference: text('reference'),
    orderId: text('order_id'),
    /** Who, as the audit log names them. */
    actorKind: text('actor_kind'),
    actorId: text('actor_id'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.p1Id, t.id] }),
    check('stock_movements_sum', sql`${t.after} = ${t.before} + ${t.delta}`),
  ],
);

/** What staff import from a file, kept until it has been carried out and looked at. */
export const inventoryImports = sqliteTable(
  'inventory_imports',
  {
    /** Cannot be guessed. The id of the form that brought the file, so that a file that is sent twice is one import. */
    id: text('id').primaryKey(),
    orgId: organizationId(),
    /** JSON: the headings of the file, for the file of what failed. */
    header: text('header').notNull(),
    /** JSON: headings whose columns are not read. */
    ignored: text('ignored').notNull(),
    lineCount: integer('line_count').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [
    index('inventory_imports_by_org').on(t.orgId, t.createdAt),
    index('inventory_imports_by_expiry').on(t.expiresAt),
    check('inventory_imports_json', sql`json_valid(${t.header}) and json_valid(${t.ignored})`),
  ],
);

/**
 * A part of an import: as many lines as one command takes. Its outcome is written in the batch of that command, so that a part is
 * carried out once, whatever ends in between.
 */
export const inventoryImportParts = sqliteTable(
  'inventory_import_parts',
  {
    importId: text('import_id')
      .notNull()
      .references(() => inventoryImports.id),
    place: integer('place').notNull(),
    /** JSON: the lines with what they ask (`imports/imports.ts`). */
    lines: text('lines').notNull(),
    /** JSON: what would become of each line when the file came. */
    preview: text('preview').notNull(),
    /** JSON: what became of each line; null until the part was carried out. */
    outcome: text('outcome'),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.place] }),
    check('inventory_import_parts_json', sql`json_valid(${t.lines}) and json_valid(${t.preview})`),
  ],
);
