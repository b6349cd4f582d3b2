import * as z from 'zod';
import type { Place } from '../platform/data/page';

/**
 * Cursors of lists, whose content callers need not know. A cursor is base64url: three letters for the kind of list, and
 * then the place in the list. Every text that matches the pattern of its kind is a valid cursor. The OpenAPI document
 * thus describes exactly what is accepted.
 */

/**
 * The message for an invalid cursor. An invalid cursor must not return page 1, because a caller could then read pages
 * forever.
 */
const FAULT = 'Send the next_cursor of an earlier answer, or leave cursor out for the first page.';
const DESCRIPTION = 'next_cursor of the page before, as it was returned.';
/** @param id the parameter's name in the document's components */
const meta = (id: string) => ({ description: DESCRIPTION, param: { id } });
const ALPHABET = { alphabet: 'base64url' } as const;
const KIND_CHARACTERS = 4;
/**
 * The bytes that a number takes in a cursor. With the three letters, the cursor has a multiple of three bytes, so
 * base64url needs no padding.
 */
const NUMBER_BYTES = 9;
const DIGITS_EACH_BYTE = 2;

type Kind = 'id:' | 'chg' | 'evt' | 'key' | 'cat';

function write(kind: Kind, place: Uint8Array): string {
  const bytes = new Uint8Array(kind.length + place.length);
  bytes.set(new TextEncoder().encode(kind));
  bytes.set(place, kind.length);
  return bytes.toBase64({ ...ALPHABET, omitPadding: true });
}

/** Returns the place in a cursor that matches the pattern of its kind. */
function placeIn(cursor: string): Uint8Array {
  const digits = cursor.slice(KIND_CHARACTERS);
  // A single leftover character encodes no byte.
  return Uint8Array.fromBase64(digits.length % 4 === 1 ? digits.slice(0, -1) : digits, ALPHABET);
}

function writeText(kind: Kind, text: string): string {
  return write(kind, new TextEncoder().encode(text));
}

function textIn(cursor: string): string {
  return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(placeIn(cursor));
}

function writeNumber(kind: Kind, number: number): string {
  return write(kind, Uint8Array.fromHex(number.toString(16).padStart(NUMBER_BYTES * DIGITS_EACH_BYTE, '0')));
}

/** Returns the number in a cursor, but at most `MAX_SAFE_INTEGER`. No row has a larger number. */
function numberIn(cursor: string): number {
  return Math.min(Number.parseInt(placeIn(cursor).toHex(), 16), Number.MAX_SAFE_INTEGER);
}

/** Returns the cursor of the rows after an id. @param id 36 characters; null if no rows follow */
export const idCursor = (id: string | null) => (id === null ? null : writeText('id:', id));
/** The cursor of a list ordered by change number. */
const changeCursor = (change: number) => writeNumber('chg', change);
/** Returns the cursor of the event feed. @param seq the sequence number of the last event */
export const eventCursor = (seq: number) => writeNumber('evt', seq);
/** Returns the cursor of the rows after a key, in a list ordered by text. @param key null if no rows follow */
export const keyCursor = (key: string | null) => (key === null ? null : writeText('key', key));

/** The place of a product in the catalog: when it was last changed (epoch ms), and its key. */
/** Returns the cursor of the catalog rows after a place, ordered by change. @param place null if none follow */
export const catalogCursor = (place: { updatedAt: number; p1Id: string } | null) =>
  place === null ? null : writeText('cat', `${place.updatedAt} ${place.p1Id}`);

/** Returns the cursor for a place. Null for no place (after the last page), for a time, and for a null id. */
export function placeCursor(place: Place | null): string | null {
  if (place === null || 'updatedAfter' in place) return null;
  return 'before' in place ? idCursor(place.before) : changeCursor(place.changedAfter);
}

const ID = /^aWQ6[A-Za-z0-9_-]{48}$/;
const ID_OR_CHANGE = /^(?:aWQ6[A-Za-z0-9_-]{48}|Y2hn[A-Za-z0-9_-]{12})$/;
const CHANGE_KIND = 'Y2hn';

export const idCursorSchema = z.string().regex(ID, FAULT).transform(textIn).optional().meta(meta('idCursor'));

export const eventCursorSchema = z
  .string()
  .regex(/^ZXZ0[A-Za-z0-9_-]{12}$/, FAULT)
  .transform(numberIn)
  .optional()
  .meta(meta('eventCursor'));

/** The cursor of a list ordered by text. A key has at most 100 characters of up to four bytes. */
export const keyCursorSchema = z
  .string()
  .max(538, { abort: true })
  .regex(/^a2V5[A-Za-z0-9_-]{0,534}$/, FAULT)
  .transform(textIn)
  .optional()
  .meta(meta('keyCursor'));

const CATALOG_PLACE = /^(\d{1,15}) /;

/** Cursor of the catalog ordered by change: a time of up to 15 digits, a space, and a key as in `keyCursorSchema`. */
export const catalogCursorSchema = z
  .string()
  .max(560, { abort: true })
  .regex(/^Y2F0[A-Za-z0-9_-]{0,556}$/, FAULT)
  .transform((cursor) => {
    const text = textIn(cursor);
    const [before = '', updatedAt = '0'] = CATALOG_PLACE.exec(text) ?? [];
    return { updatedAt: Number(updatedAt), p1Id: text.slice(before.length) };
  })
  .optional()
  .meta(meta('catalogCursor'));

/** The cursor of a list ordered by id, or by change if its first page was asked for with `updated_after`. */
export const placeCursorSchema = z
  .string()
  .regex(ID_OR_CHANGE, FAULT)
  .transform(
    (cursor): Place =>
      cursor.startsWith(CHANGE_KIND) ? { changedAfter: numberIn(cursor) } : { before: textIn(cursor) },
  )
  .optional()
  .meta(meta('placeCursor'));
