import { expect, test } from 'vitest';
import { formatChange, formatCount } from '../../src/management/ui/format';

const READER = { language: 'de' } as const;

test.each([
  [10, '+10'],
  [-2, '\u22122'],
  [-1200, '\u22121.200'],
])('a difference of %i is shown as %s, with a minus sign and no hyphen', (change, text) => {
  expect(formatChange(change, READER)).toBe(text);
});

test('a negative count has a minus sign', () => {
  expect(formatCount(-3, READER)).toBe('\u22123');
});
