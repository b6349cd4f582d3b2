import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call, post } from '../../scripts/http';
import { onePagePdf } from '../../scripts/pdf';
import { EVENT_TYPES } from '../../src/webhooks/event-types.ts';
import { eventually } from '../support/eventually.ts';
import { type Post, verifyWithEveryLibrary } from './support/catcher';
import { ownCatcher, ownService } from './support/own-service';
import { openPharmacyAt, SUBMITS } from './support/pharmacy';

/** A bound for a hang. */
const FLOW_MS = 240_000;
const IBAN = 'DE89370400440532013000';

const { service } = await ownService();
const catcher = await ownCatcher();

test(
  'picked up at the counter: from the connector’s post with its PDF to paid, every step with its webhook',
  async () => {
    const pharmacy = await openPharmacy('/counter', { stock: 20 });
    const { id, reference } = await submit(pharmacy, { shipping_option: 'Abholung' });
    const about = { order_request_id: id, external_reference: reference, shop_id: pharmacy.shopId, source: SOURCE };
    expect(await told(pharmacy, 'order_request_submitted')).toMatchObject(about);

    const orderId = await approve(pharmacy, id);
    expect(await told(pharmacy, 'order_request_approved')).toMatchObject({ ...about, order_id: orderId });
    expect(await told(pharmacy, 'order_created')).toMatchObject({
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
      // Promised by the approval, and handed over.
      'product_updated',
      'product_updated',
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
    expect(await told(pharmacy, 'low_stock')).toMatchObject({ p1_id: pharmacy.p1Id, stock_quantity: 4, threshold: 5 });

    const link = await api(pharmacy, 'POST', `/orders/${orderId}/payment-links`, {}, 201);
    expect(await told(pharmacy, 'payment_link_created')).toMatchObject({ order_id: orderId, ...link });
    expect(link).toMatchObject({
      amount: 39.9,
      url: expect.stringMatching(`^http://${pharmacy.host}:${service.port}/pay/`),
    });
    const open = await call('GET', link.url, {});
    expect(open.status, open.body).toBe(200);
    for (const shown of [
      '39,90',
      'Löwen-Apotheke',
      'DE89 3704 0044 0532 0130 00',
      'BESTELLUNG',
      'Noch nicht bezahlt',
      'GiroCode zum Scannen',
    ]) {
      expect(open.body).toContain(shown);
    }
    expect((await call('GET', link.url.replace(pharmacy.host, 'localhost'), {})).status).toBe(404);

    await markPaid(pharmacy, orderId);
    const paid = await call('GET', link.url, {});
    expect(paid.body).toContain('Bezahlt');
    expect(paid.body).not.toContain('GiroCode zum Scannen');

    await move(pharmacy, orderId, ['awaiting_payment', 'awaiting_packing', 'ready_shipping', 'shipped', 'delivered']);
    expect(await api(pharmacy, 'GET', `/orders/${orderId}`)).toMatchObject({
      status: 'delivered',
      payment_status: 'paid',
    });
    await toldInAll(pharmacy, [
      'product_created',
      // Promised by the approval, and handed over.
      'product_updated',
      'product_updated',
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
  connector: string;
  p1Id: string;
  token: string;
  integrationKey: string;
  /** Where its webhooks arrive, and what they are signed with. */
  path: string;
  secret: string;
}

/** An organization of its own, with one product that needs a prescription and a subscription to everything. */
async function openPharmacy(path: string, { stock }: { stock: number }): Promise<Pharmacy> {
  const fields = { iban: IBAN };
  const keys = [API_SCOPES, SUBMITS];
  const urls = [catcher.url(path)];
  const opened = await openPharmacyAt(service, { fields, keys, urls, eventTypes: EVENT_TYPES });
  const [apiKey = '', integrationKey = ''] = opened.keys;
  const p1Id = `P1-${randomUUID()}`;
  const product = {
    ...{ p1_id: p1Id, name: 'Cannabisblüten 20/1', slug: p1Id.toLowerCase(), category: 'Blüten', price: 19.95 },
    prescription_required: true,
  };
  const { base_url, operator_token } = service.demo;
  const asOperator = { Authorization: `Bearer ${operator_token}`, 'Content-Type': 'application/x-ndjson' };
  const imported = await post(`${base_url}/api/operator/v1/catalog`, asOperator, JSON.stringify(product));
  expect(imported.body).toContain('"imported":1');

  const { orgId, shopId, host, connector } = opened;
  const token = await call('POST', `${base_url}/api/v2/public/orgs/${orgId}/auth/token`, { apikey: apiKey });
  const { access_token } = JSON.parse(token.body);
  const secret = opened.subscribers[0]?.secret ?? '';
  const pharmacy = { orgId, shopId, host, connector, p1Id, token: access_token, integrationKey, path, secret };
  await api(pharmacy, 'POST', '/products/add-to-inventory', { p1_id: p1Id, initial_stock: stock }, 201);
  expect(await told(pharmacy, 'product_created')).toMatchObject({ p1_id: p1Id, on_hand: stock, stock_quantity: stock });
  return pharmacy;
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
  const headers = { apikey: pharmacy.integrationKey, 'Content-Type': 'application/json' };
  const answer = await post(pharmacy.connector, headers, JSON.stringify(body));
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
  expect(await told(pharmacy, 'prescription_approved')).toMatchObject({
    prescription_id: id,
    order_request_id: requestId,
  });
  return (await api(pharmacy, 'POST', `${path}/approve`, {})).order_id;
}

/** From the first status through all the others, each with its webhook. */
async function move(pharmacy: Pharmacy, orderId: string, statuses: string[]): Promise<void> {
  for (const [index, status] of statuses.slice(1).entries()) {
    expect(await api(pharmacy, 'PATCH', `/orders/${orderId}`, { status })).toMatchObject({ status });
    expect(await told(pharmacy, 'order_status_updated', index + 1)).toMatchObject({
      order_id: orderId,
      old_status: statuses[index],
      new_status: status,
    });
  }
}

async function markPaid(pharmacy: Pharmacy, orderId: string): Promise<void> {
  await api(pharmacy, 'POST', `/orders/${orderId}/mark-paid`, { payment_reference: 'TX-4711' });
  const metadata = { order_id: orderId, payment_reference: 'TX-4711', total_amount: 39.9 };
  expect(await told(pharmacy, 'order_marked_paid')).toMatchObject(metadata);
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
  const answer = await call(method, url, headers, body && JSON.stringify(body));
  expect(answer.status, answer.body).toBe(status);
  return JSON.parse(answer.body);
}
