import { expect, test } from 'vitest';
import { expiredOf } from '../../src/prescriptions/coverage';
import type { PrescriptionRow } from '../../src/prescriptions/store';

const AT = Date.parse('2026-11-23T12:00:00Z');

function isExpired(
  issuedOn: string | null,
  at: number,
  validDays: number,
  other: Partial<PrescriptionRow> = {},
): boolean {
  const row = { id: 'one', status: 'stored', approvedAt: AT, setAsideAt: null, issuedOn, ...other } as PrescriptionRow;
  return expiredOf([row], at, validDays).length === 1;
}

test('a prescription is accepted so many days after it was issued, and not on the next one', () => {
  expect(isExpired('2026-08-25', AT, 90)).toBe(false);
  expect(isExpired('2026-08-24', AT, 90)).toBe(true);
  expect(isExpired('2026-11-23', AT, 0)).toBe(false);
  expect(isExpired('2026-11-22', AT, 0)).toBe(true);
});

test('the day is that of the pharmacy, not that of the clock of the world', () => {
  const lateInGermany = Date.parse('2026-11-22T23:30:00Z');
  expect(isExpired('2026-11-22', lateInGermany, 0)).toBe(true);
});

test('of a prescription whose day nobody noted nobody says that it is too old', () => {
  expect(isExpired(null, AT, 90)).toBe(false);
});

test('one that is not approved, or is set aside, is not accepted anyway', () => {
  expect(isExpired('2026-01-01', AT, 90, { approvedAt: null })).toBe(false);
  expect(isExpired('2026-01-01', AT, 90, { setAsideAt: AT })).toBe(false);
});
