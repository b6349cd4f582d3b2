import { afterAll, expect, test, vi } from 'vitest';
import type { Both, Texts } from '../../src/management/http/language';

// The texts in both languages, so that functions are read as they are written.
vi.resetModules();
vi.doMock('../../src/management/http/language', async (original) => ({
  ...(await original<object>()),
  texts: (both: Texts) => () => both,
}));
const { de: both } = await import('../support/messages');
afterAll(() => {
  vi.doUnmock('../../src/management/http/language');
  vi.resetModules();
});

/** Words that a pharmacy reads as something else, or that stand beside another word for the same thing: in German and in English. */
const NOT_SAID = {
  de: [
    ...['Kundin', 'Kunde ', 'freigeben', 'übergeben', 'Als abgeholt markieren', 'Nr. dieser Anfrage', 'Filtern'],
    ...[
      'Rückruf',
      'Halt für',
      ' Halte',
      'ertig melden',
      'ersendet melden',
      'Nicht zu melden',
      '"Ist da"',
      'Anderer Tag',
    ],
    ...[
      'kommt nach',
      'kommen nach',
      'ugesagt',
      'Im Haus',
      ' im Haus',
      '"Fehlt"',
      'zu wenig',
      'nichts ist da',
      'nicht geladen',
    ],
    ...[
      'wird geholt',
      'nicht geholt',
      'heruntergeladen',
      'Was wo gilt',
      'Dazu führen',
      'hat dazu nichts',
      'ur Probe',
      'PROBE ',
    ],
    ...['zum Ja', 'Keine Taste', 'Vom Kauf zurück', 'Führen wir nicht', 'Vielleicht doppelt', 'Person stimmt nicht'],
    ...['noch nie bestellt', '"Personal"', 'Bruch oder Verfall', 'Eingesehenes', 'Noch nichts geschehen', 'davor ${'],
    ...['Nicht abgeben', 'Keine Retoure', 'Nicht versenden', 'Was jetzt geschieht', 'war schon so', '"Zweck"'],
    ...[
      '"Lager"',
      ' Lager ',
      '"CSV"',
      'Versandweg',
      'Versandart',
      'Unterschied',
      'Inhaberin',
      'Rest stornieren',
      '"Rückgabe"',
    ],
  ],
  en: [
    'on trial',
    'File a prescription',
    'File the prescription',
    'Assortment',
    'No lines',
    'Another form',
    'the own password',
    'What happens now',
    ...[
      'Make a ',
      '"Members"',
      '"Organization"',
      ' assortment',
      'Article',
      ' articles',
      'at the line',
      'Change line',
      'Awaiting packing',
    ],
    '"CSV"',
  ],
};

test.each([
  ['de', 0],
  ['en', 1],
] as const)('one thing has one word on all pages: %s', (language, index) => {
  const said = saidIn(both as unknown as Texts, index);
  expect(said.length).toBeGreaterThan(10_000);
  expect(NOT_SAID[language].filter((word) => said.includes(word))).toEqual([]);
});

/** The texts of a tree in one language; of a function, its source with both languages. */
function saidIn(text: Texts[string], index: number): string {
  if (typeof text === 'function') return String(text);
  if (Array.isArray(text)) return JSON.stringify((text as unknown as Both<unknown>)[index]);
  return Object.values(text as Texts)
    .map((each) => saidIn(each, index))
    .join('\n');
}
