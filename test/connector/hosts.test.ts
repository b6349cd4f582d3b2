import { newId } from '../../src/platform/ids';
import { accepted, captureLogs, type Problem, problemOf, withoutRequestId } from '../support/probe';
import { insertRow } from '../support/rows';
import { expect, test } from '../support/test';
import {
  BASE,
  call,
  envelope,
  json,
  OPERATOR_TOKEN,
  openPharmacy,
  operate,
  type Pharmacy,
  rows,
} from '../support/world';

const PATH = '/api/v1/external-order';

function post(pharmacy: Pharmacy, origin: string, headers: Record<string, string> = {}) {
  return call(`${origin}${PATH}`, json(envelope(), { apikey: pharmacy.integrationKey, ...headers }));
}

async function secondHost({ orgId, shopId }: Pharmacy): Promise<string> {
  const host = `zweite-${newId()}.localhost`;
  await operate(`/organizations/${orgId}/shops/${shopId}/hosts`, { host });
  return host;
}

/** A host as an owner adds it: known, and not yet let in by the operator. */
async function pendingHost({ orgId, shopId }: Pharmacy): Promise<string> {
  const host = `wartet-${newId()}.localhost`;
  await insertRow('pending_hosts', { id: newId(), org_id: orgId, shop_id: shopId, host });
  return host;
}

const ORIGINS: [string, (pharmacy: Pharmacy) => Promise<string> | string][] = [
  ['as stored', ({ host }) => `http://${host}`],
  ['with a port', ({ host }) => `http://${host}:8787`],
  ['by https', ({ host }) => `https://${host}`],
  ['in capitals', ({ host }) => `http://${host.toUpperCase()}:8787`],
  ['with a trailing dot', ({ host }) => `http://${host}.:8787`],
  ['by its second host', async (pharmacy) => `http://${await secondHost(pharmacy)}`],
];

test.for(ORIGINS)('a shop’s host %s names the shop', async ([_, originOf], { pharmacy }) => {
  const origin = await originOf(pharmacy);
  const { id } = await accepted(await post(pharmacy, origin));
  expect(await rows('select shop_id, org_id from order_requests where id = ?', id)).toEqual([
    { shop_id: pharmacy.shopId, org_id: pharmacy.orgId },
  ]);
  expect(await (await call(`${origin}/healthz`)).json()).toEqual({ status: 'ok' });
});

test.each(['X-Forwarded-Host', 'X-Host', 'X-Original-Host', 'Forwarded'])('%s picks no shop', async (header) => {
  const [ours, theirs] = [await openPharmacy(), await openPharmacy()];
  const value = header === 'Forwarded' ? `host=${theirs.host}` : theirs.host;
  const { id } = await accepted(await post(ours, `http://${ours.host}`, { [header]: value }));
  expect(await rows('select shop_id from order_requests where id = ?', id)).toEqual([{ shop_id: ours.shopId }]);
  await problemOf(await post(ours, BASE, { [header]: ours.host }), 404, 'not_found');
});

const STRANGERS: [string, (pharmacy: Pharmacy) => Promise<string> | string][] = [
  ['unknown', () => `http://unbekannt-${newId()}.localhost`],
  ['pending', async (pharmacy) => `http://${await pendingHost(pharmacy)}`],
  ['a subdomain of a shop’s', ({ host }) => `http://www.${host}`],
  ['a shop’s with two trailing dots', ({ host }) => `http://${host}..`],
  ['an IP address', () => 'http://127.0.0.1:8787'],
];

test.for(STRANGERS)('a host that is %s answers 404 to everything, alike', async ([_, originOf], { pharmacy }) => {
  captureLogs();
  const origin = await originOf(pharmacy);
  const requests: [string, RequestInit][] = [
    [PATH, json(envelope(), { apikey: pharmacy.integrationKey })],
    [PATH, json(envelope())],
    [PATH, { method: 'GET' }],
    ['/healthz', {}],
    ['/api/operator/v1/organizations', json({ name: 'x' }, { Authorization: `Bearer ${OPERATOR_TOKEN}` })],
    ['/', {}],
  ];
  for (const [path, init] of requests) {
    const response = await call(origin + path, init);
    expect(response.headers.get('Allow')).toBeNull();
    const problem = withoutRequestId(await problemOf(response, 404, 'not_found'));
    expect(problem).toEqual({ ...NOT_FOUND, instance: path });
  }
});

/** What an address that was never there is answered. */
const NOT_FOUND: Partial<Problem> = {
  type: `${BASE}/docs/errors#not_found`,
  title: 'Not found',
  status: 404,
  detail: 'There is nothing at this address.',
  code: 'not_found',
};

test('an address that misses one by its host or by its writing says which is meant', async ({ pharmacy }) => {
  const detailAt = async (url: string) => (await problemOf(await call(url), 404, 'not_found')).detail;
  const shop = `http://${pharmacy.host}:8787`;
  expect(await detailAt(`${shop}/api/v2/public/orgs/x/shops`)).toContain(BASE);
  for (const path of [`/${PATH}`, `${PATH}/`, PATH.replace('/v1/', '/v1//')]) {
    expect(await detailAt(`${shop}${path}`), path).toContain(`as ${PATH}.`);
  }
  expect(await detailAt(shop + PATH.toUpperCase())).toContain('in lower case');
});

test('the connector does not exist on the base host, which says where it is', async ({ pharmacy }) => {
  for (const origin of [BASE, 'http://LOCALHOST:8787', 'http://localhost.', 'https://localhost']) {
    const problem = withoutRequestId(await problemOf(await post(pharmacy, origin), 404, 'not_found'));
    expect(problem).toEqual({
      ...NOT_FOUND,
      instance: PATH,
      detail: "The connector is at each shop's own address, not at this one.",
    });
  }
});

test('the operator API does not exist on a shop’s host, not even for the operator', async ({ pharmacy: { host } }) => {
  const init = json({ name: 'x' }, { Authorization: `Bearer ${OPERATOR_TOKEN}` });
  await problemOf(await call(`http://${host}:8787/api/operator/v1/organizations`, init), 404, 'not_found');
});

test.for([
  '/shop/api/v1/external-order',
  '/base/healthz',
  '//api/v1/external-order',
  '/api/v1/external-order/',
  '/api/v1/External-Order',
  '/api/v1/external%2Dorder2',
])('the path %s is nothing on a shop’s host', async (path, { pharmacy }) => {
  const response = await call(`http://${pharmacy.host}${path}`, json(envelope(), { apikey: pharmacy.integrationKey }));
  await problemOf(response, 404, 'not_found');
});

test.each(['/nowhere', '/shop/healthz', '/base/healthz', '/'])('%s is nothing on the base host', async (path) => {
  await problemOf(await call(BASE + path), 404, 'not_found');
});

test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s at the connector’s path is answered 405 with what is allowed',
  async (method) => {
    const pharmacy = await openPharmacy();
    const response = await call(pharmacy.url, { method, headers: { apikey: pharmacy.integrationKey } });
    await problemOf(response, 405, 'method_not_allowed');
    expect(response.headers.get('Allow')).toBe('GET, POST');
  },
);

test('HEAD at the connector’s path is answered 405 as GET is', async ({ pharmacy }) => {
  const response = await call(pharmacy.url, { method: 'HEAD' });
  expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, POST']);
});

test('POST at /healthz is answered 405 on both spaces', async ({ pharmacy: { host } }) => {
  for (const origin of [BASE, `http://${host}`]) {
    const response = await call(`${origin}/healthz`, { method: 'POST' });
    await problemOf(response, 405, 'method_not_allowed');
    expect(response.headers.get('Allow')).toBe('GET');
  }
});

test('/healthz answers on the base host', async () => {
  const response = await call(`${BASE}/healthz`);
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

test('an inactive shop takes no order requests, and says so to a good key alone', async ({ pharmacy }) => {
  await rows('update shops set is_active = 0 where id = ?', pharmacy.shopId);
  await problemOf(await post(pharmacy, `http://${pharmacy.host}`), 400, 'shop_inactive');
  await problemOf(await call(pharmacy.url, json(envelope())), 401, 'missing_api_key');
  expect(await rows('select id from order_requests where org_id = ?', pharmacy.orgId)).toEqual([]);
});
