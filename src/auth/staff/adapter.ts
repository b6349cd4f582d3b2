import type { CleanedWhere, createAdapterFactory, JoinConfig } from 'better-auth/adapters';
import { type BatchEntry, commit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import type { Statement } from '../../platform/db';
import { mac, macs } from '../../platform/mac';
import type { HalfSignIn } from './half';
import { signInKeyOf } from './people';
import { tokenOf } from './routing';
import {
  deleteOneStaffRow,
  deleteStaffRows,
  insertStaffRow,
  isStaffModel,
  knownFields,
  type StaffCondition,
  type StaffModel,
  type StaffRow,
  selectJoinedRows,
  selectStaffRows,
  updateStaffRows,
} from './store-staff';

/** The rows that better-auth has read for this request, the last one of each model. */
export type RowsRead = Partial<Record<StaffModel, StaffRow>>;

/** What this service adds to the batches of better-auth, so that both are committed together or not at all. */
export interface StaffWork {
  /** The person who signs in, with the account. Already read, so that better-auth does not read them again. */
  person?: StaffRow;
  /** The stored password that was already verified, so that it is not hashed a second time. */
  proven?: string;
  /** Cost and salt of the hash of a new password (password.ts). */
  recipe?: string;
  /** Statements for the batch that stores a new password. */
  withPassword?: () => BatchEntry[];
  /** The half-finished sign-in that a code completes. */
  half?: HalfSignIn;
  /** Statements for the batch that inserts a session. */
  withSession?: (seen: RowsRead) => Promise<BatchEntry[]>;
  /** Statements for the batch that locks a second factor after too many wrong codes. */
  withLock?: (seen: RowsRead) => BatchEntry[];
}

/**
 * Lets better-auth use this service's database access: its queries are measured like all others, its errors contain no
 * parameters, a session is read together with its person in one round trip, and only the hash of a session token is
 * stored.
 * @param adapterFactory better-auth's own, which is evaluated late
 */
export function staffAdapter(adapterFactory: typeof createAdapterFactory, ctx: Context, work: StaffWork = {}) {
  const { half, withSession, withLock } = work;
  const seen: RowsRead = {};
  return adapterFactory({
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
        const made = name === 'session' ? { ...data, token: tokenOf(orgIdOf(ctx, seen), String(data.token)) } : data;
        const row = insertStaffRow(name, knownFields(name, await hashToken(ctx, name, made)));
        const used = name === 'session' ? half?.useUp() : undefined;
        const expired = name === 'session' ? deleteStaffRows(name, expiredOf(ctx, data)) : undefined;
        const ours = name === 'session' ? await withSession?.(seen) : undefined;
        await commit(ctx, { used, expired, row, ours });
        return made;
      },
      async findOne({ model, where, join }) {
        const row = isByAddress(model, where)
          ? namedPerson(work, where)
          : await findWithJoins(ctx, modelNamed(model), where, { limit: 1, join });
        if (row) seen[modelNamed(model)] = row;
        return restoreToken(row, where) as never;
      },
      async findMany({ model, where = [], limit, offset, sortBy }) {
        const conditions = await conditionsOf(ctx, modelNamed(model), where);
        const statement = selectStaffRows(modelNamed(model), conditions, { limit, offset, order: sortBy });
        const { rows } = await ctx.db.run({ rows: statement });
        if (model === 'verification') half?.note(rows);
        return rows as never;
      },
      async update({ model, where, update }) {
        const changes = knownFields(modelNamed(model), update as StaffRow);
        const ours = model === 'account' ? work.withPassword?.() : undefined;
        const conditions = await conditionsOf(ctx, modelNamed(model), where);
        return writeOne(ctx, updateStaffRows(modelNamed(model), conditions, changes), ours);
      },
      async updateMany({ model, where, update }) {
        const conditions = await conditionsOf(ctx, modelNamed(model), where);
        const rows = updateStaffRows(modelNamed(model), conditions, knownFields(modelNamed(model), update));
        return (await ctx.db.run({ rows })).rows.length;
      },
      async delete({ model, where }) {
        await ctx.db.run({
          rows: deleteStaffRows(modelNamed(model), await conditionsOf(ctx, modelNamed(model), where)),
        });
      },
      async deleteMany({ model, where }) {
        const conditions = await conditionsOf(ctx, modelNamed(model), where);
        if (model === 'verification' && half?.isHeldBack(conditions)) return 0;
        const rows = deleteStaffRows(modelNamed(model), conditions);
        return (await ctx.db.run({ rows })).rows.length;
      },
      async consumeOne({ model, where }) {
        const conditions = await conditionsOf(ctx, modelNamed(model), where);
        const heldBack = model === 'verification' ? half?.holdBack(conditions) : undefined;
        return (heldBack ?? (await writeOne(ctx, deleteOneStaffRow(modelNamed(model), conditions)))) as never;
      },
      async incrementOne({ model, where, increment, set = {} }) {
        const conditions = await conditionsOf(ctx, modelNamed(model), where);
        const ours = model === 'twoFactor' && set.lockedUntil ? withLock?.(seen) : undefined;
        return writeOne(ctx, updateStaffRows(modelNamed(model), conditions, set, increment), ours);
      },
      count: () => Promise.reject(new Error('nothing counts')),
    }),
  });
}

function isByAddress(model: string, where: CleanedWhere[]): boolean {
  return model === 'user' && where.some(({ field }) => field === 'email');
}

/**
 * Because an address may have several memberships, the person who signs in is selected beforehand and identified by a
 * key (people.ts).
 */
function namedPerson({ person }: StaffWork, where: CleanedWhere[]): StaffRow {
  const key = person && signInKeyOf(String(person.id));
  if (!person || where.some(({ field, value }) => field !== 'email' || value !== key)) {
    throw new Error('a person is found by the membership, not by the address');
  }
  return person;
}

/** A row with the rows of other models that belong to it, in one batch. */
async function findWithJoins(
  ctx: Context,
  model: StaffModel,
  where: CleanedWhere[],
  { limit, join = {} }: { limit: number; join?: JoinConfig },
): Promise<StaffRow | null> {
  const conditions = await conditionsOf(ctx, model, where);
  const joins = Object.entries(join);
  const { base, joined } = await ctx.db.run({
    base: selectStaffRows(model, conditions, { limit }),
    joined: joins.map(([name, { on }]) =>
      selectJoinedRows({ model, where: conditions, field: on.from }, { model: modelNamed(name), field: on.to }),
    ),
  });
  const [row] = base;
  if (!row) return null;
  const others = joins.map(([name, { relation }], index) => {
    // SAFETY: each of these statements selects rows.
    const rows = joined[index] as StaffRow[];
    return [name, relation === 'one-to-one' ? (rows[0] ?? null) : rows];
  });
  return { ...row, ...Object.fromEntries(others) };
}

async function writeOne<T>(ctx: Context, statement: Statement, ours?: BatchEntry[]): Promise<T | null> {
  const { rows } = await commit(ctx, { rows: statement, ours });
  // SAFETY: the statement returns rows of the model that better-auth asked for.
  return (rows as T[])[0] ?? null;
}

async function conditionsOf(ctx: Context, model: StaffModel, where: CleanedWhere[]): Promise<StaffCondition[]> {
  if (where.some(({ connector }) => connector !== 'AND')) throw new Error('only AND is known');
  return Promise.all(
    where.map(async ({ field, operator, value }) => {
      if (model !== 'session' || field !== 'token') return { field, operator, value };
      if (operator !== 'eq') throw new Error('a session is found by one token');
      return { field, operator: 'in', value: await macs(ctx, 'staff session', String(value)) };
    }),
  );
}

/** The organization of a new session: that of who signs in, or of who is signed in and gets another session. */
function orgIdOf({ actor }: Context, { user }: RowsRead): string {
  if (user) return String(user.orgId);
  if (actor.kind !== 'staff') throw new Error('no person was read');
  return actor.orgId;
}

async function hashToken(ctx: Context, model: StaffModel, row: StaffRow): Promise<StaffRow> {
  if (model !== 'session') return row;
  return { ...row, token: await mac(ctx, 'staff session', String(row.token)) };
}

/** A caller that searched by token gets the token back instead of its hash. */
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
