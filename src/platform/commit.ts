import type { Context } from './context';
import { ConstraintError, type GuardedWrite, isGuardFailure } from './data/db';
import type { Condition, GivingStatement, Statement } from './data/statements';
import { type AppError, notFound } from './errors/errors';
import { logged } from './log';
import { requireWrites } from './switches';

/**
 * A function that runs after the commit of a batch. Several entries of a batch can have the same function: `rows` has
 * the rows of all of them.
 */
type AfterCommit<Row> = (ctx: Context, rows: readonly Row[]) => Promise<void>;

/**
 * A function that makes an entry for the end of a batch. Several entries of a batch can have the same function: `items`
 * has the items of all of them, in order.
 * @returns an entry. D1 may have committed a batch whose response was lost. The entry's last statement may then be run
 *   alone, after the batch, and must return the same rows
 */
type Close<Item> = (ctx: Context, items: readonly Item[]) => Promise<OutboxEntry>;

interface Following<Row, Item> {
  /**
   * Called once per batch, with the rows of the last statement of each entry. Not called if there are no rows, or if
   * the batch fails. The process may end before the call, so the function must not hold the only copy of anything.
   */
  afterCommit?: AfterCommit<Row>;
  /** The items that this entry passes to `close`. */
  items?: readonly Item[];
  /** Called once per batch, with the items of all its entries. Not called if there are none. */
  close?: Close<Item>;
}

const content = Symbol('content of an outbox entry');

interface Content extends Following<never, never> {
  statements: readonly Statement[];
  /** The statement whose rows are the rows of the entry. */
  rows: Statement;
}

/**
 * Statements, and the work that follows their commit (transactional outbox). Only `commit` can read the statements of
 * an entry, so that nobody can run them without the work.
 */
export interface OutboxEntry<Result = unknown> {
  readonly [content]: Content & { result?: Result };
}

type Write = Statement | GuardedWrite;
/** A write that returns rows. */
export type Giving<Row> = GivingStatement<Row> | GuardedWrite<GivingStatement<Row>>;

export type BatchEntry = Write | OutboxEntry;

/**
 * Makes a batch entry from statements and the work that follows their commit.
 * @param writes the statements. The rows of the last one are the rows of the entry
 */
export function outboxEntry<S extends Write, Item>(
  writes: readonly [...Write[], S],
  following: Following<RowOf<S>, Item>,
): OutboxEntry<ResultOf<S>> {
  // SAFETY: `items` are what `close` takes, and the rows what `afterCommit` takes.
  return { [content]: contentOf(writes, following as never) };
}

function contentOf(writes: readonly Write[], { afterCommit, items, close }: Following<never, never> = {}): Content {
  const last = writes.at(-1) as Write;
  return {
    statements: writes.flatMap((each) => ('guard' in each ? [each.write, each.guard] : each)),
    rows: 'guard' in last ? last.write : last,
    afterCommit,
    items,
    close,
  };
}

type ResultOf<E> =
  E extends OutboxEntry<infer Result>
    ? Result
    : E extends GuardedWrite<infer S>
      ? ResultOf<S>
      : E extends Statement
        ? E['_']['result']
        : undefined;

type RowOf<E> = ResultOf<E> extends readonly (infer Row)[] ? Row : never;

type Batch = Record<string, BatchEntry | readonly BatchEntry[] | undefined>;

/** The result of `commit`: each entry's rows by name; undefined for a list of entries. */
type Committed<B extends Batch> = { [K in keyof B]: ResultOf<B[K]> };

export interface Refusals {
  /**
   * Returns the error for a failed guard. A guard fails if a row has changed since it was read, or if a condition does
   * not hold. The function may read the database.
   */
  refused?: () => AppError | Promise<AppError>;
  /**
   * The functions that return the errors for other constraints. A key is the name of a constraint, as in
   * `ConstraintError`, or a kind of constraints.
   */
  constraints?: Readonly<Record<string, () => AppError>>;
}

/** How a batch uses up the command's `Idempotency-Key` (`Context.keyed`). */
interface Keyed {
  /** The id of the entity that the command makes or changes. Needed if the command's path does not name it. */
  about?: string;
  /** A condition at the end of the batch. The key is used up only if it holds. */
  keyedIf?: Condition;
}

/**
 * The error for an `Idempotency-Key` that was used before. An earlier request used it, or this one did, because its
 * batch was sent to D1 twice.
 */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/** The member of `constraints` for a batch whose organization does not exist. */
export const organizationMustExist = {
  foreign_key: () => notFound('organization_not_found'),
};

/**
 * Writes all statements of a use case in one batch, in order, or none of them. Each `afterCommit` starts after the
 * commit. The response does not wait for it.
 * @throws AppError of `refused` or `constraints`, `backend_unreachable`, `organization_unavailable` while databases are
 *   restored; ConstraintError for any other constraint (`retryOnConflict` reads and decides again after a failed
 *   guard); KeyTaken
 */
export async function commit<B extends Batch>(
  ctx: Context,
  batch: B,
  { refused, constraints = {}, ...keyed }: Refusals & Keyed = {},
): Promise<Committed<B>> {
  try {
    return await write(ctx, batch, keyed);
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    const named = constraints[error.constraint] ?? constraints[error.kind];
    const refusal = isGuardFailure(error) ? refused : named;
    throw refusal ? await refusal() : error;
  }
}

/** Like `commit`, but returns null if a guard failed. Then nothing was written. */
export async function tryCommit<B extends Batch>(
  ctx: Context,
  batch: B,
  constraints: Refusals['constraints'] = {},
): Promise<Committed<B> | null> {
  try {
    return await commit(ctx, batch, { constraints });
  } catch (error) {
    if (isGuardFailure(error)) return null;
    throw error;
  }
}

async function write<B extends Batch>(ctx: Context, batch: B, keyed: Keyed): Promise<Committed<B>> {
  await requireWrites(ctx);
  const entries: Content[] = [];
  const answering: [name: string, rows: Statement][] = [];
  for (const [name, value = []] of Object.entries(batch)) {
    const isList = 'length' in value;
    const opened = isList ? value.map(open) : [open(value)];
    entries.push(...opened);
    if (!isList) answering.push(...opened.map(({ rows }): (typeof answering)[number] => [name, rows]));
  }
  const closings = await closingsOf(ctx, entries);
  const results = await send(ctx, entries, closings, keyed);
  start(ctx, [...entries, ...closings], results);
  const committed = answering.map(([name, rows]) => [name, results.get(rows)]);
  // SAFETY: the results are under the names of the entries.
  return Object.fromEntries(committed) as Committed<B>;
}

/** Returns the entries for the end of the batch, one for each different `close` of its entries. */
async function closingsOf(ctx: Context, entries: readonly Content[]): Promise<Content[]> {
  const closings: Content[] = [];
  const closed = entries.filter((entry) => entry.close);
  for (const [close, of] of Map.groupBy(closed, (entry) => entry.close)) {
    const items = of.flatMap((entry) => entry.items ?? []);
    if (close && items.length > 0) closings.push(open(await close(ctx, items)));
  }
  return closings;
}

/** The result of each statement. */
type Results = ReadonlyMap<Statement, unknown>;

/**
 * Sends the batch. If D1 got the batch twice and a constraint refused the second attempt, the first attempt may have
 * been committed. The last statements of the closing entries then run again, alone, and their `afterCommit` starts with
 * these rows. Without this, the work would wait for the sweep.
 */
async function send(
  ctx: Context,
  entries: readonly Content[],
  closings: readonly Content[],
  keyed: Keyed,
): Promise<Results> {
  const all = [...entries, ...closings].flatMap(({ statements }) => statements);
  try {
    const results = await run(ctx, withKey(ctx, all, keyed));
    if (ctx.keyed?.state === 'open') ctx.keyed.state = 'committed';
    return results;
  } catch (error) {
    if (error instanceof ConstraintError && error.isResent && closings.length > 0) {
      const again = closings.map(({ rows }) => rows);
      start(ctx, closings, await run(ctx, again));
    }
    const isTaken = error instanceof ConstraintError && error.constraint === ctx.keyed?.takenConstraint;
    throw isTaken ? new KeyTaken() : error;
  }
}

/**
 * Returns the statements of the batch with one more, which uses up the `Idempotency-Key`. This statement comes first,
 * so that a repeated request fails before anything else. If the statement depends on a condition, it comes last.
 */
function withKey(
  { keyed: command }: Context,
  statements: readonly Statement[],
  { about, keyedIf }: Keyed,
): Statement[] {
  if (command?.state !== 'open') return [...statements];
  const claim = command.claim(about, keyedIf);
  return keyedIf ? [...statements, claim] : [claim, ...statements];
}

async function run(ctx: Context, statements: readonly Statement[]): Promise<Results> {
  const results = await ctx.db.batch(statements);
  return new Map(statements.map((statement, index) => [statement, results[index]]));
}

/** Calls each `afterCommit` of the entries once. */
function start(ctx: Context, entries: readonly Content[], results: Results): void {
  const followed = entries.filter((entry) => entry.afterCommit);
  for (const [afterCommit, of] of Map.groupBy(followed, (entry) => entry.afterCommit)) {
    const rows = of.flatMap((entry) => results.get(entry.rows));
    if (afterCommit && rows.length > 0) ctx.defer(follow(ctx, afterCommit, rows));
  }
}

/** Runs an `afterCommit`. Logs an error instead of throwing it, because the batch is committed. */
async function follow(ctx: Context, afterCommit: AfterCommit<never>, rows: readonly unknown[]): Promise<void> {
  // SAFETY: `outboxEntry` ties the function to the rows of its own statement.
  await logged(ctx, ['error', 'after_commit_failed'], async () => afterCommit(ctx, rows as never[]));
}

function open(entry: BatchEntry): Content {
  return content in entry ? entry[content] : contentOf([entry]);
}
