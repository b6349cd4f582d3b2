import { expect, test } from 'vitest';
import type { OrderableProduct } from '../../src/inventory/browse';
import type { Submission } from '../../src/order-requests/intake/rules';
import {
  emailWarnings,
  feeWarnings,
  fileWarnings,
  priceWarnings,
  shippingWarnings,
  unitWarnings,
  warningsOf,
} from '../../src/order-requests/intake/warnings';
import { isPriceOff } from '../../src/order-requests/names/differences';
import { SHIPPABLE } from '../support/order-line';

type Item = Submission['items'][number];

const PRODUCTS = new Map([
  ['a', { name: 'Ibuprofen 400 mg Filmtabletten, 20 St', unit: 'piece' as const }],
  ['b', { name: 'Cetirizin 10 mg', unit: 'piece' as const }],
]);

function item(fields: Partial<Item> = {}): Item {
  return { name: 'Ibuprofen 400 mg', quantity: 1, priceCents: 495, p1Id: 'a', productId: null, ...fields } as Item;
}

const NO_FEE = { feeCents: null, discountCents: null, feeLimits: { maxCents: 2500, usualCents: 490 } };

type Checked = Parameters<typeof warningsOf>[0];

function warn(fields: Partial<Checked> = {}, cashOnPickup: boolean | null = null) {
  const fits: Checked = {
    items: [item()],
    totalCents: null,
    paymentStatus: 'cash_on_pickup',
    shippingOption: null,
    ...NO_FEE,
  };
  return warningsOf({ ...fits, ...fields }, cashOnPickup, PRODUCTS);
}

test('a submission that fits is accepted without a warning', () => {
  expect(warn()).toEqual([]);
});

test('a total that its items do not explain is told with both amounts', () => {
  expect(warn({ totalCents: 1050 })).toEqual([
    {
      code: 'fee_differs',
      pointer: '/payload/total_amount',
      message: 'The total is EUR 10.50, without its fee or discount EUR 4.95. Staff will check it.',
      sentCents: 1050,
      computedCents: 495,
    },
  ]);
  expect(warn({ totalCents: 1050, paymentStatus: 'paid' })).toEqual([]);
});

test.each([
  ['cash_on_pickup', null, undefined, false],
  ['cash_on_pickup', 'Abholung', undefined, false],
  ['cash_on_pickup', 'Versand', undefined, true],
  ['cash_on_pickup', 'Versand', true, true],
  ['cash_on_pickup', 'Botendienst', undefined, false],
  ['cash_on_pickup', 'Abholung', true, false],
  ['cash_on_pickup', 'Abholung', false, false],
  ['paid', 'Versand', undefined, false],
  ['paid', 'Versand', false, false],
  ['paid', 'Abholung', true, true],
  ['paid', 'Abholung', undefined, false],
  ['pending', null, true, true],
  ['pending', null, false, false],
] as const)('payment %s, shipping %j, cash %j: conflict is %j', (paymentStatus, shippingOption, cash, isConflict) => {
  expect(warn({ paymentStatus, shippingOption }, cash)).toEqual(
    isConflict ? [{ code: 'payment_method_conflict', pointer: expect.any(String), message: expect.any(String) }] : [],
  );
});

test.each<[string, Partial<Item>, string[]]>([
  ['known by p1_id', {}, []],
  ['known by product_id alone', { p1Id: null, productId: 'a' }, []],
  ['the same product twice', { productId: 'a' }, []],
  ['a foreign product_id beside', { productId: 'sku-1' }, []],
  ['a foreign p1_id beside', { p1Id: 'sku-1', productId: 'a' }, []],
  ['two products of the pharmacy', { productId: 'b' }, ['product_id_conflict']],
  [
    'two products, the name of the other',
    { name: PRODUCTS.get('b')?.name ?? null, productId: 'b' },
    ['product_id_conflict', 'name_mismatch'],
  ],
  ['no id', { p1Id: null }, ['unmatched_item']],
  ['foreign ids', { p1Id: 'x', productId: 'y' }, ['unmatched_item']],
  ['the name of another product', { name: 'Cetirizin 10 mg' }, ['name_mismatch']],
  ['another name by product_id', { name: 'Cetirizin 10 mg', p1Id: null, productId: 'a' }, ['name_mismatch']],
  ['no name', { name: null }, []],
])('an item with %s: %j', (_, fields, codes) => {
  const warnings = warn({ items: [item(), item(fields)] });
  expect(warnings.map(({ code }) => code)).toEqual(codes);
  for (const warning of warnings) expect(warning.pointer).toBe('/payload/items/1');
  const mismatch = warnings.find((warning) => warning.code === 'name_mismatch');
  expect(mismatch?.p1Id).toBe(mismatch && 'a');
});

test('warnings come in one order: the total, the payment, the items', () => {
  const fields: Partial<Checked> = { totalCents: 1, shippingOption: 'Versand', items: [item({ p1Id: null })] };
  expect(warn(fields).map(({ code }) => code)).toEqual(['fee_differs', 'payment_method_conflict', 'unmatched_item']);
});

test.each([
  [495, 495, false],
  [595, 495, false],
  [596, 495, true],
  [395, 495, false],
  [394, 495, true],
  [0, 100, false],
  [0, 101, true],
  [11_000, 10_000, false],
  [11_001, 10_000, true],
  [9_000, 10_000, false],
  [8_999, 10_000, true],
  [1_100, 1_000, false],
  [1_101, 1_000, true],
])('a price of %i cents for a product of %i: off is %j', (submitted, held, isOff) => {
  expect(isPriceOff(submitted, held)).toBe(isOff);
});

const product = (fields: Partial<OrderableProduct> = {}): OrderableProduct => ({
  p1Id: 'a',
  pzn: null,
  name: 'Ibuprofen',
  prescriptionRequired: false,
  ...SHIPPABLE,
  priceCents: 495,
  stockQuantity: 1,
  unit: 'piece',
  unitStep: 1,
  thcPercent: null,
  cbdPercent: null,
  ...fields,
});

test.each<[string, Partial<Item>, Map<string, OrderableProduct>, string | null]>([
  ['of the product', {}, new Map([['a', product()]]), null],
  ['far off', { priceCents: 50 }, new Map([['a', product()]]), 'a'],
  ['far off, named by product_id', { priceCents: 50, p1Id: null, productId: 'a' }, new Map([['a', product()]]), 'a'],
  [
    'far off, of both ids',
    { priceCents: 50, productId: 'b' },
    new Map([
      ['b', product({ p1Id: 'b' })],
      ['a', product()],
    ]),
    'a',
  ],
  [
    'of a prescription: a co-payment',
    { priceCents: 50 },
    new Map([['a', product({ prescriptionRequired: true })]]),
    null,
  ],
  ['of nothing that is held', { priceCents: 50 }, new Map(), null],
  ['of nothing at all', { priceCents: 50, p1Id: null }, new Map([['a', product()]]), null],
])('a price %s', (_, fields, products, p1Id) => {
  expect(priceWarnings([item(), item(fields)].slice(1), products)).toEqual(
    p1Id === null
      ? []
      : [
          {
            code: 'price_mismatch',
            pointer: '/payload/items/0',
            message: expect.any(String),
            p1Id,
            priceCents: 50,
            productPriceCents: 495,
          },
        ],
  );
});

test('a price is told by its item’s place', () => {
  const warnings = priceWarnings([item(), item({ priceCents: 50 })], new Map([['a', product()]]));
  expect(warnings.map(({ pointer }) => pointer)).toEqual(['/payload/items/1']);
});

test('each warning of a submission has its place and says in words what it is about', () => {
  const warnings = [
    ...warn({ shippingOption: 'Versand' }),
    ...warn({ paymentStatus: 'paid' }, true),
    ...warn({ items: [item({ productId: 'b' })] }),
    ...warn({ items: [item({ p1Id: null })] }),
    ...warn({ items: [item({ name: 'Cetirizin 10 mg' })] }),
    ...emailWarnings({ customer_email: 'nobody' }),
  ];
  expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual([
    ['payment_method_conflict', '/payload/shipping_option'],
    ['payment_method_conflict', '/payload/payment_status'],
    ['product_id_conflict', '/payload/items/0'],
    ['unmatched_item', '/payload/items/0'],
    ['name_mismatch', '/payload/items/0'],
    ['email_unusable', '/payload/customer_email'],
  ]);
  expect(new Set(warnings.map(({ message }) => message)).size).toBe(warnings.length);
  for (const { message } of warnings) expect(message).toMatch(/^[A-Za-z].{20,}\.$/);
  expect([emailWarnings(null), emailWarnings({ other: 'x' })]).toEqual([[], []]);
});

test.each([
  [{ origin: 'url', fileFault: 'truncated', place: null }, '/payload/prescription_pdf_url'],
  [{ origin: 'base64', fileFault: 'empty', place: 2 }, '/payload/prescriptions/2/pdf_base64'],
  [{ origin: 'url', fileFault: null, place: null }, null],
  [{ origin: 'staff', fileFault: 'locked', place: null }, null],
] as const)('a file that is %j: the warning points to %j', (file, pointer) => {
  const message = expect.stringMatching(/^[A-Z].+\. Send the file again as a supplement\.$/);
  const warning = { code: 'prescription_unreadable', pointer, message };
  expect(fileWarnings([file] as Parameters<typeof fileWarnings>[0])).toEqual(pointer === null ? [] : [warning]);
});

test('an item whose product is not sent that way is told at its place, by whichever id is known', () => {
  const products = new Map([['a', { p1Id: 'a', name: 'A', ...SHIPPABLE, availableForShipping: false }]]);
  const items = [item({ p1Id: 'x', productId: 'a' }), item({ p1Id: null, productId: null }), item()];
  const today = '2026-11-29' as Parameters<typeof shippingWarnings>[2]['today'];
  const told = (shippingOption: string) =>
    shippingWarnings({ items, shippingOption }, products, { shopId: 's', today });
  expect(told('Versand')).toMatchObject([
    { code: 'not_available_for_shipping', pointer: '/payload/items/0', p1Id: 'a' },
    { code: 'not_available_for_shipping', pointer: '/payload/items/2', p1Id: 'a' },
  ]);
  expect(told('Abholung')).toEqual([]);
});

test('a fee that is not the shop’s is told at the fee, with the total as it was sent or as it comes to', () => {
  const of = (fields: Partial<Checked>) => {
    const charged = { items: [item()], totalCents: null, paymentStatus: 'pending', ...NO_FEE, ...fields };
    return feeWarnings(charged as Parameters<typeof feeWarnings>[0]).map(({ pointer, sentCents, computedCents }) => [
      pointer,
      sentCents,
      computedCents,
    ]);
  };
  expect(of({ feeCents: 3000 })).toEqual([['/payload/fee_amount', 3495, 495]]);
  expect(of({ feeCents: 3000, discountCents: 100 })).toEqual([['/payload/fee_amount', 3395, 395]]);
  expect(of({ feeCents: 3000, totalCents: 3495 })).toEqual([['/payload/fee_amount', 3495, 495]]);
});

test('the size of a pack is compared where packs are sold, not where the product is weighed', () => {
  const items = [item({ name: 'Wedding Cake 1 g' })];
  const codes = (unit: 'g' | 'piece') => {
    const products = new Map([['a', { name: 'Wedding Cake 24 % 10 g', unit }]]);
    const submission = { items, totalCents: null, paymentStatus: 'paid', shippingOption: null, ...NO_FEE };
    return warningsOf(submission as Checked, null, products).map(({ code }) => code);
  };
  expect([codes('g'), codes('piece')]).toEqual([[], ['name_mismatch']]);
});

test('a price is of the unit or of the whole tin, where a product has tins; any other is off', () => {
  const tins = new Map([['a', product({ priceCents: 900, unit: 'g', unitStep: 5 })]]);
  const off = (priceCents: number) => priceWarnings([item({ priceCents, quantity: 2 })], tins).length > 0;
  expect([900, 4500, 20, 90_000].map(off)).toEqual([false, false, true, true]);
});

test('warns of a quantity that may count packs, at the item, and of no other', () => {
  const gram = { ...SHIPPABLE, unit: 'g' as const, unitStep: 5, priceCents: 875, name: 'Pink Kush' };
  const products = new Map([['flower', gram]]);
  const asked = (fields: Partial<Item>) => item({ name: null, quantity: 3, priceCents: 2000, p1Id: null, ...fields });
  const items = [asked({ p1Id: 'other' }), asked({ productId: 'flower' }), asked({ p1Id: 'flower', priceCents: 875 })];
  const message = 'The price does not say whether this is 3 or, counted in packs, 15. Staff will check it.';
  const warning = { code: 'unclear_unit', pointer: '/payload/items/1', message, values: [3, 15] };
  expect(unitWarnings(items, products)).toEqual([warning]);
  expect(unitWarnings([asked({ p1Id: 'flower', productId: 'other' })], products)).toHaveLength(1);
});
