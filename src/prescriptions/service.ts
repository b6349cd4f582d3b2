import type { Context } from '../platform/context';
import { sha256, toHex } from '../platform/crypto';
import type { Condition, Statement } from '../platform/db';
import { putFile } from '../platform/files';
import { newId } from '../platform/ids';
import { hostOf } from '../platform/outbound';
import { insertPrescription } from './store';

export { refusalOfPrescription } from './fetch';
export { decodePdf, type PdfFault } from './pdf';

/** A PDF that lies in R2; unless a row names its key within a day, the sweep deletes it. */
export interface StoredPdf {
  fileKey: string;
  /** Hex. */
  sha256: string;
  sizeBytes: number;
}

export const FILE_PREFIX = 'prescriptions/';

/**
 * Stores a PDF under a key that is fresh for this attempt: no retry overwrites and no failure deletes what another
 * attempt may have committed.
 * @throws AppError `backend_unreachable`
 */
export async function storePdf(ctx: Context, bytes: Uint8Array): Promise<StoredPdf> {
  const day = new Date(ctx.now()).toISOString().slice(0, 10);
  const fileKey = `${FILE_PREFIX}${day}/${newId()}`;
  const digest = await sha256(bytes);
  await putFile(ctx, fileKey, bytes, digest, 'application/pdf');
  return { fileKey, sha256: toHex(digest), sizeBytes: bytes.length };
}

/** What an order request brought: the file itself, or the address to fetch it from. */
export type PrescriptionSource = { pdf: StoredPdf; noted: string | null } | { url: string };

/**
 * The statement that files a new request's prescription, for the batch that makes the request; it writes only if
 * `onlyIf` holds, which is that the request's row is there.
 */
export function filePrescription(
  ctx: Context,
  input: { id: string; orgId: string; orderRequestId: string; source: PrescriptionSource; onlyIf: Condition },
): Statement {
  const { source } = input;
  const pdf = 'pdf' in source ? source.pdf : null;
  const url = 'pdf' in source ? source.noted : source.url;
  const now = ctx.now();
  const row = {
    id: input.id,
    orgId: input.orgId,
    orderRequestId: input.orderRequestId,
    origin: pdf ? ('base64' as const) : ('url' as const),
    status: pdf ? ('stored' as const) : ('fetching' as const),
    fileKey: pdf?.fileKey ?? null,
    sha256: pdf?.sha256 ?? null,
    sizeBytes: pdf?.sizeBytes ?? null,
    sourceUrl: url,
    sourceHost: url ? hostOf(new URL(url)) : null,
    fetchAttempts: 0,
    nextFetchAt: 0,
    fetchFailure: null,
    createdAt: now,
    updatedAt: now,
  };
  return insertPrescription(ctx.db, row, input.onlyIf);
}
