import { expect, test } from 'vitest';
import type { OrderableProduct } from '../../src/inventory/browse';
import type { Charges } from '../../src/order-requests/intake/charges';
import {
  blockersOf as blockersFor,
  NotApprovable,
  paymentDifferenceOf,
  shortages,
} from '../../src/order-requests/review/assessment';
import type { PrescriptionRow } from '../../src/prescriptions/store';
import { line, SHIPPABLE } from '../support/order-line';

/** Products with so many in stock. */
function stock(quantities: Record<string, number>): Map<string, OrderableProduct> {
  return new Map(
    Object.entries(quantities).map(([p1Id, stockQuantity]) => {
      const product = { p1Id, pzn: null, name: `Product ${p1Id}`, prescriptionRequired: false };
      const amount = { unit: 'piece' as const, unitStep: 1, thcPercent: null, cbdPercent: null, stockQuantity };
      return [p1Id, { ...product, ...SHIPPABLE, priceCents: 495, ...amount }];
    }),
  );
}

type Blocked = Parameters<typeof blockersFor>;

/** What a program is told. */
function blockersOf(lines: Blocked[0], products: Blocked[1], prescriptions: Blocked[2]) {
  return blockersFor(lines, products, prescriptions, 'program');
}

function prescription(status: PrescriptionRow['status'], approvedAt: number | null = null): PrescriptionRow {
  const approvedLines = approvedAt === null || status === 'erased' ? null : [{ p1Id: 'a', quantity: 1 }];
  return { status, approvedAt, approvedLines, setAsideAt: null } as PrescriptionRow;
}

const codesOf = (blockers: { code: string; overridable: boolean }[]) =>
  blockers.map(({ code, overridable }) => (overridable ? `${code} (overridable)` : code));

test('nothing keeps a line from approval that is in stock and requires no prescription', () => {
  expect(blockersOf([line()], stock({ a: 1 }), [])).toEqual([]);
});

test('a request without lines cannot be approved, not by a reason either', () => {
  expect(codesOf(blockersOf([], stock({}), []))).toEqual(['no_lines']);
});

test('a line that matches no product is told by its place and may be approved with a reason', () => {
  const blockers = blockersOf([line(), line({ p1Id: null })], stock({ a: 1 }), []);
  expect(blockers).toMatchObject([{ code: 'unmatched_line', overridable: true, pointer: '/lines/1' }]);
});

test.each([
  ['one line', [4], 3, true],
  ['one line that takes the last', [3], 3, false],
  ['two lines that are too many together', [2, 2], 3, true],
  ['two lines that take the last together', [1, 2], 3, false],
  ['one line of a product that is not held', [1], null, true],
])('%s: short is %j', (_, quantities, held, isShort) => {
  const lines = quantities.map((quantity) => line({ quantity }));
  const products = held === null ? stock({}) : stock({ a: held });
  const wanted = quantities.reduce((sum, quantity) => sum + quantity, 0);
  const short = {
    code: 'insufficient_stock',
    message: expect.any(String),
    p1Id: 'a',
    productName: held === null ? null : 'Product a',
    requested: wanted,
    stockQuantity: held ?? 0,
  };
  expect(shortages(lines, products)).toEqual(isShort ? [short] : []);
  expect(blockersOf(lines, products, [])).toEqual(isShort ? [{ ...short, overridable: false }] : []);
});

test('a line without a product is short of nothing', () => {
  expect(shortages([line({ p1Id: null, quantity: 9 })], stock({}))).toEqual([]);
});

const [fetching, failed] = [prescription('fetching'), prescription('fetch_failed')];
const [stored, approved] = [prescription('stored'), prescription('stored', 1)];

const aside = (of: PrescriptionRow): PrescriptionRow => ({ ...of, setAsideAt: 1 });

test.each<[string, boolean, PrescriptionRow[], string[]]>([
  ['none, none required', false, [], []],
  ['none, one required', true, [], ['prescription_missing']],
  ['one to be read', true, [stored], ['prescription_not_reviewed']],
  ['one to be read that nobody requires', false, [stored], ['prescription_not_reviewed (overridable)']],
  ['one approved', true, [approved], []],
  ['one approved that nobody requires', false, [approved], []],
  ['one approved, one to be read', true, [stored, approved], ['prescription_not_reviewed']],
  [
    'one approved, one to be read, none required',
    false,
    [stored, approved],
    ['prescription_not_reviewed (overridable)'],
  ],
  ['one approved, one on its way', true, [approved, fetching], ['prescription_fetching']],
  ['one on its way', true, [fetching], ['prescription_fetching']],
  ['one on its way, one to be read', true, [fetching, stored], ['prescription_fetching']],
  ['one on its way that nobody requires', false, [fetching], ['prescription_fetching (overridable)']],
  ['one on its way, one approved, none required', false, [fetching, approved], ['prescription_fetching (overridable)']],
  ['one that did not come', true, [failed], ['prescription_fetch_failed']],
  ['one that did not come and nobody requires', false, [failed], ['prescription_fetch_failed (overridable)']],
  ['one that did not come, one approved instead', true, [failed, approved], []],
  ['one that did not come, one to be read', true, [failed, stored], ['prescription_not_reviewed']],
  ['one that did not come, one on its way', true, [failed, fetching], ['prescription_fetching']],
  ['one that was erased', true, [prescription('erased', 1)], ['prescription_missing']],
  ['one set aside', true, [aside(stored)], ['prescription_missing']],
  ['one set aside that nobody requires', false, [aside(stored)], []],
  ['one set aside, one approved', true, [aside(stored), approved], []],
  ['one on its way and one that did not come, both set aside', false, [aside(fetching), aside(failed)], []],
  ['one set aside instead of the one that did not come', true, [failed, aside(stored)], ['prescription_fetch_failed']],
])('prescriptions: %s', (_, prescriptionRequired, prescriptions, codes) => {
  const lines = [line(), line({ prescriptionRequired })];
  expect(codesOf(blockersOf(lines, stock({ a: 2 }), prescriptions))).toEqual(codes);
  // Of a prescription that was sent, no reason lets staff skip the check.
  const forStaff = blockersFor(lines, stock({ a: 2 }), prescriptions, 'staff');
  expect(codesOf(forStaff)).toEqual(codes.map((code) => code.replace(' (overridable)', '')));
});

test('approved ones that do not cover the lines are told by product, and no reason overrides that', () => {
  const lines = [
    line({ prescriptionRequired: true }),
    line(),
    line({ prescriptionRequired: true, p1Id: 'b', quantity: 3 }),
  ];
  const expected = { code: 'prescription_not_covering', p1Id: 'b', needed: 3, covered: 0, overridable: false };
  const blockers = blockersOf(lines, stock({ a: 2, b: 3 }), [approved]);
  expect(blockers).toMatchObject([{ ...expected, productName: 'Product b' }]);
  // The inventory no longer lists it.
  expect(blockersOf(lines, stock({ a: 2 }), [approved]).at(-1)).toMatchObject({ ...expected, productName: null });
  const twice = [line({ prescriptionRequired: true }), line({ prescriptionRequired: true })];
  expect(blockersOf(twice, stock({ a: 2 }), [approved])).toMatchObject([{ p1Id: 'a', needed: 2, covered: 1 }]);
  expect(blockersOf(twice, stock({ a: 2 }), [approved, approved])).toEqual([]);
});

test('every reason is told at once, lines before stock before the prescription', () => {
  const lines = [line({ p1Id: null }), line({ quantity: 5, prescriptionRequired: true })];
  expect(codesOf(blockersOf(lines, stock({ a: 1 }), []))).toEqual([
    'unmatched_line (overridable)',
    'insufficient_stock',
    'prescription_missing',
  ]);
});

test('the print-out of an E-Rezept is told before anything else of the prescriptions', () => {
  const token = { ...prescription('erased'), fetchFailure: 'erezept_token' } as PrescriptionRow;
  const fetching = { ...prescription('fetching'), fetchFailure: null } as PrescriptionRow;
  expect(codesOf(blockersOf([line()], stock({ a: 1 }), [fetching, token]))).toEqual(['erezept_token (overridable)']);
  const needs = line({ prescriptionRequired: true });
  expect(codesOf(blockersOf([needs], stock({ a: 1 }), [token]))).toEqual(['erezept_token']);
  const setAside = { ...token, setAsideAt: 1 };
  expect(blockersOf([line()], stock({ a: 1 }), [setAside])).toEqual([]);
});

test('a line without a name and a product cannot be approved, not by a reason either', () => {
  const blockers = blockersOf([line({ p1Id: null, name: '' })], stock({}), []);
  expect(codesOf(blockers)).toEqual(['unmatched_line']);
});

test('each blocker says in words what to do', () => {
  const needs = line({ prescriptionRequired: true });
  const given: Parameters<typeof blockersOf>[] = [
    [[], stock({}), []],
    [[line({ p1Id: null })], stock({}), []],
    [[line()], stock({}), []],
    [[needs], stock({ a: 1 }), []],
    [[needs], stock({ a: 1 }), [prescription('fetching')]],
    [[needs], stock({ a: 1 }), [prescription('fetch_failed')]],
    [[needs], stock({ a: 1 }), [prescription('stored')]],
    [[line({ prescriptionRequired: true, quantity: 2 })], stock({ a: 2 }), [prescription('stored', 1)]],
    [[needs], stock({ a: 1 }), [{ ...prescription('erased'), fetchFailure: 'erezept_token' } as PrescriptionRow]],
  ];
  const messages = given.flatMap((each) => blockersOf(...each).map(({ message }) => message));
  expect(new Set(messages).size).toBe(given.length);
  for (const message of messages) expect(message).toMatch(/^[A-Z].{20,}\.$/);
  const error = new NotApprovable([]);
  expect([error.code, error.detail]).toEqual(['not_approvable', expect.stringMatching(/^[A-Z].{20,}\.$/)]);
});

type Paid = Parameters<typeof paymentDifferenceOf>[0];
const PAID = {
  paymentStatus: 'paid',
  totalCents: null,
  items: [line({ quantity: 2 })],
  feeCents: null,
  discountCents: null,
};
const NO_CHARGES = { feeCents: 0, discountCents: 0 };

test.each<[string, Partial<Paid>, typeof NO_CHARGES, [paid: number, total: number] | null]>([
  ['as much as the lines come to', {}, NO_CHARGES, null],
  ['a total that says so', { totalCents: 990 }, NO_CHARGES, null],
  ['another total', { totalCents: 1000 }, NO_CHARGES, [1000, 990]],
  ['with a fee that stays', { feeCents: 490 }, { feeCents: 490, discountCents: 0 }, null],
  ['with a fee that is dropped', { feeCents: 490 }, NO_CHARGES, [1480, 990]],
  ['with a discount that is dropped', { discountCents: 90 }, NO_CHARGES, [900, 990]],
  ['less, and nothing is paid yet', { totalCents: 1, paymentStatus: 'pending' }, NO_CHARGES, null],
])('paid is %s: the difference is %4$j', (_, fields, charges, difference) => {
  const found = paymentDifferenceOf({ ...PAID, ...fields } as Paid, [line({ quantity: 2 })], charges as Charges);
  expect(found).toEqual(difference && { paidCents: difference[0], totalCents: difference[1] });
});
