import type { Context } from '../platform/context';
import { sha256, toHex } from '../platform/crypto';
import { putFile } from '../platform/files';
import { newId } from '../platform/ids';

/** A PDF stored in R2; unless a row refers to its key within a day, the sweep moves it to the trash. */
export interface StoredPdf {
  fileKey: string;
  /** Hex. */
  sha256: string;
  sizeBytes: number;
}

export const FILE_PREFIX = 'prescriptions/';

/**
 * Stores a PDF under a new key for each attempt, so that no retry overwrites and no failure deletes a file that another
 * attempt committed.
 * @throws AppError `backend_unreachable`
 */
export async function storePdf(ctx: Context, bytes: Uint8Array): Promise<StoredPdf> {
  const day = new Date(ctx.now()).toISOString().slice(0, 10);
  const fileKey = `${FILE_PREFIX}${day}/${newId()}`;
  const digest = await sha256(bytes);
  await putFile(ctx, fileKey, bytes, digest, 'application/pdf');
  return { fileKey, sha256: toHex(digest), sizeBytes: bytes.length };
}
