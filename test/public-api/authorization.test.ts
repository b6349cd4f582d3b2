import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '../../src/app';
import type { Scope } from '../../src/platform/access';
import { newId } from '../../src/platform/ids';
import { endpoints } from '../../src/public-api/routes';
import {
  type Answer,
  API_SCOPES,
  askToken,
  attach,
  callApi,
  createKey,
  eventsOf,
  expectProblem,
  footprint,
  importProduct,
  type OrganizationApi,
  tokenFor,
} from '../support/organization';
import { openTestPharmacy } from '../support/test-organization';
import { openOne, request, targetIn } from '../support/valid-requests';
import { kindIn, type Target, VALID } from '../support/valid-table';
import { rows } from '../support/world';

const PREFIX = '/base/api/v2/public/orgs/:orgId';
/** Needs a key instead of a token (tokens.test.ts). */
const WITHOUT_TOKEN = ['POST /auth/token'];

const ROUTES = [
  ...new Set(
    app.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith(PREFIX))
      .map(({ method, path }) => `${method} ${path.slice(PREFIX.length)}`),
  ),
].filter((route) => !WITHOUT_TOKEN.includes(route));

interface Fixture {
  api: OrganizationApi;
  other: OrganizationApi;
  mine: Target;
  theirs: Target;
  /** In the catalog, held by nobody. */
  unheld: string;
}

/** Two organizations that each offer a product of their own. @param shards the databases on which they live */
async function openTwo(...shards: number[]): Promise<Fixture> {
  const [first, second] = [await openOne(shards[0]), await openOne(shards[1])];
  await attach(second.api, second.target.p1_id, {}, second.api.otherShopId);
  const { p1_id: unheld } = await importProduct();
  return { api: first.api, other: second.api, mine: first.target, theirs: second.target, unheld };
}

/** What is named by `:id` behind a step, as a refusal calls it. */
const NAMES: Record<string, string> = {
  'order-requests': 'order_request',
  orders: 'order',
  prescriptions: 'prescription',
  customers: 'customer',
  subscriptions: 'subscription',
  deliveries: 'delivery',
};

/** The answer without what differs from one request to the next. */
function comparable({ status, body }: Answer, { p1_id, shop_id, ids }: Target) {
  const text = [p1_id, shop_id, ...Object.values(ids)].reduce(
    (rest, id) => rest.replaceAll(id, 'ID'),
    JSON.stringify({ ...body, request_id: '' }),
  );
  return { status, text };
}

test('every route of the organization API is in the table of endpoints and in the table of valid requests', () => {
  const declared = endpoints.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(ROUTES.length).toBeGreaterThan(10);
  expect(ROUTES.toSorted()).toEqual(declared.toSorted());
  expect(Object.keys(VALID).toSorted()).toEqual(ROUTES.toSorted());
});

test('beside the organization API only these are public', () => {
  const others = app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/base/api/v2') && !path.startsWith(PREFIX))
    .map(({ method, path }) => `${method} ${path}`);
  const documents = ['openapi', 'webhooks'].map((name) => `GET /base/api/v2/public/${name}.json`);
  expect([...new Set(others)]).toEqual([...documents, 'POST /base/api/v2/public/auth/token']);
});

/** Refusals change nothing, and each test says so: all routes share what they are refused. */
let fixture: Fixture;
const footprints = () => footprint(fixture.api.orgId, fixture.other.orgId);
let before: Awaited<ReturnType<typeof footprints>>;
/** Tokens of every scope but one: of a key that has no more, and one that was asked for. */
const narrowTokens = new Map<Scope, [ofKey: string, asked: string]>();
/** Of a scope that no route asks for. */
let uselessToken: string;
const without = (scope: Scope) => API_SCOPES.filter((each) => each !== scope);

beforeAll(async () => {
  fixture = await openTwo();
  const { apiKey } = await createKey(fixture.api.orgId, ['external_orders.submit']);
  uselessToken = await tokenFor({ orgId: fixture.api.orgId, apiKey });
  for (const scope of new Set(endpoints.map((each) => each.scope))) {
    const made = await createKey(fixture.api.orgId, without(scope));
    const ofKey = await tokenFor({ orgId: fixture.api.orgId, apiKey: made.apiKey });
    narrowTokens.set(scope, [ofKey, await tokenFor(fixture.api, without(scope).join(' '))]);
  }
  before = await footprints();
});

describe.each(ROUTES)('%s', (route) => {
  const [method = '', path = ''] = route.split(' ');
  const scope = endpoints.find((each) => each.method.toUpperCase() === method && each.path === path)?.scope;
  if (!scope) throw new Error('no scope');

  test('is refused without a token of its scope and organization, and nothing changes', async () => {
    const { api, mine, other } = fixture;
    for (const [token, status, code] of [
      [null, 401, 'missing_token'],
      ['eyJhbGciOiJub25lIn0.e30.', 401, 'invalid_token'],
      [api.apiKey, 401, 'invalid_token'],
      ...(narrowTokens.get(scope) ?? []).map((token) => [token, 403, 'insufficient_scope'] as const),
      [other.token, 403, 'org_mismatch'],
    ] as const) {
      const answer = await request(api, route, mine, { token });
      expectProblem(answer, status, code);
      if (code === 'insufficient_scope') {
        expect(answer.headers.get('WWW-Authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}"`);
      }
    }
    // Its body and query are not looked at before.
    const asking = {
      token: uselessToken,
      headers: { 'Content-Type': 'text/plain' },
      ...(method !== 'GET' && { body: '{' }),
    };
    expectProblem(await callApi(api, method, `${path}?limit=x`, asking), 403, 'insufficient_scope');
    expect(await footprints()).toEqual(before);
  });

  test('goes through with a token of its scope alone, and touches nothing of the other organization', async () => {
    const { other, theirs } = fixture;
    const { api, target } = method === 'GET' ? { api: fixture.api, target: fixture.mine } : await openOne();
    const theirsBefore = await footprint(other.orgId);
    const answer = await request(api, route, target, { token: await tokenFor(api, scope) });
    expect(answer.status).toBe(VALID[route]?.status ?? 200);
    const said = JSON.stringify(answer.body);
    for (const id of [other.orgId, theirs.shop_id, ...Object.values(theirs.ids)]) expect(said).not.toContain(id);
    expect(await footprint(other.orgId)).toEqual(theirsBefore);
  });
});

const naming = (member: 'shop_id' | 'p1_id' | 'id') => ROUTES.filter((route) => VALID[route]?.names?.includes(member));

/** A request that names something of the other organization, and one that names in its place what nobody has. */
const FOREIGN: Record<'shop_id' | 'p1_id' | 'id', (fixture: Fixture) => [foreign: Target, missing: Target]> = {
  shop_id: ({ mine, theirs }) => [
    { ...mine, shop_id: theirs.shop_id },
    { ...mine, shop_id: newId() },
  ],
  p1_id: ({ mine, theirs, unheld }) => [
    { ...mine, p1_id: theirs.p1_id },
    { ...mine, p1_id: unheld },
  ],
  id: ({ mine, theirs }) => [
    { ...mine, ids: theirs.ids },
    { ...mine, ids: Object.fromEntries(Object.keys(theirs.ids).map((kind) => [kind, newId()])) },
  ],
};

test.each(naming('shop_id'))('%s answers for another’s shop as for one that does not exist', async (route) => {
  const { api, theirs } = fixture;
  const [foreign, missing] = FOREIGN.shop_id(fixture);
  const answer = await request(api, route, foreign);
  expectProblem(answer, 404, 'shop_not_found');
  expect(comparable(answer, foreign)).toEqual(comparable(await request(api, route, missing), missing));
  // Their product in their shop is no better.
  expectProblem(await request(api, route, theirs), 404, 'shop_not_found');
  expect(await footprints()).toEqual(before);
});

test.each(naming('p1_id'))(
  '%s answers for a product that only others hold as for one that nobody holds',
  async (route) => {
    const { api } = fixture;
    const [foreign, free] = FOREIGN.p1_id(fixture);
    const answer = await request(api, route, foreign);
    expect(comparable(answer, foreign)).toEqual(comparable(await request(api, route, free), free));
    // Detaching what is not attached is no refusal, and changes nothing.
    expect(route === 'POST /shops/detach-product' || VALID[route]?.isBulk ? [200] : [404, 409]).toContain(
      answer.status,
    );
    if (VALID[route]?.isBulk) expect(answer.body.results).toMatchObject([{ code: 'product_not_in_inventory' }]);
    expect(await footprints()).toEqual(before);
  },
);

test.each(naming('id'))('%s answers for what is another organization’s as for what does not exist', async (route) => {
  const { api } = fixture;
  const [foreign, missing] = FOREIGN.id(fixture);
  const answer = await request(api, route, foreign);
  // A list of deliveries names their subscription.
  expectProblem(answer, 404, `${VALID[route]?.query ? 'subscription' : NAMES[kindIn(route)]}_not_found`);
  expect(comparable(answer, foreign)).toEqual(comparable(await request(api, route, missing), missing));
  expect(await footprints()).toEqual(before);
});

test('a bulk command fails the items that name another’s shop as if there were none, and changes nothing', async () => {
  const { api, mine, theirs } = fixture;
  const shop = { shop_id: theirs.shop_id, overrides: { price: 1 } };
  for (const [path, item] of [
    ['/inventory', { attach_to: [theirs.shop_id], delta: 1 }],
    ['/inventory', { detach_from: [theirs.shop_id] }],
    ['/products', { overrides: [shop], price: 3 }],
  ] as const) {
    const { status, body } = await callApi(api, 'PATCH', path, { body: { items: [{ p1_id: mine.p1_id, ...item }] } });
    expect([status, body.results]).toMatchObject([200, [{ status: 'failed', code: 'shop_not_found' }]]);
  }
  expect(await footprints()).toEqual(before);
});

test('no filter of a list finds anything of another organization', async () => {
  const { api, other, theirs } = fixture;
  const [event] = await eventsOf(other.orgId);
  const [sent] = await rows<{ reference: string }>(
    'select external_reference as reference from order_requests where org_id = ?',
    other.orgId,
  );
  const external_reference = sent?.reference ?? '';
  const since = '2020-01-01T00:00:00Z';
  for (const [path, query] of [
    ['/orders', { external_id: 'O-1' }],
    ['/orders', { external_reference }],
    ['/orders', { updated_after: since }],
    ['/order-requests', { external_reference }],
    ['/order-requests', { status: 'all', updated_after: since }],
    ['/customers', { email: 'erika@example.com' }],
    ['/events', {}],
    ['/webhooks/deliveries', { event_id: event?.id ?? '' }],
    ['/webhooks/deliveries', { since }],
    ['/inventory', {}],
  ] as const) {
    const answer = await callApi(api, 'GET', path, { query });
    const said = JSON.stringify([path, answer.status, answer.body]);
    for (const id of [other.orgId, theirs.shop_id, external_reference, ...Object.values(theirs.ids)]) {
      expect(said).not.toContain(id);
    }
    expect(said).toContain(`["${path}",200,`);
  }
  const { body } = await callApi(api, 'GET', '/catalog/products', { query: { q: theirs.p1_id } });
  expect(body.data).toMatchObject([{ p1_id: theirs.p1_id, in_inventory: false }]);
});

describe.each([
  [0, 1],
  [1, 0],
])('an organization on database %i reaches nothing of one on database %i', (...shards) => {
  let fixture: Fixture;
  let before: unknown;

  // Refusals change nothing, so all routes may share what they are refused.
  beforeAll(async () => {
    fixture = await openTwo(...shards);
    before = await footprint(fixture.api.orgId, fixture.other.orgId);
  });

  test('by its token, on any route', async () => {
    const { api, other, theirs } = fixture;
    for (const route of ROUTES) {
      const { status, body } = await request({ orgId: other.orgId, token: api.token }, route, theirs);
      expect([route, status, body.code]).toEqual([route, 403, 'org_mismatch']);
    }
    expect(await footprint(api.orgId, other.orgId)).toEqual(before);
  });

  test.each(['shop_id', 'p1_id', 'id'] as const)('by naming its %s, on any route', async (member) => {
    const { api, other } = fixture;
    for (const route of naming(member)) {
      const [foreign, missing] = FOREIGN[member](fixture);
      const answer = comparable(await request(api, route, foreign), foreign);
      expect([route, answer]).toEqual([route, comparable(await request(api, route, missing), missing)]);
    }
    expect(await footprint(api.orgId, other.orgId)).toEqual(before);
  });
});

describe.each([
  [0, 0],
  [1, 0],
])('live on database %i and test on database %i', (liveShard, testShard) => {
  let live: OrganizationApi;
  let inTest: OrganizationApi;
  let targets: { live: Target; test: Target };
  let before: unknown;

  beforeAll(async () => {
    const opened = await openOne(liveShard);
    live = opened.api;
    // The test organization of the live one, and where they are to be apart that of another.
    const origin = testShard === liveShard ? live.orgId : (await openOne(testShard)).api.orgId;
    inTest = await openTestPharmacy(origin, testShard);
    targets = { live: opened.target, test: await targetIn(inTest) };
    before = await footprint(live.orgId, inTest.orgId);
  });

  test('a token of one is not valid for the other, on any route', async () => {
    for (const route of ROUTES) {
      const reached = [
        await request({ orgId: live.orgId, token: inTest.token }, route, targets.live),
        await request({ orgId: inTest.orgId, token: live.token }, route, targets.test),
      ];
      expect([route, ...reached.map(({ status, body }) => [status, body.code])]).toEqual([
        route,
        [401, 'invalid_token'],
        [401, 'invalid_token'],
      ]);
      expect(reached[0]?.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
    }
    expect(await footprint(live.orgId, inTest.orgId)).toEqual(before);
  });

  test('a key of one gets no token of the other', async () => {
    for (const { orgId, apiKey } of [
      { orgId: live.orgId, apiKey: inTest.apiKey },
      { orgId: inTest.orgId, apiKey: live.apiKey },
    ]) {
      expectProblem(await askToken(orgId, { headers: { apikey: apiKey } }), 401, 'invalid_client');
    }
  });

  test('a token of a test organization is not told whether another organization exists', async () => {
    const missing = await request({ orgId: newId(), token: inTest.token }, 'GET /shops', targets.live);
    expectProblem(missing, 401, 'invalid_token');
  });

  test('each goes on with its own', async () => {
    for (const { orgId, token } of [live, inTest]) {
      expect((await callApi({ orgId, token }, 'GET', '/shops')).status).toBe(200);
    }
  });
});

test('a token of a test organization at another test organization is one of another organization', async () => {
  const { api } = await openOne();
  const [mine, theirs] = [await openTestPharmacy(api.orgId), await openTestPharmacy(fixture.api.orgId)];
  const answer = await callApi({ orgId: theirs.orgId, token: mine.token }, 'GET', '/shops');
  expectProblem(answer, 403, 'org_mismatch');
});
