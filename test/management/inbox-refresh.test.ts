import { readReview } from '../../src/order-requests/inbox/inbox';
import {
  addPrescription,
  answerQuestion,
  askQuestion,
  setAsidePrescription,
  undoSetAside,
} from '../../src/order-requests/review/decisions';
import { MINUTE_MS } from '../../src/platform/time';
import { costOf } from '../support/cost';
import { freshHost } from '../support/operator';
import {
  approve,
  deleteRequest,
  itemOf,
  openApprovable,
  openPrescribed,
  openRequest,
  orderBody,
  reject,
  reopen,
  staffContext,
} from '../support/order-flow';
import { attach, callApi, importFile, importProduct } from '../support/organization';
import { send, supplement } from '../support/platform';
import { openSeller, type Seller } from '../support/seller';
import { beforeEach, expect, test, vi } from '../support/test';
import { ONE_DATABASE, operate, PDF_TEXT, rows, subscribe } from '../support/world';
import { type Browser, enter, type Page } from './browser';
import { countsOf } from './page-forms';

const REQUESTS = '/manage/requests';
const BY_SCRIPT = { 'Sec-Fetch-Dest': 'empty' };

beforeEach(() => {
  // Nothing here takes as long as the rest of this minute.
  const now = Date.now();
  vi.useFakeTimers({ now: now - (now % MINUTE_MS), toFake: ['Date'] });
});
/** As the script fetches the page: with the tag of what it has, if it has anything. */
function fetchPage(browser: Browser, tag = '', path = REQUESTS): Promise<Page> {
  return browser.get(path, { ...BY_SCRIPT, ...(tag && { 'If-None-Match': tag }) });
}

function tagOf({ headers }: Page): string {
  return headers.get('ETag') ?? '';
}

/** The requests of each tab. */
async function storedCounts(orgId: string): Promise<number[]> {
  const [stored] = await rows<Record<string, number>>(
    `select count(*) filter (where status = 'pending' and not needs_info) as open, count(*) filter (where status = 'pending' and needs_info)
       as asked, count(*) filter (where status = 'approved') as approved, count(*) filter (where status = 'rejected') as rejected
     from order_requests where org_id = ?`,
    orgId,
  );
  return Object.values(stored ?? {});
}

test.for(['requests', 'requests?tab=approved', 'orders', 'orders?tab=all'])(
  'the page of %s, which is refreshed, has no character beyond Latin-1: it would take two bytes for each',
  async (list, { seller }) => {
    await openApprovable(seller);
    await approve(seller, (await openApprovable(seller)).id);
    const { browser } = await enter(seller.orgId, 'owner');
    for (const language of ['de', 'en']) {
      const { text } = await browser.get(`/manage/${list}`, { 'Accept-Language': language });
      expect(text.match(/.{0,40}[\u0100-\uffff].{0,40}/g), language).toBeNull();
    }
  },
);

test('an unchanged inbox is not sent again, to the script alone, and is stored nowhere', async ({ seller }) => {
  const { browser } = await enter(seller.orgId, 'owner');
  await openRequest(seller);
  const page = await fetchPage(browser);
  const tag = tagOf(page);
  expect(tag).toMatch(/^W\/"[0-9a-f]{64}"$/);
  const same = await fetchPage(browser, tag);
  expect(same).toMatchObject({ status: 304, text: '', cookies: [] });
  expect(tagOf(same)).toBe(tag);
  expect((await fetchPage(browser, `"another", ${tag.slice(2)}`)).status).toBe(304);
  for (const { headers } of [page, same]) expect(headers.get('Cache-Control')).toMatch(/^no-store/);
  expect((await browser.get(REQUESTS, { 'If-None-Match': tag })).status).toBe(200);
  expect((await fetchPage(browser, '*')).status).toBe(200);
});

test('to tell so takes one round trip and at most three rows beside those of the session', async ({ seller }) => {
  const { browser } = await enter(seller.orgId, 'owner');
  browser.env = ONE_DATABASE;
  await subscribe(seller.orgId, 'https://a.example.com/');
  await openRequest(seller);
  const tag = tagOf(await fetchPage(browser));
  const cost = await costOf(() => fetchPage(browser, tag));
  expect(cost).toMatchObject({ roundTrips: 1, statements: 3, rowsWritten: 0 });
  expect(cost.rowsRead).toBeLessThanOrEqual(7);
});

test('whoever is signed out, revoked or somebody else gets no answer that nothing changed', async ({ seller }) => {
  const first = await enter(seller.orgId, 'owner');
  const second = await enter(seller.orgId, 'owner');
  const tag = tagOf(await fetchPage(first.browser));
  expect((await fetchPage(second.browser, tag)).status).toBe(200);
  const other = await enter((await openSeller()).orgId, 'owner');
  expect((await fetchPage(other.browser, tag)).status).toBe(200);
  await rows('update members set revoked_at = 1 where email = ?', second.email);
  expect((await fetchPage(second.browser, tagOf(await fetchPage(second.browser)))).status).toBe(303);
  await first.browser.submit('/manage/sign-out', {}, REQUESTS);
  expect((await fetchPage(first.browser, tag)).status).toBe(303);
});

interface Desk {
  seller: Seller;
  browser: Browser;
  email: string;
}

type Change = () => Promise<unknown>;

const asStaff = ({ seller }: Desk) => staffContext(seller.orgId).ctx;

/** Asks the organization API. */
function ask({ seller }: Desk, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Change {
  return async () => expect((await callApi(seller, method, path, { body })).status).toBeLessThan(300);
}

function inShop({ seller }: Desk, { p1_id }: { p1_id: string }, rest: Record<string, unknown> = {}) {
  return { shop_id: seller.shopId, p1_id, ...rest };
}

/** What an inbox shows of its requests. Each is prepared, and gives the change itself. */
const CHANGES: Record<string, (desk: Desk) => Promise<Change>> = {
  async 'a request'({ seller }) {
    return () => openRequest(seller);
  },
  async 'an approval'({ seller }) {
    const { id } = await openApprovable(seller);
    return () => approve(seller, id);
  },
  async 'a rejection'({ seller }) {
    const id = await openRequest(seller);
    return () => reject(seller, id);
  },
  async 'a rejection that is undone'({ seller }) {
    const id = await openRequest(seller);
    await reject(seller, id);
    return () => reopen(seller, id);
  },
  async 'a request that is deleted'({ seller }) {
    const id = await openRequest(seller);
    return () => deleteRequest(seller, id);
  },
  async 'a rejected request that is deleted'({ seller }) {
    const id = await openRequest(seller);
    await reject(seller, id);
    return () => deleteRequest(seller, id);
  },
  async 'a question about a request'(desk) {
    const id = await openRequest(desk.seller);
    return () => askQuestion(asStaff(desk), { id, code: 'dosage', text: 'Dosis?' });
  },
  async 'its answer'(desk) {
    const id = await openRequest(desk.seller);
    await askQuestion(asStaff(desk), { id, code: 'dosage', text: 'Dosis?' });
    const [question] = (await readReview(asStaff(desk), id)).questions;
    return () => answerQuestion(asStaff(desk), { id, questionId: question?.id ?? '', answer: 'Morgens' });
  },
  async 'what its platform sends later'({ seller }) {
    const { id } = await send(seller);
    return () => supplement(seller, id, { note: 'Morgens' });
  },
  async 'a prescription that is set aside'(desk) {
    const { id, prescriptionId } = await openPrescribed(desk.seller);
    return () => setAsidePrescription(asStaff(desk), { id: prescriptionId, requestId: id, reason: 'x' });
  },
  async 'a prescription that is taken back'(desk) {
    const { id, prescriptionId } = await openPrescribed(desk.seller);
    await setAsidePrescription(asStaff(desk), { id: prescriptionId, requestId: id, reason: 'x' });
    return () => undoSetAside(asStaff(desk), { id: prescriptionId, requestId: id });
  },
  async 'a prescription that was downloaded'({ seller }) {
    const { prescriptionId } = await openPrescribed(seller);
    await rows(`update prescriptions set status = 'fetching' where id = ?`, prescriptionId);
    return () => rows(`update prescriptions set status = 'stored' where id = ?`, prescriptionId);
  },
  async 'a prescription that is approved'(desk) {
    const { prescriptionId } = await openPrescribed(desk.seller);
    return ask(desk, 'POST', `/prescriptions/${prescriptionId}/approve`);
  },
  async 'a prescription that is uploaded'(desk) {
    const id = await openRequest(desk.seller);
    return () => addPrescription(asStaff(desk), { id, bytes: new TextEncoder().encode(PDF_TEXT) });
  },
  async 'stock that is counted'(desk) {
    const { product } = await openApprovable(desk.seller);
    return ask(desk, 'PATCH', `/inventory/${product.p1_id}`, { stock_quantity: 0 });
  },
  async 'stock that an order takes'(desk) {
    const { product } = await openApprovable(desk.seller, { stock: 20 });
    const items = [{ p1_id: product.p1_id, qty: 19, price: 1 }];
    return ask(desk, 'POST', '/orders', orderBody(desk.seller, { items }));
  },
  async 'the name of a product'(desk) {
    const { product } = await openApprovable(desk.seller);
    return ask(desk, 'PUT', `/products/${product.p1_id}`, { name: 'Umbenannt' });
  },
  async 'the name of a product in the catalog'({ seller }) {
    const { product } = await openApprovable(seller);
    return () => importFile(JSON.stringify({ ...product, name: 'Umbenannt' }));
  },
  async 'a product that comes into the inventory'(desk) {
    const product = await importProduct();
    await openRequest(desk.seller, { items: [itemOf(product)] });
    return ask(desk, 'POST', '/products/add-to-inventory', { p1_id: product.p1_id, initial_stock: 5 });
  },
  async 'a product that leaves the inventory'(desk) {
    const { product } = await openApprovable(desk.seller);
    return ask(desk, 'DELETE', `/inventory/${product.p1_id}`);
  },
  async 'a price of its own with which a shop begins to sell a product'(desk) {
    const { product } = await openApprovable(desk.seller);
    return ask(desk, 'POST', '/shops/attach-product', inShop(desk, product, { overrides: { price: 900 } }));
  },
  async 'another price in a shop'(desk) {
    const { product } = await openApprovable(desk.seller);
    await attach(desk.seller, product.p1_id);
    return ask(desk, 'POST', '/shops/product-overrides', inShop(desk, product, { overrides: { price: 900 } }));
  },
  async 'a price of its own with which a shop ends to sell a product'(desk) {
    const { product } = await openApprovable(desk.seller);
    await attach(desk.seller, product.p1_id, { price: 900 });
    return ask(desk, 'POST', '/shops/detach-product', inShop(desk, product));
  },
  async 'the name of a shop'({ seller }) {
    return () => rows('update shops set name = ? where id = ?', 'Umbenannt', seller.shopId);
  },
  async 'another shop'({ seller }) {
    return () => operate(`/organizations/${seller.orgId}/shops`, { name: 'Süd', hosts: [] });
  },
  async 'the name of the organization'({ seller }) {
    return () => operate(`/organizations/${seller.orgId}`, { name: 'Umbenannt' }, 'PATCH');
  },
  async 'the name of who is signed in'({ email }) {
    return () => rows('update members set name = ? where email = ?', 'Umbenannt', email);
  },
  async 'a subscription to which nothing is posted'({ seller }) {
    const { subscriptionId } = await subscribe(seller.orgId, 'https://a.example.com/');
    return () => rows(`update subscriptions set status = 'disabled' where id = ?`, subscriptionId);
  },
  async 'the language'({ browser }) {
    return () => browser.submit('/manage/language', { language: 'en', next: REQUESTS }, REQUESTS);
  },
  async shortcuts({ browser }) {
    return () => browser.submit('/manage/account/shortcuts', { shortcuts: 'off', next: REQUESTS }, REQUESTS);
  },
  async 'the minute, which ages are counted from'({ seller }) {
    await openRequest(seller);
    return async () => vi.setSystemTime(Date.now() + MINUTE_MS);
  },
  // Last, as it takes the rights of a pharmacist.
  async 'the role of who is signed in'({ email }) {
    return () => rows(`update members set role = 'staff' where email = ?`, email);
  },
};

test('whatever an inbox shows, its change is sent, and the tabs are counted anew at once', async ({ seller }) => {
  const desk: Desk = { seller, ...(await enter(seller.orgId, 'owner')) };
  for (const [what, prepare] of Object.entries(CHANGES)) {
    const change = await prepare(desk);
    const before = await fetchPage(desk.browser);
    expect([what, (await fetchPage(desk.browser, tagOf(before))).status]).toEqual([what, 304]);
    await change();
    const after = await fetchPage(desk.browser, tagOf(before));
    expect([what, after.status, after.text !== before.text]).toEqual([what, 200, true]);
    expect([what, ...countsOf(after.text)]).toEqual([what, ...(await storedCounts(seller.orgId))]);
  }
});

test('so is that of its empty page, of another tab, and of another deployment', async ({ seller }) => {
  const { browser } = await enter(seller.orgId, 'owner');
  const isSentAfter = async (change: Change, path = REQUESTS) => {
    const before = await fetchPage(browser, '', path);
    expect((await fetchPage(browser, tagOf(before), path)).status).toBe(304);
    await change();
    const after = await fetchPage(browser, tagOf(before), path);
    return after.status === 200 && after.text !== before.text;
  };
  const ofShops = 'shop_id in (select id from shops where org_id = ?)';
  const removeHosts = () => rows(`delete from shop_hosts where ${ofShops}`, seller.orgId);
  expect(await isSentAfter(removeHosts)).toBe(true);
  const addHost = () => operate(`/organizations/${seller.orgId}/shops/${seller.shopId}/hosts`, { host: freshHost() });
  expect(await isSentAfter(addHost)).toBe(true);

  const { id } = await openApprovable(seller);
  await approve(seller, id);
  const decided = `${REQUESTS}?tab=approved`;
  const erase = () => rows(`update order_requests set customer_name = null, items = '[]' where id = ?`, id);
  expect(await isSentAfter(erase, decided)).toBe(true);

  const tag = tagOf(await fetchPage(browser, '', decided));
  expect((await fetchPage(browser, tag, REQUESTS)).status).toBe(200);
  browser.env = { VERSION: { id: 'the next one', tag: '', timestamp: '' } };
  expect((await fetchPage(browser, tag, decided)).status).toBe(200);
});
