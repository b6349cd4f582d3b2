import { gtinCheckDigit } from '../../src/codes/numbers';
import { dayOf } from '../../src/platform/pharmacy-time';
import { PAGE_BYTES_MAX, sentBytes } from '../support/html';
import { openOrder, openRequest, orderRow, setPacked, setStatus, stockOf } from '../support/order-flow';
import { holdProduct, newPzn } from '../support/organization';
import { test as base, expect } from '../support/test';
import { rows } from '../support/world';
import { type Browser, enter } from './browser';
import { follow, formOn, saidOn, tickedOn } from './page-forms';

const EXPECTED = '/manage/expected';

const test = base
  .extend('browser', async ({ api }) => (await enter(api.orgId, 'pharmacist', 'Kim Öztürk')).browser)
  .extend('product', ({ api }) => holdProduct(api, { name: 'Ibuprofen AL 600 mg, 50 St', stock: 2, pzn: newPzn() }));

const today = () => dayOf(Date.now());

/** Sends the form of a page that has this action, and goes where its answer leads. */
const submitIn =
  (browser: Browser) =>
  (page: string, action: string, fields: Record<string, string> = {}) =>
    browser.shown(browser.fill(page, fields, action));

test('a split line is packed, handed over, awaited, packed again and ended, by forms alone', async ({
  api,
  browser,
  product,
}) => {
  const { id } = await openOrder(api, {
    items: [{ p1_id: product.p1_id, qty: 2, price: 4.5 }],
    payment_status: 'cash_on_pickup',
  });
  await setStatus(id, 'awaiting_packing');
  const path = `/manage/orders/${id}`;
  const submit = submitIn(browser);
  const line = { later: '1', expected_on: today(), act: 'split' };
  const split = await submit(`${path}/later?line=0`, `${path}/later`, line);
  expect(saidOn(split)).toContain('1 in Nachlieferung');
  expect(await stockOf(api.orgId, product.p1_id)).toEqual({ stock: 1, ledger: 1 });

  const hand = (text: string) => /name="hand" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const packed = await submit(path, `${path}/packs`, { hand: hand(split.text) });
  expect(saidOn(packed)).toContain('1 von Hand abgehakt');
  const ready = await submit(path, `${path}/status`, { status: 'ready_pickup' });
  expect(saidOn(ready)).toContain('Zum Teil bereit');
  expect(saidOn(ready)).toContain('1 von 2 Packungen abgeben');
  const asked = await browser.get(`${path}/hand-over`);
  expect(saidOn(asked)).toMatch(/1 kommt noch (am .*|heute): Abholschein mitgeben/);
  expect(saidOn(await browser.get(`${path}/slip`))).toContain('Zahlt bei Abholung 9,00 €');
  expect(saidOn(await browser.get(`${path}/rest-slip`))).not.toContain('Zahlt bei Abholung');
  const answers = { ...formOn(asked, `${path}/hand-over`), cash_received: 'yes' };
  const left = await follow(browser, await browser.post(`${path}/hand-over`, answers));
  expect(saidOn(left)).toContain('Wartet auf die Nachlieferung');
  expect(saidOn(await browser.get(`${path}/rest-slip`))).toMatch(
    /1 × Ibuprofen AL 600 mg, 50 St (Mo|Di|Mi|Do|Fr|Sa|So)\.,\s/,
  );
  const before = await rows('select * from orders where id = ?', id);
  expect((await browser.post(`${path}/hand-over`, answers)).status).not.toBe(500);
  expect(await rows('select * from orders where id = ?', id)).toEqual(before);

  const list = await browser.get(EXPECTED);
  expect(saidOn(list)).toContain('Ibuprofen AL 600 mg, 50 St');
  const here = { ...formOn(list, `${EXPECTED}/here`), line: /name="line" value="([^"]+)"/.exec(list.text)?.[1] ?? '' };
  expect(saidOn(await follow(browser, await browser.post(`${EXPECTED}/here`, here)))).toContain(
    'Heute wird nichts erwartet',
  );
  expect((await browser.post(`${EXPECTED}/here`, here)).status).toBe(409);

  const again = await browser.get(path);
  await submit(path, `${path}/packs`, { hand: hand(again.text) });
  await submit(path, `${path}/status`, { status: 'ready_pickup' });
  await submit(`${path}/hand-over`, `${path}/hand-over`);
  expect(await orderRow(id)).toMatchObject({ status: 'picked_up', payment_status: 'paid', expected_on: null });
  const [stock] = await rows('select stock_quantity, committed_quantity from inventory where p1_id = ?', product.p1_id);
  expect(stock).toEqual({ stock_quantity: 0, committed_quantity: 0 });
});

test('a tick by hand is for the packs that its page shows, not for those that have come since', async ({
  api,
  browser,
  product,
}) => {
  const { id } = await openOrder(api, { items: [{ p1_id: product.p1_id, qty: 2, price: 4.5 }] });
  await setStatus(id, 'awaiting_packing');
  const path = `/manage/orders/${id}`;
  const submit = submitIn(browser);
  const one = { later: '1', expected_on: today(), act: 'split' };
  const shown = await submit(`${path}/later?line=0`, `${path}/later`, one);
  const tick = { ...formOn(shown, `${path}/packs`), hand: /name="hand" value="([^"]+)"/.exec(shown.text)?.[1] ?? '' };
  await submit(`${path}/later?line=0`, `${path}/later`, { arrived: '1', act: 'arrived' });
  const refused = await browser.post(`${path}/packs`, tick);
  expect(refused.status).toBe(409);
  expect(saidOn(refused)).toContain('0/2');
  expect(await orderRow(id)).toMatchObject({ packing: null });
});

test('whoever cancels a rest is told what is then paid too much: nothing of what was given back for it before', async ({
  api,
  browser,
  product,
}) => {
  const items = [{ p1_id: product.p1_id, qty: 2, price: 4.5 }];
  const { id } = await openOrder(api, { items, payment_status: 'paid' });
  await setStatus(id, 'awaiting_packing');
  const path = `/manage/orders/${id}`;
  const submit = submitIn(browser);
  await submit(`${path}/later?line=0`, `${path}/later`, { later: '1', expected_on: today(), act: 'split' });
  expect(saidOn(await browser.get(`${path}/cancel-rest`))).toContain('sind danach zu erstatten');
  await submit(`${path}/refund`, `${path}/refund`, {
    packs_0: '1',
    amount: '4,50',
    reason_code: 'out_of_stock',
  });
  expect(saidOn(await browser.get(`${path}/cancel-rest`))).not.toContain('zu erstatten');
  await submit(`${path}/cancel-rest`, `${path}/cancel-rest`, { reason_code: 'not_available' });
  expect(await orderRow(id)).toMatchObject({ total_cents: 450, refunded_cents: 0, payment_difference_cents: null });
});

test('of a line that is packed nothing can be split: its page says why and leads back', async ({
  api,
  browser,
  product,
}) => {
  const { id } = await openOrder(api, { items: [{ p1_id: product.p1_id, qty: 1, price: 4.5 }] });
  await setStatus(id, 'awaiting_packing');
  await setPacked(id);
  const page = await browser.get(`/manage/orders/${id}/later?line=0`);
  expect(saidOn(page)).toContain('nur, was noch nicht gepackt ist');
  expect(page.text).toContain(`class="back" href="/manage/orders/${id}" title="Bestellung ansehen"`);
});

test('however many lines are expected, a page of them is small, and the next one goes on', async ({ api, browser }) => {
  const items = Array.from({ length: 100 }, (_, place) => ({
    name: `Ibuprofen AL ${place} mg Filmtabletten, 50 St`,
    qty: 1,
    price: 4.5,
  }));
  const { id } = await openOrder(api, { items });
  await setStatus(id, 'awaiting_packing');
  const owed = { owed: 1, expectedOn: today(), supplied: 0, by: null, at: 1 };
  const supply = JSON.stringify(items.map(() => owed));
  await rows('update orders set supply = ?, expected_on = ? where id = ?', supply, today(), id);
  const first = await browser.get(EXPECTED);
  expect(await sentBytes(first.text)).toBeLessThan(PAGE_BYTES_MAX);
  expect(saidOn(first)).toContain('100 Nachlieferungen');
  const next = /<a rel="next" href="([^"]+)"/.exec(first.text)?.[1] ?? '';
  const second = await browser.get(next);
  const linesOn = ({ text }: { text: string }) =>
    [...text.matchAll(/Ibuprofen AL \d+\smg[^<"]*<\/bdi>/g)].map(([name]) => name);
  expect(new Set([...linesOn(first), ...linesOn(second)]).size).toBe(100);
  expect(second.text).not.toContain('rel="next"');
  const line = /name="line" value="([^"]+)"/.exec(second.text)?.[1] ?? '';
  const here = await browser.post(`${EXPECTED}/here`, { ...formOn(second, `${EXPECTED}/here`), line });
  expect(here.status).toBe(303);
  expect(saidOn(await browser.get(EXPECTED))).toContain('99 Nachlieferungen');
});

test('too little stock is approved in parts, and a scan books what arrives and says where it goes', async ({
  api,
  browser,
  product,
}) => {
  const items = [{ p1_id: product.p1_id, quantity: 3, price: product.price }];
  const requestId = await openRequest(api, { items });
  const path = `/manage/requests/${requestId}`;
  const page = await browser.get(path);
  expect(saidOn(page)).toContain('Heute 2, 1 nachliefern');
  const later = { 'later-0': '1', 'expected-0': today() };
  const form = Object.fromEntries(tickedOn(page, `${path}/approve`));
  const done = await browser.post(`${path}/approve`, { ...form, ...later });
  expect(done.status).toBe(303);
  const [order] = await rows<{ id: string }>('select id from orders where order_request_id = ?', requestId);
  const id = order?.id ?? '';
  expect(await stockOf(api.orgId, product.p1_id)).toEqual({ stock: 0, ledger: 0 });
  await rows("update orders set shelf = 'B 7' where id = ?", id);

  const ntin = `04150${product.pzn}`;
  const code = `01${ntin}${gtinCheckDigit(ntin)}1799123110A1\u001d21S1`;
  const scanned = await follow(browser, await browser.submit(`${EXPECTED}/scan`, { code }, EXPECTED));
  expect(saidOn(scanned)).toContain('Fach B 7');
  const twice = await browser.post(`${EXPECTED}/scan`, { ...formOn(scanned, `${EXPECTED}/scan`), code });
  expect(twice.status).toBe(409);
  expect(await orderRow(id)).toMatchObject({ expected_on: null });
  expect(await stockOf(api.orgId, product.p1_id)).toEqual({ stock: 0, ledger: 0 });
});
