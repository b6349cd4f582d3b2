import * as z from 'zod';
import { pageOf } from '../wire/schemas';

/** Query parameters that lists share: numbers, page sizes, cursors. */

export const LIMIT_DEFAULT = 50;
export const LIMIT_MAX = 200;
export const PAGE_MAX = 1_000_000;

/** A whole number from 1, in decimal digits: `Number()` would also accept `1e2`, `0x10`, ` 5` and `1.0`. */
function wholeNumber(max: number, fallback: number, description: string) {
  return z
    .string()
    .transform((text, issues) => {
      if (/^-?\d+$/.test(text)) return Number(text);
      issues.addIssue({
        code: 'custom',
        message: 'Send a whole number in decimal digits.',
        params: { code: 'invalid_type' },
      });
      return z.NEVER;
    })
    .pipe(z.int().min(1).max(max))
    .default(fallback)
    .meta({ description, override: { type: 'integer', minimum: 1, maximum: max, default: fallback } });
}

export const limitSchema = wholeNumber(LIMIT_MAX, LIMIT_DEFAULT, `Page size, 1 to ${LIMIT_MAX}.`);
export const pageSchema = wholeNumber(PAGE_MAX, 1, 'Page number, from 1; past the end: no data.');

/** Several values by comma, or `all` where that is allowed; the result is in the order of `values`. */
export function severalOf<const T extends string>(values: readonly T[], example: string, all?: 'all') {
  const several = `(${values.join('|')})(,(${values.join('|')}))*`;
  return (
    z
      .string()
      // Each of them once.
      .max(Math.max(100, values.join().length))
      .transform((text, issues) => {
        if (text === all) return values;
        const asked = text.split(',');
        const found = values.filter((value) => asked.includes(value));
        if (asked.every((each) => found.some((value) => value === each))) return found;
        issues.addIssue({
          code: 'custom',
          message: `Allowed: ${values.join(', ')} (several by comma)${all ? ', or all' : ''}.`,
          params: { code: 'unknown_value' },
        });
        return z.NEVER;
      })
      .meta({
        description: all ? 'Several by comma, or `all`.' : 'Several by comma.',
        example,
        override: { type: 'string', pattern: all ? `^(all|${several})$` : `^${several}$` },
      })
  );
}

/** The error for an invalid cursor. If it returned page 1 instead, a caller could page forever. */
const CURSOR_FAULT = 'Send the next_cursor of an earlier answer, or leave cursor out for the first page.';
const CURSOR_META = { description: 'next_cursor of the page before.' };

/** The cursor of a list that is ordered by row ids (UUIDs). Missing: the first page. */
export const idCursorSchema = z.uuid(CURSOR_FAULT).optional().meta(CURSOR_META);

/** The cursor of the event feed: the number that an event got when it was committed. */
export const numberCursorSchema = z
  .string()
  .regex(/^\d{1,15}$/, CURSOR_FAULT)
  .default('0')
  .meta(CURSOR_META);

/**
 * A key in its cursor: four hexadecimal digits for each character (UTF-16 code unit). Every text of this form is a cursor, so
 * that the document says exactly what is accepted; the mark tells it from other numbers.
 */
const KEY_MARK = 'after-';
/** Of 100 characters at most, as a key has. */
const KEY_CURSOR = /^after-(?:[0-9a-f]{4}){1,100}$/;

/** The cursor of a list that is ordered by keys of the catalog, as `keyCursor` writes it; the result is the key. */
export const keyCursorSchema = z
  .string()
  .max(KEY_MARK.length + 4 * 100, { abort: true })
  .regex(KEY_CURSOR, CURSOR_FAULT)
  .transform(keyOf)
  .optional()
  .meta(CURSOR_META);

/** @param key the last key of a page, null at the end */
export function keyCursor(key: string | null): string | null {
  if (key === null) return null;
  const digits = Array.from({ length: key.length }, (_, at) => key.charCodeAt(at).toString(16).padStart(4, '0'));
  return KEY_MARK + digits.join('');
}

function keyOf(cursor: string): string {
  const digits = cursor.slice(KEY_MARK.length).match(/.{4}/g) ?? [];
  return String.fromCharCode(...digits.map((each) => Number.parseInt(each, 16)));
}

/** What a list with a cursor answers. */
export function pageAnswer(entry: z.ZodType) {
  return { 200: { description: 'One page; next_cursor is null at the end.', schema: pageOf(entry) } };
}
