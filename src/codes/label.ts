import { checkCharacter } from './numbers';

/** The content of our label on a bag: the order's shop and the order's number. */
export interface LabelCode {
  /** Four hex digits of the shop's id, so that labels of other pharmacies are not mistaken for ours. */
  shop: string;
  number: number;
}

const SHOP_LENGTH = 4;

/** Returns the last four hex digits of a shop's id, which identify the shop on its labels. */
export function shopMark(shopId: string): string {
  return shopId.slice(-SHOP_LENGTH).toUpperCase();
}

/** Returns the text of our label, `OFZ3F9A-4711-K`: shop, number of the order, check character. */
export function labelText({ shop, number }: LabelCode): string {
  return `OFZ${shop}-${number}-${checkCharacter(`OFZ${shop}${number}`)}`;
}

/** Reads the text of our label; null unless its check character is right. */
export function readLabel(text: string): LabelCode | null {
  const [, shop, digits] = /^OFZ([0-9A-F]{4})-([1-9]\d{0,8})-[0-9A-Z]$/.exec(text) ?? [];
  if (shop === undefined) return null;
  const label = { shop, number: Number(digits) };
  return labelText(label) === text ? label : null;
}

/**
 * The widths of the bars and gaps of each symbol of Code 128, in the order of the values (ISO/IEC 15417). Bars and gaps
 * alternate.
 */
const WIDTHS =
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 123122 123221 ' +
  '223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 ' +
  '112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 ' +
  '311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 ' +
  '122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 ' +
  '214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 211232';
const STOP = '2331112';
const [START_B, START_C, TO_C, TO_B] = [104, 105, 99, 100];
/**
 * The least number of digits in a row for which code set C makes the code shorter, although it takes two switches of
 * the code set.
 */
const DIGITS_FOR_C = 6;
/** The number of light modules on each side, which scanners need to find the code. */
export const QUIET_ZONE = 10;

/**
 * Returns the values of the Code 128 symbols for a text of printable ASCII. They include the start symbol and the check
 * symbol, but not the stop symbol.
 */
export function valuesOf(text: string): number[] {
  const values: number[] = [];
  let isC = false;
  for (let at = 0; at < text.length; ) {
    const digits = /^\d*/.exec(text.slice(at))?.[0].length ?? 0;
    const isPair: boolean =
      digits >= 2 && (isC || digits >= DIGITS_FOR_C || (digits >= 4 && digits === text.length - at));
    // The first digit of an odd run is in set B.
    const wantsC: boolean = isPair && (isC || digits % 2 === 0);
    if (values.length === 0) values.push(wantsC ? START_C : START_B);
    else if (wantsC !== isC) values.push(wantsC ? TO_C : TO_B);
    isC = wantsC;
    values.push(isC ? Number(text.slice(at, at + 2)) : text.charCodeAt(at) - 32);
    at += isC ? 2 : 1;
  }
  const sum = values.reduce((total, value, place) => total + value * Math.max(1, place), 0);
  return [...values, sum % 103];
}

/**
 * Returns the bars of a text as the path of an SVG, one unit high and `width` modules wide, quiet zones included.
 * @param text printable ASCII, at least one character
 */
export function code128(text: string): { width: number; path: string } {
  if (!/^[ -~]+$/.test(text)) throw new Error('Code 128 holds printable ASCII only.');
  const symbols = WIDTHS.split(' ');
  const widths = valuesOf(text).map((value) => symbols[value] as string);
  let x = QUIET_ZONE;
  let path = '';
  for (const [place, digit] of [...`${widths.join('')}${STOP}`].entries()) {
    if (place % 2 === 0) path += `M${x} 0h${digit}v1h-${digit}z`;
    x += Number(digit);
  }
  return { width: x + QUIET_ZONE, path };
}
