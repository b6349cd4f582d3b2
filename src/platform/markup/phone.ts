/** The first phone number in a text: from its first digit or `+` to the first character that no number contains. */
const NUMBER = /(?:\+|\b)\(?\d[\d\s()./-]*/;

/**
 * The digits to dial for a number as people write it, with `+` and without the zero after a country code. If the field
 * holds several numbers or an extension, the first number is used.
 * @returns null if there is no number
 */
export function dialed(phone: string): string | null {
  const found = NUMBER.exec(phone)?.[0] ?? '';
  const [first = ''] = found.split('/');
  // Up to there it may be an area code.
  const written = first.replace(/\D/g, '').length >= WHOLE_MIN ? first : found;
  const digits = digitsIn(written);
  // The zero in brackets is dialed within the country alone.
  const own = digits.startsWith('+') ? digitsIn(written.replace('(0)', '')).replace(CODE_BEFORE_ZERO, '$1') : digits;
  return own.length < DIGITS_MIN || own.length > DIGITS_MAX ? null : own;
}

const digitsIn = (written: string) => written.replace(/^00/, '+').replace(/[^\d+]/g, '');

/** A number with at least so many digits is whole. */
const WHOLE_MIN = 8;
const DIGITS_MIN = 3;
/** The most characters of a number, its `+` included (ITU-T E.164: 15 digits). */
const DIGITS_MAX = 16;
/** Countries in whose numbers no zero follows the code: Germany, Austria, Switzerland. */
const CODE_BEFORE_ZERO = /^(\+(?:49|43|41))0+(?=\d)/;

/** The link that dials a number; undefined where there is none. */
export function telOf(phone: string): string | undefined {
  const number = dialed(phone);
  return number === null ? undefined : `tel:${number}`;
}
