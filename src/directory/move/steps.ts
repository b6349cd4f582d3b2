import type { Context } from '../../platform/context';
import { sha256, toHex, utf8 } from '../../platform/crypto';
import { BELONGINGS, type Belonging } from './belongings';
import {
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
  async fence(ctx, { orgId, fromShard }) {
    const db = ctx.databases.at(fromShard);
    const now = ctx.now();
    const { found } = await db.run({
      fenced: setState(db, orgId, { from: 'active', to: 'moving', now }),
      found: selectState(db, orgId),
    });
    if (found[0]?.state !== 'moving') throw new Impossible('The organization is not where the directory says.');
    return { step: 'wait', fencedAt: ctx.now() };
  },

  async wait(ctx, { fencedAt }) {
    return ctx.now() < (fencedAt ?? 0) + QUIET_MS ? null : { step: 'clear', tableName: null };
  },

  /** Deletes what an earlier stay, or an earlier round, left behind. */
  async clear(ctx, { orgId, toShard, tableName }) {
    const db = ctx.databases.at(toShard);
    const { found } = await db.run({
      left: setState(db, orgId, { from: 'moving', to: 'gone', now: ctx.now() }),
      found: selectState(db, orgId),
    });
    if (found[0]?.state === 'active') throw new Impossible('The organization is active on the other database, too.');
    const isClear = found.length === 0 || (await deleteOf(ctx, toShard, orgId, tableName));
    if (isClear === true) return { step: 'copy', tableName: null, position: null, copied: 0 };
    return { tableName: isClear };
  },

  async copy(ctx, move) {
    const { orgId, fromShard, toShard, copied } = move;
    const belonging = belongingOf(move);
    const { rows, last } = await pageAt(ctx, fromShard, move, ctx.now());
    const target = ctx.databases.at(toShard);
    if (rows.length > 0) await target.run({ rows: insertPage(target, belonging, orgId, rows) });
    if (rows.length < pageSizeOf(belonging)) {
      return { ...behind(belonging, { step: 'verify' }), copied: copied + rows.length };
    }
    return { tableName: belonging.table, position: JSON.stringify(last), copied: copied + rows.length };
  },

  async verify(ctx, move) {
    const { fromShard, toShard, digests, round } = move;
    const belonging = belongingOf(move);
    const now = ctx.now();
    const [source, target] = await Promise.all([pageAt(ctx, fromShard, move, now), pageAt(ctx, toShard, move, now)]);
    const earlier: Digests = digests === null ? NO_ROWS : JSON.parse(digests);
    const both = {
      from: await continued(earlier.from, source.rows),
      to: await continued(earlier.to, target.rows),
    };
    const { rows, sha256: digest } = both.from;
    const fields = { org_id: move.orgId, table: belonging.table, total: rows };
    if (rows !== both.to.rows || digest !== both.to.sha256) {
      ctx.log('warn', 'move_differs', { ...fields, count: both.to.rows });
      if (round >= ROUNDS_MAX) throw new Impossible(`The copy of ${belonging.table} differs.`);
      return { step: 'clear', tableName: null, position: null, digests: null, round: round + 1 };
    }
    if (source.rows.length < pageSizeOf(belonging)) {
      ctx.log('info', 'move_verified', { ...fields, code: digest });
      return { ...behind(belonging, { step: 'switch' }), digests: null };
    }
    return { tableName: belonging.table, position: JSON.stringify(source.last), digests: JSON.stringify(both) };
  },

  /** In this order at no moment both databases have it active. The directory leads to the new one before that answers. */
  async switch(ctx, { orgId, fromShard, toShard }) {
    const { source, target } = bothOf(ctx, { fromShard, toShard });
    const directory = ctx.databases.at(0);
    const now = ctx.now();
    await source.run({ left: setState(source, orgId, { from: 'moving', to: 'gone', now }) });
    await directory.run({ led: leadTo(directory, orgId, toShard) });
    await target.run({ arrived: setState(target, orgId, { from: 'moving', to: 'active', now }) });
    return { step: 'done', finishedAt: ctx.now() };
  },

  /** Gives up: the organization goes on where it was. Never after the switch has begun. */
  async unfence(ctx, { orgId, fromShard, toShard }) {
    const { source, target } = bothOf(ctx, { fromShard, toShard });
    const now = ctx.now();
    await source.run({ stays: setState(source, orgId, { from: 'moving', to: 'active', now }) });
    // What was copied is deleted after a day; where that database cannot be reached, by the next move to it.
    await target.run({ left: setState(target, orgId, { from: 'moving', to: 'gone', now }) }).catch(() => undefined);
    return { step: 'failed', finishedAt: ctx.now() };
  },

  done: async () => null,
  failed: async () => null,
};

function bothOf(ctx: Context, { fromShard, toShard }: Pick<Move, 'fromShard' | 'toShard'>) {
  return { source: ctx.databases.at(fromShard), target: ctx.databases.at(toShard) };
}

interface Digest {
  rows: number;
  /** Over the digest before and the next page, hex. */
  sha256: string;
}

interface Digests {
  from: Digest;
  to: Digest;
}

const NO_ROWS: Digests = { from: { rows: 0, sha256: '' }, to: { rows: 0, sha256: '' } };

async function continued({ rows, sha256: before }: Digest, page: readonly Row[]): Promise<Digest> {
  const text = before + JSON.stringify(page.map((row) => Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  return { rows: rows + page.length, sha256: toHex(await sha256(utf8(text))) };
}

function belongingOf({ tableName }: Pick<Move, 'tableName'>): Belonging {
  const found = tableName === null ? BELONGINGS[0] : BELONGINGS.find(({ table }) => table === tableName);
  if (!found) throw new Impossible(`There is no table ${tableName}.`);
  return found;
}

/** To the next table, or to the next step. */
function behind({ table }: Belonging, next: Partial<Move>): Partial<Move> {
  const following = BELONGINGS[BELONGINGS.findIndex((each) => each.table === table) + 1];
  return following ? { tableName: following.table, position: null } : { ...next, tableName: null, position: null };
}

async function pageAt(ctx: Context, shard: number, move: Move, now: number) {
  const belonging = belongingOf(move);
  const after: Value[] | null = move.position === null ? null : JSON.parse(move.position);
  const db = ctx.databases.at(shard);
  const { page } = await db.run({ page: selectPage(db, belonging, { orgId: move.orgId, after, now }) });
  return readPage(belonging, page);
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
  const at = from === null ? BELONGINGS.length - 1 : BELONGINGS.findIndex(({ table }) => table === from);
  const belonging = BELONGINGS[at];
  if (!belonging) throw new Impossible(`There is no table ${from}.`);
  const { deleted } = await db.run(deletePage(db, belonging, orgId));
  if (deleted.meta.changes >= pageSizeOf(belonging)) return belonging.table;
  return at === 0 ? true : (BELONGINGS[at - 1]?.table ?? true);
}
