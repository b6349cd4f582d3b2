import { utf8 } from '../../platform/crypto';
import { AppError } from '../../platform/errors';
import { staleForm } from './form-data';

/** The largest form, an approval of 100 lines, has about 500. */
const FIELDS_MAX = 1_000;
/** A review with a file, of 40 lines with all that differs in each, has about 400. */
const PARTS_MAX = 600;
/** Of a part. A file's name of 255 characters takes up to 1 KiB. */
const HEADERS_BYTES_MAX = 4_096;
const BOUNDARY_LENGTH_MAX = 70;
/** RFC 2046 §5.1.1, without the space, which browsers do not use. */
const BOUNDARY = /^[\w'()+,\-./:=?]+$/;

const AMPERSAND = 0x26;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Counts the fields of a form before it is parsed: each costs many times its bytes.
 * @throws AppError `too_complex`
 */
export function assertFewFields(bytes: Uint8Array): void {
  let fields = 1;
  for (const byte of bytes) if (byte === AMPERSAND) fields += 1;
  if (fields > FIELDS_MAX) throw tooComplex(`${FIELDS_MAX} fields`);
}

/** The boundary of a multipart form; null without one that can be read. */
export function boundaryOf(contentType: string): string | null {
  const [, given = ''] = contentType.split(/;\s?boundary=/i, 2);
  const boundary = given.startsWith('"') && given.endsWith('"') ? given.slice(1, -1) : given;
  return boundary.length <= BOUNDARY_LENGTH_MAX && BOUNDARY.test(boundary) ? boundary : null;
}

/**
 * Counts the parts of a multipart form and measures their headers before it is parsed: the parser takes many times as
 * long for headers as for content. Parts begin and headers end where the parser of Workers says so, except that nothing
 * may come before the first part.
 * @throws AppError `too_complex`, `stale_form` for a body that does not begin with the boundary
 */
export function assertSmallParts(bytes: Uint8Array, boundary: string): void {
  const delimiter = utf8(`--${boundary}`);
  if (!hasAt(bytes, 0, delimiter)) throw staleForm();
  let parts = 0;
  for (let at = 0; at < bytes.length; at = nextDelimiter(bytes, at, delimiter)) {
    parts += 1;
    if (parts > PARTS_MAX) throw tooComplex(`${PARTS_MAX} parts`);
    at = endOfHeaders(bytes, at + delimiter.length);
  }
}

/** Behind the blank line that ends a part's headers; the line feed of the delimiter's own line is none of theirs. */
function endOfHeaders(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let lineFeeds = 0; at < bytes.length; at += 1) {
    if (at - start > HEADERS_BYTES_MAX) throw tooComplex(`${HEADERS_BYTES_MAX} bytes of headers in each part`);
    if (bytes[at] !== LINE_FEED) continue;
    lineFeeds += 1;
    const before = bytes[at - 1] === CARRIAGE_RETURN ? at - 2 : at - 1;
    if (lineFeeds > 2 && bytes[before] === LINE_FEED) return at + 1;
  }
  return at;
}

/** Where the next line of a part's content begins with the delimiter; the end of the form if none does. */
function nextDelimiter(bytes: Uint8Array, start: number, delimiter: Uint8Array): number {
  for (let at = start; at < bytes.length; at += 1) {
    if (bytes[at] === LINE_FEED && hasAt(bytes, at + 1, delimiter)) return at + 1;
  }
  return bytes.length;
}

function hasAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[at + index] !== expected[index]) return false;
  }
  return true;
}

function tooComplex(most: string): AppError {
  return new AppError('too_complex', `The form is too long: it may have ${most} at most.`);
}
