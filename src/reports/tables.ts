import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { OrderPaymentStatus, OrderStatus } from '../orders/tables';
import { business, type FieldsOf } from '../platform/fields';

/** Number of orders, and their total minus refunds, in cents. */
export type OrderSum = readonly [orders: number, cents: number];

/**
 * The sums of one source: the number of its orders, the number of canceled or returned ones, and the total of the other
 * orders minus refunds, in cents.
 */
export type SourceSum = readonly [orders: number, ended: number, cents: number];

/**
 * Totals, by shop, of the orders and requests that came in during a part of a day (`parts.ts`). Reports read them
 * instead of counting rows. Triggers (migrations) update them in the batches that write orders and requests. A request
 * is counted when it is decided or deleted. A new request writes nothing here. The totals move with the organization.
 * Rows that are copied for a move are not counted again.
 */
export const dayTotals = sqliteTable(
  'day_totals',
  {
    orgId: text('org_id').notNull(),
    startsAt: integer('starts_at').notNull(),
    shopId: text('shop_id').notNull(),
    /** Sums by status and payment status, for example `delivered paid`. Excludes deleted orders. */
    orders: text('orders', { mode: 'json' })
      .$type<Record<`${OrderStatus} ${OrderPaymentStatus}`, OrderSum>>()
      .notNull(),
    approved: integer('approved').notNull(),
    rejected: integer('rejected').notNull(),
    deleted: integer('deleted').notNull(),
    /**
     * Number of requests by seconds from submission to decision. Values from 100 seconds on are rounded down by at most
     * 5 %. A day then has at most 1,000 different values.
     */
    reviewSeconds: text('review_seconds', { mode: 'json' }).$type<Record<string, number>>().notNull(),
    /**
     * Sums by source. The key is the source in hexadecimal, which is safe in a JSON path. For each shop and part of a
     * day, at most 20 sources have a key. The sum of the rest is under `*`. Excludes deleted orders.
     */
    sources: text('sources', { mode: 'json' }).$type<Record<string, SourceSum>>().notNull().default(sql`'{}'`),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.startsAt, t.shopId] }),
    check('day_totals_json', sql`json_valid(${t.orders}) and json_valid(${t.reviewSeconds})`),
  ],
);

/**
 * Products sold, by shop, in a part of a day, in 7 days and in 28 days. Sums the lines of orders that came in during
 * that time, except cancelled, returned and deleted orders. Updated like `day_totals`. A row without lines is deleted.
 */
export const productTotals = sqliteTable(
  'product_totals',
  {
    orgId: text('org_id').notNull(),
    /** Milliseconds: 7 or 28 days; 0 for a part of a day. */
    span: integer('span').notNull(),
    startsAt: integer('starts_at').notNull(),
    /** Empty for lines without a product. */
    p1Id: text('p1_id').notNull(),
    /**
     * For a product, the unit of its quantity: `g`, `ml`, or empty for packs. For lines without a product, the name in
     * the lines, or empty after an erasure.
     */
    name: text('name').notNull(),
    shopId: text('shop_id').notNull(),
    lines: integer('lines').notNull(),
    quantity: integer('quantity').notNull(),
    /** The revenue in thousandths of a cent, because a refund is divided among the lines of its order. */
    millicents: integer('millicents').notNull(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.span, t.startsAt, t.p1Id, t.name, t.shopId] })],
);

/**
 * Outcomes of the webhook deliveries that were created in a part of a day. A job (`sweep.ts`) adds each hour `QUIET_MS`
 * after its end. A trigger (migrations) adds deliveries that end later. The rows contain only numbers, so they are kept
 * when deliveries are deleted and data is erased. They move with the organization.
 */
export const deliveryTotals = sqliteTable(
  'delivery_totals',
  {
    orgId: text('org_id').notNull(),
    startsAt: integer('starts_at').notNull(),
    /**
     * The sums include the deliveries that were created before this time. The value in the organization's latest row
     * applies to all its rows.
     */
    summedUntil: integer('summed_until').notNull(),
    delivered: integer('delivered').notNull(),
    exhausted: integer('exhausted').notNull(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.startsAt] })],
);

/** The fields of a row, which has the totals of one shop and one part of a day. */
export const dayTotalsFields = {
  ...business('orgId', 'startsAt', 'shopId', 'orders', 'approved', 'rejected', 'deleted', 'reviewSeconds', 'sources'),
} satisfies FieldsOf<typeof dayTotals>;

export const productTotalsFields = {
  ...business('orgId', 'span', 'startsAt', 'p1Id', 'shopId', 'lines', 'quantity', 'millicents'),
  name: { class: 'health', erased: 'the words of lines without a product become empty' },
} as const satisfies FieldsOf<typeof productTotals>;

export const deliveryTotalsFields = {
  ...business('orgId', 'startsAt', 'summedUntil', 'delivered', 'exhausted'),
} satisfies FieldsOf<typeof deliveryTotals>;
