import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { OrderLine } from '../orders/tables';
import { shops } from '../tenants/tables';
import type { RequestItem } from './envelope';

/** What a platform submitted, normalized, and how its review stands. Deleting empties the person's fields; the row stays. */
export const orderRequests = sqliteTable(
  'order_requests',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    shopId: text('shop_id')
      .notNull()
      .references(() => shops.id),
    /** The API key's family: two platforms that both count from 1 must not meet, and a rotated key is still the same one. */
    integrationId: text('integration_id').notNull(),
    source: text('source').notNull(),
    externalReference: text('external_reference'),
    status: text('status', { enum: ['pending', 'approved', 'rejected', 'deleted'] }).notNull(),
    /** HMAC of the normalized submission: tells a repetition from a change. Null once erased. */
    fingerprint: text('fingerprint'),
    /** The rejected request of the same reference that this one comes after. */
    supersedesId: text('supersedes_id'),
    /** The body as it was sent, without the base64. Null once erased. */
    payload: text('payload'),
    customerName: text('customer_name'),
    customerEmail: text('customer_email'),
    customerId: text('customer_id'),
    addressStreet: text('address_street'),
    addressCity: text('address_city'),
    addressPostalCode: text('address_postal_code'),
    addressPhone: text('address_phone'),
    shippingOption: text('shipping_option'),
    paymentStatus: text('payment_status', { enum: ['cash_on_pickup', 'paid', 'pending'] }).notNull(),
    paymentReference: text('payment_reference'),
    totalCents: integer('total_cents'),
    items: text('items', { mode: 'json' }).$type<RequestItem[]>().notNull(),
    /** The lines as staff approved them; the submitted ones stay beside them. */
    approvedItems: text('approved_items', { mode: 'json' }).$type<OrderLine[]>(),
    /** Staff wait for an answer. A flag with a note, cleared by the decision. */
    needsInfo: integer('needs_info', { mode: 'boolean' }).notNull().default(false),
    needsInfoNote: text('needs_info_note'),
    /** Who decided, as the audit log names them. */
    decidedBy: text('decided_by'),
    decidedAt: integer('decided_at'),
    reasonCode: text('reason_code'),
    reasonNote: text('reason_note'),
    overrideReason: text('override_reason'),
    orderId: text('order_id'),
    /** Keeps retention and erasure away. */
    legalHold: integer('legal_hold', { mode: 'boolean' }).notNull().default(false),
    erasedAt: integer('erased_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    // One live request for each reference of an integration; after a rejection the reference is free again. Requests
    // that are not live end in their own id and are never equal, so that one index finds every request of a reference.
    uniqueIndex('order_requests_reference')
      .on(
        t.shopId,
        t.externalReference,
        t.integrationId,
        t.source,
        sql`case status when 'pending' then '' when 'approved' then '' else id end`,
      )
      .where(sql`external_reference is not null`),
    index('order_requests_by_status').on(t.orgId, t.status, t.id),
    // What retention has still to end; the accept path writes nothing here.
    index('order_requests_rejected')
      .on(t.orgId, t.decidedAt)
      .where(sql`status = 'rejected' and erased_at is null and legal_hold = 0`),
    check('order_requests_status', sql`${t.status} in ('pending', 'approved', 'rejected', 'deleted')`),
    check('order_requests_payment_status', sql`${t.paymentStatus} in ('cash_on_pickup', 'paid', 'pending')`),
    check('order_requests_payload', sql`${t.payload} is null or json_valid(${t.payload})`),
    check('order_requests_items', sql`json_valid(${t.items})`),
  ],
);

/** How far a sweep that walks through all organizations has come. One row a sweep. */
export const sweepCursors = sqliteTable('sweep_cursors', {
  name: text('name').primaryKey(),
  /** The organization that was taken last; empty at the start of a round. */
  position: text('position').notNull(),
  /** An organization of this round has more than was taken: another round follows the same night. */
  hasMore: integer('has_more', { mode: 'boolean' }).notNull(),
  /** The night, `yyyy-mm-dd` in UTC, in which a round ended and left nothing over. */
  doneNight: text('done_night'),
});
