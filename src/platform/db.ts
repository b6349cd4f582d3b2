import { getTableColumns, type InferInsertModel, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { check, integer, type SQLiteTable, sqliteTable } from 'drizzle-orm/sqlite-core';
import { unavailable } from './errors';

export type Statement = BatchItem<'sqlite'>;
/** A conditional write with the guard that must stand right behind it. `commit` takes it; `run` does not. */
export interface GuardedWrite<S extends Statement = Statement> {
  readonly write: S;
  readonly guard: Statement;
}
/** A piece of SQL that is true or false, handed from the slice that owns its table to the one that writes under it. */
export type Condition = SQL;

type ResultOf<S> = S extends Statement
  ? S['_']['result']
  : S extends readonly Statement[]
    ? unknown[]
    : S extends undefined
      ? undefined
      : never;

/** What a request or a message cost: D1 round trips, statements, rows. Logged with each request, held to budgets by tests. */
export interface Meter {
  roundTrips: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
}

export interface Database {
  /** Builds statements. They run through `run` only: a query run by itself reports errors with its parameters in them. */
  readonly orm: DrizzleD1Database;
  readonly meter: Meter;
  /**
   * Runs named statements as one D1 batch, in order, as one transaction, and gives each one's rows under its name.
   * Undefined entries are left out. Sent once more on D1's transient errors, so statements carry their own ids and
   * bear being run twice (notes: D1 never retries writes itself, and a lost connection may hide a commit).
   * @throws ConstraintError when an invariant refuses; AppError `backend_unreachable` when D1 cannot be reached.
   */
  run<T extends Record<string, Statement | readonly Statement[] | undefined>>(
    statements: T,
  ): Promise<{ [K in keyof T]: ResultOf<T[K]> }>;
}

/** An invariant of the schema refused the batch; nothing of it was written. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';

  /** @param constraint the name of a CHECK, or `table.column, table.column` of a unique index or key */
  constructor(
    readonly kind: 'unique' | 'check' | 'foreign_key' | 'not_null' | 'other',
    readonly constraint: string,
  ) {
    super(`${kind}: ${constraint}`);
  }
}

export function openDatabase(d1: D1Database): Database {
  const meter: Meter = { roundTrips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
  const orm = drizzle(metered(d1, meter));
  return {
    orm,
    meter,
    async run(statements) {
      const entries = Object.entries(statements).filter((entry) => entry[1] !== undefined) as Entry[];
      const list = entries.flatMap(([, value]) => value);
      const results = list.length === 0 ? [] : await runOnceMore(() => orm.batch(list as [Statement, ...Statement[]]));
      return group(entries, results) as never;
    },
  };
}

type Entry = [string, Statement | readonly Statement[]];

/** Puts the flat results of a batch back under the names of their statements. */
function group(entries: Entry[], results: readonly unknown[]): Record<string, unknown> {
  const rest = [...results];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? rest.splice(0, value.length) : rest.shift()]),
  );
}

async function runOnceMore<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isTransient(error)) throw translate(error);
  }
  try {
    return await send();
  } catch (error) {
    throw translate(error);
  }
}

/** D1's list of errors that may be sent again (developers.cloudflare.com/d1/observability/debug-d1). */
const TRANSIENT =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue/i;

function isTransient(error: unknown): boolean {
  return TRANSIENT.test(text(error));
}

/** D1 puts SQLite's extended code at the end of the message. No code of SQLite: the database itself was not reached. */
function translate(error: unknown): Error {
  const message = text(error);
  const constraint = message.match(/(UNIQUE|CHECK|FOREIGN KEY|NOT NULL) constraint failed(?:: ([^:]+))?/);
  if (constraint) {
    const kind = constraint[1]?.toLowerCase().replace(' ', '_') as ConstraintError['kind'];
    return new ConstraintError(kind, constraint[2]?.trim() ?? '');
  }
  if (/SQLITE_CONSTRAINT/.test(message))
    return new ConstraintError('other', message.match(/D1_ERROR: (\w+)/)?.[1] ?? '');
  if (/SQLITE_(?!BUSY|FULL|IOERR|NOMEM)|D1_TYPE_ERROR|Wrong number of parameter/.test(message)) {
    // A statement that SQLite refuses is our bug. The message may quote the statement: it goes no further.
    return new Error(`D1 refused a statement: ${message.match(/SQLITE_\w+/)?.[0] ?? 'D1_TYPE_ERROR'}`);
  }
  return unavailable();
}

function text(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message;
}

function metered(d1: D1Database, meter: Meter): D1Database {
  // SAFETY: Drizzle's D1 session calls `prepare` and `batch` only.
  return {
    prepare: (query: string) => d1.prepare(query),
    async batch(statements: D1PreparedStatement[]) {
      meter.roundTrips += 1;
      meter.statements += statements.length;
      const results = await d1.batch(statements);
      for (const { meta } of results) {
        meter.rowsRead += meta.rows_read;
        meter.rowsWritten += meta.rows_written;
      }
      return results;
    },
  } as unknown as D1Database;
}

type Row<T extends SQLiteTable> = { [K in keyof Required<InferInsertModel<T>>]: InferInsertModel<T>[K] | SQL };

/**
 * An INSERT … SELECT with every column of the table given by name, in whatever order: Drizzle matches by position.
 * @param from what stands behind the column list, starting with FROM or WHERE (SQLite needs a WHERE before ON CONFLICT)
 */
export function insertSelect<T extends SQLiteTable>(db: Database, table: T, row: Row<T>, from: SQL) {
  const columns = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = (row as Record<string, unknown>)[name];
    return value === null || value === undefined ? sql`null` : isSql(value) ? value : sql.param(value, column);
  });
  return db.orm.insert(table).select(sql`select ${sql.join(columns, sql`, `)} ${from}`);
}

function isSql(value: unknown): value is SQL {
  return typeof value === 'object' && value !== null && 'getSQL' in value;
}

/** A list as one bound parameter: D1 takes 100 a statement. Use as `where id in ${inList(ids)}`. */
export function inList(values: readonly (string | number)[]): SQL {
  return sql`(select value from json_each(${JSON.stringify(values)}))`;
}

/**
 * Whether a text holds another, whatever the case of ASCII letters and umlauts: SQLite lowers ASCII alone, so the
 * umlauts are told; every other letter is found as it is written.
 */
export function containsText(text: SQL, search: string): Condition {
  const folded = sql`replace(replace(replace(lower(${text}), 'Ä', 'ä'), 'Ö', 'ö'), 'Ü', 'ü')`;
  return sql`(instr(${folded}, ${search.toLowerCase()}) > 0 or instr(${text}, ${search}) > 0)`;
}

/** Always empty: an insert that reaches it fails its CHECK and takes the batch with it. */
export const guards = sqliteTable(
  'guards',
  { id: integer('id').primaryKey(), changed: integer('changed').notNull() },
  (t) => [check('must_change_one', sql`${t.changed} = 1`)],
);

/** The batch is undone unless this write changes exactly one row. */
export function mustChangeOneRow<S extends Statement>(db: Database, write: S): GuardedWrite<S> {
  // The guard reads changes(), which tells of the statement before it alone.
  return { write, guard: assertInBatch(db, sql`changes() = 1`) };
}

/** The batch is undone unless this write changes a row. */
export function mustChangeRows<S extends Statement>(db: Database, write: S): GuardedWrite<S> {
  return { write, guard: assertInBatch(db, sql`changes() > 0`) };
}

/** The batch goes on only while this holds. */
export function assertInBatch(db: Database, condition: Condition): Statement {
  const row = { id: sql`null`, changed: sql`0` };
  return insertSelect(db, guards, row, sql`where not (${condition})`);
}

/** The batch was undone by a `GuardedWrite` or by `assertInBatch`. */
export function isGuardFailure(error: unknown): boolean {
  return error instanceof ConstraintError && error.constraint === 'must_change_one';
}
