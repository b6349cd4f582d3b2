import { sql } from 'drizzle-orm';
import { check, foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organizationId, organizations } from '../platform/tables';
import { shopId } from '../tenants/tables';

/** Customers, one row for each person and organization. Erasure clears the fields; the row stays. */
export const customers = sqliteTable(
  'customers',
  {
    id: text('id').primaryKey(),
    orgId: organizationId(),
    name: text('name'),
    /** The name as it is compared (platform/fold.ts). */
    nameFolded: text('name_folded'),
    /** Lowercase; identifies a returning customer. */
    email: text('email'),
    /** Whether the customer is protected from retention and erasure. */
    legalHold: integer('legal_hold', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    erasedAt: integer('erased_at'),
  },
  (t) => [
    index('customers_of').on(t.orgId, t.id).where(sql`id is not null`),
    uniqueIndex('customers_email').on(t.orgId, t.email).where(sql`email is not null`),
    // Finds returning customers without an e-mail address, or with another one.
    index('customers_by_name').on(t.orgId, t.nameFolded).where(sql`name_folded is not null`),
    check('customers_email_folded', sql`${t.email} = lower(${t.email})`),
  ],
);

/** Texts by name that a platform sends beside the fields of the contract. */
export type PlatformDetails = Readonly<Record<string, string>>;

/** What to do when the paid amount differs from the order's total. */
export const PAYMENT_ACTIONS = ['collect', 'refund', 'ask'] as const;
export type PaymentAction = (typeof PAYMENT_ACTIONS)[number];

/** Who pays for a discount: an insurance, so that the customer pays only the co-payment, or the platform. */
export const DISCOUNT_KINDS = ['co_payment', 'voucher'] as const;
export type DiscountKind = (typeof DISCOUNT_KINDS)[number];

/** Why goods left without having been paid. */
export const UNPAID_REASONS = ['on_account', 'pays_later', 'paid_otherwise', 'other'] as const;
export type UnpaidReason = (typeof UNPAID_REASONS)[number];

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

/** State of a platform's request to withdraw its order request or order. */
export const WITHDRAWALS = ['none', 'requested', 'accepted', 'refused'] as const;
export type Withdrawal = (typeof WITHDRAWALS)[number];

/**
 * Condition: the customer collects the order, or it goes by parcel. With any other shipping option, the pharmacy's
 * courier brings it. The indexes have the same condition, so that SQLite uses them.
 */
export const IS_PARCEL = sql`(coalesce(shipping_option, 'Abholung') in ('Abholung', 'Versand', 'Express'))`;
/** Condition: the order waits to be packed, and packs of it are in the pharmacy. The index has the same condition. */
export const IS_TO_PACK = sql`status = 'awaiting_packing' and nothing_here = 0`;
/**
 * Condition: the order waits for something other than packing. This can be a payment, a prescription or its original, a
 * delivery, or the end of a hold. The index has the same condition.
 */
export const IS_WAITING = sql`(status in ('awaiting_prescription', 'awaiting_payment')
  or status in ('awaiting_packing', 'ready_pickup', 'ready_shipping') and (on_hold = 1 or original_missing = 1)
  or status = 'awaiting_packing' and nothing_here = 1)`;

/**
 * Condition: the order is ready or gone, and money may still have to be collected. The index has the same condition.
 */
export const IS_UNCOLLECTED = sql`(status in ('ready_pickup', 'ready_shipping', 'shipped', 'delivered', 'picked_up')
  and (payment_status in ('cash_on_pickup', 'pending') or payment_action = 'collect'))`;

/** Orders. The table keeps its rowid, because a row often has more than 1 KB. */
export const orders = sqliteTable(
  'orders',
  {
    id: text('id').notNull(),
    orgId: text('org_id').notNull(),
    /** The number of the order within the organization, counted from 1. */
    number: integer('number').notNull(),
    shopId: shopId(),
    /** The id that the caller gave an order of the direct upsert. Null for other orders. */
    externalId: text('external_id'),
    orderRequestId: text('order_request_id'),
    /** The integration that sent the request (`apiKeys.familyId`). Its callback is notified of changes of the order. */
    integrationId: text('integration_id'),
    source: text('source').notNull(),
    externalReference: text('external_reference'),
    customerId: text('customer_id').references(() => customers.id),
    status: text('status', { enum: ORDER_STATUSES }).notNull(),
    paymentStatus: text('payment_status', { enum: ORDER_PAYMENT_STATUSES }).notNull(),
    paymentReference: text('payment_reference'),
    paidAt: integer('paid_at'),
    /** The sum of all refunds. */
    refundedCents: integer('refunded_cents').notNull().default(0),
    /**
     * What is done about `paymentDifferenceCents`. Staff chose it at the approval, or it was set when the total of a
     * paid order changed.
     */
    paymentAction: text('payment_action', { enum: PAYMENT_ACTIONS }),
    /** The underpaid amount; negative if overpaid. Null exactly when `paymentAction` is null. */
    paymentDifferenceCents: integer('payment_difference_cents'),
    /** What staff wrote about the last refund. */
    refundNote: text('refund_note'),
    onHold: integer('on_hold', { mode: 'boolean' }).notNull(),
    holdReason: text('hold_reason'),
    /**
     * Whether the original of a prescription is still to come. Nothing leaves the pharmacy until its arrival is
     * confirmed.
     */
    originalMissing: integer('original_missing', { mode: 'boolean' }).notNull().default(false),
    /**
     * Whether the platform withdraws the order. While it is `requested`, the order is on hold. A trigger (migrations)
     * copies this column to the order request.
     */
    withdrawal: text('withdrawal', { enum: WITHDRAWALS }).notNull().default('none'),
    express: integer('express', { mode: 'boolean' }).notNull(),
    archived: integer('archived', { mode: 'boolean' }).notNull(),
    cancelReasonCode: text('cancel_reason_code'),
    note: text('note'),
    shippingOption: text('shipping_option'),
    carrier: text('carrier'),
    trackingNumber: text('tracking_number'),
    /** Only https (enforced by a trigger), because pages show it as a link. */
    trackingUrl: text('tracking_url'),
    customerName: text('customer_name'),
    customerEmail: text('customer_email'),
    /** This column and `prescriberName` are copied from the order request. */
    customerBirthDate: text('customer_birth_date'),
    prescriberName: text('prescriber_name'),
    addressStreet: text('address_street'),
    addressCity: text('address_city'),
    addressPostalCode: text('address_postal_code'),
    addressPhone: text('address_phone'),
    /** The sum of lines and fee, minus the discount. */
    totalCents: integer('total_cents').notNull(),
    feeCents: integer('fee_cents').notNull().default(0),
    discountCents: integer('discount_cents').notNull().default(0),
    /** Who bears the discount, as staff said at the approval. */
    discountKind: text('discount_kind', { enum: DISCOUNT_KINDS }),
    items: text('items', { mode: 'json' }).$type<OrderLine[]>().notNull(),
    /** Copied from the order request. */
    platformDetails: text('platform_details', { mode: 'json' }).$type<PlatformDetails>(),
    /**
     * The packing progress by line; null until staff begin to pack. A program with an API key does not report its
     * packing.
     */
    packing: text('packing', { mode: 'json' }).$type<PackedLine[]>(),
    /** Name of the shelf on which the order waits. */
    shelf: text('shelf'),
    /** Number of bags of the order. Null means one bag. */
    bags: integer('bags'),
    collectedBy: text('collected_by'),
    unpaidReason: text('unpaid_reason', { enum: UNPAID_REASONS }),
    returned: text('returned', { mode: 'json' }).$type<ReturnedLine[]>(),
    /**
     * How each line is supplied in parts; null for an order that is supplied whole (see rules.ts). Triggers
     * (migrations) check this column, `expectedOn` and `nothingHere`.
     */
    supply: text('supply', { mode: 'json' }).$type<SupplyLine[]>(),
    /** The earliest day on which an owed pack is expected; null if none is owed. */
    expectedOn: text('expected_on'),
    /** Whether packs are still owed and nothing is in the pharmacy (`isNothingHere`). Triggers (migrations) set it. */
    nothingHere: integer('nothing_here', { mode: 'boolean' }).notNull().default(false),
    /** Refunds by line. Refunds that name no lines are only in `refundedCents`. */
    refundedLines: text('refunded_lines', { mode: 'json' }).$type<RefundedLine[]>(),
    /**
     * The names of the customer and the prescriber of an erased order. They must be kept by law if packs of a known
     * batch have left (§ 22 ApBetrO). Null until the erasure. Only a search by batch reads them.
     */
    restricted: text('restricted', { mode: 'json' }).$type<RestrictedRecord>(),
    /** Until when `restricted` is kept, in epoch ms. */
    restrictedUntil: integer('restricted_until'),
    /** Whether packs in the pharmacy are promised to the order. False once the order is cancelled. */
    holdsStock: integer('holds_stock', { mode: 'boolean' }).notNull(),
    /** Increases with every write. A write that was decided on an older version is refused. */
    version: integer('version').notNull(),
    /**
     * Increases with every write to an order of the organization (platform/data/columns.ts). For updates, a trigger
     * sets it.
     */
    changeNumber: integer('change_number').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    deletedAt: integer('deleted_at'),
    erasedAt: integer('erased_at'),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    uniqueIndex('orders_number').on(t.orgId, t.number),
    uniqueIndex('orders_changes').on(t.orgId, t.changeNumber),
    uniqueIndex('orders_request').on(t.orderRequestId).where(sql`order_request_id is not null`),
    uniqueIndex('orders_external')
      .on(t.shopId, t.externalId)
      .where(sql`external_id is not null and deleted_at is null`),
    index('orders_by_reference').on(t.orgId, t.externalReference, t.id).where(sql`external_reference is not null`),
    index('orders_by_status').on(t.orgId, t.status, t.id),
    index('orders_by_shop').on(t.shopId, t.status, t.id),
    index('orders_to_pack').on(t.orgId, t.id).where(IS_TO_PACK),
    index('orders_to_ship').on(t.orgId, t.id).where(sql`status = 'ready_shipping' and ${IS_PARCEL}`),
    index('orders_to_carry').on(t.orgId, t.id).where(sql`status = 'ready_shipping' and not ${IS_PARCEL}`),
    index('orders_waiting').on(t.orgId, t.id).where(IS_WAITING),
    index('orders_restricted').on(t.restrictedUntil).where(sql`restricted_until is not null`),
    index('orders_uncollected').on(t.orgId, t.id).where(IS_UNCOLLECTED),
    index('orders_by_customer').on(t.customerId).where(sql`customer_id is not null`),
    // Finds the orders expected by a day, those that wait longest first.
    index('orders_expected').on(t.orgId, t.expectedOn, t.id).where(sql`expected_on is not null`),
    // Finds ended orders that still contain personal data, for retention.
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
    check(
      'orders_original_missing',
      sql`${t.originalMissing} = 0 or ${t.status} not in ('shipped', 'delivered', 'picked_up')`,
    ),
    check(
      'orders_payment_action',
      sql`(${t.paymentAction} is null) = (${t.paymentDifferenceCents} is null) and (${t.paymentAction} is null or ${t.paymentAction} in ('collect', 'refund', 'ask'))`,
    ),
    check(
      'orders_withdrawal',
      sql`${t.withdrawal} in ('none', 'requested', 'accepted', 'refused') and (${t.withdrawal} <> 'requested' or ${t.onHold} = 1)`,
    ),
    check('orders_refunded', sql`${t.refundedCents} >= 0 and ${t.refundedCents} <= ${t.totalCents}`),
  ],
);

/**
 * Says which orders have packs of a batch, for a recall. Triggers (migrations) write the rows from the lines of orders.
 * When an organization moves to another database, the rows are not copied, because copying its orders creates them.
 */
export const orderBatches = sqliteTable(
  'order_batches',
  {
    orgId: text('org_id').notNull(),
    /** The batch as `foldBatch` returns it: upper case, without spaces. */
    batch: text('batch').notNull(),
    orderId: text('order_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.batch, t.orderId] }),
    index('order_batches_by_order').on(t.orgId, t.orderId),
  ],
);

/** The sequence of an organization's courier stops: order ids, as staff last arranged them. */
export const courierTours = sqliteTable('courier_tours', {
  orgId: text('org_id')
    .primaryKey()
    .references(() => organizations.id),
  sequence: text('sequence', { mode: 'json' }).$type<readonly string[]>().notNull(),
});

/** The topics of questions about an order request. */
export const QUESTION_CODES = [
  'prescription_unreadable',
  'prescription_original',
  'signed_file_needed',
  'erezept_token',
  'dosage',
  'product_choice',
  'address',
  'date_of_birth',
  'payment',
  'other',
] as const;
export type QuestionCode = (typeof QUESTION_CODES)[number];

/**
 * Questions of staff about an order request, and the answers. They are in this slice because the order shows them too.
 * Deleted with the person's data.
 */
export const requestQuestions = sqliteTable(
  'request_questions',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    orderRequestId: text('order_request_id').notNull(),
    code: text('code', { enum: QUESTION_CODES }).notNull(),
    text: text('text').notNull(),
    /** The actor's id, as in the audit log. */
    askedBy: text('asked_by'),
    askedAt: integer('asked_at').notNull(),
    answer: text('answer'),
    answeredBy: text('answered_by'),
    /** Null while the question is open. */
    answeredAt: integer('answered_at'),
  },
  (t) => [
    index('request_questions_of').on(t.orgId, t.id).where(sql`id is not null`),
    index('request_questions_by_request').on(t.orderRequestId, t.id),
    check('request_questions_answer', sql`(${t.answer} is null) = (${t.answeredAt} is null)`),
  ],
);

/** Notes of staff about an order request or an order. Deleted with the person's data. */
export const staffNotes = sqliteTable(
  'staff_notes',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    /**
     * The request that the note is about. Either this or `orderId` is set. There is no foreign key, because requests
     * are above this slice.
     */
    orderRequestId: text('order_request_id'),
    orderId: text('order_id'),
    text: text('text').notNull(),
    /** The actor's id, as in the audit log. */
    writtenBy: text('written_by'),
    writtenAt: integer('written_at').notNull(),
  },
  (t) => [
    index('staff_notes_of').on(t.orgId, t.id).where(sql`id is not null`),
    index('staff_notes_by_request').on(t.orderRequestId).where(sql`order_request_id is not null`),
    index('staff_notes_by_order').on(t.orderId).where(sql`order_id is not null`),
    check('staff_notes_subject', sql`(${t.orderRequestId} is null) <> (${t.orderId} is null)`),
  ],
);

/**
 * Payment links: each leads to a page where a customer can pay. The token is derived from the id of the link
 * (platform/mac.ts), so no secret is stored here.
 */
export const paymentLinks = sqliteTable(
  'payment_links',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    orderId: text('order_id').notNull(),
    amountCents: integer('amount_cents').notNull(),
    status: text('status', { enum: ['open', 'paid', 'voided'] }).notNull(),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Id of the secret root from which the link's token is derived. The token itself is not stored. */
    rootId: text('pepper_id').notNull().default(''),
  },
  (t) => [
    foreignKey({ columns: [t.orgId, t.orderId], foreignColumns: [orders.orgId, orders.id] }),
    index('payment_links_by_order').on(t.orderId),
    index('payment_links_by_pepper').on(t.rootId, t.expiresAt).where(sql`status = 'open'`),
    check('payment_links_status', sql`${t.status} in ('open', 'paid', 'voided')`),
    check('payment_links_amount', sql`${t.amountCents} > 0`),
  ],
);

/** Types of the JSON columns with one entry per order line. */

/** One line of an order. */
export interface OrderLine {
  /** The name as it was sent; if none was sent, the product's name. */
  name: string;
  quantity: number;
  priceCents: number;
  /** Null for a line without a product. Such a line moves no stock. */
  p1Id: string | null;
  prescriptionRequired: boolean;
  /** The name of the product when the line was approved or written. */
  productName: string | null;
  /** Whether the price is the customer's co-payment (Zuzahlung); an insurance pays the rest. */
  isCoPayment?: true;
  /** The unit of quantity and price; missing if both are per pack. */
  unit?: 'g' | 'ml';
  /** The product is sold in multiples of this number of units; if missing, in any number. */
  unitStep?: number;
  /** The batches (Charge) of the packs; missing if none is known. */
  batches?: readonly LineBatch[];
}

/** The quantity of one batch on a line. */
export interface LineBatch {
  batch: string;
  quantity: number;
  /** The last day of use, `yyyy-mm-dd`; missing if the code on the pack does not say it. */
  expiresOn?: string;
  /** True once the quantity has left the pharmacy. */
  left?: true;
}

/** The names that are kept of an erased order. */
export interface RestrictedRecord {
  customer_name: string | null;
  prescriber_name: string | null;
}

/** The packing progress of one line, at the line's index. */
export interface PackedLine {
  scanned: number;
  byHand: number;
  /**
   * Hashes of the serials of scanned packs, so that each pack counts once. They are removed when the order is handed
   * over.
   */
  serials: string[];
  /** Who packed last, and when; null if nothing of the line is packed. */
  by: string | null;
  at: number | null;
  /** What was weighed in, in 0.1 g. */
  weighed?: number;
  /** Who checked the weighing, as typed; missing if the person who weighed checked it. */
  checkedBy?: string;
}

/** How many packs of one line came back, at the line's index. */
export interface ReturnedLine {
  quantity: number;
  /** How many of these packs went back into stock. */
  restocked: number;
}

/**
 * How one line of an order is supplied in parts. Lists have it at the line's index. Packs that are neither owed nor
 * supplied are in the pharmacy.
 */
export interface SupplyLine {
  /** Packs that are still to come. They are promised to the order only once they have arrived. */
  owed: number;
  /** The day on which owed packs are expected, like `2026-11-20`; null if none is owed. */
  expectedOn: string | null;
  /** Packs that have left the pharmacy. */
  supplied: number;
  /**
   * Hashes of the serials of packs that have left, so that none of these packs is scanned again. Removed once
   * everything has left.
   */
  serials?: string[];
  /** Who last recorded that packs come later, and when; null if nobody did. */
  by: string | null;
  at: number | null;
}

/** What was refunded of one line, at the line's index. */
export interface RefundedLine {
  quantity: number;
  cents: number;
}
