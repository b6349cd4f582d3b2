import { newId } from '../../src/platform/ids';
import { costOf, openBudgeted, warm } from '../support/cost';
import { faultyDatabase } from '../support/faults';
import { openOrder, stockOf } from '../support/order-flow';
import {
  attachNewProduct,
  callApi,
  createKey,
  eventsOf,
  expectProblem,
  footprint,
  holdProduct,
  importProduct,
  importProducts,
  newPzn,
  type OrganizationApi,
  succeeded,
  tokenFor,
} from '../support/organization';
import { auditOf, insertRows, quoted, rowOf, rowsOf } from '../support/rows';
import { expect, test } from '../support/test';
import { newReceiverUrl } from '../support/webhooks';
import { subscribe } from '../support/world';

type Item = Record<string, unknown>;

function patch(api: OrganizationApi, items: Item[], env?: Partial<Env>) {
  return callApi(api, 'PATCH', '/inventory', { body: { items }, env });
}

async function changed(api: OrganizationApi, ...items: Item[]) {
  return succeeded(await patch(api, items));
}

async function changedProducts(api: OrganizationApi, ...items: Item[]) {
  return succeeded(await callApi(api, 'PATCH', '/products', { body: { items } }));
}

async function item(api: OrganizationApi, p1_id: string) {
  return succeeded(await callApi(api, 'GET', `/inventory/${p1_id}`));
}

/** So many products of the catalog, of which the organization holds each with this stock. */
async function stocked(api: OrganizationApi, count: number, stock = 10): Promise<string[]> {
  const run = newId();
  const p1_id = `'${run}-' || printf('%05d', i)`;
  const named = { name: `'Produkt ' || i`, name_folded: `'produkt ' || i`, slug: p1_id };
  await insertRows('catalog_products', count, { p1_id, ...named });
  await insertRows('inventory', count, { p1_id, org_id: quoted(api.orgId), stock_quantity: `${stock}`, is_short: '0' });
  return Array.from({ length: count }, (_, index) => `${run}-${String(index).padStart(5, '0')}`);
}

const failedWith = (p1_id: string | null, code: string) => ({
  p1_id,
  status: 'failed',
  code,
  detail: expect.any(String),
});

test('every fault of state fails its item whole and it alone', async ({ api }) => {
  const [unheld, twin, ...rest] = await importProducts({}, { pzn: newPzn() }, { pzn: newPzn() }, {});
  const [byPzn, fresh] = rest;
  if (!unheld || !twin || !byPzn || !fresh) throw new Error('no products');
  const shared = newPzn();
  await importProducts({ pzn: shared }, { pzn: shared });
  const held = await holdProduct(api, { stock: 3 });
  const versioned = await holdProduct(api, { stock: 3 });
  const empty = await holdProduct(api, { stock: 0 });
  const shopless = await holdProduct(api, { stock: 3 });
  const same = await holdProduct(api, { stock: 7, pzn: newPzn() });
  const strange = newId();
  const { results, summary } = await changed(
    api,
    { p1_id: 'P1-nirgends', stock_quantity: 1 },
    { pzn: '00000018', stock_quantity: 1 },
    { pzn: shared, stock_quantity: 1 },
    { p1_id: unheld.p1_id, stock_quantity: 1, price: 3 },
    { p1_id: versioned.p1_id, if_stock_version: 99, stock_quantity: 5, price: 3 },
    { p1_id: held.p1_id, delta: -4, low_stock_threshold: 2 },
    { p1_id: empty.p1_id, attach_to: [api.shopId], price: 2 },
    { p1_id: shopless.p1_id, attach_to: [api.shopId, strange], stock_quantity: 9 },
    { p1_id: same.p1_id, stock_quantity: 8, price: 1.5, attach_to: [api.shopId], reference: 'LS-1' },
    { pzn: same.pzn, stock_quantity: 9 },
    { p1_id: fresh.p1_id, add: true, on_hand: 4, attach_to: [api.otherShopId] },
  );
  expect(results).toEqual([
    failedWith('P1-nirgends', 'catalog_product_not_found'),
    failedWith(null, 'catalog_product_not_found'),
    failedWith(null, 'ambiguous_pzn'),
    failedWith(unheld.p1_id, 'product_not_in_inventory'),
    failedWith(versioned.p1_id, 'version_mismatch'),
    failedWith(held.p1_id, 'insufficient_stock'),
    failedWith(empty.p1_id, 'out_of_stock'),
    failedWith(shopless.p1_id, 'shop_not_found'),
    { p1_id: same.p1_id, status: 'updated', unit: 'piece', stock_quantity: 8, on_hand: 8, stock_version: 2 },
    failedWith(same.p1_id, 'duplicate_product'),
    { p1_id: fresh.p1_id, status: 'created', unit: 'piece', stock_quantity: 4, on_hand: 4, stock_version: 1 },
  ]);
  expect(summary).toEqual({ created: 1, updated: 1, unchanged: 0, failed: 9 });
  // Of those that failed nothing was written.
  for (const [product, stock_quantity] of [
    [versioned, 3],
    [held, 3],
    [empty, 0],
    [shopless, 3],
  ] as const) {
    expect(await item(api, product.p1_id)).toMatchObject({ stock_quantity, price: 4.95, low_stock_threshold: 5 });
    expect(await rowsOf('listings', { org_id: api.orgId, p1_id: product.p1_id })).toEqual([]);
  }
  expect(await item(api, same.p1_id)).toMatchObject({ stock_quantity: 8, price: 1.5 });
  expect(
    (await rowsOf('listings', { org_id: api.orgId })).map(({ shop_id, p1_id }) => [shop_id, p1_id]).sort(),
  ).toEqual(
    [
      [api.shopId, same.p1_id],
      [api.otherShopId, fresh.p1_id],
    ].sort(),
  );
});

test('an item may name its product by the PZN, without its leading zeros', async ({ api }) => {
  const held = await holdProduct(api, { stock: 3, pzn: '01126619' });
  expect((await changed(api, { pzn: '1126619', delta: 2 })).results).toMatchObject([
    { p1_id: held.p1_id, status: 'updated', stock_quantity: 5 },
  ]);
});

test.for<[Item, string, string]>([
  [{ p1_id: 'P1-1' }, '/items/1', 'no_fields'],
  [{ stock_quantity: 1 }, '/items/1/p1_id', 'p1_id_or_pzn'],
  [{ p1_id: 'P1-1', pzn: '1', stock_quantity: 1 }, '/items/1/p1_id', 'p1_id_or_pzn'],
  [{ p1_id: 'P1-1', stock_quantity: 1, delta: 1 }, '/items/1/delta', 'stock_or_delta'],
  [{ p1_id: 'P1-1', stock_quantity: 1, on_hand: 1 }, '/items/1/delta', 'stock_or_delta'],
  [{ p1_id: 'P1-1', stock_quantity: 1, counted_at: '2026-11-20T09:30:00Z' }, '/items/1/counted_at', 'invalid_value'],
  [{ p1_id: 'P1-1', on_hand: 1, counted_at: '2001-11-20T09:30:00Z' }, '/items/1/counted_at', 'invalid_value'],
  [{ p1_id: 'P1-1', delta: 1, add: true }, '/items/1/add', 'invalid_value'],
  [{ p1_id: 'P1-1', add: true }, '/items/1/add', 'invalid_value'],
  [{ p1_id: 'P1-1', attach_to: ['a'], detach_from: ['a'] }, '/items/1/detach_from', 'invalid_value'],
  [{ p1_id: 'P1-1', price: 1.999 }, '/items/1/price', 'invalid_amount'],
  [{ p1_id: 'P1-1', stock: 1 }, '/items/1/stock', 'unknown_key'],
  [{ p1_id: 'P1-0', delta: 1 }, '/items/1/p1_id', 'duplicate_item'],
])('a fault of form is 400 with its place, and nothing is written: %j', async ([faulty, pointer, code], { api }) => {
  const { p1_id } = await holdProduct(api);
  const before = await footprint(api.orgId);
  const answer = await patch(api, [{ p1_id: faulty.p1_id === 'P1-0' ? 'P1-0' : p1_id, stock_quantity: 1 }, faulty]);
  expectProblem(answer, 400, 'validation_failed');
  expect(answer.body.errors).toContainEqual({ pointer, code, message: expect.any(String) });
  expect(await footprint(api.orgId)).toEqual(before);
});

test('1 to 500 items', async ({ api }) => {
  expectProblem(await patch(api, []), 400, 'validation_failed');
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ p1_id: `P1-${index}`, delta: 1 }));
  expectProblem(await patch(api, many(501)), 400, 'validation_failed');
  expect((await changed(api, ...many(500))).summary).toEqual({ created: 0, updated: 0, unchanged: 0, failed: 500 });
});

test('what changes more than stock needs the right to change products', async ({ api }) => {
  const { p1_id } = await holdProduct(api);
  const key = await createKey(api.orgId, ['inventory.write']);
  const token = await tokenFor({ orgId: api.orgId, apiKey: key.apiKey });
  const refused = [
    { add: true, stock_quantity: 1 },
    { price: 1 },
    { attach_to: [api.shopId] },
    { detach_from: [api.shopId] },
  ];
  for (const more of refused) {
    const answer = await callApi(api, 'PATCH', '/inventory', { body: { items: [{ p1_id, ...more }] }, token });
    expectProblem(answer, 403, 'insufficient_scope');
  }
  const items = [{ p1_id, stock_quantity: 4, low_stock_threshold: 1 }];
  expect(succeeded(await callApi(api, 'PATCH', '/inventory', { body: { items }, token })).summary.updated).toBe(1);
});

test('500 items cost two round trips whatever they hold', async () => {
  const api = await openBudgeted();
  const p1Ids = await stocked(api, 400);
  const added = await importProducts(...Array.from({ length: 100 }, () => ({})));
  await warm(api);
  const stocks = (index: number) =>
    [{ stock_quantity: index }, { on_hand: index }, { delta: -1 }, { delta: 1, if_stock_version: 0 }][index % 4];
  const items = [
    ...p1Ids.map((p1_id, index) => ({
      ...{ p1_id, ...stocks(index), price: 1 + index, low_stock_threshold: 3, reference: 'LS-1' },
      ...(index % 4 === 2 && { attach_to: [api.shopId] }),
    })),
    ...added.map(({ p1_id }) => ({ p1_id, add: true, stock_quantity: 5 })),
  ];
  const cost = await costOf(async () => {
    expect((await changed(api, ...items)).summary).toEqual({ created: 100, updated: 400, unchanged: 0, failed: 0 });
  });
  expect(cost.roundTrips).toBe(2);
  expect(cost.statements).toBeLessThan(30);
});

test('a product that no item names is not read', async () => {
  const costs = [];
  for (const others of [1, 2_000]) {
    const api = await openBudgeted();
    await stocked(api, others);
    const p1Ids = await stocked(api, 100);
    await warm(api);
    const items = p1Ids.map((p1_id, index) => ({ p1_id, delta: -1, price: index, low_stock_threshold: 3 }));
    const { rowsRead, rowsWritten } = await costOf(() => changed(api, ...items));
    const products = await costOf(() => changedProducts(api, ...p1Ids.map((p1_id) => ({ p1_id, price: 900 }))));
    costs.push({ rowsRead, rowsWritten, products: products.rowsRead });
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[0]?.rowsRead).toBeLessThan(50 * 100);
});

test('the same once more is unchanged: only when it was counted is written, and there is no event', async () => {
  const api = await openBudgeted();
  const p1Ids = await stocked(api, 50);
  await warm(api);
  const items = p1Ids.map((p1_id) => ({ p1_id, stock_quantity: 4, price: 2 }));
  expect((await changed(api, ...items)).summary.updated).toBe(50);
  const before = await footprint(api.orgId);
  const cost = await costOf(async () => {
    expect((await changed(api, ...items)).results[0]).toEqual({
      ...{ p1_id: p1Ids[0], status: 'unchanged', unit: 'piece', stock_quantity: 4, on_hand: 4, stock_version: 1 },
    });
  });
  expect(cost).toMatchObject({ roundTrips: 2, rowsWritten: 50 });
  const after = await footprint(api.orgId);
  const timeless = (rows: unknown) => (rows as object[]).map((row) => ({ ...row, counted_at: null }));
  expect({ ...after, inventory: timeless(after.inventory) }).toEqual({
    ...before,
    inventory: timeless(before.inventory),
  });
});

test('two bulks of the same products at once lose nothing', async ({ api }) => {
  const p1Ids = await stocked(api, 60);
  const [fresh] = await importProducts({});
  const bulk = (delta: number) =>
    patch(api, [
      ...p1Ids.map((p1_id) => ({ p1_id, delta })),
      { p1_id: fresh?.p1_id, add: true, stock_quantity: 5, attach_to: [api.shopId] },
    ]);
  const answers = await Promise.all([bulk(-3), bulk(-4), bulk(5), bulk(-2)]);
  const results = answers.map((answer) => succeeded(answer).results);
  for (const p1_id of p1Ids) expect(await stockOf(api.orgId, p1_id)).toMatchObject({ stock: 6 });
  expect(results.map((each) => each.at(-1).status).sort()).toEqual(['created', 'unchanged', 'unchanged', 'unchanged']);
  expect(await rowsOf('listings', { org_id: api.orgId })).toHaveLength(1);
});

test('of two bulks that take the last pieces one fails for them, and nothing goes below 0', async ({ api }) => {
  const p1Ids = await stocked(api, 20, 5);
  const bulk = () => changed(api, ...p1Ids.map((p1_id) => ({ p1_id, delta: -4 })));
  const [one, other] = await Promise.all([bulk(), bulk()]);
  for (const [index, p1_id] of p1Ids.entries()) {
    const statuses = [one, other].map(({ results }) => results[index].status).sort();
    expect(statuses).toEqual(['failed', 'updated']);
    expect((await rowOf('inventory', { org_id: api.orgId, p1_id })).stock_quantity).toBe(1);
  }
});

test('a bulk whose batch was sent twice moves its stock once', async ({ api }) => {
  const p1Ids = await stocked(api, 5);
  const fresh = await importProduct();
  await patch(api, [{ p1_id: p1Ids[0], delta: 1 }]);
  // The facts are read in one trip, everything is written in the next.
  const { DB, sizes } = faultyDatabase({ batch: 2, how: 'is carried out and its answer lost, a transient error' });
  const items = [
    { p1_id: p1Ids[0], delta: -3, if_stock_version: 1 },
    { p1_id: p1Ids[1], delta: -3, attach_to: [api.shopId] },
    { p1_id: p1Ids[2], stock_quantity: 4, price: 3 },
    { p1_id: p1Ids[3], on_hand: 4 },
    { p1_id: fresh.p1_id, add: true, stock_quantity: 2 },
  ];
  const before = await eventsOf(api.orgId);
  const { results } = succeeded(await patch(api, items, { DB }));
  expect(sizes).toHaveLength(3);
  expect(results).toMatchObject([
    { status: 'updated', stock_quantity: 8, stock_version: 2 },
    { status: 'updated', stock_quantity: 7, stock_version: 1 },
    { status: 'updated', stock_quantity: 4 },
    { status: 'updated', on_hand: 4 },
    { status: 'created', stock_quantity: 2 },
  ]);
  const types = (await eventsOf(api.orgId)).slice(before.length).map(({ type }) => type);
  expect(types.sort()).toEqual(['low_stock', 'low_stock', 'product_created', 'products_updated']);
  expect(await rowsOf('stock_movements', { org_id: api.orgId })).toHaveLength(6);
});

test('one event tells of all products, and a product_updated of each only who takes no other', async ({ api }) => {
  const p1Ids = await stocked(api, 3);
  await subscribe(api.orgId, newReceiverUrl(), ['product_updated']);
  await changed(
    api,
    { p1_id: p1Ids[0], delta: -1, price: 2 },
    { p1_id: p1Ids[1], attach_to: [api.shopId] },
    { p1_id: p1Ids[2], delta: 0, low_stock_threshold: 5, price: null },
  );
  const events = await eventsOf(api.orgId);
  const [chunk] = events.filter(({ type }) => type === 'products_updated');
  const told = JSON.parse(chunk?.body ?? '{}').metadata.products;
  expect(told).toMatchObject([
    { p1_id: p1Ids[0], changed_fields: ['stock_quantity', 'on_hand', 'price'], stock_quantity: 9, stock_version: 1 },
    { p1_id: p1Ids[1], changed_fields: ['shop_ids'], shop_ids: [api.shopId] },
    { p1_id: p1Ids[2], changed_fields: ['low_stock_threshold'] },
  ]);
  expect(events.filter(({ type }) => type === 'product_updated')).toHaveLength(3);
  const feed = succeeded(await callApi(api, 'GET', '/events')).data.map(
    ({ event_type }: { event_type: string }) => event_type,
  );
  expect(feed).toEqual(['products_updated']);
});

test('a command is one row of the audit log, with its count and the names of what changed', async ({ api }) => {
  const p1Ids = await stocked(api, 4);
  await changed(api, ...p1Ids.map((p1_id) => ({ p1_id, on_hand: 3, price: 2 })), { p1_id: 'P1-nirgends', delta: 1 });
  await changedProducts(api, { p1_id: p1Ids[0], name: 'Neu' });
  expect(
    (await auditOf(api.orgId, { action: 'inventory.changed' })).map(({ fields }) => JSON.parse(fields ?? '')),
  ).toEqual([
    ['products:4', 'on_hand', 'price'],
    ['products:1', 'name'],
  ]);
});

test('a count leaves promises alone, and says what is missing', async ({ api }) => {
  const product = await attachNewProduct(api, { stock: 10 });
  await openOrder(api, { items: [{ p1_id: product.p1_id, qty: 4, price: 4.95 }] });
  const { results } = await changed(api, { p1_id: product.p1_id, on_hand: 3, reason: 'count' });
  expect(results).toEqual([
    {
      p1_id: product.p1_id,
      status: 'updated',
      unit: 'piece',
      stock_quantity: 0,
      on_hand: 3,
      shortage: 1,
      stock_version: expect.any(Number),
    },
  ]);
});

test('products: every fault of state fails its item whole and it alone', async ({ api }) => {
  const offered = await attachNewProduct(api);
  const other = await holdProduct(api);
  const third = await holdProduct(api);
  const fourth = await holdProduct(api);
  const unheld = await importProduct();
  const big = { metadata: { text: 'x'.repeat(3_000) } };
  const { results, summary } = await changedProducts(
    api,
    { p1_id: 'P1-nirgends', name: 'Neu' },
    { p1_id: unheld.p1_id, name: 'Neu' },
    {
      p1_id: offered.p1_id,
      slug: 'mein-produkt',
      price: 2,
      overrides: [{ shop_id: api.shopId, overrides: { price: 3, ...big } }],
    },
    { p1_id: other.p1_id, name: 'Neu', slug: 'mein-produkt' },
    { p1_id: third.p1_id, name: 'Neu', overrides: [{ shop_id: api.shopId, overrides: { price: 1 } }] },
    { p1_id: fourth.p1_id, name: 'Neu', overrides: [{ shop_id: newId(), overrides: { price: 1 } }] },
  );
  expect(results).toEqual([
    failedWith('P1-nirgends', 'catalog_product_not_found'),
    failedWith(unheld.p1_id, 'product_not_in_inventory'),
    { p1_id: offered.p1_id, status: 'updated' },
    failedWith(other.p1_id, 'slug_taken'),
    failedWith(third.p1_id, 'product_not_attached'),
    failedWith(fourth.p1_id, 'shop_not_found'),
  ]);
  expect(summary).toEqual({ created: 0, updated: 1, unchanged: 0, failed: 5 });
  for (const { p1_id } of [other, third, fourth]) expect((await item(api, p1_id)).name).toBe(offered.name);
  const more = { metadata: { more: 'x'.repeat(2_000) } };
  const grown = { p1_id: offered.p1_id, name: 'Neu', overrides: [{ shop_id: api.shopId, overrides: more }] };
  expect((await changedProducts(api, grown)).results).toEqual([failedWith(offered.p1_id, 'overrides_too_large')]);
  expect((await item(api, offered.p1_id)).name).toBe(offered.name);
});

test('a unit changes where nothing is in stock, promised or reserved, and fails its item elsewhere', async ({
  api,
}) => {
  const [empty, full, same] = [await holdProduct(api, { stock: 0 }), await holdProduct(api), await holdProduct(api)];
  const { results } = await changedProducts(
    api,
    { p1_id: empty.p1_id, unit: 'g', unit_step: 5 },
    { p1_id: full.p1_id, unit: 'g', price: 1 },
    { p1_id: same.p1_id, unit: 'piece' },
  );
  expect(results).toEqual([
    { p1_id: empty.p1_id, status: 'updated' },
    failedWith(full.p1_id, 'unit_fixed'),
    { p1_id: same.p1_id, status: 'updated' },
  ]);
  expect(await item(api, empty.p1_id)).toMatchObject({ unit: 'g', unit_step: 5 });
  expect(await item(api, full.p1_id)).toMatchObject({ unit: 'piece' });
});

test('a product may take the slug that one before it in the command gives up', async ({ api }) => {
  const [one, other] = [await holdProduct(api), await holdProduct(api)];
  await changedProducts(api, { p1_id: one.p1_id, slug: 'a' }, { p1_id: other.p1_id, slug: 'b' });
  const { results } = await changedProducts(api, { p1_id: one.p1_id, slug: 'c' }, { p1_id: other.p1_id, slug: 'a' });
  expect(results).toMatchObject([{ status: 'updated' }, { status: 'updated' }]);
  expect([(await item(api, one.p1_id)).slug, (await item(api, other.p1_id)).slug]).toEqual(['c', 'a']);
});

test('500 changes of products cost two round trips', async () => {
  const api = await openBudgeted();
  const p1Ids = await stocked(api, 500);
  await insertRows('listings', 0 + 1, {
    p1_id: quoted(p1Ids[0] ?? ''),
    org_id: quoted(api.orgId),
    shop_id: quoted(api.shopId),
  });
  await warm(api);
  const items = p1Ids.map((p1_id, index) => ({
    ...{ p1_id, name: `Neu ${index}`, price: index + 1, available: index % 2 === 0, description: null },
    ...(index === 0 && { overrides: [{ shop_id: api.shopId, overrides: { name: 'Hier', metadata: { a: 1 } } }] }),
  }));
  const cost = await costOf(async () => {
    expect(succeeded(await callApi(api, 'PATCH', '/products', { body: { items } })).summary.updated).toBe(500);
  });
  expect(cost.roundTrips).toBe(2);
  const [found] = succeeded(await callApi(api, 'GET', '/products', { query: { shop_id: api.shopId, q: 'hier' } })).data;
  expect(found).toMatchObject({ p1_id: p1Ids[0], name: 'Hier', price: 1, available: true, metadata: { a: 1 } });
});
