import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import {
  type OrderLine,
  type PaymentAction,
  type PlatformDetails,
  QUESTION_CODES,
  WITHDRAWALS,
} from '../orders/tables';
import { shopId } from '../tenants/tables';
import type { RequestItem } from './envelope';

/**
 * A difference between an approved line and the submitted item. Staff acknowledged it when they approved the request.
 */
export interface AcknowledgedDifference {
  /** Index of the line among the approved lines. */
  line: number;
  code: string;
  /** The value that was asked for, and the value that is supplied. */
  values: readonly unknown[];
}

/** The shop's limits for the fee of a request, in cents, as they were when the request came. */
export interface FeeLimits {
  maxCents: number;
  /** The shop's fee for the request's shipping option; null if the shop has set none. */
  usualCents: number | null;
}

/**
 * The explanations that staff can choose for the part of a submitted total that the submitted items, fee and discount
 * do not explain.
 */
export const REMAINDER_CHOICES = ['fee', 'co_payment', 'voucher', 'check_price'] as const;
export type RemainderChoice = (typeof REMAINDER_CHOICES)[number];

/** The draft of a review that staff saved. Saving a draft decides nothing. */
export interface ReviewDraft {
  /** A new id for each save. A save is refused if the stored draft has another version than the one that was read. */
  version: string;
  lines: (RequestItem & { item?: number | null; later?: { quantity: number; expectedOn: string } | null })[];
  /** The keys of the differences that were acknowledged. */
  acknowledged: string[];
  payment: PaymentAction | null;
  remainder?: RemainderChoice | null;
  /** Id of the member who saved the draft. */
  savedBy: string;
  savedAt: number;
}

/**
 * Records when a platform sent a supplement, and hashes that recognize a repetition. The supplement's text is stored as
 * a note or an answer, its files as prescriptions.
 */
export interface Supplement {
  at: number;
  /** SHA-256 of the note. Null for none. */
  note: string | null;
  /**
   * SHA-256 of the only file, or of the address of the only file. For several files, one hash of all of them. Null for
   * none.
   */
  file: string | null;
  /** True if the file set earlier files aside; otherwise missing. */
  replaces?: true;
}

/**
 * Order requests as submitted, in normalized form, with the state of their review. When a request is deleted, its
 * personal fields are cleared and its row stays.
 * The table keeps SQLite's rowid, because a row often has more than 1 KB.
 */
export const orderRequests = sqliteTable(
  'order_requests',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    shopId: shopId(),
    /**
     * Id of the API key's family. A rotated key belongs to the same family. Each family has its own references, so that
     * two platforms may use the same ones.
     */
    integrationId: text('integration_id').notNull(),
    source: text('source').notNull(),
    externalReference: text('external_reference'),
    status: text('status', { enum: ['pending', 'approved', 'rejected', 'deleted'] }).notNull(),
    /**
     * MAC of the normalized submission. It tells a repetition from a changed submission. Null once the request is
     * erased.
     */
    fingerprint: text('fingerprint'),
    /** Id of the rejected request that this request replaces. Both have the same reference. */
    supersedesId: text('supersedes_id'),
    /**
     * The body as submitted, without the base64 of files. Null once the request is erased, or some time after the
     * decision. No SQL reads inside it.
     */
    payload: text('payload'),
    /** Texts that the platform sent beside the fields of the contract, by name (intake/intake.ts). */
    platformDetails: text('platform_details', { mode: 'json' }).$type<PlatformDetails>(),
    /**
     * The address of the prescription, as submitted. For several prescriptions, the text of `filesOf`
     * (intake/files.ts). A repeated submission is compared with it. Null once the request is erased.
     */
    prescriptionPdfUrl: text('prescription_pdf_url'),
    /** As submitted. `paymentStatus` is derived from it if the platform sent no payment status. */
    cashOnPickup: integer('cash_on_pickup', { mode: 'boolean' }),
    customerName: text('customer_name'),
    /** The customer's name in the form in which names are compared (platform/fold.ts). */
    customerNameFolded: text('customer_name_folded'),
    customerEmail: text('customer_email'),
    /** `yyyy-mm-dd`, as submitted. */
    customerBirthDate: text('customer_birth_date'),
    prescriberName: text('prescriber_name'),
    customerId: text('customer_id'),
    addressStreet: text('address_street'),
    addressCity: text('address_city'),
    addressPostalCode: text('address_postal_code'),
    addressPhone: text('address_phone'),
    shippingOption: text('shipping_option'),
    paymentStatus: text('payment_status', { enum: ['cash_on_pickup', 'paid', 'pending'] }).notNull(),
    paymentReference: text('payment_reference'),
    totalCents: integer('total_cents'),
    /** Fee and discount as submitted. */
    feeCents: integer('fee_cents'),
    discountCents: integer('discount_cents'),
    /** The shop's fee limits when the request came. */
    feeLimits: text('fee_limits', { mode: 'json' }).$type<FeeLimits>(),
    items: text('items', { mode: 'json' }).$type<RequestItem[]>().notNull(),
    /** The lines as they were approved. `items` keeps the submitted lines. */
    approvedItems: text('approved_items', { mode: 'json' }).$type<OrderLine[]>(),
    /** The differences that staff acknowledged when they approved the request. */
    acknowledged: text('acknowledged', { mode: 'json' }).$type<AcknowledgedDifference[]>(),
    /** The draft of the review, while the request waits for a decision. */
    draft: text('draft', { mode: 'json' }).$type<ReviewDraft>(),
    /**
     * Whether a pending request has an open question. The next two columns copy the code and the text of its newest
     * open question, so that lists need not read the questions.
     */
    needsInfo: integer('needs_info', { mode: 'boolean' }).notNull().default(false),
    needsInfoCode: text('needs_info_code', { enum: QUESTION_CODES }),
    needsInfoNote: text('needs_info_note'),
    /** The supplements that the request's platform sent, oldest first. */
    supplements: text('supplements', { mode: 'json' }).$type<Supplement[]>(),
    /** The state of a withdrawal by the platform. For an approved request, a copy of `orders.withdrawal`. */
    withdrawal: text('withdrawal', { enum: WITHDRAWALS }).notNull().default('none'),
    /**
     * Who decided about the request or deleted it: the id of the actor, as in the audit log, or the actor's kind. Null
     * if the person was erased.
     */
    decidedBy: text('decided_by'),
    decidedAt: integer('decided_at'),
    reasonCode: text('reason_code'),
    reasonNote: text('reason_note'),
    overrideReason: text('override_reason'),
    orderId: text('order_id'),
    /** Whether the request is protected from retention and erasure. */
    legalHold: integer('legal_hold', { mode: 'boolean' }).notNull().default(false),
    erasedAt: integer('erased_at'),
    /**
     * Increases with every write to a request of the organization (platform/data/columns.ts). For updates, a trigger
     * sets it.
     */
    changeNumber: integer('change_number').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('order_requests_changes').on(t.orgId, t.changeNumber),
    // Allows at most one live (pending or approved) request for each reference of an integration. After a rejection,
    // the reference can be used again. Requests that are not live have their own id as the last column, so they never
    // conflict, and one index finds every request of a reference.
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
    // Accepting a request writes nothing to the indexes below, because pending requests are found by their status.
    index('order_requests_by_shop').on(t.shopId, t.status, t.id).where(sql`status <> 'pending'`),
    // Finds the requests of a person, for erasure. SQLite does not fold letters beyond ASCII, so the few addresses with
    // such letters have an index of their own.
    index('order_requests_by_email')
      .on(sql`lower(customer_email)`)
      .where(sql`customer_email is not null and status <> 'pending'`),
    index('order_requests_by_unfolded_email')
      .on(t.orgId)
      .where(sql`customer_email glob '*[^ -~]*' and status <> 'pending'`),
    index('order_requests_by_customer').on(t.customerId).where(sql`customer_id is not null and status <> 'pending'`),
    // Finds the submitted bodies that are emptied some time after the decision.
    index('order_requests_payload').on(t.orgId, t.decidedAt).where(sql`payload is not null and decided_at is not null`),
    // Finds rejected requests for retention.
    index('order_requests_rejected')
      .on(t.orgId, t.decidedAt)
      .where(sql`status = 'rejected' and erased_at is null and legal_hold = 0`),
    check('order_requests_status', sql`${t.status} in ('pending', 'approved', 'rejected', 'deleted')`),
    check('order_requests_payment_status', sql`${t.paymentStatus} in ('cash_on_pickup', 'paid', 'pending')`),
    check('order_requests_withdrawal', sql`${t.withdrawal} in ('none', 'requested', 'accepted', 'refused')`),
    check('order_requests_items', sql`json_valid(${t.items})`),
  ],
);

/**
 * The progress of jobs that process rows of the database in rounds. Each job has one row. Retention processes the
 * organizations, and the renewal of fingerprints processes the order requests.
 */
export const sweepCursors = sqliteTable('sweep_cursors', {
  name: text('name').primaryKey(),
  /** Id of the organization or request that was processed last; empty at the start of a round. */
  position: text('position').notNull(),
  /**
   * Whether this round has left work: an organization with more data to erase, or a fingerprint that could not be
   * renewed. Then another round follows.
   */
  hasMore: integer('has_more', { mode: 'boolean' }).notNull(),
  /** The last night, `yyyy-mm-dd` in UTC, in which a round ended with no work left. */
  doneNight: text('done_night'),
});

/**
 * For each organization, the number of inbox changes about which no event was sent. Changes of the catalog are counted
 * under `EVERY_ORGANIZATION`.
 * Only triggers (migrations) write the numbers. They skip a change if its batch writes an event. Therefore accepting or
 * deciding a request writes no row here.
 * The row is not copied when an organization moves to another database. It is deleted with the organization.
 */
export const inboxChanges = sqliteTable('inbox_changes', {
  orgId: text('org_id').primaryKey(),
  changes: integer('changes').notNull(),
});

export const EVERY_ORGANIZATION = '';
