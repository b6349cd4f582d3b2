import { expect, test } from 'vitest';
import {
  carriedOver,
  isBeingPacked,
  isPacked,
  packedOf,
  packingAfter,
  progressOf,
  waitsForPacking,
  withoutPacks,
  withoutSerials,
  withPacks,
} from '../../src/orders/rules';
import { ORDER_STATUSES, type OrderLine, type PackedLine } from '../../src/orders/tables';

function line(p1Id: string | null, quantity: number, productName: string | null = null): OrderLine {
  return { name: `sent ${p1Id}`, quantity, priceCents: 100, p1Id, prescriptionRequired: false, productName };
}

function packed(scanned: number, byHand = 0, serials: string[] = []): PackedLine {
  return { scanned, byHand, serials, by: 'm', at: 1 };
}

const NOTHING: PackedLine = { scanned: 0, byHand: 0, serials: [], by: null, at: null };
const ITEMS = [line('A', 2, 'Ibuprofen'), line('B', 3)];

test('nothing is packed of an order that nobody has begun with', () => {
  const order = { items: ITEMS, packing: null };
  expect(packedOf(order, 1)).toEqual(NOTHING);
  expect(isPacked(order)).toBe(false);
  expect(progressOf(order)).toEqual({
    packed: 0,
    packs: 5,
    byHand: 0,
    open: [
      { place: 0, name: 'Ibuprofen', missing: 2 },
      { place: 1, name: 'sent B', missing: 3 },
    ],
  });
});

test('packs count whether they are scanned or ticked by hand, and a line is open until none is missing', () => {
  const half = { items: ITEMS, packing: [packed(1, 1), packed(1, 1)] };
  expect(progressOf(half)).toEqual({
    packed: 4,
    packs: 5,
    byHand: 2,
    open: [{ place: 1, name: 'sent B', missing: 1 }],
  });
  expect(isPacked(half)).toBe(false);
  expect(isPacked({ items: ITEMS, packing: [packed(2), packed(0, 3)] })).toBe(true);
  expect(isPacked({ items: [], packing: null })).toBe(true);
});

test('packs are ticked from the moment an order is to be packed until it leaves, and never while it is on hold', () => {
  const free = ORDER_STATUSES.filter((status) => isBeingPacked({ status, onHold: false }));
  expect(free).toEqual(['awaiting_packing', 'ready_pickup', 'ready_shipping']);
  expect(ORDER_STATUSES.filter((status) => isBeingPacked({ status, onHold: true }))).toEqual([]);
});

test('what is made ready or sent waits for all packs; what is fetched, where staff have begun to pack', () => {
  const waits = (packing: PackedLine[] | null) =>
    ORDER_STATUSES.filter((status) => waitsForPacking({ items: ITEMS, packing }, status));
  expect(waits(null)).toEqual(['ready_pickup', 'ready_shipping', 'shipped']);
  expect(waits([packed(2), packed(1)]).toSorted()).toEqual(['picked_up', 'ready_pickup', 'ready_shipping', 'shipped']);
  expect(waits([packed(2), packed(3)])).toEqual([]);
});

test('a tick adds to its line what was scanned or seen, who did so and when, and nothing to another line', () => {
  const order = { items: ITEMS, packing: [packed(1, 0, ['s1']), packed(1)] };
  expect(withPacks(order, 0, { how: 'scanned', count: 1, serial: 's2', by: 'n', at: 7 })).toEqual([
    { scanned: 2, byHand: 0, serials: ['s1', 's2'], by: 'n', at: 7 },
    packed(1),
  ]);
  expect(withPacks(order, 1, { how: 'byHand', count: 2, serial: null, by: 'n', at: 7 })).toEqual([
    packed(1, 0, ['s1']),
    { scanned: 1, byHand: 2, serials: [], by: 'n', at: 7 },
  ]);
  expect(
    withPacks({ items: ITEMS, packing: null }, 1, { how: 'scanned', count: 1, serial: null, by: 'n', at: 7 }),
  ).toEqual([NOTHING, { scanned: 1, byHand: 0, serials: [], by: 'n', at: 7 }]);
  expect(withoutPacks(order, 0)).toEqual([NOTHING, packed(1)]);
});

test('where lines change, packs of the same product stay packed, as many as are still wanted', () => {
  const order = { items: ITEMS, packing: [packed(2), packed(1)] };
  expect(packingAfter(order, [line('B', 3), line('A', 4)])).toEqual([packed(1), packed(2)]);
  // Fewer are wanted, or another product.
  expect(packingAfter(order, [line('A', 1), line('C', 3)])).toEqual([NOTHING, NOTHING]);
  expect(packingAfter(order, [line('A', 2), line('A', 2)])).toEqual([packed(2), NOTHING]);
  expect(packingAfter({ items: ITEMS, packing: null }, [line('A', 2)])).toBeNull();
});

test('lines without a product are the same by their names', () => {
  const [one, other] = [
    { ...line(null, 1), name: 'Salbe' },
    { ...line(null, 1), name: 'Tee' },
  ];
  const order = { items: [one, other], packing: [packed(1), packed(0, 1)] };
  expect(packingAfter(order, [other, one])).toEqual([packed(0, 1), packed(1)]);
  expect(packingAfter(order, [{ ...one, name: 'Gel' }])).toEqual([NOTHING]);
});

test('no serial is kept once the goods have left', () => {
  expect(withoutSerials([packed(2, 0, ['s1', 's2'])])).toEqual([packed(2)]);
  expect(withoutSerials(null)).toBeNull();
});

test('what is carried over goes to the line of the same product, whatever its name, and each only once', () => {
  const renamed = { ...line('A', 1), name: 'new name' };
  const after = [renamed, line('A', 1), line('C', 1)];
  expect(carriedOver(ITEMS, after, (place) => `of line ${place}`)).toEqual(['of line 0', undefined, undefined]);
});
