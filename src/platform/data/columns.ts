import { and, eq, getTableColumns, isNull, type SQL, type SQLWrapper, sql, type Table } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Value } from './statements';

/** The type of the values in those columns that an insert may leave out. */
type Unset<T extends Table> = {
  [Key in keyof T['$inferInsert'] as undefined extends T['$inferInsert'][Key]
    ? Key
    : never]-?: Key extends keyof T['$inferSelect'] ? T['$inferSelect'][Key] : never;
};

/** Returns a value for each column that an insert may leave out: the column's default, or null. */
export function unset<T extends Table>(table: T): Unset<T> {
  const columns = Object.entries(getTableColumns(table)).filter(
    ([, { hasDefault, notNull }]) => hasDefault || !notNull,
  );
  return Object.fromEntries(columns.map(([key, column]) => [key, column.default ?? null])) as Unset<T>;
}

/** Returns SQL that reads a row from a JSON object. A column is read from the member with the column's key. */
export function valuesIn<T extends Table>(table: T, object: SQL): Record<keyof T['$inferSelect'], SQL> {
  const values = Object.keys(getTableColumns(table)).map((key) => [key, sql`${object} ->> ${key}`]);
  return Object.fromEntries(values);
}

/** The type of a column's values. */
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

/** Returns the type of each column of a table, by the column's key. */
export function columnKinds(table: Table): Record<string, ColumnKind> {
  const kinds = Object.entries(getTableColumns(table)).map(([key, { dataType, notNull, enumValues }]) => {
    const kind: ColumnKind = { type: TYPES[dataType] ?? 'json', mayBeNull: !notNull };
    return [key, enumValues?.length ? { ...kind, values: enumValues } : kind] as const;
  });
  return Object.fromEntries(kinds);
}

/** Returns an object with only these keys: some columns of a table, or some values of a row. */
export function pick<T extends object, Key extends keyof T>(of: T, keys: readonly Key[]): Pick<T, NoInfer<Key>> {
  return Object.fromEntries(keys.map((key) => [key, of[key]])) as Pick<T, Key>;
}

/**
 * Condition: the MAC or ciphertext in the column was made with this root secret. An index on the column finds such
 * rows.
 */
export function isUnder(column: SQLiteColumn, rootId: string): SQL {
  return sql`(${column} >= ${`${rootId}.`} and ${column} < ${`${rootId}/`})`;
}

/** Condition: each column that `values` names has the value given there. A column must be null if null is given. */
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

/** Condition: the columns that `values` names still hold the values given there. */
export function isStill<T extends Table>(table: T, values: Partial<T['$inferSelect']>): SQL | undefined {
  const columns = getTableColumns(table);
  const conditions = Object.entries(values).flatMap(([key, value]) => {
    const column = columns[key];
    return column ? sql`${column} is ${sql.param(value, column)}` : [];
  });
  return and(...conditions);
}

/**
 * The number of change numbers for each millisecond. Every write gives its row a change number above all others of the
 * organization in the same table. Therefore the numbers have the order in which batches commit. A reader that continues
 * after the last number that it got misses no write, even if the clocks of isolates differ.
 *
 * A change number is at least the row's `updatedAt` in microseconds. Therefore the index on change numbers also finds
 * the changes since a time. Every row that was changed after this time has a number above `changeAt` of the time. Only
 * few other rows have such a number.
 *
 * An insert gets its number from `nextChange`, an update from a trigger (migrations).
 */
const NUMBERS_EACH_MS = 1000;

/**
 * Returns SQL for the change number of a new row.
 * @param at the row's `updatedAt`
 */
export function nextChange(table: SQLiteTable, orgId: Value<string>, at: Value<number>): SQL {
  const last = sql`(select max(change_number) from ${table} where org_id = ${orgId})`;
  return sql`max(coalesce(${last}, 0) + 1, ${at} * ${sql.raw(String(NUMBERS_EACH_MS))})`;
}

/**
 * Returns a change number for a time. Every change after this time has a greater number.
 * @param at epoch ms
 */
export function changeAt(at: number): number {
  return at * NUMBERS_EACH_MS;
}
