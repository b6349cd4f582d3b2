import { expect, test } from 'vitest';
import { type Charged, chargesOf } from '../../src/order-requests/intake/charges';
import type { RemainderChoice } from '../../src/order-requests/tables';

/** Eleven pieces at 4.95, which are 54.45; the shop's fee for them is 4.90. */
const REQUEST: Charged = {
  items: [{ name: 'A', quantity: 11, priceCents: 495, p1Id: null, productId: null }],
  totalCents: 5935,
  paymentStatus: 'pending',
  feeCents: null,
  discountCents: null,
  feeLimits: { maxCents: 2500, usualCents: 490 },
};
const UNSET = { maxCents: 2500, usualCents: null };
const PAID = { paymentStatus: 'paid' } as const;

test.each<[string, Partial<Charged>, fee: number, discount: number, choices: RemainderChoice[]]>([
  ['the shop’s own fee', {}, 490, 0, []],
  ['no fee', { totalCents: 5445 }, 0, 0, []],
  ['no total', { totalCents: null }, 0, 0, []],
  ['no items', { items: [] }, 0, 0, []],
  ['a lower fee', { totalCents: 5735 }, 290, 0, []],
  ['a higher fee, unpaid', { totalCents: 6435 }, 990, 0, ['fee', 'check_price']],
  ['a higher fee, paid', { totalCents: 6435, ...PAID }, 990, 0, []],
  ['any fee of a shop that set none', { totalCents: 7945, feeLimits: UNSET }, 2500, 0, []],
  ['more than the highest fee', { totalCents: 7946, ...PAID }, 2501, 0, ['fee', 'co_payment', 'check_price']],
  ['a cent a line and half a cent a piece more', { totalCents: 5451 }, 6, 0, []],
  ['as much less', { totalCents: 5439 }, 0, 6, []],
  ['a cent less than rounding', { totalCents: 5438 }, 0, 7, ['co_payment', 'voucher', 'check_price']],
  ['nothing to pay', { totalCents: 0, ...PAID }, 0, 5445, ['co_payment', 'voucher', 'check_price']],
  ['fee and discount by name', { totalCents: 4935, feeCents: 490, discountCents: 1000 }, 490, 1000, []],
  ['fee by name, no total', { totalCents: null, feeCents: 490 }, 490, 0, []],
  ['fee by name, no items', { items: [], feeCents: 490 }, 490, 0, []],
  ['a higher fee by name, unpaid', { feeCents: 990, totalCents: 6435 }, 990, 0, ['fee', 'check_price']],
  ['fee by name, another total', { feeCents: 490, totalCents: 6000 }, 555, 0, ['fee', 'co_payment', 'check_price']],
])('reads %s', (_, sent, feeCents, discountCents, choices) => {
  expect(chargesOf({ ...REQUEST, ...sent })).toMatchObject({ feeCents, discountCents, choices });
});

test.each<[number, RemainderChoice, object]>([
  [4445, 'voucher', { feeCents: 0, discountCents: 1000, discountKind: 'voucher' }],
  [500, 'co_payment', { feeCents: 0, discountCents: 4945, discountKind: 'co_payment' }],
  [4445, 'check_price', { feeCents: 0, discountCents: 0, discountKind: null }],
  [6435, 'fee', { feeCents: 990, discountCents: 0, discountKind: null }],
  [6435, 'check_price', { feeCents: 490, discountCents: 0, discountKind: null }],
  [9000, 'check_price', { feeCents: 490, discountCents: 0, discountKind: null }],
])('reads a total of %d as staff choose: %s', (totalCents, choice, charges) => {
  expect(chargesOf({ ...REQUEST, totalCents }, choice)).toMatchObject(charges);
});
