import type { Context } from '../../platform/context';
import { sha256, toHex, utf8 } from '../../platform/crypto';
import { BELONGINGS, type Belonging } from './belongings';
import {
  changeState,
  deletePage,
  insertPage,
  pageSizeOf,
  type Row,
  readPage,
  selectPage,
  selectState,
  setState,
  type Value,
} from './store-copy';
import { leadTo, type Move } from './store-moves';

/**
 * Posts, records and sweeps that were under way when the organization was fenced have ended after this time: nothing that they
 * do lasts longer.
 */
export const QUIET_MS = 120_000;
/** How often an organization is copied, where the copy differs. */
const ROUNDS_MAX = 3;
/** Tables of which a page is read at once: most organizations have few rows in most tables. */
const TABLES_AT_ONCE = 6;

/** The move cannot be completed as it is. The message is for the operator. */
export class Impossible extends Error {
  override readonly name = 'Impossible';
}

/** What a step changes; null while there is nothing to do but to wait. */
type Progress = Partial<Move> | null;
type Step = (ctx: Context, move: Move) => Promise<Progress>;

/** Each of them may be carried out again after it was carried out: what follows is written only afterwards. */
export const STEPS: Readonly<Record<Move['step'], Step>> = {
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
