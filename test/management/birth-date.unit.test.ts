import { expect, test } from 'vitest';
import { birthDateOf } from '../../src/management/ui/format';
import type { View } from '../../src/management/ui/view';

const view = { language: 'de' } as View;

test.each([
  [{ birth_date: '1981-03-14' }, 'birth_date', '14.03.1981'],
  [{ dateOfBirth: '1981-03-14T00:00:00+01:00' }, 'dateOfBirth', '14.03.1981'],
  [{ allergies: 'keine', Geburtsdatum: '14. März 1981' }, 'Geburtsdatum', '14. März 1981'],
  [{ 'patient-birth-date': '1981-13-99' }, 'patient-birth-date', '1981-13-99'],
])('%j says the date of birth', (details, name, text) => {
  expect(birthDateOf(view, { platformDetails: details as unknown as Record<string, string> })).toEqual({ name, text });
});

test.each([null, {}, { weight_kg: '71', birth_place: 'Bonn' }])('%j says none', (details) => {
  expect(birthDateOf(view, { platformDetails: details as Record<string, string> | null })).toBeNull();
});
