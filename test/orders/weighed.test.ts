import { dayOf } from '../../src/platform/pharmacy-time';
import { enter } from '../management/browser';
import { approve, getOrder, itemOf, openRequest, patchOrder } from '../support/order-flow';
import { callApi, holdProduct, newPzn, type OrganizationApi, succeeded } from '../support/organization';
import { expect, test } from '../support/test';

const FLOWERS = { unit: 'g', unit_step: 1, category: 'Blüten', price: 8.75 } as const;

type Browser = Awaited<ReturnType<typeof enter>>['browser'];

async function stockOf(api: OrganizationApi, p1Id: string) {
  const { stock_quantity, on_hand, committed_quantity } = succeeded(await callApi(api, 'GET', `/inventory/${p1Id}`));
  return { stock_quantity, on_hand, committed_quantity };
}

/** An approved order that is paid, and a browser at its page. */
async function approvedOf(api: OrganizationApi, items: object[]) {
  const id = await openRequest(api, { items, payment_status: 'paid', shipping_option: 'Abholung' });
  const { order_id } = succeeded(await approve(api, id));
  const { browser } = await enter(api.orgId, 'owner');
  return { orderId: order_id as string, browser, path: `/manage/orders/${order_id}` };
}

/** An approved order of 11 g of 50 and of one pack of five. */
async function ordered(api: OrganizationApi) {
  const flowers = await holdProduct(api, { ...FLOWERS, name: 'OJ Zainbow', stock: 50 });
  const pack = await holdProduct(api, { stock: 5 });
  return { flowers, pack, ...(await approvedOf(api, [{ ...itemOf(flowers, 11), price: 8.75 }, itemOf(pack, 1)])) };
}

async function weigh(browser: Browser, path: string, grams: string, checkedBy = '') {
  const { text, token } = await browser.get(path);
  const key = /name="weighed-([^"]+)"/.exec(text)?.[1] ?? '';
  const typed = { [`weighed-${key}`]: grams, [`checked-${key}`]: checkedBy };
  return browser.post(`${path}/packs`, { form_token: token, hand: key, ...typed });
}

test('a weighing says who weighed and who checked, and counts as one pack', async ({ api }) => {
  const { browser, path, orderId } = await ordered(api);
  expect((await browser.get(path)).text).toContain('0 / 2');
  expect((await weigh(browser, path, '11,0', 'M. Muster')).status).toBe(303);
  const { text } = await browser.get(path);
  expect(text).toMatch(/Einwaage 11,0 g: [^<]+, geprüft: M\. Muster/);
  expect(text).toContain('1 / 2');
  expect((await browser.get(`${path}/slip`)).text).toContain('2 Packungen');
  const undo = /name="undo" value="([^"]+)"/.exec(text)?.[1] ?? '';
  await browser.submit(`${path}/packs`, { undo }, path);
  expect((await weigh(browser, path, '11')).status).toBe(303);
  expect((await browser.get(path)).text).not.toContain('geprüft');
  expect((await getOrder(api, orderId)).status).toBe('awaiting_packing');
});

test('pages that count packs say grams of what is weighed: what is missing, what leaves, what is cancelled', async ({
  api,
}) => {
  const { browser, path, orderId } = await ordered(api);
  const { text } = await browser.submit(`${path}/scan`, { code: newPzn(), seen: '0' }, path);
  expect(text).toMatch(/11 g <bdi>OJ Zainbow/);
  await weigh(browser, path, '11');
  const hand = /name="hand" value="([^"]+)"/.exec((await browser.get(path)).text)?.[1] ?? '';
  await browser.submit(`${path}/packs`, { hand }, path);
  succeeded(await patchOrder(api, orderId, { status: 'ready_pickup' }));
  const leaving = (await browser.get(`${path}/hand-over`)).text;
  expect(leaving).toMatch(/<b>11 g<\/b><span><bdi>OJ Zainbow/);
  expect(leaving).toContain('<b>1 ×</b>');
});

test('what was weighed in never goes back into stock by a cancellation; packs do', async ({ api }) => {
  const { browser, path, orderId, flowers, pack } = await ordered(api);
  await weigh(browser, path, '11');
  succeeded(await patchOrder(api, orderId, { status: 'cancelled', reason_code: 'test' }));
  expect(await stockOf(api, flowers.p1_id)).toEqual({ stock_quantity: 39, on_hand: 39, committed_quantity: 0 });
  expect(await stockOf(api, pack.p1_id)).toEqual({ stock_quantity: 5, on_hand: 5, committed_quantity: 0 });
});

test('an order that goes back to packing keeps what was weighed in, with its batch, and loses its packs', async ({
  api,
}) => {
  const { browser, path, orderId, flowers, pack } = await ordered(api);
  await weigh(browser, path, '11,0', 'M. Muster');
  const hand = /name="hand" value="([^"]+)"/.exec((await browser.get(path)).text)?.[1] ?? '';
  await browser.submit(`${path}/packs`, { hand }, path);
  const batches = [
    { line: 0, batch: 'AB12', quantity: 11 },
    { line: 1, batch: 'P7', quantity: 1 },
  ];
  succeeded(await patchOrder(api, orderId, { batches, status: 'ready_pickup' }));
  const { items } = succeeded(await patchOrder(api, orderId, { status: 'awaiting_packing' }));
  expect(items.map((item: { batches: { batch: string }[] }) => item.batches.map(({ batch }) => batch))).toEqual([
    ['AB12'],
    [],
  ]);
  const { text } = await browser.get(path);
  expect(text).toMatch(/Einwaage 11,0 g: [^<]+, geprüft: M\. Muster/);
  expect(text).toContain('1 / 2');
  succeeded(await patchOrder(api, orderId, { status: 'cancelled', reason_code: 'test' }));
  expect(await stockOf(api, flowers.p1_id)).toEqual({ stock_quantity: 39, on_hand: 39, committed_quantity: 0 });
  expect(await stockOf(api, pack.p1_id)).toEqual({ stock_quantity: 5, on_hand: 5, committed_quantity: 0 });
});

test('what was not weighed yet is free again by a cancellation', async ({ api }) => {
  const { orderId, flowers } = await ordered(api);
  succeeded(await patchOrder(api, orderId, { status: 'cancelled', reason_code: 'test' }));
  expect(await stockOf(api, flowers.p1_id)).toEqual({ stock_quantity: 50, on_hand: 50, committed_quantity: 0 });
});

test('lines that an upsert takes away lose what was weighed in for them', async ({ api }) => {
  const flowers = await holdProduct(api, { ...FLOWERS, stock: 50 });
  const upsert = (qty: number) =>
    callApi(api, 'POST', '/orders', {
      body: {
        ...{
          external_id: 'E-1',
          shop_id: api.shopId,
          customer_name: 'Erika Mustermann',
          payment_status: 'cash_on_pickup',
        },
        items: [{ p1_id: flowers.p1_id, qty, price: 8.75 }],
      },
    });
  const { id: order_id } = succeeded(await upsert(11), 201);
  const { browser } = await enter(api.orgId, 'owner');
  expect((await weigh(browser, `/manage/orders/${order_id}`, '11')).status).toBe(303);
  succeeded(await upsert(4));
  expect(await stockOf(api, flowers.p1_id)).toEqual({ stock_quantity: 39, on_hand: 43, committed_quantity: 4 });
  succeeded(await upsert(6));
  expect(await stockOf(api, flowers.p1_id)).toEqual({ stock_quantity: 37, on_hand: 43, committed_quantity: 6 });
});

test('what was weighed is not put back by a return, and its page offers no tick for it', async ({ api }) => {
  const { browser, path, orderId, flowers } = await ordered(api);
  for (const status of ['ready_pickup', 'picked_up']) succeeded(await patchOrder(api, orderId, { status }));
  const page = await browser.get(`${path}/return`);
  expect(page.text).toContain('eingewogen, nicht in den Bestand');
  expect(page.text).toContain('von 11 g');
  expect((await browser.get(`${path}/refund`)).text).toMatch(/\/ 11 g × 8,75\s€\/g/);
  expect(page.text).not.toContain('name="restock_0"');
  const back = { form_token: page.token, seen: '0', back_0: '11', restock_0: 'yes', back_1: '1' };
  expect((await browser.post(`${path}/return`, back)).status).toBe(409);
  expect((await browser.post(`${path}/return`, { ...back, restock_0: '' })).status).toBe(303);
  expect(await stockOf(api, flowers.p1_id)).toEqual({ stock_quantity: 39, on_hand: 39, committed_quantity: 0 });
});

test('samples and losses leave the stock by a reason of their own', async ({ api }) => {
  const flowers = await holdProduct(api, { ...FLOWERS, stock: 50 });
  const path = `/inventory/${flowers.p1_id}`;
  succeeded(await callApi(api, 'PATCH', path, { body: { delta: -1, reason: 'waste' } }));
  expect(succeeded(await callApi(api, 'GET', `${path}/log`)).data[0]).toMatchObject({ delta: -1, reason: 'waste' });
  const { browser } = await enter(api.orgId, 'owner');
  expect((await browser.get(`/manage/products/${flowers.p1_id}`)).text).toContain('Prüfmuster/Schwund');
});

test('an order’s file and slip say its batches; the file also birth date and prescriber', async ({ api }) => {
  const flowers = await holdProduct(api, { ...FLOWERS, stock: 50 });
  const person = { customer_birth_date: '1980-02-03', prescriber_name: 'Dr. Anna Arzt' };
  const items = [{ ...itemOf(flowers, 11), price: 8.75 }];
  const id = await openRequest(api, { items, payment_status: 'paid', ...person });
  const { order_id } = succeeded(await approve(api, id));
  succeeded(await patchOrder(api, order_id, { batches: [{ line: 0, batch: 'AB12', quantity: 11 }] }));
  const { browser } = await enter(api.orgId, 'owner');
  const { text } = await browser.get('/manage/desk/orders.csv');
  expect(text).toContain('"Geburtsdatum";"Verordner";"Chargen"');
  expect(text).toMatch(/"0?3\.0?2\.1980";"Dr\. Anna Arzt";"AB12 \(11 g\)"/);
  expect((await browser.get(`/manage/orders/${order_id}/slip`)).text).toContain('AB12 (11 g)');
});

test('of tins whole ones come later, and a scanned tin that arrives counts as what is in it', async ({ api }) => {
  const pzn = newPzn();
  const tins = await holdProduct(api, { ...FLOWERS, name: 'Bergtal, Dose 5 g', pzn, unit_step: 5, stock: 50 });
  const { orderId, browser, path } = await approvedOf(api, [{ ...itemOf(tins, 15), price: 8.75 }]);
  const line = /name="line" value="([^"]+)"/.exec((await browser.get(`${path}/later?line=0`)).text)?.[1] ?? '';
  const split = { line, act: 'split', expected_on: dayOf(Date.now()) };
  const refused = await browser.submit(`${path}/later`, { ...split, later: '3' }, path);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('ein Vielfaches von 5');
  expect((await browser.submit(`${path}/later`, { ...split, later: '10' }, path)).status).toBe(303);
  await browser.submit('/manage/expected/scan', { code: pzn }, '/manage/expected');
  const { items } = await getOrder(api, orderId);
  expect(items).toMatchObject([{ quantity: 15, later: { quantity: 5 } }]);
  expect((await browser.get(path)).text).toContain('1 / 2');
});

test('the scan of a product that is weighed says so, and counts nothing', async ({ api }) => {
  const pzn = newPzn();
  const flowers = await holdProduct(api, { ...FLOWERS, name: 'OJ Zainbow', pzn, stock: 50 });
  const { browser, path } = await approvedOf(api, [{ ...itemOf(flowers, 11), price: 8.75 }]);
  const { status, text } = await browser.submit(`${path}/scan`, { code: pzn, seen: '0' }, path);
  expect(status).toBe(409);
  expect(text).toContain('Dieser Artikel wird gewogen.');
  expect(text).toContain('0 / 1');
});
