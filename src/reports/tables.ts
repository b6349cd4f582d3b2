import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { OrderPaymentStatus, OrderStatus } from '../orders/tables';
import { business, type FieldsOf } from '../platform/fields';

/** Number of orders, and their total minus refunds, in cents. */
export type OrderSum = readonly [orders: number, cents: number];

/**
 * Number of a source's orders, number of those canceled or returned, and the total of the others minus refunds, in
 * cents.
 */
export type SourceSum = readonly [orders: number, ended: number, cents: number];

/**
 * Totals, by shop, of the orders and requests that came in during a part of a day (`parts.ts`). Triggers (migrations)
 * update them in the batches that write orders and requests, so that reports need not count rows. A request is counted
 * when it is decided or deleted: accepting one writes nothing here. Moves with the organization; copied rows are not
 * counted again.
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
     * Number of requests by seconds from submission to decision. From 100 seconds on, values are rounded down in steps
     * of at most 5 %, so that a day has at most 1,000 different ones.
     */
    reviewSeconds: text('review_seconds', { mode: 'json' }).$type<Record<string, number>>().notNull(),
    /**
     * Sums by source. The key is the source in hexadecimal, which is safe in a JSON path. A part of a day names at most
     * 20 sources of a shop; the rest is under `*`. Excludes deleted orders.
     */
    sources: text('sources', { mode: 'json' }).$type<Record<string, SourceSum>>().notNull().default(sql`'{}'`),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.startsAt, t.shopId] }),
    check('day_totals_json', sql`json_valid(${t.orders}) and json_valid(${t.reviewSeconds})`),
  ],
);

/**
 * Products sold in a part of a day, in 7 days and in 28 days, by shop: lines of orders that came in during that time,
 * except cancelled, returned or deleted ones. Updated like `day_totals`; a row without lines is deleted.
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
     * For lines without a product, their name, or empty after an erasure. For a product, the unit of its quantity: `g`,
     * `ml`, or empty for packs.
     */
    name: text('name').notNull(),
    shopId: text('shop_id').notNull(),
    lines: integer('lines').notNull(),
    quantity: integer('quantity').notNull(),
    /** Thousandths of a cent, because each line bears its share of a refund. */
    millicents: integer('millicents').notNull(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.span, t.startsAt, t.p1Id, t.name, t.shopId] })],
);

/**
 * Outcomes of the webhook deliveries created in a part of a day. An hourly job (`sweep.ts`) adds them hour by hour, in
 * order, `QUIET_MS` after the hour; a trigger (migrations) adds deliveries that end later. Holds only numbers, so it
 * outlives the deliveries and every erasure. Moves with the organization.
 */
export const deliveryTotals = sqliteTable(
  'delivery_totals',
  {
    orgId: text('org_id').notNull(),
    startsAt: integer('starts_at').notNull(),
    /**
     * Deliveries created before this time are included in the sums. The organization's latest value applies to all its
     * rows.
     */
    summedUntil: integer('summed_until').notNull(),
    delivered: integer('delivered').notNull(),
    exhausted: integer('exhausted').notNull(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.startsAt] })],
);

/** The fields of the totals of a shop and a part of a day. */
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
