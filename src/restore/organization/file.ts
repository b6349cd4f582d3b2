import * as z from 'zod';
import { BELONGINGS, type Belonging } from '../../directory/move/belongings';
import { SCHEMA } from '../../health/schema.generated';
import { sha256, toHex, utf8 } from '../../platform/crypto/crypto';

/** Everybody signs in again where a file is imported, so what belongs to sessions is left out. */
const LEFT_OUT = ['staff_sessions', 'staff_resets', 'staff_page_data'];

/** The tables of a file, in the order of its parts. */
export const TABLES: readonly Belonging[] = BELONGINGS.filter(({ table }) => !LEFT_OUT.includes(table));

/** The columns of a table of a file. */
export function columnsOf(table: string): ReadonlySet<string> {
  const own = SCHEMA.columns.filter((column) => column.startsWith(`${table}.`));
  return new Set(own.map((column) => column.slice(table.length + 1)));
}

/** SHA-256 of the tables and columns of a file, hex: a file is imported where they are the same. */
export async function schemaHash(): Promise<string> {
  return toHex(await sha256(utf8(JSON.stringify(TABLES.map(({ table }) => [table, ...columnsOf(table)])))));
}

const ROWS_NAME = /^\d+-([a-z_]+)-\d{5}\.ndjson\.age$/;
const PDFS_NAME = /^prescriptions-\d{5}\.tar\.age$/;

/** The table whose rows a part has; null for one of PDFs. */
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
  /** Hex, of the content before encryption. */
  sha256: z.string().regex(/^[\da-f]{64}$/),
  rows: z.int().nonnegative(),
  files: z.int().nonnegative(),
});

/** What `writeManifest` writes, as far as an import needs it: parents before children, PDFs last. */
export const manifestSchema = z.object({
  version: z.literal(1),
  schema: z.string(),
  org_id: z.uuid(),
  export_id: z.uuid(),
  fence: z.iso.datetime().transform((fence) => Date.parse(fence)),
  /** Nothing but retention changed it from then on. */
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
export type Manifest = z.infer<typeof manifestSchema>;
