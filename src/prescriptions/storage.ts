import type { Context } from '../platform/context';
import { sha256, toHex } from '../platform/crypto/crypto';
import { putFile } from '../platform/files';
import { newId } from '../platform/ids';
import { markOf } from './marks';
import { fileFaultOf } from './pdf';
import type { FileFault } from './tables';

/** A PDF that was stored in R2. If no row refers to its key within a day, the sweep moves it to the trash. */
export interface StoredPdf {
  fileKey: string;
  /** Hex. */
  sha256: string;
  /** A MAC of the file's hash. The same file is recognized by it (`prescriptions.file_mark`). */
  fileMark: string;
  sizeBytes: number;
  fileFault: FileFault | null;
}

export const FILE_PREFIX = 'prescriptions/';

/** What a PDF belongs to. It is stored with the file, so that it is known even if the row is lost. */
export interface FileOwner {
  orgId: string;
  shopId: string | null;
  orderRequestId: string | null;
  orderId?: string | null;
}

/** Returns the owner as metadata of R2, which are only ids. */
function metadataOf({ orgId, shopId, orderRequestId, orderId }: FileOwner): Record<string, string> {
  return {
    org_id: orgId,
    ...(shopId && { shop_id: shopId }),
    ...(orderRequestId && { order_request_id: orderRequestId }),
    ...(orderId && { order_id: orderId }),
  };
}

/**
 * Returns the owner according to the metadata of a file.
 * @returns null for a file without such metadata
 */
export function ownerOfFile({ customMetadata: stored = {} }: Pick<R2Object, 'customMetadata'>): FileOwner | null {
  const {
    org_id: orgId,
    shop_id: shopId = null,
    order_request_id: orderRequestId = null,
    order_id: orderId = null,
  } = stored;
  return orgId === undefined ? null : { orgId, shopId, orderRequestId, orderId };
}

/**
 * Stores a PDF. Each attempt uses a new key, so that no retry overwrites a file that another attempt committed, and no
 * failure deletes one.
 * @throws AppError `backend_unreachable`
 */
export async function storePdf(ctx: Context, bytes: Uint8Array, owner: FileOwner): Promise<StoredPdf> {
  const day = new Date(ctx.now()).toISOString().slice(0, 10);
  const fileKey = `${FILE_PREFIX}${day}/${newId()}`;
  const [digest, fileFault] = [await sha256(bytes), await fileFaultOf(bytes)];
  await putFile(ctx, fileKey, bytes, digest, { contentType: 'application/pdf', customMetadata: metadataOf(owner) });
  const hash = toHex(digest);
  const fileMark = await markOf(ctx, owner.orgId, hash);
  return { fileKey, sha256: hash, fileMark, sizeBytes: bytes.length, fileFault };
}

/** Stores a PDF again, under the key that its row names. @throws AppError `backend_unreachable` */
export function putBack(
  ctx: Context,
  { fileKey, bytes, digest }: { fileKey: string; bytes: Uint8Array; digest: Uint8Array },
  owner: FileOwner,
): Promise<void> {
  return putFile(ctx, fileKey, bytes, digest, { contentType: 'application/pdf', customMetadata: metadataOf(owner) });
}
