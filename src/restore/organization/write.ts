import { bucketId } from '../../audit/journal';
import type { Belonging } from '../../directory/move/belongings';
import { pageSizeOf, readPage, selectPage, setState } from '../../directory/move/store';
import { inOrganization } from '../../directory/route';
import { requireSystem } from '../../platform/access';
import { type Context, withDatabase } from '../../platform/context';
import { sha256, toHex, utf8 } from '../../platform/crypto/crypto';
import { deleteFiles, type Held, listFiles, writeHeld } from '../../platform/files';
import { BackupRefused, putInBackup } from '../../platform/http/backup-bucket';
import { describeError, logged } from '../../platform/log';
import { mapConcurrent } from '../../platform/map-concurrent';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../platform/time';
import { FILE_DAYS, FILES_BYTES, FILES_MAX, ROWS_BYTES } from '../limits';
import { CLASSES } from './classes.generated';
import { endMove } from './import';
import { type Content, deleteParts, findPart, listParts, MANIFEST, putPart, schemaHash, TABLES } from './parts';
import { type ExportRecord, listExportRecords, partsPrefix, recordKey } from './record';
import { selectMark, selectStored } from './store';
import { entrySize, TAR_END, tarOf } from './tar';

/** The time that one run works on all files together (`RUN_MS`). It ends before the lease of a file (`LEASE_MS`). */
const RUN_MS = 20 * SECOND_MS;
const LEASE_MS = 45 * SECOND_MS;
/** A run writes nothing more after this many statements. D1 allows 1,000 in an invocation. */
const STATEMENTS_MAX = 800;
/** The shortest time between two saves of the record. R2 accepts one write of the same object a second. */
const SAVE_MS = 2 * SECOND_MS;
const FILES_AT_ONCE = 4;
/** How long a move may stay incomplete after its file was finished. It is then ended (`endUnused`). */
const UNFENCED_MS = HOUR_MS;

/** Continues the files that are being written. An interrupted run is continued by a later one. */
export async function writeExports(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const held = await listExportRecords(ctx);
  for (const each of held) await endUnused(ctx, each);
  const running = held.filter(({ record }) => isUnderWay(record));
  let isHung = false;
  for (const held of running) {
    // These files go to the same bucket, so each of them would wait for a timeout, too.
    if (isHung && held.record.status === 'sending') continue;
    const { refused } = await continueExport(ctx, held, ctx.now() + RUN_MS / running.length);
    isHung ||= refused === 'timeout';
  }
}

function isUnderWay({ status }: ExportRecord): boolean {
  return status === 'running' || status === 'sending';
}

/**
 * Continues one file. Never throws, so that the other files are continued, too. After an error, a later run continues
 * the file as soon as the lease has ended.
 */
async function continueExport(
  ctx: Context,
  { record: found, etag }: Held<ExportRecord>,
  until: number,
): Promise<ExportRecord> {
  if (found.lease_until > ctx.now()) return found;
  // Work that was running when the organization was fenced (closed for its move) has not ended yet.
  if (found.move_to !== null && found.fence > ctx.now()) return found;
  // It is unknown what an interrupted run wrote last, so another pass is needed.
  let record: ExportRecord = { ...found, refused: null, has_changed: found.has_changed || found.lease_until > 0 };
  const save = (before: string | null, leaseMs: number) => {
    record = { ...record, lease_until: leaseMs && ctx.now() + leaseMs };
    return writeHeld(ctx, recordKey(record), { record, etag: before });
  };
  try {
    let held = await save(etag, LEASE_MS);
    for (let savedAt = ctx.now(); held && isUnderWay(record) && ctx.now() < until; ) {
      if (ctx.db.meter.statements > STATEMENTS_MAX) break;
      record = await writeNext(ctx, record);
      if (record.refused !== null) break;
      // Lets requests run in between: with a single process, they would otherwise wait until the file is written.
      await ctx.wait(0);
      if (ctx.now() < savedAt + SAVE_MS) continue;
      held = await save(held.etag, LEASE_MS);
      savedAt = ctx.now();
    }
    if (held) await save(held.etag, 0);
    if (!isUnderWay(record)) ctx.log('info', 'export_ended', { org_id: record.org_id, code: record.status });
  } catch (error) {
    ctx.log('error', 'export_failed', { org_id: found.org_id, ...describeError(error) });
  }
  return record;
}

/** The fields of a record at the beginning of a pass. */
const START = { step: 0, part: 0, after: null, rows: 0, files: 0, bytes: TAR_END.length };

/** The `fence` of the record of a move's file until the organization is closed. It is later than any real time. */
export const NOT_FENCED = Number.MAX_SAFE_INTEGER;

/**
 * Writes the next part: rows by table, then PDFs. After the last part, the file is ready, unless the pass found changes
 * or a command was carried out during the pass. Then another pass begins, because the command may have changed rows
 * that were already read.
 */
async function writeNext(ctx: Context, record: ExportRecord): Promise<ExportRecord> {
  const failed = { ...record, status: 'failed' as const, ended_at: ctx.now() };
  if (ctx.now() > record.fence + FILE_DAYS * DAY_MS) return failed;
  if (record.status === 'sending') return sendNext(ctx, record);
  const home = await inOrganization(ctx, record.org_id);
  if (!home) return failed;
  // This context can also read an organization that is fenced.
  const at = withDatabase(ctx, ctx.databases.at(home.db.shard));
  const table = TABLES[record.step];
  if (table) return writeRows(at, record, table);
  if (record.step === TABLES.length) return writeFiles(at, record);
  const asOf = ctx.now();
  const [marked] = await at.db.rows(selectMark(record.org_id));
  // The organization has moved to another database since the directory was read.
  if (!marked || marked.state === 'gone') return failed;
  const { mark, suspended } = marked;
  const nextPass = { ...record, ...START, pass: record.pass + 1, has_changed: false, mark };
  if (record.has_changed || mark !== record.mark) return nextPass;
  const ready = await writeManifest(ctx, record, { asOf, suspended });
  const [after] = await at.db.rows(selectMark(record.org_id));
  return after?.mark === mark ? ready : nextPass;
}

interface Part {
  /** The file name of the part, without number and ending. */
  stem: string;
  ending: 'ndjson' | 'tar';
  /** A digest (hex) of the data that the part is made from; null if there is no data. */
  digest: string | null;
  /** Makes the content. Called only if the stored part is missing or differs. */
  content: () => Promise<Omit<Content, 'digest'>>;
  rows: number;
  /** The sort key of the part's last row. */
  last: ExportRecord['after'];
  /** Whether this is the last part of its table. */
  isEnd: boolean;
}

async function writeRows(ctx: Context, record: ExportRecord, of: Belonging): Promise<ExportRecord> {
  const lines: string[] = [];
  let { after: last } = record;
  let isEnd = false;
  for (let length = 0; length < ROWS_BYTES && !isEnd; ) {
    const page = await ctx.db.rows(selectPage(of, { orgId: record.org_id, after: last, now: record.fence }));
    const read = readPage(of, page);
    const text = read.rows.map((row) => `${JSON.stringify(row)}\n`);
    length += text.reduce((sum, line) => sum + line.length, 0);
    lines.push(...text);
    last = read.last ?? last;
    isEnd = page.length < pageSizeOf(of);
  }
  const plain = utf8(lines.join(''));
  return writePart(ctx, record, {
    stem: `${record.step + 10}-${of.table}`,
    ending: 'ndjson',
    digest: lines.length > 0 ? toHex(await sha256(plain)) : null,
    content: async () => ({ plain, rows: lines.length, files: 0 }),
    rows: lines.length,
    ...{ last, isEnd },
  });
}

/** Returns the files at the start of the list that one part may have. */
function firstOf<T extends { sizeBytes: number | null }>(files: readonly T[]): readonly T[] {
  let bytes = 0;
  const end = files.findIndex(({ sizeBytes }, index) => {
    bytes += sizeBytes ?? 0;
    return index > 0 && bytes > FILES_BYTES;
  });
  return end < 0 ? files : files.slice(0, end);
}

async function writeFiles(ctx: Context, record: ExportRecord): Promise<ExportRecord> {
  const after = String(record.after?.[0] ?? '');
  const stored = await ctx.db.rows(selectStored(record.org_id, { after, limit: FILES_MAX }));
  const meant = firstOf(stored);
  const last = meant.at(-1);
  return writePart(ctx, record, {
    stem: 'prescriptions',
    ending: 'tar',
    digest: last ? toHex(await sha256(utf8(JSON.stringify(meant)))) : null,
    content: async () => {
      const read = await mapConcurrent(meant, FILES_AT_ONCE, async ({ id, fileKey }) => {
        const object = await ctx.files.get(fileKey ?? '');
        if (!object) ctx.log('warn', 'export_lacks_file', { prescription_id: id });
        return object && { name: `${id}.pdf`, bytes: new Uint8Array(await object.arrayBuffer()) };
      });
      const found = read.filter((file) => file !== null);
      return { plain: tarOf(found), rows: 0, files: found.length };
    },
    rows: 0,
    last: last ? [last.id] : null,
    isEnd: meant.length === stored.length && stored.length < FILES_MAX,
  });
}

/**
 * Writes a part unless the stored part has the same digest. After the last part of a table, deletes stored parts of
 * that table with higher numbers.
 */
async function writePart(ctx: Context, record: ExportRecord, part: Part): Promise<ExportRecord> {
  const { stem, ending, digest, content, rows, last, isEnd } = part;
  const next = { ...record, after: last };
  if (digest !== null) {
    const name = `${stem}-${String(record.part).padStart(5, '0')}.${ending}.age`;
    const there = await findPart(ctx, record.id, name);
    const isSame = there?.digest === digest;
    const kept = isSame ? there : await putPart(ctx, record, name, { ...(await content()), digest });
    next.part += 1;
    next.rows += rows;
    next.files += kept.files;
    next.bytes += entrySize(kept.size);
    next.has_changed ||= !isSame;
  }
  if (!isEnd) return next;
  const from = `${stem}-${String(next.part).padStart(5, '0')}`;
  const isShorter = await deleteParts(ctx, record.id, `${stem}-`, from);
  return { ...next, has_changed: next.has_changed || isShorter, step: record.step + 1, part: 0, after: null };
}

/** Writes the manifest. It lists the parts, and the class of each column whose class is not `business`. */
async function writeManifest(
  ctx: Context,
  record: ExportRecord,
  { asOf, suspended }: { asOf: number; suspended: number | null },
): Promise<ExportRecord> {
  const parts = await listParts(ctx, record.id);
  const manifest = {
    version: 1,
    schema: await schemaHash(),
    org_id: record.org_id,
    export_id: record.id,
    bucket: await bucketId(ctx),
    fence: new Date(record.fence).toISOString(),
    as_of: new Date(asOf).toISOString(),
    suspended_at: suspended && new Date(suspended).toISOString(),
    ...{ rows: record.rows, files: record.files, parts: parts.map(({ digest: _, ...part }) => part) },
    classes: CLASSES,
  };
  const plain = utf8(JSON.stringify(manifest));
  const written = await putPart(ctx, record, MANIFEST, { plain, rows: 0, files: 0, digest: '' });
  const bytes = record.bytes + entrySize(written.size);
  const done = { ...record, bytes, sha256: written.sha256 };
  return record.is_backup ? { ...done, status: 'sending' } : { ...done, status: 'ready', ended_at: ctx.now() };
}

/**
 * Sends the next part of a backup. The manifest is sent last, so a backup that has a manifest is complete. A part that
 * was refused is sent again.
 */
async function sendNext(ctx: Context, record: ExportRecord): Promise<ExportRecord> {
  const prefix = partsPrefix(record.id);
  // Two names are listed, because one of them may be the manifest, which is skipped.
  const { keys, isTruncated } = await listFiles(ctx, { prefix, startAfter: prefix + record.sent, limit: 2 });
  const next = keys.map((key) => key.slice(prefix.length)).find((name) => name !== MANIFEST);
  if (next === undefined && isTruncated) return { ...record, sent: MANIFEST };
  const name = next ?? MANIFEST;
  const object = await ctx.files.get(prefix + name);
  if (!object) return { ...record, status: 'failed', ended_at: ctx.now() };
  const folder = `organizations/${record.org_id}/${new Date(record.fence).toISOString().replaceAll(':', '-')}`;
  try {
    await putInBackup(ctx, `${folder}/${name}`, new Uint8Array(await object.arrayBuffer()));
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error;
    ctx.log('error', 'export_failed', { org_id: record.org_id, code: error.code, ...describeError(error) });
    return { ...record, refused: error.code };
  }
  return next ? { ...record, sent: next } : { ...record, status: 'ready', ended_at: ctx.now() };
}

/**
 * Ends a move that nobody continued, because a pharmacy must not stay closed. If all rows are on the other database,
 * the move is completed. Otherwise, the organization is opened again on its old database. A move whose first call was
 * interrupted is ended, too.
 */
async function endUnused(ctx: Context, { record, etag }: Held<ExportRecord>): Promise<void> {
  const { org_id: orgId, move_to, fence, fenced_at: startedAt, sha256: hash } = record;
  const ended_at = record.ended_at ?? (fence === NOT_FENCED ? startedAt : null);
  if (move_to === null || ended_at === null || ctx.now() < ended_at + UNFENCED_MS) return;
  await logged(ctx, ['error', 'move_failed', { org_id: orgId }], async () => {
    const change = { orgId, startedAt, from: 'moving', to: 'active', now: ctx.now() } as const;
    const home = (await endMove(ctx, orgId, hash)) ? null : await inOrganization(ctx, orgId);
    if (home) {
      const stays = await ctx.databases.at(home.db.shard).rows(setState(change));
      if (stays.meta.changes > 0) ctx.log('warn', 'move_given_up', { org_id: orgId });
    }
    const status = record.ended_at === null ? 'failed' : record.status;
    await writeHeld(ctx, recordKey(record), { record: { ...record, status, ended_at, move_to: null }, etag });
  });
}

/** Deletes the parts of a file, and its record. */
export async function deleteExport(ctx: Context, record: ExportRecord): Promise<void> {
  await deleteParts(ctx, record.id, '');
  await deleteFiles(ctx, [recordKey(record)]);
}

/** Deletes each file of an organization `FILE_DAYS` after its writing ended. */
export async function sweepExports(ctx: Context): Promise<void> {
  requireSystem(ctx);
  for (const { record } of await listExportRecords(ctx)) {
    if (record.ended_at === null || ctx.now() < record.ended_at + FILE_DAYS * DAY_MS) continue;
    await deleteExport(ctx, record);
    ctx.log('info', 'export_deleted', { org_id: record.org_id });
  }
}
