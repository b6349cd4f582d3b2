import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { OrderPaymentStatus, OrderStatus } from '../orders/tables';
import { business, type FieldsOf } from '../platform/fields';

/** How many orders, and what they came to without refunds, in cents. */
export type OrderSum = readonly [orders: number, cents: number];

/** How many orders of a source, how many of them were canceled or returned, and what the others came to without refunds, in cents. */
export type SourceSum = readonly [orders: number, ended: number, cents: number];

/**
 * What became of the orders and requests that came in during a part of a day (`parts.ts`), for each shop. Kept by triggers
 * (migrations) in the batches that write orders and requests, so that no report counts them. A request is counted when it is
 * decided or deleted: accepting one writes nothing here. Moves with the organization; what a move copies is not counted again.
 */
export const dayTotals = sqliteTable(
  'day_totals',
  {
    orgId: text('org_id').notNull(),
    startsAt: integer('starts_at').notNull(),
    shopId: text('shop_id').notNull(),
    /** By status and payment status, as `delivered paid`. Without deleted orders. */
    orders: text('orders', { mode: 'json' })
      .$type<Record<`${OrderStatus} ${OrderPaymentStatus}`, OrderSum>>()
      .notNull(),
    approved: integer('approved').notNull(),
    rejected: integer('rejected').notNull(),
    deleted: integer('deleted').notNull(),
    /**
     * How many requests waited so many seconds for their decision. From 100 seconds on they are rounded down to steps of at
     * most 5 %: a day has at most 1,000 different ones.
     */
    reviewSeconds: text('review_seconds', { mode: 'json' }).$type<Record<string, number>>().notNull(),
    /**
     * The orders by their source, whose text in hexadecimal is the key: any text is safe in a JSON path then. A part of a day names 20
     * sources of a shop at most; what comes from others is under `*`. Without deleted orders.
     */
    sources: text('sources', { mode: 'json' }).$type<Record<string, SourceSum>>().notNull().default(sql`'{}'`),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.startsAt, t.shopId] }),
    check('day_totals_json', sql`json_valid(${t.orders}) and json_valid(${t.reviewSeconds})`),
  ],
);

/**
 * What was sold in a part of a day, in 7 days and in 28 days, for each shop: orders that came in during it, without those that
 * were cancelled, returned or deleted. Kept like `day_totals`; a row without lines is deleted.
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
    /** The name of lines without a product; empty for others and after an erasure. */
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
 * How the webhook deliveries that were made in a part of a day ended. An hourly job (`sweep.ts`) adds hour after hour once all is
 * quiet, in order; a trigger (migrations) adds what ends later. Numbers alone, so they outlive the deliveries and every erasure.
 * Moves with the organization.
 */
export const deliveryTotals = sqliteTable(
  'delivery_totals',
  {
    orgId: text('org_id').notNull(),
    startsAt: integer('starts_at').notNull(),
    /** Up to where deliveries are counted. All of the organization that were made before its latest `summed_until` are. */
    summedUntil: integer('summed_until').notNull(),
    delivered: integer('delivered').notNull(),
    exhausted: integer('exhausted').notNull(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.startsAt] })],
);

/** Numbers of a shop and a part of a day. */
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
