import { requireOperator, requireSystem } from '../../platform/access';
import type { Context } from '../../platform/context';
import { sha256, toHex, utf8 } from '../../platform/crypto/crypto';
import { AppError, notFound } from '../../platform/errors/errors';
import { newId } from '../../platform/ids';
import { describeError } from '../../platform/log';
import { DAY_MS, MINUTE_MS } from '../../platform/time';
import { requireBound } from '../route';
import { selectEntries } from '../store';
import { BELONGINGS, type Belonging } from './belongings';
import {
  changeState,
  deletePage,
  insertMove,
  insertPage,
  leadTo,
  type Move,
  pageSizeOf,
  type Row,
  readPage,
  saveMove,
  selectElsewhere,
  selectLeft,
  selectMove,
  selectPage,
  selectState,
  selectUnderWay,
  setState,
  takeLease,
  type Value,
} from './store';

/** An invocation that ends leaves its lease behind; no step lasts that long. */
const LEASE_MS = MINUTE_MS;
/** What one call does at most: each page is up to three queries, and D1 allows an invocation 1,000. */
const PAGES_MAX = 100;
/** How many pages may have to be done again. */
const PAGES_UNSAVED_MAX = 5;
const TIME_MAX_MS = 15_000;
/** A pharmacy is not kept waiting longer for a database that cannot be reached. */
const STUCK_MS = 10 * MINUTE_MS;
/** Before the switch nothing is lost by giving up. */
const MAY_GIVE_UP: readonly Move['step'][] = ['fence', 'wait', 'clear', 'copy', 'verify'];

/** How far the last move of an organization is, or where it lives when there was none. */
export interface MoveProgress {
  orgId: string;
  /** The number of the database where it lives now. */
  shard: number;
  /** Null when it was never moved. */
  move: Move | null;
}

/** Epoch ms before which the copying does not begin. */
export function copiesFrom({ step, fencedAt }: Move): number | null {
  return step === 'wait' && fencedAt !== null ? fencedAt + QUIET_MS : null;
}

/** @throws AppError `organization_not_found` */
export async function readMove(ctx: Context, orgId: string): Promise<MoveProgress> {
  requireOperator(ctx);
  const db = ctx.databases.at(0);
  const { entries, found } = await db.run({
    entries: selectEntries('organization', orgId),
    found: selectMove(orgId),
  });
  const [entry] = entries;
  if (!entry) throw notFound('organization_not_found', 'There is no such organization.');
  return { orgId, shard: entry.shard, move: found[0] ?? null };
}

/**
 * Moves an organization to another database: begins, or goes on for some seconds. Called again until it is done; the cron
 * goes on with it, too. Where the organization lives there already, nothing is done.
 * @throws AppError `organization_not_found`, `validation_failed`; `conflict` while it is moved elsewhere
 */
export async function moveOrganization(ctx: Context, orgId: string, shard: number): Promise<MoveProgress> {
  requireOperator(ctx);
  requireBound(ctx, shard);
  const before = await readMove(ctx, orgId);
  const isUnderWay = before.move !== null && before.move.finishedAt === null;
  if (!isUnderWay && before.shard === shard) return before;
  if (!isUnderWay) {
    const db = ctx.databases.at(0);
    await db.run({ begun: insertMove({ orgId, from: before.shard, to: shard, now: ctx.now() }) });
  }
  const { move } = await readMove(ctx, orgId);
  if (move?.toShard !== shard) {
    throw new AppError('conflict', 'The organization is being moved to another database. Wait until that has ended.');
  }
  await continueMove(ctx, orgId);
  return readMove(ctx, orgId);
}

/** Goes on with a move for some seconds, unless another invocation does. Never throws. */
async function continueMove(ctx: Context, orgId: string): Promise<void> {
  const db = ctx.databases.at(0);
  const until = ctx.now() + TIME_MAX_MS;
  const at = { lease: newId(), now: ctx.now(), until: ctx.now() + LEASE_MS };
  try {
    const { taken } = await db.run({ taken: takeLease(orgId, at) });
    let [move] = taken;
    for (let pages = 1; move && move.finishedAt === null; pages += 1) {
      const progress = await attempt(ctx, move);
      const now = ctx.now();
      const isOver = progress === null || pages >= PAGES_MAX || now >= until;
      move = { ...move, ...progress, ...(progress && { updatedAt: now }), leaseUntil: isOver ? 0 : now + LEASE_MS };
      // A page that is done again, because the invocation ended before it was written down, changes nothing.
      if (!isOver && !progress.step && pages % PAGES_UNSAVED_MAX > 0) continue;
      const { saved } = await db.run({ saved: saveMove(move) });
      if (isOver || saved.length === 0) return;
    }
  } catch (error) {
    // The directory cannot be reached: when the lease has ended, somebody goes on.
    ctx.log('error', 'move_interrupted', { org_id: orgId, ...describeError(error) });
  }
}

/** Carries out one step. @returns what it changes; null while it has to wait, also for a database that cannot be reached */
async function attempt(ctx: Context, move: Move): Promise<Partial<Move> | null> {
  const { orgId, step, updatedAt } = move;
  try {
    const progress = await STEPS[step](ctx, move);
    if (progress?.step) ctx.log('info', 'move_step', { org_id: orgId, code: progress.step });
    return progress;
  } catch (error) {
    ctx.log('error', 'move_failed', { org_id: orgId, code: step, ...describeError(error) });
    const isPassing = error instanceof AppError && ctx.now() < updatedAt + STUCK_MS;
    if (isPassing || !MAY_GIVE_UP.includes(step)) return null;
    return { step: 'unfence', failure: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Impossible) return error.message;
  if (error instanceof AppError) return 'A database could not be reached for too long.';
  return 'A database refused the rows. Does the other one have the whole catalog?';
}

/**
 * Posts, records and sweeps that were under way when the organization was fenced have ended after this time: nothing that they
 * do lasts longer.
 */
const QUIET_MS = 120_000;
/** How often an organization is copied, where the copy differs. */
const ROUNDS_MAX = 3;
/** Tables of which a page is read at once: most organizations have few rows in most tables. */
const TABLES_AT_ONCE = 6;

/** The move cannot be completed as it is. The message is for the operator. */
class Impossible extends Error {
  override readonly name = 'Impossible';
}

/** What a step changes; null while there is nothing to do but to wait. */
type Progress = Partial<Move> | null;
type Step = (ctx: Context, move: Move) => Promise<Progress>;

/** Each of them may be carried out again after it was carried out: what follows is written only afterwards. */
const STEPS: Readonly<Record<Move['step'], Step>> = {
  /** From here on every batch of the organization's own requests is undone, and nothing new is begun for it. */
  async fence(ctx, { orgId, startedAt, fromShard }) {
    const db = ctx.databases.at(fromShard);
    const now = ctx.now();
    const { found } = await db.run({
      fenced: setState({ orgId, startedAt, from: 'active', to: 'moving', now }),
      found: selectState(orgId),
    });
    if (found[0]?.state !== 'moving') throw new Impossible('The organization is not where the directory says.');
    return { step: 'wait', fencedAt: ctx.now() };
  },

  async wait(ctx, { fencedAt }) {
    return ctx.now() < (fencedAt ?? 0) + QUIET_MS ? null : { step: 'clear', tableName: null };
  },

  /** Deletes what an earlier stay, or an earlier round, left behind. */
  async clear(ctx, { orgId, startedAt, toShard, tableName }) {
    const db = ctx.databases.at(toShard);
    const cleared = { step: 'copy', tableName: null, position: null, copied: 0 } as const;
    if (tableName === null) {
      const { found } = await db.run({
        left: setState({ orgId, startedAt, from: 'moving', to: 'gone', now: ctx.now() }),
        found: selectState(orgId),
      });
      if (found[0]?.state === 'active') throw new Impossible('The organization is active on the other database, too.');
      if (found.length === 0) return cleared;
    }
    const next = await deleteOf(ctx, toShard, orgId, tableName);
    return next === true ? cleared : { tableName: next };
  },

  async copy(ctx, move) {
    const { orgId, fromShard, toShard, copied } = move;
    const pages = await nextPages(ctx, fromShard, move, ctx.now());
    const target = ctx.databases.at(toShard);
    await target.run({ pages: pages.flatMap(({ of, rows }) => insertPage(of, orgId, rows)) });
    const count = pages.reduce((sum, { rows }) => sum + rows.length, 0);
    return { ...behind(pages, { step: 'verify' }), copied: copied + count };
  },

  async verify(ctx, move) {
    const { orgId, fromShard, toShard, digest, round } = move;
    const now = ctx.now();
    const [pages, copies] = await Promise.all([
      nextPages(ctx, fromShard, move, now),
      nextPages(ctx, toShard, move, now),
    ]);
    let read: Digest = digest === null ? NO_ROWS : JSON.parse(digest);
    for (const [index, { of, rows, isFull }] of pages.entries()) {
      const copy = await continued(read, copies[index]?.rows ?? []);
      read = await continued(read, rows);
      const fields = { org_id: orgId, table: of.table, total: read.rows };
      if (read.sha256 !== copy.sha256) {
        ctx.log('warn', 'move_differs', { ...fields, count: copy.rows });
        if (round >= ROUNDS_MAX) throw new Impossible(`The copy of ${of.table} differs.`);
        return { step: 'clear', tableName: null, position: null, digest: null, round: round + 1 };
      }
      if (isFull) continue;
      ctx.log('info', 'move_verified', { ...fields, code: read.sha256 });
      read = NO_ROWS;
    }
    return { ...behind(pages, { step: 'switch' }), digest: JSON.stringify(read) };
  },

  /**
   * In this order at no moment both databases have it active. The directory leads to the new one before that answers. Each batch
   * is undone unless it is this move's turn: an invocation whose lease ended must not lift the fence of a later one.
   */
  async switch(ctx, move) {
    const { orgId, startedAt } = move;
    const { source, target } = bothOf(ctx, move);
    const directory = ctx.databases.at(0);
    const now = ctx.now();
    await source.run(changeState({ orgId, startedAt, from: 'moving', to: 'gone', now }));
    await directory.run({ led: leadTo(move) });
    await target.run(changeState({ orgId, startedAt, from: 'moving', to: 'active', now }));
    return { step: 'done', finishedAt: ctx.now() };
  },

  /** Gives up: the organization goes on where it was. Never after the switch has begun. */
  async unfence(ctx, { orgId, startedAt, fromShard, toShard }) {
    const { source, target } = bothOf(ctx, { fromShard, toShard });
    const now = ctx.now();
    await source.run({ stays: setState({ orgId, startedAt, from: 'moving', to: 'active', now }) });
    // What was copied is deleted after a day; where that database cannot be reached, by the next move to it.
    const left = setState({ orgId, startedAt, from: 'moving', to: 'gone', now });
    await target.run({ left }).catch(() => undefined);
    return { step: 'failed', finishedAt: ctx.now() };
  },

  done: async () => null,
  failed: async () => null,
};

function bothOf(ctx: Context, { fromShard, toShard }: Pick<Move, 'fromShard' | 'toShard'>) {
  return { source: ctx.databases.at(fromShard), target: ctx.databases.at(toShard) };
}

/** Of the rows of a table that were read so far. */
interface Digest {
  rows: number;
  /** Over the digest before and the next page, hex. */
  sha256: string;
}

const NO_ROWS: Digest = { rows: 0, sha256: '' };

async function continued({ rows, sha256: before }: Digest, page: readonly Row[]): Promise<Digest> {
  const text = before + JSON.stringify(page.map((row) => Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  return { rows: rows + page.length, sha256: toHex(await sha256(utf8(text))) };
}

interface Page {
  of: Belonging;
  rows: Row[];
  last: Value[] | null;
  /** There may be more rows behind it. */
  isFull: boolean;
}

/** Reads a page of the table that is to be gone on with, and of those behind it, up to the first one that is full. */
async function nextPages(ctx: Context, shard: number, { orgId, ...move }: Move, now: number): Promise<Page[]> {
  const db = ctx.databases.at(shard);
  const first = move.tableName === null ? 0 : placeOf(move.tableName);
  const tables = BELONGINGS.slice(first, first + TABLES_AT_ONCE);
  const position: Value[] | null = move.position === null ? null : JSON.parse(move.position);
  const { pages } = await db.run({
    pages: tables.map((of, index) => selectPage(of, { orgId, after: index === 0 ? position : null, now })),
  });
  const read = tables.map((of, index) => {
    const page = readPage(of, pages[index] as Row[]);
    return { of, ...page, isFull: page.rows.length >= pageSizeOf(of) };
  });
  const full = read.findIndex(({ isFull }) => isFull);
  return full < 0 ? read : read.slice(0, full + 1);
}

/** @throws Impossible where there is no such table any more */
function placeOf(table: string): number {
  const place = BELONGINGS.findIndex((of) => of.table === table);
  if (place < 0) throw new Impossible(`There is no table ${table}.`);
  return place;
}

/** Goes on behind these pages, or with the next step. */
function behind(pages: readonly Page[], next: Partial<Move>): Partial<Move> {
  const end = pages.at(-1);
  if (end?.isFull) return { tableName: end.of.table, position: JSON.stringify(end.last) };
  const following = end && BELONGINGS[BELONGINGS.indexOf(end.of) + 1];
  return following ? { tableName: following.table, position: null } : { ...next, tableName: null, position: null };
}

/**
 * Deletes a page of what an organization left behind, children first.
 * @param from the table to go on with; null for the last one
 * @returns the table to go on with; true when nothing is left
 */
export async function deleteOf(
  ctx: Context,
  shard: number,
  orgId: string,
  from: string | null,
): Promise<string | true> {
  const db = ctx.databases.at(shard);
  const at = from === null ? BELONGINGS.length - 1 : placeOf(from);
  // SAFETY: there is a table at each of these places.
  const belonging = BELONGINGS[at] as Belonging;
  const { deleted } = await db.run(deletePage(belonging, orgId));
  if (deleted.meta.changes >= pageSizeOf(belonging)) return belonging.table;
  return at === 0 ? true : (BELONGINGS[at - 1]?.table ?? true);
}

/** Moves that one run goes on with. */
const MOVES_MAX = 3;
/** How long the rows of an organization that moved away are kept. */
const KEPT_MS = DAY_MS;
const LEFT_MAX = 1_000;
/** Deleted by one run. */
const PAGES_DELETED_MAX = 50;

/** Goes on with moves whose caller ended, so that no pharmacy stays fenced. They are kept in `DB`, whose turn this is. */
export async function sweepMoves(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (ctx.databases.count === 1 || ctx.db.shard !== 0) return;
  const { underWay } = await ctx.db.run({ underWay: selectUnderWay(MOVES_MAX) });
  for (const { orgId } of underWay) await continueMove(ctx, orgId);
}

/**
 * Deletes what an organization left behind in this database a day after it moved, or after a move to it was given up. The
 * oldest goes first, and its own row last; nothing is deleted of one that does not live elsewhere.
 */
export async function sweepLeft(ctx: Context): Promise<void> {
  requireSystem(ctx);
  if (ctx.databases.count === 1) return;
  const { left } = await ctx.db.run({ left: selectLeft(ctx.now() - KEPT_MS, LEFT_MAX) });
  if (left.length === 0) return;
  const directory = ctx.databases.at(0);
  const orgIds = left.map(({ id }) => id);
  const { found } = await directory.run({ found: selectElsewhere(orgIds, ctx.db.shard) });
  const elsewhere = new Set(found.map(({ orgId }) => orgId));
  let pages = 0;
  for (const orgId of orgIds.filter((id) => elsewhere.has(id))) {
    if (pages >= PAGES_DELETED_MAX) return;
    pages += await deleteLeft(ctx, orgId, PAGES_DELETED_MAX - pages);
  }
}

/** Never throws, so that one organization keeps no other waiting. @returns how many pages were tried */
async function deleteLeft(ctx: Context, orgId: string, pagesMax: number): Promise<number> {
  const fields = { org_id: orgId, shard: ctx.db.shard };
  let table: string | null | true = null;
  let pages = 0;
  try {
    while (table !== true && pages < pagesMax) {
      pages += 1;
      table = await deleteOf(ctx, ctx.db.shard, orgId, table);
    }
    if (table === true) ctx.log('info', 'moved_rows_deleted', fields);
  } catch (error) {
    ctx.log('error', 'moved_rows_kept', { ...fields, ...describeError(error) });
  }
  return pages;
}
