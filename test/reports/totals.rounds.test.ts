import { AppError } from '../../src/platform/errors/errors';
import { dayOf } from '../../src/platform/pharmacy-time';
import { readFigures } from '../../src/reports/figures';
import { moveTo, openRich } from '../support/moving';
import {
  approve,
  deleteRequest,
  itemOf,
  openPrescribed,
  openRequest,
  patchOrder,
  reject,
  reopen,
  setStatus,
  staffContext,
  upsert,
} from '../support/order-flow';
import { callApi, holdProduct, signedTokenFor, succeeded } from '../support/organization';
import { rounds } from '../support/rounds';
import { insertRows, madeAt, quoted } from '../support/rows';
import { seeded } from '../support/seeded';
import { markPaid, placeOrder, readOrder } from '../support/seller';
import { beforeEach, expect, test, vi } from '../support/test';
import { countedTotals, keptTotals } from '../support/totals';
import { rows } from '../support/world';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
const STATUSES = [
  'ready_pickup',
  'ready_shipping',
  'picked_up',
  'shipped',
  'delivered',
  'awaiting_packing',
  'returned',
];
const DAY_MS = 86_400_000;

test('after any acts in any order, refused ones too, the totals are what a whole count gives', async ({ seller }) => {
  const random = seeded(20_261_123);
  const below = (count: number) => Math.floor(random() * count);
  const held = [await holdProduct(seller, { stock: 5_000 }), await holdProduct(seller, { stock: 5_000, unit: 'g' })];
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const [requests, bodies, orders, customers] = [[] as string[], [] as object[], [] as string[], [] as string[]];
  const keep = ({ status, body }: { status: number; body: { id?: string; customer?: { id: string } } }) => {
    if (status !== 201 || !body.id) return;
    orders.push(body.id);
    if (body.customer) customers.push(body.customer.id);
  };
  const linesOf = () => [
    { ...itemOf(one(held), 1 + below(3)), name: `Name ${below(3)}` },
    { name: `Beratung ${below(2)}`, quantity: 1, price: 0.33 },
  ];
  const acts: (() => Promise<unknown>)[] = [
    async () =>
      requests.push(
        await openRequest(
          seller,
          { items: linesOf(), customer_email: `k${below(9)}@example.com` },
          { source: one(['telemed.example', `"] heim 'ü'`]) },
        ),
      ),
    async () => {
      const answer = await approve(seller, one(requests), { override_reason: 'geprüft' });
      if (answer.status === 200 && answer.body.order_id) orders.push(answer.body.order_id);
    },
    () => reject(seller, one(requests)),
    () => reopen(seller, one(requests)).catch((error) => expect(error).toBeInstanceOf(AppError)),
    () => deleteRequest(seller, one(requests)),
    async () => {
      const items = linesOf().map(({ quantity, ...item }) => ({ ...item, qty: quantity }));
      const shop_id = one([seller.shopId, seller.otherShopId]);
      const body = { shop_id, external_id: `E-${bodies.length}`, customer_name: 'Erika', items };
      bodies.push({ ...body, customer_email: `k${below(9)}@example.com`, payment_status: one(['paid', 'pending']) });
      keep(await upsert(seller, bodies.at(-1)));
    },
    async () => keep(await upsert(seller, { ...one(bodies), items: [{ name: 'Salbe', qty: 1 + below(4), price: 3 }] })),
    () => patchOrder(seller, one(orders), { status: one(STATUSES) }),
    () => patchOrder(seller, one(orders), { status: 'cancelled', reason_code: 'test' }),
    () => setStatus(one(orders), one(STATUSES)),
    () => markPaid(seller, one(orders)),
    () => callApi(seller, 'POST', `/orders/${one(orders)}/refund`, { body: { reason_code: 'test', amount: 0.07 } }),
    () => callApi(seller, 'POST', `/orders/${one(orders)}/refund`, { body: { reason_code: 'test' } }),
    () => callApi(seller, 'DELETE', `/orders/${one(orders)}`),
    () => callApi(seller, 'DELETE', `/customers/${one(customers)}`),
    async () => {
      vi.setSystemTime(Date.now() + below(3 * DAY_MS));
      seller.token = await signedTokenFor(seller);
    },
  ];
  requests.push(await openRequest(seller));
  keep({ status: 201, body: await placeOrder(seller) });
  bodies.push({ shop_id: seller.shopId, external_id: 'E-0', customer_name: 'Erika' });
  for (let count = 0; count < rounds(120, 1_000); count += 1) {
    await one(acts)();
    if (count % 20 === 0)
      expect(await keptTotals(seller.orgId), `act ${count}`).toEqual(await countedTotals(seller.orgId));
  }
  const counted = await countedTotals(seller.orgId);
  expect(await keptTotals(seller.orgId)).toEqual(counted);
  expect(counted.length).toBeGreaterThan(25);
}, 300_000);

test('a request that waits writes no total; it is counted when it is decided', async ({ seller }) => {
  const { id } = await openPrescribed(seller);
  expect(await rows('select * from day_totals where org_id = ?', seller.orgId)).toEqual([]);
  succeeded(await reject(seller, id));
  expect(await rows('select rejected from day_totals where org_id = ?', seller.orgId)).toEqual([{ rejected: 1 }]);
});

test('a part of a day names 20 sources of a shop; whatever else comes stays under the rest, to its end', async ({
  seller,
}) => {
  const at = Date.parse('2026-11-03T10:00:00Z');
  const made = { id: `'s' || i`, org_id: quoted(seller.orgId), shop_id: quoted(seller.shopId), ...madeAt(String(at)) };
  await insertRows('orders', 50, { ...made, source: `'platform ' || (i % 25)`, total_cents: 100 });
  const read = async () => {
    const { ctx } = staffContext(seller.orgId, 'owner');
    return (await readFigures(ctx, { from: '2026-11-03', to: '2026-11-03' })).sources;
  };
  const before = await read();
  expect(before.length).toBe(21);
  expect(before.at(-1)).toEqual({ source: null, orders: 10, ended: 0, revenueCents: 1_000 });
  await rows(`update orders set status = 'cancelled' where org_id = ? and source = 'platform 22'`, seller.orgId);
  await rows(`update orders set deleted_at = 1 where org_id = ? and source = 'platform 3'`, seller.orgId);
  const after = await read();
  expect(after.at(-1)).toEqual({ source: null, orders: 10, ended: 2, revenueCents: 800 });
  expect(after.map(({ source }) => source)).not.toContain('platform 3');
  expect(after.reduce((sum, { orders }) => sum + orders, 0)).toBe(48);
});

test('totals move with the organization, are counted once, and follow what happens there and after the way back', async () => {
  const rich = await openRich();
  const before = await keptTotals(rich.orgId);
  expect(before).toEqual(await countedTotals(rich.orgId));
  for (const shard of [1, 0]) {
    expect(await moveTo(rich.orgId, shard)).toMatchObject({ state: 'done', shard });
    rich.token = await signedTokenFor(rich);
    expect(await keptTotals(rich.orgId, shard)).toEqual(await countedTotals(rich.orgId, shard));
    succeeded(await patchOrder(rich, (await placeOrder(rich)).id, { status: 'cancelled', reason_code: 'test' }));
    expect(await keptTotals(rich.orgId, shard)).toEqual(await countedTotals(rich.orgId, shard));
  }
  expect((await keptTotals(rich.orgId)).length).toBeGreaterThan(before.length);
}, 60_000);

test('grams and packs of a product are two figures, each with its unit', async ({ seller }) => {
  const { p1_id } = await holdProduct(seller, { stock: 0, name: 'Gorilla Glue' });
  const sell = async (unit: string, qty: number, price: number) => {
    succeeded(await callApi(seller, 'PUT', `/products/${p1_id}`, { body: { unit } }));
    succeeded(await callApi(seller, 'PATCH', `/inventory/${p1_id}`, { body: { on_hand: qty } }));
    const { id } = await placeOrder(seller, { items: [{ p1_id, qty, price }], payment_status: 'paid' });
    for (const status of ['ready_pickup', 'picked_up']) succeeded(await patchOrder(seller, id, { status }));
  };
  await sell('piece', 3, 43.75);
  await sell('g', 11, 8.75);
  const today = dayOf(Date.now());
  const { products } = await readFigures(staffContext(seller.orgId, 'owner').ctx, { from: today, to: today });
  expect(products.map(({ unit, quantity, totalCents }) => [unit, quantity, totalCents])).toEqual([
    [null, 3, 13_125],
    ['g', 11, 9_625],
  ]);
});

test('an erasure leaves the figures and takes the words', async ({ seller }) => {
  const { p1_id } = await holdProduct(seller, { name: 'Salbe' });
  const items = [
    { p1_id, name: 'Salbe für Erikas Knie', qty: 1, price: 5 },
    { name: 'Für Erika', qty: 2, price: 1 },
  ];
  const { id, customer } = await placeOrder(seller, { items, payment_status: 'paid' });
  await setStatus(id, 'picked_up');
  const today = dayOf(Date.now());
  const { ctx } = staffContext(seller.orgId, 'owner');
  const read = async () => ({ ...(await readFigures(ctx, { from: today, to: today })), lowStock: null });
  const before = await read();
  expect(before.products).toMatchObject([
    { p1Id: p1_id, name: 'Salbe', quantity: 1, totalCents: 500 },
    { p1Id: null, name: 'Für Erika', quantity: 2, totalCents: 200 },
  ]);
  succeeded(await callApi(seller, 'DELETE', `/customers/${customer.id}`));
  expect((await readOrder(seller, id)).customer.name).toBeNull();
  const after = await read();
  expect({ ...after, products: [] }).toEqual({ ...before, products: [] });
  expect(after.products).toMatchObject([
    { p1Id: p1_id, name: 'Salbe', otherNames: [], quantity: 1, totalCents: 500 },
    { p1Id: null, name: '', otherNames: [], quantity: 2, totalCents: 200 },
  ]);
  expect(JSON.stringify(await rows('select * from product_totals'))).not.toContain('Erika');
});
