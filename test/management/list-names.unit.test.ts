import { expect, test } from 'vitest';
import { itemsCell } from '../../src/management/ui/order-summary';

test.each([
  ['Cetirizin Hexal 10 mg Filmtabletten, 20 St', 'Cetirizin Hexal ', '10 mg', ' Filmtabletten,', ' 20 St'],
  ['Voltaren Schmerzgel forte 23,2 mg/g Gel', 'Voltaren Schmerzgel forte ', '23,2 mg/g', ' Gel', ''],
  ['Xylometazolin 0,1 % Nasenspray, 10 ml', 'Xylometazolin ', '0,1 %', ' Nasenspray,', ' 10 ml'],
  ['Vigantol 1.000 I.E. Tabletten', 'Vigantol ', '1.000 I.E.', ' Tabletten', ''],
  ['Macrogol-1A Pharma Pulver zum Einnehmen, 50 St', 'Macrogol-1A Pharma ', '', 'Pulver zum Einnehmen,', ' 50 St'],
])('in a list, the strength and the pack size of %s are parts that are never cut', (name, ...parts) => {
  const [before, strength, form, size] = parts;
  const cell = String(itemsCell([name]));
  expect(cell).toContain(
    `<bdi class="med"><span>${before}</span><span><b>${strength}</b><span>${form}</span><b>${size}</b></span></bdi>`,
  );
  expect(cell).not.toContain('+&nbsp;');
});

test('a name without a strength is one part', () => {
  expect(String(itemsCell(['Verband 10 Gramm <b>']))).toContain('<bdi class="clip">Verband 10 Gramm &lt;b&gt;</bdi>');
});

test('behind the first item stands how many more there are', () => {
  expect(String(itemsCell(['A', 'B', 'C']))).toContain('+&nbsp;2');
});
