import * as z from 'zod';
import { sha256, toHex, utf8 } from '../platform/crypto/crypto';
import { fault, NOT_EMPTY, textOf } from '../platform/http/validation';
import { storedId } from '../platform/ids';
import { onceFor } from '../platform/isolate-cache';
import { AMOUNT_CENTS_MAX } from '../platform/limits';
import { toCents, toEur } from '../platform/money';

/**
 * Schemas that several parts of the organization API share. Schemas of responses only describe; schemas of requests
 * validate.
 */

/** Returns the schema of an object that has a name of its own in the OpenAPI document. */
export function objectOf<Members extends z.ZodRawShape>(id: string, description: string, members: Members) {
  return z.object(members).meta({ id, description });
}

/** An amount in EUR with at most two decimals. Floating-point noise is removed. `centsOf` converts it for use cases. */
export const priceSchema = z
  .number()
  .nonnegative()
  .refine(
    (amount) => toCents(amount) !== null,
    fault('invalid_amount', 'Send EUR with at most two decimals, up to 10 million.'),
  )
  .overwrite((amount) => {
    const cents = toCents(amount);
    return cents === null ? amount : toEur(cents);
  })
  .meta({
    description: 'EUR with at most two decimals.',
    example: 9.95,
    override: ({ jsonSchema }) => {
      jsonSchema.maximum = toEur(AMOUNT_CENTS_MAX);
    },
  });

/** A sum of prices in a response. It has no maximum, because each line of an order may have the highest price. */
export const sumSchema = z.number().nonnegative().meta({ example: 24.9 });

export const idSchema = z.string().min(1).max(100).overwrite(storedId);
export const p1IdSchema = textOf(100).meta({ description: 'Product id.', example: 'P1-10001' });
/** A PZN. It is parsed to all eight digits. */
export const pznSchema = z
  .string()
  .regex(/^\d{1,8}$/, 'Send the digits of the PZN, 8 at most.')
  .transform((digits) => digits.padStart(8, '0'))
  .meta({ description: 'German product number; leading zeros may be missing.', example: '01126619' });
export const shopIdSchema = idSchema.meta({
  description: 'Shop id.',
  example: '019aa0b0-1f00-7aaa-8c01-0c9be1b2a301',
});

export const timestampSchema = z.iso
  .datetime()
  .meta({ description: 'ISO 8601, UTC.', example: '2026-11-20T09:30:00.000Z' });

/** A time with any offset, parsed to epoch ms. `t` and `z` may be in either case (RFC 3339 §5.6). */
export const momentSchema = z
  .string()
  .overwrite((text) => text.toUpperCase())
  .check(
    z.iso.datetime({
      offset: true,
      error: 'Send a time with an offset, such as 2026-11-20T09:30:00Z (in an address, + is written %2B).',
    }),
  )
  .transform((text) => Date.parse(text));

/** Returns the schema of `{ data: [ … ] }`, the format of every list. */
export function dataOf<T extends z.ZodType>(schema: T) {
  return z.object({ data: z.array(schema).describe('The entries.') });
}

/** Returns the schema of `{ data: [ … ], next_cursor, has_more }`, the format of a page of a list. */
export function pageOf<T extends z.ZodType>(schema: T) {
  return dataOf(schema).extend({
    next_cursor: z.string().nullable().describe('The `cursor` of the next page; null at the end.'),
    has_more: z.boolean().describe('There is a next page.'),
  });
}

/** Returns a page of a list. @param cursor of the next page; null at the end */
export function pageOfData<T>(data: T[], cursor: string | null) {
  return { data, next_cursor: cursor, has_more: cursor !== null };
}

/** Returns a schema that also refuses `{}`. */
export function notEmpty<T extends z.ZodType<object>>(schema: T, message = 'Send at least one field.'): T {
  const isFilled = (body: object) => Object.keys(body).length > 0;
  return schema.refine(isFilled, { message, params: { code: 'no_fields' } }).meta(NOT_EMPTY);
}

/** The next functions convert amounts and times between domain values and the JSON of the organization API. */

/** @param cents an amount that the database has accepted @returns EUR with at most two decimals */
export const wireAmount = toEur;

/** @param price EUR, validated by `priceSchema` @returns integer cents */
export function centsOf(price: number): number {
  // SAFETY: `priceSchema` has checked that the price can be converted to cents.
  return toCents(price) as number;
}

/** @param at epoch ms @returns ISO 8601 in UTC */
export function wireTime(at: number): string {
  return new Date(at).toISOString();
}

/** As `wireTime`, but null stays null. */
export function wireTimeOrNull(at: number | null): string | null {
  return at === null ? null : wireTime(at);
}

/**
 * Returns the entity tag of a version (RFC 9110 §8.8.3): `"7"`. Compression turns it into the weak tag `W/"7"`, which
 * is accepted, too.
 */

export function etagOf({ version }: { version: number }): string {
  return `"${version}"`;
}

/** Returns the entity tag of a response that has no version: a hash of its body. */
export async function etagOfBody(body: object): Promise<string> {
  return `"${toHex(await sha256(utf8(JSON.stringify(body))))}"`;
}

/**
 * Returns the versions in an `If-Match`. One of them must be the current version.
 * @returns undefined without the header, and for `*`, which accepts any version
 */
export function versionsIn(header: string | undefined): number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').flatMap((tag) => {
    const digits = /^(?:W\/)?"(\d{1,15})"$/.exec(tag.trim())?.[1];
    return digits === undefined ? [] : [Number(digits)];
  });
}

/** Whether an `If-None-Match` contains this tag. The caller then already has this version. */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}

/** The key of a row for the name of a field: `createdAt` for `created_at`. */
type KeyOf<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<KeyOf<Rest>>}`
  : Name;
type TimeName = 'at' | `${string}_at` | `${string}_until` | `${string}_since`;
/** The row from which a response is made. It has a value for each field, by key. Times are in epoch ms. */
type RowOf<Body> = {
  [Name in keyof Body & string as KeyOf<Name>]: Name extends TimeName
    ? number | Exclude<Body[Name], string>
    : Body[Name];
};

const keysOf = onceFor((schema: z.ZodObject) => Object.keys(schema.shape).map(keyOf));

/**
 * Returns the body of a response: the fields of the schema, with the values that the row has under their keys. Leaves
 * out all other values of the row.
 */
export function wired<Schema extends z.ZodObject>(schema: Schema, row: RowOf<z.input<Schema>>): z.input<Schema> {
  const body: Record<string, unknown> = {};
  for (const [name, key, isTime] of keysOf(schema)) {
    const value = (row as Record<string, unknown>)[key];
    if (value !== undefined) body[name] = isTime && typeof value === 'number' ? wireTime(value) : value;
  }
  // SAFETY: the row has a value of its type for each member.
  return body as z.input<Schema>;
}

function keyOf(name: string) {
  const [first = '', ...rest] = name.split('_');
  const key = first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return [name, key, ['at', 'until', 'since'].includes(rest.at(-1) ?? first)] as const;
}
