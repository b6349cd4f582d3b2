import { expect, test } from 'vitest';
import { de, en } from '../support/messages';

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
    ...['"Lager"', '"CSV"'],
  ],
  en: [
    'on trial',
    'File a prescription',
    'No lines',
    'Another form',
    'the own password',
    'What happens now',
    'Make a key',
    '"CSV"',
  ],
};

test.each(Object.entries({ de, en }))('one thing has one word on all pages: %s', (language, texts) => {
  const said = JSON.stringify(texts, (_, value) => (typeof value === 'function' ? String(value) : value));
  expect(said.length).toBeGreaterThan(10_000);
  expect(NOT_SAID[language as 'de' | 'en'].filter((word) => said.includes(word))).toEqual([]);
});
