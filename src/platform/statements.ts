import { Column, is, noopDecoder, Param, Placeholder, type Query, SQL, Subquery } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';

export type Statement = BatchItem<'sqlite'>;

/** Builds statements; it is connected to no database, so that nothing runs but through `Database.run`. */
// SAFETY: to build a statement, Drizzle's D1 session calls only `prepare`, and nothing of what that gives.
export const orm = drizzle({ prepare: () => null } as unknown as D1Database);

/** A statement as D1 takes it. */
export interface Compiled {
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
 * write `sql.param(value, column)` for a column that encodes (booleans, JSON).
 * @param build is called once; it must not decide by values
 */
export function prepared<Values extends object, S extends Statement>(build: (named: Named<Values>) => S) {
  let known: { sql: string; slots: readonly Slot[]; resultOf: Compiled['resultOf'] } | undefined;
  const plan = () => {
    const { sql, params, resultOf } = planOf(build(placeholders as Named<Values>));
    return { sql, slots: params.map(slotOf), resultOf };
  };
  return (values: Values): S => {
    known ??= plan();
    const { sql, slots, resultOf } = known;
    const made: Compiled = { sql, params: slots.map((slot) => slot(values as Record<string, unknown>)), resultOf };
    // SAFETY: only `compile` looks into a statement, and it finds this first.
    return { [compiled]: made } as unknown as S;
  };
}

/** An object with a placeholder under every name. */
const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

type Slot = (values: Record<string, unknown>) => unknown;

/** Where a bound value comes from: fixed by the statement, or given with each call. */
function slotOf(param: unknown): Slot {
  if (is(param, Placeholder)) return (values) => given(values, param.name);
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const {
    encoder,
    value: { name },
  } = param;
  return (values) => {
    const value = given(values, name);
    return value === null ? null : encoder.mapToDriverValue(value);
  };
}

function given(values: Record<string, unknown>, name: string): unknown {
  const value = values[name];
  if (value === undefined) throw new Error(`the statement has no value for ${name}`);
  return value;
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
 */
function rowMapper(fields: readonly Field[]): Compiled['resultOf'] {
  const columns = fields.map(({ path: [name = ''], field }) => ({ name, decode: decoderOf(field) }));
  return ({ results }) => {
    const [first] = results as Record<string, unknown>[];
    const names = Object.keys(first ?? {});
    return (results as Record<string, unknown>[]).map((row) => {
      const mapped: Record<string, unknown> = {};
      for (let index = 0; index < columns.length; index += 1) {
        // SAFETY: there is a column for each index.
        const { name, decode } = columns[index] as (typeof columns)[number];
        const value = row[names[index] as string];
        mapped[name] = value === null || decode === null ? value : decode(value);
      }
      return mapped;
    });
  };
}

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
