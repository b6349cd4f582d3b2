import { expect, test } from 'vitest';
import { compareTotals, differencesOf } from '../../src/order-requests/names/differences';
import { readName } from '../../src/order-requests/names/read';
import type { Content, Pack } from '../../src/order-requests/names/tokens';

/** "50 piece" and the like. */
function told(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { size, unit } = value as Content;
  return `${size} ${unit}`;
}

function amountsOf(name: string | null, quantity: number | null, product: string, packs: number, content?: Content) {
  const line = { priceCents: 495, productPriceCents: 495, prescriptionRequired: false, content: content ?? null };
  return differencesOf({ name, quantity, priceCents: 495 }, { ...line, name: product, quantity: packs })
    .filter(({ code }) => code === 'total_amount' || code === 'quantity')
    .map(({ code, severity, values }) => `${severity} ${code}: ${values.map(told).join(' / ')}`);
}

test.each<[number, string, number, string, string[]]>([
  [1, 'Ibu 20 St', 1, 'Ibu 20 St', []],
  [1, 'Ibu 20 St', 1, 'Ibu 50 St', ['acknowledge total_amount: 20 piece / 50 piece']],
  [2, 'Ibu 50 St', 1, 'Ibu 100 St', []],
  [1, 'Ibu 100 St', 2, 'Ibu 50 St', []],
  [1, 'Ibu 2 x 50 St', 1, 'Ibu 100 St', []],
  [1, '2 x Ibu 50 St', 2, 'Ibu 50 St', []],
  [1, 'Ibu 3 OP 20 St', 3, 'Ibu 20 St', []],
  [3, 'Ibu 20 St', 2, 'Ibu 20 St', ['acknowledge total_amount: 60 piece / 40 piece']],
  [1, 'Ibu 20 St', 2, 'Ibu 20 St', ['acknowledge total_amount: 20 piece / 40 piece']],
  [5, 'Ibu 20 St', 5, 'Ibu 20 St', []],
  [6, 'Ibu 20 St', 6, 'Ibu 20 St', ['acknowledge quantity: 6 / 6']],
  [1, 'Ibu 20 St', 6, 'Ibu 20 St', ['acknowledge total_amount: 20 piece / 120 piece', 'acknowledge quantity: 1 / 6']],
  // No size on one side, or another unit
  [1, 'Ibu', 1, 'Ibu 20 St', []],
  [1, 'Ibu', 2, 'Ibu 20 St', ['acknowledge quantity: 1 / 2']],
  [2, 'Ibu', 3, 'Ibu 20 St', []],
  [1, 'Ibu 5 mg N 3', 1, 'Ibu 5 mg 100 St', []],
  [1, 'Ibu 5 mg, 20', 1, 'Ibu 5 mg 100 St', ['acknowledge total_amount: 20 piece / 100 piece']],
  [2, 'Ibu', 4, 'Ibu 20 St', ['acknowledge quantity: 2 / 4']],
  [4, 'Ibu', 2, 'Ibu 20 St', ['acknowledge quantity: 4 / 2']],
  [1, 'Ibu 20 St', 1, 'Ibu', []],
  [1, 'Ibu 20 St', 2, 'Ibu', ['acknowledge quantity: 1 / 2']],
  [1, 'Ibu 20 St', 1, 'Ibu 20 ml', []],
  [1, 'Ibu 20 St', 2, 'Ibu 20 ml', ['acknowledge quantity: 1 / 2']],
  // Units
  [1, 'Saft 100 ml', 1, 'Saft 0,1 l', []],
  [1, 'Saft 100 ml', 1, 'Saft 200 ml', ['acknowledge total_amount: 100 ml / 200 ml']],
  [1, 'Gel 100 g', 2, 'Gel 50 g', []],
  [1, 'Gel 100 g', 1, 'Gel 60 g', ['acknowledge total_amount: 100 g / 60 g']],
  [2, 'Spray 200 Hub', 1, 'Spray 400 Hübe', []],
  [1, 'Spray 200 Hub', 1, 'Spray 400 Hübe', ['acknowledge total_amount: 200 dose / 400 dose']],
  [1, 'Ibu 20 St (10 St)', 1, 'Ibu 20 St', []],
  [1, 'NaCl 10 x 0,4 ml', 1, 'NaCl 4 ml', []],
  [1, 'Beutel 5 g 20 St', 1, 'Beutel 100 g', []],
  [1, 'Beutel 5 g 20 St', 1, 'Beutel 20 x 5 g', []],
  [1, 'Saft 100 ml 1 St', 2, 'Saft 50 ml 1 St', []],
  [1, 'Inhalator 1 St', 1, 'Inhalator 2 St', ['acknowledge total_amount: 1 piece / 2 piece']],
  [1, 'Ampullen 2 ml 5 St', 1, 'Ampullen 10 ml 5 St', ['acknowledge total_amount: 10 ml / 50 ml']],
  [1, 'Ibu 20 St (2 x 10 St)', 1, 'Ibu 2 x 10 St', []],
  // A small weight is the pack of a cream, and the strength of a tablet
  [1, 'Creme 2 g', 1, 'Creme 4 g', ['acknowledge total_amount: 2 g / 4 g']],
  [2, 'Tabletten 1 g 10 St', 1, 'Tabletten 1 g 20 St', []],
  [1, 'Pulver 1 g 20 g', 1, 'Pulver 1 g 40 g', ['acknowledge total_amount: 20 g / 40 g']],
  // A number without a unit that is a count
  [1, 'Thomapyrin 20 Tabletten', 1, 'Thomapyrin 20 St', []],
  [1, 'Thomapyrin 20 Tabletten', 1, 'Thomapyrin 60 St', ['acknowledge total_amount: 20 piece / 60 piece']],
  [1, 'Thomapyrin 2 x 10 Tabletten', 1, 'Thomapyrin 20 St', []],
  [1, 'Thomapyrin 20', 1, 'Thomapyrin 20 St', []],
  [2, 'Thomapyrin 20', 1, 'Thomapyrin 20 St', ['acknowledge total_amount: 40 piece / 20 piece']],
  // The name says no unit: what is no product by the gram comes in packs
  [20, 'Cannabis Aurora', 20, 'Cannabis Aurora', ['acknowledge quantity: 20 / 20']],
  [10, 'Cannabis Aurora', 2, 'Cannabis Aurora 5 g', ['acknowledge quantity: 10 / 2']],
  [2, 'Cannabis Aurora', 2, 'Cannabis Aurora 5 g', []],
  [20, 'Cannabis Aurora', 20, 'Cannabis Aurora 1 g', ['acknowledge quantity: 20 / 20']],
  [20, 'Lindenblüten', 20, 'Lindenblüten', ['acknowledge quantity: 20 / 20']],
])('%i of "%s", supplied as %i of "%s": %j', (quantity, name, packs, product, found) => {
  expect(amountsOf(name, quantity, product, packs)).toEqual(found);
});

test('what a product says of its content counts more than its name', () => {
  const content: Content = { size: 50, unit: 'piece' };
  expect(amountsOf('Ibu 100 St', 1, 'Ibu', 2, content)).toEqual([]);
  expect(amountsOf('Ibu 100 St', 1, 'Ibu 100 St', 1, content)).toEqual([
    'acknowledge total_amount: 100 piece / 50 piece',
  ]);
  expect(amountsOf('Ibu', 1, 'Ibu', 2, content)).toEqual(['acknowledge quantity: 1 / 2']);
  expect(amountsOf('Ibu 4 ml', 1, 'Ibu', 10, { size: 0.4, unit: 'ml' })).toEqual(['acknowledge quantity: 1 / 10']);
});

test('packs are counted without a name too', () => {
  expect(amountsOf(null, 2, 'Ibu 20 St', 3)).toEqual([]);
  expect(amountsOf(null, 2, 'Ibu 20 St', 4)).toEqual(['acknowledge quantity: 2 / 4']);
  expect(amountsOf(null, null, 'Ibu 20 St', 5)).toEqual([]);
  expect(amountsOf(null, null, 'Ibu 20 St', 6)).toEqual(['acknowledge quantity: null / 6']);
});

test('the packs that differ are underlined', () => {
  const line = { priceCents: 495, productPriceCents: 495, prescriptionRequired: false, content: null };
  const [found] = differencesOf(
    { name: 'Ibu 2 x 50 St', quantity: 1, priceCents: 495 },
    { ...line, name: 'Ibu, 20 St', quantity: 1 },
  );
  expect(found?.spans).toEqual({ asked: [{ start: 4, end: 13 }], supplied: [{ start: 5, end: 10 }] });
});

/** So many of what is called this way: the packs that its name says. */
function portion(quantity: number, ...packs: [count: number, size: number, unit: Pack['unit']][]) {
  const said = packs.map(([count, size, unit]) => ({ count, size, unit, start: 0, end: 0 }));
  return { quantity, content: null, name: { ...readName(''), packs: said } };
}

test('totals are compared in each unit that both say, and in none where they share none', () => {
  const totals = (...[asked, supplied]: ReturnType<typeof portion>[]) =>
    asked && supplied && compareTotals(asked, supplied);
  expect(totals(portion(2, [1, 50, 'piece']), portion(1, [1, 100, 'piece']))).toEqual({ are: 'equal' });
  expect(totals(portion(1, [1, 50, 'piece']), portion(1, [1, 50, 'ml']))).toEqual({ are: 'unknown' });
  expect(totals(portion(1, [1, 50, 'piece']), portion(1, [1, 100, 'piece']))).toEqual({
    are: 'different',
    asked: { size: 50, unit: 'piece' },
    supplied: { size: 100, unit: 'piece' },
  });
  // "10 Beutel, 2 x 5 g" are 10 g, "2 x 10 Beutel, 5 g" are 100 g.
  expect(totals(portion(1, [1, 10, 'piece'], [2, 5, 'g']), portion(1, [1, 10, 'g']))).toEqual({ are: 'equal' });
  expect(totals(portion(1, [2, 10, 'piece'], [1, 5, 'g']), portion(1, [1, 100, 'g']))).toEqual({ are: 'equal' });
  // Pieces count beside ml, unless it is one.
  expect(totals(portion(1, [2, 2, 'piece'], [1, 50, 'ml']), portion(1, [1, 4, 'piece']))).toEqual({ are: 'equal' });
  expect(totals(portion(1, [1, 1, 'piece'], [1, 50, 'ml']), portion(1, [1, 1, 'piece']))).toEqual({ are: 'unknown' });
});
