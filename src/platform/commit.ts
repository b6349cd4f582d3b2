import type { Context } from './context';
import { ConstraintError, type GuardedWrite, isGuardFailure } from './data/db';
import type { Condition, GivingStatement, Statement } from './data/statements';
import { type AppError, notFound } from './errors';
import { describeError } from './log';
import { requireWrites } from './switches';

/** What follows a commit, with the rows of all entries of the batch that name this function. */
type AfterCommit<Row> = (ctx: Context, rows: readonly Row[]) => Promise<void>;

/**
 * Ends a batch, with the items of all its entries that name this function, in order.
 * @returns an entry whose last statement gives the same rows when it runs once more alone: D1 may have committed the batch
 *   without telling
 */
type Close<Item> = (ctx: Context, items: readonly Item[]) => Promise<OutboxEntry>;

interface Following<Row, Item> {
  /**
   * Called once for a batch, with the rows that the last statements of its entries give; not called without rows, nor when
   * the batch fails. A hint, never the only copy: the process may end before it.
   */
  afterCommit?: AfterCommit<Row>;
  /** What `close` gets. */
  items?: readonly Item[];
  /** Called once for a batch, unless there are no items. */
  close?: Close<Item>;
}

const content = Symbol('content of an outbox entry');

interface Content extends Following<never, never> {
  writes: readonly Write[];
}

/**
 * Statements together with what they start (transactional outbox). Only `commit` can open one: nobody else can run its
 * statements and forget what follows.
 */
export interface OutboxEntry<Result = unknown> {
  readonly [content]: Content & { result?: Result };
}

type Write = Statement | GuardedWrite;
/** A write that gives rows back. */
export type Giving<Row> = GivingStatement<Row> | GuardedWrite<GivingStatement<Row>>;

/** What a batch is made of. */
export type BatchEntry = Write | OutboxEntry;

/** @param writes the last one gives the rows of the entry */
export function outboxEntry<S extends Write, Item>(
  writes: readonly [...Write[], S],
  following: Following<RowOf<S>, Item>,
): OutboxEntry<ResultOf<S>> {
  // SAFETY: `items` are what `close` takes, and the rows what `afterCommit` takes.
  return { [content]: { writes, ...following } as Content };
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

/** The rows of each entry under its name; of a list nothing is told. */
type Committed<B extends Batch> = { [K in keyof B]: ResultOf<B[K]> };

export interface Refusals {
  /** Why a guard failed: what was read is not so any more, or a condition does not hold. Asked only then; it may read. */
  refused?: () => AppError | Promise<AppError>;
  /** Why another constraint refused: by its name as in `ConstraintError`, or by its kind. */
  constraints?: Readonly<Record<string, () => AppError>>;
}

/** What a command's `Idempotency-Key` has to know (`Context.keyed`). */
interface Keyed {
  /** The id of what the command makes or changes, where its path does not name it. */
  about?: string;
  /** The batch uses the key up only if this holds at its end. */
  keyedIf?: Condition;
}

/** The command's `Idempotency-Key` has been used up: by an earlier request, or by this one, if D1 was sent the batch twice. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/** For a batch that names an organization which may not be there. */
export const organizationMustExist = {
  foreign_key: () => notFound('organization_not_found', 'There is no such organization.'),
};

/**
 * Writes what a use case decided: one batch, in order, all or nothing. What the entries start is started once the batch
 * is committed; the answer does not wait for it.
 * @throws AppError of `refusals`, `backend_unreachable`, `organization_unavailable` while databases are restored; ConstraintError
 *   when a constraint refuses that `refusals` does not name: within `retryOnConflict` a failed guard then means to read and
 *   decide again; KeyTaken
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

/** As `commit`, where a failed guard is no fault. @returns null when a guard failed: nothing was written */
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
  const entries = Object.values(batch)
    .flatMap((value) => value ?? [])
    .map(open);
  const closings = await closingsOf(ctx, entries);
  const results = await send(ctx, entries, closings, keyed);
  start(ctx, [...entries, ...closings], results);
  const committed = Object.entries(batch).map(([name, value]) => {
    const isOne = value !== undefined && !('length' in value);
    return [name, isOne ? results.get(open(value).rows) : undefined];
  });
  // SAFETY: each statement's result stands under the name of its entry.
  return Object.fromEntries(committed) as Committed<B>;
}

/** What ends the batch: one entry for each `close` that its entries name. */
async function closingsOf(ctx: Context, entries: readonly Opened[]): Promise<Opened[]> {
  const closings: Opened[] = [];
  for (const [close, of] of Map.groupBy(entries, (entry) => entry.close)) {
    const items = of.flatMap((entry) => entry.items ?? []);
    if (close && items.length > 0) closings.push(open(await close(ctx, items)));
  }
  return closings;
}

/** What each statement gave. */
type Results = ReadonlyMap<Statement, unknown>;

/**
 * A constraint that refuses when D1 was sent the batch twice may do so because the first one was committed: what that one wrote is
 * asked for once more, so that what follows from it is not left to the sweep.
 */
async function send(
  ctx: Context,
  entries: readonly Opened[],
  closings: readonly Opened[],
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

/** First, so that a repetition fails before anything else does; a condition holds at the end. */
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

/** Starts what follows the commit, once for each function that the entries name. */
function start(ctx: Context, entries: readonly Opened[], results: Results): void {
  for (const [afterCommit, of] of Map.groupBy(entries, (entry) => entry.afterCommit)) {
    const rows = of.flatMap((entry) => results.get(entry.rows));
    if (afterCommit && rows.length > 0) ctx.defer(follow(ctx, afterCommit, rows));
  }
}

/** The command is committed and answered as such, whatever comes of this. */
async function follow(ctx: Context, afterCommit: AfterCommit<never>, rows: readonly unknown[]): Promise<void> {
  try {
    // SAFETY: `outboxEntry` ties the function to the rows of its own statement.
    await afterCommit(ctx, rows as never[]);
  } catch (error) {
    ctx.log('error', 'after_commit_failed', describeError(error));
  }
}

interface Opened extends Following<never, never> {
  statements: readonly Statement[];
  /** That of them which gives the rows of the entry. */
  rows: Statement;
}

function open(entry: BatchEntry): Opened {
  const { writes, ...following } = content in entry ? entry[content] : { writes: [entry] };
  const last = writes.at(-1) as Write;
  return {
    ...following,
    statements: writes.flatMap((each) => ('guard' in each ? [each.write, each.guard] : [each])),
    rows: 'guard' in last ? last.write : last,
  };
}
