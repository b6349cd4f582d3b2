import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { SignatureReportRow } from '../signatures/result';

/** A product, and the quantity of it that an approval covers. */
export interface CoveredLine {
  p1Id: string;
  quantity: number;
}

/**
 * The document that the checker of a prescription looked at: a signed file, the original, or a copy whose original is
 * to follow.
 */
export const CHECKED_AS = ['signed_file', 'original_present', 'original_follows'] as const;
export type CheckedAs = (typeof CHECKED_AS)[number];
/**
 * The verifications that an approval can state: the values of `CHECKED_AS`, and `verified_elsewhere` if another program
 * verified the signed file. `verified_elsewhere` is stored as `signed_file` with `verifiedWith`.
 */
export const VERIFICATIONS = ['signed_file', 'verified_elsewhere', 'original_present', 'original_follows'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** The reason why a viewer will not show a file. `fileFaultOf` in pdf.ts explains each. */
export const FILE_FAULTS = ['truncated', 'empty', 'locked'] as const;
export type FileFault = (typeof FILE_FAULTS)[number];

/** Prescriptions. Each row is one PDF: its place in R2, or the state of its download. D1 never stores the bytes. */
export const prescriptions = sqliteTable(
  'prescriptions',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    shopId: text('shop_id'),
    /**
     * The request that the prescription came with. No foreign key, because this slice must not depend on the slice of
     * requests, and because the batch inserts the prescription first.
     */
    orderRequestId: text('order_request_id'),
    /** The order of a prescription that staff uploaded to an order without a request. Null for all others. */
    orderId: text('order_id'),
    /**
     * The index of the prescription in the list `prescriptions` of the request's body. Null if it was sent or uploaded
     * in another way.
     */
    place: integer('place'),
    /** The platform's reference of the prescription. */
    reference: text('reference'),
    origin: text('origin', { enum: ['base64', 'url', 'staff'] }).notNull(),
    status: text('status', { enum: ['fetching', 'stored', 'fetch_failed', 'erased'] }).notNull(),
    /** The R2 key. It is new for each upload, and never derived from content or person. */
    fileKey: text('file_key'),
    /** SHA-256 of the file, hex. */
    sha256: text('sha256'),
    /**
     * MACs of two SHA-256 hashes: of the file, and of its signature's value. A request with the same MAC as another one
     * may be a second redemption. An erased prescription that was approved keeps the MACs until `MARKS_KEPT_MS` after
     * its approval.
     */
    fileMark: text('file_mark'),
    signatureMark: text('signature_mark'),
    sizeBytes: integer('size_bytes'),
    fileFault: text('file_fault', { enum: FILE_FAULTS }),
    /** The address that the platform sent. The query, which may be a credential, is removed once the file is stored. */
    sourceUrl: text('source_url'),
    sourceHost: text('source_host'),
    fetchAttempts: integer('fetch_attempts').notNull(),
    /** The time when the next attempt to fetch may start. A claim sets it to the end of the claim's lease. */
    nextFetchAt: integer('next_fetch_at').notNull(),
    /** The reason why the last attempt to fetch failed: one of the codes in fetch.ts. */
    fetchFailure: text('fetch_failure'),
    /** The time when a pharmacist decided that the prescription is valid. */
    approvedAt: integer('approved_at'),
    approvedBy: text('approved_by'),
    /** The products and quantities that the approval covers. Null before the approval and after an erasure. */
    approvedLines: text('approved_lines', { mode: 'json' }).$type<CoveredLine[]>(),
    /** The document that the checker looked at. Null if not stated, for example when a program approves. */
    checkedAs: text('checked_as', { enum: CHECKED_AS }),
    /** Which other program verified the signed file, and its result; may be empty. Null if no other program did. */
    verifiedWith: text('verified_with'),
    /** Date of issue, `yyyy-mm-dd`, if it was recorded. */
    issuedOn: text('issued_on'),
    /**
     * The time when the prescription was set aside. From then on, it does not belong to this request, and neither
     * covers nor blocks anything.
     */
    setAsideAt: integer('set_aside_at'),
    setAsideBy: text('set_aside_by'),
    setAsideReason: text('set_aside_reason'),
    /** The qualified electronic signature, as its provider reported it. */
    signatureProvider: text('signature_provider'),
    signatureReference: text('signature_reference'),
    signedAt: integer('signed_at'),
    /** The result of the check of the file's signatures. Null until it ends, and after an erasure. */
    signatureReport: text('signature_report', { mode: 'json' }).$type<SignatureReportRow>(),
    /**
     * The time when the next check of the signatures may start. A claim sets it to the end of the claim's lease. Null
     * if no check is due.
     */
    nextCheckAt: integer('next_check_at'),
    checkAttempts: integer('check_attempts').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('prescriptions_of').on(t.orgId, t.id).where(sql`id is not null`),
    index('prescriptions_by_request').on(t.orderRequestId),
    index('prescriptions_by_order').on(t.orderId).where(sql`order_id is not null`),
    uniqueIndex('prescriptions_file').on(t.fileKey).where(sql`file_key is not null`),
    index('prescriptions_by_file').on(t.orgId, t.fileMark).where(sql`file_mark is not null`),
    index('prescriptions_by_signature').on(t.orgId, t.signatureMark).where(sql`signature_mark is not null`),
    index('prescriptions_marked').on(t.approvedAt).where(sql`status = 'erased' and file_mark is not null`),
    index('prescriptions_verified').on(t.orgId, t.approvedAt).where(sql`verified_with <> ''`),
    index('prescriptions_fetching').on(t.nextFetchAt).where(sql`status = 'fetching'`),
    index('prescriptions_to_check').on(t.nextCheckAt).where(sql`next_check_at is not null`),
    check('prescriptions_origin', sql`${t.origin} in ('base64', 'url', 'staff')`),
    check('prescriptions_status', sql`${t.status} in ('fetching', 'stored', 'fetch_failed', 'erased')`),
    check(
      'prescriptions_stored_file',
      sql`${t.status} <> 'stored' or (${t.fileKey} is not null and ${t.sha256} is not null)`,
    ),
    check('prescriptions_fetches', sql`${t.fetchAttempts} between 0 and 3`),
    check(
      'prescriptions_approved_lines',
      sql`${t.approvedLines} is null or (${t.approvedAt} is not null and json_valid(${t.approvedLines}))`,
    ),
    check(
      'prescriptions_checked_as',
      sql`${t.checkedAs} is null or (${t.approvedAt} is not null and ${t.checkedAs} in ('signed_file', 'original_present', 'original_follows'))`,
    ),
    check('prescriptions_set_aside', sql`${t.setAsideAt} is null or ${t.approvedAt} is null`),
  ],
);

/** The deletion list. An erasure writes the files in its batch, and the sweep moves them to the trash. */
export const fileDeletions = sqliteTable('file_deletions', {
  fileKey: text('file_key').primaryKey(),
  createdAt: integer('created_at').notNull(),
});
