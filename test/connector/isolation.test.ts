import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '../../src/app';
import { newId } from '../../src/platform/ids';
import {
  type Answer,
  API_SCOPES,
  attachNewProduct,
  createKey,
  expectProblem,
  footprint,
  revokeKey,
} from '../support/organization';
import { ask, send } from '../support/platform';
import { freshAddress } from '../support/probe';
import { openSeller, type Seller } from '../support/seller';
import { envelope, operate, rowsIn } from '../support/world';

const PREFIX = '/shop/api/v1';
const ROUTES = [
  ...new Set(
    app.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith(PREFIX))
      .map(({ method, path }) => `${method} ${path.slice(PREFIX.length)}`),
  ),
];

/** What a request names. */
interface Named {
  id: string;
  reference: string;
}

interface Valid {
  query?: (named: Named) => Record<string, string>;
  body?: (named: Named) => unknown;
}

/** A valid request for every route of the connector. */
const VALID: Record<string, Valid> = {
  'POST /external-order': { body: () => envelope() },
  'GET /external-order': { query: ({ reference }) => ({ external_reference: reference }) },
  'GET /external-order/:id': {},
  'DELETE /external-order/:id': {},
  'POST /external-order/:id/supplement': { body: () => ({ note: 'Zweimal täglich.' }) },
  'GET /shop': {},
  'GET /products': {},
};

/** Routes that are about one request. */
const OF_REQUEST = ['GET /external-order', ...ROUTES.filter((route) => route.includes(':id'))];

type At = Pick<Seller, 'host' | 'integrationKey'>;

function request(at: At, route: string, named: Named, headers: Record<string, string> = {}): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const { query, body } = VALID[route] ?? {};
  return ask(at, method, path.replace(':id', named.id), {
    query: query?.(named),
    body: body?.(named),
    headers: { 'CF-Connecting-IP': freshAddress(), ...headers },
  });
}

test('every route of the connector is in the table of valid requests', () => {
  expect(Object.keys(VALID).toSorted()).toEqual(ROUTES.toSorted());
});

interface Fixture {
  mine: Seller;
  theirs: Seller;
  /** A request that `theirs` was sent, and a product that they offer. */
  named: Named;
  p1Id: string;
  /** The same organization's second shop, and another integration's key. */
  nord: At;
  family: At;
}

async function openTwo(...shards: number[]): Promise<Fixture> {
  const [mine, theirs] = [await openSeller({ shard: shards[0] }), await openSeller({ shard: shards[1] })];
  const { p1_id: p1Id } = await attachNewProduct(theirs);
  const { id, external_reference } = await send(theirs);
  const { apiKey } = await createKey(theirs.orgId, ['external_orders.submit']);
  const [{ host } = { host: '' }] = await rowsIn<{ host: string }>(
    theirs.shard,
    'select host from shop_hosts where shop_id = ?',
    theirs.otherShopId,
  );
  return {
    ...{ mine, theirs, p1Id, named: { id, reference: String(external_reference) } },
    nord: { host, integrationKey: theirs.integrationKey },
    family: { host: theirs.host, integrationKey: apiKey },
  };
}

describe.each([
  [0, 0],
  [0, 1],
  [1, 0],
])('a platform of an organization on database %i, and one on database %i', (...shards) => {
  let fixture: Fixture;
  let before: unknown;
  const unchanged = async () => {
    const { mine, theirs } = fixture;
    expect(await footprint(mine.orgId, theirs.orgId)).toEqual(before);
  };

  beforeAll(async () => {
    fixture = await openTwo(...shards);
    before = await footprint(fixture.mine.orgId, fixture.theirs.orgId);
  });

  test.for<[string, (fixture: Fixture) => Promise<At> | At, number, string]>([
    ['no key', ({ theirs }) => ({ ...theirs, integrationKey: '' }), 401, 'missing_api_key'],
    [
      'an access token for a key',
      ({ theirs }) => ({ ...theirs, integrationKey: theirs.token }),
      401,
      'invalid_api_key',
    ],
    ['a key of every other scope', (all) => keyed(all, API_SCOPES), 401, 'invalid_api_key'],
    ['a revoked key', (all) => revoked(all), 401, 'invalid_api_key'],
    ['another organization’s key', ({ theirs, mine }) => ({ ...mine, host: theirs.host }), 400, 'shop_mismatch'],
    ['their key at another’s address', ({ theirs, mine }) => ({ ...theirs, host: mine.host }), 400, 'shop_mismatch'],
    ['an address that no shop has', ({ theirs }) => ({ ...theirs, host: 'nobody.localhost' }), 404, 'not_found'],
  ])('with %s are refused on every route, and nothing changes', async ([, as, status, code]) => {
    const at = await as(fixture);
    for (const route of ROUTES) {
      const answer = await request(at, route, fixture.named);
      expect([route, answer.status, answer.body.code]).toEqual([route, status, code]);
    }
    await unchanged();
  });

  test.for<[string, (fixture: Fixture) => At]>([
    ['another organization’s platform', ({ mine }) => mine],
    ['another integration of the same shop', ({ family }) => family],
    ['the same integration at another shop', ({ nord }) => nord],
  ])('%s finds their request nowhere, as if there were none', async ([, as]) => {
    const at = as(fixture);
    const nobody = { id: newId(), reference: newId() };
    for (const route of OF_REQUEST) {
      const answer = await request(at, route, fixture.named);
      expectProblem(answer, 404, 'order_request_not_found');
      expect(comparable(answer, fixture.named)).toEqual(comparable(await request(at, route, nobody), nobody));
    }
    await unchanged();
  });

  test('what a shop offers is told of that shop alone', async () => {
    const { mine, nord, theirs, named, p1Id } = fixture;
    for (const at of [mine, nord]) {
      const { status, body } = await request(at, 'GET /products', named);
      expect([status, body.data]).toEqual([200, []]);
    }
    const { body } = await request(theirs, 'GET /products', named);
    expect(body.data).toMatchObject([{ p1_id: p1Id }]);
    await unchanged();
  });

  test('one Idempotency-Key is another one for each integration and organization', async () => {
    const { mine, theirs, family } = await openTwo(...shards);
    const headers = { 'Idempotency-Key': newId() };
    const body = envelope({}, { external_reference: undefined });
    const ids: string[] = [];
    for (const at of [mine, theirs, family]) {
      const answer = await ask(at, 'POST', '/external-order', { body, headers });
      expect([answer.status, answer.headers.get('Idempotent-Replayed')]).toEqual([200, null]);
      ids.push(answer.body.id);
    }
    expect(new Set(ids).size).toBe(3);
  });

  test('a platform of a suspended organization is refused on every route, and nothing changes', async () => {
    const { theirs, named } = await openTwo(...shards);
    await operate(`/organizations/${theirs.orgId}`, { status: 'suspended' }, 'PATCH');
    const suspended = await footprint(theirs.orgId);
    for (const route of ROUTES) {
      const answer = await request(theirs, route, named);
      expect([route, answer.status, answer.body.code]).toEqual([route, 400, 'shop_inactive']);
    }
    expect(await footprint(theirs.orgId)).toEqual(suspended);
  });
});

async function keyed({ theirs }: Fixture, scopes: typeof API_SCOPES): Promise<At> {
  return { ...theirs, integrationKey: (await createKey(theirs.orgId, scopes)).apiKey };
}

async function revoked({ theirs }: Fixture): Promise<At> {
  const { keyId, apiKey } = await createKey(theirs.orgId, ['external_orders.submit']);
  await revokeKey(theirs.orgId, keyId);
  return { ...theirs, integrationKey: apiKey };
}

/** The answer without what differs from one request to the next. */
function comparable({ status, body }: Answer, { id, reference }: Named) {
  const text = JSON.stringify({ ...body, request_id: '' });
  return { status, text: text.replaceAll(id, 'ID').replaceAll(reference, 'REFERENCE') };
}
