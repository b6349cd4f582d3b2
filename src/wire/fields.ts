import * as z from 'zod';
import { type ColumnKind, columnKinds } from '../platform/data/columns';
import type { Field, Fields } from '../platform/fields';
import { textOf } from '../platform/http/validation';
import { timestampSchema, wireAmount, wireTimeOrNull } from './schemas';

/**
 * Makes schemas and JSON for the rows of a table, from the fields of the table. Parameters add what the columns do not
 * describe.
 */

type Table = Parameters<typeof columnKinds>[0];
/** Schemas by the names that the API has for fields. */
type Schemas = Record<string, z.ZodType>;

/** Returns the name of a field within its group: `city` for `address_city` within `address`. */
function nameWithin({ wire = '', within }: Field): string {
  return within && wire.startsWith(`${within}_`) ? wire.slice(within.length + 1) : wire;
}

function shown(fields: Fields): [key: string, field: Field][] {
  return Object.entries(fields).filter(([, { wire }]) => wire !== undefined);
}

function schemaOf({ type, mayBeNull, values }: ColumnKind, { unit }: Field): z.ZodType {
  const schemas = {
    text: values ? z.enum(values) : z.string(),
    boolean: z.boolean(),
    // Columns hold integers; cents are shown as EUR.
    number: unit === 'cents' ? z.number() : z.int(),
    json: z.json(),
  };
  const schema = unit === 'time' ? timestampSchema : schemas[type];
  return mayBeNull ? schema.nullable() : schema;
}

/**
 * Returns the schemas of a response's fields, in the order of the fields.
 * @param given schemas of fields that the columns do not describe
 * @param groupsSay descriptions of the groups
 */
export function responseShape(
  table: Table,
  fields: Fields,
  given: Schemas,
  groupsSay: Record<string, string> = {},
): Schemas {
  const kinds = columnKinds(table);
  const shape: Schemas = {};
  const groups: Record<string, Schemas> = {};
  for (const [key, field] of shown(fields)) {
    const { wire = '', says, example } = field;
    const schema = given[wire] ?? schemaOf(kinds[key] ?? { type: 'json', mayBeNull: false }, field);
    const described = says === undefined ? schema : schema.meta({ description: says, ...(example && { example }) });
    if (field.within === undefined) {
      shape[wire] = described;
      continue;
    }
    const { within } = field;
    groups[within] = { ...groups[within], [nameWithin(field)]: described };
    // The group's schema is made again for each member. The group keeps the position of its first member.
    shape[within] = z.object(groups[within]).meta({ description: groupsSay[within] });
  }
  return shape;
}

const UNITS = { cents: wireAmount, time: wireTimeOrNull };

type Json = Record<string, unknown>;

/**
 * Returns a function that turns a row into JSON. If a field is not a column, the row must have the field's JSON under
 * the field's key.
 */
export function responder(fields: Fields): (row: object) => Json {
  const members = shown(fields).map(([key, field]) => ({ ...field, key, name: nameWithin(field) }));
  return (row) => {
    const body: Json = {};
    for (const { key, name, within, unit } of members) {
      const value = (row as Json)[key];
      const shown = unit && typeof value === 'number' ? UNITS[unit](value) : value;
      if (within === undefined) body[name] = shown;
      else body[within] = { ...(body[within] as Json | undefined), [name]: shown };
    }
    return body;
  };
}

type WireName<F extends Fields, Key extends keyof F> = F[Key] extends { wire: infer Name extends string }
  ? Name
  : never;

/** Returns the schema of an optional text in a body. Null clears the stored text. */
export function textSchema(max: number, description: string) {
  return textOf(max).nullish().describe(description);
}

/**
 * Returns the schemas of optional fields in a body that changes a row, by their names in the API.
 * @param given schemas by name. Fields without one must be texts or flags
 */
export function bodyShape<F extends Fields, Key extends keyof F & string>(
  table: Table,
  fields: F,
  keys: readonly Key[],
  given: Schemas = {},
) {
  const kinds = columnKinds(table);
  const members = keys.map((key) => {
    const { wire = '', says = '', asks = says, max } = fields[key] as Field;
    const flag = kinds[key]?.type === 'boolean' && z.boolean().optional().describe(asks);
    const schema = given[wire] ?? (flag || (max !== undefined && textSchema(max, asks)));
    if (!schema) throw new Error(`${key} has neither a longest text nor a schema`);
    return [wire, schema];
  });
  // SAFETY: each key made a member under its wire name.
  return Object.fromEntries(members) as Record<WireName<F, Key>, z.ZodOptional<z.ZodType<string | boolean | null>>>;
}

/**
 * Returns the values of a checked body by the keys of their fields, in the order of the body. Leaves out members that
 * are no fields.
 */
export function fromBody(fields: Fields, body: object): Json {
  const keys = new Map(shown(fields).map(([key, { wire }]) => [wire, key]));
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const key = keys.get(name);
      return key === undefined ? [] : [[key, value]];
    }),
  );
}
