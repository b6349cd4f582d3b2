import { beforeAll, describe } from 'vitest';
import { connectorRoutes } from '../../src/connector/routes';
import { newId } from '../../src/platform/ids';
import { captureLogs, freshAddress, meteredDb, NOTHING, problemOf, stored } from '../support/probe';
import { expect, test } from '../support/test';
import { openTestPharmacy } from '../support/test-organization';
import { call, envelope, json, ONE_DATABASE, openPharmacy, type Pharmacy, submit } from '../support/world';

/** Every call that takes a key, with a request that would go through. `:id` stands for an order request. */
const CALLS: Record<string, (id: string) => { path: string; body?: unknown }> = {
  'POST /api/v1/external-order': () => ({ path: '/external-order', body: envelope() }),
  'GET /api/v1/external-order': () => ({ path: '/external-order?external_reference=RX-1' }),
  'GET /api/v1/external-order/:id': (id) => ({ path: `/external-order/${id}` }),
  'DELETE /api/v1/external-order/:id': (id) => ({ path: `/external-order/${id}` }),
  'POST /api/v1/external-order/:id/supplement': (id) => ({
    path: `/external-order/${id}/supplement`,
    body: { note: 'x' },
  }),
  'GET /api/v1/shop': () => ({ path: '/shop' }),
  'GET /api/v1/products': () => ({ path: '/products' }),
};

function ask({ host }: Pharmacy, route: string, id: string, key: string, changed: Partial<Env> = {}) {
  const { path, body } = CALLS[route]?.(id) ?? { path: '' };
  const [method] = route.split(' ');
  const headers = { apikey: key, 'CF-Connecting-IP': freshAddress() };
  const init = body === undefined ? { headers } : json(body, headers);
  return call(`http://${host}:8787/api/v1${path}`, { ...init, method }, changed);
}

test('every call with a key is tried', () => {
  const withKey = connectorRoutes.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/v1'))
    .map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(CALLS).toSorted()).toEqual([...new Set(withKey)].toSorted());
});

describe.each([
  [0, 0],
  [1, 0],
])('live on database %i, test on database %i', (liveShard, testShard) => {
  let live: Pharmacy;
  let inTest: Pharmacy;
  let ids: { live: string; test: string };

  beforeAll(async () => {
    live = await openPharmacy(liveShard);
    const origin = liveShard === testShard ? live : await openPharmacy(testShard);
    inTest = await openTestPharmacy(origin.orgId, testShard);
    const sent = [await submit(live, envelope()), await submit(inTest, envelope())];
    const [first, second] = await Promise.all(sent.map((response) => response.json<{ id: string }>()));
    ids = { live: first?.id ?? '', test: second?.id ?? '' };
  });

  test.each(Object.keys(CALLS))('%s refuses the key of the other kind, and nothing changes', async (route) => {
    const before = [await stored(live.orgId), await stored(inTest.orgId)];
    await problemOf(await ask(live, route, ids.live, inTest.integrationKey), 401, 'invalid_api_key');
    await problemOf(await ask(inTest, route, ids.test, live.integrationKey), 401, 'invalid_api_key');
    expect([await stored(live.orgId), await stored(inTest.orgId)]).toEqual(before);
  });
});

test('between two live and between two test organizations it is the other organization that is told', async () => {
  const [ours, theirs] = [await openPharmacy(), await openPharmacy()];
  const [ourTest, theirTest] = [await openTestPharmacy(ours.orgId), await openTestPharmacy(theirs.orgId)];
  const id = newId();
  await problemOf(await ask(ours, 'GET /api/v1/shop', id, theirs.integrationKey), 400, 'shop_mismatch');
  await problemOf(await ask(ourTest, 'GET /api/v1/shop', id, theirTest.integrationKey), 400, 'shop_mismatch');
});

test('a live key whose text is made that of a test key, or the reverse, is no key', async ({ pharmacy }) => {
  const inTest = await openTestPharmacy(pharmacy.orgId);
  const asTest = pharmacy.integrationKey.replace('ofz_', 'ofz_test_');
  const asLive = inTest.integrationKey.replace('ofz_test_', 'ofz_');
  for (const key of [asTest, asLive]) {
    for (const at of [pharmacy, inTest]) {
      await problemOf(await ask(at, 'POST /api/v1/external-order', '', key), 401, 'invalid_api_key');
    }
  }
  expect(await stored(pharmacy.orgId)).toEqual(NOTHING);
});

test('a submission with a test key costs what one with a live key does', async ({ pharmacy }) => {
  const inTest = await openTestPharmacy(pharmacy.orgId);
  const trips = async (at: Pharmacy) => {
    const { DB, trips } = meteredDb();
    expect((await submit(at, envelope(), { ...ONE_DATABASE, DB })).status).toBe(200);
    return trips.map(({ statements }) => statements);
  };
  expect(await trips(inTest)).toEqual(await trips(pharmacy));
});

test('no test key stands in the log', async ({ pharmacy }) => {
  const lines = captureLogs();
  const inTest = await openTestPharmacy(pharmacy.orgId);
  await ask(pharmacy, 'POST /api/v1/external-order', '', inTest.integrationKey);
  expect(JSON.stringify(lines)).not.toContain(inTest.integrationKey.slice(0, 30));
});
