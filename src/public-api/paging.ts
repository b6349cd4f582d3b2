import * as z from 'zod';
import { fromBase64, toBase64, utf8 } from '../platform/crypto';

/** Query parameters that lists share: numbers, page sizes, cursors. */

export const LIMIT_DEFAULT = 50;
export const LIMIT_MAX = 200;
export const PAGE_MAX = 1_000_000;

/** A whole number in decimal digits: `Number()` would also accept `1e2`, `0x10`, ` 5` and `1.0`. */
function wholeNumber(min: number, max: number, fallback: number) {
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
    .pipe(z.int().min(min).max(max))
    .default(fallback);
}

export const limitSchema = wholeNumber(1, LIMIT_MAX, LIMIT_DEFAULT).meta({
  description: `Page size, 1 to ${LIMIT_MAX}.`,
  override: { type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT },
});

export const pageSchema = wholeNumber(1, PAGE_MAX, 1).meta({
  description: 'Page number, from 1; past the end: no data.',
  override: { type: 'integer', minimum: 1, maximum: PAGE_MAX, default: 1 },
});

/** Several values by comma; the result is in the order of `values`. */
export function severalOf<const T extends string>(values: readonly T[], example: string) {
  const any = values.join('|');
  return z
    .string()
    .max(100)
    .transform((text, issues) => {
      const asked = text.split(',');
      const found = values.filter((value) => asked.includes(value));
      if (asked.every((each) => found.some((value) => value === each))) return found;
      issues.addIssue({
        code: 'custom',
        message: `Allowed: ${values.join(', ')} (several by comma).`,
        params: { code: 'unknown_value' },
      });
      return z.NEVER;
    })
    .meta({
      description: 'Several by comma.',
      example,
      override: { type: 'string', pattern: `^(${any})(,(${any}))*$` },
    });
}

/** The error for an invalid cursor. If it returned page 1 instead, a caller could page forever. */
const CURSOR_FAULT = 'Send the next_cursor of an earlier answer, or leave cursor out for the first page.';
const CURSOR_META = { description: 'next_cursor of the page before.' };
/** A key has at most 100 characters of up to four bytes in UTF-8. */
const CURSOR_LENGTH_MAX = 600;

/** The cursor of a list that is ordered by row ids (UUIDs). Missing or empty: the first page. */
export const idCursorSchema = z
  .union([z.literal(''), z.uuid()], CURSOR_FAULT)
  .optional()
  .meta({ ...CURSOR_META, override: { type: 'string', format: 'uuid' } });

/** The cursor of the event feed: the number that an event got when it was committed. */
export const numberCursorSchema = z
  .string()
  .regex(/^\d{1,15}$/, CURSOR_FAULT)
  .default('0')
  .meta(CURSOR_META);

/** Prefix of a key in its cursor, which distinguishes it from other base64 text. */
const KEY_MARK = 'after:';

/** The cursor of a list that is ordered by keys of the catalog, as `keyCursor` writes it; the result is the key. */
export const keyCursorSchema = z
  .string()
  .max(CURSOR_LENGTH_MAX)
  .transform((cursor, issues) => {
    const key = cursor === '' ? '' : keyOf(cursor);
    if (key !== null) return key;
    issues.addIssue({ code: 'custom', message: CURSOR_FAULT, params: { code: 'invalid_format' } });
    return z.NEVER;
  })
  .default('')
  .meta({ ...CURSOR_META, override: { type: 'string', maxLength: CURSOR_LENGTH_MAX } });

/** @param key the last key of a page, null at the end */
export function keyCursor(key: string | null): string | null {
  return key === null
    ? null
    : toBase64(utf8(KEY_MARK + key))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
}

function keyOf(cursor: string): string | null {
  try {
    const padded = cursor
      .replaceAll('-', '+')
      .replaceAll('_', '/')
      .padEnd(Math.ceil(cursor.length / 4) * 4, '=');
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(fromBase64(padded));
    return text.startsWith(KEY_MARK) ? text.slice(KEY_MARK.length) : null;
  } catch {
    return null;
  }
}
