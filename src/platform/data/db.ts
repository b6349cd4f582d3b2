import { eq, getTableColumns, type InferInsertModel, is, Placeholder, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import { notFound, organizationMoving, organizationUnavailable, unavailable } from '../errors/errors';
import { guards, organizations } from '../tables';
import { type Condition, compile, jsonOf, type Named, orm, prepared, type Statement, type Value } from './statements';

/** The error for a batch that a constraint of the schema refused. Nothing was written. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';

  /**
   * @param constraint the name of a CHECK, or `table.column, table.column` of a unique index or key
   * @param isResent whether the batch was sent twice, so that the first one may have been committed
   */
  constructor(
    readonly kind: 'unique' | 'check' | 'foreign_key' | 'not_null' | 'other',
    readonly constraint: string,
    readonly isResent = false,
  ) {
    super(`${kind}: ${constraint}`);
  }
}

/** The reasons for which a batch rolls itself back. */
const NOT_HERE = 'organization_not_here';
const TO_REPEAT = 'to_repeat';

/**
 * Matches the errors after which D1's documentation allows a retry
 * (developers.cloudflare.com/d1/observability/debug-d1).
 */
const TRANSIENT =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue/i;

/**
 * Returns the error of this service for an error of D1. If SQLite refused a statement, D1's message contains SQLite's
 * extended error code. An unknown error becomes `backend_unreachable`.
 */
function translate(error: unknown, isResent: boolean): Error {
  const message = text(error);
  const constraint = message.match(/(UNIQUE|CHECK|FOREIGN KEY|NOT NULL) constraint failed(?:: ([^:]+))?/);
  if (constraint) {
    const kind = constraint[1]?.toLowerCase().replace(' ', '_') as ConstraintError['kind'];
    return new ConstraintError(kind, constraint[2]?.trim() ?? '', isResent);
  }
  if (/SQLITE_CONSTRAINT/.test(message))
    return new ConstraintError('other', message.match(/D1_ERROR: (\w+)/)?.[1] ?? '', isResent);
  if (message.includes(`bad JSON path: '${NOT_HERE}'`)) return new Error(NOT_HERE);
  if (message.includes(`bad JSON path: '${TO_REPEAT}'`)) return unavailable();
  // An organization's batch reads these tables first. If one is missing, the binding leads to a database without
  // migrations.
  if (/no such table: (installation|organizations)\b/.test(message)) return organizationUnavailable();
  if (isRefused(message)) {
    // A statement that SQLite refuses is a bug of this service. The message may quote the statement, so it is not
    // passed on.
    return new Error(`D1 refused a statement: ${message.match(/SQLITE_\w+/)?.[0] ?? 'D1_TYPE_ERROR'}`);
  }
  return unavailable();
}

function isRefused(message: string): boolean {
  return /SQLITE_(?!BUSY|FULL|IOERR|NOMEM)|D1_TYPE_ERROR|Wrong number of parameter/.test(message);
}

/** The class of a D1 failure. The log contains it instead of D1's message, because the message may quote statements. */
type FailureClass = 'overloaded' | 'full' | 'locked' | 'reset' | 'timeout' | 'refused' | 'unreachable';

const CLASSES: readonly [FailureClass, RegExp][] = [
  ['overloaded', /overloaded|SQLITE_NOMEM|memory limit|CPU time limit/i],
  ['full', /SQLITE_FULL|maximum DB size/i],
  ['locked', /SQLITE_BUSY|SQLITE_LOCKED|database is locked/i],
  ['reset', /reset/i],
  ['timeout', /timeout|timed out/i],
];

/**
 * Returns the class of a D1 failure. Undefined if D1 did not fail: a constraint refused the batch, or the batch rolled
 * itself back.
 */
function failureClassOf(error: unknown): FailureClass | undefined {
  const message = text(error);
  if (/constraint failed|SQLITE_CONSTRAINT|bad JSON path/.test(message)) return undefined;
  const known = CLASSES.find(([, pattern]) => pattern.test(message));
  return known?.[0] ?? (isRefused(message) ? 'refused' : 'unreachable');
}

function text(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message;
}

/**
 * A conditional write, and the guard: a statement directly after it, which rolls the batch back if the write changed
 * nothing. `commit` accepts it; `run` and `batch` do not.
 */
export interface GuardedWrite<S extends Statement = Statement> {
  readonly write: S;
  readonly guard: Statement;
}

type Statements = Record<string, Statement | readonly Statement[] | undefined>;
type ResultOf<S> = S extends Statement
  ? S['_']['result']
  : S extends readonly Statement[]
    ? unknown[]
    : S extends undefined
      ? undefined
      : never;

/**
 * The cost of a request or queue message at D1: round trips, statements and rows. It is logged with each request. Tests
 * limit it.
 */
export interface Meter {
  roundTrips: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
  /** The class of the last D1 failure. Undefined if there was none. */
  failure?: FailureClass;
}

export interface Database {
  /** The number of the D1 database that answers. Number 0 is `DB`, and number n is `DB_n`. */
  readonly shard: number;
  /** The cost of the request or message at all databases together. */
  readonly meter: Meter;
  /** Size of the D1 database after the last batch, in bytes; null before the first one. */
  readonly sizeBytes: number | null;
  /**
   * Runs statements in order as one D1 batch, which is one transaction. Returns the rows of each statement. If the
   * organization has moved, the batch is sent to its new database.
   *
   * After a transient error of D1, the batch is sent once more, because D1 never retries writes itself. If the
   * connection was lost, the first batch may have been committed. Therefore statements must be safe to run twice, and
   * bring their own ids.
   * @throws ConstraintError if a constraint refuses the batch; AppError `backend_unreachable` if D1 cannot be reached,
   *   `organization_moving` during a move to another database, `organization_unavailable` if the database that the
   *   directory names does not have the organization
   */
  batch(statements: readonly Statement[]): Promise<unknown[]>;
  /** As `batch`, but returns the rows of each statement under the statement's name. Undefined entries are left out. */
  run<T extends Statements>(statements: T): Promise<{ [K in keyof T]: ResultOf<T[K]> }>;
  /** As `run`, for one statement. */
  rows<S extends Statement>(statement: S): Promise<ResultOf<S>>;
}

/** The organization for which a database was opened. */
export interface Resident {
  orgId: string;
  /**
   * Reads from the directory again which database the organization is on.
   * @returns the number of the database; null if there is no such organization
   */
  find: () => Promise<number | null>;
}

/**
 * Opens one of the bound databases.
 * @param all the bound databases
 * @param shard the number of the database to open
 * @param resident if given, each batch is rolled back unless this organization is on the database
 */
export function openDatabase(
  all: readonly D1Database[],
  shard: number,
  { meter, resident }: { meter: Meter; resident?: Resident },
): Database {
  let home = shard;
  let sizeBytes: number | null = null;
  const sendOnce = async (list: readonly Statement[]) => {
    const d1 = all[home] as D1Database;
    const compiled = list.map(compile);
    meter.roundTrips += 1;
    meter.statements += compiled.length;
    const results = await d1.batch(compiled.map(({ sql: text, params }) => d1.prepare(text).bind(...params)));
    for (const { meta } of results) {
      meter.rowsRead += meta.rows_read;
      meter.rowsWritten += meta.rows_written;
      sizeBytes = meta.size_after;
    }
    return results.map((result, index) => compiled[index]?.resultOf(result));
  };
  const send = (list: readonly Statement[]) => runOnceMore(meter, () => sendOnce(list));

  /** Whether the database has the organization, in any state. */
  async function isKept(orgId: string): Promise<boolean> {
    const [found] = await send([
      orm.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, orgId)),
    ]);
    return (found as unknown[]).length > 0;
  }

  async function sendFor({ orgId, find }: Resident, list: readonly Statement[]): Promise<unknown[]> {
    for (let isRouted = false; ; isRouted = true) {
      try {
        return (await send([livesHere({ orgId }), ...list])).slice(1);
      } catch (error) {
        if (!(error instanceof Error && error.message === NOT_HERE)) throw error;
        const found = isRouted ? home : await find();
        if (found === null) throw notFound('organization_not_found');
        if (found === home) throw (await isKept(orgId)) ? organizationMoving() : organizationUnavailable();
        home = found;
      }
    }
  }

  const batch = async (list: readonly Statement[]) => {
    if (list.length === 0) return [];
    return resident ? sendFor(resident, list) : send(list);
  };

  return {
    meter,
    get shard() {
      return home;
    },
    get sizeBytes() {
      return sizeBytes;
    },
    batch,
    async run(statements) {
      const results = await batch(Object.values(statements).flatMap((value) => value ?? []));
      return byName(statements, results) as never;
    },
    rows: async (statement) => (await batch([statement]))[0] as never,
  };
}

/**
 * Returns a statement that rolls the batch back unless the organization is on this database and is not being moved. It
 * reads one row.
 */
const livesHere = prepared(({ orgId }: Named<{ orgId: string }>) =>
  failUnless(sql`exists (select 1 from ${organizations} where id = ${orgId} and state = 'active')`, NOT_HERE),
);

/**
 * Returns a statement that rolls the batch back unless the condition holds. The error is `backend_unreachable`, so that
 * the caller repeats the batch.
 */
export function repeatUnless(condition: Condition): Statement {
  return failUnless(condition, TO_REPEAT);
}

/**
 * Returns a statement that fails unless the condition holds. The statement is read-only, because D1 may repeat only
 * batches that are read-only.
 * @param reason a text that D1's message then contains
 */
function failUnless(condition: Condition, reason: string): Statement {
  return orm.select({ holds: sql`iif(${condition}, 1, json_extract('{}', ${reason}))` }).from(sql`(select 1)`);
}

/** Returns the results of a batch under the names of their statements. */
function byName(statements: Statements, results: readonly unknown[]): Record<string, unknown> {
  const named: Record<string, unknown> = {};
  let place = 0;
  for (const [name, value] of Object.entries(statements)) {
    const isList = Array.isArray(value);
    const count = isList ? value.length : Number(value !== undefined);
    if (value) named[name] = isList ? results.slice(place, place + count) : results[place];
    place += count;
  }
  return named;
}

async function runOnceMore<T>(meter: Meter, send: () => Promise<T>): Promise<T> {
  for (let isResent = false; ; isResent = true) {
    try {
      return await send();
    } catch (error) {
      const isLast = isResent || !TRANSIENT.test(text(error));
      meter.failure = failureClassOf(error) ?? meter.failure;
      if (isLast) throw translate(error, isResent);
    }
  }
}

type Row<T extends SQLiteTable> = {
  [K in keyof Required<InferInsertModel<T>>]: Value<InferInsertModel<T>[K]> | SQL;
};

/**
 * Returns an INSERT … SELECT that gives each column the value of the same name in `row`. Drizzle's own INSERT … SELECT
 * gives columns their values by position.
 * @param from what follows the column list, starting with FROM or WHERE (SQLite needs a WHERE before ON CONFLICT)
 */
export function insertSelect<T extends SQLiteTable>(table: T, row: Row<T>, from: SQL) {
  const columns = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = (row as Record<string, unknown>)[name];
    if (value === null || value === undefined) return sql`null`;
    return isSql(value) && !is(value, Placeholder) ? value : sql.param(value, column);
  });
  return orm.insert(table).select(sql`select ${sql.join(columns, sql`, `)} ${from}`);
}

function isSql(value: unknown): value is SQL {
  return typeof value === 'object' && value !== null && 'getSQL' in value;
}

/**
 * Returns SQL for a list that needs only one bound parameter, because D1 takes at most 100 parameters per statement.
 * Write `where id in ${inList(ids)}`.
 */
export function inList(values: Value<readonly (string | number)[]>): SQL {
  return sql`(select value from json_each(${jsonOf(values)}))`;
}

/** Returns the write with a guard. The guard rolls the batch back unless the write changes exactly one row. */
export function mustChangeOneRow<S extends Statement>(write: S): GuardedWrite<S> {
  return { write, guard: assertInBatch(CHANGED_ONE) };
}

/** Returns an UPDATE of the row that meets the condition. The batch is rolled back unless exactly one row meets it. */
export function updateOneRow<T extends SQLiteTable>(table: T, to: SQLiteUpdateSetSource<T>, where: SQL | undefined) {
  return mustChangeOneRow(orm.update(table).set(to).where(where));
}

/**
 * Returns a write and the statement that follows it. `next` makes this statement from a condition: whether the write
 * changed exactly one row.
 */
export function ifChanged(write: Statement, next: (changedOne: Condition) => Statement): Statement[] {
  return [write, next(CHANGED_ONE)];
}

// changes() counts the rows that the preceding statement changed.
const CHANGED_ONE = sql`changes() = 1`;

/** Returns a statement that rolls the batch back unless the condition holds. */
export function assertInBatch(condition: Condition): Statement {
  return insertGuard({}, condition);
}

const insertGuard = prepared((_: Named<object>, condition: Condition) =>
  insertSelect(guards, { id: sql`null`, changed: sql`0` }, sql`where not (${condition})`),
);

/** Whether the error means that a `GuardedWrite` or `assertInBatch` rolled the batch back. */
export function isGuardFailure(error: unknown): error is ConstraintError {
  return error instanceof ConstraintError && error.constraint === 'must_change_one';
}
