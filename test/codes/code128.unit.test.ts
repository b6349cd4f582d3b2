import fc from 'fast-check';
import { expect, test } from 'vitest';
import { code128, QUIET_ZONE, valuesOf } from '../../src/codes/label';

/** Reads the values again as the standard says: sets B and C, with their switches. */
function textOf([start, ...values]: number[]): string {
  let isC = start === 105;
  let text = '';
  for (const value of values.slice(0, -1)) {
    if (value === 99 || value === 100) {
      if (isC === (value === 99)) text += isC ? String(value) : '';
      isC = value === 99;
    } else text += isC ? String(value).padStart(2, '0') : String.fromCharCode(value + 32);
  }
  return text;
}

test('the check symbol is the one of the published example', () => {
  expect(valuesOf('Wikipedia')).toEqual([104, 55, 73, 75, 73, 80, 69, 68, 73, 65, 88]);
});

test('digits are written in pairs where that is shorter', () => {
  expect(valuesOf('OFZ3F9A-4711-K')).toHaveLength(16);
  expect(valuesOf('04150123456782')).toEqual([105, 4, 15, 1, 23, 45, 67, 82, expect.any(Number)]);
  expect(valuesOf('A1234567')).toEqual([104, 33, 17, 99, 23, 45, 67, expect.any(Number)]);
});

test('every text can be read again', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]{1,30}$/), (text) => {
      // 99 in set C stands for two digits and is no switch there.
      fc.pre(!text.includes('99'));
      expect(textOf(valuesOf(text))).toBe(text);
    }),
  );
});

test('the bars have the widths of the symbols, with quiet zones beside them', () => {
  const { width, path } = code128('OFZ3F9A-4711-K');
  // Eleven modules a symbol, thirteen for the stop.
  expect(width).toBe(16 * 11 + 13 + 2 * QUIET_ZONE);
  const bars = [...path.matchAll(/M(\d+) 0h(\d)v1h-\2z/g)].map(([, x, bar]) => [Number(x), Number(bar)] as const);
  expect(bars).toHaveLength(16 * 3 + 4);
  expect(bars[0]).toEqual([QUIET_ZONE, 2]);
  expect(bars.at(-1)).toEqual([width - QUIET_ZONE - 2, 2]);
  for (const [index, [x]] of bars.entries()) {
    const [before, wide] = bars[index - 1] ?? [0, QUIET_ZONE - 1];
    expect(x).toBeGreaterThan(before + wide);
  }
});

test('what it cannot hold is refused', () => {
  expect(() => code128('Käse')).toThrow();
  expect(() => code128('')).toThrow();
});
