import { stockEntries } from '../../src/inventory/ledger';
import { changeStock } from '../../src/inventory/stock';
import { returnOrder } from '../../src/orders/return';
import { commit } from '../../src/platform/commit';
import { expectInBalance, Mirror } from '../support/mirror';
import { approve, eventsAfter, openApprovable, patchOrder, upsert } from '../support/order-flow';
import {
  callApi,
  expectProblem,
  footprint,
  holdProduct,
  type OrganizationApi,
  succeeded,
} from '../support/organization';
import { auditOf, rowOf } from '../support/rows';
import { staffContext } from '../support/staff-context';
import { afterEach, describe, expect, test } from '../support/test';
import { rows, systemContext } from '../support/world';

afterEach(async () => {
  const organizations = await rows<{ org_id: string }>('select distinct org_id from inventory');
  for (const { org_id } of organizations) await expectConsistent(org_id);
});

/** The sums of the ledger are the stock. */
async function expectConsistent(orgId: string): Promise<void> {
  const wrong = await rows(
    `select p1_id from inventory as i where org_id = ?1 and (stock_quantity, committed_quantity,
      stock_quantity + committed_quantity - shortage) is not (select coalesce(sum(delta), 0),
      coalesce(sum(committed_delta), 0), coalesce(sum(on_hand_delta), 0)
      from stock_movements as m where m.org_id = ?1 and m.p1_id = i.p1_id)`,
    orgId,
  );
  expect(wrong).toEqual([]);
}

const patch = (api: OrganizationApi, p1_id: string, body: unknown) =>
  callApi(api, 'PATCH', `/inventory/${p1_id}`, { body });

const patchAll = (api: OrganizationApi, items: unknown[]) => callApi(api, 'PATCH', '/inventory', { body: { items } });

async function stockOf(api: OrganizationApi, p1_id: string) {
  const { data } = succeeded(await callApi(api, 'GET', '/inventory'));
  const { stock_quantity, on_hand, committed_quantity, shortage } = data.find(
    (each: { p1_id: string }) => each.p1_id === p1_id,
  );
  return { stock_quantity, on_hand, committed_quantity, shortage };
}

const stock = (stock_quantity: number, committed_quantity: number, shortage = 0) => ({
  stock_quantity,
  on_hand: stock_quantity + committed_quantity - shortage,
  committed_quantity,
  shortage,
});

/** An approved order of four of ten. */
async function promiseFour(api: OrganizationApi, shipping_option = 'Abholung') {
  const { id, product } = await openApprovable(api, { stock: 10, quantity: 4, payload: { shipping_option } });
  const { order_id } = succeeded(await approve(api, id));
  return { orderId: order_id as string, p1_id: product.p1_id };
}

async function steps(api: OrganizationApi, orderId: string, ...statuses: string[]) {
  for (const status of statuses) {
    const reason_code = status === 'cancelled' ? 'test' : undefined;
    succeeded(await patchOrder(api, orderId, { status, reason_code }));
  }
}

describe('what orders do to the stock', () => {
  test('an approval promises: less can be promised, all stays in the house', async ({ api }) => {
    const { p1_id } = await promiseFour(api);
    expect(await stockOf(api, p1_id)).toEqual(stock(6, 4));
  });

  test('what waits on the shelf is still promised, and goes with the hand-over', async ({ api }) => {
    const { orderId, p1_id } = await promiseFour(api);
    await steps(api, orderId, 'ready_pickup');
    expect(await stockOf(api, p1_id)).toEqual(stock(6, 4));
    const told = await eventsAfter(api.orgId, () => steps(api, orderId, 'picked_up'));
    expect(await stockOf(api, p1_id)).toEqual(stock(6, 0));
    expect(told.filter(({ type }) => type === 'product_updated')).toMatchObject([
      { metadata: { p1_id, changed_fields: ['on_hand'], on_hand: 6, committed_quantity: 0 } },
    ]);
    const left = await rowOf('stock_movements', { order_id: orderId, reason: 'order_fulfilled' });
    expect(left).toMatchObject({ delta: 0, committed_delta: -4, on_hand_delta: -4, on_hand_after: 6 });
  });

  test('shipping takes it out of the house, and a return brings back what is restocked', async ({ api }) => {
    const { orderId, p1_id } = await promiseFour(api, 'Versand');
    await steps(api, orderId, 'ready_shipping', 'shipped');
    expect(await stockOf(api, p1_id)).toEqual(stock(6, 0));
    const ctx = staffContext(api.orgId);
    await returnOrder(ctx, orderId, { lines: [{ quantity: 3, isRestocked: true }], seen: 0 });
    expect(await stockOf(api, p1_id)).toEqual(stock(9, 0));
  });

  test('a cancellation before it makes the promise free', async ({ api }) => {
    const { orderId, p1_id } = await promiseFour(api);
    const told = await eventsAfter(api.orgId, () => steps(api, orderId, 'ready_pickup', 'cancelled'));
    expect(await stockOf(api, p1_id)).toEqual(stock(10, 0));
    expect(told.filter(({ type }) => type === 'product_updated')).toMatchObject([
      { metadata: { changed_fields: ['stock_quantity'], stock_quantity: 10 } },
    ]);
  });

  test.for([
    [true, stock(10, 0)],
    [false, stock(6, 0)],
  ] as const)('what never left and comes back (into stock: %s)', async ([isRestocked, expected], { api }) => {
    const { orderId, p1_id } = await promiseFour(api);
    await steps(api, orderId, 'ready_pickup');
    await returnOrder(staffContext(api.orgId), orderId, { lines: [{ quantity: 4, isRestocked }], seen: 0 });
    expect(await stockOf(api, p1_id)).toEqual(expected);
  });

  test('other lines of an order move the promise from one product to the other, with one event each', async ({
    api,
  }) => {
    const [one, other] = [await holdProduct(api), await holdProduct(api)];
    const items = [{ p1_id: one.p1_id, qty: 3, price: 1 }];
    const order = { shop_id: api.shopId, external_id: 'SHOP-1', customer_name: 'Erika' };
    succeeded(await upsert(api, { ...order, items }), 201);
    const told = await eventsAfter(api.orgId, async () => {
      succeeded(await upsert(api, { ...order, items: [{ p1_id: other.p1_id, qty: 2, price: 1 }] }));
    });
    expect(await stockOf(api, one.p1_id)).toEqual(stock(10, 0));
    expect(await stockOf(api, other.p1_id)).toEqual(stock(8, 2));
    const products = told.filter(({ type }) => type === 'product_updated');
    expect(products.map(({ metadata }) => metadata.p1_id).toSorted()).toEqual([one.p1_id, other.p1_id].toSorted());
  });
});

describe('a count of what lies in the house', () => {
  test('leaves promises alone: ten on the shelf with four promised are six to promise', async ({ api }) => {
    const { p1_id } = await promiseFour(api);
    const body = { on_hand: 12, reason: 'count', reference: 'INV-7' };
    expect(succeeded(await patch(api, p1_id, body))).toMatchObject({
      ...stock(8, 4),
      changed: ['stock_quantity', 'on_hand'],
    });
    expect(await rowOf('stock_movements', { p1_id, reason: 'count' })).toMatchObject({
      delta: 2,
      on_hand_delta: 2,
      on_hand_after: 12,
      reference: 'INV-7',
      actor_kind: 'api_key',
      actor_id: api.keyId,
    });
  });

  test('of less than is promised says what is missing, and nothing can be promised until it is there', async ({
    api,
  }) => {
    const { p1_id } = await promiseFour(api);
    expect(succeeded(await patch(api, p1_id, { on_hand: 1 }))).toMatchObject(stock(0, 4, 3));
    expectProblem(await upsertOne(api, p1_id), 409, 'insufficient_stock');
    // A delivery is for those who wait first.
    expect(succeeded(await patch(api, p1_id, { delta: 2 }))).toMatchObject(stock(0, 4, 1));
    expect(succeeded(await patch(api, p1_id, { delta: 2 }))).toMatchObject(stock(1, 4));
    expect((await upsertOne(api, p1_id)).status).toBe(201);
  });

  test.for([
    ['cancelled', stock(1, 0)],
    ['picked_up', stock(0, 0)],
  ] as const)('the shortage ends with its order (%s)', async ([end, expected], { api }) => {
    const { orderId, p1_id } = await promiseFour(api);
    succeeded(await patch(api, p1_id, { on_hand: 1 }));
    await steps(api, orderId, 'ready_pickup', end);
    expect(await stockOf(api, p1_id)).toEqual(expected);
  });

  test('that took a while counts what came and went since then', async ({ api }) => {
    const { orderId, p1_id } = await promiseFour(api);
    await steps(api, orderId, 'ready_pickup');
    const counted_at = new Date().toISOString();
    await passed(counted_at);
    await steps(api, orderId, 'picked_up');
    succeeded(await patch(api, p1_id, { delta: 5 }));
    // Ten were counted; four have gone and five have come.
    expect(succeeded(await patch(api, p1_id, { on_hand: 10, counted_at }))).toMatchObject(stock(11, 0));
  });

  test('says its time with any offset', async ({ api }) => {
    const { orderId, p1_id } = await promiseFour(api);
    await steps(api, orderId, 'ready_pickup');
    const at = new Date().toISOString();
    await passed(at);
    await steps(api, orderId, 'picked_up');
    const counted_at = new Date(Date.parse(at) + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
    expect(succeeded(await patch(api, p1_id, { on_hand: 10, counted_at }))).toMatchObject(stock(6, 0));
    const small = counted_at.toLowerCase();
    expect(succeeded(await patch(api, p1_id, { on_hand: 10, counted_at: small }))).toMatchObject(stock(6, 0));
    const nowhere = await patch(api, p1_id, { on_hand: 10, counted_at: at.replace('Z', '') });
    expectProblem(nowhere, 400, 'validation_failed');
  });

  test('that a later one has overtaken changes nothing, whichever is sent first', async ({ api, held: { p1_id } }) => {
    const earlier = new Date().toISOString();
    await passed(earlier);
    const later = new Date().toISOString();
    await passed(later);
    succeeded(await patch(api, p1_id, { on_hand: 7, counted_at: later }));
    const before = await footprint(api.orgId);
    expect(succeeded(await patch(api, p1_id, { on_hand: 3, counted_at: earlier }))).toMatchObject({
      on_hand: 7,
      changed: [],
    });
    expect(await footprint(api.orgId)).toEqual(before);
    expect(await auditOf(p1_id, { action: 'stock.changed' })).toHaveLength(1);
  });

  test.for([
    ['on_hand', (api: OrganizationApi, p1_id: string) => patch(api, p1_id, { on_hand: 5 })],
    ['stock_quantity', (api: OrganizationApi, p1_id: string) => patch(api, p1_id, { stock_quantity: 5 })],
    ['bulk', (api: OrganizationApi, p1_id: string) => patchAll(api, [{ p1_id, on_hand: 5 }])],
  ] as const)(
    'that is older than one which confirmed the stock (%s) changes nothing',
    async ([, confirm], { api, held }) => {
      const { p1_id } = held;
      succeeded(await patch(api, p1_id, { on_hand: 5 }));
      const earlier = new Date().toISOString();
      await passed(earlier);
      succeeded(await confirm(api, p1_id));
      const late = await patch(api, p1_id, { on_hand: 50, counted_at: earlier });
      expect(succeeded(late)).toMatchObject({ on_hand: 5, changed: [] });
      const inBulk = await patchAll(api, [{ p1_id, on_hand: 50, counted_at: earlier }]);
      expect(succeeded(inBulk).results).toMatchObject([{ status: 'unchanged', on_hand: 5 }]);
    },
  );

  test('a correction that an earlier count made is not added to a later one', async ({ api, held: { p1_id } }) => {
    const earlier = new Date().toISOString();
    await passed(earlier);
    const later = new Date().toISOString();
    await passed(later);
    succeeded(await patch(api, p1_id, { on_hand: 7, counted_at: earlier }));
    expect(succeeded(await patch(api, p1_id, { on_hand: 8, counted_at: later }))).toMatchObject(stock(8, 0));
  });

  test.for([
    [{ on_hand: 1, counted_at: '2001-01-01T00:00:00.000Z' }, '/counted_at'],
    [{ on_hand: 1, counted_at: '2999-01-01T00:00:00.000Z' }, '/counted_at'],
    [{ delta: 1, counted_at: '2026-11-23T00:00:00.000Z' }, '/counted_at'],
    [{ delta: 1, on_hand: 1 }, '/delta'],
    [{ stock_quantity: 1, on_hand: 1 }, '/delta'],
    [{ on_hand: -1 }, '/on_hand'],
    [{ on_hand: 1, reference: 'x'.repeat(101) }, '/reference'],
  ] as const)('%j is refused at %s', async ([body, pointer], { api, held: { p1_id } }) => {
    const before = await footprint(api.orgId);
    const answer = await patch(api, p1_id, body);
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ pointer }]);
    expect(await footprint(api.orgId)).toEqual(before);
  });
});

describe('the version of the stock', () => {
  test('a change that was decided on an older one is refused and changes nothing', async ({ api, held: { p1_id } }) => {
    const { stock_version } = succeeded(await patch(api, p1_id, { delta: 1 }));
    const before = await footprint(api.orgId);
    const asked = { delta: 1, if_stock_version: stock_version - 1, low_stock_threshold: 1 };
    expectProblem(await patch(api, p1_id, asked), 412, 'version_mismatch');
    expect(await footprint(api.orgId)).toEqual(before);
    const done = succeeded(await patch(api, p1_id, { delta: 1, if_stock_version: stock_version }));
    expect(done).toMatchObject({ stock_quantity: 12, stock_version: stock_version + 1 });
  });

  test('of two changes at once on one version, one is refused', async ({ api, held: { p1_id } }) => {
    const { stock_version } = succeeded(await patch(api, p1_id, { delta: 1 }));
    const asked = { delta: 1, if_stock_version: stock_version };
    const answers = await Promise.all([patch(api, p1_id, asked), patch(api, p1_id, asked)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect(await stockOf(api, p1_id)).toEqual(stock(12, 0));
  });
});

describe('a product that is removed and added again', () => {
  test('is promised to the orders that still hold it, and goes on counting its versions', async ({ api }) => {
    const { orderId, p1_id } = await promiseFour(api);
    const mirror = new Mirror(api);
    succeeded(await callApi(api, 'DELETE', `/inventory/${p1_id}`));
    const { movements } = (
      await rows<{ movements: number }>('select count(*) as movements from stock_movements where p1_id = ?', p1_id)
    )[0] as { movements: number };
    const body = { p1_id, initial_stock: 3 };
    succeeded(await callApi(api, 'POST', '/products/add-to-inventory', { body }), 201);
    expect(await stockOf(api, p1_id)).toEqual(stock(3, 4));
    expect((await rowOf('inventory', { p1_id })).stock_version).toBeGreaterThan(movements);
    await steps(api, orderId, 'ready_pickup', 'picked_up');
    expect(await stockOf(api, p1_id)).toEqual(stock(3, 0));
    await mirror.read();
    await expectInBalance(api, mirror, 'the hand-over');
  });

  test('orders of a product that is not held leave as any other', async ({ api }) => {
    const { orderId, p1_id } = await promiseFour(api);
    succeeded(await callApi(api, 'DELETE', `/inventory/${p1_id}`));
    const told = await eventsAfter(api.orgId, () => steps(api, orderId, 'ready_pickup', 'picked_up'));
    expect(told.filter(({ type }) => type === 'product_updated')).toEqual([]);
  });
});

test('changes of many products in one batch: what each moved is read with it, and one that is not stocked undoes all', async ({
  api,
}) => {
  const [one, other] = [await holdProduct(api), await holdProduct(api)];
  const ctx = staffContext(api.orgId);
  const writes = [
    { p1Id: one.p1_id, change: { onHand: 4 }, reason: 'count' as const },
    { p1Id: other.p1_id, change: { to: 10 } },
  ];
  const { entries, after } = stockEntries(ctx, api.orgId, writes, { isBulk: true });
  const written = await commit(ctx, { entries, after });
  expect(written.after).toMatchObject([
    { p1Id: one.p1_id, stockQuantity: 4, onHand: 4, delta: -6, onHandDelta: -6 },
    { p1Id: other.p1_id, stockQuantity: 10, delta: 0, onHandDelta: 0 },
  ]);
  const absent = stockEntries(ctx, api.orgId, [...writes, { p1Id: 'P1-absent', change: { delta: 1 } }]);
  await expect(commit(ctx, { entries: absent.entries })).rejects.toThrow('must_change_one');
});

test('the page counts what lies in the house', async ({ api }) => {
  const { p1_id } = await promiseFour(api);
  const counted = await changeStock(staffContext(api.orgId), { p1Id: p1_id, change: { onHand: 10 }, reason: 'count' });
  expect(counted).toMatchObject({ stockQuantity: 6, onHand: 10, changed: [] });
});

function upsertOne(api: OrganizationApi, p1_id: string) {
  return upsert(api, {
    shop_id: api.shopId,
    external_id: `SHOP-${p1_id}`,
    customer_name: 'Erika',
    items: [{ p1_id, qty: 1, price: 1 }],
  });
}

/** Waits until the clock shows another millisecond. */
async function passed(at: string): Promise<void> {
  const { ctx } = systemContext();
  while (ctx.now() <= Date.parse(at)) await ctx.wait(1);
}
