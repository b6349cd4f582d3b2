import { sql } from 'drizzle-orm';
import { check, foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organizationId, organizations } from '../platform/tables';
import { shopId } from '../tenants/tables';

/** Customers. A person has one row in each organization. Erasure clears the fields and keeps the row. */
export const customers = sqliteTable(
  'customers',
  {
    id: text('id').primaryKey(),
    orgId: organizationId(),
    name: text('name'),
    /** The name in the form in which names are compared (platform/fold.ts). */
    nameFolded: text('name_folded'),
    /** The e-mail address in lower case. A returning customer is recognized by it. */
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

/** Texts that a platform sends beside the fields of the contract, by name. */
export type PlatformDetails = Readonly<Record<string, string>>;

/** The actions if the paid amount differs from the order's total. */
export const PAYMENT_ACTIONS = ['collect', 'refund', 'ask'] as const;
export type PaymentAction = (typeof PAYMENT_ACTIONS)[number];

/**
 * Who bears a discount. `co_payment`: an insurance does, and the customer pays only the co-payment. `voucher`: the
 * platform does.
 */
export const DISCOUNT_KINDS = ['co_payment', 'voucher'] as const;
export type DiscountKind = (typeof DISCOUNT_KINDS)[number];

/** Why goods left the pharmacy unpaid. */
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

/** The state of a platform's request to withdraw its order request or order. */
export const WITHDRAWALS = ['none', 'requested', 'accepted', 'refused'] as const;
export type Withdrawal = (typeof WITHDRAWALS)[number];

/**
 * Condition: the courier of the pharmacy does not bring the order, because the customer collects it or it goes by
 * parcel. The indexes have the same condition, so that SQLite uses them.
 */
export const IS_PARCEL = sql`(coalesce(shipping_option, 'Abholung') in ('Abholung', 'Versand', 'Express'))`;
/** Condition: the order is to be packed, and packs of it are in the pharmacy. The index has the same condition. */
export const IS_TO_PACK = sql`status = 'awaiting_packing' and nothing_here = 0`;
/**
 * Condition: the order waits for something other than packing. This can be a payment, a prescription or its original, a
 * delivery, or the end of a hold. The index has the same condition.
 */
export const IS_WAITING = sql`(status in ('awaiting_prescription', 'awaiting_payment')
  or status in ('awaiting_packing', 'ready_pickup', 'ready_shipping') and (on_hold = 1 or original_missing = 1)
  or status = 'awaiting_packing' and nothing_here = 1)`;

/**
 * Condition: the order is ready or has left, and money may still have to be collected. The index has the same
 * condition.
 */
export const IS_UNCOLLECTED = sql`(status in ('ready_pickup', 'ready_shipping', 'shipped', 'delivered', 'picked_up')
  and (payment_status in ('cash_on_pickup', 'pending') or payment_action = 'collect'))`;

/** Orders. The table keeps SQLite's rowid, because a row often has more than 1 KB. */
export const orders = sqliteTable(
  'orders',
  {
    id: text('id').notNull(),
    orgId: text('org_id').notNull(),
    /** The number of the order, counted from 1 within the organization. */
    number: integer('number').notNull(),
    shopId: shopId(),
    /** The id that the caller of the upsert gave the order. Null for orders that did not come from an upsert. */
    externalId: text('external_id'),
    orderRequestId: text('order_request_id'),
    /**
     * The integration that sent the order's request (`apiKeys.familyId`). Its callback is notified of changes of the
     * order.
     */
    integrationId: text('integration_id'),
    source: text('source').notNull(),
    externalReference: text('external_reference'),
    customerId: text('customer_id').references(() => customers.id),
    status: text('status', { enum: ORDER_STATUSES }).notNull(),
    paymentStatus: text('payment_status', { enum: ORDER_PAYMENT_STATUSES }).notNull(),
    paymentReference: text('payment_reference'),
    paidAt: integer('paid_at'),
    /** The sum of all refunds of the total. Returned overpayments do not count. */
    refundedCents: integer('refunded_cents').notNull().default(0),
    /**
     * The action for `paymentDifferenceCents`. Staff chose it at the approval, or it was set when the total of a paid
     * order changed.
     */
    paymentAction: text('payment_action', { enum: PAYMENT_ACTIONS }),
    /** The underpaid amount. It is negative if the order is overpaid. Null exactly when `paymentAction` is null. */
    paymentDifferenceCents: integer('payment_difference_cents'),
    /** The note that staff wrote with the last refund. */
    refundNote: text('refund_note'),
    onHold: integer('on_hold', { mode: 'boolean' }).notNull(),
    holdReason: text('hold_reason'),
    /**
     * Whether the original of a prescription is still to come. Nothing leaves the pharmacy until its arrival is
     * confirmed.
     */
    originalMissing: integer('original_missing', { mode: 'boolean' }).notNull().default(false),
    /**
     * The state of a withdrawal by the platform. While it is `requested`, the order is on hold. A trigger (migrations)
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
    /** The address must be https, because pages show it as a link. A trigger enforces this. */
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
    /** The prices of all lines plus the fee, minus the discount. */
    totalCents: integer('total_cents').notNull(),
    feeCents: integer('fee_cents').notNull().default(0),
    discountCents: integer('discount_cents').notNull().default(0),
    /** Who bears the discount, as staff chose at the approval. */
    discountKind: text('discount_kind', { enum: DISCOUNT_KINDS }),
    items: text('items', { mode: 'json' }).$type<OrderLine[]>().notNull(),
    /** Copied from the order request. */
    platformDetails: text('platform_details', { mode: 'json' }).$type<PlatformDetails>(),
    /**
     * The packing progress of each line. Null until staff begin to pack. If a program packs through the API, nothing is
     * recorded here.
     */
    packing: text('packing', { mode: 'json' }).$type<PackedLine[]>(),
    /** Name of the shelf where the order waits. */
    shelf: text('shelf'),
    /** Number of bags of the order. Null means one bag. */
    bags: integer('bags'),
    collectedBy: text('collected_by'),
    unpaidReason: text('unpaid_reason', { enum: UNPAID_REASONS }),
    returned: text('returned', { mode: 'json' }).$type<ReturnedLine[]>(),
    /**
     * How each line is supplied in parts. Null for an order that is supplied whole (see rules.ts). Triggers
     * (migrations) check this column, `expectedOn` and `nothingHere`.
     */
    supply: text('supply', { mode: 'json' }).$type<SupplyLine[]>(),
    /** The earliest day on which an owed pack is expected; null if none is owed. */
    expectedOn: text('expected_on'),
    /** Whether packs are owed and none is in the pharmacy (`isNothingHere`). Triggers (migrations) set it. */
    nothingHere: integer('nothing_here', { mode: 'boolean' }).notNull().default(false),
    /** Refunds by line. Refunds that name no lines are only in `refundedCents`. */
    refundedLines: text('refunded_lines', { mode: 'json' }).$type<RefundedLine[]>(),
    /**
     * The names of the customer and the prescriber of an erased order. The law requires them to be kept if packs of a
     * known batch have left (§ 22 ApBetrO). Null until the erasure. Only a search by batch reads them.
     */
    restricted: text('restricted', { mode: 'json' }).$type<RestrictedRecord>(),
    /** Until when `restricted` is kept, in epoch ms. */
    restrictedUntil: integer('restricted_until'),
    /** Whether packs in the pharmacy are promised to the order. False once the order is cancelled. */
    holdsStock: integer('holds_stock', { mode: 'boolean' }).notNull(),
    /** Increases with every write. A write that was decided on an older version is refused. */
    version: integer('version').notNull(),
    /**
     * Increases with every write to an order of the organization, so that lists of changes find the order
     * (platform/data/columns.ts). A trigger sets it for updates.
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
 * When an organization moves to another database, the rows are not copied: the triggers write them again when the
 * orders are copied.
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

/** The ids of an organization's courier stops, in the sequence in which staff last arranged them. */
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
 * Questions of staff about an order request, and the answers. They are in this folder because the page of an order
 * shows them, too. They are deleted with the person's data.
 */
export const requestQuestions = sqliteTable(
  'request_questions',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    orderRequestId: text('order_request_id').notNull(),
    code: text('code', { enum: QUESTION_CODES }).notNull(),
    text: text('text').notNull(),
    /** Id of the person or program that asked, as in the audit log. */
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

/** Notes of staff about an order request or an order. They are deleted with the person's data. */
export const staffNotes = sqliteTable(
  'staff_notes',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    /**
     * The request that the note is about; null if `orderId` is set. There is no foreign key, because `orders` may not
     * depend on `order-requests`.
     */
    orderRequestId: text('order_request_id'),
    orderId: text('order_id'),
    text: text('text').notNull(),
    /** Id of the person or program that wrote the note, as in the audit log. */
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
 * Payment links. Each leads to a page where a customer can pay. The token in a link is derived from the link's id
 * (platform/mac.ts), so that no secret is stored here.
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
    /** Id of the root secret from which the link's token is derived. The token itself is not stored. */
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

/** The next types are those of JSON columns that have one entry per order line. */

/** One line of an order. */
export interface OrderLine {
  /** The name as it was sent. If none was sent, the product's name. */
  name: string;
  quantity: number;
  priceCents: number;
  /** Null for a line without a product. Such a line moves no stock. */
  p1Id: string | null;
  prescriptionRequired: boolean;
  /** The name of the product at the time when the line was approved or written. */
  productName: string | null;
  /** Whether the price is only the customer's co-payment (Zuzahlung). An insurance pays the rest. */
  isCoPayment?: true;
  /** The unit that `quantity` counts. `priceCents` is the price of one unit. Missing if the unit is a pack. */
  unit?: 'g' | 'ml';
  /** The number of units of one pack. The product is sold in multiples of it. Missing if any number can be sold. */
  unitStep?: number;
  /** The batches (Charge) of the line's packs. Missing if no batch is known. */
  batches?: readonly LineBatch[];
}

/** The quantity of one batch on a line. */
export interface LineBatch {
  batch: string;
  quantity: number;
  /** The last day of use, `yyyy-mm-dd`. Missing if the code on the pack does not name it. */
  expiresOn?: string;
  /** True once the quantity has left the pharmacy. */
  left?: true;
}

/** The names of an erased order that the law requires to be kept. */
export interface RestrictedRecord {
  customer_name: string | null;
  prescriber_name: string | null;
}

/** The packing progress of one line. Lists have one entry for each line. */
export interface PackedLine {
  scanned: number;
  byHand: number;
  /** Hashes of the serials of scanned packs. Each pack counts once. The hashes are removed when the order leaves. */
  serials: string[];
  /** Who packed the line last, and when. Null if nothing of the line is packed. */
  by: string | null;
  at: number | null;
  /** The weighed amount, in 0.1 g. Missing if nothing was weighed. */
  weighed?: number;
  /** Who checked the weighing, as staff entered it. Missing if the person who weighed checked it. */
  checkedBy?: string;
}

/** How many packs of one line came back. Lists have one entry for each line. */
export interface ReturnedLine {
  quantity: number;
  /** How many of these packs went back into stock. */
  restocked: number;
}

/**
 * How one line of an order is supplied in parts. Lists have one entry for each line. Packs that are neither owed nor
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
   * Hashes of the serials of packs that have left. A pack with such a serial is refused when it is scanned. Removed
   * once everything has left.
   */
  serials?: string[];
  /** Who last recorded that packs come later, and when. Null if nobody did. */
  by: string | null;
  at: number | null;
}

/** The refunded packs of one line, and their refund. Lists have one entry for each line. */
export interface RefundedLine {
  quantity: number;
  cents: number;
}
