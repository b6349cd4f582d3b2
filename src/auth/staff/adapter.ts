import { type CleanedWhere, createAdapterFactory, type JoinConfig } from 'better-auth/adapters';
import { type BatchEntry, commit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import type { Condition, Statement } from '../../platform/db';
import { hashKey } from '../keys/format';
import type { HalfSignIn } from './half';
import { signInKeyOf } from './people';
import {
  deleteOneStaffRow,
  deleteStaffRows,
  insertStaffRow,
  isStaffModel,
  knownFields,
  orgOfSession,
  type StaffCondition,
  type StaffModel,
  type StaffRow,
  selectJoinedRows,
  selectStaffRows,
  updateStaffRows,
} from './store-staff';

/**
 * What else about the person's organization is read in the round trip that looks at a session: every page needs it, and
 * none should pay a second trip for it.
 */
export interface ExtraQuery {
  statement: (orgId: Condition) => Statement;
  /** Gets what the statement gave. */
  onRows: (rows: unknown) => void;
}

/** Rows that better-auth has read for this request, the last of each model. */
export type RowsRead = Partial<Record<StaffModel, StaffRow>>;

/** What of ours goes into the batches of better-auth: its act and ours stand together or not at all. */
export interface StaffWork {
  extraQuery?: ExtraQuery;
  /** Whom a sign-in is for, with the account: read already, so that better-auth need not. */
  person?: StaffRow;
  /** The stored password that was found right already: no second hash is made to see it. */
  proven?: string;
  /** How a new password is hashed (staff-password.ts). */
  recipe?: string;
  /** Under which a new password is stored. */
  withPassword?: () => BatchEntry[];
  /** The half sign-in that a code completes. */
  half?: HalfSignIn;
  /** Beside the insert that makes a session. */
  withSession?: (seen: RowsRead) => Promise<BatchEntry[]>;
  /** Beside the update that locks a second factor after too many wrong codes. */
  withLock?: (seen: RowsRead) => BatchEntry[];
}

/**
 * better-auth on our own batches: its queries are metered like all others, no error of theirs holds a parameter, a
 * session comes with its person in one round trip, and its token is kept as a hash.
 */
export function staffAdapter(ctx: Context, work: StaffWork = {}) {
  const { extraQuery, half, withSession, withLock } = work;
  const seen: RowsRead = {};
  return createAdapterFactory({
    config: {
      adapterId: 'd1-batch',
      supportsNumericIds: false,
      customTransformInput: ({ data }) => (data instanceof Date ? data.getTime() : data),
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === 'date' && typeof data === 'number' ? new Date(data) : data,
    },
    adapter: () => ({
      async create({ model, data }) {
        const name = modelNamed(model);
        if (name === 'user') throw new Error('people come by invitation');
        const row = insertStaffRow(ctx.db, name, knownFields(name, await hashToken(ctx, name, data)));
        const used = name === 'session' ? half?.useUp(ctx) : undefined;
        const expired = name === 'session' ? deleteStaffRows(ctx.db, name, expiredOf(ctx, data)) : undefined;
        const ours = name === 'session' ? await withSession?.(seen) : undefined;
        await commit(ctx, { used, expired, row, ours });
        return data;
      },
      async findOne({ model, where, join }) {
        const row = isByAddress(model, where)
          ? namedPerson(work, where)
          : await findWithJoins(ctx, modelNamed(model), where, { limit: 1, join }, extraQuery);
        if (row) seen[modelNamed(model)] = row;
        return restoreToken(row, where) as never;
      },
      async findMany({ model, where = [], limit, offset, sortBy }) {
        const conditions = await conditionsOf(ctx, modelNamed(model), where);
        const statement = selectStaffRows(ctx.db, modelNamed(model), conditions, { limit, offset, order: sortBy });
        const { rows } = await ctx.db.run({ rows: statement });
        if (model === 'verification') half?.note(rows);
        return rows as never;
      },
      async update({ model, where, update }) {
        const changes = knownFields(modelNamed(model), update as StaffRow);
        const ours = model === 'account' ? work.withPassword?.() : undefined;
        const conditions = await conditionsOf(ctx, modelNamed(model), where);
        return writeOne(ctx, updateStaffRows(ctx.db, modelNamed(model), conditions, changes), ours);
      },
      async updateMany({ model, where, update }) {
        const conditions = await conditionsOf(ctx, modelNamed(model), where);
        const rows = updateStaffRows(ctx.db, modelNamed(model), conditions, knownFields(modelNamed(model), update));
        return (await ctx.db.run({ rows })).rows.length;
      },
      async delete({ model, where }) {
        await ctx.db.run({
          rows: deleteStaffRows(ctx.db, modelNamed(model), await conditionsOf(ctx, modelNamed(model), where)),
        });
      },
      async deleteMany({ model, where }) {
        const conditions = await conditionsOf(ctx, modelNamed(model), where);
        if (model === 'verification' && half?.isHeldBack(conditions)) return 0;
        const rows = deleteStaffRows(ctx.db, modelNamed(model), conditions);
        return (await ctx.db.run({ rows })).rows.length;
      },
      async consumeOne({ model, where }) {
        const conditions = await conditionsOf(ctx, modelNamed(model), where);
        const heldBack = model === 'verification' ? half?.holdBack(conditions) : undefined;
        return (heldBack ?? (await writeOne(ctx, deleteOneStaffRow(ctx.db, modelNamed(model), conditions)))) as never;
      },
      async incrementOne({ model, where, increment, set = {} }) {
        const conditions = await conditionsOf(ctx, modelNamed(model), where);
        const ours = model === 'twoFactor' && set.lockedUntil ? withLock?.(seen) : undefined;
        return writeOne(ctx, updateStaffRows(ctx.db, modelNamed(model), conditions, set, increment), ours);
      },
      count: () => Promise.reject(new Error('nothing counts')),
    }),
  });
}

function isByAddress(model: string, where: CleanedWhere[]): boolean {
  return model === 'user' && where.some(({ field }) => field === 'email');
}

/** An address may have several memberships: who signs in is known before, and named by a key (staff-people.ts). */
function namedPerson({ person }: StaffWork, where: CleanedWhere[]): StaffRow {
  const key = person && signInKeyOf(String(person.id));
  if (!person || where.some(({ field, value }) => field !== 'email' || value !== key)) {
    throw new Error('a person is found by the membership, not by the address');
  }
  return person;
}

/** A row with those that belong to it, in one batch. */
async function findWithJoins(
  ctx: Context,
  model: StaffModel,
  where: CleanedWhere[],
  { limit, join = {} }: { limit: number; join?: JoinConfig },
  extraQuery?: ExtraQuery,
): Promise<StaffRow | null> {
  const conditions = await conditionsOf(ctx, model, where);
  const joins = Object.entries(join);
  const { base, joined, extra } = await ctx.db.run({
    base: selectStaffRows(ctx.db, model, conditions, { limit }),
    joined: joins.map(([name, { on }]) =>
      selectJoinedRows(ctx.db, { model, where: conditions, field: on.from }, { model: modelNamed(name), field: on.to }),
    ),
    extra: model === 'session' ? extraQuery?.statement(orgOfSession(conditions)) : undefined,
  });
  if (extra !== undefined) extraQuery?.onRows(extra);
  const [row] = base;
  if (!row) return null;
  const others = joins.map(([name, { relation }], index) => {
    // SAFETY: each of them is a select of rows.
    const rows = joined[index] as StaffRow[];
    return [name, relation === 'one-to-one' ? (rows[0] ?? null) : rows];
  });
  return { ...row, ...Object.fromEntries(others) };
}

async function writeOne<T>(ctx: Context, statement: Statement, ours?: BatchEntry[]): Promise<T | null> {
  const { rows } = await commit(ctx, { rows: statement, ours });
  // SAFETY: a statement that returns rows of the model that better-auth asked for.
  return (rows as T[])[0] ?? null;
}

async function conditionsOf(ctx: Context, model: StaffModel, where: CleanedWhere[]): Promise<StaffCondition[]> {
  if (where.some(({ connector }) => connector !== 'AND')) throw new Error('only AND is known');
  return Promise.all(
    where.map(async ({ field, operator, value }) => {
      const isToken = model === 'session' && field === 'token';
      return { field, operator, value: isToken ? await hashKey(ctx.config.keyPepper, String(value)) : value };
    }),
  );
}

async function hashToken(ctx: Context, model: StaffModel, row: StaffRow): Promise<StaffRow> {
  if (model !== 'session') return row;
  return { ...row, token: await hashKey(ctx.config.keyPepper, String(row.token)) };
}

/** Whoever asked by a token gets it back in place of its hash. */
function restoreToken(row: StaffRow | null, where: CleanedWhere[]): StaffRow | null {
  const asked = where.find(({ field }) => field === 'token');
  return row && asked ? { ...row, token: asked.value } : row;
}

function expiredOf(ctx: Context, { userId }: StaffRow): StaffCondition[] {
  return [
    { field: 'userId', operator: 'eq', value: userId },
    { field: 'expiresAt', operator: 'lt', value: ctx.now() },
  ];
}

function modelNamed(model: string): StaffModel {
  if (!isStaffModel(model)) throw new Error(`no table for ${model}`);
  return model;
}
