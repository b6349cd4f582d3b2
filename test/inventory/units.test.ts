import { enter } from '../management/browser';
import { approve, itemOf, openRequest } from '../support/order-flow';
import {
  callApi,
  eventsOf,
  expectProblem,
  holdProduct,
  importProduct,
  type OrganizationApi,
  succeeded,
} from '../support/organization';
import { auditOf } from '../support/rows';
import { expect, test } from '../support/test';

const FLOWERS = {
  unit: 'g',
  unit_step: 5,
  thc_percent: 24,
  cbd_percent: 0.5,
  category: 'Blüten',
  price: 8.75,
} as const;

const news = async (orgId: string): Promise<[string, Record<string, unknown>][]> =>
  (await eventsOf(orgId)).flatMap(({ type, body }) => {
    const { metadata } = JSON.parse(body);
    return (metadata.products ?? [metadata]).map((each: Record<string, unknown>) => [type, each]);
  });

const inventoryOf = async (api: OrganizationApi, p1Id: string) =>
  succeeded(await callApi(api, 'GET', `/inventory/${p1Id}`));

test('every answer and event about stock says its unit', async ({ api }) => {
  const { p1_id } = await holdProduct(api, { ...FLOWERS, stock: 20 });
  expect(await inventoryOf(api, p1_id)).toMatchObject({ unit: 'g', unit_step: 5, stock_quantity: 20 });
  expect(succeeded(await callApi(api, 'GET', '/inventory')).data).toMatchObject([{ unit: 'g', unit_step: 5 }]);
  const path = `/inventory/${p1_id}`;
  expect(succeeded(await callApi(api, 'PATCH', path, { body: { stock_quantity: 4 } }))).toMatchObject({ unit: 'g' });
  expect(succeeded(await callApi(api, 'PATCH', path, { body: { stock_quantity: 4 } }))).toMatchObject({ unit: 'g' });
  const fresh = await importProduct({ ...FLOWERS, unit: 'ml', unit_step: 1 });
  const items = [
    { p1_id, delta: -4 },
    { p1_id: fresh.p1_id, add: true, stock_quantity: 250 },
  ];
  expect(succeeded(await callApi(api, 'PATCH', '/inventory', { body: { items } })).results).toMatchObject([
    { status: 'updated', unit: 'g', stock_quantity: 0 },
    { status: 'created', unit: 'ml', stock_quantity: 250 },
  ]);
  const told = await news(api.orgId);
  expect(new Set(told.map(([type]) => type))).toEqual(
    new Set(['product_created', 'product_updated', 'products_updated', 'low_stock', 'out_of_stock']),
  );
  for (const [, metadata] of told) expect(metadata.unit).toBe(metadata.p1_id === p1_id ? 'g' : 'ml');
});

const IMPORT = '/manage/inventory-import';

test('the file of the inventory has unit and step, can be imported again, and is refused in another unit', async ({
  api,
}) => {
  const flowers = await holdProduct(api, { ...FLOWERS, stock: 20 });
  const packs = await holdProduct(api, { stock: 3 });
  const { browser } = await enter(api.orgId, 'owner');
  const file = (await browser.get('/manage/inventory-export')).text;
  const lines = file
    .replaceAll(/[\uFEFF"]/g, '')
    .trim()
    .split('\r\n');
  const [head = '', ...rows] = lines.map((line) => line.split(';'));
  const of = (p1Id: string, heading: string) => rows.find(([id]) => id === p1Id)?.[head.indexOf(heading)];
  expect([of(flowers.p1_id, 'Einheit'), of(flowers.p1_id, 'Schritt')]).toEqual(['g', '5']);
  expect([of(packs.p1_id, 'Einheit'), of(packs.p1_id, 'Schritt')]).toEqual(['piece', '1']);
  const imported = async (text: string, shown = '') => {
    const sent = await browser.submit(IMPORT, { stock_text: text, reason: '' });
    const path = sent.location ?? '';
    const preview = (await browser.get(`${path}?show=${shown}`)).text;
    await browser.submit(`${path}/run`, {}, path);
    return preview;
  };
  await imported(file.replace('"20"', '"35"'));
  expect(await inventoryOf(api, flowers.p1_id)).toMatchObject({ on_hand: 35, unit: 'g' });
  const refused = await imported(`p1_id;on_hand;Einheit\n${flowers.p1_id};7;Stk.\n${packs.p1_id};9;St\n`, 'failed');
  expect(refused).toContain('Das Produkt zählt in einer anderen Einheit.');
  expect(await inventoryOf(api, flowers.p1_id)).toMatchObject({ on_hand: 35 });
  expect(await inventoryOf(api, packs.p1_id)).toMatchObject({ on_hand: 9 });
  const changed = await imported(`p1_id;Gebinde\n${flowers.p1_id};10\n${packs.p1_id};1\n`);
  expect(changed).toMatch(/Schritt<\/span> <s>5<\/s>[\s\S]*?<strong>10<\/strong>/);
  expect(await inventoryOf(api, flowers.p1_id)).toMatchObject({ on_hand: 35, unit_step: 10 });
  expect(await inventoryOf(api, packs.p1_id)).toMatchObject({ unit_step: 1, stock_version: 2 });
  expect(await imported(`p1_id;unit_step\n${flowers.p1_id};0\n`)).toContain('unit_step: nicht lesbar');
  const { browser: staff } = await enter(api.orgId, 'staff');
  const kept = await staff.submit(IMPORT, {
    stock_text: `p1_id;on_hand;Schritt\n${flowers.p1_id};30;10\n${packs.p1_id};9;2\n`,
    reason: '',
  });
  const seen = (await staff.get(`${kept.location}?show=failed`)).text;
  expect(seen).toContain('Preise und Schritte ändern');
  expect(seen).toMatch(/Abgelehnt <span class="count">1</);
  expect(await imported(`p1_id;on_hand;unit\n${packs.p1_id};9;kg\n`)).toContain('unit: nicht lesbar');
});

test('lists of products show THC, CBD, the price of a gram and the stock in grams', async ({ api }) => {
  await holdProduct(api, { ...FLOWERS, name: 'OJ Zainbow', stock: 20 });
  const { browser } = await enter(api.orgId, 'owner');
  for (const path of ['/manage/products', '/manage/catalog?q=OJ+Zainbow']) {
    const { text } = await browser.get(path);
    expect(text).toContain('THC 24\u00a0% · CBD 0,5\u00a0%');
    expect(text).toMatch(/\d,\d\d\s€\/g/);
  }
  expect((await browser.get('/manage/products')).text).toContain('20 g');
});

test('a new unit comes with a new count, in one step, once no order and no reservation holds the product', async ({
  api,
}) => {
  const product = await holdProduct(api, { ...FLOWERS, unit: 'piece', unit_step: 1, price: 43.75, stock: 12 });
  const { p1_id } = product;
  const { browser } = await enter(api.orgId, 'owner');
  const path = `/manage/products/${p1_id}/unit`;
  const typed = { unit: 'g', unit_step: '5', price: '8,75', on_hand: '55' };
  const before = await news(api.orgId);

  const order = succeeded(await approve(api, await openRequest(api, { items: [itemOf(product, 2)] })));
  expect((await browser.get(path)).text).toContain('2 sind für Bestellungen reserviert');
  const held = await browser.submit(path, typed);
  expect(held.status).toBe(400);
  expect(held.text).toContain('solange keine Bestellung oder Vormerkung etwas davon hält');
  const refused = await callApi(api, 'PUT', `/products/${p1_id}`, { body: { unit: 'g' } });
  expectProblem(refused, 409, 'unit_fixed');
  expect(refused.body.detail).toContain('count the stock to 0');
  expect(await inventoryOf(api, p1_id)).toMatchObject({ unit: 'piece', on_hand: 12, committed_quantity: 2 });
  const cancel = { status: 'cancelled', reason_code: 'test' };
  succeeded(await callApi(api, 'PATCH', `/orders/${order.order_id}`, { body: cancel }));

  for (const [field, value] of [
    ['unit', 'kg'],
    ['unit_step', '0'],
    ['price', ''],
    ['on_hand', '1,5'],
  ] as const) {
    expect((await browser.submit(path, { ...typed, [field]: value })).status).toBe(400);
  }
  expect(await browser.submit(path, typed)).toMatchObject({ status: 303, location: `/manage/products/${p1_id}` });
  expect(await inventoryOf(api, p1_id)).toMatchObject({
    ...{ unit: 'g', unit_step: 5, price: 8.75, on_hand: 55, stock_quantity: 55, committed_quantity: 0, shortage: 0 },
  });
  const fields = ['price', 'unit', 'unit_step', 'on_hand'];
  expect((await news(api.orgId)).slice(before.length).at(-1)).toEqual([
    'product_updated',
    expect.objectContaining({ p1_id, unit: 'g', on_hand: 55, changed_fields: ['stock_quantity', ...fields] }),
  ]);
  expect(await auditOf(p1_id, { action: 'product.updated' })).toMatchObject([{ fields: JSON.stringify(fields) }]);
});
