import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onePagePdf } from '../../scripts/pdf';
import { eventually } from '../support/eventually.ts';
import { Catcher, type Post, verifyWithEveryLibrary } from './support/catcher';
import { freePort, Service } from './support/service';

/** A bound for a hang. */
const FLOW_MS = 240_000;
const IBAN = 'DE89370400440532013000';

const dir = mkdtempSync(join(tmpdir(), 'offizin-order-flow-'));
let service: Service;
let catcher: Catcher;

beforeAll(async () => {
  catcher = await new Catcher().open();
  service = new Service(await freePort(), dir);
  await service.start();
});

afterAll(() => {
  service.destroy();
  catcher.close();
  rmSync(dir, { recursive: true, force: true });
});

test(
  'picked up at the counter: from the connector’s post with its PDF to paid, every step with its webhook',
  async () => {
    const pharmacy = await openPharmacy('/counter', { stock: 20 });
    const { id, reference } = await submit(pharmacy, { shipping_option: 'Abholung' });
    const about = { order_request_id: id, external_reference: reference, shop_id: pharmacy.shopId, source: SOURCE };
    expect(await told(pharmacy, 'order_request_submitted')).toEqual(about);

    const orderId = await approve(pharmacy, id);
    expect(await told(pharmacy, 'order_request_approved')).toEqual({ ...about, order_id: orderId });
    expect(await told(pharmacy, 'order_created')).toEqual({
      order_id: orderId,
      shop_id: pharmacy.shopId,
      source: SOURCE,
      external_reference: reference,
      status: 'awaiting_packing',
      payment_status: 'cash_on_pickup',
      order_request_id: id,
    });

    await move(pharmacy, orderId, ['awaiting_packing', 'ready_pickup', 'picked_up']);
    await markPaid(pharmacy, orderId);

    expect(await api(pharmacy, 'GET', `/orders/${orderId}`)).toMatchObject({
      status: 'picked_up',
      payment_status: 'paid',
      totals: { total_amount: 39.9 },
      items: [{ p1_id: pharmacy.p1Id, qty: 2, prescription_required: true }],
    });
    expect(await stockOf(pharmacy)).toBe(18);
    await toldInAll(pharmacy, [
      'product_created',
      'order_request_submitted',
      'prescription_approved',
      'order_request_approved',
      'order_created',
      'order_status_updated',
      'order_status_updated',
      'order_marked_paid',
    ]);
  },
  FLOW_MS,
);

test(
  'sent by post: paid over the link’s page on the shop’s host, then shipped and delivered',
  async () => {
    const pharmacy = await openPharmacy('/post', { stock: 6 });
    const { id } = await submit(pharmacy, { shipping_option: 'Versand', payment_status: 'pending' });
    await told(pharmacy, 'order_request_submitted');
    const orderId = await approve(pharmacy, id);
    expect(await told(pharmacy, 'order_created')).toMatchObject({
      status: 'awaiting_payment',
      payment_status: 'pending',
    });
    expect(await told(pharmacy, 'low_stock')).toEqual({ p1_id: pharmacy.p1Id, stock_quantity: 4, threshold: 5 });

    const link = await api(pharmacy, 'POST', `/orders/${orderId}/payment-links`, {}, 201);
    expect(await told(pharmacy, 'payment_link_created')).toEqual({ order_id: orderId, ...link });
    expect(link).toMatchObject({
      amount: 39.9,
      url: expect.stringMatching(`^http://${pharmacy.host}:${service.port}/pay/`),
    });
    const open = await send('GET', link.url);
    expect(open.status, open.body).toBe(200);
    for (const shown of ['39,90', 'Löwen-Apotheke', 'DE89 3704 0044 0532 0130 00', 'BESTELLUNG', 'Offen', '<svg']) {
      expect(open.body).toContain(shown);
    }
    expect((await send('GET', link.url.replace(pharmacy.host, 'localhost'))).status).toBe(404);

    await markPaid(pharmacy, orderId);
    const paid = await send('GET', link.url);
    expect(paid.body).toContain('Bezahlt');
    expect(paid.body).not.toContain('<svg');

    await move(pharmacy, orderId, ['awaiting_payment', 'awaiting_packing', 'ready_shipping', 'shipped', 'delivered']);
    expect(await api(pharmacy, 'GET', `/orders/${orderId}`)).toMatchObject({
      status: 'delivered',
      payment_status: 'paid',
    });
    await toldInAll(pharmacy, [
      'product_created',
      'order_request_submitted',
      'prescription_approved',
      'order_request_approved',
      'order_created',
      'low_stock',
      'payment_link_created',
      'order_marked_paid',
      ...Array.from({ length: 4 }, () => 'order_status_updated'),
    ]);
  },
  FLOW_MS,
);

const SOURCE = 'telemed.example';
const EVENT_TYPES = [
  'order_created',
  'order_updated',
  'order_status_updated',
  'order_marked_paid',
  'order_deleted',
  'order_request_submitted',
  'order_request_approved',
  'order_request_deleted',
  'prescription_approved',
  'paperless_signature_completed',
  'product_created',
  'product_updated',
  'product_deleted',
  'low_stock',
  'out_of_stock',
  'payment_link_created',
];
const API_SCOPES = [
  'products.read',
  'products.write',
  'inventory.read',
  'order_requests.read',
  'order_requests.write',
  'orders.read',
  'orders.write',
  'prescriptions.write',
];

interface Pharmacy {
  orgId: string;
  shopId: string;
  host: string;
  p1Id: string;
  token: string;
  integrationKey: string;
  /** Where its webhooks arrive, and what they are signed with. */
  path: string;
  secret: string;
}

/** An organization of its own, with one product that needs a prescription and a subscription to everything. */
async function openPharmacy(path: string, { stock }: { stock: number }): Promise<Pharmacy> {
  const { org_id: orgId = '' } = await service.operate('/organizations', {
    name: 'Löwen-Apotheke',
    iban: IBAN,
    shard: 0,
  });
  const at = (rest: string) => `/organizations/${orgId}${rest}`;
  const host = `rx-${randomUUID()}.localhost`;
  const { shop_id: shopId = '' } = await service.operate(at('/shops'), { name: 'Mitte', hosts: [host] });
  const key = (scopes: string[]) => service.operate(at('/api-keys'), { name: 'erp', scopes });
  const { api_key: apiKey = '' } = await key(API_SCOPES);
  const { api_key: integrationKey = '' } = await key(['external_orders.submit']);
  const subscription = { url: catcher.url(path), event_types: EVENT_TYPES };
  const { signing_secret: secret = '' } = await service.operate(at('/subscriptions'), subscription);

  const p1Id = `P1-${randomUUID()}`;
  const product = {
    ...{ p1_id: p1Id, name: 'Cannabisblüten 20/1', slug: p1Id.toLowerCase(), category: 'Blüten', price: 19.95 },
    prescription_required: true,
  };
  const imported = await send(
    'POST',
    `${service.demo.base_url}/api/operator/v1/catalog`,
    { Authorization: `Bearer ${service.demo.operator_token}`, 'Content-Type': 'application/x-ndjson' },
    JSON.stringify(product),
  );
  expect(imported.body).toContain('"imported":1');

  const token = await send('POST', `${service.demo.base_url}/api/v2/public/orgs/${orgId}/auth/token`, {
    apikey: apiKey,
  });
  const opened = {
    orgId,
    shopId,
    host,
    p1Id,
    token: JSON.parse(token.body).access_token,
    integrationKey,
    path,
    secret,
  };
  await api(opened, 'POST', '/products/add-to-inventory', { p1_id: p1Id, initial_stock: stock }, 201);
  expect(await told(opened, 'product_created')).toEqual({ p1_id: p1Id });
  return opened;
}

/** What a platform posts to the shop's own address. */
async function submit(
  pharmacy: Pharmacy,
  payload: Record<string, unknown>,
): Promise<{ id: string; reference: string }> {
  const reference = `RX-${randomUUID()}`;
  const body = {
    external_reference: reference,
    source: SOURCE,
    payload: {
      customer_name: 'Erika Mustermann',
      customer_email: `${randomUUID()}@example.com`,
      address_street: 'Hauptstraße 1',
      prescription_pdf_base64: onePagePdf('Rezept').toString('base64'),
      items: [{ p1_id: pharmacy.p1Id, quantity: 2, price: 19.95 }],
      ...payload,
    },
  };
  const answer = await send(
    'POST',
    `http://${pharmacy.host}:${service.port}/api/v1/external-order`,
    { apikey: pharmacy.integrationKey, 'Content-Type': 'application/json' },
    JSON.stringify(body),
  );
  expect(answer.status, answer.body).toBe(200);
  return { id: JSON.parse(answer.body).id, reference };
}

/** The pharmacist looks at the prescription first: without that, the request cannot be approved. @returns the order's id */
async function approve(pharmacy: Pharmacy, requestId: string): Promise<string> {
  const path = `/order-requests/${requestId}`;
  const { prescriptions, blockers } = await api(pharmacy, 'GET', path);
  expect(blockers).toMatchObject([{ code: 'prescription_not_reviewed' }]);
  await api(pharmacy, 'POST', `${path}/approve`, {}, 409);
  const [{ id }] = prescriptions;
  await api(pharmacy, 'POST', `/prescriptions/${id}/approve`, {});
  expect(await told(pharmacy, 'prescription_approved')).toEqual({ prescription_id: id, order_request_id: requestId });
  return (await api(pharmacy, 'POST', `${path}/approve`, {})).order_id;
}

/** From the first status through all the others, each with its webhook. */
async function move(pharmacy: Pharmacy, orderId: string, statuses: string[]): Promise<void> {
  for (const [index, status] of statuses.slice(1).entries()) {
    expect(await api(pharmacy, 'PATCH', `/orders/${orderId}`, { status })).toMatchObject({ status });
    expect(await told(pharmacy, 'order_status_updated', index + 1)).toEqual({
      order_id: orderId,
      old_status: statuses[index],
      new_status: status,
    });
  }
}

async function markPaid(pharmacy: Pharmacy, orderId: string): Promise<void> {
  await api(pharmacy, 'POST', `/orders/${orderId}/mark-paid`, { payment_reference: 'TX-4711' });
  const metadata = { order_id: orderId, payment_reference: 'TX-4711', total_amount: 39.9 };
  expect(await told(pharmacy, 'order_marked_paid')).toEqual(metadata);
}

async function stockOf(pharmacy: Pharmacy): Promise<number> {
  const { data } = await api(pharmacy, 'GET', '/inventory');
  return data.find(({ p1_id }: { p1_id: string }) => p1_id === pharmacy.p1Id).stock_quantity;
}

/** Waits until these are the webhooks that have arrived, in any order. */
async function toldInAll(pharmacy: Pharmacy, types: readonly string[]): Promise<void> {
  await eventually(() => expect(typesAt(pharmacy)).toEqual(types.toSorted()));
}

/** Waits for the n-th webhook of a type, which every public library must accept. @returns its metadata */
async function told(pharmacy: Pharmacy, type: string, n = 1): Promise<Record<string, unknown>> {
  const webhook = await eventually(() => {
    const found = catcher.at(pharmacy.path).filter(({ headers }) => headers['x-service-event'] === type)[n - 1];
    expect(found, `${type} ${n}`).toBeDefined();
    return found as Post;
  });
  await verifyWithEveryLibrary(webhook, pharmacy.secret);
  expect(webhook.headers['x-service-attempt']).toBe('1');
  const { org_id, event_type, metadata } = JSON.parse(webhook.body);
  expect({ org_id, event_type }).toEqual({ org_id: pharmacy.orgId, event_type: type });
  expect(webhook.body).not.toMatch(/Mustermann|@example\.com|Hauptstraße/);
  return metadata;
}

function typesAt({ path }: Pharmacy): string[] {
  return catcher
    .at(path)
    .map(({ headers }) => headers['x-service-event'] ?? '')
    .sort();
}

// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document is held against answers elsewhere
type Anything = any;

/** A call of the organization API. @returns the parsed answer, which must have this status */
async function api(pharmacy: Pharmacy, method: string, path: string, body?: object, status = 200): Promise<Anything> {
  const headers = { Authorization: `Bearer ${pharmacy.token}`, ...(body && { 'Content-Type': 'application/json' }) };
  const url = `${service.demo.base_url}/api/v2/public/orgs/${pharmacy.orgId}${path}`;
  const answer = await send(method, url, headers, body && JSON.stringify(body));
  expect(answer.status, answer.body).toBe(status);
  return JSON.parse(answer.body);
}

/** Any host name at the loopback address: not every machine resolves `*.localhost`. */
async function send(method: string, url: string, headers: Record<string, string> = {}, body?: string) {
  const { host, port, pathname } = new URL(url);
  const call = request({ host: '127.0.0.1', port, path: pathname, method, agent: false });
  for (const [name, value] of Object.entries({ ...headers, Host: host })) call.setHeader(name, value);
  call.end(body);
  const [answer] = await once(call, 'response');
  return { status: answer.statusCode as number, body: await text(answer) };
}
