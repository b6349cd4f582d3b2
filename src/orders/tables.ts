import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organizations, shops } from '../tenants/tables';

/** People who order, one row each and organization. Erasure empties the fields; the row stays. */
export const customers = sqliteTable(
  'customers',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id')
      .notNull()
      .references(() => organizations.id),
    name: text('name'),
    /** Lower case: what a returning customer is known by. */
    email: text('email'),
    /** Keeps retention and erasure away. */
    legalHold: integer('legal_hold', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    erasedAt: integer('erased_at'),
  },
  (t) => [
    uniqueIndex('customers_email').on(t.orgId, t.email).where(sql`email is not null`),
    check('customers_email_folded', sql`${t.email} = lower(${t.email})`),
  ],
);

/** One line of an order. */
export interface OrderLine {
  /** As it was asked for; the product's name where none was sent. */
  name: string;
  quantity: number;
  priceCents: number;
  /** Null for a line that matches no product: it moves no stock. */
  p1Id: string | null;
  prescriptionRequired: boolean;
  /** The name of the matched product when the line was approved or written. Lines that are older than this field have none. */
  productName?: string | null;
}

export const ORDER_STATUSES = [
  'awaiting_prescription',
  'awaiting_payment',
  'awaiting_packing',
  'ready_pickup',
  'ready_shipping',
  'shipped',
  'delivered',
  'picked_up',
  'returned',
  'cancelled',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const ORDER_PAYMENT_STATUSES = ['cash_on_pickup', 'pending', 'paid', 'refunded'] as const;
export type OrderPaymentStatus = (typeof ORDER_PAYMENT_STATUSES)[number];

export const orders = sqliteTable(
  'orders',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    shopId: text('shop_id')
      .notNull()
      .references(() => shops.id),
    /** The caller's id, for orders that came by the direct upsert. */
    externalId: text('external_id'),
    orderRequestId: text('order_request_id'),
    source: text('source').notNull(),
    externalReference: text('external_reference'),
    customerId: text('customer_id').references(() => customers.id),
    status: text('status', { enum: ORDER_STATUSES }).notNull(),
    paymentStatus: text('payment_status', { enum: ORDER_PAYMENT_STATUSES }).notNull(),
    paymentReference: text('payment_reference'),
    paidAt: integer('paid_at'),
    /** What was given back of what was paid, all refunds together. */
    refundedCents: integer('refunded_cents').notNull().default(0),
    /** What staff wrote about the last refund. */
    refundNote: text('refund_note'),
    onHold: integer('on_hold', { mode: 'boolean' }).notNull(),
    holdReason: text('hold_reason'),
    express: integer('express', { mode: 'boolean' }).notNull(),
    archived: integer('archived', { mode: 'boolean' }).notNull(),
    cancelReasonCode: text('cancel_reason_code'),
    note: text('note'),
    shippingOption: text('shipping_option'),
    customerName: text('customer_name'),
    customerEmail: text('customer_email'),
    addressStreet: text('address_street'),
    addressCity: text('address_city'),
    addressPostalCode: text('address_postal_code'),
    addressPhone: text('address_phone'),
    totalCents: integer('total_cents').notNull(),
    items: text('items', { mode: 'json' }).$type<OrderLine[]>().notNull(),
    /** True while the order's stock is out of the inventory. */
    holdsStock: integer('holds_stock', { mode: 'boolean' }).notNull(),
    /** Raised by every write: a write that decided on an older one is refused. */
    version: integer('version').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    deletedAt: integer('deleted_at'),
    erasedAt: integer('erased_at'),
  },
  (t) => [
    uniqueIndex('orders_request').on(t.orderRequestId).where(sql`order_request_id is not null`),
    uniqueIndex('orders_external')
      .on(t.shopId, t.externalId)
      .where(sql`external_id is not null and deleted_at is null`),
    index('orders_by_status').on(t.orgId, t.status, t.id),
    index('orders_by_org').on(t.orgId, t.id),
    index('orders_by_customer').on(t.customerId).where(sql`customer_id is not null`),
    // What retention has still to end: orders that are over and name somebody.
    index('orders_ended')
      .on(t.orgId, t.updatedAt)
      .where(sql`erased_at is null and status in ('delivered', 'picked_up', 'returned', 'cancelled')`),
    check(
      'orders_status',
      sql`${t.status} in ('awaiting_prescription', 'awaiting_payment', 'awaiting_packing', 'ready_pickup', 'ready_shipping', 'shipped', 'delivered', 'picked_up', 'returned', 'cancelled')`,
    ),
    check('orders_payment_status', sql`${t.paymentStatus} in ('cash_on_pickup', 'pending', 'paid', 'refunded')`),
    check('orders_items', sql`json_valid(${t.items})`),
    check('orders_total', sql`${t.totalCents} >= 0`),
    check('orders_refunded', sql`${t.refundedCents} >= 0 and ${t.refundedCents} <= ${t.totalCents}`),
  ],
);

/** A page that asks a customer to pay. Its token is derived from the id (payment-links.ts), so nothing secret lies here. */
export const paymentLinks = sqliteTable(
  'payment_links',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    amountCents: integer('amount_cents').notNull(),
    status: text('status', { enum: ['open', 'paid', 'voided'] }).notNull(),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('payment_links_by_order').on(t.orderId),
    check('payment_links_status', sql`${t.status} in ('open', 'paid', 'voided')`),
    check('payment_links_amount', sql`${t.amountCents} > 0`),
  ],
);
