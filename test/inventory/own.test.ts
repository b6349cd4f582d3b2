import { enter } from '../management/browser';
import { getOrder, openConnector, openOrder, patchOrder } from '../support/order-flow';
import {
  attach,
  callApi,
  eventTypesOf,
  expectProblem,
  footprint,
  holdProduct,
  importFile,
  importProduct,
  newPzn,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { insertRow } from '../support/rows';
import { expect, test } from '../support/test';
import { envelope } from '../support/world';

const CULTIVAR = { name: 'Gorilla Glue 24/1', price: 8.75, unit: 'g', thc_percent: 24, prescription_required: true };

const ask = (api: OrganizationApi, more: Record<string, unknown> = {}) =>
  callApi(api, 'POST', '/products', { body: { ...CULTIVAR, initial_stock: 100, ...more } });
const create = async (api: OrganizationApi, more: Record<string, unknown> = {}) => succeeded(await ask(api, more), 201);
const item = (api: OrganizationApi, p1Id: string) => callApi(api, 'GET', `/inventory/${p1Id}`);

/** Which product a PZN leads to in the organization. */
async function productOf(api: OrganizationApi, pzn: string): Promise<string> {
  const body = { items: [{ pzn, low_stock_threshold: 3 }] };
  return succeeded(await callApi(api, 'PATCH', '/inventory', { body })).results[0].p1_id;
}

test('an own product is in the inventory of its organization, is offered and ordered, and is nobody else’s', async ({
  api,
}) => {
  const pzn = newPzn();
  const made = await create(api, { pzn });
  expect(made).toMatchObject({
    ...{ ...CULTIVAR, pzn, stock_quantity: 100, shop_id: null, category: 'Eigene Produkte', slug: made.p1_id },
    sources: { name: 'organization', price: 'organization', unit: 'organization', available: 'default' },
  });
  expect(made.p1_id).toMatch(/^own-/);
  expect(await eventTypesOf(api.orgId)).toContain('product_created');
  await attach(api, made.p1_id);
  const submit = await openConnector(api);
  const items = [{ p1_id: made.p1_id, quantity: 5, price: 8.75 }];
  const accepted = await (await submit(envelope({ items, prescription_pdf_base64: undefined }))).json();
  expect(JSON.stringify(accepted)).not.toContain('unmatched_item');

  const other = await openOrganizationApi();
  const path = `/products/${made.p1_id}`;
  const answers = [
    await callApi(other, 'GET', path, { query: { shop_id: other.shopId } }),
    await callApi(other, 'PUT', path, { body: { price: 1 } }),
    await callApi(other, 'POST', '/products/add-to-inventory', { body: { p1_id: made.p1_id } }),
    await callApi(other, 'POST', '/shops/attach-product', { body: { shop_id: other.shopId, p1_id: made.p1_id } }),
    await item(other, made.p1_id),
    await callApi(other, 'GET', `/inventory/${made.p1_id}/log`),
    await callApi(other, 'DELETE', `/inventory/${made.p1_id}`),
  ];
  for (const answer of answers) expectProblem(answer, 404, 'catalog_product_not_found');
  const bulk = {
    items: [
      { p1_id: made.p1_id, stock_quantity: 1, add: true },
      { pzn, stock_quantity: 1, add: true },
    ],
  };
  const { results } = succeeded(await callApi(other, 'PATCH', '/inventory', { body: bulk }));
  expect(results.map(({ code }: { code: string }) => code)).toEqual(Array(2).fill('catalog_product_not_found'));
  expect(succeeded(await callApi(other, 'GET', '/catalog/products', { query: { pzn } })).data).toEqual([]);
  const row = { org_id: other.orgId, p1_id: made.p1_id };
  await expect(insertRow('inventory', row)).rejects.toThrow('own_product');
});

test('refuses an own product without a name or price, with a wrong PZN, or with a PZN or slug that another has', async ({
  api,
}) => {
  const pzn = newPzn();
  await create(api, { pzn, slug: 'gorilla' });
  const before = await footprint(api.orgId);
  const wrong = `${pzn.slice(0, 7)}${(Number(pzn[7]) + 1) % 10}`;
  for (const more of [{ name: undefined }, { price: undefined }, { pzn: wrong }, { qty: 1 }])
    expectProblem(await ask(api, more), 400, 'validation_failed');
  expectProblem(await ask(api, { pzn }), 409, 'pzn_taken');
  expectProblem(await ask(api, { slug: 'gorilla' }), 409, 'slug_taken');
  expect(await footprint(api.orgId)).toEqual(before);
  const line = { p1_id: 'OWN-1', name: 'x', slug: 'x-y', category: 'x', price: 1 };
  expect(await (await importFile(JSON.stringify(line))).json()).toMatchObject({
    refused: [{ column: 'p1_id' }],
    imported: 0,
  });
});

test('where the catalog brings the same PZN, it leads to the own product until the two are joined', async ({ api }) => {
  const pzn = newPzn();
  const own = await create(api, { pzn, price: 9, prescription_required: false });
  await attach(api, own.p1_id, { price: 12 });
  const order = await openOrder(api, { items: [{ p1_id: own.p1_id, qty: 10, price: 9 }] });
  const { browser } = await enter(api.orgId, 'pharmacist');
  const page = `/manage/products/${own.p1_id}`;
  expect((await browser.get(page)).text).not.toContain('Zusammenführen');
  const twin = await importProduct({ pzn, name: 'Gorilla Glue, Blüten', unit: 'g' });
  expect(await productOf(api, pzn)).toBe(own.p1_id);
  expect((await browser.get(page)).text).toContain('Der Katalog hat diese PZN jetzt auch: Gorilla Glue, Blüten.');
  const joined = await browser.submit(`${page}/join`, {}, `${page}/join`);
  expect(joined).toMatchObject({ status: 303, location: `/manage/products/${twin.p1_id}` });
  // What is promised stays with the line.
  expect(succeeded(await item(api, own.p1_id))).toMatchObject({
    stock_quantity: 0,
    committed_quantity: 10,
    on_hand: 10,
  });
  expect(succeeded(await item(api, twin.p1_id))).toMatchObject({ stock_quantity: 90, on_hand: 90, price: 9 });
  const query = { shop_id: api.shopId };
  expect(succeeded(await callApi(api, 'GET', `/products/${twin.p1_id}`, { query })).price).toBe(12);
  expectProblem(await callApi(api, 'GET', `/products/${own.p1_id}`, { query }), 404, 'product_not_attached');
  expect((await getOrder(api, order.id)).items[0].p1_id).toBe(own.p1_id);
  expect(await productOf(api, pzn)).toBe(twin.p1_id);
  expect(await browser.get(`${page}/join`)).toMatchObject({ status: 404 });
  succeeded(await patchOrder(api, order.id, { status: 'cancelled', reason_code: 'test' }));
  expect(succeeded(await item(api, own.p1_id))).toMatchObject({ stock_quantity: 10, committed_quantity: 0 });
});

test('joined with a product that is held already, an own one without orders leaves the inventory', async ({ api }) => {
  const pzn = newPzn();
  const twin = await holdProduct(api, { pzn, stock: 7, unit: 'g' });
  const own = await create(api, { pzn, initial_stock: 5 });
  const { browser } = await enter(api.orgId, 'pharmacist');
  const path = `/manage/products/${own.p1_id}/join`;
  const answers = await Promise.all([browser.submit(path, {}, path), browser.submit(path, {}, path)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
  expect(succeeded(await item(api, twin.p1_id))).toMatchObject({ stock_quantity: 12, on_hand: 12 });
  expectProblem(await item(api, own.p1_id), 404, 'not_found');
  expect(await eventTypesOf(api.orgId)).toContain('product_deleted');
  const pieces = newPzn();
  await importProduct({ pzn: pieces });
  const grams = `/manage/products/${(await create(api, { pzn: pieces })).p1_id}/join`;
  expect(await browser.submit(grams, {}, grams)).toMatchObject({ status: 409 });
});

test('staff add an own product on a page; the form keeps what was typed until it is right', async ({ api }) => {
  const { browser } = await enter(api.orgId, 'pharmacist');
  const path = '/manage/catalog/new';
  const typed = { name: 'Hausmischung Erkältungstee', price: '4,95', stock: '12', pzn: '12' };
  const refused = await browser.submit(path, typed, path);
  expect(refused).toMatchObject({ status: 400 });
  for (const text of ['Diese PZN stimmt nicht.', 'Hausmischung Erkältungstee']) expect(refused.text).toContain(text);
  const saved = await browser.submit(path, { ...typed, pzn: '' }, path);
  expect(saved.location).toMatch(/^\/manage\/products\/own-/);
  const { text } = await browser.get(saved.location ?? '');
  for (const words of ['Hausmischung Erkältungstee', 'wie angelegt']) expect(text).toContain(words);
  const staff = await enter(api.orgId, 'staff');
  expect(await staff.browser.get(path)).toMatchObject({ status: 403 });
});
