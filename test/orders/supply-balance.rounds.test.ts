import fc from 'fast-check';
import { gtinCheckDigit } from '../../src/codes/numbers';
import { approveOrderRequest } from '../../src/order-requests/review/approve';
import { changeOrder } from '../../src/orders/change';
import { packByHand } from '../../src/orders/packing/pack';
import { markOrderPaid } from '../../src/orders/payments/links';
import { refundKey, refundOrder } from '../../src/orders/payments/refund';
import { getOrder } from '../../src/orders/read';
import { returnableOf, returnedCount, returnOrder } from '../../src/orders/return';
import { dueCents, progressOf, supplyKey, supplyOf } from '../../src/orders/rules';
import type { Order } from '../../src/orders/store';
import { arrive, cancelRest, expectOn, restKey, scanArrival, splitLine } from '../../src/orders/supply/supply';
import type { Context } from '../../src/platform/context';
import { AppError } from '../../src/platform/errors/errors';
import { addDays, dayOf } from '../../src/platform/pharmacy-time';
import { expectInBalance, Mirror } from '../support/mirror';
import { openRequest } from '../support/order-flow';
import {
  type CatalogRow,
  callApi,
  holdProduct,
  newPzn,
  type OrganizationApi,
  openOrganizationApi,
} from '../support/organization';
import { rounds } from '../support/rounds';
import { staffContext } from '../support/staff-context';
import { expect, test } from '../support/test';
import { rows } from '../support/world';

/** Fixed, so that a failure can be run again; fast-check prints it with the shortest commands that fail. */
const SEED = 20_261_127;
const GS = '\u001d';

interface World {
  api: OrganizationApi;
  ctx: Context;
  products: CatalogRow[];
  /** What came in for each order and what was given back, in cents, counted beside the order. */
  books: Map<string, { received: number; refunded: number }>;
  /** Products of which a count found less than is promised: what leaves then is not on hand. */
  short: Set<string>;
  serials: number;
}

interface Choice {
  one: number;
  other: number;
  count: number;
}

/** What a command will do, decided on what it read; sent again it must do nothing more. */
interface Act {
  run: () => Promise<unknown>;
  /** In the books, once it was carried out. */
  books?: () => void;
}

type Command = (world: World, choice: Choice) => Promise<Act | null>;

const chosen = <T>(among: readonly T[], by: number): T => among[by % among.length] as T;

async function ordersOf({ api, ctx }: World, isMeant: (order: Order) => boolean): Promise<Order[]> {
  const all = await rows<{ id: string }>(
    'select id from orders where org_id = ? and deleted_at is null order by id',
    api.orgId,
  );
  const found: Order[] = [];
  for (const { id } of all) found.push(await getOrder(ctx, id));
  return found.filter(isMeant);
}

async function orderOf(world: World, by: number, isMeant: (order: Order) => boolean): Promise<Order | null> {
  const found = await ordersOf(world, isMeant);
  return found.length === 0 ? null : chosen(found, by);
}

const isOpen = ({ status }: Order) => ['awaiting_payment', 'awaiting_packing', 'ready_pickup'].includes(status);
const owes = (order: Order) => order.expectedOn !== null;
const owingPlace = (order: Order) => order.items.findIndex((_, place) => supplyOf(order, place).owed > 0);

const isUnderpaid = ({ paymentStatus, paymentDifferenceCents }: Order) =>
  paymentStatus === 'paid' && (paymentDifferenceCents ?? 0) > 0;

function receive({ books }: World, { id }: Order, cents: number): void {
  const { received, refunded } = books.get(id) ?? { received: 0, refunded: 0 };
  books.set(id, { received: received + cents, refunded });
}

const COMMANDS: Record<string, Command> = {
  approve: async (world, { one, other, count }) => {
    const { api, ctx, products } = world;
    const lines = [chosen(products, one), chosen(products, one + 1)].slice(0, 1 + (other % 2));
    const quantity = 1 + (count % 3);
    const items = lines.map(({ p1_id, price }) => ({ p1_id, price, quantity }));
    const total = lines.reduce((sum, { price }) => sum + Math.round(Number(price) * 100) * quantity, 0);
    // Some are paid, too little.
    const received = other % 3 === 2 ? Math.max(1, total - 40 * (1 + count)) : null;
    const paid = { payment_status: 'paid', cash_on_pickup: false, total_amount: (received ?? 0) / 100 };
    const id = await openRequest(api, { items, ...(received !== null && paid) });
    const later = { quantity: 1 + (one % quantity), expectedOn: addDays(dayOf(Date.now()), other) };
    const edited = lines.map(({ p1_id, price }, item) => ({
      ...{ name: null, quantity, priceCents: Math.round(Number(price) * 100), p1Id: p1_id, productId: null, item },
      later: item === 0 && count % 4 > 0 ? later : null,
    }));
    return {
      run: async () => {
        const underpaid = received === null ? {} : ({ payment: 'collect', remainder: 'check_price' } as const);
        const { orderId } = await approveOrderRequest(ctx, { id, lines: edited, ...underpaid });
        if (received !== null) world.books.set(String(orderId), { received, refunded: 0 });
      },
    };
  },
  pay: async (world, { other }) => {
    const order = await orderOf(world, other, (each) => isOpen(each) && each.paymentStatus !== 'paid');
    return (
      order && {
        run: () => markOrderPaid(world.ctx, order.id, null),
        books: () => world.books.set(order.id, { received: order.totalCents, refunded: 0 }),
      }
    );
  },
  settle: async (world, { other }) => {
    const order = await orderOf(world, other, isUnderpaid);
    return (
      order && {
        run: () => markOrderPaid(world.ctx, order.id, null, 'difference'),
        books: () => receive(world, order, order.paymentDifferenceCents ?? 0),
      }
    );
  },
  split: async (world, { one, other, count }) => {
    const order = await orderOf(world, other, ({ status }) => status === 'awaiting_packing');
    if (!order) return null;
    const line = supplyKey(order, one % order.items.length);
    const later = { quantity: 1 + (count % 2), expectedOn: addDays(dayOf(Date.now()), count) };
    return { run: () => splitLine(world.ctx, order.id, { line, ...later }) };
  },
  expectOn: async (world, { other, count }) => {
    const order = await orderOf(world, other, owes);
    if (!order) return null;
    const line = supplyKey(order, owingPlace(order));
    return { run: () => expectOn(world.ctx, order.id, { line, expectedOn: addDays(dayOf(Date.now()), count) }) };
  },
  pack: async (world, { other }) => {
    const order = await orderOf(world, other, (each) => isOpen(each) && progressOf(each).open.length > 0);
    if (!order) return null;
    const keys = progressOf(order).open.map(({ place }) => supplyKey(order, place));
    return {
      run: async () => {
        for (const key of keys) await packByHand(world.ctx, order.id, key);
      },
    };
  },
  ready: async (world, { other }) => {
    const order = await orderOf(
      world,
      other,
      ({ status }) => status === 'awaiting_packing' || status === 'awaiting_payment',
    );
    const status = order?.status === 'awaiting_payment' ? 'awaiting_packing' : 'ready_pickup';
    return order && { run: () => changeOrder(world.ctx, order.id, { status, seenAt: order.updatedAt }) };
  },
  handOver: async (world, { one, other }) => {
    const order = await orderOf(world, other, ({ status }) => status === 'ready_pickup');
    if (!order) return null;
    const isPaidNow = one % 2 === 0 && dueCents(order) > 0 && order.paymentStatus !== 'refunded';
    const answers = isPaidNow ? { cashReceived: true } : { unpaidReason: 'pays_later' as const };
    const patch = { status: 'picked_up' as const, isPart: owes(order) ? true : undefined, ...answers };
    return {
      run: () => changeOrder(world.ctx, order.id, { ...patch, seenAt: order.updatedAt }),
      books: () => {
        if (isPaidNow) receive(world, order, dueCents(order));
      },
    };
  },
  arrive: async (world, { other, count }) => {
    const order = await orderOf(world, other, owes);
    if (!order) return null;
    const place = owingPlace(order);
    const quantity = 1 + (count % supplyOf(order, place).owed);
    return { run: () => arrive(world.ctx, order.id, { line: supplyKey(order, place), quantity }) };
  },
  scan: async (world, { one }) => {
    const ntin = `04150${String(chosen(world.products, one).pzn)}`;
    world.serials++;
    const text = `01${ntin}${gtinCheckDigit(ntin)}1799123110A1${GS}21S${world.serials}`;
    let last: string | null = null;
    return {
      run: async () => {
        const scanned = await scanArrival(world.ctx, { text, last });
        last = scanned.order.id;
      },
    };
  },
  cancelRest: async (world, { one, other }) => {
    const order = await orderOf(world, other, owes);
    if (!order) return null;
    const line = one % 2 === 0 ? supplyKey(order, owingPlace(order)) : null;
    const input = { line, seen: restKey(order), reasonCode: 'not_available' as const };
    return { run: () => cancelRest(world.ctx, order.id, input) };
  },
  cancel: async (world, { other, one }) => {
    const order = await orderOf(world, other + one, isOpen);
    return order && { run: () => changeOrder(world.ctx, order.id, { status: 'cancelled', reasonCode: 'test' }) };
  },
  takeBack: async (world, { one, other, count }) => {
    const order = await orderOf(world, other, ({ status }) => !['returned', 'awaiting_packing'].includes(status));
    if (!order) return null;
    const lines = order.items.map(({ quantity }, place) => ({
      quantity:
        order.status === 'ready_pickup' ? quantity : Math.min(Math.max(0, returnableOf(order, place)), count % 3),
      isRestocked: (one + place) % 2 === 0,
    }));
    return { run: () => returnOrder(world.ctx, order.id, { lines, seen: returnedCount(order) }) };
  },
  refundLines: async (world, { one, other, count }) => {
    const order = await orderOf(world, other, ({ paymentStatus }) => paymentStatus === 'paid');
    if (!order) return null;
    const lines = order.items.map((_, place) => (place === one % order.items.length ? 1 + (count % 2) : 0));
    const cents = order.items.reduce((sum, { priceCents }, place) => sum + priceCents * (lines[place] ?? 0), 0);
    const amountCents = Math.max(1, cents - count);
    return refund(world, order, { amountCents, lines });
  },
  refundAmount: async (world, { other, count }) => {
    const order = await orderOf(world, other, ({ paymentStatus }) => paymentStatus === 'paid');
    return order && refund(world, order, { amountCents: 1 + count * 40 });
  },
  refundOverpaid: async (world, { other, count }) => {
    const order = await orderOf(world, other, ({ paymentDifferenceCents }) => (paymentDifferenceCents ?? 0) < 0);
    if (!order) return null;
    const all = -(order.paymentDifferenceCents ?? 0);
    return refund(world, order, {
      amountCents: count % 2 === 0 ? all : Math.min(all, 1 + count * 40),
      isOverpaid: true,
    });
  },
  count: async ({ api, products }, { one, count }) => {
    const path = `/inventory/${chosen(products, one).p1_id}`;
    return { run: () => callApi(api, 'PATCH', path, { body: { on_hand: count % 6, reason: 'count' } }) };
  },
  delivery: async ({ api, products }, { one, count }) => {
    const path = `/inventory/${chosen(products, one).p1_id}`;
    // A caller that sends it twice counts it twice: by an absolute number it does not.
    const [row] = await rows<{ on_hand: number }>(
      `select stock_quantity + committed_quantity - shortage as on_hand from inventory where org_id = ? and p1_id = ?`,
      api.orgId,
      chosen(products, one).p1_id,
    );
    return { run: () => callApi(api, 'PATCH', path, { body: { on_hand: (row?.on_hand ?? 0) + 1 + (count % 3) } }) };
  },
};

function refund(
  world: World,
  order: Order,
  what: { amountCents: number; lines?: number[]; isOverpaid?: boolean },
): Act {
  const input = { ...what, reasonCode: 'test' as const, note: null, seen: refundKey(order) };
  return {
    run: () => refundOrder(world.ctx, order.id, input),
    books: () => {
      const kept = world.books.get(order.id);
      if (kept) kept.refunded += what.amountCents;
    },
  };
}

/** A refusal is an outcome, too. @returns whether it was carried out */
async function carriedOut(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}

const stateOf = ({ api }: World) =>
  Promise.all([
    rows('select * from orders where org_id = ? order by id', api.orgId),
    rows(
      'select p1_id, stock_quantity, committed_quantity, shortage from inventory where org_id = ? order by p1_id',
      api.orgId,
    ),
  ]);

/** Once, twice, or twice at the same time. */
async function perform(world: World, { run, books }: Act, how: number, after: string): Promise<boolean> {
  if (how % 3 === 2) {
    const done = await Promise.all([carriedOut(run), carriedOut(run)]);
    if (done.some(Boolean)) books?.();
    return done.some(Boolean);
  }
  const isDone = await carriedOut(run);
  if (isDone) books?.();
  if (how % 3 === 1 && isDone) {
    const before = await stateOf(world);
    await carriedOut(run);
    expect(await stateOf(world), `sent twice: ${after}`).toEqual(before);
  }
  return isDone;
}

const LEFT = ['shipped', 'delivered', 'picked_up', 'returned'];

/** What left the house for orders, what came back, and what was paid. */
async function expectAccounts(world: World, after: string): Promise<void> {
  const { api, books, short } = world;
  const moved = await rows<{ order_id: string; p1_id: string; gone: number }>(
    `select order_id, p1_id, -sum(on_hand_delta) as gone from stock_movements
     where org_id = ? and reason in ('order_fulfilled', 'return') group by order_id, p1_id`,
    api.orgId,
  );
  for (const order of await ordersOf(world, () => true)) {
    const gone = new Map<string, number>();
    order.items.forEach(({ p1Id, quantity }, place) => {
      const { owed, supplied } = supplyOf(order, place);
      expect(owed + supplied, after).toBeLessThanOrEqual(quantity);
      if (!isOpen(order)) expect(owed, after).toBe(0);
      const left = LEFT.includes(order.status) ? quantity : supplied;
      const back = order.returned?.[place]?.restocked ?? 0;
      if (p1Id !== null) gone.set(p1Id, (gone.get(p1Id) ?? 0) + left - back);
    });
    for (const [p1Id, count] of gone) {
      if (short.has(p1Id)) continue;
      const stored = moved.find((row) => row.order_id === order.id && row.p1_id === p1Id)?.gone ?? 0;
      expect(stored, `${p1Id} of ${order.number}, ${after}`).toBe(count);
    }
    const paid = books.get(order.id);
    if (!paid) continue;
    const kept = order.totalCents - order.refundedCents - (order.paymentDifferenceCents ?? 0);
    expect(kept, `money of ${order.number}, ${after}`).toBe(paid.received - paid.refunded);
    expect(kept, after).toBeGreaterThanOrEqual(0);
  }
}

const commands = fc.array(
  fc.record({
    name: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...Object.keys(COMMANDS)) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          'approve',
          'pack',
          'ready',
          'handOver',
          'arrive',
          'scan',
          'pay',
          'takeBack',
          'cancelRest',
          'refundOverpaid',
        ),
      },
    ),
    one: fc.nat(5),
    other: fc.nat(5),
    count: fc.nat(9),
    how: fc.nat(5),
  }),
  { minLength: 25, maxLength: rounds(35, 70) },
);

test('however an order is supplied in parts, stock, promises, what left and what was paid agree, and nothing counts twice', async () => {
  const done = new Map<string, number>();
  const property = fc.asyncProperty(commands, async (list) => {
    const api = await openOrganizationApi();
    const products = [];
    for (const price of [4.95, 12, 0.99]) products.push(await holdProduct(api, { stock: 4, price, pzn: newPzn() }));
    const ctx = staffContext(api.orgId, 'pharmacist');
    const world: World = { api, ctx, products, books: new Map(), short: new Set(), serials: 0 };
    const mirror = new Mirror(api);
    await mirror.read();
    for (const [index, { name, how, ...choice }] of list.entries()) {
      const after = `${index}: ${name} ${JSON.stringify(choice)}, ${how % 3}`;
      const act = await (COMMANDS[name] as Command)(world, choice);
      if (act && (await perform(world, act, how, after))) done.set(name, (done.get(name) ?? 0) + 1);
      await mirror.read();
      await expectInBalance(api, mirror, after);
      for (const { p1_id } of await rows<{ p1_id: string }>(
        'select p1_id from inventory where org_id = ? and shortage > 0',
        api.orgId,
      )) {
        world.short.add(p1_id);
      }
      await expectAccounts(world, after);
    }
  });
  await fc.assert(property, { seed: SEED, numRuns: rounds(1, 60), endOnFailure: true });
  // Fewer would mean that the commands refuse each other.
  expect(Object.keys(COMMANDS).filter((name) => !done.has(name))).toEqual(rounds(expect.any(Array), []));
}, 600_000);
