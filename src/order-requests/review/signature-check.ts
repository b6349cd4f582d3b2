import { recordAudit } from '../../audit/record';
import { requireSystem } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import { type Context, forOrganization } from '../../platform/context';
import { HOUR_MS } from '../../platform/time';
import { NOT_APPROVED } from '../../prescriptions/set-aside';
import { markOf } from '../../prescriptions/storage';
import {
  giveUpUnlessNamed,
  type PrescriptionRow,
  selectClaimedCheck,
  updatePrescriptionIf,
} from '../../prescriptions/store';
import type { Found } from '../../signatures/result';
import { type SignatureReportRow, uncheckable } from '../../signatures/result';
import { outboxEvent } from '../../webhooks/outbox';
import { ownerOf } from './approve';
import { questionEntries } from './decisions';
import { requireRequest } from './facts';

/**
 * Stores the report of a claimed check. Stores nothing if the prescription was erased since, or if the check was
 * claimed again.
 */
export async function endCheck(
  ctx: Context,
  { id, attempt }: { id: string; attempt: number },
  found: Found,
): Promise<void> {
  requireSystem(ctx);
  await retryOnConflict(ctx, async () => {
    const [row] = await ctx.db.rows(selectClaimedCheck(id, attempt));
    if (!row) return;
    if (found === 'erezept_token') await giveTokenUp(ctx, row);
    else await storeReport(ctx, row, found);
  });
}

/**
 * Deletes a file that holds the token of an E-Rezept, because such a token must not be kept outside the telematics
 * infrastructure. If its request is pending, asks the platform for another file.
 */
async function giveTokenUp(ctx: Context, row: PrescriptionRow): Promise<void> {
  const { id, orgId, fileKey, orderRequestId } = row;
  const at = forOrganization(ctx, orgId);
  const request = orderRequestId === null ? null : await requireRequest(at, orgId, orderRequestId);
  await commit(at, {
    prescription: updatePrescriptionIf(row, CLAIMED, { ...TOKEN_GONE, updatedAt: ctx.now() }),
    file: fileKey === null ? undefined : giveUpUnlessNamed({ fileKeys: [fileKey], now: ctx.now() }),
    question:
      request?.status === 'pending'
        ? questionEntries(at, request, { code: 'erezept_token', text: TOKEN_TEXT })
        : undefined,
    audit: recordAudit(at, { orgId, action: 'prescription.token_deleted', entityId: id }),
  });
  // The file is deleted at once, because a file on the deletion list is kept for another day.
  if (fileKey !== null) ctx.defer(ctx.files.delete(fileKey));
}

/** The columns that identify a claimed check. If one has changed, the check is no longer the latest one. */
const CLAIMED = ['status', 'fileKey', 'checkAttempts', 'nextCheckAt'] as const;
const TOKEN_GONE = {
  ...NOT_APPROVED,
  ...({ status: 'fetch_failed', fetchFailure: 'erezept_token', fileKey: null, sha256: null, sizeBytes: null } as const),
  ...{ fileFault: null, sourceUrl: null, nextCheckAt: null },
};
const TOKEN_TEXT =
  'Die Datei ist der Ausdruck eines E-Rezepts mit Zugangscode. Sie wurde gelöscht: Ein E-Rezept wird über die Telematikinfrastruktur eingelöst.';

/** Ends a check whose last attempt never finished. If an earlier check has stored a report, that report stays. */
export function giveCheckUp(ctx: Context, row: PrescriptionRow): Promise<void> {
  requireSystem(ctx);
  return storeReport(ctx, row, row.signatureReport ?? uncheckable(ctx.now()));
}

/**
 * Stores a report. If the signature passed and no program has reported it before, the same batch also writes the event.
 */
async function storeReport(ctx: Context, row: PrescriptionRow, report: SignatureReportRow): Promise<void> {
  const { id, orgId } = row;
  const at = forOrganization(ctx, orgId);
  const isNews = report.status === 'passed' && row.signatureProvider === null;
  const anchor = report.anchor === null ? undefined : report.signatures[report.anchor];
  const { signedAt, valueHash } = anchor ?? {};
  await commit(at, {
    prescription: updatePrescriptionIf(row, [...CLAIMED, 'signatureProvider'], {
      signatureReport: report,
      signatureMark: valueHash ? await markOf(ctx, orgId, valueHash) : null,
      ...(report.isUndecided ? { nextCheckAt: ctx.now() + HOUR_MS, checkAttempts: 0 } : { nextCheckAt: null }),
      updatedAt: ctx.now(),
    }),
    event: isNews
      ? outboxEvent(at, {
          type: 'paperless_signature_completed',
          orgId,
          about: (await ownerOf(at, row)).about,
          metadata: {
            prescription_id: id,
            provider: CHECKED_HERE,
            signature_reference: id,
            signed_at: signedAt ?? new Date(report.checkedAt).toISOString(),
          },
        })
      : undefined,
  });
}

/** The provider in the event about a signature that passed here. The event does not disclose the certificate. */
const CHECKED_HERE = 'signature_check';
