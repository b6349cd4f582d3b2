import { expect, test } from 'vitest';
import { packingAfterStep } from '../../src/orders/batch-rules';
import {
  afterLeaving,
  assertWholeHere,
  DifferencesOpen,
  dueCents,
  handOverQuestions,
  InvalidTransition,
  inHouseLines,
  inHouseOf,
  isLeaving,
  isNothingHere,
  isOnWay,
  NotPacked,
  owedCount,
  PackExpired,
  packCount,
  restExpectedOn,
  restOwed,
  suppliedCount,
  supplyColumns,
  supplyKey,
  supplyOf,
  underpaidOf,
  WrongPack,
  withoutOwed,
  withoutSerials,
  withSupply,
} from '../../src/orders/rules';
import { ORDER_STATUSES, type PackedLine, type SupplyLine } from '../../src/orders/tables';
import { line } from '../support/order-line';

const WHOLE: SupplyLine = { owed: 0, expectedOn: null, supplied: 0, by: null, at: null };
const LATER: SupplyLine = { owed: 2, expectedOn: '2026-12-01', supplied: 1, by: 'member-1', at: 7 };
const GONE: SupplyLine = { ...WHOLE, supplied: 3 };
const items = [line({ quantity: 5 }), line({ quantity: 3, p1Id: 'b' })];
const inParts = { items, supply: [LATER, WHOLE] };
const whole = { items, supply: null };
const packed = (...serials: string[]): PackedLine => ({ scanned: 1, byHand: 0, serials, by: 'member-1', at: 1 });

test('an order without supply is supplied whole', () => {
  expect(supplyOf(whole, 0)).toEqual(WHOLE);
  expect(supplyOf(inParts, 0)).toEqual(LATER);
  expect(supplyOf(inParts, 9)).toEqual(WHOLE);
  expect([owedCount(whole), suppliedCount(whole), restExpectedOn(whole)]).toEqual([0, 0, null]);
});

test('what is in the house is what neither is to come nor has left', () => {
  expect([inHouseOf(inParts, 0), inHouseOf(inParts, 1), inHouseOf(inParts, 2)]).toEqual([2, 3, 0]);
  expect(inHouseLines(inParts)).toEqual([
    { ...items[0], quantity: 2 },
    { ...items[1], quantity: 3 },
  ]);
  expect([packCount(inParts), owedCount(inParts), suppliedCount(inParts)]).toEqual([8, 2, 1]);
});

test('the rest is expected when its last pack is', () => {
  const supply = [{ ...LATER, expectedOn: '2026-12-09' }, LATER, WHOLE];
  expect(restExpectedOn({ supply })).toBe('2026-12-09');
  expect(restExpectedOn({ supply: [LATER] })).toBe('2026-12-01');
  expect(supplyColumns(supply)).toEqual({ supply, expectedOn: '2026-12-01' });
  expect(supplyColumns([WHOLE, { ...WHOLE, expectedOn: '2026-12-01' }])).toEqual({ supply: null, expectedOn: null });
  expect(supplyColumns([GONE])).toEqual({ supply: [GONE], expectedOn: null });
  const owed = { ...WHOLE, owed: 1 };
  expect(supplyColumns([owed])).toEqual({ supply: [owed], expectedOn: null });
});

test('nothing is here only when each line is to come or has left', () => {
  expect(isNothingHere(inParts)).toBe(false);
  expect(isNothingHere(whole)).toBe(false);
  expect(isNothingHere({ items, supply: [{ ...WHOLE, supplied: 5 }, WHOLE] })).toBe(false);
  expect(isNothingHere({ items: [line({ quantity: 3 })], supply: [GONE] })).toBe(true);
});

test('a change of one line leaves the others, and a line that owes nothing is expected on no day', () => {
  expect(withSupply(inParts, 1, { owed: 1, expectedOn: '2026-12-02' })).toEqual([
    LATER,
    { ...WHOLE, owed: 1, expectedOn: '2026-12-02' },
  ]);
  expect(withSupply(inParts, 0, { owed: 0 })).toEqual([{ ...LATER, owed: 0, expectedOn: null }, WHOLE]);
});

test('what leaves is supplied; its serials are kept as long as packs are to come', () => {
  expect(afterLeaving({ ...whole, packing: null })).toEqual({});
  expect(afterLeaving({ ...inParts, packing: [packed('s2'), packed()] })).toEqual({
    supply: [
      { ...LATER, supplied: 3, serials: ['s2'] },
      { ...WHOLE, supplied: 3 },
    ],
    expectedOn: '2026-12-01',
  });
  const rest = { items, supply: [{ ...LATER, owed: 0, serials: ['s1'] }, WHOLE], packing: null };
  expect(afterLeaving(rest)).toMatchObject({
    supply: [
      { ...LATER, owed: 0, supplied: 5 },
      { ...WHOLE, supplied: 3 },
    ],
  });
  const gone = { items, supply: [{ ...LATER, owed: 0 }, WHOLE], packing: [packed('s2'), packed()] };
  expect(JSON.stringify(afterLeaving(gone))).not.toContain('serials');
  expect(JSON.stringify(afterLeaving({ ...inParts, packing: null }))).not.toContain('serials');
  const again = { items, supply: [{ ...LATER, serials: ['s1'] }, WHOLE], packing: [packed('s2')] };
  expect(afterLeaving(again)).toMatchObject({ supply: [{ serials: ['s1', 's2'] }, {}] });
});

test('a rest that is given up is owed no more', () => {
  expect(withoutOwed(whole)).toEqual({});
  expect(withoutOwed({ items, supply: [{ ...LATER, serials: ['s1'] }, WHOLE] })).toEqual({
    supply: [{ ...LATER, owed: 0, expectedOn: null }, WHOLE],
    expectedOn: null,
  });
});

test('the key of a line changes with its quantity, its product and its supply', () => {
  expect(supplyKey(inParts, 0)).toBe('0:5:2:1:a');
  expect(supplyKey({ items: [line({ p1Id: null })] }, 0)).toBe('0:1:0:0:');
  expect(supplyKey(inParts, 7)).toBe('7:0:0:0:');
});

const owing = {
  paymentStatus: 'pending' as const,
  totalCents: 990,
  paymentAction: null,
  paymentDifferenceCents: null,
  addressStreet: 'Heidestraße 17',
  addressCity: 'Köln',
  addressPostalCode: null,
};

test('due is the total, or of a paid order what was underpaid and is to be collected', () => {
  const paid = { ...owing, paymentStatus: 'paid' as const, paymentDifferenceCents: 200 };
  expect(dueCents(owing)).toBe(990);
  expect(dueCents(paid)).toBe(0);
  expect(dueCents({ ...paid, paymentAction: 'collect' })).toBe(200);
  expect([underpaidOf(paid), underpaidOf({ paymentDifferenceCents: -5 }), underpaidOf(owing)]).toEqual([200, 0, 0]);
});

test('payment and expiry are asked at each step out of the house, the address where it is shipped', () => {
  const asked = { isUnpaid: true, isAddressMissing: false, isExpired: true, isRuled: false };
  expect(handOverQuestions(owing, 'shipped', ['id'])).toEqual(asked);
  expect(handOverQuestions({ ...owing, addressStreet: null }, 'picked_up', ['id'])).toEqual(asked);
  expect(handOverQuestions(owing, 'ready_pickup', ['id'])).toMatchObject({ isUnpaid: false, isExpired: false });
  expect(handOverQuestions(owing, 'shipped', [])).toMatchObject({ isExpired: false });
  expect(handOverQuestions({ ...owing, paymentStatus: 'paid' }, 'shipped', []).isUnpaid).toBe(false);
  expect(handOverQuestions(owing, 'shipped', [], ['rule']).isRuled).toBe(true);
  expect(handOverQuestions(owing, 'ready_shipping', [], ['rule']).isRuled).toBe(false);
  for (const missing of [{ addressStreet: null }, { addressCity: null }])
    expect(handOverQuestions({ ...owing, ...missing }, 'shipped', []).isAddressMissing).toBe(true);
  expect(handOverQuestions({ ...owing, addressCity: null, addressPostalCode: '1' }, 'shipped', [])).toMatchObject({
    isAddressMissing: false,
  });
});

test('an order on its way is packed again from nothing, and serials end when the goods leave', () => {
  expect(ORDER_STATUSES.filter(isOnWay)).toEqual(['ready_pickup', 'ready_shipping', 'shipped']);
  expect(ORDER_STATUSES.filter(isLeaving)).toEqual(['shipped', 'picked_up']);
  const packing = [packed('s1')];
  expect(packingAfterStep({ status: 'ready_pickup', packing, items: [] }, 'awaiting_packing')).toEqual({
    packing: null,
    items: [],
  });
  expect(packingAfterStep({ status: 'awaiting_payment', packing, items: [] }, 'awaiting_packing')).toEqual({});
  expect(packingAfterStep({ status: 'ready_pickup', packing, items: [] }, 'cancelled')).toEqual({});
  expect(packingAfterStep({ status: 'ready_pickup', packing, items: [] }, 'picked_up')).toEqual({
    packing: [packed()],
  });
  expect(withoutSerials(null)).toBeNull();
});

test('refusals say what is missing', () => {
  const progress = { packed: 1, packs: 3 } as NotPacked['progress'];
  expect(
    [
      new InvalidTransition('shipped', 'awaiting_packing', ['delivered']),
      new NotPacked(progress),
      new WrongPack('Ibuprofen', false, 7, progress),
      new PackExpired('2026-01-31'),
      new DifferencesOpen([], line()),
      restOwed('Two packs are to come.'),
    ].map(({ code, detail }) => `${code}: ${detail}`),
  ).toEqual([
    'invalid_transition: An order that is shipped cannot become awaiting_packing.',
    'not_packed: 1 of 3 packs are ticked. Tick the others first.',
    'wrong_pack: The scanned pack is none that the order still lacks.',
    'pack_expired: The last day of use of the pack was 2026-01-31.',
    'differences_open: The products differ. Acknowledge each difference.',
    'rest_owed: Two packs are to come.',
  ]);
});

test.each<[string, boolean, SupplyLine[] | null]>([
  ['that is supplied whole', false, null],
  ['with nothing owed and nothing away', false, [WHOLE, WHOLE]],
  ['with owed packs', true, [WHOLE, { ...LATER, supplied: 0 }]],
  ['with a part that has left', true, [WHOLE, GONE]],
])('an order %s: a step that needs it whole is refused: %j', (_, isRefused, supply) => {
  const call = () => assertWholeHere({ supply });
  if (!isRefused) return call();
  expect(call).toThrow(
    expect.objectContaining({
      code: 'rest_owed',
      detail: 'A part of the order is still open. Hand it over or cancel the rest; then what left can come back.',
    }),
  );
});
