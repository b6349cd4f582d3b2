import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { sha256, toHex } from '../platform/crypto/crypto';
import { putFile } from '../platform/files';
import { newId } from '../platform/ids';
import { mac, macs } from '../platform/mac';
import { fileFaultOf } from './pdf';
import { replaceMark, selectKnownMark, selectMarksUnder } from './store';
import type { FileFault } from './tables';

/** A PDF that was stored in R2. If no row refers to its key within a day, the sweep moves it to the trash. */
export interface StoredPdf {
  fileKey: string;
  /** Hex. */
  sha256: string;
  /** A MAC of the file's hash, by which the same file is recognized (`prescriptions.file_mark`). */
  fileMark: string;
  sizeBytes: number;
  fileFault: FileFault | null;
}

export const FILE_PREFIX = 'prescriptions/';

/** The owner of a PDF. The owner is stored with the file, and so is known even if the row is lost. */
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
 * Stores a PDF. Each attempt uses a new key, so that a file that one attempt committed is not overwritten by a retry,
 * or deleted after a failure.
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

/**
 * Returns the mark of a file or of a signature value: a MAC that reveals a second redemption. If the organization
 * already has a mark of the same hash under an old root secret, that mark is returned. Otherwise, the mark is made with
 * the current root secret. If there is only one root secret, the function makes no round trip.
 * @param hash SHA-256, hex
 */
export async function markOf(ctx: Context, orgId: string, hash: string): Promise<string> {
  const [mark, ...older] = await macs(ctx, 'prescription file', orgId, hash);
  const known = older.length === 0 ? [] : await ctx.db.rows(selectKnownMark(orgId, older));
  return known[0]?.mark ?? mark;
}

const PAGE = 200;

/**
 * Replaces marks (`markOf`) that were made under an old root secret with marks under the current one. For each of the
 * two columns of marks, one call reads at most `PAGE` prescriptions whose file is stored. A new mark also replaces the
 * same old mark in all other prescriptions of the organization, including erased ones.
 * @param rootId the id of the old root secret
 */
export async function rewriteMarks(ctx: Context, rootId: string): Promise<void> {
  requireSystem(ctx);
  for (const column of ['fileMark', 'signatureMark'] as const) {
    const page = await ctx.db.rows(selectMarksUnder(column, rootId, PAGE));
    const anew = page.map(async ({ orgId, from, hash }) => {
      if (from === null || hash === null) return [];
      // The statement is in a list, because awaiting the statement itself would run it.
      return [replaceMark(column, { orgId, from, to: await mac(ctx, 'prescription file', orgId, hash) })];
    });
    await ctx.db.batch((await Promise.all(anew)).flat());
  }
}
