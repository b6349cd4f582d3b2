import type { Context } from '../../platform/context';
import { sha256, toHex } from '../../platform/crypto/crypto';
import { unavailable } from '../../platform/errors/errors';
import { deleteFiles, putFile } from '../../platform/files';
import { partsPrefix } from './record';

/** The part that lists the others; the first one of the archive. */
export const MANIFEST = 'manifest.json.age';
/** The identity that opens the parts, encrypted for the passphrase of an owner; before the manifest. */
export const KEY = 'key.age';

/** A part as it is stored. */
export interface StoredPart {
  name: string;
  /** Size of the encrypted part, in bytes. */
  size: number;
  rows: number;
  files: number;
  /** Hex, of the content before encryption. */
  sha256: string;
  /** What it was made from, hex. */
  digest: string;
}

export interface Content {
  plain: Uint8Array<ArrayBuffer>;
  rows: number;
  files: number;
  digest: string;
}

/** @throws Error if the age recipient is not valid */
export async function encryptFor(publicKey: string, plain: Uint8Array): Promise<Uint8Array> {
  return (await import('../../platform/crypto/age')).encryptFor(publicKey, plain);
}

/** Encrypts and stores a part. @throws AppError `backend_unreachable` */
export async function putPart(
  ctx: Context,
  of: { id: string; public_key: string },
  name: string,
  { plain, rows, files, digest }: Content,
): Promise<StoredPart> {
  const bytes = await encryptFor(of.public_key, plain);
  const part = { rows, files, sha256: toHex(await sha256(plain)), digest };
  await putFile(ctx, partsPrefix(of.id) + name, bytes, await sha256(bytes.slice()), {
    contentType: 'application/octet-stream',
    customMetadata: { ...part, rows: String(rows), files: String(files) },
  });
  return { name, size: bytes.length, ...part };
}

/** A new key of which only a passphrase makes use. @returns the recipient of the parts @throws AppError `backend_unreachable` */
export async function putKey(ctx: Context, id: string, passphrase: string): Promise<string> {
  const { recipient, key } = await (await import('../../platform/crypto/age')).newKeyFor(passphrase);
  const contentType = 'application/octet-stream';
  await putFile(ctx, partsPrefix(id) + KEY, key, await sha256(key.slice()), { contentType, customMetadata: {} });
  return recipient;
}

/** The stored part of this name, or null. */
export async function findPart(ctx: Context, id: string, name: string): Promise<StoredPart | null> {
  const object = await ctx.files.head(partsPrefix(id) + name).catch(() => Promise.reject(unavailable()));
  return object && partOf(object, id);
}

function partOf({ key, size, customMetadata: of = {} }: R2Object, id: string): StoredPart {
  const { rows, files, sha256: hash = '', digest = '' } = of;
  return {
    name: key.slice(partsPrefix(id).length),
    size,
    rows: Number(rows),
    files: Number(files),
    sha256: hash,
    digest,
  };
}

/** All parts by name, without the manifest and the key. @throws AppError `backend_unreachable` */
export async function listParts(ctx: Context, id: string): Promise<StoredPart[]> {
  const found: StoredPart[] = [];
  let cursor: string | undefined;
  do {
    const options = { prefix: partsPrefix(id), cursor, include: ['customMetadata' as const] };
    const page = await ctx.files.list(options).catch(() => Promise.reject(unavailable()));
    found.push(...page.objects.map((object) => partOf(object, id)));
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
  return found.filter(({ name }) => name !== MANIFEST && name !== KEY);
}

const LISTED = 1_000;

/** Deletes the parts of a file whose names begin so, from a name on. @returns whether there were any */
export async function deleteParts(ctx: Context, id: string, stem: string, from = ''): Promise<boolean> {
  let hadAny = false;
  for (let cursor: string | undefined, isLast = false; !isLast; ) {
    const page = await ctx.files.list({ prefix: partsPrefix(id) + stem, cursor, limit: LISTED });
    const keys = page.objects.map(({ key }) => key).filter((key) => key >= partsPrefix(id) + from);
    if (keys.length > 0) await deleteFiles(ctx, keys);
    hadAny ||= keys.length > 0;
    isLast = !page.truncated;
    cursor = page.truncated ? page.cursor : undefined;
  }
  return hadAny;
}
