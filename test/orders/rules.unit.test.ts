import { expect, test } from 'vitest';
import { FLAG_FIELDS, ordersFields, PATCHED_FIELDS, UPSERTED_FIELDS } from '../../src/orders/fields';
import {
  allowedTransitions,
  areLinesLocked,
  endMoves,
  initialStatus,
  isLocked,
  isParcel,
  isWeighed,
  packCount,
  prescribedOf,
  progressOf,
  promisedOf,
  promiseMoves,
  quantitiesOf,
  REASON_CODES,
  TRANSITIONS,
  totalOf,
  totalsWith,
  withoutAllPacks,
  withoutWeighed,
  withPacks,
} from '../../src/orders/rules';
import { ORDER_STATUSES, type OrderStatus } from '../../src/orders/tables';
import { wireNames } from '../../src/platform/fields';
import { isPickup } from '../../src/tenants/rules';
import { line } from '../support/order-line';

const STEPS: [OrderStatus, OrderStatus[]][] = [
  ['awaiting_prescription', ['awaiting_payment', 'awaiting_packing', 'cancelled']],
  ['awaiting_payment', ['awaiting_packing', 'awaiting_prescription', 'cancelled']],
  ['awaiting_packing', ['ready_pickup', 'ready_shipping', 'awaiting_payment', 'awaiting_prescription', 'cancelled']],
  ['ready_pickup', ['picked_up', 'awaiting_packing', 'returned', 'cancelled']],
  ['ready_shipping', ['shipped', 'awaiting_packing', 'cancelled']],
  ['shipped', ['delivered', 'returned']],
  ['delivered', ['returned']],
  ['picked_up', ['returned']],
  ['returned', []],
  ['cancelled', []],
];

test.each(STEPS)('from %s an order may go to %j and nowhere else', (status, next) => {
  expect(TRANSITIONS[status]).toEqual(next);
});

test('every status has its steps', () => {
  expect(STEPS.map(([status]) => status)).toEqual([...ORDER_STATUSES]);
  expect(Object.keys(TRANSITIONS)).toEqual([...ORDER_STATUSES]);
});

test('an order is locked once it was handed over, returned or canceled', () => {
  expect(ORDER_STATUSES.filter(isLocked)).toEqual(['delivered', 'picked_up', 'returned', 'cancelled']);
  expect(ORDER_STATUSES.filter(areLinesLocked)).toEqual(['shipped', ...ORDER_STATUSES.filter(isLocked)]);
});

test.each([
  [null, true, 'ready_pickup'],
  ['Abholung', true, 'ready_pickup'],
  ['Versand', false, 'ready_shipping'],
  ['Express', false, 'ready_shipping'],
  ['', false, 'ready_shipping'],
] as const)('shipping option %j: at the counter is %j, a packed order becomes %s', (shippingOption, pickup, ready) => {
  expect(isPickup(shippingOption)).toBe(pickup);
  expect(allowedTransitions({ status: 'awaiting_packing', shippingOption })).toEqual([
    ready,
    'awaiting_payment',
    'awaiting_prescription',
    'cancelled',
  ]);
});

test.each([
  { required: [true], approved: false, paymentStatus: 'paid', status: 'awaiting_prescription' },
  { required: [false, true], approved: false, paymentStatus: 'pending', status: 'awaiting_prescription' },
  { required: [true], approved: true, paymentStatus: 'pending', status: 'awaiting_payment' },
  { required: [true], approved: true, paymentStatus: 'paid', status: 'awaiting_packing' },
  { required: [false], approved: false, paymentStatus: 'pending', status: 'awaiting_payment' },
  { required: [false], approved: false, paymentStatus: 'paid', status: 'awaiting_packing' },
  { required: [false], approved: false, paymentStatus: 'cash_on_pickup', status: 'awaiting_packing' },
  { required: [], approved: false, paymentStatus: 'pending', status: 'awaiting_payment' },
] as const)(
  'lines that require a prescription: $required, approved: $approved, $paymentStatus: a new order is $status',
  (order) => {
    const items = order.required.map((prescriptionRequired) => line({ prescriptionRequired }));
    const { approved: hasApprovedPrescription, paymentStatus } = order;
    expect(initialStatus({ items, paymentStatus, hasApprovedPrescription })).toBe(order.status);
  },
);

test('a total is the sum of price times quantity', () => {
  expect(totalOf([])).toBe(0);
  expect(totalOf([line({ priceCents: 495, quantity: 2 }), line({ priceCents: 1, quantity: 3 })])).toBe(993);
});

test('lines of one product are summed, and a line without one moves no stock', () => {
  const items = [
    line({ p1Id: 'a', quantity: 2 }),
    line({ p1Id: null, quantity: 7 }),
    line({ p1Id: 'b' }),
    line({ p1Id: 'a', quantity: 3 }),
  ];
  expect([...quantitiesOf(items)]).toEqual([
    ['a', 5],
    ['b', 1],
  ]);
});

test('prescriptions must cover the lines that require one, summed by product', () => {
  const required = { prescriptionRequired: true };
  const items = [
    line({ p1Id: 'a', quantity: 2 }),
    line({ p1Id: 'a', quantity: 3, ...required }),
    line({ p1Id: 'a', ...required }),
  ];
  expect([...prescribedOf(items)]).toEqual([['a', 4]]);
});

test('a change of lines moves the difference alone: less is promised no longer, more and new ones are', () => {
  const before = [line({ p1Id: 'less', quantity: 3 }), line({ p1Id: 'same', quantity: 2 }), line({ p1Id: 'gone' })];
  const after = [line({ p1Id: 'less' }), line({ p1Id: 'same', quantity: 2 }), line({ p1Id: 'new', quantity: 4 })];
  expect(promiseMoves(quantitiesOf(before), quantitiesOf(after))).toEqual([
    { p1Id: 'less', committed: -2, onHand: 0 },
    { p1Id: 'gone', committed: -1, onHand: 0 },
    { p1Id: 'new', committed: 4, onHand: 0 },
  ]);
});

test('an order promises what is in the house for it: from the beginning until it leaves or ends', () => {
  const order = { holdsStock: true, items: [line({ p1Id: 'a', quantity: 2 }), line({ p1Id: null })] };
  const promising = ORDER_STATUSES.filter((status) => promisedOf({ ...order, status }).size > 0);
  expect(promising).toEqual([
    'awaiting_prescription',
    'awaiting_payment',
    'awaiting_packing',
    'ready_pickup',
    'ready_shipping',
  ]);
  expect(promisedOf({ ...order, status: 'awaiting_packing', holdsStock: false })).toEqual(new Map());
});

test('a promise that ends leaves what is kept in the house and takes the rest out; what comes back is on hand again', () => {
  const promised = new Map([['a', 3]]);
  expect(endMoves(promised, promised)).toEqual([{ p1Id: 'a', committed: -3, onHand: 0 }]);
  expect(endMoves(promised, new Map())).toEqual([{ p1Id: 'a', committed: -3, onHand: -3 }]);
  expect(endMoves(promised, new Map([['a', 1]]))).toEqual([{ p1Id: 'a', committed: -3, onHand: -2 }]);
  expect(endMoves(new Map(), new Map([['a', 2]]))).toEqual([{ p1Id: 'a', committed: 0, onHand: 2 }]);
});

test('the reasons are those that the API publishes', () => {
  expect(REASON_CODES).toEqual([
    'prescription_missing',
    'prescription_unreadable',
    'prescription_expired',
    'prescription_signature_invalid',
    'prescription_incomplete',
    'prescription_already_used',
    'patient_mismatch',
    'item_mismatch',
    'quantity_exceeds_prescription',
    'clinical_concern',
    'out_of_stock',
    'not_available',
    'address_invalid',
    'outside_delivery_area',
    'shipping_not_allowed',
    'underage',
    'duplicate_order',
    'payment_problem',
    'suspected_fraud',
    'customer_withdrew',
    'expired',
    'test',
    'other',
  ]);
});

test('what an order’s calls change is named as on the wire', () => {
  expect(wireNames(ordersFields, FLAG_FIELDS)).toEqual(['on_hold', 'original_missing', 'express', 'archived']);
  const person = ['customer_name', 'customer_email'];
  const address = ['address_street', 'address_city', 'address_postal_code', 'address_phone'];
  const both = ['shipping_option', 'fee_amount', 'discount_amount', ...person, ...address];
  const tracking = ['carrier', 'tracking_number', 'tracking_url'];
  expect(wireNames(ordersFields, PATCHED_FIELDS).toSorted()).toEqual(
    [...both, ...tracking, 'hold_reason', 'note', 'withdrawal'].toSorted(),
  );
  expect(wireNames(ordersFields, UPSERTED_FIELDS).toSorted()).toEqual(
    [...both, 'items', 'payment_reference'].toSorted(),
  );
});

test.each([
  ['Versand', true],
  ['Express', true],
  ['Botendienst', false],
  ['Abholung', false],
  [null, false],
])('%j goes by parcel: %j', (option, isSent) => {
  expect(isParcel(option)).toBe(isSent);
});

test('a discount is lowered to what there is to pay, fee included', () => {
  const items = [line({ quantity: 2 })];
  expect(totalsWith(items, { feeCents: 490, discountCents: 80 })).toEqual({
    ...{ feeCents: 490, discountCents: 80, totalCents: 1400 },
  });
  expect(totalsWith(items, { feeCents: 490, discountCents: 5000 })).toEqual({
    ...{ feeCents: 490, discountCents: 1480, totalCents: 0 },
  });
});

const FLOWERS = line({ quantity: 25, unit: 'g', unitStep: 1 });
const TINS = line({ p1Id: 'b', quantity: 25, unit: 'g', unitStep: 10 });
const OIL = line({ p1Id: 'c', quantity: 30, unit: 'ml', unitStep: 1 });
const weighed = (amount: number, of = amount * 10) => ({
  ...{ scanned: amount, byHand: 0, serials: [], by: 'm', at: 1, weighed: of },
});

test('grams from a container are one pack and weighed, grams in tins as many packs as they fill, and packs are packs', () => {
  expect([FLOWERS, TINS, OIL, line({ quantity: 4 })].map((item) => packCount({ items: [item] }))).toEqual([1, 3, 1, 4]);
  expect(packCount({ items: [line({ quantity: 0, unit: 'g' })] })).toBe(0);
  expect([FLOWERS, TINS, OIL, line()].map(isWeighed)).toEqual([true, false, false, false]);
});

test('what is poured counts as packed once all of it is', () => {
  const progress = (scanned: number) => {
    const { packed, packs } = progressOf({ items: [FLOWERS, TINS], packing: [weighed(scanned), weighed(10)] });
    return [packed, packs];
  };
  expect([progress(24), progress(25), progress(26)]).toEqual([
    [1, 4],
    [2, 4],
    [2, 4],
  ]);
});

test('weighings of a line add up and say who checked the last one', () => {
  const order = { items: [FLOWERS], packing: null };
  const tick = { how: 'scanned', serial: null, by: 'm', at: 1 } as const;
  const first = withPacks(order, 0, { ...tick, count: 10, weighed: 101, checkedBy: 'p' });
  expect(first).toMatchObject([{ scanned: 10, weighed: 101, checkedBy: 'p' }]);
  expect(withPacks({ ...order, packing: first }, 0, { ...tick, count: 5, weighed: 50, checkedBy: 'q' })).toMatchObject([
    { scanned: 15, weighed: 151, checkedBy: 'q' },
  ]);
});

test('an order that is packed anew keeps what was weighed in', () => {
  const ticked = { scanned: 2, byHand: 0, serials: ['s'], by: 'm', at: 1 };
  expect(withoutAllPacks({ items: [FLOWERS, TINS], packing: null })).toBeNull();
  expect(withoutAllPacks({ items: [FLOWERS, TINS], packing: [ticked, ticked] })).toBeNull();
  expect(withoutAllPacks({ items: [FLOWERS, TINS], packing: [weighed(25), ticked] })).toEqual([
    weighed(25),
    { scanned: 0, byHand: 0, serials: [], by: null, at: null },
  ]);
});

test('what was weighed in and is needed no more leaves the stock on hand; nothing else does', () => {
  const before = {
    ...{ status: 'awaiting_packing' as OrderStatus, holdsStock: true, items: [FLOWERS, TINS] },
    packing: [weighed(20), { ...weighed(10), weighed: undefined }],
  };
  const freed = (p1Id: string, committed: number) => ({ p1Id, committed, onHand: 0 });
  const moves = [freed('a', -25), freed('b', -25), freed('z', -1)];
  const lost = (after: Parameters<typeof withoutWeighed>[2], of = moves) =>
    withoutWeighed(of, before, after).map(({ p1Id, committed, onHand }) => [p1Id, committed, onHand]);
  expect(lost(null)).toEqual([
    ['a', -25, -20],
    ['b', -25, 0],
    ['z', -1, 0],
  ]);
  expect(lost({ items: [FLOWERS], packing: [weighed(15)] }, [freed('a', -25)])).toEqual([['a', -25, -5]]);
  expect(lost({ items: [FLOWERS], packing: [weighed(20)] }, [freed('a', -25)])).toEqual([['a', -25, 0]]);
  expect(lost(null, [freed('a', -5)])).toEqual([['a', -5, -5]]);
  expect(lost(null, [freed('a', 5)])).toEqual([['a', 5, 0]]);
});
