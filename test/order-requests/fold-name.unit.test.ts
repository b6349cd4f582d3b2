import { expect, test } from 'vitest';
import { folded, foldName, listed, spanIn, withoutE } from '../../src/order-requests/names/tokens';

test.each([
  ['IBUPROFEN', 'ibuprofen'],
  ['Säure', 'saure'],
  ['Saeure', 'saure'],
  ['Sa\u0308ure', 'saure'],
  ['Lösung Loesung', 'losung losung'],
  ['Glück Glueck', 'gluck gluck'],
  ['Eisen Reis', 'eisen reis'],
  ['Aee', 'ae'],
  ['Straße', 'strasse'],
  ['5 µg 5 μg', '5 ug 5 ug'],
  ['  ein\u00a0\t Name \n', 'ein name'],
  ['soft\u00adhyphen™', 'softhyphen'],
  ['½', '1⁄2'],
  ['x\u007f', 'x\u007f'],
  ['', ''],
  ['   ', ''],
])('a name has one spelling: %j', (name, text) => {
  expect(folded(name)).toBe(text);
});

test('what is beyond the longest name is cut off', () => {
  const { text, origins } = foldName('x'.repeat(300));
  expect(text).toBe('x'.repeat(200));
  expect([origins.length, origins.at(-1)]).toEqual([201, 201]);
});

/** Where a part of the folded text stands in the name. */
function originOf(name: string, part: string): string {
  const fold = foldName(name);
  const at = fold.text.indexOf(part);
  const { start, end } = spanIn(fold, { start: at, end: at + part.length });
  return name.slice(start, end);
}

test.each([
  ['Acetylsalicylsaeure 100', 'acetylsalicylsaure', 'Acetylsalicylsaeure'],
  ['Sa\u0308ure 100', 'saure', 'Sa\u0308ure'],
  ['  zwei   Worte  ', 'zwei worte', 'zwei   Worte'],
  ['Straße 5', 'strasse', 'Straße'],
  ['Straße 5', 's', 'S'],
  ['ab ½ cd', '1', '½'],
  ['ab ½ cd', '1⁄', '½'],
  ['ab ½ cd', '2', '½'],
  ['ab ½', '1', '½'],
  ['ab ½  ', '2', '½'],
  ['Gel 💊 5', '5', '5'],
])('of %j, %j is %j', (name, part, origin) => {
  expect(originOf(name, part)).toBe(origin);
});

test('words of a list stand between spaces and lines, and an e more is none', () => {
  expect(listed(' Tablette\n  Lösung ')).toEqual(['tablette', 'losung']);
  expect(['besilate', 'besilat', 'e'].map(withoutE)).toEqual(['besilat', 'besilat', '']);
});
