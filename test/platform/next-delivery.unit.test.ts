import { expect, test } from 'vitest';
import { nextDelivery } from '../../src/platform/pharmacy-time';

test.each([
  ['2026-11-24', '2026-11-25'],
  ['2026-11-28', '2026-11-30'],
  // Christmas, then a Sunday.
  ['2026-12-24', '2026-12-28'],
  ['2026-12-31', '2027-01-02'],
])('what is ordered on %s is expected on %s', (ordered, expected) => {
  expect(nextDelivery(Date.parse(`${ordered}T12:00:00Z`))).toBe(expected);
});
