import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OrderableProducts, orderableById } from '../../src/inventory/browse';
import { unitsMeant } from '../../src/order-requests/names/differences';
import { lineDifferences, planLines, toAcknowledge } from '../../src/order-requests/review/lines';
import { quantitiesOf } from '../../src/orders/rules';
import { SHIPPABLE } from '../support/order-line';

interface Sold {
  priceCents: number;
  unit?: 'piece' | 'g' | 'ml';
  unitStep?: number;
  name?: string;
}

/** The organization's one product. */
function holding({ priceCents, unit = 'g', unitStep = 1, name = 'Zainbow' }: Sold): OrderableProducts {
  const shared = { p1Id: 'a', pzn: null, name, prescriptionRequired: false, ...SHIPPABLE };
  const product = { ...shared, priceCents, unit, unitStep, thcPercent: 24, cbdPercent: 1, stockQuantity: 100 };
  return Object.assign(new Map([['a', product]]), { prescribed: orderableById([]).prescribed });
}

const asked = (quantity: number, priceCents: number, name: string | null = null) => [
  { name, quantity, priceCents, p1Id: 'a', productId: null },
];

function codesOf(...[items, products]: [ReturnType<typeof asked>, OrderableProducts]) {
  return toAcknowledge(lineDifferences(planLines(items, undefined, products))).map(({ difference: { code } }) => code);
}

test.each([
  ['24/1 IUVO KC OJ Zainbow', 'OJ Zainbow'],
  ['Gorilla Glue', 'Gorilla Glue 22/1'],
  ['Pink Kush', 'Pink Kush'],
  ['Pedanios 22/1 Ghost Train Haze', 'Ghost Train Haze'],
  ['Gorilla Glue #4 22/1', 'Gorilla Glue 22/1'],
  ['Gelato 33, 3 g', 'Gelato 33 22/1'],
  ['Wedding Cake 1 g', 'Wedding Cake THC 24 % CBD 1 %'],
  ['Girl Scout Cookies', 'Girl Scout Cookies 24:1, 20 g'],
])('asks nothing about 20 g of “%s”, which are “%s”', (name, product) => {
  expect(codesOf(asked(20, 875, name), holding({ priceCents: 875, name: product }))).toEqual([]);
});

test.each([
  ['Ghost Train Haze 22/1', 'Ghost Train Haze 18/1', 'strength'],
  ['Gelato 33', 'Gelato 41', 'strength'],
  ['Pink Kush 22/1', 'Ghost Train Haze 22/1', 'substance'],
])('asks about “%s” supplied as “%s”', (name, product, code) => {
  expect(codesOf(asked(20, 875, name), holding({ priceCents: 875, name: product }))).toEqual([code]);
});

test.each([
  ['grams', 15, 875, 15, 875, []],
  ['tins', 3, 4375, 15, 875, []],
  ['tins a little cheaper', 3, 4000, 15, 800, []],
  ['a price that is neither', 3, 2000, 3, 2000, ['unclear_unit', 'price']],
  ['no price', 3, 0, 3, 0, ['unclear_unit', 'price']],
  ['grams that are no whole tins', 7, 875, 7, 875, ['unit_step']],
])('reads %s of a product in tins of 5 g', (_, quantity, priceCents, units, each, codes) => {
  const products = holding({ priceCents: 875, unitStep: 5 });
  const [planned] = planLines(asked(quantity, priceCents), undefined, products);
  expect(planned?.line).toMatchObject({ quantity: units, priceCents: each, unit: 'g', unitStep: 5 });
  expect(codesOf(asked(quantity, priceCents), products)).toEqual(codes);
});

test.each([
  ['the price of the pack', 3, 4375, 'Pink Kush 5 g', ['unclear_unit', 'price']],
  ['the price of a gram', 3, 875, 'Pink Kush 5 g', []],
  ['the pack as the quantity', 5, 875, 'Pink Kush 5 g', []],
  ['no pack', 3, 875, 'Pink Kush', []],
])('a pack that the name says beside %s, of a product by the gram', (_, quantity, priceCents, name, codes) => {
  expect(codesOf(asked(quantity, priceCents, name), holding({ priceCents: 875, name: 'Pink Kush' }))).toEqual(codes);
});

test('many pieces are asked about, many grams are not', () => {
  expect(codesOf(asked(6, 495), holding({ priceCents: 495, unit: 'piece' }))).toEqual(['quantity']);
  expect(codesOf(asked(60, 495), holding({ priceCents: 495 }))).toEqual([]);
});

test('another quantity than was asked for is told', () => {
  const products = holding({ priceCents: 875, unitStep: 5 });
  const edited = (quantity: number) => [{ ...(asked(quantity, 875)[0] as ReturnType<typeof asked>[number]), item: 0 }];
  const found = (quantity: number) =>
    lineDifferences(planLines(asked(3, 4375), edited(quantity), products)).map(({ difference: { code } }) => code);
  expect([found(15), found(10), found(20)]).toEqual([[], ['quantity'], ['quantity']]);
});

const sold = fc.record({
  priceCents: fc.integer({ min: 1, max: 5000 }),
  unitStep: fc.integer({ min: 1, max: 30 }),
  unit: fc.constantFrom('g' as const, 'ml' as const),
});

test('stock and money stay, whatever unit a platform counts in', () => {
  const quantity = fc.integer({ min: 1, max: 200 });
  fc.assert(
    fc.property(sold, quantity, fc.boolean(), fc.integer({ min: -2, max: 2 }), (product, count, inSteps, off) => {
      const { priceCents, unitStep } = product;
      const sent = Math.max(0, priceCents * (inSteps ? unitStep : 1) + off);
      const items = asked(count, sent);
      const [planned] = planLines(items, undefined, holding(product));
      const units = unitsMeant({ quantity: count, priceCents: sent }, product) ?? count;
      expect(quantitiesOf(planned ? [planned.line] : [])).toEqual(new Map([['a', units]]));
      expect([count, count * unitStep]).toContain(units);
      const { line, roundedCents = 0 } = planned ?? {};
      expect((line?.quantity ?? 0) * (line?.priceCents ?? 0) + roundedCents).toBe(count * sent);
    }),
  );
});
