import { utf8 } from '../../platform/crypto';
import { AppError } from '../../platform/errors';

/** The largest form, an approval of 100 lines, has about 500. */
const FIELDS_MAX = 1_000;
/** A form with a file has a handful of fields. */
const PARTS_MAX = 200;
const BOUNDARY_LENGTH_MAX = 70;
/** RFC 2046 §5.1.1, without the space, which browsers do not use. */
const BOUNDARY = /^[\w'()+,\-./:=?]+$/;

const AMPERSAND = 0x26;
const LINE_FEED = 0x0a;

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
 * Counts the parts of a multipart form before it is parsed. As the parser of Workers does, it takes a boundary for one
 * wherever a line begins with it.
 * @throws AppError `too_complex`
 */
export function assertFewParts(bytes: Uint8Array, boundary: string): void {
  const delimiter = utf8(`--${boundary}`);
  let parts = 0;
  let isLineStart = true;
  for (let at = 0; at < bytes.length; at += 1) {
    if (isLineStart && delimiter.every((byte, index) => byte === bytes[at + index])) {
      parts += 1;
      if (parts > PARTS_MAX) throw tooComplex(`${PARTS_MAX} parts`);
    }
    isLineStart = bytes[at] === LINE_FEED;
  }
}

function tooComplex(most: string): AppError {
  return new AppError('too_complex', `The form is too long: it may have ${most} at most.`);
}
