import { recordAudit } from '../audit/record';
import { readsPrescriptionsOf, requireRole, requireScope } from '../platform/access';
import { commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import type { Context } from '../platform/context';
import { assertInBatch, ConstraintError } from '../platform/data/db';
import type { Condition } from '../platform/data/statements';
import { AppError, notFound, unavailable } from '../platform/errors/errors';
import { newId } from '../platform/ids';
import { logged } from '../platform/log';
import { type About, outboxEvent } from '../webhooks/outbox';
import { dueChecks, dueFetches } from './after-commit';
import { approvalEntries, approvedFor, assertChoice } from './check';
import { coveredLines, isApproved, type Quantities } from './coverage';
import { faultOfPdf } from './pdf';
import { loadPrescription } from './set-aside';
import { type StoredPdf, storePdf } from './storage';
import { giveUpUnlessNamed, insertUploaded, type PrescriptionRow, updatePrescriptionIf } from './store';
import type { Verification } from './tables';
import { openFile } from './trash';

/** The request or order of a prescription: what the prescription must cover, and what its events are about. */
interface Owner {
  /** The products and quantities that the prescription has to cover. */
  quantities: Quantities;
  about: About | undefined;
}

/**
 * Records a pharmacist's decision that a prescription is valid for these products and quantities. A further approval
 * replaces the products and quantities. An identical approval changes nothing. If the prescription was set aside, the
 * approval also undoes that.
 * @param verification the document that was looked at; `verifiedAs` says what is recorded if it is missing
 * @throws AppError `prescription_not_found`, `prescription_not_stored`; `validation_failed` (`signed_file` although
 * the check of the signature has not passed)
 */
export function approvePrescription(
  ctx: Context,
  id: string,
  verification: Verification | undefined,
  ownerOf: (prescription: PrescriptionRow) => Promise<Owner>,
): Promise<PrescriptionRow> {
  const { orgId } = requireScope(ctx, 'prescriptions.write');
  return retryOnConflict(ctx, async () => {
    const row = await loadStored(ctx, orgId, id);
    if (verification) assertChoice(row, verification);
    const looked = verifiedAs(row, verification);
    const { quantities, about } = await ownerOf(row);
    const approvedLines = coveredLines(quantities);
    const isSame = row.checkedAs === looked.checkedAs && row.verifiedWith === looked.verifiedWith;
    const isSameLines = JSON.stringify(row.approvedLines) === JSON.stringify(approvedLines);
    if (isApproved(row) && isSame && isSameLines) return row;
    const approved = approvedFor(ctx, { ...row, ...looked }, approvedLines);
    await commit(ctx, { approval: approvalEntries(ctx, approved, about) });
    return { ...row, ...approved.columns };
  });
}

/**
 * Returns the verification to record. It is the stated one; else the one recorded before; else `signed_file` if the
 * check of the signature passed.
 */
function verifiedAs(
  { checkedAs, verifiedWith, signatureReport }: PrescriptionRow,
  said: Verification | undefined,
): Pick<PrescriptionRow, 'checkedAs' | 'verifiedWith'> {
  if (said === 'verified_elsewhere') return { checkedAs: 'signed_file', verifiedWith: verifiedWith ?? '' };
  if (said) return { checkedAs: said, verifiedWith: null };
  const passed = signatureReport?.status === 'passed' ? 'signed_file' : null;
  return { checkedAs: checkedAs ?? passed, verifiedWith };
}

/** @throws AppError `prescription_not_found` */
export function getPrescription(ctx: Context, id: string): Promise<PrescriptionRow> {
  const { orgId } = requireScope(ctx, 'prescriptions.write');
  return loadPrescription(ctx, orgId, id);
}

export interface Signature {
  provider: string;
  signatureReference: string;
  /** Epoch milliseconds. */
  signedAt: number;
}

/**
 * Records a completed qualified electronic signature. The same report a second time has no effect. A different report
 * replaces the first one.
 * @throws AppError `prescription_not_found`, `prescription_not_stored`
 */
export function recordSignature(
  ctx: Context,
  id: string,
  signature: Signature,
  aboutOf: (prescription: PrescriptionRow) => Promise<About | undefined>,
): Promise<PrescriptionRow> {
  const { orgId } = requireScope(ctx, 'prescriptions.write');
  return retryOnConflict(ctx, async () => {
    const row = await loadStored(ctx, orgId, id);
    const { provider, signatureReference, signedAt } = signature;
    const columns = { signatureProvider: provider, signatureReference, signedAt };
    const names = ['signatureProvider', 'signatureReference', 'signedAt'] as const;
    if (names.every((name) => row[name] === columns[name])) return row;
    // A check that passed has already sent this event.
    const isTold = row.signatureReport?.status === 'passed';
    await commit(ctx, {
      prescription: updatePrescriptionIf(row, ['status', 'nextCheckAt', ...names], {
        ...columns,
        updatedAt: ctx.now(),
      }),
      event: isTold
        ? undefined
        : outboxEvent(ctx, {
            type: 'paperless_signature_completed',
            orgId,
            about: await aboutOf(row),
            metadata: {
              prescription_id: id,
              provider,
              signature_reference: signatureReference,
              signed_at: new Date(signedAt).toISOString(),
            },
          }),
      audit: recordAudit(ctx, { orgId, action: 'prescription.signature_completed', entityId: id }),
    });
    return { ...row, ...columns };
  });
}

/**
 * Schedules a failed fetch again, from the first attempt.
 * @param requestId the request that the prescription must belong to, if one is given
 * @throws AppError `prescription_not_found`, `not_fetchable`
 */
export function fetchAgain(ctx: Context, id: string, requestId?: string): Promise<void> {
  const { orgId } = requireScope(ctx, 'prescriptions.write');
  return retryOnConflict(ctx, async () => {
    const row = await loadPrescription(ctx, orgId, id, requestId);
    if (row.status !== 'fetch_failed' || row.sourceUrl === null) {
      throw new AppError('not_fetchable', 'Only a prescription whose download failed can be fetched again.');
    }
    const waiting = updatePrescriptionIf(row, ['status'], {
      status: 'fetching',
      fetchAttempts: 0,
      nextFetchAt: 0,
      fetchFailure: null,
      updatedAt: ctx.now(),
    });
    await commit(ctx, {
      prescription: dueFetches(waiting),
      audit: recordAudit(ctx, { orgId, action: 'prescription.fetch_requested', entityId: id }),
    });
  });
}

/**
 * Stores a PDF that staff upload for a request or an order.
 * @param only.if the condition that the request or order exists, belongs to the organization, and may still get a
 *   prescription
 * @param only.refused returns the error to throw if this condition does not hold. Without it, a guard failure is
 *   thrown, for `retryOnConflict`
 * @throws AppError `invalid_prescription_pdf`, `prescription_too_large`, `backend_unreachable`
 */
export async function uploadPrescription(
  ctx: Context,
  target: { shopId: string; orderRequestId: string | null; orderId: string | null },
  bytes: Uint8Array,
  only: { if: Condition; refused?: () => AppError },
): Promise<{ id: string }> {
  const { orgId } = requireRole(ctx, ['owner', 'pharmacist']);
  const fault = faultOfPdf(bytes);
  if (fault) throw new AppError(fault.code, fault.message);
  const pdf = await storePdf(ctx, bytes, { orgId, ...target });
  const id = newId();
  try {
    await commit(
      ctx,
      {
        target: assertInBatch(only.if),
        prescription: dueChecks(insertUploaded({ id, orgId, ...target, ...pdf, now: ctx.now() })),
        audit: recordAudit(ctx, { orgId, action: 'prescription.uploaded', entityId: id }),
      },
      only,
    );
  } catch (error) {
    const isUndone = error instanceof ConstraintError || (error instanceof AppError && error.kind === 'conflict');
    if (isUndone) ctx.defer(giveUpStored(ctx, pdf));
    throw error;
  }
  return { id };
}

/** Puts a stored file on the deletion list unless a row refers to it. If this fails, the sweep finds the file. */
export async function giveUpStored(ctx: Context, { fileKey }: StoredPdf): Promise<void> {
  const unused = giveUpUnlessNamed({ fileKeys: [fileKey], now: ctx.now() });
  await logged(ctx, ['warn', 'upload_not_given_up'], () => ctx.db.run({ unused }));
}

/**
 * Returns a prescription. If the prescription has a signature report, the audit log records that the report was read.
 * @throws AppError `prescription_not_found`, also if the key is limited to other shops
 */
export async function readPrescription(ctx: Context, id: string): Promise<PrescriptionRow> {
  const row = await loadReadable(ctx, id);
  await recordReportsRead(ctx, [row]);
  return row;
}

async function loadReadable(ctx: Context, id: string): Promise<PrescriptionRow> {
  const { orgId } = requireScope(ctx, 'prescriptions.read');
  const row = await loadPrescription(ctx, orgId, id);
  if (!readsPrescriptionsOf(ctx, row.shopId)) throw notFound('prescription_not_found');
  return row;
}

/**
 * Records in the audit log that the signature reports of these prescriptions were read. Skips prescriptions without a
 * report.
 * @throws AppError `backend_unreachable`
 */
export async function recordReportsRead(ctx: Context, rows: PrescriptionRow[]): Promise<void> {
  const read = rows.filter(({ signatureReport }) => signatureReport !== null);
  const entryOf = ({ orgId, id }: PrescriptionRow) =>
    recordAudit(ctx, { orgId, action: 'prescription.viewed', entityId: id, fields: ['signature_report'] });
  if (read.length > 0) await commit(ctx, { audit: read.map(entryOf) });
}

/**
 * Returns a prescription's PDF for a program.
 * @param part with `signed`, only the revision that the decisive signature covers
 * @returns `tag`, which identifies the bytes, and `open`, which records the reading in the audit log and then returns
 *   the bytes
 * @throws AppError as `readPrescription`, `prescription_not_stored`, and for the signed part `signature_check_pending`,
 *   `signed_revision_not_found`; `open` throws `backend_unreachable`
 */
export async function readPrescriptionFile(
  ctx: Context,
  id: string,
  part?: 'signed',
): Promise<{ tag: string; open: () => Promise<ReadableStream> }> {
  requireScope(ctx, 'prescriptions.read');
  const row = requireStored(await loadReadable(ctx, id));
  const length = part && signedBytesOf(row);
  const tag = length === undefined ? `${row.sha256}` : `${row.sha256}-${length}`;
  return { tag, open: async () => (await openViewed(ctx, row, length)).body };
}

/**
 * Returns the number of bytes of the signed revision. @throws AppError `signature_check_pending`,
 * `signed_revision_not_found`
 */
function signedBytesOf({ signatureReport: report }: PrescriptionRow): number {
  if (report === null) throw new AppError('signature_check_pending', 'The signatures of this PDF are not checked yet.');
  const length = report.anchor === null ? null : report.signatures[report.anchor]?.signedBytes;
  if (!length) throw notFound('signed_revision_not_found', 'This PDF has no revision that a signature covers.');
  return length;
}

/**
 * Returns a prescription's PDF for a signed-in owner or pharmacist. An audit row is written before the first byte is
 * sent.
 * @returns the bytes as a stream, with headers that make a malicious PDF harmless
 * @throws AppError `prescription_not_found`, `prescription_not_stored`, `backend_unreachable`
 */
export async function viewPrescription(
  ctx: Context,
  id: string,
): Promise<{ body: ReadableStream; headers: Record<string, string> }> {
  const { orgId } = requireRole(ctx, ['owner', 'pharmacist']);
  const file = await openViewed(ctx, await loadStored(ctx, orgId, id));
  return { body: file.body, headers: pdfHeaders(id) };
}

/**
 * Returns a prescription whose file the caller may view. Does not open the file. @throws AppError as `viewPrescription`
 */
export async function requireViewable(ctx: Context, id: string): Promise<PrescriptionRow> {
  const { orgId } = requireRole(ctx, ['owner', 'pharmacist']);
  return loadStored(ctx, orgId, id);
}

/**
 * Opens a prescription's file after recording the reading in the audit log.
 * @param length reads only this many bytes from the start
 * @throws AppError `prescription_not_found`, `backend_unreachable`
 */
async function openViewed(
  ctx: Context,
  { id, orgId, fileKey }: PrescriptionRow,
  length?: number,
): Promise<R2ObjectBody> {
  await commit(ctx, { audit: recordAudit(ctx, { orgId, action: 'prescription.viewed', entityId: id }) });
  const file =
    fileKey === null ? null : await openFile(ctx, fileKey, length).catch(() => Promise.reject(unavailable()));
  if (!file) throw notFound('prescription_not_found', 'The file no longer exists.');
  return file;
}

/**
 * Returns the headers of a response with a PDF. The Content-Security-Policy has no sandbox and no fetch directives,
 * because browsers would then refuse to show the PDF. The type is always `application/pdf`, never a stored type. No
 * other site may embed the response.
 */
function pdfHeaders(id: string): Record<string, string> {
  return {
    'Content-Type': 'application/pdf',
    'Content-Disposition': `inline; filename="prescription-${id.slice(-12)}.pdf"`,
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "frame-ancestors 'self'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  };
}

async function loadStored(ctx: Context, orgId: string, id: string): Promise<PrescriptionRow> {
  return requireStored(await loadPrescription(ctx, orgId, id));
}

function requireStored(row: PrescriptionRow): PrescriptionRow {
  if (row.status === 'stored') return row;
  throw new PrescriptionNotStored(row.status);
}

export class PrescriptionNotStored extends AppError {
  /** @param status the current status of the prescription */
  constructor(readonly status: PrescriptionRow['status']) {
    super('prescription_not_stored', 'The PDF of this prescription is not stored yet, or no longer.');
  }
}
