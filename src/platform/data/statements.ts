import {
  Column,
  type GetColumnData,
  getTableColumns,
  is,
  noopDecoder,
  noopEncoder,
  Param,
  Placeholder,
  type Query,
  SQL,
  Subquery,
  sql,
} from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';
import type { RunnableQuery } from 'drizzle-orm/runnable-query';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { once, onceFor } from '../isolate-cache';

export type Statement = BatchItem<'sqlite'>;

/** A statement that gives rows back. */
export type GivingStatement<Row> = RunnableQuery<Row[], 'sqlite'>;

/** Builds statements; it is connected to no database, so that nothing runs but through `Database.run`. */
// SAFETY: to build a statement, Drizzle's D1 session calls only `prepare`, and nothing of what that gives.
export const orm = drizzle({ prepare: () => null } as unknown as D1Database);

/** A statement as D1 takes it. */
interface Compiled {
  sql: string;
  params: readonly unknown[];
  /** What the statement's type says that it gives. */
  resultOf: (result: D1Result) => unknown;
}

const compiled = Symbol('compiled statement');

export function compile(statement: Statement): Compiled {
  return compiled in statement ? (statement[compiled] as Compiled) : planOf(statement);
}

/** Values by name, at the places where a statement takes them. */
export type Named<Values> = { readonly [Name in keyof Values]: Placeholder<string, Values[Name]> };

/** A value, or the place of one in a statement that is prepared. */
export type Value<T> = T | Placeholder<string, T>;

/**
 * A statement whose text and row mapping are made once in an isolate; each call only binds values. For statements that run with
 * every request: building one with Drizzle costs more than all else that this service does for it.
 *
 * A value has the encoding of the column of an INSERT or SET that it is written to. Everywhere else it is bound as it is:
 * write `sql.param(value, column)` for a column that encodes (booleans, JSON), and `jsonOf(value)` for a list.
 * @param build is called once; it must not decide by values. With a condition that comes with each call, it is called once for
 *   each function that `preparedCondition` made; with any other condition the statement is built anew each time
 */
export function prepared<Values extends object, S extends Statement>(
  build: (named: Named<Values>) => S,
): (values: Values) => S;
export function prepared<Values extends object, S extends Statement>(
  build: (named: Named<Values>, onlyIf: Condition) => S,
): (values: Values, onlyIf?: Condition) => S;
export function prepared<Values extends object, S extends Statement>(
  build: (named: Named<Values>, onlyIf: Condition) => S,
) {
  const plan = (onlyIf: Condition): Plan => {
    const named = placeholders<Values>((name) => new Placeholder(name));
    const { sql, params, resultOf } = planOf(build(named, onlyIf));
    return { sql, slots: params.map(slotOf), resultOf };
  };
  const planWith = onceFor((make: ConditionParts['build']) =>
    plan(make(placeholders((name) => new PlaceholderOfCondition(name)))),
  );
  return (values: Values, onlyIf: Condition = always): S => {
    const condition = partsOf(onlyIf);
    const { sql, slots, resultOf } = condition ? planWith(condition.build) : plan(onlyIf);
    const params = slots.map((slot) => boundAt(slot, values as NamedValues, condition?.values));
    const made: Compiled = { sql, params, resultOf };
    // SAFETY: only `compile` looks into a statement, and it finds this first.
    return { [compiled]: made } as unknown as S;
  };
}

/** As `prepared`, for statements that are run together. */
export function preparedEach<Values extends object, Each extends Record<string, Statement>>(
  build: (named: Named<Values>) => Each,
): (values: Values) => Each {
  const statements = once(() => {
    const names = Object.keys(build(placeholders((name) => new Placeholder(name))));
    return names.map((name) => [name, prepared((named: Named<Values>) => build(named)[name] as Statement)] as const);
  });
  // SAFETY: there is a statement under every name.
  return (values) => Object.fromEntries(statements().map(([name, statement]) => [name, statement(values)])) as Each;
}

/**
 * A piece of SQL that is true or false. A slice that owns a table gives it to another one that writes depending on it.
 */
export type Condition = SQL;

const parts = Symbol('parts of a prepared condition');

interface ConditionParts {
  build: (named: Named<NamedValues>) => SQL;
  values: NamedValues;
}

/**
 * A condition with which a prepared statement is not built anew: each call gives its values, the text stays.
 * @param build must not decide by values
 */
export function preparedCondition<Values extends object>(build: (named: Named<Values>) => SQL) {
  return (values: Values): Condition => {
    // For statements that are not prepared, so built only when one asks.
    // SAFETY: a value may stand wherever its placeholder may.
    const built = { getSQL: () => build(values as unknown as Named<Values>), shouldOmitSQLParens: () => true };
    return Object.assign(new SQL([built]), { [parts]: { build, values } });
  };
}

function partsOf(condition: Condition): ConditionParts | undefined {
  return (condition as { [parts]?: ConditionParts })[parts];
}

/** The condition that always holds. */
export const always: Condition = preparedCondition(() => sql`true`)({});

/** The columns of a row that a prepared statement writes whole: those of a table, under their names. */
export function columnsOf<T extends SQLiteTable, Values>(table: T, named: Named<Values>) {
  const names = Object.keys(getTableColumns(table)) as (keyof Values & keyof T['_']['columns'])[];
  // SAFETY: there is a placeholder under every name.
  return Object.fromEntries(names.map((name) => [name, named[name]])) as Pick<Named<Values>, (typeof names)[number]>;
}

/** The columns under the names of these fields, so that D1's rows need no renaming. */
export function namedColumns<Columns extends Record<string, Column>>(columns: Columns) {
  const named = Object.entries(columns).map(([name, column]) => [name, sql`${column}`.mapWith(column).as(name)]);
  return Object.fromEntries(named) as { [Name in keyof Columns]: SQL.Aliased<GetColumnData<Columns[Name]>> };
}

/** A value that is bound as something else. @param encode gives what D1 takes */
export function encoded<T>(value: Value<T>, encode: (value: T) => unknown): SQL {
  // SAFETY: the value, and what is given for its place, is a T.
  return sql`${sql.param(value, { mapToDriverValue: (given: unknown) => encode(given as T) })}`;
}

/** A value as JSON text. */
export function jsonOf<T>(value: Value<T>): SQL {
  return encoded(value, (given) => JSON.stringify(given));
}

/**
 * The ids that a limited SELECT finds for each value of a list, which it names `each.value`: of each status the newest 50. As
 * a table of ids, `found.value`; SQLite has no LATERAL.
 */
export function idsForEach(values: Value<readonly string[]>, selectIds: SQL): SQL {
  return sql`json_each(${jsonOf(values)}) as each
    cross join json_each((select json_group_array(id) from (${selectIds}))) as found`;
}

/** One of the ids that begin alike (`newIdPrefix`). @param place counted from 0 */
export function numberedId(prefix: Value<string>, place: SQL): SQL {
  return sql`${prefix} || printf('%04x', ${place})`;
}

/** Renews what SQLite's planner knows of the tables, where they have changed much. */
export const OPTIMIZE: Statement = orm.run(sql`pragma optimize`);

type NamedValues = Readonly<Record<string, unknown>>;

/** A place for a value of the condition, not of the statement. */
class PlaceholderOfCondition extends Placeholder {}

/** An object with a placeholder under every name. */
function placeholders<Values>(make: (name: string) => Placeholder): Named<Values> {
  return new Proxy({} as Named<Values>, { get: (_, name) => make(String(name)) });
}

interface Plan {
  sql: string;
  slots: readonly Slot[];
  resultOf: Compiled['resultOf'];
}

/** Where a bound value comes from: fixed by the statement, or given with each call. */
type Slot = { fixed: unknown } | { name: string; isOfCondition: boolean; encode: Encode | null };

type Encode = (value: unknown) => unknown;

/** Encoders that change nothing. */
const NO_ENCODING: readonly Encode[] = [Column.prototype.mapToDriverValue, noopEncoder.mapToDriverValue];

function slotOf(param: unknown): Slot {
  if (is(param, Placeholder)) return slotOfPlaceholder(param, null);
  if (!is(param, Param) || !is(param.value, Placeholder)) return { fixed: param };
  const { encoder } = param;
  const isEncoded = !NO_ENCODING.includes(encoder.mapToDriverValue);
  return slotOfPlaceholder(param.value, isEncoded ? (value) => encoder.mapToDriverValue(value) : null);
}

function slotOfPlaceholder(placeholder: Placeholder, encode: Encode | null): Slot {
  return { name: placeholder.name, isOfCondition: placeholder instanceof PlaceholderOfCondition, encode };
}

/** @throws Error when no value was given for the slot: a bug of this service */
function boundAt(slot: Slot, values: NamedValues, ofCondition: NamedValues | undefined): unknown {
  if ('fixed' in slot) return slot.fixed;
  const { name, isOfCondition, encode } = slot;
  const value = isOfCondition ? ofCondition?.[name] : values[name];
  if (value === undefined) throw new Error(`the statement has no value for ${name}`);
  return value === null || encode === null ? value : encode(value);
}

/** What Drizzle makes of a statement for a batch; it marks this as internal, so a test holds that it is there. */
interface DrizzlePrepared {
  getQuery(): Query;
  mapResult(result: D1Result, isFromBatch: true): unknown;
  /** Columns of a SELECT or RETURNING, in order. */
  fields?: readonly Field[];
  customResultMapper?: unknown;
}

interface Field {
  /** Where the value goes in the row; more than one name if rows are nested. */
  path: readonly string[];
  field: unknown;
}

function planOf(statement: Statement): Compiled {
  const made = (statement as unknown as { _prepare(): DrizzlePrepared })._prepare();
  const { sql, params } = made.getQuery();
  const isFlat = made.fields && !made.customResultMapper && made.fields.every(({ path }) => path.length === 1);
  const resultOf = isFlat
    ? rowMapper(made.fields as readonly Field[])
    : (result: D1Result) => made.mapResult(result, true);
  return { sql, params, resultOf };
}

/**
 * Turns D1's rows into those of a statement as Drizzle does, which however looks up for each value of each row how it is
 * decoded: that alone was a third of the time of a list. Columns are matched by their order, so their names must be different.
 * Rows whose columns have the names of the statement's fields (`.as('priceCents')`) stay what they are.
 */
function rowMapper(fields: readonly Field[]): Compiled['resultOf'] {
  const columns = fields.map(({ path: [name = ''], field }) => ({ name, decode: decoderOf(field) }));
  const decoded = columns.filter(({ decode }) => decode !== null) as { name: string; decode: Decode }[];
  const empty: Row = Object.fromEntries(columns.map(({ name }) => [name, null]));
  const renamed = (row: Row): Row => {
    const values = Object.values(row);
    // A copy has room for all fields from the beginning.
    const named = { ...empty };
    for (const [index, { name }] of columns.entries()) named[name] = values[index];
    return named;
  };
  return ({ results }) => {
    const [first] = results as Row[];
    if (!first) return results;
    const names = Object.keys(first);
    const isNamed = columns.every(({ name }, index) => names[index] === name);
    const rows = isNamed ? (results as Row[]) : (results as Row[]).map(renamed);
    for (const row of rows) {
      for (const { name, decode } of decoded) if (row[name] !== null) row[name] = decode(row[name]);
    }
    return rows;
  };
}

type Row = Record<string, unknown>;

type Decode = (value: unknown) => unknown;

/** Decoders that change nothing. */
const NO_DECODING = [Column.prototype.mapFromDriverValue, noopDecoder.mapFromDriverValue];

/** @returns null where a value stays as D1 gives it */
function decoderOf(field: unknown): Decode | null {
  // SAFETY: the kinds of fields that Drizzle knows.
  const decoder = is(field, Column) ? field : decoderOfSql(field as SQL | SQL.Aliased | Subquery);
  return NO_DECODING.includes(decoder.mapFromDriverValue) ? null : (value) => decoder.mapFromDriverValue(value);
}

interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

function decoderOfSql(field: SQL | SQL.Aliased | Subquery): Decoder {
  const sql = is(field, SQL) ? field : is(field, Subquery) ? field._.sql : field.sql;
  return (sql as unknown as { decoder: Decoder }).decoder;
}
