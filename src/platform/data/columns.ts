import { and, eq, getTableColumns, isNull, type SQL, type SQLWrapper, sql, type Table } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Value } from './statements';

/** The columns that an insert may leave out. */
type Unset<T extends Table> = {
  [Key in keyof T['$inferInsert'] as undefined extends T['$inferInsert'][Key]
    ? Key
    : never]-?: Key extends keyof T['$inferSelect'] ? T['$inferSelect'][Key] : never;
};

/** The values of the columns that an insert may leave out: their default, or null. */
export function unset<T extends Table>(table: T): Unset<T> {
  const columns = Object.entries(getTableColumns(table)).filter(
    ([, { hasDefault, notNull }]) => hasDefault || !notNull,
  );
  return Object.fromEntries(columns.map(([key, column]) => [key, column.default ?? null])) as Unset<T>;
}

/** For each column of a table, the member of that name in a JSON object. */
export function valuesIn<T extends Table>(table: T, object: SQL): Record<keyof T['$inferSelect'], SQL> {
  const values = Object.keys(getTableColumns(table)).map((key) => [key, sql`${object} ->> ${key}`]);
  return Object.fromEntries(values);
}

/** The type of a column. */
export interface ColumnKind {
  type: 'text' | 'number' | 'boolean' | 'json';
  mayBeNull: boolean;
  /** The values that a text column allows. */
  values?: readonly string[];
}

const TYPES: Record<string, ColumnKind['type']> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  json: 'json',
};

/** The types of a table's columns, by key. */
export function columnKinds(table: Table): Record<string, ColumnKind> {
  const kinds = Object.entries(getTableColumns(table)).map(([key, { dataType, notNull, enumValues }]) => {
    const kind: ColumnKind = { type: TYPES[dataType] ?? 'json', mayBeNull: !notNull };
    return [key, enumValues?.length ? { ...kind, values: enumValues } : kind] as const;
  });
  return Object.fromEntries(kinds);
}

/** Some columns of a table, or some values of a row. */
export function pick<T extends object, Key extends keyof T>(of: T, keys: readonly Key[]): Pick<T, NoInfer<Key>> {
  return Object.fromEntries(keys.map((key) => [key, of[key]])) as Pick<T, Key>;
}

/** Condition: the column's MACs or ciphertexts were made under this root. Uses the column's index. */
export function isUnder(column: SQLiteColumn, rootId: string): SQL {
  return sql`(${column} >= ${`${rootId}.`} and ${column} < ${`${rootId}/`})`;
}

/** Condition: each column has the value under its key; null means that the column is null. */
export function has<T extends Table, Key extends keyof T['$inferSelect']>(
  table: T,
  values: { [K in Key]: T['$inferSelect'][K] | SQLWrapper },
): SQL | undefined {
  const conditions = Object.entries(values).map(([key, value]) => {
    // SAFETY: the type allows keys of columns only.
    const column = getTableColumns(table)[key] as SQLiteColumn;
    return value === null ? isNull(column) : eq(column, value);
  });
  return and(...conditions);
}

/** Condition: the columns still hold these values. */
export function isStill<T extends Table>(table: T, values: Partial<T['$inferSelect']>): SQL | undefined {
  const columns = getTableColumns(table);
  const conditions = Object.entries(values).flatMap(([key, value]) => {
    const column = columns[key];
    return column ? sql`${column} is ${sql.param(value, column)}` : [];
  });
  return and(...conditions);
}

/**
 * Change numbers: every write gives a row a number above all other numbers of its organization, in the order in which
 * batches commit. A reader that continues after the last number that it got misses no write, even if the clocks of
 * isolates differ.
 *
 * A number is at least the row's time in microseconds, so the same index finds the changes since a time: every row that
 * was changed later has a number above `changeAt` of that time, and few other rows have.
 *
 * Inserts use `nextChange`; triggers number updates (migrations).
 */
const NUMBERS_EACH_MS = 1000;

/** The change number of a new row. @param at its `updatedAt` */
export function nextChange(table: SQLiteTable, orgId: Value<string>, at: Value<number>): SQL {
  const last = sql`(select max(change_number) from ${table} where org_id = ${orgId})`;
  return sql`max(coalesce(${last}, 0) + 1, ${at} * ${sql.raw(String(NUMBERS_EACH_MS))})`;
}

/** A number that all changes after a time exceed. @param at epoch ms */
export function changeAt(at: number): number {
  return at * NUMBERS_EACH_MS;
}
