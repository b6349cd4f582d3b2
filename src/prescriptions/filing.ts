import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { assertInBatch } from '../platform/data/db';
import type { Condition, Statement } from '../platform/data/statements';
import { hostOf } from '../platform/http/outgoing';
import { dueChecks, dueFetches } from './after-commit';
import { coveredLines, type Quantities } from './coverage';
import { withoutQuery } from './fetch';
import type { StoredPdf } from './storage';
import {
  belongsTo,
  erasePrescriptions,
  giveUpFiles,
  giveUpUnlessNamed,
  insertPrescription,
  prescriptionsCover,
} from './store';

/** The prescription of an order request: the file itself, or the address from which it is fetched. */
export type PrescriptionSource = ({ pdf: StoredPdf; noted: string | null } | { url: string }) & {
  place: number | null;
  reference: string | null;
};

/**
 * Returns the entries that file a request's prescription. If `onlyIf` is given, they insert the prescription only if
 * this condition holds. For a new request, the condition is that the request's row exists. A file at an address is
 * fetched after the commit. A stored file goes onto the deletion list unless a row refers to it, so that a repeated or
 * conflicting submission leaves no file behind.
 */
export function filePrescription(
  ctx: Context,
  input: {
    id: string;
    orgId: string;
    shopId: string;
    orderRequestId: string;
    source: PrescriptionSource;
    onlyIf?: Condition;
  },
): BatchEntry[] {
  const { source } = input;
  const pdf = 'pdf' in source ? source.pdf : null;
  const url = 'pdf' in source ? source.noted : source.url;
  const now = ctx.now();
  const row = {
    id: input.id,
    orgId: input.orgId,
    shopId: input.shopId,
    orderRequestId: input.orderRequestId,
    place: source.place,
    reference: source.reference,
    origin: pdf ? ('base64' as const) : ('url' as const),
    status: pdf ? ('stored' as const) : ('fetching' as const),
    fileKey: pdf?.fileKey ?? null,
    sha256: pdf?.sha256 ?? null,
    fileMark: pdf?.fileMark ?? null,
    sizeBytes: pdf?.sizeBytes ?? null,
    fileFault: pdf?.fileFault ?? null,
    sourceUrl: url && pdf ? withoutQuery(url) : url,
    sourceHost: url ? hostOf(new URL(url)) : null,
    fetchAttempts: 0,
    nextFetchAt: 0,
    fetchFailure: null,
    nextCheckAt: pdf ? now : null,
    createdAt: now,
    updatedAt: now,
  };
  const inserted = insertPrescription(row, input.onlyIf);
  return pdf ? [dueChecks(inserted), giveUpUnlessNamed({ fileKeys: [pdf.fileKey], now })] : [dueFetches(inserted)];
}

/**
 * Returns a statement that undoes the batch unless approved prescriptions still cover what a request or an order needs.
 * The approvals may change at the same moment. Undefined if nothing is needed.
 */
export function whileCovered(
  of: { orgId: string; orderRequestId: string | null; orderId: string | null },
  needed: Quantities,
): Statement | undefined {
  return needed.size === 0 ? undefined : assertInBatch(prescriptionsCover({ ...of, needed: coveredLines(needed) }));
}

/**
 * Returns the statements that erase the prescriptions of requests and orders. Their files go onto the deletion list.
 * Their rows keep only the fact that they existed.
 */
export function erasePrescriptionsIn(ctx: Context, of: { requestIds: Condition; orderIds: Condition }): Statement[] {
  const now = ctx.now();
  return [giveUpFiles(belongsTo(of), now), erasePrescriptions(belongsTo(of), now)];
}
