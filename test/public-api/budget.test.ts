import { newId } from '../../src/platform/ids';
import { type Cost, costOf, openBudgeted, warm } from '../support/cost';
import {
  attachNewProduct,
  callApi,
  holdProduct,
  importProduct,
  type OrganizationApi,
  succeeded,
} from '../support/organization';
import { insertRows, quoted } from '../support/rows';
import { test as base, expect } from '../support/test';
import { subscribe } from '../support/world';

const test = base.extend('api', () => openBudgeted());

async function getCost(api: OrganizationApi, path: string, query: Record<string, string | number> = {}): Promise<Cost> {
  return costOf(async () => succeeded(await callApi(api, 'GET', path, { query })));
}

test('every read costs one round trip and writes nothing', async ({ api, attached: { p1_id } }) => {
  await warm(api);
  const shop = { shop_id: api.shopId };
  const reads: [string, Record<string, string | number>][] = [
    ['/shops', {}],
    ['/products', shop],
    ['/products', { ...shop, q: 'ibu', category: 'x', available: 'true' }],
    [`/products/${p1_id}`, shop],
    ['/inventory', {}],
    ['/events', {}],
  ];
  for (const [path, query] of reads) {
    expect(await getCost(api, path, query), path).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  }
});

test('a key that is not in the cache costs one round trip more, once in 30 seconds', async ({ api }) => {
  expect((await getCost(api, '/shops')).roundTrips).toBe(2);
  expect((await getCost(api, '/shops')).roundTrips).toBe(1);
});

test('a refusal costs no more than the key’s state', async ({ api }) => {
  await warm(api);
  const cost = (asking: Parameters<typeof callApi>[3]) => costOf(() => callApi(api, 'GET', '/events', asking));
  // The first one in an isolate asks whether the directory is there.
  await cost({ token: null });
  expect((await cost({ token: null })).roundTrips).toBe(0);
  expect((await cost({ token: `${api.token}x` })).roundTrips).toBe(0);
  expect((await cost({ query: { limit: 0 } })).roundTrips).toBe(0);
  // Whether the two organizations are of the same kind, test or live; behind the key's rate limit.
  expect((await costOf(() => callApi({ ...api, orgId: newId() }, 'GET', '/events'))).roundTrips).toBe(2);
});

/** Every write, and the rows that it writes: tables, indexes, events and the audit row (3 with its indexes) together. */
const WRITES: [string, number, (api: OrganizationApi) => Promise<() => Promise<unknown>>][] = [
  [
    'adding to the inventory',
    // Two of them are the first block of the inventory, and one says that it is short: it has no stock.
    11,
    async (api) => {
      const { p1_id } = await importProduct();
      return () => callApi(api, 'POST', '/products/add-to-inventory', { body: { p1_id } });
    },
  ],
  [
    'an update',
    6,
    async (api) => {
      const { p1_id } = await holdProduct(api);
      return () => callApi(api, 'PUT', `/products/${p1_id}`, { body: { price: 3 } });
    },
  ],
  [
    'an attachment',
    // The shop's count of listings is one of them, here and below: it spares each list of products its count. Two are
    // the first block of the shop's list; a further product writes one row less.
    10,
    async (api) => {
      const { p1_id } = await holdProduct(api);
      return () => callApi(api, 'POST', '/shops/attach-product', { body: { shop_id: api.shopId, p1_id } });
    },
  ],
  [
    'overrides',
    // One of them tells the inbox, which hears of no product's event.
    7,
    async (api) => {
      const { p1_id } = await attachNewProduct(api);
      const body = { shop_id: api.shopId, p1_id, overrides: { price: 3 } };
      return () => callApi(api, 'POST', '/shops/product-overrides', { body });
    },
  ],
  [
    'a detachment',
    // Two of them end the only block of the shop's list.
    9,
    async (api) => {
      const { p1_id } = await attachNewProduct(api);
      return () => callApi(api, 'POST', '/shops/detach-product', { body: { shop_id: api.shopId, p1_id } });
    },
  ],
  [
    'a movement of stock',
    7,
    async (api) => {
      const { p1_id } = await holdProduct(api);
      return () => callApi(api, 'PATCH', `/inventory/${p1_id}`, { body: { delta: -1 } });
    },
  ],
  [
    'a movement that sets off both stock events',
    // Two of them mark the product as short.
    15,
    async (api) => {
      const { p1_id } = await holdProduct(api);
      return () => callApi(api, 'PATCH', `/inventory/${p1_id}`, { body: { stock_quantity: 0 } });
    },
  ],
  [
    'a removal from two shops',
    // Two of them mark the product as short, since a removal takes the stock out first, and two end the only block of each of
    // the three lists that it is in.
    20,
    async (api) => {
      const { p1_id } = await attachNewProduct(api);
      await callApi(api, 'POST', '/shops/attach-product', { body: { shop_id: api.otherShopId, p1_id } });
      return () => callApi(api, 'DELETE', `/inventory/${p1_id}`);
    },
  ],
];

test.for(WRITES)('%s costs two round trips and writes %i rows', async ([_, rowsWritten, prepare], { api }) => {
  const write = await prepare(api);
  await warm(api);
  const cost = await costOf(write);
  expect({ roundTrips: cost.roundTrips, rowsWritten: cost.rowsWritten }).toEqual({ roundTrips: 2, rowsWritten });
  expect(cost.rowsRead).toBeLessThan(64);
});

test('a subscription to the event costs its delivery’s rows, no round trip', async ({ api, held: { p1_id } }) => {
  await subscribe(api.orgId, 'https://hooks.example.com/', ['product_updated']);
  await warm(api);
  const cost = await costOf(() => callApi(api, 'PUT', `/products/${p1_id}`, { body: { price: 3 } }));
  expect(cost).toMatchObject({ roundTrips: 2, rowsWritten: 11 });
});

test.each(WRITES.filter(([name]) => !/removal|detach|movement/.test(name)))(
  '%s for the second time costs one round trip and writes nothing',
  async (_, __, prepare) => {
    const api = await openBudgeted();
    const write = await prepare(api);
    await write();
    expect(await costOf(write)).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  },
);

test.for([100, 5_000])('a reference is found among %i requests by reading its own', async (count, { api }) => {
  await warm(api);
  await insertRows('order_requests', count, {
    id: `'${newId()}-' || printf('%06d', i)`,
    ...{ org_id: quoted(api.orgId), shop_id: quoted(api.shopId), integration_id: `'family'`, source: `'telemed'` },
    ...{ external_reference: `'RX-' || i`, status: `iif(i % 2, 'approved', 'rejected')`, fingerprint: `'f' || i` },
  });
  const { rowsRead } = await getCost(api, '/order-requests', { external_reference: `RX-${count - 1}` });
  expect(rowsRead).toBeLessThanOrEqual(40);
});
