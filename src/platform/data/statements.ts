import {
  Column,
  type DriverValueDecoder,
  type GetColumnData,
  getTableColumns,
  is,
  noopDecoder,
  Param,
  Placeholder,
  type Query,
  SQL,
  sql,
} from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { RunnableQuery } from 'drizzle-orm/runnable-query';
import type { BaseSQLiteDatabase, SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { IsolateCache, once } from '../isolate-cache';

export type Statement = BatchItem<'sqlite'>;

/** A statement that returns rows. */
export type GivingStatement<Row> = RunnableQuery<Row[], 'sqlite'>;

/** The builder of statements. They run only in a batch: see `Database.run`. */
// SAFETY: the result of a statement without rows is D1's own (`compile`).
export const orm = drizzle(() => {
  throw new Error('a statement runs in a batch');
}) as unknown as BaseSQLiteDatabase<'async', D1Result>;

/** A statement in the form that D1 takes. */
class Compiled {
  constructor(
    readonly sql: string,
    readonly params: readonly unknown[],
    /** Converts D1's result to the result that the type of the statement promises. */
    readonly resultOf: (result: D1Result) => unknown,
  ) {}
}

export function compile(statement: Statement): Compiled {
  if (statement instanceof Compiled) return statement;
  // SAFETY: `orm` builds one of the two. Drizzle takes the rows of a query as arrays, and those of raw SQL as objects.
  const built = statement as unknown as DrizzleQuery | (Select & { prepare(): DrizzleQuery });
  const isRaw = !('prepare' in built);
  const query = isRaw ? built : built.prepare();
  const { sql, params } = query.getQuery();
  const reader = once(() => (isRaw ? null : rowReader(Object.entries(built._?.config?.fields ?? {}))));
  return new Compiled(sql, params, (result) => {
    const readRow = reader();
    // SAFETY: D1 returns rows as objects.
    if (readRow) return (result.results as Row[]).map(readRow);
    const rows = isRaw ? result.results : result.results.map((row) => Object.values(row as object));
    return query.mapResult({ ...result, rows }, true);
  });
}

interface DrizzleQuery {
  getQuery(): Query;
  mapResult(result: unknown, isFromBatch: boolean): unknown;
}

/** The part of a Drizzle SELECT that holds its fields. */
interface Select {
  _?: { config?: { fields?: Record<string, unknown> } };
}

type Row = Record<string, unknown>;

/**
 * Returns a function that converts a row of D1 to a row of a SELECT. It replaces Drizzle's own conversion, which takes
 * a millisecond for a page of a list.
 * @returns null unless the statement is a SELECT whose fields are all columns or SQL; then Drizzle converts the rows
 */
function rowReader(fields: readonly [name: string, field: unknown][]): ((row: Row) => Row) | null {
  const read = fields.map(([name, field]) => ({ name, ...(readerOf(field) ?? { decode: null, column: null }) }));
  if (read.length === 0 || read.some(({ column }) => column === null)) return null;
  const decoded = read.flatMap(({ name, decode }) => (decode ? [[name, decode] as const] : []));
  const names = read.map(({ name }) => name);
  const isNamedAlike = read.every(({ name, column }) => name === column);
  const rename = (row: Row): Row => {
    const values = Object.values(row);
    const named: Row = {};
    for (let place = 0; place < names.length; place += 1) named[names[place] as string] = values[place];
    return named;
  };
  return (row) => {
    const named = isNamedAlike ? row : rename(row);
    for (const [name, decode] of decoded) {
      if (named[name] !== null) named[name] = decode(named[name]);
    }
    return named;
  };
}

/**
 * Returns how to read a field of a SELECT that is a column or SQL; null for any other field. `column` is the column's
 * name or the alias of the SQL; empty for SQL without an alias. `decode` turns the stored value into the field's value;
 * null if both are the same.
 */
function readerOf(field: unknown) {
  if (is(field, Column)) return { column: field.name, decode: decodeBy(field) };
  if (!is(field, SQL) && !is(field, SQL.Aliased)) return null;
  // SAFETY: `mapWith` sets it.
  const { decoder } = (is(field, SQL) ? field : field.sql) as unknown as {
    decoder: DriverValueDecoder<unknown, unknown>;
  };
  return { column: is(field, SQL.Aliased) ? field.fieldAlias : '', decode: decodeBy(decoder) };
}

function decodeBy(decoder: DriverValueDecoder<unknown, unknown>) {
  const isPlain = is(decoder, Column) && (decoder.dataType === 'string' || decoder.dataType === 'number');
  return isPlain || decoder === noopDecoder ? null : (value: unknown) => decoder.mapFromDriverValue(value);
}

/** Returns columns for a SELECT. Each column has its field name as alias, so that rows need no renaming. */
export function namedAlike<Of extends Record<string, SQLiteColumn>>(columns: Of) {
  const named = Object.entries(columns).map(([name, column]) => [name, sql`${column}`.mapWith(column).as(name)]);
  // SAFETY: each column is decoded as itself.
  return Object.fromEntries(named) as { [Name in keyof Of]: SQL.Aliased<GetColumnData<Of[Name]>> };
}

/** The placeholders of a statement's values, by the names of the values. */
export type Named<Values> = { readonly [Name in keyof Values]: Placeholder<string, Values[Name]> };

/** A value, or its placeholder in a prepared statement. */
export type Value<T> = T | Placeholder<string, T>;

/**
 * Returns a function that returns a statement for given values. An isolate makes the statement's text once, and each
 * call only binds the values. Use it for statements that run with every request, because Drizzle takes longer to build
 * a statement than the rest of the request takes.
 *
 * A value that an INSERT or SET writes to a column is encoded as this column requires. Every other value is bound
 * unchanged. For a column that encodes its values (booleans, JSON), write `sql.param(value, column)`. For a list, write
 * `jsonOf(value)`.
 * @param build builds the statement from placeholders. It is called once, so the text cannot depend on the values.
 *   `build` may also take a condition. The returned function then takes a condition after the values, and puts the SQL
 *   of that condition into the text
 * @throws Error from the returned function if a value is missing
 */
export function prepared<Values extends object, S extends Statement, OnlyIf extends [] | [onlyIf: Condition]>(
  build: (named: Named<Values>, ...onlyIf: OnlyIf) => S,
) {
  // SAFETY: a function that takes no condition ignores it.
  const made = once(() => binderOf(compile(build(placeholders(), ...([PLACE] as OnlyIf)))));
  // SAFETY: only `compile` looks into a statement, and it takes this as it is.
  return (values: Values, ...[onlyIf]: Partial<OnlyIf>) => made()(values, onlyIf) as unknown as S;
}

/**
 * Like `prepared`, but for several statements that run together. The returned function returns an object with each
 * statement under its name.
 */
export function preparedEach<Values extends object, Each extends Record<string, Statement>>(
  build: (named: Named<Values>) => Each,
) {
  const made = once(() =>
    Object.entries(build(placeholders())).map(([name, each]) => [name, binderOf(compile(each))] as const),
  );
  // SAFETY: as in `prepared`, and there is a statement under every name.
  return (values: Values) => Object.fromEntries(made().map(([name, bind]) => [name, bind(values)])) as unknown as Each;
}

/**
 * SQL that is true or false. The slice that owns a table makes conditions about this table. Another slice uses such a
 * condition in a write of its own.
 */
export type Condition = SQL;

/** The compiled text and values of each condition. */
const compiledConditions = new WeakMap<Condition, Compiled>();

/** Returns a function that returns a condition for given values. As with `prepared`, the text is made only once. */
export function preparedCondition<Values extends object>(build: (named: Named<Values>) => Condition) {
  const made = once(() => binderOf(compile(orm.run(build(placeholders())))));
  return (values: Values): Condition => {
    // SAFETY: a value may stand wherever its placeholder may. Built only for a statement that is not prepared.
    const getSQL = () => build(values as unknown as Named<Values>);
    const condition = new SQL([{ getSQL, shouldOmitSQLParens: () => true }]);
    compiledConditions.set(condition, made()(values));
    return condition;
  };
}

/** A condition that always holds. */
export const always: Condition = sql`true`;

function compileCondition(condition: Condition): Compiled {
  const known = compiledConditions.get(condition) ?? compile(orm.run(condition));
  compiledConditions.set(condition, known);
  return known;
}

/** Returns an object that has a placeholder under every name. */
function placeholders<Values>(): Named<Values> {
  return new Proxy({} as Named<Values>, { get: (_, name) => sql.placeholder(String(name)) });
}

/**
 * Marks where the condition of a prepared statement belongs. In the text, the condition's SQL replaces the mark. In the
 * list of parameters, the condition's values replace it.
 */
const PLACE = sql`/*${sql.placeholder('/**/')}*/`;
const PLACE_TEXT = '/*?*/';

/**
 * Returns a function that binds values to a statement. The function knows the places of the placeholders. Searching for
 * them in each call would be slow, because statements have dozens of parameters.
 */
function binderOf({ sql: text, params, resultOf }: Compiled) {
  const places = params.map((param) => {
    const { value, encoder } = is(param, Param) ? param : { value: param, encoder: undefined };
    return is(value, Placeholder) ? { name: value.name, encoder, param: null } : { name: null, encoder, param };
  });
  /**
   * The statement's text for each condition. The key is the condition's SQL. The cache is small, because callers use
   * the same few conditions each time.
   */
  const texts = new IsolateCache<string>(8);
  return (values: object, onlyIf: Condition = always): Compiled => {
    const condition = compileCondition(onlyIf);
    const bound: unknown[] = [];
    for (const place of places) {
      if (place.name === null) bound.push(place.param);
      else if (place.name === '/**/') bound.push(...condition.params);
      else {
        const given = (values as Record<string, unknown>)[place.name];
        if (given === undefined) throw new Error(`the statement has no value for ${place.name}`);
        bound.push(given === null || !place.encoder ? given : place.encoder.mapToDriverValue(given));
      }
    }
    const known = texts.made(condition.sql, () => text.replaceAll(PLACE_TEXT, () => condition.sql));
    return new Compiled(known, bound, resultOf);
  };
}

/** Returns the placeholders of all columns of a table, for a prepared statement that writes whole rows. */
export function columnsOf<T extends SQLiteTable, Values>(table: T, named: Named<Values>) {
  const names = Object.keys(getTableColumns(table)) as (keyof Values & keyof T['_']['columns'])[];
  // SAFETY: there is a placeholder under every name.
  return Object.fromEntries(names.map((name) => [name, named[name]])) as Pick<Named<Values>, (typeof names)[number]>;
}

/**
 * Returns SQL for a value that is encoded before it is bound.
 * @param encode returns the value that D1 takes
 */
export function encoded<T>(value: Value<T>, encode: (value: T) => unknown): SQL {
  // SAFETY: the value, and what is given for its place, is a T.
  return sql`${sql.param(value, { mapToDriverValue: (given: unknown) => encode(given as T) })}`;
}

/** Returns SQL for a value as JSON text. */
export function jsonOf<T>(value: Value<T>): SQL {
  return encoded(value, (given) => JSON.stringify(given));
}

/**
 * Returns a FROM clause with a row for each id that a SELECT finds. The SELECT runs once for each value of a list, and
 * reads the value as `each.value`. For example, a SELECT with a limit of 50 finds the newest 50 ids of each status. The
 * rows have the ids as `found.value`. Other databases have LATERAL for this, which SQLite lacks.
 */
export function idsForEach(values: Value<readonly string[]>, selectIds: SQL): SQL {
  return sql`json_each(${jsonOf(values)}) as each
    cross join json_each((select json_group_array(id) from (${selectIds}))) as found`;
}

/**
 * Returns SQL for one of the ids that share a prefix (`newIdPrefix`).
 * @param place the number of the id, counted from 0
 */
export function numberedId(prefix: Value<string>, place: SQL): SQL {
  return sql`${prefix} || printf('%04x', ${place})`;
}

/** Updates the statistics of SQLite's planner for tables that have changed much. */
export const OPTIMIZE: Statement = orm.run(sql`pragma optimize`);
