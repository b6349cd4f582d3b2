import * as z from 'zod';
import { coversSince } from '../../audit/journal';
import { recordAudit } from '../../audit/record';
import { emailKey } from '../../directory/emails';
import { deleteRowsOf } from '../../directory/move/left';
import {
  assertBelong,
  changeState,
  insertPage,
  leadTo,
  type Row,
  selectState,
  settle,
} from '../../directory/move/store';
import { reserve, reserveHost } from '../../directory/reserve';
import { mostRoom, requireBound } from '../../directory/route';
import { deleteEntriesOf, selectEntries } from '../../directory/store';
import { requireOperator, requireSystem } from '../../platform/access';
import { commit } from '../../platform/commit';
import { type Context, onEachDatabase, withDatabase } from '../../platform/context';
import { sha256, toHex, utf8 } from '../../platform/crypto/crypto';
import { ConstraintError } from '../../platform/data/db';
import type { Statement } from '../../platform/data/statements';
import { AppError, invalidField, notFound } from '../../platform/errors/errors';
import { deleteFiles, type Held, readHeld, writeHeld } from '../../platform/files';
import { jsonOrNothing } from '../../platform/http/json';
import { newIdPrefix } from '../../platform/ids';
import { SECOND_MS } from '../../platform/time';
import { putBack } from '../../prescriptions/storage';
import { activeHosts, hostTaken } from '../../tenants/hosts';
import { markerOf } from '../../webhooks/outbox';
import { EVENT_GAP, NUMBER_GAP } from '../limits';
import { type Person, REPLAY_STEPS, replayFor } from '../replay';
import { insertMarkers, raiseNumberFloors, selectHighest, touchOrders, touchRequests } from '../store';
import { columnsOf, manifestSchema, schemaHash, tableOfPart } from './parts';
import { exportSchema, importKey, recordKey } from './record';
import { selectChangedSince, selectFilesOf, selectLeading, shutOut } from './store';
import { filesOf } from './tar';

/** The most pages of rows that one call deletes. D1 allows 1,000 queries in an invocation. */
const PAGES_MAX = 300;
/** The most pages of the journal that one call replays. */
const REPLAY_PAGES_MAX = 8;
/** The time after which every isolate knows that an organization is suspended (auth/keys/use.ts). */
const SHUT_MS = 31 * SECOND_MS;

const importSchema = z.object({
  v: z.literal(1).default(1),
  org_id: z.string(),
  /** SHA-256 of the manifest, hex. */
  id: z.string(),
  /**
   * `new`: the organization was not here. `replace`: the organization here is set back to the file. `move`: the
   * organization comes from another database, where it is fenced (closed).
   */
  mode: z.enum(['new', 'replace', 'move']),
  shard: z.int(),
  /**
   * The database that the organization comes from; null if the import is no move. `shard` is the number of that
   * database. `fenced_at` is the time when the move began (epoch ms). This time identifies the move (`changeState`).
   */
  from: z.object({ shard: z.int(), fenced_at: z.number() }).nullable(),
  fence: z.number(),
  began_at: z.number(),
  state: z.enum(['clearing', 'receiving', 'replaying', 'done']).default('clearing'),
  parts: z.array(z.object({ name: z.string(), sha256: z.string() })),
  /** The number of parts that are imported, which is also the index of the next part. */
  next: z.int().default(0),
  /**
   * The time since which the organization counts as suspended after the import, epoch ms. Null if the organization is
   * active after the import. During the import, the organization is always suspended.
   */
  suspended_at: z.number().nullable().default(null),
  /** The highest event number and order number that the organization had before the import. */
  highest: z.object({ events: z.number(), orders: z.number() }),
  /**
   * The ids of the orders and requests that the organization had before the import, and that had changed since the file
   * was written.
   */
  changed: z.object({ orders: z.array(z.string()), requests: z.array(z.string()) }),
  /** The place where the journal is read next; null if it was read to its end. */
  replay: z.object({ step: z.enum(REPLAY_STEPS), cursor: z.string().optional() }).nullable(),
  passwords_ended: z.array(z.string()).default([]),
  second_factors_lost: z.array(z.string()).default([]),
});
export type ImportRecord = z.infer<typeof importSchema>;

interface Asked {
  /** The text of the file's manifest. */
  manifest: string;
  /** The number of the database for a new organization; by default that of the smallest database. */
  shard?: number;
  /** Whether the import may replace an organization that is here. */
  isReplacing?: boolean;
}

/**
 * Begins or continues the import of an organization from its file, until the next part is needed or all is done. A call
 * with the manifest of the current import continues that import. A call with another manifest begins a new import. A
 * call with `isReplacing` also begins a new import if the current one is done.
 * @throws AppError `validation_failed`; `conflict` if the organization is here and is not to be replaced, if the
 *   journal does not reach back to the file, or if another call continues the import at the same time
 */
export async function continueImport(ctx: Context, orgId: string, asked: Asked): Promise<ImportRecord> {
  requireOperator(ctx);
  const id = toHex(await sha256(utf8(asked.manifest)));
  const held = await readHeld(ctx, importKey(orgId), importSchema);
  const isSame = held?.record.id === id && (held.record.state !== 'done' || !asked.isReplacing);
  let at =
    held && isSame ? held : await write(ctx, await begin(ctx, orgId, id, asked, held?.record), held?.etag ?? null);
  for (let pages = 0; pages < PAGES_MAX; ) {
    const { state } = at.record;
    if (state === 'done' || (state === 'receiving' && at.record.next < at.record.parts.length)) break;
    const { record, cost } = await STEPS[state](ctx, at.record);
    pages += cost;
    at = await write(ctx, record, at.etag);
  }
  return at.record;
}

/** Stores the record of an import. @throws AppError `conflict` if another call has written it since it was read */
async function write(ctx: Context, record: ImportRecord, etag: string | null): Promise<Held<ImportRecord>> {
  const held = await writeHeld(ctx, importKey(record.org_id), { record, etag });
  if (!held) throw new AppError('conflict', 'Somebody else goes on with this import. Try again.');
  return held;
}

async function begin(
  ctx: Context,
  orgId: string,
  id: string,
  asked: Asked,
  under?: ImportRecord,
): Promise<ImportRecord> {
  const manifest = await manifestOf(orgId, asked.manifest);
  const place = await placeOf(ctx, { orgId, id, exportId: manifest.export_id, asked, under });
  // While the organization was suspended, nobody was erased and nobody's access ended, so the journal is not needed.
  const isClosed = manifest.suspended_at !== null && manifest.suspended_at < manifest.fence;
  const isCovered =
    place.mode === 'move' ||
    (place.mode === 'new' && isClosed) ||
    (await coversSince(ctx, manifest.fence, manifest.bucket));
  if (!isCovered) {
    const message =
      'Who was erased since the file was written is not known: the journal does not reach back to its fence.';
    throw new AppError('conflict', message);
  }
  const { db } = withDatabase(ctx, ctx.databases.at(place.shard));
  const before = under && under.state !== 'done' ? under : null;
  const since = { orgId, since: manifest.fence };
  const { highest, changed } = await db.run({ highest: selectHighest(orgId), changed: selectChangedSince(since) });
  const began_at = ctx.now();
  // With one database, no batch checks the organization's state, so this also suspends it.
  await db.run({ shut: shutOut(orgId, began_at) });
  const idsOf = (kind: string) => changed.flatMap((row) => (row.kind === kind ? [row.id] : []));
  return importSchema.parse({
    ...{ org_id: orgId, id, ...place, fence: manifest.fence, began_at },
    parts: manifest.parts.filter(({ name }) => place.mode !== 'move' || tableOfPart(name) !== null),
    highest: before?.highest ?? { events: highest[0]?.events ?? 0, orders: highest[0]?.orders ?? 0 },
    changed: before?.changed ?? { orders: idsOf('order'), requests: idsOf('request') },
    replay: place.mode === 'move' || (place.mode === 'new' && isClosed) ? null : { step: REPLAY_STEPS[0] },
  });
}

/**
 * Parses the text of a manifest. It must be of this organization and of this version of the schema.
 * @throws AppError `validation_failed`
 */
async function manifestOf(orgId: string, text: string) {
  const refused = (code: string, message: string) => invalidField('/manifest', code, message);
  const read = manifestSchema.safeParse(jsonOrNothing(text));
  if (!read.success) throw refused('invalid_manifest', 'Send the text of manifest.json as it is in the file.');
  if (read.data.org_id !== orgId) throw refused('other_organization', 'The file is of another organization.');
  if (read.data.schema !== (await schemaHash()))
    throw refused('other_schema', 'The file was written by another version of the service. Deploy that version first.');
  return read.data;
}

interface Wanted {
  orgId: string;
  id: string;
  exportId: string;
  asked: Asked;
  under?: ImportRecord;
}

/**
 * Returns the mode of an import, and the database to which the organization is imported.
 * @throws AppError `conflict` if the organization is here and `isReplacing` is not set
 */
async function placeOf(
  ctx: Context,
  { orgId, id, exportId, asked, under }: Wanted,
): Promise<Pick<ImportRecord, 'mode' | 'shard' | 'from'>> {
  const [entry] = await ctx.databases.at(0).rows(selectEntries('organization', orgId));
  const file = await readHeld(ctx, recordKey({ org_id: orgId, id: exportId }), exportSchema);
  if (entry && file?.record.sha256 === id && file.record.move_to !== null) {
    const from = { shard: entry.shard, fenced_at: file.record.fenced_at };
    return { mode: 'move', shard: file.record.move_to, from };
  }
  const states = await Promise.all(onEachDatabase(ctx).map(({ db }) => db.rows(selectState(orgId))));
  const hasBegun = under !== undefined && under.state !== 'done' && under.mode !== 'move';
  const isHere = states.flat().length > 0 && !(hasBegun && under.mode === 'new');
  if (isHere && asked.isReplacing !== true) {
    throw new AppError('conflict', 'The organization is here. With "replace": true it goes back to the file.');
  }
  if (isHere || (hasBegun && under.mode === 'replace')) {
    return { mode: 'replace', shard: entry?.shard ?? under?.shard ?? 0, from: null };
  }
  const shard = asked.shard ?? (hasBegun ? under.shard : await mostRoom(ctx));
  requireBound(ctx, shard);
  return { mode: 'new', shard, from: null };
}

type Step = (ctx: Context, record: ImportRecord) => Promise<{ record: ImportRecord; cost: number }>;

/** The steps of an import, by state. A step may run twice, because the next state is written only after the step. */
const STEPS: Readonly<Record<'clearing' | 'receiving' | 'replaying', Step>> = {
  /**
   * Deletes the organization's rows from this database: rows from before the import, or rows of an import that was
   * given up.
   */
  async clearing(ctx, record) {
    if (record.mode === 'replace' && ctx.now() < record.began_at + SHUT_MS) return { record, cost: PAGES_MAX };
    const { pages, isDone } = await deleteRowsOf(ctx, record.shard, record.org_id, PAGES_MAX);
    return { record: isDone ? { ...record, state: 'receiving' } : record, cost: pages };
  },

  /**
   * Runs when all parts are imported. Raises event and order numbers above those used since the file was written. Marks
   * as changed the rows that were set back.
   */
  async receiving(ctx, record) {
    const { org_id: orgId, highest, changed } = record;
    if (record.replay === null) return { record: { ...record, state: 'replaying' }, cost: 1 };
    const { db } = withDatabase(ctx, ctx.databases.at(record.shard));
    const [there] = await db.rows(selectHighest(orgId));
    const mark = {
      org_id: orgId,
      seq: Math.max(highest.events, there?.events ?? 0) + EVENT_GAP,
      number: Math.max(highest.orders, there?.orders ?? 0) + NUMBER_GAP,
    };
    await db.run({
      markers: insertMarkers([mark], { idPrefix: newIdPrefix(), ...markerOf(ctx) }),
      numbers: raiseNumberFloors([mark]),
      orders: touchOrders(orgId, changed.orders, ctx.now()),
      requests: touchRequests(orgId, changed.requests, ctx.now()),
    });
    return { record: { ...record, state: 'replaying' }, cost: 1 };
  },

  /** Repeats the acts in the journal, a page in each call, and then makes the organization active. */
  async replaying(ctx, record) {
    const { org_id: orgId, shard, replay } = record;
    const home = withDatabase(ctx, ctx.databases.at(shard));
    if (replay === null) {
      await activate(home, record);
      return { record: { ...record, state: 'done' }, cost: 1 };
    }
    const page = await replayFor(home, { orgId, since: record.fence, ...replay });
    const idsOf = (people: readonly Person[]) => people.map(({ memberId }) => memberId);
    return {
      record: {
        ...record,
        replay: page.next,
        suspended_at: page.suspendedAt === undefined ? record.suspended_at : page.suspendedAt,
        passwords_ended: [...record.passwords_ended, ...idsOf(page.passwordsEnded)],
        second_factors_lost: [...record.second_factors_lost, ...idsOf(page.secondFactorsLost)],
      },
      cost: PAGES_MAX / REPLAY_PAGES_MAX,
    };
  },
};

/**
 * Completes a move that nobody continues, if all its rows are imported.
 * @param id the id of the import: the SHA-256 of the file's manifest
 * @returns whether the move is complete
 */
export async function endMove(ctx: Context, orgId: string, id: string | null): Promise<boolean> {
  requireSystem(ctx);
  const held = await readHeld(ctx, importKey(orgId), importSchema);
  if (held?.record.id !== id || held?.record.mode !== 'move') return false;
  if (held.record.state !== 'replaying') return held.record.state === 'done';
  await write(ctx, (await STEPS.replaying(ctx, held.record)).record, held.etag);
  return true;
}

/**
 * Makes the organization active on this database, and makes its directory entries point to this database. At no time is
 * an organization active on two databases.
 */
async function activate(home: Context, { org_id: orgId, from, shard, suspended_at }: ImportRecord): Promise<void> {
  const now = home.now();
  const audit = recordAudit(home, { orgId, action: 'organization.imported', entityId: orgId });
  if (from) {
    const of = { orgId, startedAt: from.fenced_at, from: 'moving' as const, now };
    await home.databases.at(from.shard).run(changeState({ ...of, to: 'gone' }));
    await home.databases.at(0).run({ led: leadTo(orgId, shard) });
    await home.db.run({ ...changeState({ ...of, to: 'active' }), audit });
    return;
  }
  const { states, hosts, emails } = await home.db.run({ states: selectState(orgId), ...selectLeading(orgId) });
  // An earlier call that was interrupted has already made it active.
  if (states[0]?.state === 'active') return;
  const directory: Statement[] = await reserve(home, { kind: 'organization', key: orgId, orgId });
  for (const { host } of hosts) {
    const reserved = await reserveHost(home, { host, orgId }, activeHosts);
    if (!reserved) throw hostTaken();
    directory.push(...reserved);
  }
  for (const { email } of emails) {
    directory.push(...(await reserve(home, { kind: 'email', key: await emailKey(home, email), orgId })));
  }
  await commit(home, {
    directory,
    active: settle(orgId, suspended_at),
    audit,
  });
}

/**
 * Imports one part of the file, decrypted. A part that is sent again changes nothing.
 * @param of.part the index of the part in the manifest, from 0
 * @throws AppError `not_found` if no such import waits for parts; `validation_failed` if the manifest has another hash
 *   for this part; `conflict` if another part is next, or if the rows belong to other organizations or refer to missing
 *   rows
 */
export async function importPart(
  ctx: Context,
  of: { orgId: string; id: string; part: number },
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ImportRecord> {
  requireOperator(ctx);
  const held = await readHeld(ctx, importKey(of.orgId), importSchema);
  if (held?.record.id !== of.id || held.record.state !== 'receiving') {
    throw notFound('not_found', 'No import of this file waits for parts. Begin it first.');
  }
  const { record, etag } = held;
  const part = record.parts[of.part];
  if (!part || of.part > record.next) throw new AppError('conflict', `Send part ${record.next} first.`);
  if (of.part < record.next) return record;
  if (toHex(await sha256(bytes)) !== part.sha256)
    throw invalidField('', 'wrong_hash', 'The part is not the one of the manifest.');
  const home = withDatabase(ctx, ctx.databases.at(record.shard));
  const table = tableOfPart(part.name);
  if (!table) {
    await importFiles(home, of.orgId, bytes);
    return (await write(ctx, { ...record, next: record.next + 1 }, etag)).record;
  }
  const rows = rowsOf(bytes, table.table);
  const suspended = rows[0]?.suspended_at;
  const isOrganization = table.table === 'organizations';
  const written = record.mode === 'move' ? rows : rows.map((row) => ended(record.mode, table.table, row, ctx.now()));
  try {
    await home.db.run({ rows: insertPage(table, of.orgId, written), own: assertBelong(table, of.orgId, written) });
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    const message = `Rows of ${table.table} belong to others, or refer to what is not here. Is the whole catalog imported?`;
    throw new AppError('conflict', message);
  }
  const after = {
    ...record,
    next: record.next + 1,
    ...(isOrganization && { suspended_at: Number(suspended) || null }),
  };
  return (await write(ctx, after, etag)).record;
}

/**
 * Gives up the import of a new organization, and deletes some pages of its rows. When no rows are left, a new import
 * may begin.
 * @returns whether no rows are left
 * @throws AppError `not_found`; `conflict` for an import that is done, or that replaces or moves an organization
 */
export async function giveImportUp(ctx: Context, orgId: string): Promise<boolean> {
  requireOperator(ctx);
  const held = await readHeld(ctx, importKey(orgId), importSchema);
  if (!held) throw notFound('not_found', 'There is no such import.');
  const { mode, state, shard } = held.record;
  if (mode !== 'new' || state === 'done') {
    throw new AppError('conflict', 'Only the import of a new organization is given up, before it is done.');
  }
  await withDatabase(ctx, ctx.databases.at(shard)).db.run({ shut: shutOut(orgId, ctx.now()) });
  if (!(await deleteRowsOf(ctx, shard, orgId, PAGES_MAX)).isDone) return false;
  await ctx.databases.at(0).run({ entries: deleteEntriesOf(orgId) });
  await deleteFiles(ctx, [importKey(orgId)]);
  return true;
}

/** Parses the rows of a part, one JSON object on each line. @throws AppError `validation_failed` */
function rowsOf(bytes: Uint8Array, table: string): Row[] {
  const known = columnsOf(table);
  const rowSchema = z.record(
    z.string().refine((column) => known.has(column)),
    z.union([z.string(), z.number(), z.null()]),
  );
  const lines = new TextDecoder().decode(bytes).split('\n').filter(Boolean).map(jsonOrNothing);
  const read = z.array(rowSchema).min(1).safeParse(lines);
  if (!read.success) throw invalidField('', 'invalid_rows', `The rows are not those of ${table}.`);
  return read.data;
}

/**
 * Returns a row as the import writes it. Waiting deliveries and e-mails are ended, because they may have been sent
 * after the file was written. The organization is suspended until the import is done.
 */
function ended(mode: ImportRecord['mode'], table: string, row: Row, now: number): Row {
  // A new organization gets no link to its test organization, which has a file of its own.
  if (table === 'organizations')
    return { ...row, suspended_at: now, ...(mode === 'new' && row.is_test === 0 && { counterpart_id: null }) };
  if (table === 'deliveries' && ['pending', 'delivering', 'held'].includes(String(row.status)))
    return { ...row, status: 'cancelled', lease_until: 0, finished_at: now };
  if (table === 'emails' && ['waiting', 'sending'].includes(String(row.state)))
    return { ...row, state: 'dropped', recipient: null };
  if (table === 'subscriptions') return { ...row, is_settling: 0, recover_after: null };
  return row;
}

/** Stores the PDFs that the rows of prescriptions name. @throws AppError `validation_failed` */
async function importFiles(home: Context, orgId: string, archive: Uint8Array<ArrayBuffer>): Promise<void> {
  const found = filesOf(archive);
  const ids = [...found.keys()].map((name) => name.replace(/\.pdf$/, ''));
  for (const { id, fileKey, sha256: hash, ...owner } of await home.db.rows(selectFilesOf(orgId, ids))) {
    const bytes = found.get(`${id}.pdf`);
    if (!bytes || fileKey === null) continue;
    const digest = await sha256(bytes);
    if (toHex(digest) !== hash) throw invalidField('', 'wrong_hash', `The PDF of prescription ${id} is another one.`);
    await putBack(home, { fileKey, bytes, digest }, { orgId, ...owner });
  }
}
