import { newId } from '../../src/platform/ids';
import {
  attach,
  attachNewProduct,
  type CatalogRow,
  callApi,
  eventTypesOf,
  expectProblem,
  footprint,
  holdProduct,
  importFile,
  importProduct,
  importProducts,
  newPzn,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { expect, test } from '../support/test';
import { operate } from '../support/world';

/** A product as answers show it while no layer but the catalog says anything. */
function plain(product: CatalogRow, rest: Record<string, unknown>) {
  const catalog = Object.fromEntries(
    ['name', 'slug', 'category', 'price', 'prescription_required'].map((field) => [field, 'catalog']),
  );
  return {
    pzn: null,
    ...product,
    description: null,
    available: true,
    thc_percent: null,
    cbd_percent: null,
    available_for_pickup: true,
    available_for_shipping: true,
    prescription_required: false,
    unit: 'piece',
    unit_step: 1,
    sources: {
      ...catalog,
      description: 'default',
      available: 'default',
      thc_percent: 'default',
      cbd_percent: 'default',
      available_for_pickup: 'default',
      available_for_shipping: 'default',
      unit: 'default',
      unit_step: 'default',
    },
    metadata: {},
    ...rest,
  };
}

async function list(api: OrganizationApi, query: Record<string, string | number> = {}) {
  return succeeded(await callApi(api, 'GET', '/products', { query: { shop_id: api.shopId, ...query } }));
}

async function detail(api: OrganizationApi, p1Id: string, shopId = api.shopId) {
  return succeeded(await callApi(api, 'GET', `/products/${p1Id}`, { query: { shop_id: shopId } }));
}

async function update(api: OrganizationApi, p1Id: string, body: unknown) {
  return succeeded(await callApi(api, 'PUT', `/products/${p1Id}`, { body }));
}

async function override(api: OrganizationApi, p1_id: string, overrides: unknown, mode?: string) {
  const body = { shop_id: api.shopId, p1_id, overrides, mode };
  return succeeded(await callApi(api, 'POST', '/shops/product-overrides', { body }));
}

async function detach(api: OrganizationApi, p1_id: string, shop_id = api.shopId) {
  return succeeded(await callApi(api, 'POST', '/shops/detach-product', { body: { shop_id, p1_id } }));
}

async function add(api: OrganizationApi, body: Record<string, unknown>) {
  return callApi(api, 'POST', '/products/add-to-inventory', { body });
}

test('row 1 lists the shops of the organization and no other, by name', async () => {
  const [api] = [await openOrganizationApi(), await openOrganizationApi()];
  const also = { url: expect.any(String), shipping_options: ['Abholung', 'Versand', 'Express', 'Lieferdienst'] };
  expect(succeeded(await callApi(api, 'GET', '/shops'))).toEqual({
    data: [
      { shop_id: api.shopId, name: 'Mitte', is_active: true, ...also },
      { shop_id: api.otherShopId, name: 'Nord', is_active: true, ...also },
    ],
  });
});

test('row 2 gives 50 products and page 1 unless asked otherwise, ordered by p1_id', async ({ api }) => {
  const prefix = newId();
  const members = Array.from({ length: 53 }, (_, index) => ({ p1_id: `${prefix}-${String(index).padStart(2, '0')}` }));
  // The last ones first: the order must come from the query.
  const products = await importProducts(...members.toReversed());
  for (const { p1_id } of products) {
    succeeded(await add(api, { p1_id }), 201);
    await attach(api, p1_id);
  }
  const ids = members.map(({ p1_id }) => p1_id);
  const idsOf = ({ data }: { data: { p1_id: string }[] }) => data.map(({ p1_id }) => p1_id);
  const first = await list(api);
  expect(idsOf(first)).toEqual(ids.slice(0, 50));
  expect(first.pagination).toEqual({ page: 1, limit: 50, total: 53, total_pages: 2 });
  const second = await list(api, { page: 2 });
  expect(idsOf(second)).toEqual(ids.slice(50));
  expect(second.pagination).toEqual({ page: 2, limit: 50, total: 53, total_pages: 2 });
  const past = await list(api, { page: 3 });
  expect(past).toEqual({ data: [], pagination: { page: 3, limit: 50, total: 53, total_pages: 2 } });
  const narrow = await list(api, { limit: 7, page: 8 });
  expect(idsOf(narrow)).toEqual(ids.slice(49));
  expect(narrow.pagination).toEqual({ page: 8, limit: 7, total: 53, total_pages: 8 });
  expect(idsOf(await list(api, { limit: 200 }))).toEqual(ids);
  // What is filtered is paged in the same way.
  const filtered = await list(api, { q: prefix, limit: 10, page: 2 });
  expect(idsOf(filtered)).toEqual(ids.slice(10, 20));
  expect(filtered.pagination).toEqual({ page: 2, limit: 10, total: 53, total_pages: 6 });
  expect((await list(api, { q: prefix, page: 9 })).data).toEqual([]);
});

test('an empty shop has no pages', async () => {
  expect(await list(await openOrganizationApi())).toEqual({
    data: [],
    pagination: { page: 1, limit: 50, total: 0, total_pages: 0 },
  });
});

test('row 3 gives the contract’s fields and what stands beside them', async ({ api }) => {
  const product = await attachNewProduct(api, { stock: 7 });
  const expected = plain(product, { stock_quantity: 7, shop_id: api.shopId });
  expect(await detail(api, product.p1_id)).toEqual({ ...expected, overrides: {} });
  expect((await list(api)).data).toEqual([expected]);
});

test('row 4 adds a product with stock 1 unless asked otherwise', async ({ api }) => {
  const product = await importProduct();
  const answer = await add(api, { p1_id: product.p1_id });
  expect(succeeded(answer, 201)).toEqual(plain(product, { stock_quantity: 1, shop_id: null }));
});

test('row 4 takes an initial stock of 0 and a price of the organization’s own', async ({ api }) => {
  const product = await importProduct();
  const added = succeeded(await add(api, { p1_id: product.p1_id, initial_stock: 0, price: 3.5 }), 201);
  expect(added).toMatchObject({ stock_quantity: 0, price: 3.5, sources: { price: 'organization', name: 'catalog' } });
});

test('row 4 on a product that is held answers 200 with the record as it is, and writes nothing', async ({ api }) => {
  const product = await holdProduct(api, { stock: 7, price: 3.5 });
  await update(api, product.p1_id, { name: 'Eigener Name' });
  const before = await footprint(api.orgId);
  const again = succeeded(await add(api, { p1_id: product.p1_id, initial_stock: 99, price: 1 }));
  expect(again).toMatchObject({ stock_quantity: 7, price: 3.5, name: 'Eigener Name' });
  expect(await footprint(api.orgId)).toEqual(before);
});

test('row 5 changes what is sent and says what changed', async ({ api }) => {
  const product = await attachNewProduct(api, { price: 3.5 });
  const slug = `eigen-${newId()}`;
  const fields = {
    name: 'Eigener Name',
    slug,
    description: 'Eigene Beschreibung',
    category: 'Eigene',
    price: 9.49,
    available: false,
    thc_percent: 12.5,
    cbd_percent: 0,
    available_for_pickup: false,
    available_for_shipping: false,
    prescription_required: true,
    unit: 'piece',
    unit_step: 5,
  };
  const updated = await update(api, product.p1_id, fields);
  expect(updated).toMatchObject({ ...fields, shop_id: null });
  expect(updated.changed).toEqual(Object.keys(fields));
  expect(new Set(Object.values(updated.sources))).toEqual(new Set(['organization']));
  expect(await detail(api, product.p1_id)).toMatchObject(fields);
});

test('row 5 names only what really changed, and writes nothing when that is nothing', async ({ api }) => {
  const { p1_id } = await holdProduct(api, { price: 3.5 });
  expect((await update(api, p1_id, { price: 3.5, name: 'Neu' })).changed).toEqual(['name']);
  const before = await footprint(api.orgId);
  expect((await update(api, p1_id, { price: 3.5, name: 'Neu', description: null })).changed).toEqual([]);
  expect(await footprint(api.orgId)).toEqual(before);
});

test('null clears the organization’s value, so that the catalog’s shows again', async ({ api, attached: product }) => {
  const fields = { name: 'Neu', slug: `neu-${newId()}`, price: 1, available: false, thc_percent: 5, category: 'Neu' };
  await update(api, product.p1_id, fields);
  const cleared = Object.fromEntries(Object.keys(fields).map((field) => [field, null]));
  const updated = await update(api, product.p1_id, cleared);
  expect(updated).toEqual({ ...plain(product, { stock_quantity: 10, shop_id: null }), changed: updated.changed });
  expect(updated.changed.toSorted()).toEqual(Object.keys(fields).toSorted());
});

test('a slug is the organization’s own: taken within it, free in another', async () => {
  const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
  const [first, second] = [await holdProduct(api), await holdProduct(api)];
  const slug = `eigen-${newId()}`;
  await update(api, first.p1_id, { slug });
  const before = await footprint(api.orgId);
  const refused = await callApi(api, 'PUT', `/products/${second.p1_id}`, { body: { slug, price: 1 } });
  expectProblem(refused, 409, 'slug_taken');
  expect(refused.body.errors).toMatchObject([{ pointer: '/slug', code: 'slug_taken' }]);
  expect(await footprint(api.orgId)).toEqual(before);
  const theirs = await holdProduct(other);
  expect((await update(other, theirs.p1_id, { slug })).slug).toBe(slug);
  expect((await update(api, first.p1_id, { slug })).changed).toEqual([]);
});

test('rows 5 to 8 change nothing of another shop', async ({ api, attached: { p1_id } }) => {
  await attach(api, p1_id, { price: 1 }, api.otherShopId);
  const before = await detail(api, p1_id, api.otherShopId);
  await override(api, p1_id, { price: 2, name: 'Hier anders' });
  await detach(api, p1_id);
  expect(await detail(api, p1_id, api.otherShopId)).toEqual(before);
});

test('row 6 attaches with the overrides that are sent, says what the shop shows', async ({ api, held: product }) => {
  const offer = await attach(api, product.p1_id, { price: 8.49, name: 'Nur hier', category: null });
  const overrides = { price: 8.49, name: 'Nur hier' };
  expect(offer).toMatchObject({
    shop_id: api.shopId,
    p1_id: product.p1_id,
    attached: true,
    overrides,
    changed: true,
    effective: { ...overrides, shop_id: api.shopId, sources: { price: 'shop', name: 'shop', category: 'catalog' } },
  });
  const { overrides: shown, ...effective } = await detail(api, product.p1_id);
  expect(effective).toEqual(offer.effective);
  expect(shown).toEqual(overrides);
});

test('row 6 is safe to repeat, at stock 0 too, and applies overrides by mode', async ({ api }) => {
  const { p1_id } = await attachNewProduct(api, { overrides: { price: 8.49 } });
  succeeded(await callApi(api, 'PATCH', `/inventory/${p1_id}`, { body: { stock_quantity: 0 } }));
  expect(await attach(api, p1_id)).toMatchObject({ attached: true, overrides: { price: 8.49 }, changed: false });
  const merged = await attach(api, p1_id, { name: 'Nur hier' });
  expect(merged).toMatchObject({ overrides: { price: 8.49, name: 'Nur hier' }, changed: true });
  const body = { shop_id: api.shopId, p1_id, overrides: { available: false }, mode: 'replace' };
  const replaced = succeeded(await callApi(api, 'POST', '/shops/attach-product', { body }));
  expect(replaced).toMatchObject({ overrides: { available: false }, changed: true, effective: { stock_quantity: 0 } });
  expect(replaced.overrides).toEqual({ available: false });
});

test('a product that is attached stays so at stock 0; one that is not cannot be attached', async ({ api }) => {
  const { p1_id } = await attachNewProduct(api);
  succeeded(await callApi(api, 'PATCH', `/inventory/${p1_id}`, { body: { delta: -10 } }));
  expect(await detail(api, p1_id)).toMatchObject({ stock_quantity: 0 });
  expect((await list(api)).pagination.total).toBe(1);
  const body = { shop_id: api.otherShopId, p1_id };
  const refused = await callApi(api, 'POST', '/shops/attach-product', { body });
  expectProblem(refused, 409, 'out_of_stock');
  expect(refused.body.stock_quantity).toBe(0);
});

test('row 7 detaches and forgets the overrides; it is safe to repeat', async ({ api }) => {
  const { p1_id } = await attachNewProduct(api, { overrides: { price: 8.49 } });
  const gone = { shop_id: api.shopId, p1_id, attached: false, overrides: {}, effective: null };
  expect(await detach(api, p1_id)).toEqual({ ...gone, changed: true });
  expect(await detach(api, p1_id)).toEqual({ ...gone, changed: false });
  expect((await list(api)).data).toEqual([]);
  const missing = await callApi(api, 'GET', `/products/${p1_id}`, { query: { shop_id: api.shopId } });
  expectProblem(missing, 404, 'product_not_attached');
  expect((await attach(api, p1_id)).overrides).toEqual({});
});

test('row 8 merges unless asked to replace; null removes a key', async ({ api }) => {
  const { p1_id, price } = await attachNewProduct(api, { overrides: { price: 8.49, name: 'Nur hier' } });
  expect(await override(api, p1_id, { category: 'Angebote', price: null })).toMatchObject({
    overrides: { name: 'Nur hier', category: 'Angebote' },
    effective: { price, sources: { price: 'catalog' } },
    changed: true,
  });
  expect((await override(api, p1_id, { name: 'Anders', description: null }, 'replace')).overrides).toEqual({
    name: 'Anders',
  });
  expect((await override(api, p1_id, {}, 'replace')).overrides).toEqual({});
});

test('row 8 merges metadata deeply, as RFC 7396 has it; null removes a key, replace the whole', async ({
  api,
  attached: { p1_id },
}) => {
  const metadata = async () => (await detail(api, p1_id)).metadata;
  await override(api, p1_id, { price: 2, metadata: { erp: { id: 4711, tags: ['a', 'b'] }, shelf: 'A3' } });
  expect(await metadata()).toEqual({ erp: { id: 4711, tags: ['a', 'b'] }, shelf: 'A3' });
  await override(api, p1_id, { metadata: { erp: { id: null, tags: ['c'], more: { deep: true } } } });
  expect(await metadata()).toEqual({ erp: { tags: ['c'], more: { deep: true } }, shelf: 'A3' });
  const merged = await override(api, p1_id, { metadata: { erp: 'text', shelf: null } });
  expect(merged).toMatchObject({ changed: true, effective: { price: 2, metadata: { erp: 'text' } } });
  expect(merged.overrides).toEqual({ price: 2, metadata: { erp: 'text' } });
  expect((await override(api, p1_id, { metadata: { erp: 'text' } })).changed).toBe(false);
  await override(api, p1_id, { metadata: { a: { b: null, c: 1 } } }, 'replace');
  expect((await detail(api, p1_id)).overrides).toEqual({ metadata: { a: { c: 1 } } });
  await override(api, p1_id, { metadata: null });
  expect((await detail(api, p1_id)).overrides).toEqual({});
  expect(await metadata()).toEqual({});
});

test('metadata of two callers at once are both kept', async ({ api, attached: { p1_id } }) => {
  await Promise.all(['a', 'b', 'c', 'd'].map((key) => override(api, p1_id, { metadata: { of: { [key]: 1 } } })));
  expect((await detail(api, p1_id)).metadata).toEqual({ of: { a: 1, b: 1, c: 1, d: 1 } });
});

test('metadata hold 4 KiB and four levels, sent and merged', async ({ api, attached: { p1_id } }) => {
  const send = (metadata: unknown) =>
    callApi(api, 'POST', '/shops/product-overrides', { body: { shop_id: api.shopId, p1_id, overrides: { metadata } } });
  const faultOf = async (metadata: unknown) => {
    const answer = await send(metadata);
    expectProblem(answer, 400, 'validation_failed');
    return answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]);
  };
  expect(await faultOf({ a: { b: { c: { d: { e: 1 } } } } })).toEqual([['/overrides/metadata', 'too_deep']]);
  expect(await faultOf({ a: 'ä'.repeat(2_045) })).toEqual([['/overrides/metadata', 'too_big']]);
  expect(await faultOf([1])).toEqual([['/overrides/metadata', 'invalid_type']]);
  // Eight bytes beside the text.
  expect((await send({ a: 'ä'.repeat(2_044) })).status).toBe(200);
  const grown = await send({ b: 1 });
  expectProblem(grown, 400, 'overrides_too_large');
  expect(grown.body.errors[0].pointer).toBe('/overrides/metadata');
  expect((await send({ a: { b: { c: { d: 1 } } } })).status).toBe(200);
});

test('float noise in a price is forgiven and goes no further', async ({ api, attached: { p1_id } }) => {
  expect(await update(api, p1_id, { price: 0.1 + 0.2 })).toMatchObject({ price: 0.3, changed: ['price'] });
  expect((await update(api, p1_id, { price: 0.3 })).changed).toEqual([]);
  expect(await override(api, p1_id, { price: 1.1 * 3 })).toMatchObject({ overrides: { price: 3.3 } });
  expect((await override(api, p1_id, { price: 3.3 })).changed).toBe(false);
});

const ADD = 'POST /products/add-to-inventory';
const ATTACH = 'POST /shops/attach-product';
const DETACH = 'POST /shops/detach-product';
const OVERRIDE = 'POST /shops/product-overrides';

/** `known` to the catalog, `held`, and held but `empty`; in the organization's shop unless another one is named. */
const REFUSALS: [string, Record<string, unknown> | undefined, string][] = [
  [ADD, { p1_id: 'P1-none' }, '404 catalog_product_not_found'],
  ['PUT /products/P1-none', { price: 1 }, '404 catalog_product_not_found'],
  ['PUT /products/{known}', { price: 1 }, '409 product_not_in_inventory'],
  [ATTACH, { p1_id: 'P1-none' }, '404 catalog_product_not_found'],
  [ATTACH, { p1_id: '{known}' }, '409 product_not_in_inventory'],
  [ATTACH, { p1_id: '{empty}' }, '409 out_of_stock'],
  [ATTACH, { p1_id: '{held}', shop_id: newId() }, '404 shop_not_found'],
  [DETACH, { p1_id: 'P1-none' }, '404 catalog_product_not_found'],
  [DETACH, { p1_id: '{held}', shop_id: newId() }, '404 shop_not_found'],
  [OVERRIDE, { p1_id: 'P1-none', overrides: {} }, '404 catalog_product_not_found'],
  [OVERRIDE, { p1_id: '{held}', overrides: {} }, '404 product_not_attached'],
  [OVERRIDE, { p1_id: '{known}', overrides: {} }, '404 product_not_attached'],
  [OVERRIDE, { p1_id: '{held}', shop_id: newId(), overrides: {} }, '404 shop_not_found'],
  ['PATCH /inventory/P1-none', { delta: 1 }, '404 catalog_product_not_found'],
  ['PATCH /inventory/{known}', { delta: 1 }, '409 product_not_in_inventory'],
  ['PATCH /inventory/{held}', { delta: -11 }, '409 insufficient_stock'],
  ['DELETE /inventory/P1-none', undefined, '404 catalog_product_not_found'],
  ['DELETE /inventory/{known}', undefined, '409 product_not_in_inventory'],
];

test('each call is refused by its precondition, and nothing changes', async ({ api }) => {
  const [known, held, empty] = [await importProduct(), await holdProduct(api), await holdProduct(api, { stock: 0 })];
  const named = (text: string) =>
    text.replace('{known}', known.p1_id).replace('{held}', held.p1_id).replace('{empty}', empty.p1_id);
  const before = await footprint(api.orgId);
  for (const [called, members, refusal] of REFUSALS) {
    const [method = '', path = ''] = named(called).split(' ');
    const shop = called.includes('/shops/') && { shop_id: api.shopId };
    const body = members && JSON.parse(named(JSON.stringify({ ...shop, ...members })));
    const [status, code = ''] = refusal.split(' ');
    expectProblem(await callApi(api, method, path, { body }), Number(status), code);
  }
  expect(await footprint(api.orgId)).toEqual(before);
});

const FOUND: [name: string, q: string][] = [
  ['Cannabisblüten Göttingen', 'blüten gött'],
  ['Cannabisblüten Göttingen', 'CANNABIS'],
  ['Cannabisblüten Göttingen', 'cannabisbluten'],
  ['Cannabisblüten Göttingen', 'cannabisblu\u0308ten'],
  ['Kamillenbluten', 'Kamillenblüten'],
  ['Großpackung', 'GROSSPACK'],
  ['Grosskiste', 'großkist'],
  ['Crème fraîche', 'creme fraiche'],
  ['Salbe 5 % fett', '5 %'],
  ["L'Oréal", "l'oreal"],
  ['A\\B', 'a\\b'],
];

test('the search finds a name however it is written, and takes no character for a joker', async ({ api }) => {
  for (const name of new Set(FOUND.map(([name]) => name))) await attachNewProduct(api, { name });
  for (const [name, q] of FOUND) {
    const found = await list(api, { q });
    expect([q, found.data.map((product: { name: string }) => product.name), found.pagination.total]).toEqual([
      q,
      [name],
      1,
    ]);
  }
  for (const q of ['S%lbe', 'Salbe_5', 'Tropfen']) expect([q, (await list(api, { q })).data]).toEqual([q, []]);
});

test('filters look at what the shop shows, whichever layer it comes from', async ({ api }) => {
  const { p1_id } = await attachNewProduct(api, { category: 'Katalog' });
  const total = async (query: Record<string, string>) => (await list(api, query)).pagination.total;
  expect([await total({ category: 'Katalog' }), await total({ category: 'katalog' })]).toEqual([1, 0]);
  expect([await total({ available: 'true' }), await total({ available: 'false' })]).toEqual([1, 0]);
  await update(api, p1_id, { category: 'Apotheke', available: false });
  expect([await total({ category: 'Apotheke' }), await total({ available: 'false' })]).toEqual([1, 1]);
  await override(api, p1_id, { category: 'Filiale', available: true });
  expect(await total({ category: 'Filiale', available: 'true', q: 'ibu' })).toBe(1);
  expect(await total({ category: 'Filiale', available: 'false', q: 'ibu' })).toBe(0);
  expect(await total({ category: 'Apotheke' })).toBe(0);
});

test('one organization’s values never show in another, whatever they are', async () => {
  const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
  const { p1_id } = await attachNewProduct(api);
  succeeded(await add(other, { p1_id, initial_stock: 3, price: 777.77 }), 201);
  await attach(other, p1_id, { name: 'FREMD' });
  await update(other, p1_id, { description: 'FREMD', category: 'FREMD' });
  await override(other, p1_id, { description: 'FREMD' });
  const answers = [
    await list(api),
    await detail(api, p1_id),
    await attach(api, p1_id),
    await update(api, p1_id, { price: 2 }),
    succeeded(await callApi(api, 'GET', '/inventory')),
    succeeded(await callApi(api, 'GET', '/shops')),
  ];
  expect(JSON.stringify(answers)).not.toMatch(/FREMD|777\.77/);
  expect((await list(api, { q: 'fremd' })).pagination.total).toBe(0);
  expect((await detail(api, p1_id)).stock_quantity).toBe(10);
});

test('an import that changes the catalog shows where nobody says otherwise, and is told once', async ({ api }) => {
  const product = await attachNewProduct(api, { overrides: { price: 8.49 } });
  const events = await eventTypesOf(api.orgId);
  await importFile(JSON.stringify({ ...product, name: 'Neuer Name', price: 99 }));
  expect(await detail(api, product.p1_id)).toMatchObject({ name: 'Neuer Name', price: 8.49 });
  expect(await eventTypesOf(api.orgId)).toEqual([...events, 'products_updated']);
});

test('the inventory lists what the organization holds, page by page behind a cursor', async () => {
  const api = await openOrganizationApi({ low_stock_threshold: 3 });
  const products = [await holdProduct(api), await holdProduct(api, { stock: 4, price: 2.5 }), await holdProduct(api)];
  const ids = products.map(({ p1_id }) => p1_id).toSorted();
  const first = succeeded(await callApi(api, 'GET', '/inventory', { query: { limit: 2 } }));
  expect(first.data.map((item: { p1_id: string }) => item.p1_id)).toEqual(ids.slice(0, 2));
  const query = { limit: 2, cursor: first.next_cursor };
  const second = succeeded(await callApi(api, 'GET', '/inventory', { query }));
  expect(second.data.map((item: { p1_id: string }) => item.p1_id)).toEqual(ids.slice(2));
  expect(second.next_cursor).toBeNull();
  const all = succeeded(await callApi(api, 'GET', '/inventory'));
  expect(all.data.find((item: { p1_id: string }) => item.p1_id === products[1]?.p1_id)).toMatchObject({
    name: products[1]?.name,
    slug: products[1]?.slug,
    category: 'Schmerzmittel',
    price: 2.5,
    stock_quantity: 4,
    ...{ on_hand: 4, committed_quantity: 0, reserved_quantity: 0, shortage: 0, stock_version: 1 },
    low_stock_threshold: 3,
  });
  await operate(`/organizations/${api.orgId}`, { low_stock_threshold: 8 }, 'PATCH');
  expect(succeeded(await callApi(api, 'GET', '/inventory')).data[0].low_stock_threshold).toBe(8);
});

const idsIn = ({ data }: { data: { p1_id: string }[] }) => data.map(({ p1_id }) => p1_id);

test('the catalog is found by name, PZN and category, page by page, and says what is held', async ({ api }) => {
  const run = newId();
  const pzn = newPzn();
  const members = [{ pzn }, { category: `K ${run}` }, { category: `K ${run}` }];
  const named = members.map((each, index) => ({ ...each, p1_id: `${run}-${index}`, name: `Süßholz ${run} ${index}` }));
  const [first, second, third] = await importProducts(...named);
  await add(api, { p1_id: second?.p1_id });
  const find = async (query: Record<string, string | number>) =>
    succeeded(await callApi(api, 'GET', '/catalog/products', { query }));
  const page = await find({ q: `SUSSHOLZ ${run}`, limit: 2 });
  expect(page.data).toEqual([
    { ...{ ...first, pzn }, prescription_required: false, in_inventory: false },
    { ...{ ...second, pzn: null }, prescription_required: false, in_inventory: true },
  ]);
  const next = await find({ q: `sußholz ${run}`, limit: 2, cursor: page.next_cursor });
  expect([idsIn(next), next.next_cursor]).toEqual([[third?.p1_id], null]);
  expect(idsIn(await find({ pzn }))).toEqual([first?.p1_id]);
  expect(idsIn(await find({ pzn: pzn.replace(/^0+/, ''), q: 'nirgends' }))).toEqual([]);
  expect(idsIn(await find({ category: `K ${run}` }))).toEqual([second?.p1_id, third?.p1_id]);
  expect(idsIn(await find({ category: `K ${run}`, q: `${run} 2` }))).toEqual([third?.p1_id]);
});

test('the catalog is listed by change, page by page, and with a filter by id', async ({ api }) => {
  const before = new Date().toISOString();
  const run = newId();
  const made = await importProducts(...['b', 'a', 'c'].map((each) => ({ p1_id: `${run}-${each}`, category: run })));
  const [b] = made;
  await importFile(JSON.stringify({ ...b, price: 9 }));
  const seen: string[] = [];
  for (let cursor: string | null = '', query = {}; cursor !== null; query = { cursor }) {
    const asked = { updated_after: before, limit: 2, ...query };
    const page = succeeded(await callApi(api, 'GET', '/catalog/products', { query: asked }));
    seen.push(...idsIn(page).filter((id) => id.startsWith(run)));
    cursor = page.next_cursor;
  }
  expect(seen.toSorted()).toEqual([`${run}-a`, `${run}-b`, `${run}-c`]);
  const filtered = { updated_after: before, category: run };
  expect(idsIn(succeeded(await callApi(api, 'GET', '/catalog/products', { query: filtered })))).toHaveLength(3);
  const later = { updated_after: new Date(Date.now() + 1_000).toISOString() };
  for (const query of [later, { ...later, category: run }]) {
    expect(succeeded(await callApi(api, 'GET', '/catalog/products', { query }))).toEqual({
      data: [],
      next_cursor: null,
      has_more: false,
    });
  }
});

test('one product of the inventory is the list’s record; what is not held is 404', async ({ api }) => {
  const { p1_id } = await holdProduct(api);
  const [listed] = succeeded(await callApi(api, 'GET', '/inventory')).data;
  expect(succeeded(await callApi(api, 'GET', `/inventory/${p1_id}`))).toEqual(listed);
  const unheld = await importProduct();
  for (const path of [`/inventory/${unheld.p1_id}`, `/inventory/${unheld.p1_id}/log`]) {
    expectProblem(await callApi(api, 'GET', path), 404, 'not_found');
  }
  expectProblem(await callApi(api, 'GET', '/inventory/P1-nirgends/log'), 404, 'catalog_product_not_found');
});

test('the ledger of a product tells each movement, newest first, page by page, also once it is removed', async ({
  api,
}) => {
  const { p1_id } = await holdProduct(api, { stock: 10 });
  const items = [{ p1_id, delta: -3, reason: 'damage', reference: 'B-7' }];
  succeeded(await callApi(api, 'PATCH', '/inventory', { body: { items } }));
  succeeded(await callApi(api, 'PATCH', `/inventory/${p1_id}`, { body: { stock_quantity: 9 } }));
  const log = async (query = {}) => succeeded(await callApi(api, 'GET', `/inventory/${p1_id}/log`, { query }));
  const first = await log({ limit: 2 });
  const by = { at: expect.any(String), actor: api.keyId };
  expect(first.data).toEqual([
    { ...by, delta: 2, stock_quantity: 9, on_hand: 9, reason: 'other', reference: null },
    { ...by, delta: -3, stock_quantity: 7, on_hand: 7, reason: 'damage', reference: 'B-7' },
  ]);
  const second = await log({ limit: 2, cursor: first.next_cursor });
  expect(second).toMatchObject({ data: [{ delta: 10, reason: 'initial' }], next_cursor: null });
  succeeded(await callApi(api, 'DELETE', `/inventory/${p1_id}`));
  expect((await log()).data[0]).toMatchObject({ delta: -9, stock_quantity: 0, on_hand: 0, reason: 'removed' });
});
