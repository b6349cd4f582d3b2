import { env } from 'cloudflare:workers';
import { enter } from '../management/browser';
import { approve, getOrder, getRequest, itemOf, openRequest, patchOrder, stockOf } from '../support/order-flow';
import { callApi, catalogRow, expectProblem, holdProduct, importFile, succeeded } from '../support/organization';
import { expect, test } from '../support/test';

const FLOWERS = { unit: 'g', unit_step: 1, thc_percent: 24, cbd_percent: 1, category: 'Blüten', price: 8.75 } as const;

test('flowers by the gram: ordered, taken from stock and packed by weight', async ({ api }) => {
  const product = await holdProduct(api, { ...FLOWERS, name: 'OJ Zainbow', stock: 50 });
  const items = [{ ...itemOf(product, 11), price: 8.75, name: '24/1 IUVO KC OJ Zainbow' }];
  const id = await openRequest(api, { items, total_amount: 96.25, payment_status: 'paid' });
  const request = await getRequest(api, id);
  expect([request.lines[0].unit, request.blockers]).toEqual(['g', []]);
  expect(request.warnings.map(({ code }: { code: string }) => code)).toEqual(['unknown_customer']);
  const { browser } = await enter(api.orgId, 'owner');
  const review = await browser.get(`/manage/requests/${id}`);
  expect(review.text).toMatch(/11 g<[\s\S]*à 8,75\s(€|&euro;)\/g/);
  for (const words of ['THC 24\u00a0%', '1 Packung']) expect(review.text).toContain(words);
  expect(review.text).not.toContain('11 Packungen');

  const { order_id } = succeeded(await approve(api, id));
  expect((await getOrder(api, order_id)).totals).toMatchObject({ items_amount: 96.25, total_amount: 96.25 });
  expect(await stockOf(api.orgId, product.p1_id)).toMatchObject({ stock: 39 });
  const path = `/manage/orders/${order_id}`;
  const page = await browser.get(path);
  const key = /name="hand" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const pack = (grams: string) =>
    browser.post(`${path}/packs`, { form_token: page.token, hand: key, [`weighed-${key}`]: grams });
  expect((await pack('10,8')).status).toBe(409);
  expect((await pack('')).status).toBe(409);
  expect((await pack('10,9')).status).toBe(303);
  expect((await browser.get(path)).text).toContain('Einwaage 10,9 g');
  succeeded(await patchOrder(api, order_id, { status: 'ready_pickup' }));
});

test('packs that a platform counts become grams, and the sent total stays', async ({ api }) => {
  const product = await holdProduct(api, { ...FLOWERS, unit_step: 5, stock: 50 });
  const items = [{ ...itemOf(product, 3), price: 43.77 }];
  const id = await openRequest(api, { items, total_amount: 131.31, payment_status: 'paid' });
  const { order_id, warnings } = succeeded(await approve(api, id));
  expect(warnings).toEqual([]);
  expect(await getOrder(api, order_id)).toMatchObject({
    items: [{ quantity: 15, price: 8.75, unit: 'g' }],
    totals: { items_amount: 131.25, fee_amount: 0.06, total_amount: 131.31 },
    payment_difference: null,
  });
  expect(await stockOf(api.orgId, product.p1_id)).toMatchObject({ stock: 35 });
});

test('a quantity that may be grams or tins is told, and nothing is preset', async ({ api }) => {
  const product = await holdProduct(api, { ...FLOWERS, unit_step: 5, stock: 50 });
  const id = await openRequest(api, { items: [{ ...itemOf(product, 3), price: 20 }] });
  const { warnings } = await getRequest(api, id);
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'unclear_unit', asked: 3, supplied: 15 }));
  const submit = (price: number) => {
    const payload = { customer_name: 'Erika Mustermann', items: [{ ...itemOf(product, 3), price }] };
    return callApi(api, 'POST', '/order-requests', {
      body: { shop_id: api.shopId, external_reference: `T-${price}`, payload },
    });
  };
  const told = { code: 'unclear_unit', pointer: '/payload/items/0', asked: 3, supplied: 15 };
  for (const answer of [await submit(20), await submit(20)]) {
    expect(succeeded(answer).warnings).toEqual([expect.objectContaining(told)]);
  }
  expect(succeeded(await submit(8.75)).warnings).toEqual([]);
  expect(succeeded(await submit(43.75)).warnings).toEqual([]);
  const { browser } = await enter(api.orgId, 'owner');
  const { text } = await browser.get(`/manage/requests/${id}`);
  expect(text).toContain('3 Dosen (15 g) oder 3 g?');
});

test('the unit of a product stays while something is in stock', async ({ api }) => {
  const product = await holdProduct(api, { stock: 5 });
  const path = `/products/${product.p1_id}`;
  expectProblem(await callApi(api, 'PUT', path, { body: { unit: 'g' } }), 409, 'unit_fixed');
  succeeded(await callApi(api, 'PUT', path, { body: { unit_step: 5 } }));
  succeeded(await callApi(api, 'PATCH', `/inventory/${product.p1_id}`, { body: { stock_quantity: 0 } }));
  const changed = succeeded(await callApi(api, 'PUT', path, { body: { unit: 'g' } }));
  expect(changed).toMatchObject({ unit: 'g', unit_step: 5, changed: ['unit'] });
});

test('the catalog changes no unit of what somebody holds', async ({ api }) => {
  const product = await holdProduct(api, { ...FLOWERS });
  const free = catalogRow({ ...FLOWERS });
  const send = async (...rows: object[]) =>
    (await importFile(rows.map((row) => JSON.stringify(row)).join('\n'))).json<{ refused: { column: string }[] }>();
  expect(await send(product, free)).toMatchObject({ imported: 1, unchanged: 1, refused: [] });
  expect(await send({ ...product, unit: 'piece' }, { ...free, unit: 'piece' })).toMatchObject({
    updated: 1,
    refused: [{ line: 1, column: 'unit' }],
  });
  // Without the column it stays as it is.
  const { unit: _, unit_step: __, ...old } = product;
  expect(await send(old)).toMatchObject({ unchanged: 1 });
});

test('the database refuses an unknown unit and step', async ({ held }) => {
  for (const table of ['catalog_products', 'inventory']) {
    const set = (change: string) =>
      env.DB.prepare(`update ${table} set ${change} where p1_id = ?`).bind(held.p1_id).run();
    await expect(set("unit = 'kg'")).rejects.toThrow('unit_known');
    await expect(set('unit_step = 0')).rejects.toThrow('unit_known');
  }
});
