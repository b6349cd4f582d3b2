/** The symbols of Code 128, by value (ISO/IEC 15417): widths of bars and gaps in turns. The last one but for its bar is the stop. */
const SYMBOLS = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 ' +
  '123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 ' +
  '232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 ' +
  '313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 ' +
  '111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 ' +
  '111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 ' +
  '114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 233111'
).split(' ');
const [START_B, START_C, STOP] = [104, 105, 106];
const [TO_C, TO_B] = [99, 100];

/**
 * Reads a Code 128 as a scanner does, from one line of pixels across its bars.
 * @param bright of each pixel, 0 to 255
 * @returns null where a symbol is none, or the check symbol is wrong
 */
export function readBars(bright: readonly number[]): string | null {
  const values = valuesOf(widthsOf(bright));
  const [start = -1, ...rest] = values;
  const check = rest.at(-2) ?? -1;
  const sum = rest.slice(0, -2).reduce((total, value, at) => total + value * (at + 1), start);
  if (![START_B, START_C].includes(start) || rest.at(-1) !== STOP || sum % 103 !== check) return null;
  let isC = start === START_C;
  let text = '';
  for (const value of rest.slice(0, -2)) {
    if (isC && value === TO_B) isC = false;
    else if (!isC && value === TO_C) isC = true;
    else text += isC ? String(value).padStart(2, '0') : String.fromCharCode(value + 32);
  }
  return text;
}

/** In pixels, from the first bar to the last. */
function widthsOf(bright: readonly number[]): number[] {
  const isDark = bright.map((each) => each < 128);
  const bars = isDark.slice(isDark.indexOf(true), isDark.lastIndexOf(true) + 1);
  const widths: number[] = [];
  for (const [at, dark] of bars.entries()) {
    if (at > 0 && dark === bars[at - 1]) widths[widths.length - 1] = (widths.at(-1) ?? 0) + 1;
    else widths.push(1);
  }
  return widths;
}

/** Of each six bars and gaps, which are eleven modules wide; a last bar belongs to the stop. */
function valuesOf(widths: readonly number[]): number[] {
  return Array.from({ length: Math.floor(widths.length / 6) }, (_, symbol) => {
    const six = widths.slice(symbol * 6, symbol * 6 + 6);
    const module = six.reduce((sum, width) => sum + width, 0) / 11;
    return SYMBOLS.indexOf(six.map((width) => Math.round(width / module)).join(''));
  });
}
