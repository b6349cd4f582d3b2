import { approve, openApprovable, openConnector, openPrescribed, openRequest, requestRow } from '../support/order-flow';
import { attachNewProduct, type OrganizationApi, openOrganizationApi } from '../support/organization';
import { test as base, expect } from '../support/test';
import { envelope } from '../support/world';
import { type Browser, enter } from './browser';
import { saidOn } from './page-forms';

const REQUESTS = '/manage/requests';
const ORDERS = '/manage/orders';
/** The name of one medicine with the id of another and a wrong price. */
const ASKED = 'Ibuprofen 400 mg';
const HELD = 'Cetirizin 10 mg Filmtabletten, 20 St';

const test = base.extend('browser', async ({ api }) => (await enter(api.orgId, 'pharmacist')).browser);

async function openMismatched(api: OrganizationApi, item: Record<string, unknown> = {}) {
  const product = await attachNewProduct(api, { name: HELD, stock: 12, overrides: { price: 4.25 } });
  const items = [{ name: ASKED, p1_id: product.p1_id, quantity: 2, price: 0.05, ...item }];
  return { product, id: await openRequest(api, { items }) };
}

async function textOn(browser: Browser, path: string): Promise<string> {
  return saidOn(await browser.get(path));
}

test('approval shows the matched product, its price, stock and flag beside what was sent', async ({ api, browser }) => {
  const product = await attachNewProduct(api, { name: HELD, stock: 12, prescription_required: true, price: 4.25 });
  const items = [{ name: ASKED, p1_id: product.p1_id, quantity: 2, price: 0.05 }];
  const text = await textOn(browser, `${REQUESTS}/${await openRequest(api, { items })}`);
  for (const fact of [ASKED, HELD, 'Gesendet 0,05', '8,50', 'à 4,25', '2 × Rx', '12 8,50', product.p1_id]) {
    expect(text).toContain(fact);
  }
});

test('another name than the product’s is told to platform and staff, its price to staff', async ({ api, browser }) => {
  const submit = await openConnector(api);
  const product = await attachNewProduct(api, { name: HELD, overrides: { name: 'Cetirizin AL 10 mg', price: 4.25 } });
  const items = [
    { name: ASKED, p1_id: product.p1_id, quantity: 1, price: 0.05 },
    { name: 'Cetirizin 10 mg', p1_id: product.p1_id, quantity: 1, price: 4.25 },
    { name: 'Cetirizin 20 mg', product_id: product.p1_id, quantity: 1, price: 4.25 },
  ];
  const answer = await (await submit(envelope({ items }))).json<{ id: string; warnings: { code: string }[] }>();
  expect(answer.warnings).toMatchObject([
    { code: 'name_mismatch', pointer: '/payload/items/0', p1_id: product.p1_id },
    { code: 'name_mismatch', pointer: '/payload/items/2', p1_id: product.p1_id },
  ]);
  const text = await textOn(browser, `${REQUESTS}/${answer.id}`);
  expect(text).toContain('Anderer Wirkstoff: Cetirizin 10 mg statt Ibuprofen 400 mg');
  expect(text).toContain('Andere Stärke: 10 mg statt 20 mg');
  expect(text).toContain('0,05 € wie gesendet, Ihr Preis ist 4,25 €');
  expect(await textOn(browser, REQUESTS)).toContain('Anderer Wirkstoff + 2 weitere');
});

test('a total that does not fit is told with both numbers, to the platform and to staff', async ({ api, browser }) => {
  const submit = await openConnector(api);
  const items = [{ name: ASKED, quantity: 2, price: 4.95 }];
  const answer = await submit(envelope({ items, total_amount: 1234.5 }));
  const { id, warnings } = await answer.json<{ id: string; warnings: Record<string, unknown>[] }>();
  expect(warnings[0]).toMatchObject({ code: 'fee_differs', sent_total: 1234.5, computed_total: 9.9 });
  expect(warnings[0]?.message).toContain('1234.50');
  expect(await textOn(browser, `${REQUESTS}/${id}`)).toContain('Gesendet 1.234,50 €, ohne Gebühr oder Abzug 9,90 €');
});

test('order, print view and report name the product that is handed out, and mark another name that it was asked by', async () => {
  const api = await openOrganizationApi();
  const { browser } = await enter(api.orgId, 'owner');
  const { id } = await openMismatched(api);
  const { body } = await approve(api, id);
  for (const path of [`${ORDERS}/${body.order_id}`, '/manage/reports?period=30']) {
    const text = await textOn(browser, path);
    expect(text, path).toContain(HELD);
    expect(text, path).toContain(`Angefragt als: ${ASKED}`);
  }
  for (const path of [`${ORDERS}/${body.order_id}`, `${ORDERS}/${body.order_id}?print=1`]) {
    const text = await textOn(browser, path);
    expect(text, path).toContain('0,05');
    // What only the pharmacy knows stands on no paper.
    expect(text, path).not.toMatch(/4,25|vorrätig/);
  }
});

test('items stand by name on every page, also where a platform sent an id alone', async ({ api, browser }) => {
  const { id } = await openMismatched(api, { name: undefined });
  for (const path of [REQUESTS, `${REQUESTS}/${id}`]) expect(await textOn(browser, path), path).toContain(HELD);
  const { body } = await approve(api, id);
  for (const path of [`${REQUESTS}?tab=approved`, ORDERS, `${ORDERS}/${body.order_id}/cancel`]) {
    expect(await textOn(browser, path), path).toContain(HELD);
  }
});

test('a hindrance names its item and gives its numbers', async ({ api, browser }) => {
  const short = await attachNewProduct(api, { name: HELD, stock: 3 });
  const items = [
    { p1_id: short.p1_id, quantity: 7, price: 4.95 },
    { name: 'Hausmischung', quantity: 1, price: 5 },
  ];
  const text = await textOn(browser, `${REQUESTS}/${await openRequest(api, { items })}`);
  expect(text).toMatch(new RegExp(`7 × ${HELD} .*3 .* 4 fehlen, 3 vorrätig Heute 3, 4 nachliefern Menge auf 3`));
  expect(text).toMatch(/1 × Hausmischung kein Produkt .* Keinem Produkt Ihres Sortiments zugeordnet/);
});

test('staff are told who may review a prescription, never to do it', async ({ api }) => {
  const { browser } = await enter(api.orgId, 'staff');
  const { id } = await openPrescribed(api);
  const text = await textOn(browser, `${REQUESTS}/${id}`);
  expect(text).not.toContain('Rezept geprüft');
  expect(text).toContain('Rezepte sehen und prüfen Apotheker und Inhaber');
  const { browser: pharmacist } = await enter(api.orgId, 'pharmacist');
  expect(await textOn(pharmacist, `${REQUESTS}/${id}`)).toContain('Rezept geprüft');
});

test('a product without a quantity is an error: what was typed stays, nothing is decided', async ({ api, browser }) => {
  const { id, product } = await openApprovable(api);
  const typed = {
    lines: '2',
    'name-0': product.name,
    'given-0': product.p1_id,
    'product-0': product.p1_id,
    'quantity-0': '2',
    'price-0': '4,44',
    'product-1': '04150001',
  };
  const answer = await browser.submit(`${REQUESTS}/${id}/approve`, typed, `${REQUESTS}/${id}`);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('id="quantity-1-fault"');
  expect(answer.text).toMatch(/name="product-1"[^>]*value="04150001"/);
  expect(answer.text).toMatch(/name="price-0"[^>]*value="4,44"/);
  expect(await requestRow(id)).toMatchObject({ status: 'pending' });
  // With 0 an item is left out on purpose.
  const left = await browser.submit(`${REQUESTS}/${id}/approve`, { ...typed, 'quantity-1': '0' }, `${REQUESTS}/${id}`);
  expect(left.status).toBe(303);
});

test('a look decides nothing and shows a typed id’s product, its hindrances, the sum', async ({ api, browser }) => {
  const { id } = await openApprovable(api);
  const other = await attachNewProduct(api, { name: HELD, stock: 3 });
  const typed = { lines: '1', 'product-0': other.p1_id, 'quantity-0': '7', 'price-0': '4,25' };
  const { status, text } = await browser.submit(`${REQUESTS}/${id}/check`, typed, `${REQUESTS}/${id}`);
  expect(status).toBe(200);
  const held = 'Cetirizin 10\u00a0mg Filmtabletten, 20\u00a0St';
  for (const fact of [held, '3 vorrätig', '29,75']) expect(text).toContain(fact);
  expect(await requestRow(id)).toMatchObject({ status: 'pending' });
});
