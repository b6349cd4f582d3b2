import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, ask, openOrganization, operatorApi, organizationApi } from '../../scripts/api';
import { onePagePdf } from '../../scripts/pdf';
import { ensureSecrets, operatorTokenOf } from '../../scripts/secrets';
import { makeWorkDir, type Served, serve } from '../bench/serve';

const SCOPES = ['products.read', 'products.write', 'inventory.write', 'order_requests.read', 'order_requests.write'];
const MORE_SCOPES = ['prescriptions.write', 'orders.read', 'orders.write', 'events.read'];
const PRODUCT = { p1_id: 'P1-1', name: 'Ibuprofen 400 mg', slug: 'ibuprofen', category: 'Schmerzmittel', price: 4.95 };
const HOST = 'before.localhost';

const dir = makeWorkDir();
let served: Served;
let operate: Api;

// As a deployment leaves it for a while: the migrations are there, the Worker of the release before still serves.
beforeAll(async () => {
  const [bundleDir, stateDir] = [join(dir, 'bundle'), join(dir, 'state')];
  mkdirSync(bundleDir);
  const bundle = readFileSync(join(import.meta.dirname, '../release/worker.js.gz'));
  writeFileSync(join(bundleDir, 'index.js'), gunzipSync(bundle));
  const secrets = ensureSecrets(join(dir, 'secrets'));
  served = await serve({ bundleDir, stateDir, secrets });
  await served.migrate();
  operate = operatorApi(served.baseUrl, operatorTokenOf(secrets));
});

afterAll(async () => {
  await served?.close();
  rmSync(dir, { recursive: true, force: true });
});

test('the Worker of the release before carries an order through its whole life on the schema of this one', async () => {
  const { orgId, shopId, integrationKey, keyFor } = await openOrganization(operate, { name: 'Before' }, HOST);
  await operate('POST', '/catalog', JSON.stringify({ ...PRODUCT, prescription_required: true }));
  const api = await organizationApi(served.baseUrl, orgId, await keyFor([...SCOPES, ...MORE_SCOPES]));
  await api('POST', '/products/add-to-inventory', { p1_id: PRODUCT.p1_id, initial_stock: 10 });
  await api('POST', '/shops/attach-product', { shop_id: shopId, p1_id: PRODUCT.p1_id });

  const payload = {
    customer_name: 'Erika Mustermann',
    customer_email: 'erika@example.com',
    items: [{ p1_id: PRODUCT.p1_id, name: PRODUCT.name, quantity: 2, price: PRODUCT.price }],
    prescription_pdf_base64: onePagePdf('Rezept').toString('base64'),
    payment_status: 'paid',
  };
  const submission = { external_reference: 'RX-1', payload };
  const url = `http://${HOST}:${served.port}/api/v1/external-order`;
  const { id } = await ask('POST', url, { apikey: integrationKey }, submission);
  const { prescriptions } = await api('GET', `/order-requests/${id}`);
  await api('POST', `/prescriptions/${prescriptions[0].id}/approve`, {});
  await api('POST', `/order-requests/${id}/approve`, {});
  const { data } = await api('GET', '/orders');
  expect(data).toMatchObject([{ status: 'awaiting_packing', payment_status: 'paid' }]);
  for (const status of ['ready_pickup', 'picked_up']) await api('PATCH', `/orders/${data[0].id}`, { status });
  expect(await api('GET', `/products/${PRODUCT.p1_id}?shop_id=${shopId}`)).toMatchObject({ stock_quantity: 8 });
  const feed = await api('GET', '/events?event_type=order_created');
  expect(feed.data).toMatchObject([{ event_type: 'order_created' }]);
});
