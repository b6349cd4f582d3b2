/**
 * Matches the first phone number in a text: from its first digit or `+` up to the first character that no number
 * contains.
 */
const NUMBER = /(?:\+|\b)\(?\d[\d\s()./-]*/;

/**
 * Returns the digits to dial for a phone number that people wrote in a field. `+` or `00` at the start of the number
 * becomes `+`. The zero after a country code is left out. If the field contains several numbers, or a number with an
 * extension, the first number is used.
 * @returns null if there is no number
 */
export function dialed(phone: string): string | null {
  const found = NUMBER.exec(phone)?.[0] ?? '';
  const [first = ''] = found.split('/');
  // With fewer digits, the text before the slash may be an area code.
  const written = first.replace(/\D/g, '').length >= WHOLE_MIN ? first : found;
  const digits = digitsIn(written);
  // The zero in brackets is dialed only within the country.
  const own = digits.startsWith('+') ? digitsIn(written.replace('(0)', '')).replace(CODE_BEFORE_ZERO, '$1') : digits;
  return own.length < DIGITS_MIN || own.length > DIGITS_MAX ? null : own;
}

const digitsIn = (written: string) => written.replace(/^00/, '+').replace(/[^\d+]/g, '');

/** The least number of digits of a whole phone number. A text with fewer digits may be an area code. */
const WHOLE_MIN = 8;
const DIGITS_MIN = 3;
/** The most characters of a number, its `+` included (ITU-T E.164: 15 digits). */
const DIGITS_MAX = 16;
/** Matches the country code of Germany, Austria or Switzerland and the zeros after it, which are not dialed. */
const CODE_BEFORE_ZERO = /^(\+(?:49|43|41))0+(?=\d)/;

/** Returns the link that dials a number; undefined if the text has no number. */
export function telOf(phone: string): string | undefined {
  const number = dialed(phone);
  return number === null ? undefined : `tel:${number}`;
}
