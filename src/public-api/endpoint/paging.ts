import * as z from 'zod';
import type { Place } from '../../platform/data/page';
import { invalidField } from '../../platform/errors/errors';
import { fault } from '../../platform/http/validation';
import { PAGE_BYTES_MAX, PAGE_LIMIT } from '../../platform/limits';
import { placeCursor, placeCursorSchema } from '../../wire/cursors';
import { momentSchema, pageOf } from '../../wire/schemas';

const PAGE_MAX = 1_000_000;

/**
 * Returns the schema of a whole number from 1, in decimal digits. `Number()` would also accept `1e2`, `0x10`, ` 5`, and
 * `1.0`.
 */
function wholeNumber(id: string, max: number, fallback: number, description: string) {
  return z
    .string()
    .transform((text, issues) => {
      if (/^-?\d+$/.test(text)) return Number(text);
      issues.addIssue({
        code: 'custom',
        ...fault('invalid_type', 'Send a whole number in decimal digits.'),
      });
      return z.NEVER;
    })
    .pipe(z.int().min(1).max(max))
    .default(fallback)
    .meta({ description, param: { id }, override: { type: 'integer', minimum: 1, maximum: max, default: fallback } });
}

const LIMIT = PAGE_LIMIT.organizationApi;
export const limitSchema = wholeNumber('limit', LIMIT.max, LIMIT.default, `Page size, 1 to ${LIMIT.max}.`);
export const pageSchema = wholeNumber('page', PAGE_MAX, 1, 'Page number, from 1; past the end: no data.');

/**
 * Returns the schema of several values, separated by commas. If `all` is given, the text `all` stands for all values.
 * The result is in the order of `values`.
 */
export function severalOf<const T extends string>(values: readonly T[], example: string, all?: 'all') {
  // The longest text names each value once.
  const lengthMax = Math.max(100, values.join().length);
  const several = `(${values.join('|')})(,(${values.join('|')}))*`;
  return z
    .string()
    .max(lengthMax)
    .transform((text, issues) => {
      if (text === all) return values;
      const asked = text.split(',');
      const found = values.filter((value) => asked.includes(value));
      if (asked.every((each) => found.some((value) => value === each))) return found;
      issues.addIssue({
        code: 'custom',
        ...fault('unknown_value', `Allowed: ${values.join(', ')} (several by comma)${all ? ', or all' : ''}.`),
      });
      return z.NEVER;
    })
    .meta({
      description: all ? 'Several by comma, or `all`.' : 'Several by comma.',
      example,
      override: { type: 'string', maxLength: lengthMax, pattern: all ? `^(all|${several})$` : `^${several}$` },
    });
}

/** The schema of a reference. The reference is trimmed and normalized to NFC, because stored references are. */
export const referenceSchema = z.string().trim().normalize('NFC').min(1).max(200).optional();

/** The query parameters that lists of orders and lists of order requests share. */
export const listQuery = {
  limit: limitSchema,
  cursor: placeCursorSchema,
  created_after: momentSchema
    .optional()
    .meta({ description: 'Only what was created later.', param: { id: 'created_after' } }),
  created_before: momentSchema
    .optional()
    .meta({ description: 'Only what was created earlier.', param: { id: 'created_before' } }),
  updated_after: momentSchema.optional().meta({
    param: { id: 'changed_after' },
    description:
      'Lists by change, the oldest first: everything that changed since this time, and possibly some that changed shortly before. What changes while you page comes again later. Go on with next_cursor; after the last page, begin again some time later with the latest updated_at that you have. Nothing is left out.',
  }),
};

/** Returns the place where the requested page begins. */
export function placeOf({ cursor, updated_after }: { cursor?: Place; updated_after?: number }): Place {
  if (updated_after === undefined) return cursor ?? { before: null };
  if (cursor && 'before' in cursor) {
    const message = 'This cursor is of a list without updated_after. Leave one of the two out.';
    throw invalidField('/cursor', 'invalid_value', message);
  }
  return cursor ?? { updatedAfter: updated_after };
}

/**
 * Returns a page as JSON. It has as many entries as fit into `PAGE_BYTES_MAX`, but at least one.
 * @param next the cursor after all rows; null if no further page follows
 * @param cursorOf returns the cursor after a row, for a page that ends with this row
 */
export function pageBody<Row>(
  rows: readonly Row[],
  wire: (row: Row) => object,
  next: string | null,
  cursorOf: (row: Row) => string | null,
): string {
  const encoder = new TextEncoder();
  const entries: string[] = [];
  // These bytes are reserved for the other members.
  let bytes = 500;
  let cursor = next;
  for (const [place, row] of rows.entries()) {
    const entry = JSON.stringify(wire(row));
    bytes += encoder.encode(entry).length + 1;
    if (bytes > PAGE_BYTES_MAX && place > 0) break;
    entries.push(entry);
    cursor = place === rows.length - 1 ? next : cursorOf(row);
  }
  return `{"data":[${entries.join(',')}],"next_cursor":${JSON.stringify(cursor)},"has_more":${cursor !== null}}`;
}

/** Like `pageBody`, for a list whose cursor is made from a `Place`. */
export function pageOfPlaces<Row>(
  rows: readonly Row[],
  wire: (row: Row) => object,
  { next, placeOf }: { next: Place | null; placeOf: (row: Row) => Place },
): string {
  return pageBody(rows, wire, placeCursor(next), (row) => placeCursor(placeOf(row)));
}

/** Returns the answer of a list with a cursor, as the OpenAPI document describes it. */
export function pageAnswer(entry: z.ZodType) {
  return {
    200: {
      description: 'At most `limit` entries and 2 MiB; next_cursor is null at the end.',
      schema: pageOf(entry),
    },
  };
}
