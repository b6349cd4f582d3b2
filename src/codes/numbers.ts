import { gtinCheckDigit, ppnCheckDigits, pznCheckDigit } from './check-digits';

/** A GTIN of 14 digits that begins so is an NTIN: a PZN and a check digit follow. */
const NTIN_PREFIX = '04150';
/** A PPN that begins so is one of Germany: a PZN and two check digits follow. */
const PPN_PREFIX = '11';
const PPN_LENGTH = 12;

/** Eight digits, the last of which is the right check digit. */
export function isPzn(digits: string): boolean {
  return /^\d{8}$/.test(digits) && pznCheckDigit(digits.slice(0, 7)) === digits[7];
}

/**
 * A PZN as people and Code 39 write it: `01126619`, `-01126619`, `PZN 1126619`, `PZN: 1126619`. One of seven digits, without its leading zero, only
 * behind a prefix, since an amount would look the same.
 * @returns eight digits; null unless the check digit is right
 */
export function readPzn(text: string): string | null {
  const [, prefix = '', digits = ''] = /^(PZN ?[:-]? ?|-)?(\d{7,8})$/i.exec(text) ?? [];
  if (digits.length === 7 && prefix === '') return null;
  const pzn = digits.padStart(8, '0');
  return digits !== '' && isPzn(pzn) ? pzn : null;
}

/** A GTIN-8, -12, -13 or -14. @returns 14 digits; null unless the check digit is right */
export function readGtin(digits: string): string | null {
  if (!/^(\d{8}|\d{12,14})$/.test(digits)) return null;
  return gtinCheckDigit(digits.slice(0, -1)) === digits.at(-1) ? digits.padStart(14, '0') : null;
}

/** The PZN within a GTIN of 14 digits; null where it is no NTIN. */
export function pznOfGtin(gtin: string): string | null {
  const pzn = gtin.slice(NTIN_PREFIX.length, -1);
  return gtin.startsWith(NTIN_PREFIX) && isPzn(pzn) ? pzn : null;
}

/** The PZN within a PPN; null unless all check digits are right. */
export function pznOfPpn(ppn: string): string | null {
  if (ppn.length !== PPN_LENGTH || !ppn.startsWith(PPN_PREFIX)) return null;
  const pzn = ppn.slice(PPN_PREFIX.length, -2);
  return isPzn(pzn) && ppnCheckDigits(ppn.slice(0, -2)) === ppn.slice(-2) ? pzn : null;
}
