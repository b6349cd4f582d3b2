import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AMOUNT_CENTS_MAX } from '../../src/platform/limits';
import { toCents, toEur, toUnitCents } from '../../src/platform/money';

test.each([
  [0, 0],
  [-0, 0],
  [0.01, 1],
  [4.95, 495],
  [0.1 + 0.2, 30],
  [1.1 * 3, 330],
  [19.99 * 100, 199_900],
  [0.07 * 100, 700],
  [1.005 - 0.005, 100],
  [8.000000999, 800],
  [-4.95, -495],
  [10_000_000, AMOUNT_CENTS_MAX],
  [9_999_999.99, 999_999_999],
])('%f EUR are %i cents', (amount, cents) => {
  expect(toCents(amount)).toBe(cents);
});

test.each([0.001, 4.999, 1.005, 8.00001, 10_000_000.01, 1e300, -1e300, 1e21, Infinity, -Infinity, NaN, 2 ** 53])(
  '%f EUR are no amount',
  (amount) => {
    expect(toCents(amount)).toBeNull();
  },
);

test.each([
  [8.755, 876],
  [8.754, 875],
  [4.95, 495],
  [0.001, 0],
  [10_000_000, AMOUNT_CENTS_MAX],
  [8.7551, null],
  [10_000_000.01, null],
  [NaN, null],
])('a unit price of %f EUR is %j cents', (amount, cents) => {
  expect(toUnitCents(amount)).toBe(cents);
});

test('every amount of cents goes to the wire and back unchanged', () => {
  fc.assert(
    fc.property(fc.integer({ min: -AMOUNT_CENTS_MAX, max: AMOUNT_CENTS_MAX }), (cents) => {
      expect(toCents(toEur(cents))).toBe(cents);
      expect(String(toEur(cents))).toMatch(/^-?\d+(\.\d{1,2})?$/);
    }),
    { numRuns: 2000, seed: 1 },
  );
});

test('the noise of adding prices is forgiven', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 100 }), (prices) => {
      const total = prices.reduce((sum, cents) => sum + cents / 100, 0);
      expect(toCents(total)).toBe(prices.reduce((sum, cents) => sum + cents, 0));
    }),
    { numRuns: 500, seed: 1 },
  );
});
