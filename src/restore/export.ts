import * as z from 'zod';
import { recordAudit } from '../audit/record';
import { requireOperator } from '../platform/access';
import { type Context, onEachDatabase } from '../platform/context';
import { decrypt, encrypt } from '../platform/crypto/crypto';
import { invalidField } from '../platform/errors/errors';
import { listFiles, putText, readText } from '../platform/files';
import { jsonOrNothing } from '../platform/http/json';
import { logged } from '../platform/log';
import { type RestoreRecord, readRecord, rowsPrefix, writeRecord } from './record';
import { PARTS, type Row, selectGivenUp, selectNextOrganization } from './store';

/** The most pages that one call copies. Each page costs a query of D1 and two objects of R2. */
const PAGES = 40;
/** The number of objects that one call of R2's list returns. */
const LISTED = 1_000;
/**
 * A database's list of files to delete is copied under this name, which stands in place of a table's name. The list
 * contains the files of all organizations.
 */
export const GIVEN_UP = 'file_deletions';

/**
 * The place where the export continues: after the row with the sort key `after`, in the part `part` (an index in
 * `PARTS`) of the organization `orgId`. An index past the last part stands for the start of the next organization.
 */
const placeSchema = z.object({
  shard: z.int(),
  orgId: z.string(),
  part: z.int(),
  after: z.union([z.string(), z.number()]).nullable(),
});
type Place = z.infer<typeof placeSchema>;

interface Exported {
  /** Number of rows that this call copied. */
  rows: number;
  /** Databases that were skipped because they could not be read. */
  unreadable: number[];
  nextCursor: string | null;
}

/**
 * Copies the rows that have changed since the time to restore to, encrypted, to the bucket. Runs before the databases
 * are restored. The copies later show what was lost. Each call copies some pages. A database that cannot be read is
 * skipped; what it loses stays unknown.
 * @throws AppError `not_found`, `backend_unreachable`
 */
export async function exportChanged(ctx: Context, id: string, cursor?: string): Promise<Exported> {
  requireOperator(ctx);
  const record = await readRecord(ctx, id);
  if (cursor === undefined) Object.assign(record, { is_exported: false, unreadable: [] });
  let place = cursor === undefined ? startOf(0) : placeOf(cursor);
  const databases = onEachDatabase(ctx);
  let rows = 0;
  for (let pages = 0; pages < PAGES; pages += 1) {
    const at = databases[place.shard];
    if (!at) {
      await writeRecord(ctx, { ...record, is_exported: true });
      return { rows, unreadable: record.unreadable, nextCursor: null };
    }
    const next = await nextPage(at, record, place);
    place = next.place;
    rows += next.rows;
  }
  await writeRecord(ctx, record);
  return { rows, unreadable: record.unreadable, nextCursor: JSON.stringify(place) };
}

interface Copied {
  rows: number;
  /** The place where the next page begins. */
  place: Place;
}

function startOf(shard: number): Place {
  return { shard, orgId: '', part: PARTS.length, after: null };
}

async function nextPage(at: Context, record: RestoreRecord, place: Place): Promise<Copied> {
  const { shard } = at.db;
  const copied = await logged(at, ['error', 'database_failed', { shard }], () => copyPage(at, record, place));
  if (copied) return copied;
  record.unreadable.push(shard);
  return { rows: 0, place: startOf(place.shard + 1) };
}

async function copyPage(at: Context, record: RestoreRecord, place: Place): Promise<Copied> {
  const { shard, orgId, after } = place;
  const part = PARTS[place.part];
  if (!part) {
    if (orgId === '') await putRows(at, record.id, `${shard}..${GIVEN_UP}.`, await at.db.rows(selectGivenUp()));
    const [next] = await at.db.rows(selectNextOrganization(orgId));
    return { rows: 0, place: next ? { shard, orgId: next.id, part: 0, after: null } : startOf(shard + 1) };
  }
  const rows = await at.db.rows(part.select({ orgId, at: record.at, after, limit: part.page }));
  await putRows(at, record.id, `${shard}.${orgId}.${part.name}.${after ?? ''}`, rows);
  const last = rows.at(-1);
  const isWhole = rows.length < part.page || !last;
  const next = isWhole ? { ...place, part: place.part + 1, after: null } : { ...place, after: part.afterOf(last) };
  return { rows: rows.length, place: next };
}

/**
 * Encrypts and stores one page of copied rows.
 * @param name unique among the copied pages of the restore. A second call with the same name replaces the page
 */
async function putRows(ctx: Context, id: string, name: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const key = rowsPrefix(id) + name;
  await putText(ctx, key, await encrypt(ctx.config.roots, 'restore export', JSON.stringify(rows), key));
}

/** Parses a cursor. @throws AppError `validation_failed` */
function placeOf(cursor: string): Place {
  const { data } = placeSchema.safeParse(jsonOrNothing(cursor));
  if (data) return data;
  throw invalidField('/cursor', 'invalid_cursor', 'Send the next_cursor of an answer.');
}

/** Reads and decrypts one page of copied rows. */
async function readRows(ctx: Context, key: string): Promise<Row[]> {
  return JSON.parse(await decrypt(ctx.config.roots, 'restore export', (await readText(ctx, key)) ?? '', key));
}

/** A page of copied rows of one organization and table. */
export interface CopiedPage {
  shard: number;
  orgId: string;
  table: string;
  /** Reads and decrypts the rows. */
  read: () => Promise<Row[]>;
}

/** Lists up to `limit` copied pages. @param cursor `nextCursor` of the previous call */
export async function listCopied(
  ctx: Context,
  id: string,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ pages: CopiedPage[]; nextCursor: string | null }> {
  const prefix = rowsPrefix(id);
  const startAfter = cursor === undefined ? undefined : prefix + cursor;
  const { keys, isTruncated } = await listFiles(ctx, { prefix, startAfter, limit });
  const pages = keys.map((key) => {
    const [shard, orgId = '', table = ''] = key.slice(prefix.length).split('.');
    return { shard: Number(shard), orgId, table, read: () => readRows(ctx, key) };
  });
  return { pages, nextCursor: isTruncated ? (keys.at(-1)?.slice(prefix.length) ?? null) : null };
}

/** Returns one page of an organization's copied rows, and the name of their table. The audit log records it. */
export async function readExported(ctx: Context, id: string, { orgId, cursor }: { orgId: string; cursor?: string }) {
  requireOperator(ctx);
  await readRecord(ctx, id);
  for (const { db } of onEachDatabase(ctx)) {
    const prefix = `${rowsPrefix(id)}${db.shard}.${orgId}.`;
    const startAfter = cursor?.startsWith(prefix) ? cursor : undefined;
    const { keys, isTruncated } = await listFiles(ctx, { prefix, startAfter, limit: 1 });
    const [key] = keys;
    if (key === undefined) continue;
    await db.rows(recordAudit(ctx, { orgId, action: 'organization.rows_read', entityId: orgId, reasonCode: id }));
    const [table = ''] = key.slice(prefix.length).split('.');
    return { table, rows: await readRows(ctx, key), nextCursor: isTruncated ? key : null };
  }
  return { table: null, rows: [], nextCursor: null };
}

/** Returns the R2 keys of the PDFs that the copied rows of prescriptions name. */
export async function filesCopied(ctx: Context, id: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let cursor: string | undefined;
  do {
    const { pages, nextCursor } = await listCopied(ctx, id, { cursor, limit: LISTED });
    for (const { read } of pages.filter(({ table }) => table === 'prescriptions')) {
      for (const { fileKey } of await read()) found.add(String(fileKey));
    }
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}
