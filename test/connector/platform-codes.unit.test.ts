import { expect, test } from 'vitest';
import { REASON_CODES } from '../../src/orders/rules';
import { PLATFORM_REASONS, platformReason } from '../../src/wire/sent-requests';

test('every reason of staff, of older rows too, is one that platforms know, and each of those may be said', () => {
  const told = REASON_CODES.map(platformReason);
  for (const code of told) expect(PLATFORM_REASONS).toContain(code);
  expect([...new Set(told)].toSorted()).toEqual([...PLATFORM_REASONS].toSorted());
  expect(platformReason('no_longer_chosen')).toBe('other');
  expect(platformReason('toString')).toBe('other');
  expect(platformReason(null)).toBeNull();
});
