import { SQLiteDialect } from 'drizzle-orm/sqlite-core';
import { expect, test, vi } from 'vitest';
import { eventCursor } from '../../src/wire/cursors';
import { approve, itemOf, openRequest } from '../support/order-flow';
import { attachNewProduct, callApi, holdProduct, openOrganizationApi, succeeded } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { accepted } from '../support/probe';
import { deliver, deliveryRow, openSubscribed, submitForDelivery } from '../support/webhooks';
import { envelope, openPharmacy, PDF_BASE64, rows, submit, subscribe } from '../support/world';

/** How many statements were built with Drizzle. */
async function builtBy(work: () => Promise<unknown>): Promise<number> {
  const built = vi.spyOn(SQLiteDialect.prototype, 'sqlToQuery');
  await work();
  const count = built.mock.calls.length;
  built.mockRestore();
  return count;
}

/** An order request whose event is posted at once, with what is recorded of that. */
async function openAccept(payload: Record<string, unknown>) {
  const pharmacy = await openPharmacy();
  await subscribe(pharmacy.orgId, 'https://hooks.example.com/offizin', undefined, { isHealthy: true });
  const posts = outsideAnswers();
  return async () => {
    posts.length = 0;
    await accepted(await submit(pharmacy, envelope(payload)));
    expect(posts).toHaveLength(1);
  };
}

async function openRead(path: string, query: Record<string, string> = {}) {
  const api = await openOrganizationApi();
  return async () => succeeded(await callApi(api, 'GET', path, { query }));
}

async function openProducts(query: Record<string, string> = {}) {
  const api = await openOrganizationApi();
  return async () => succeeded(await callApi(api, 'GET', '/products', { query: { shop_id: api.shopId, ...query } }));
}

/** An approval that takes stock, and whose event is posted. */
async function openApproval() {
  const api = await openOrganizationApi();
  await subscribe(api.orgId, 'https://hooks.example.com/offizin', ['order_created'], { isHealthy: true });
  outsideAnswers();
  const product = await holdProduct(api, { stock: 10 });
  const openOne = () => openRequest(api, { items: [itemOf(product)] });
  const waiting = [await openOne(), await openOne()];
  return async () => succeeded(await approve(api, waiting.pop() ?? ''));
}

/** A failed attempt, after which another one follows. */
async function openFailing() {
  const pharmacy = await openPharmacy();
  await subscribe(pharmacy.orgId, 'https://hooks.example.com/offizin', undefined, { isHealthy: true });
  return async () => {
    await rows('update subscriptions set is_healthy = 1 where org_id = ?', pharmacy.orgId);
    const posts = outsideAnswers(() => new Response(null, { status: 500 }));
    await accepted(await submit(pharmacy, envelope()));
    expect(posts).toHaveLength(1);
  };
}

/** A delivery that the queue brings. */
async function openQueued() {
  const subscribed = await openSubscribed();
  outsideAnswers();
  return async () => {
    const { id } = await submitForDelivery(subscribed);
    await rows('update subscriptions set is_healthy = 0 where id = ?', subscribed.subscriptionId);
    await deliver([id]);
    expect(await deliveryRow(id)).toMatchObject({ status: 'succeeded' });
  };
}

async function openOneRequest() {
  const api = await openOrganizationApi();
  const id = await openRequest(api);
  return async () => succeeded(await callApi(api, 'GET', `/order-requests/${id}`));
}

async function openOneProduct() {
  const api = await openOrganizationApi();
  const { p1_id } = await attachNewProduct(api);
  return async () => succeeded(await callApi(api, 'GET', `/products/${p1_id}`, { query: { shop_id: api.shopId } }));
}

test.each([
  ['an order request that is accepted and delivered', () => openAccept({})],
  ['one with a PDF', () => openAccept({ prescription_pdf_base64: PDF_BASE64 })],
  ['one with a PDF’s address', () => openAccept({ prescription_pdf_url: 'https://files.example.com/a.pdf' })],
  ['one with products', () => openAccept({ items: [{ p1_id: 'P1-1', quantity: 1, price: 1 }] })],
  ['one whose receiver fails', openFailing],
  ['a delivery by the queue', openQueued],
  ['an approval', openApproval],
  ['a product', openOneProduct],
  ['an order request', openOneRequest],
  ['a list of products', () => openProducts()],
  ['a filtered one', () => openProducts({ q: 'ibu', available: 'true' })],
  ['the shops', () => openRead('/shops')],
  ['the inventory', () => openRead('/inventory')],
  ['the feed of events', () => openRead('/events', { cursor: eventCursor(1) })],
  ['a list of orders', () => openRead('/orders')],
  ['a list of order requests', () => openRead('/order-requests')],
])('%s builds no statement the second time', async (_, open) => {
  const again = await open();
  await again();
  expect(await builtBy(again)).toBe(0);
});

test('what is not prepared is built each time', async () => {
  const again = await openRead('/orders', { status: 'shipped' });
  await again();
  expect(await builtBy(again)).toBeGreaterThan(0);
});
