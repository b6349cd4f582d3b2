import * as z from 'zod';
import { recordAudit } from '../audit/record';
import { requireOperator } from '../platform/access';
import { type Context, onEachDatabase } from '../platform/context';
import { decrypt, encrypt } from '../platform/crypto/crypto';
import { invalidInput } from '../platform/errors/errors';
import { listFiles, putText, readText } from '../platform/files';
import { describeError } from '../platform/log';
import { changedPrefix, type RestoreRecord, readRecord, rowsPrefix, writeRecord } from './record';
import { PARTS, type Row, selectGivenUp, selectNextOrganization } from './store';

/** Pages per call; each costs a query of D1 and two objects of R2. */
const PAGES = 40;

/**
 * The position of the export. If `part` is past the last part, the next organization follows; the page begins after
 * `after`.
 */
interface Place {
  shard: number;
  orgId: string;
  part: number;
  after: string | number | null;
}

interface Exported {
  /** Number of rows that this call copied. */
  rows: number;
  /** Databases that were skipped because they could not be read. */
  unreadable: number[];
  nextCursor: string | null;
}

/**
 * Before the databases are restored, copies the rows that have changed since the time of the restore to the bucket,
 * encrypted, with the ids of orders, requests and files, which later show what was lost. Each call copies some pages. A
 * database that cannot be read is skipped; its losses are then unknown.
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
  /** The next position. */
  place: Place;
}

function startOf(shard: number): Place {
  return { shard, orgId: '', part: PARTS.length, after: null };
}

async function nextPage(at: Context, record: RestoreRecord, place: Place): Promise<Copied> {
  try {
    return await copyPage(at, record, place);
  } catch (error) {
    at.log('error', 'database_failed', { shard: at.db.shard, ...describeError(error) });
    record.unreadable.push(at.db.shard);
    return { rows: 0, place: startOf(place.shard + 1) };
  }
}

async function copyPage(at: Context, record: RestoreRecord, place: Place): Promise<Copied> {
  const { shard, orgId, after } = place;
  const part = PARTS[place.part];
  if (!part) {
    if (orgId === '') await copyGivenUp(at, record, shard);
    const [next] = await at.db.rows(selectNextOrganization(orgId));
    return { rows: 0, place: next ? { shard, orgId: next.id, part: 0, after: null } : startOf(shard + 1) };
  }
  const rows = await at.db.rows(part.select({ orgId, at: record.at, after, limit: part.page }));
  if (rows.length > 0) {
    const name = `${shard}.${orgId}.${part.name}.${after ?? ''}`;
    const key = rowsPrefix(record.id) + name;
    await putText(at, key, await encrypt(at.config.roots, 'restore export', JSON.stringify(rows), key));
    const changed = changedIn(part.name, rows);
    if (changed) await writeChanged(at, record.id, name, { ...NOTHING, shard, orgId, ...changed });
  }
  const last = rows.at(-1);
  const isWhole = rows.length < part.page || !last;
  const next = isWhole ? { ...place, part: place.part + 1, after: null } : { ...place, after: part.afterOf(last) };
  return { rows: rows.length, place: next };
}

/** The ids in the rows of a part that the steps after the restore need; null if none. */
function changedIn(part: string, rows: readonly Record<string, unknown>[]): Partial<Changed> | null {
  // SAFETY: these are the columns of the tables that the parts name.
  const ids = () => (rows as { id: string }[]).map(({ id }) => id);
  if (part === 'orders') return { orders: ids() };
  if (part === 'order_requests') return { requests: ids() };
  if (part !== 'prescriptions') return null;
  return { files: (rows as { fileKey: string | null }[]).flatMap(({ fileKey }) => fileKey ?? []) };
}

async function copyGivenUp(at: Context, record: RestoreRecord, shard: number): Promise<void> {
  const rows = await at.db.rows(selectGivenUp());
  if (rows.length === 0) return;
  const givenUp = rows.map(({ fileKey }) => fileKey);
  await writeChanged(at, record.id, `${shard}.file_deletions`, { ...NOTHING, shard, orgId: '', givenUp });
}

/** @throws AppError `validation_failed` */
function placeOf(cursor: string): Place {
  try {
    // SAFETY: what was sent by another is a place that does not exist, and ends the export or finds nothing.
    const place = JSON.parse(cursor) as Place;
    return { shard: Number(place.shard), orgId: String(place.orgId), part: Number(place.part), after: place.after };
  } catch {
    throw invalidInput([{ pointer: '/cursor', code: 'invalid_cursor', message: 'Send the next_cursor of an answer.' }]);
  }
}

/** A page of copied rows. */
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

/** Some of the copied pages. @param cursor `nextCursor` of the previous call */
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

/** One page of an organization's copied rows, with the name of their table. */
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

/** The ids of the rows that changed in the lost period. */
const changedSchema = z.object({
  shard: z.int(),
  orgId: z.string(),
  orders: z.array(z.string()),
  requests: z.array(z.string()),
  /** R2 keys of prescriptions. */
  files: z.array(z.string()),
  /** R2 keys that were on the deletion list. */
  givenUp: z.array(z.string()),
});
type Changed = z.infer<typeof changedSchema>;

const NOTHING = { orders: [], requests: [], files: [], givenUp: [] };

/** Objects per page; each costs a read of R2 and a batch of D1. */
const PAGE = 50;
/** Page size of R2's list. */
const FILES_LISTED = 1_000;

/** @param place unique among the objects of the restore; writing to the same place again replaces the object */
function writeChanged(ctx: Context, id: string, place: string, changed: Changed): Promise<void> {
  return putText(ctx, changedPrefix(id) + place, JSON.stringify(changed));
}

/** One page of the lists of changed ids. @param cursor `nextCursor` of the previous page */
export async function readChanged(
  ctx: Context,
  id: string,
  cursor: string | undefined,
): Promise<{ changed: Changed[]; nextCursor: string | null }> {
  const prefix = changedPrefix(id);
  const startAfter = cursor === undefined ? undefined : prefix + cursor;
  const { keys, isTruncated } = await listFiles(ctx, { prefix, startAfter, limit: PAGE });
  const changed = await Promise.all(keys.map((key) => readOne(ctx, key)));
  return { changed, nextCursor: isTruncated ? (keys.at(-1)?.slice(prefix.length) ?? null) : null };
}

/** The R2 keys of all prescriptions that were changed. */
export async function filesChanged(ctx: Context, id: string): Promise<ReadonlySet<string>> {
  const prefix = changedPrefix(id);
  const found = new Set<string>();
  let startAfter: string | undefined;
  do {
    const { keys, isTruncated } = await listFiles(ctx, { prefix, startAfter, limit: FILES_LISTED });
    const ofFiles = keys.filter((key) => key.includes('.prescriptions.'));
    const changed = await Promise.all(ofFiles.map((key) => readOne(ctx, key)));
    for (const file of changed.flatMap(({ files }) => files)) found.add(file);
    startAfter = isTruncated ? keys.at(-1) : undefined;
  } while (startAfter);
  return found;
}

async function readOne(ctx: Context, key: string): Promise<Changed> {
  return changedSchema.parse(JSON.parse((await readText(ctx, key)) ?? 'null'));
}
