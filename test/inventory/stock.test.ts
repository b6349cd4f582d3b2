import { EVENTS, type EventType, envelopeSchema } from '../../src/webhooks/event-types';
import {
  attach,
  attachNewProduct,
  callApi,
  eventsOf,
  eventTypesOf,
  expectProblem,
  footprint,
  holdProduct,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { doctoredDb } from '../support/probe';
import { rowOf, rowsOf } from '../support/rows';
import { afterEach, expect, test } from '../support/test';
import { operate, rows } from '../support/world';

// Whatever a test makes happen, what is stored of it is what subscribers are promised.
afterEach(async () => {
  const stored = await rows<{ type: EventType; body: string; id: string; org_id: string }>('select * from events');
  for (const { type, body, id, org_id } of stored) {
    const envelope = envelopeSchema.parse(JSON.parse(body));
    EVENTS[type].metadata.parse(envelope.metadata);
    expect(envelope).toMatchObject({ id, org_id, event_type: type });
    expect(body).toBe(JSON.stringify(envelope));
  }
});

interface Movement {
  delta: number;
  stock_before: number;
  stock_after: number;
  reason: string;
  order_id: string | null;
}

/** The stock of a product of which nothing is promised. */
const allFree = (stock: number) => ({
  unit: 'piece',
  stock_quantity: stock,
  on_hand: stock,
  committed_quantity: 0,
  reserved_quantity: 0,
  shortage: 0,
});

const ledger = (org_id: string, p1_id: string) => rowsOf<Movement>('stock_movements', { org_id, p1_id });

function patch(api: OrganizationApi, p1Id: string, body: unknown) {
  return callApi(api, 'PATCH', `/inventory/${p1Id}`, { body });
}

async function move(api: OrganizationApi, p1Id: string, body: unknown) {
  return succeeded(await patch(api, p1Id, body));
}

async function stockOf(org_id: string, p1_id: string): Promise<number> {
  return (await rowOf('inventory', { org_id, p1_id })).stock_quantity;
}

/** Type and metadata of what happened, but for the creation. */
async function news(orgId: string) {
  const stored = await eventsOf(orgId);
  return stored
    .filter(({ type }) => type !== 'product_created')
    .map(({ type, body }) => [type, JSON.parse(body).metadata]);
}

const types = async (orgId: string) => (await news(orgId)).map(([type]) => type);

test('every change of stock is a row of the ledger, which sums to the stock', async ({ api }) => {
  const { p1_id } = await holdProduct(api, { stock: 10 });
  expect(await move(api, p1_id, { delta: -3, reason: 'damage' })).toEqual({
    p1_id,
    ...allFree(7),
    stock_version: 2,
    changed: ['stock_quantity', 'on_hand'],
  });
  await move(api, p1_id, { delta: 20, reason: 'delivery' });
  await move(api, p1_id, { stock_quantity: 25, reason: 'count' });
  await move(api, p1_id, { delta: 1 });
  const row = (delta: number, stock_before: number, stock_after: number, reason: string) => ({
    delta,
    stock_before,
    stock_after,
    reason,
    order_id: null,
  });
  expect(await ledger(api.orgId, p1_id)).toMatchObject([
    row(10, 0, 10, 'initial'),
    row(-3, 10, 7, 'damage'),
    row(20, 7, 27, 'delivery'),
    row(-2, 27, 25, 'count'),
    row(1, 25, 26, 'other'),
  ]);
  expect(await stockOf(api.orgId, p1_id)).toBe(26);
  await move(api, p1_id, { low_stock_threshold: 3 });
  expect(await rows('select stock_version from inventory where p1_id = ?', p1_id)).toEqual([{ stock_version: 5 }]);
});

test.for([
  { stock_quantity: 10 },
  { delta: 0 },
  { low_stock_threshold: null },
  { stock_quantity: 10, low_stock_threshold: null },
])(
  'a change to what is there already (%j) keeps at most when it was counted, and sends nothing',
  async (body, { api }) => {
    const { p1_id } = await holdProduct(api, { stock: 10 });
    const before = await footprint(api.orgId);
    expect(await move(api, p1_id, body)).toEqual({ p1_id, ...allFree(10), stock_version: 1, changed: [] });
    const after = await footprint(api.orgId);
    const isCount = 'stock_quantity' in body;
    const inventory = (after.inventory as object[]).map((row) => ({ ...row, ...(isCount && { counted_at: null }) }));
    expect({ ...after, inventory }).toEqual(before);
  },
);

test.for([{ delta: -11 }, { delta: -1_000_000_000 }])('stock never goes below 0 (%j)', async (body, { api }) => {
  const { p1_id } = await holdProduct(api, { stock: 10 });
  const before = await footprint(api.orgId);
  const refused = await patch(api, p1_id, { ...body, low_stock_threshold: 3 });
  expectProblem(refused, 409, 'insufficient_stock');
  expect(refused.body.stock_quantity).toBe(10);
  expect(await footprint(api.orgId)).toEqual(before);
});

test('a change sends product_updated, which names what changed and nothing else', async () => {
  const api = await openOrganizationApi({ low_stock_threshold: 0 });
  const { p1_id } = await holdProduct(api, { stock: 10 });
  await move(api, p1_id, { delta: 1 });
  await move(api, p1_id, { low_stock_threshold: 2 });
  await move(api, p1_id, { stock_quantity: 5, low_stock_threshold: 3 });
  await move(api, p1_id, { stock_quantity: 5, low_stock_threshold: 4 });
  succeeded(await callApi(api, 'PUT', `/products/${p1_id}`, { body: { price: 3, name: 'Neu', available: null } }));
  const told = (changed_fields: string[], stock: number, stock_version: number) => {
    const { shortage: _, ...state } = allFree(stock);
    return ['product_updated', { p1_id, changed_fields, ...state, stock_version, shop_ids: [] }];
  };
  expect(await news(api.orgId)).toEqual([
    told(['stock_quantity', 'on_hand'], 11, 2),
    told(['low_stock_threshold'], 11, 2),
    told(['stock_quantity', 'on_hand', 'low_stock_threshold'], 5, 3),
    told(['low_stock_threshold'], 5, 3),
    told(['name', 'price'], 5, 3),
  ]);
});

test('a product that enters sends product_created; attach, overrides and detach one product_updated each', async () => {
  const api = await openOrganizationApi({ low_stock_threshold: 5 });
  const { p1_id } = await attachNewProduct(api, { stock: 1 });
  await attach(api, p1_id, { price: 1 });
  const body = { shop_id: api.shopId, p1_id };
  succeeded(await callApi(api, 'POST', '/shops/product-overrides', { body: { ...body, overrides: { price: 2 } } }));
  succeeded(await callApi(api, 'POST', '/shops/detach-product', { body }));
  const stored = await eventsOf(api.orgId);
  const state = {
    p1_id,
    unit: 'piece',
    stock_quantity: 1,
    on_hand: 1,
    committed_quantity: 0,
    reserved_quantity: 0,
    stock_version: 1,
  };
  const attached = { ...state, shop_ids: [api.shopId] };
  expect(stored.map(({ type, body }) => [type, JSON.parse(body).metadata])).toEqual([
    ['product_created', { ...state, changed_fields: [], shop_ids: [] }],
    ['product_updated', { ...attached, changed_fields: ['shop_ids'] }],
    ['product_updated', { ...attached, changed_fields: ['price'] }],
    ['product_updated', { ...attached, changed_fields: ['price'] }],
    ['product_updated', { ...state, changed_fields: ['shop_ids'], shop_ids: [] }],
  ]);
});

test.each([0, 1, 4])('entering with %i in stock, below the threshold, fires neither stock event', async (stock) => {
  const api = await openOrganizationApi({ low_stock_threshold: 5 });
  await holdProduct(api, { stock });
  expect(await eventTypesOf(api.orgId)).toEqual(['product_created']);
});

/** Threshold, stock before, change, and which stock events follow. */
const CROSSINGS: [number, number, Record<string, unknown>, string[]][] = [
  [5, 10, { delta: -4 }, []],
  [5, 10, { delta: -5 }, []],
  [5, 10, { delta: -6 }, ['low_stock']],
  [5, 5, { delta: -1 }, ['low_stock']],
  [5, 6, { stock_quantity: 4 }, ['low_stock']],
  [5, 4, { delta: -1 }, []],
  [5, 4, { delta: 1 }, []],
  [5, 0, { delta: 4 }, []],
  [5, 10, { stock_quantity: 0 }, ['low_stock', 'out_of_stock']],
  [5, 4, { delta: -4 }, ['out_of_stock']],
  [5, 1, { stock_quantity: 0 }, ['out_of_stock']],
  [0, 1, { delta: -1 }, ['out_of_stock']],
  [1, 1, { delta: -1 }, ['low_stock', 'out_of_stock']],
  [5, 20, { delta: -6, low_stock_threshold: 15 }, ['low_stock']],
  [5, 10, { delta: -6, low_stock_threshold: 2 }, []],
  [5, 10, { low_stock_threshold: 15 }, []],
];

test.each(CROSSINGS)('threshold %i, stock %i, %j: %j', async (low_stock_threshold, stock, body, expected) => {
  const api = await openOrganizationApi({ low_stock_threshold });
  const { p1_id } = await holdProduct(api, { stock });
  const { stock_quantity } = await move(api, p1_id, body);
  const stockNews = (await news(api.orgId)).filter(([type]) => type !== 'product_updated');
  const threshold = body.low_stock_threshold ?? low_stock_threshold;
  expect(stockNews).toEqual(expected.map((type) => [type, { p1_id, unit: 'piece', stock_quantity, threshold }]));
});

test('the product’s own threshold goes before the organization’s; null goes back to it', async () => {
  const api = await openOrganizationApi({ low_stock_threshold: 5 });
  const { p1_id } = await holdProduct(api, { stock: 10 });
  const threshold = async () => succeeded(await callApi(api, 'GET', '/inventory')).data[0].low_stock_threshold;
  expect(await threshold()).toBe(5);
  expect((await move(api, p1_id, { low_stock_threshold: 8 })).changed).toEqual(['low_stock_threshold']);
  expect(await threshold()).toBe(8);
  await operate(`/organizations/${api.orgId}`, { low_stock_threshold: 6 }, 'PATCH');
  expect(await threshold()).toBe(8);
  expect((await move(api, p1_id, { low_stock_threshold: null })).changed).toEqual(['low_stock_threshold']);
  expect(await threshold()).toBe(6);
  await move(api, p1_id, { delta: -5 });
  expect((await news(api.orgId)).at(-1)).toEqual([
    'low_stock',
    { p1_id, unit: 'piece', stock_quantity: 5, threshold: 6 },
  ]);
});

test('a threshold of 0 of the product’s own is a threshold', async () => {
  const api = await openOrganizationApi({ low_stock_threshold: 5 });
  const { p1_id } = await holdProduct(api, { stock: 10 });
  await move(api, p1_id, { low_stock_threshold: 0 });
  await move(api, p1_id, { delta: -8 });
  expect(await types(api.orgId)).toEqual(['product_updated', 'product_updated']);
});

test('removal detaches everywhere, empties the ledger and sends product_deleted alone', async () => {
  const api = await openOrganizationApi({ low_stock_threshold: 5 });
  const { p1_id } = await attachNewProduct(api, { stock: 10 });
  await attach(api, p1_id, {}, api.otherShopId);
  const kept = await attachNewProduct(api);
  const removed = succeeded(await callApi(api, 'DELETE', `/inventory/${p1_id}`));
  expect(removed).toMatchObject({ p1_id, deleted: true });
  expect(removed.detached_shop_ids.toSorted()).toEqual([api.shopId, api.otherShopId].toSorted());
  expect(await rows('select p1_id from listings where org_id = ?', api.orgId)).toEqual([{ p1_id: kept.p1_id }]);
  expect((await news(api.orgId)).slice(3)).toEqual([['product_deleted', { p1_id }]]);
  expect((await ledger(api.orgId, p1_id)).at(-1)).toMatchObject({ delta: -10, stock_after: 0, reason: 'removed' });
  expectProblem(await callApi(api, 'DELETE', `/inventory/${p1_id}`), 409, 'product_not_in_inventory');
});

test('one organization’s removal leaves the same product of another alone', async () => {
  const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
  const { p1_id } = await attachNewProduct(api);
  const body = { p1_id, initial_stock: 4 };
  succeeded(await callApi(other, 'POST', '/products/add-to-inventory', { body }), 201);
  await attach(other, p1_id);
  const before = await footprint(other.orgId);
  succeeded(await callApi(api, 'DELETE', `/inventory/${p1_id}`));
  expect(await footprint(other.orgId)).toEqual(before);
});

test('a product that comes back starts afresh, and its ledger still sums to its stock', async ({ api }) => {
  const { p1_id } = await holdProduct(api, { stock: 10, price: 3 });
  await move(api, p1_id, { delta: -4, low_stock_threshold: 1 });
  succeeded(await callApi(api, 'DELETE', `/inventory/${p1_id}`));
  const body = { p1_id, initial_stock: 7 };
  const back = succeeded(await callApi(api, 'POST', '/products/add-to-inventory', { body }), 201);
  expect(back).toMatchObject({ stock_quantity: 7, price: 4.95, sources: { price: 'catalog' } });
  const movements = await ledger(api.orgId, p1_id);
  expect(movements.map(({ delta }) => delta)).toEqual([10, -4, -6, 7]);
  expect(movements.reduce((sum, { delta }) => sum + delta, 0)).toBe(await stockOf(api.orgId, p1_id));
});

test('the ledger cannot be changed, and cannot say what does not add up', async ({ api, held: { p1_id } }) => {
  await expect(rows('update stock_movements set delta = 1 where p1_id = ?', p1_id)).rejects.toThrow('append-only');
  await expect(
    rows(
      `insert into stock_movements (id, org_id, p1_id, delta, stock_before, stock_after, reason, created_at)
       values (?, ?, ?, 1, 0, 5, 'other', 0)`,
      crypto.randomUUID(),
      api.orgId,
      p1_id,
    ),
  ).rejects.toThrow('stock_movements_sum');
  for (const column of ['stock_quantity', 'committed_quantity', 'shortage']) {
    await expect(rows(`update inventory set ${column} = 3 where p1_id = ?`, p1_id)).rejects.toThrow(
      'stock changes by stock_movements alone',
    );
  }
});

test('an answer of the database that gets lost does not move stock twice', async ({ api }) => {
  const { p1_id } = await holdProduct(api, { stock: 10 });
  const DB = doctoredDb(async (trip, send) => {
    const results = await send();
    if (trip === 2) throw new Error('D1_ERROR: Network connection lost.');
    return results;
  });
  succeeded(await callApi(api, 'GET', '/shops'));
  const body = { delta: -3, low_stock_threshold: 2 };
  succeeded(await callApi(api, 'PATCH', `/inventory/${p1_id}`, { body, env: { DB } }));
  expect(await stockOf(api.orgId, p1_id)).toBe(7);
  expect((await types(api.orgId)).filter((type) => type === 'product_updated')).toHaveLength(1);
});

test('each change of products and stock by a key leaves one audit row, no change none', async ({ api }) => {
  const { p1_id } = await holdProduct(api, { stock: 10 });
  const shop = { shop_id: api.shopId, p1_id };
  const acts: [string, string, unknown][] = [
    ['PATCH', `/inventory/${p1_id}`, { stock_quantity: 7, reason: 'count', low_stock_threshold: 3 }],
    ['PATCH', `/inventory/${p1_id}`, { low_stock_threshold: 4 }],
    ['PUT', `/products/${p1_id}`, { price: 3, name: 'Neu' }],
    ['POST', '/shops/attach-product', { ...shop, overrides: { price: 2 } }],
    ['POST', '/shops/product-overrides', { ...shop, overrides: { price: null, category: 'A' } }],
    ['POST', '/shops/detach-product', shop],
    ['DELETE', `/inventory/${p1_id}`, undefined],
  ];
  for (const [method, path, body] of acts) {
    succeeded(await callApi(api, method, path, { body }));
    // Again: nothing changes; what is removed is not there.
    await callApi(api, method, path, { body });
  }
  const audits = await rows(
    'select actor_kind, actor_id, action, fields, reason_code from audit_log where org_id = ? and entity_id = ? order by id',
    api.orgId,
    p1_id,
  );
  const row = (action: string, fields: string[] | null = null, reason_code: string | null = null) => ({
    actor_kind: 'api_key',
    actor_id: api.keyId,
    action,
    fields: fields && JSON.stringify(fields),
    reason_code,
  });
  const inShop = `shop:${api.shopId}`;
  expect(audits).toEqual([
    row('product.added'),
    row('stock.changed', ['stock_quantity', 'low_stock_threshold'], 'count'),
    row('stock.changed', ['low_stock_threshold']),
    row('product.updated', ['name', 'price']),
    row('product.attached', [inShop, 'price']),
    row('product.overridden', [inShop, 'category', 'price']),
    row('product.detached', [inShop]),
    row('product.removed'),
  ]);
});
