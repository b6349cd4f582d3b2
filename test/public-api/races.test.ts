import { newId } from '../../src/platform/ids';
import { stockOf } from '../support/order-flow';
import {
  type Answer,
  attach,
  attachNewProduct,
  callApi,
  eventsOf,
  eventTypesOf,
  expectProblem,
  holdProduct,
  importProduct,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { doctoredDb } from '../support/probe';
import { openSeller, placeOrder } from '../support/seller';
import { expect, test } from '../support/test';
import { rows } from '../support/world';

function atOnce<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const countOf = (answers: Answer[], status: number) => statuses(answers).filter((each) => each === status).length;

test('20 attaches with different overrides at once lose none of them', async ({ api, held: { p1_id } }) => {
  const fields = [{ price: 1 }, { name: 'Neu' }, { category: 'Neu' }, { available: false }];
  const answers = await atOnce(20, (index) =>
    callApi(api, 'POST', '/shops/attach-product', {
      body: { shop_id: api.shopId, p1_id, overrides: fields[index % fields.length] },
    }),
  );
  expect(new Set(statuses(answers))).toEqual(new Set([200]));
  expect((await attach(api, p1_id)).overrides).toEqual(Object.assign({}, ...fields));
});

test('20 additions to the inventory at once: one is new, the others find it', async ({ api }) => {
  const { p1_id } = await importProduct();
  const body = { p1_id, initial_stock: 3 };
  const answers = await atOnce(20, () => callApi(api, 'POST', '/products/add-to-inventory', { body }));
  expect([countOf(answers, 201), countOf(answers, 200)]).toEqual([1, 19]);
  expect(await eventTypesOf(api.orgId)).toEqual(['product_created']);
  expect(await stockOf(api.orgId, p1_id)).toEqual({ stock: 3, ledger: 3 });
});

const KEYS = [
  'name',
  'description',
  'category',
  'price',
  'available',
  'thc_percent',
  'cbd_percent',
  'available_for_pickup',
  'available_for_shipping',
  'prescription_required',
];

function valueFor(key: string): unknown {
  if (/available|required/.test(key)) return false;
  return /price|percent/.test(key) ? 7 : 'Text';
}

test('30 merges at once, of every key, all survive', async ({ api, attached: { p1_id } }) => {
  const answers = await atOnce(30, (index) => {
    const key = KEYS[index % KEYS.length] ?? '';
    const body = { shop_id: api.shopId, p1_id, overrides: { [key]: valueFor(key) } };
    return callApi(api, 'POST', '/shops/product-overrides', { body });
  });
  expect(new Set(statuses(answers))).toEqual(new Set([200]));
  const { overrides, effective } = await attach(api, p1_id);
  expect(overrides).toEqual(Object.fromEntries(KEYS.map((key) => [key, valueFor(key)])));
  expect(effective).toMatchObject(overrides);
  // Every answer was a state that was there: what it sent is in it.
  answers.forEach((answer, index) => {
    expect(Object.keys(answer.body.overrides)).toContain(KEYS[index % KEYS.length]);
    expect(answer.body.effective).toMatchObject(answer.body.overrides);
  });
});

test('merges at once do not pass the limit of 8 KiB together', async ({ api }) => {
  const { p1_id } = await attachNewProduct(api, { overrides: { description: 'ü'.repeat(3900) } });
  const answers = await atOnce(20, (index) => {
    const overrides = { [index % 2 ? 'name' : 'category']: 'ü'.repeat(index % 2 ? 180 : 90) };
    return callApi(api, 'POST', '/shops/product-overrides', { body: { shop_id: api.shopId, p1_id, overrides } });
  });
  expect(new Set(statuses(answers))).toEqual(new Set([200, 400]));
  const [row] = await rows<{ size: number }>(
    'select length(cast(overrides as blob)) as size from listings where org_id = ?',
    api.orgId,
  );
  expect(row?.size).toBeLessThanOrEqual(8192);
});

test('60 withdrawals at once from a stock of 50: 50 go through, 10 are refused, nothing is sold twice', async () => {
  const api = await openOrganizationApi({ low_stock_threshold: 5 });
  const { p1_id } = await holdProduct(api, { stock: 50 });
  const answers = await atOnce(60, () => callApi(api, 'PATCH', `/inventory/${p1_id}`, { body: { delta: -1 } }));
  expect([countOf(answers, 200), countOf(answers, 409)]).toEqual([50, 10]);
  for (const { status, body } of answers) if (status === 409) expect(body.code).toBe('insufficient_stock');
  // Each of them was told its own stock.
  const left = answers.filter(({ status }) => status === 200).map(({ body }) => body.stock_quantity);
  expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index));
  expect(await stockOf(api.orgId, p1_id)).toEqual({ stock: 0, ledger: 0 });
  expect(await eventsOf(api.orgId, 'low_stock')).toHaveLength(1);
  expect(await eventsOf(api.orgId, 'out_of_stock')).toHaveLength(1);
  expect(await eventsOf(api.orgId, 'product_updated')).toHaveLength(50);
});

test('movements in both directions at once are all counted, and all of them say that they changed something', async () => {
  const api = await openOrganizationApi();
  const { p1_id } = await holdProduct(api, { stock: 100 });
  const answers = await atOnce(40, (index) =>
    callApi(api, 'PATCH', `/inventory/${p1_id}`, { body: { delta: index % 2 ? 1 : -1 } }),
  );
  expect(new Set(statuses(answers))).toEqual(new Set([200]));
  for (const { body } of answers) expect(body.changed).toEqual(['stock_quantity', 'on_hand']);
  expect(await stockOf(api.orgId, p1_id)).toEqual({ stock: 100, ledger: 100 });
});

test('20 updates with the same slug at once: one product gets it', async ({ api }) => {
  const products = await atOnce(5, () => holdProduct(api));
  const answers = await atOnce(20, (index) =>
    callApi(api, 'PUT', `/products/${products[index % 5]?.p1_id}`, { body: { slug: `eins-${api.orgId}` } }),
  );
  expect(new Set(statuses(answers))).toEqual(new Set([200, 409]));
  expect(await rows('select * from inventory where org_id = ? and slug is not null', api.orgId)).toHaveLength(1);
});

/** What may happen to a product while it is removed and taken in again. */
const WRITES: [string, string, (target: { shop_id: string; p1_id: string }, index: number) => unknown][] = [
  ['PUT', '/products/{p1Id}', (_, index) => ({ price: index })],
  ['PATCH', '/inventory/{p1Id}', () => ({ delta: 1 })],
  ['PATCH', '/inventory/{p1Id}', (_, index) => ({ delta: -1, low_stock_threshold: index })],
  ['POST', '/shops/attach-product', (target) => target],
  ['POST', '/shops/product-overrides', (target, index) => ({ ...target, overrides: { price: index } })],
  ['POST', '/shops/detach-product', (target) => target],
  ['GET', '/products/{p1Id}', () => undefined],
];

test.each(WRITES)(
  '%s %s while the product is removed succeeds or is refused, and leaves no orphan',
  async (method, path, bodyOf) => {
    const api = await openOrganizationApi();
    const { p1_id } = await attachNewProduct(api);
    const target = { shop_id: api.shopId, p1_id };
    const answers = await atOnce(16, (index) => {
      if (index === 5 || index === 11) return callApi(api, 'DELETE', `/inventory/${p1_id}`);
      if (index === 8) return callApi(api, 'POST', '/products/add-to-inventory', { body: { p1_id } });
      const query = method === 'GET' ? { shop_id: api.shopId } : undefined;
      return callApi(api, method, path.replace('{p1Id}', p1_id), { body: bodyOf(target, index), query });
    });
    for (const status of statuses(answers)) expect([200, 201, 404, 409]).toContain(status);
    const orphans = await rows(
      `select * from listings as l where org_id = ?
      and not exists (select 1 from inventory as i where i.org_id = l.org_id and i.p1_id = l.p1_id)`,
      api.orgId,
    );
    expect(orphans).toEqual([]);
    // Whatever happened, the ledger sums to the stock, or to 0 when nothing is held.
    const [sum] = await rows<{ sum: number }>(
      'select coalesce(sum(delta), 0) as sum from stock_movements where org_id = ?',
      api.orgId,
    );
    expect(sum?.sum).toBe((await stockOf(api.orgId, p1_id))?.stock ?? 0);
  },
);

test('removals at once: one goes through, the others find nothing', async ({ api, attached: { p1_id } }) => {
  const answers = await atOnce(10, () => callApi(api, 'DELETE', `/inventory/${p1_id}`));
  expect([countOf(answers, 200), countOf(answers, 409)]).toEqual([1, 9]);
  expect(await eventsOf(api.orgId, 'product_deleted')).toHaveLength(1);
  expect(succeeded(await callApi(api, 'GET', '/inventory')).data).toEqual([]);
});

test('ten changes of one order at once: each is made or asked to come again, none fails', async ({ seller }) => {
  const { id } = await placeOrder(seller);
  const answers = await atOnce(10, (index) =>
    callApi(seller, 'PATCH', `/orders/${id}`, { body: { note: `Notiz ${index}` } }),
  );
  for (const answer of answers) if (answer.status !== 200) expectProblem(answer, 409, 'conflict');
  expect(countOf(answers, 200)).toBeGreaterThan(0);
});

test('eight different upserts of one order at once: each is made, or asked to come again, and none fails', async () => {
  const seller = await openSeller();
  const external_id = newId();
  const answers = await atOnce(8, (index) =>
    callApi(seller, 'POST', '/orders', {
      body: {
        shop_id: seller.shopId,
        external_id,
        customer_name: `Erika ${index}`,
        payment_status: 'pending',
        items: [{ name: 'Blutdruckmessgerät', qty: 1, price: 24.9 }],
      },
    }),
  );
  for (const answer of answers) if (![200, 201].includes(answer.status)) expectProblem(answer, 409, 'conflict');
  expect(countOf(answers, 201)).toBe(1);
  expect(await rows('select id from orders where org_id = ?', seller.orgId)).toHaveLength(1);
});

test('a change that always comes second is sent back after four tries', async ({ seller, placed: { id } }) => {
  let writes = 0;
  const DB = doctoredDb(async (trip, send) => {
    // Every second trip writes; before each of them somebody else changes the order.
    if (trip % 2 === 0) {
      writes += 1;
      await rows('update orders set version = version + 1 where id = ?', id);
    }
    return send();
  });
  const answer = await callApi(seller, 'PATCH', `/orders/${id}`, { body: { note: 'Notiz' }, env: { DB } });
  expectProblem(answer, 409, 'conflict');
  expect(writes).toBe(4);
});
