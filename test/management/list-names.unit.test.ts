import { expect, test } from 'vitest';
import { itemsCell } from '../../src/management/ui/order-summary';

test.each([
  ['Cetirizin Hexal 10 mg Filmtabletten, 20 St', 'Cetirizin Hexal ', '10 mg', ' Filmtabletten</span><span>, 20 St'],
  ['Voltaren Schmerzgel forte 23,2 mg/g Gel', 'Voltaren Schmerzgel forte ', '23,2 mg/g', ' Gel'],
  ['Xylometazolin 0,1 % Nasenspray, 10 ml', 'Xylometazolin ', '0,1 %', ' Nasenspray</span><span>, 10 ml'],
  ['Vigantol 1.000 I.E. Tabletten', 'Vigantol ', '1.000 I.E.', ' Tabletten'],
])('in a list, the strength of %s is a part that is never cut', (name, before, strength, rest) => {
  const cell = String(itemsCell([name]));
  expect(cell).toContain(
    `<bdi class="med"><span>${before}</span><span><b>${strength}</b><span>${rest}</span></span></bdi>`,
  );
  expect(cell).not.toContain('+&nbsp;');
});

test('a name without a strength is one part', () => {
  expect(String(itemsCell(['Verband 10 Gramm <b>']))).toContain('<bdi class="clip">Verband 10 Gramm &lt;b&gt;</bdi>');
});

test('behind the first item stands how many more there are', () => {
  expect(String(itemsCell(['A', 'B', 'C']))).toContain('+&nbsp;2');
});
