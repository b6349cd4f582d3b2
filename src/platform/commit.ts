import type { Context } from './context';
import { ConstraintError, type GuardedWrite, isGuardFailure, type Statement } from './db';
import { type AppError, notFound } from './errors';
import { describeError } from './log';

/** What follows a commit, with the rows of all entries of the batch that name this function. */
export type AfterCommit<Row> = (ctx: Context, rows: readonly Row[]) => Promise<void>;

/** What the news of several entries of a batch have in common: statements at its end, and what follows the commit. */
export interface Fulfillment<News, Row> {
  /**
   * @param news of all entries that name this object, in order
   * @returns the last statements of the batch; the rows of `rows` are what `afterCommit` gets. It must give the same rows
   *   when it runs once more alone: D1 may have committed the batch without telling
   */
  close(ctx: Context, news: readonly News[]): Promise<{ writes: readonly Statement[]; rows: GivingStatement<Row> }>;
  afterCommit: AfterCommit<Row>;
}

const content = Symbol('content of an outbox entry');

/**
 * Statements together with what they start once they are committed (transactional outbox). Only `commit` can open one:
 * nobody else can run its statements and forget what follows.
 */
export interface OutboxEntry<Row = unknown> {
  readonly [content]: { before: readonly Write[]; rows: Giving<Row>; afterCommit: AfterCommit<never> };
}

/** As `OutboxEntry`, for what is completed at the end of the batch together with the news of other entries. */
export interface NewsEntry {
  readonly [content]: { writes: readonly Write[]; news: readonly unknown[]; fulfillment: Fulfillment<never, never> };
}

type Write = Statement | GuardedWrite;
type GivingStatement<Row> = Statement & { _: { result: Row[] } };
/** A write that gives rows back. */
export type Giving<Row> = GivingStatement<Row> | GuardedWrite<GivingStatement<Row>>;

/** What a batch is made of. */
export type BatchEntry = Write | OutboxEntry | NewsEntry;

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

/** @param writes statements that stand at the place of the entry */
export function newsEntry<News, Row>(
  writes: readonly Write[],
  news: readonly News[],
  fulfillment: Fulfillment<News, Row>,
): NewsEntry {
  return { [content]: { writes, news, fulfillment } };
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

async function write<B extends Batch>(ctx: Context, batch: B): Promise<Committed<B>> {
  const statements: Statement[] = [];
  const opened: (Opened & { name: string })[] = [];
  for (const [name, value] of Object.entries(batch)) {
    for (const entry of listOf(value)) opened.push({ name, ...open(entry, statements) });
  }
  const closings = await closingsOf(ctx, opened, statements);
  const results = await send(ctx, statements, closings);
  const committed: Record<string, unknown> = {};
  const due = new Map<AfterCommit<never>, unknown[]>();
  for (const { name, rowsAt, afterCommit } of opened) {
    const rows = rowsAt === undefined ? undefined : results[rowsAt];
    committed[name] = Array.isArray(batch[name]) ? undefined : rows;
    if (afterCommit) due.set(afterCommit, [...(due.get(afterCommit) ?? []), ...(rows as unknown[])]);
  }
  for (const [afterCommit, rows] of due) start(ctx, afterCommit, rows);
  for (const { rowsAt, afterCommit } of closings) start(ctx, afterCommit, results[rowsAt] as unknown[]);
  // SAFETY: each statement's result stands under the name of its entry.
  return committed as Committed<B>;
}

interface Closing {
  rows: Statement;
  /** Where it stands in the batch. */
  rowsAt: number;
  afterCommit: AfterCommit<never>;
}

/** Adds the statements that end the batch: those of one closing for each fulfillment that its entries name. */
async function closingsOf(ctx: Context, opened: readonly Opened[], statements: Statement[]): Promise<Closing[]> {
  const newsFor = new Map<Fulfillment<never, never>, unknown[]>();
  for (const { news = [], fulfillment } of opened) {
    if (fulfillment && news.length > 0) newsFor.set(fulfillment, [...(newsFor.get(fulfillment) ?? []), ...news]);
  }
  const closings: Closing[] = [];
  for (const [fulfillment, news] of newsFor) {
    // SAFETY: `newsEntry` ties the news to the type that its fulfillment takes.
    const { writes, rows } = await fulfillment.close(ctx, news as never[]);
    const length = statements.push(...writes, rows);
    closings.push({ rows, rowsAt: length - 1, afterCommit: fulfillment.afterCommit });
  }
  return closings;
}

/**
 * A constraint that refuses when D1 was sent the batch twice may do so because the first one was committed: what that one wrote is
 * asked for once more, so that what follows from it is not left to the sweep.
 */
async function send(ctx: Context, statements: readonly Statement[], closings: readonly Closing[]): Promise<unknown[]> {
  try {
    return await ctx.db.batch(statements);
  } catch (error) {
    if (error instanceof ConstraintError && error.isResent && closings.length > 0) {
      const results = await ctx.db.batch(closings.map(({ rows }) => rows));
      for (const [index, { afterCommit }] of closings.entries()) start(ctx, afterCommit, results[index] as unknown[]);
    }
    throw error;
  }
}

function start(ctx: Context, afterCommit: AfterCommit<never>, rows: readonly unknown[] = []): void {
  if (rows.length > 0) ctx.defer(follow(ctx, afterCommit, rows));
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
  /** Where the statement stands in the batch that gives the entry's rows. */
  rowsAt?: number;
  afterCommit?: AfterCommit<never>;
  news?: readonly unknown[];
  fulfillment?: Fulfillment<never, never>;
}

/** Adds the statements of an entry to those of the batch. */
function open(entry: BatchEntry, statements: Statement[]): Opened {
  if (!(content in entry)) {
    const rowsAt = statements.length;
    if ('guard' in entry) statements.push(entry.write, entry.guard);
    else statements.push(entry);
    return { rowsAt };
  }
  const opened = entry[content];
  if ('news' in opened) {
    for (const each of opened.writes) open(each, statements);
    return { news: opened.news, fulfillment: opened.fulfillment };
  }
  for (const each of opened.before) open(each, statements);
  return { ...open(opened.rows, statements), afterCommit: opened.afterCommit };
}

function listOf(value: BatchEntry | readonly BatchEntry[] | undefined): readonly BatchEntry[] {
  if (value === undefined) return [];
  return isList(value) ? value : [value];
}

function isList(value: BatchEntry | readonly BatchEntry[]): value is readonly BatchEntry[] {
  return Array.isArray(value);
}
