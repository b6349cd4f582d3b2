import { expect, test } from 'vitest';
import { de } from '../support/messages';

/** What pages do not say, and what they say instead. */
const NOT_SAID = {
  Kundin: 'Kundendaten, Kunden, or nothing',
  'Kunde ': 'Kundendaten, Kunden, or nothing',
  freigeben: 'annehmen, geprüft',
  übergeben: 'abgeben',
  'Als abgeholt markieren': 'Abgeben',
  'Nr. dieser Anfrage': 'Fehlernummer',
  Filtern: 'Anzeigen',
};

test('one thing has one word on all pages', () => {
  const said = JSON.stringify(de, (_, value) => (typeof value === 'function' ? String(value) : value));
  expect(said).toContain('Kundendaten');
  expect(Object.keys(NOT_SAID).filter((word) => said.includes(word))).toEqual([]);
});
