import * as z from 'zod';
import { BELONGINGS, type Belonging } from '../../directory/move/belongings';
import { SCHEMA } from '../../health/schema.generated';
import type { Context } from '../../platform/context';
import { sha256, toHex, utf8 } from '../../platform/crypto/crypto';
import { unavailable } from '../../platform/errors/errors';
import { deleteFiles, objectsIn, putFile } from '../../platform/files';
import { partsPrefix } from './record';

/**
 * The name of the part that lists the other parts. It is the first part of the archive, or the second if there is a
 * key.
 */
export const MANIFEST = 'manifest.json.age';
/** The name of the part with the key of the other parts: an age identity, encrypted with an owner's passphrase. */
export const KEY = 'key.age';

/** A part as it is stored. */
export interface StoredPart {
  name: string;
  /** Size of the encrypted part, in bytes. */
  size: number;
  rows: number;
  files: number;
  /** SHA-256 of the content before encryption, hex. */
  sha256: string;
  /** A digest (hex) of the data that the part was made from. */
  digest: string;
}

/** The content of a part before the encryption. */
export interface Content {
  plain: Uint8Array<ArrayBuffer>;
  rows: number;
  files: number;
  digest: string;
}

/** Returns bytes encrypted for an age recipient (`publicKey`). @throws Error if the recipient is not valid */
export async function encryptFor(publicKey: string, plain: Uint8Array): Promise<Uint8Array> {
  return (await import('../../platform/crypto/age')).encryptFor(publicKey, plain);
}

/** Encrypts and stores a part. @returns the part as it is stored. @throws AppError `backend_unreachable` */
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

/**
 * Stores a new key for the parts of a file, encrypted with a passphrase.
 * @returns the age recipient for which the parts are encrypted
 * @throws AppError `backend_unreachable`
 */
export async function putKey(ctx: Context, id: string, passphrase: string): Promise<string> {
  const { recipient, key } = await (await import('../../platform/crypto/age')).newKeyFor(passphrase);
  const contentType = 'application/octet-stream';
  await putFile(ctx, partsPrefix(id) + KEY, key, await sha256(key.slice()), { contentType, customMetadata: {} });
  return recipient;
}

/** Returns the stored part of this name; null if there is none. @throws AppError `backend_unreachable` */
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

/**
 * Returns all parts of a file except its manifest and its key, sorted by name. @throws AppError `backend_unreachable`
 */
export async function listParts(ctx: Context, id: string): Promise<StoredPart[]> {
  const pages = await Array.fromAsync(objectsIn(ctx, { prefix: partsPrefix(id), include: ['customMetadata'] }));
  const found = pages.flat().map((object) => partOf(object, id));
  return found.filter(({ name }) => name !== MANIFEST && name !== KEY);
}

/**
 * Deletes those parts of a file whose names begin with `stem` and are `from` or sorted after it.
 * @returns whether there were any such parts
 */
export async function deleteParts(ctx: Context, id: string, stem: string, from = ''): Promise<boolean> {
  let hadAny = false;
  for await (const page of objectsIn(ctx, { prefix: partsPrefix(id) + stem })) {
    const keys = page.map(({ key }) => key).filter((key) => key >= partsPrefix(id) + from);
    if (keys.length > 0) await deleteFiles(ctx, keys);
    hadAny ||= keys.length > 0;
  }
  return hadAny;
}

/**
 * The tables that a file leaves out. They have the data of sessions, which nobody needs: everybody has to sign in again
 * after an import.
 */
const LEFT_OUT = ['staff_sessions', 'staff_resets', 'staff_page_data'];

/** The tables of a file, in the order of its parts. */
export const TABLES: readonly Belonging[] = BELONGINGS.filter(({ table }) => !LEFT_OUT.includes(table));

/** Returns the names of all columns of a table. */
export function columnsOf(table: string): ReadonlySet<string> {
  const own = SCHEMA.columns.filter((column) => column.startsWith(`${table}.`));
  return new Set(own.map((column) => column.slice(table.length + 1)));
}

/**
 * SHA-256 (hex) of the names of all tables and columns in a file. A file can be imported only where this hash is the
 * same.
 */
export async function schemaHash(): Promise<string> {
  return toHex(await sha256(utf8(JSON.stringify(TABLES.map(({ table }) => [table, ...columnsOf(table)])))));
}

const ROWS_NAME = /^\d+-([a-z_]+)-\d{5}\.ndjson\.age$/;
const PDFS_NAME = /^prescriptions-\d{5}\.tar\.age$/;

/** Returns the table that the rows of a part belong to; null for a part with PDFs. */
export function tableOfPart(name: string): Belonging | null {
  const table = ROWS_NAME.exec(name)?.[1];
  return TABLES.find((of) => of.table === table) ?? null;
}

function placeOf({ name }: { name: string }): number {
  const of = tableOfPart(name);
  return of ? TABLES.indexOf(of) : PDFS_NAME.test(name) ? TABLES.length : -1;
}

const partSchema = z.object({
  name: z.string().max(100),
  /** SHA-256 of the content before encryption, hex. */
  sha256: z.string().regex(/^[\da-f]{64}$/),
  rows: z.int().nonnegative(),
  files: z.int().nonnegative(),
});

/**
 * The fields of the manifest (`writeManifest`) that an import needs. `parts` is in the order of the tables, parents
 * before children; parts with PDFs are last.
 */
export const manifestSchema = z.object({
  version: z.literal(1),
  schema: z.string(),
  org_id: z.uuid(),
  export_id: z.uuid(),
  fence: z.iso.datetime().transform((fence) => Date.parse(fence)),
  /** The bucket of the deployment that wrote the file (`bucketId` in audit/journal.ts). */
  bucket: z.string().nullable(),
  /**
   * The time when the organization was suspended; null if it is not suspended. After that time, only retention changed
   * its data.
   */
  suspended_at: z.iso
    .datetime()
    .transform((at) => Date.parse(at))
    .nullable(),
  parts: z
    .array(partSchema)
    .min(1)
    .refine((parts) =>
      parts.every((part, index) => placeOf(part) >= Math.max(0, ...parts.slice(index - 1, index).map(placeOf))),
    ),
});
