import { expect, test } from 'vitest';
import type { Context } from '../../src/platform/context';
import { refusalOfPrescription } from '../../src/prescriptions/fetch';

// SAFETY: only the base host is looked at.
const ctx = { config: { baseHost: 'offizin.example' } } as Context;

test.each([
  ['https://offizin.example/a.pdf', 'own_host'],
  ['https://loewen.offizin.example/a.pdf', 'own_host'],
  ['https://notoffizin.example/a.pdf', null],
  ['https://offizin.example.com/a.pdf', null],
])('a link to %s is refused as %j: what lies below the base host is this service', (url, refusal) => {
  expect(refusalOfPrescription(ctx, url)).toBe(refusal);
});
