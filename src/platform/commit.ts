import type { Context } from './context';
import { ConstraintError, type GuardedWrite, isGuardFailure, type Statement } from './db';
import { type AppError, notFound } from './errors';
import { describeError } from './log';

/** What follows a commit, with the rows of all entries of the batch that name this function. */
export type AfterCommit<Row> = (ctx: Context, rows: readonly Row[]) => Promise<void>;

const content = Symbol('content of an outbox entry');

/**
 * Statements together with what they start once they are committed (transactional outbox). Only `commit` can open one:
 * nobody else can run its statements and forget what follows.
 */
export interface OutboxEntry<Row = unknown> {
  readonly [content]: { before: readonly Write[]; rows: Giving<Row>; afterCommit: AfterCommit<never> };
}

type Write = Statement | GuardedWrite;
type GivingStatement<Row> = Statement & { _: { result: Row[] } };
/** A write that gives rows back. */
export type Giving<Row> = GivingStatement<Row> | GuardedWrite<GivingStatement<Row>>;

/** What a batch is made of. */
export type BatchEntry = Write | OutboxEntry;

/**
 * @param before statements that come first
 * @param rows the write that gives the rows
 * @param afterCommit called once for a batch, with the rows of all its entries that name the same function; not called
 *   without rows, nor when the batch fails. A hint, never the only copy: the process may end before it
 */
export function outboxEntry<Row>(
  before: readonly Write[],
  rows: Giving<Row>,
  afterCommit: AfterCommit<Row>,
): OutboxEntry<Row> {
  return { [content]: { before, rows, afterCommit } };
}

type ResultOf<E> =
  E extends OutboxEntry<infer Row>
    ? Row[]
    : E extends GuardedWrite<infer S>
      ? ResultOf<S>
      : E extends Statement
        ? E['_']['result']
        : undefined;

type Batch = Record<string, BatchEntry | readonly BatchEntry[] | undefined>;

/** The rows of each entry under its name; of a list nothing is told. */
type Committed<B extends Batch> = { [K in keyof B]: ResultOf<B[K]> };

export interface Refusals {
  /** Why a guard failed: what was read is not so any more, or a condition does not hold. Asked only then; it may read. */
  refused?: () => AppError | Promise<AppError>;
  /** Why another constraint refused: by its name as in `ConstraintError`, or by its kind. */
  constraints?: Readonly<Record<string, () => AppError>>;
}

/** For a batch that names an organization which may not be there. */
export const organizationMustExist = {
  foreign_key: () => notFound('organization_not_found', 'There is no such organization.'),
};

/**
 * Writes what a use case decided: one batch, in order, all or nothing. What the entries start is started once the batch
 * is committed; the answer does not wait for it.
 * @throws AppError of `refusals`, `backend_unreachable`; ConstraintError when a constraint refuses that `refusals` does
 *   not name: within `retryOnConflict` a failed guard then means to read and decide again
 */
export async function commit<B extends Batch>(
  ctx: Context,
  batch: B,
  { refused, constraints = {} }: Refusals = {},
): Promise<Committed<B>> {
  try {
    return await write(ctx, batch);
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    const refusal = isGuardFailure(error) ? refused : (constraints[error.constraint] ?? constraints[error.kind]);
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

async function write<B extends Batch>(ctx: Context, batch: B): Promise<Committed<B>> {
  const opened = Object.entries(batch).map(([name, value]) => [name, listOf(value).map(open)] as const);
  const statements = opened.map(([name, parts]) => [name, parts.flatMap((part) => part.statements)] as const);
  const results = await ctx.db.run(Object.fromEntries(statements));
  const due = new Map<AfterCommit<never>, unknown[]>();
  const committed = opened.map(([name, parts]) => {
    const rest = [...(results[name] ?? [])];
    const rows = parts.map((part) => rest.splice(0, part.statements.length)[part.rowsAt]);
    for (const [index, { afterCommit }] of parts.entries()) {
      if (afterCommit) due.set(afterCommit, [...(due.get(afterCommit) ?? []), ...(rows[index] as unknown[])]);
    }
    return [name, Array.isArray(batch[name]) ? undefined : rows[0]];
  });
  for (const [afterCommit, rows] of due) if (rows.length > 0) ctx.defer(follow(ctx, afterCommit, rows));
  // SAFETY: each statement's result stands under the name of its entry.
  return Object.fromEntries(committed) as Committed<B>;
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

interface Opened {
  statements: readonly Statement[];
  /** Which of the statements gives the entry's rows. */
  rowsAt: number;
  afterCommit?: AfterCommit<never>;
}

function open(entry: BatchEntry): Opened {
  if (content in entry) {
    const { before, rows, afterCommit } = entry[content];
    const first = before.flatMap((each) => open(each).statements);
    const last = open(rows);
    return { statements: [...first, ...last.statements], rowsAt: first.length + last.rowsAt, afterCommit };
  }
  return { statements: 'guard' in entry ? [entry.write, entry.guard] : [entry], rowsAt: 0 };
}

function listOf(value: BatchEntry | readonly BatchEntry[] | undefined): readonly BatchEntry[] {
  if (value === undefined) return [];
  return isList(value) ? value : [value];
}

function isList(value: BatchEntry | readonly BatchEntry[]): value is readonly BatchEntry[] {
  return Array.isArray(value);
}
