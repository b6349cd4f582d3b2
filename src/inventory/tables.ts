import { type SQL, sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { WrittenValues } from '../catalog/fields';
import { catalogProducts, UNITS } from '../catalog/tables';
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
    /** Available to promise. Only triggers (migrations) write this column and the next four. */
    stockQuantity: integer('stock_quantity').notNull(),
    /** Promised to orders and not handed over yet, pick-up shelves included. */
    committedQuantity: integer('committed_quantity').notNull().default(0),
    /** The promised quantity that a count did not find. */
    shortage: integer('shortage').notNull().default(0),
    /** Reserved for order requests: the sum of `reservations`. Checked by triggers (migrations). */
    reservedQuantity: integer('reserved_quantity').notNull().default(0),
    /**
     * Rises by one with every movement. If the product is removed and added again, the version continues from the old
     * one.
     */
    stockVersion: integer('stock_version').notNull().default(0),
    /** Time of the latest count that caused no movement, epoch ms. */
    countedAt: integer('counted_at'),
    /** Null if the organization's threshold applies. */
    lowStockThreshold: integer('low_stock_threshold'),
    /**
     * Whether the stock is zero or below the threshold. Written by triggers (migrations), so that lists can use an
     * index.
     */
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
    unit: text('unit', { enum: UNITS }),
    unitStep: integer('unit_step'),
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
    // This check keeps the quantity on hand from being less than zero or than the quantity that can be promised.
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

/** SQL for the quantity on hand. It is computed from the stored quantities, so that it always agrees with them. */
export const onHand = sql`(${inventory.stockQuantity} + ${inventory.committedQuantity} + ${inventory.reservedQuantity} - ${inventory.shortage})`;

/**
 * Condition: the product runs low or is out of stock. The SQL names the index, because SQLite has no statistics and
 * would read all products.
 */
export function isShort(orgId: string): SQL {
  return sql`inventory.org_id = ${orgId} and inventory.p1_id in (select short.p1_id
    from ${inventory} as short indexed by inventory_short where short.org_id = ${orgId} and short.is_short = 1)`;
}

/**
 * The index of the lists of products: the listings of a shop, the inventory of an organization, and the catalog. Each
 * list consists of blocks of at most 256 products, ordered by id. A late page is found by counting blocks, and a search
 * reads blocks instead of products. Only triggers (migrations) write this table. When an organization moves, the blocks
 * are not copied, because copying the products creates them. In a list of 50,000 products, page 1,000 reads 1,126 rows
 * (with OFFSET: 50,100), and a search without a match reads 256. FTS5 with trigrams would read the matches in all lists
 * of the database, and it finds no text of one or two characters.
 */
export const productBlocks = sqliteTable(
  'product_blocks',
  {
    /** The id of the shop or organization; empty for the catalog. */
    listId: text('list_id').notNull(),
    /** The id of the block's first product. The block reaches up to the first product of the next block. */
    firstP1Id: text('first_p1_id').notNull(),
    productCount: integer('product_count').notNull(),
    /** JSON by product id: the folded name, the category and the availability that apply in the list. */
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
    // The index finds the listings of a product when it is removed from the inventory.
    index('listings_by_product').on(t.orgId, t.p1Id),
    check('listings_overrides', sql`json_valid(${t.overrides})`),
  ],
);

export const STOCK_REASONS = ['count', 'delivery', 'damage', 'waste', 'return', 'correction', 'other'] as const;
export type StockReason = (typeof STOCK_REASONS)[number];

/** Reasons that only the service sets. */
export const OWN_STOCK_REASONS = [
  ...(['initial', 'removed', 'order', 'order_cancelled', 'order_fulfilled', 'reserved', 'released'] as const),
] as const;
export const LEDGER_REASONS = [...STOCK_REASONS, ...OWN_STOCK_REASONS] as const;

/**
 * The stock ledger, the only way to change stock. A trigger (migrations) applies each inserted row to the inventory,
 * which refuses other changes. The sums of the ledger therefore always equal the quantities in stock, committed,
 * reserved and on hand.
 */
export const stockMovements = sqliteTable(
  'stock_movements',
  {
    /** UUIDv7, so that a product's movements are sorted by the time of their request. */
    id: text('id').notNull(),
    orgId: text('org_id').notNull(),
    p1Id: text('p1_id').notNull(),
    /** Change of `stock_quantity`. */
    delta: integer('delta').notNull(),
    before: integer('stock_before').notNull(),
    after: integer('stock_after').notNull(),
    committedDelta: integer('committed_delta').notNull().default(0),
    onHandDelta: integer('on_hand_delta').notNull().default(0),
    reservedDelta: integer('reserved_delta').notNull().default(0),
    /** Until when a movement reserves stock, epoch ms; null for other movements. */
    reservedUntil: integer('reserved_until'),
    /**
     * The request whose reservation the movement changes. A release without a request takes from the newest
     * reservations first.
     */
    orderRequestId: text('order_request_id'),
    /** The quantity on hand after the movement; null in old movements, which did not record it. */
    onHandAfter: integer('on_hand_after'),
    /** Time of the count that this movement applies; null for other movements. */
    countedAt: integer('counted_at'),
    /** The reason given by staff or an API client, or the service's operation that caused the movement. */
    reason: text('reason', { enum: LEDGER_REASONS }).notNull(),
    /** Reference of an API client or staff, such as the number of a delivery note or count. */
    reference: text('reference'),
    orderId: text('order_id'),
    /** The actor, as in the audit log. */
    actorKind: text('actor_kind'),
    actorId: text('actor_id'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.p1Id, t.id] }),
    check('stock_movements_sum', sql`${t.after} = ${t.before} + ${t.delta}`),
  ],
);

/**
 * The quantity of a product that is reserved for an order request. Only the ledger's trigger (migrations) writes the
 * rows.
 */
export const reservations = sqliteTable(
  'reservations',
  {
    orderRequestId: text('order_request_id').notNull(),
    p1Id: text('p1_id').notNull(),
    orgId: organizationId(),
    quantity: integer('quantity').notNull(),
    /** When the reservation ends, epoch ms. Then the job that runs each minute releases it. */
    until: integer('until').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orderRequestId, t.p1Id] }),
    index('reservations_by_product').on(t.orgId, t.p1Id),
    index('reservations_by_time').on(t.until),
    check('reservations_quantity', sql`${t.quantity} >= 0`),
  ],
);

/** Files that staff import. They are kept for a week (`IMPORT_KEPT_DAYS`) with their report. */
export const inventoryImports = sqliteTable(
  'inventory_imports',
  {
    /**
     * Made from the id of the form and the file, so that a form that is sent twice makes one import. It cannot be
     * guessed.
     */
    id: text('id').primaryKey(),
    orgId: organizationId(),
    /** JSON: the headings of the file, for the file of failed lines. */
    header: text('header').notNull(),
    /** JSON: headings whose columns are not read. */
    ignored: text('ignored').notNull(),
    /** The number of lines; 0 until all parts are stored. Nobody sees the import until then. */
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
 * A part of an import: the lines of one command. The batch of that command also writes the outcome, so that a part is
 * processed once, even if the process ends in between.
 */
export const inventoryImportParts = sqliteTable(
  'inventory_import_parts',
  {
    importId: text('import_id')
      .notNull()
      .references(() => inventoryImports.id),
    place: integer('place').notNull(),
    /** JSON: the lines with their requested changes (`imports/imports.ts`). */
    lines: text('lines').notNull(),
    /** JSON: the preview of each line, made when the file arrived. */
    preview: text('preview').notNull(),
    /** JSON: the outcome of each line; null until the part is processed. */
    outcome: text('outcome'),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.place] }),
    check('inventory_import_parts_json', sql`json_valid(${t.lines}) and json_valid(${t.preview})`),
  ],
);
