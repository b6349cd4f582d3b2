import { beforeAll, describe, expect, it } from 'vitest';
import { app } from '../../src/app';
import { newId } from '../../src/platform/ids';
import { endpoints } from '../../src/public-api/routes';
import {
  type Answer,
  API_SCOPES,
  type Asking,
  attach,
  attachNewProduct,
  callApi,
  createKey,
  expectProblem,
  footprint,
  importProduct,
  type OrganizationApi,
  openOrganizationApi,
  tokenFor,
} from '../support/organization';
import { freshAddress } from '../support/probe';

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

interface Target {
  shop_id: string;
  p1_id: string;
}

/** A valid request for every route, and what of a target stands in it. */
const VALID: Record<string, { names?: (keyof Target)[]; body?: (target: Target) => unknown; asks?: true }> = {
  'GET /shops': {},
  'GET /products': { names: ['shop_id'], asks: true },
  'GET /products/:p1Id': { names: ['shop_id', 'p1_id'], asks: true },
  'POST /products/add-to-inventory': { body: ({ p1_id }) => ({ p1_id, initial_stock: 5, price: 2 }) },
  'PUT /products/:p1Id': { names: ['p1_id'], body: () => ({ price: 2.5 }) },
  'POST /shops/attach-product': {
    names: ['shop_id', 'p1_id'],
    body: (target) => ({ ...target, overrides: { price: 1 } }),
  },
  'POST /shops/detach-product': { names: ['shop_id', 'p1_id'], body: (target) => target },
  'POST /shops/product-overrides': {
    names: ['shop_id', 'p1_id'],
    body: (target) => ({ ...target, overrides: { price: 1 } }),
  },
  'GET /inventory': {},
  'PATCH /inventory/:p1Id': { names: ['p1_id'], body: () => ({ delta: -1, low_stock_threshold: 2 }) },
  'DELETE /inventory/:p1Id': { names: ['p1_id'] },
  'GET /events': {},
};

interface Fixture {
  api: OrganizationApi;
  other: OrganizationApi;
  mine: Target;
  theirs: Target;
  /** In the catalogue, held by nobody. */
  unheld: string;
}

/** Two organizations that each offer a product of their own. */
async function openTwo(): Promise<Fixture> {
  const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
  const [mine, theirs, unheld] = [await attachNewProduct(api), await attachNewProduct(other), await importProduct()];
  await attach(other, theirs.p1_id, {}, other.otherShopId);
  return {
    api,
    other,
    mine: { shop_id: api.shopId, p1_id: mine.p1_id },
    theirs: { shop_id: other.shopId, p1_id: theirs.p1_id },
    unheld: unheld.p1_id,
  };
}

function request(caller: Pick<OrganizationApi, 'orgId' | 'token'>, route: string, target: Target, asking: Asking = {}) {
  const [method = '', path = ''] = route.split(' ');
  const { body, asks } = VALID[route] ?? {};
  return callApi(caller, method, path.replace(':p1Id', target.p1_id), {
    ...asking,
    headers: { 'CF-Connecting-IP': freshAddress() },
    body: body?.(target),
    ...(asks && { query: { shop_id: target.shop_id } }),
  });
}

/** The answer without what differs from one request to the next. */
function comparable({ status, body }: Answer, ...targets: Target[]) {
  const text = targets.reduce(
    (rest, { p1_id, shop_id }) => {
      return rest.replaceAll(p1_id, 'P1').replaceAll(shop_id, 'SHOP');
    },
    JSON.stringify({ ...body, request_id: '' }),
  );
  return { status, text };
}

it('every route of the organization API is in the table of endpoints and in the table of valid requests', () => {
  const declared = endpoints.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(ROUTES.length).toBeGreaterThan(10);
  expect(ROUTES.toSorted()).toEqual(declared.toSorted());
  expect(Object.keys(VALID).toSorted()).toEqual(ROUTES.toSorted());
});

it('beside the organization API only these are public', () => {
  const others = app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/base/api/v2') && !path.startsWith(PREFIX))
    .map(({ method, path }) => `${method} ${path}`);
  expect(others).toEqual(['GET /base/api/v2/public/openapi.json']);
});

describe.each(ROUTES)('%s', (route) => {
  const [method = '', path = ''] = route.split(' ');
  const scope = endpoints.find((each) => each.method.toUpperCase() === method && each.path === path)?.scope;
  let fixture: Fixture;
  let before: unknown;
  const footprints = () => footprint(fixture.api.orgId, fixture.other.orgId);

  // Refusals change nothing, so they may share what they are refused.
  beforeAll(async () => {
    fixture = await openTwo();
    before = await footprints();
  });

  it.each<[string, (fixture: Fixture) => Promise<string | null> | string | null, number, string]>([
    ['without a token', () => null, 401, 'missing_token'],
    ['with a bad token', () => 'eyJhbGciOiJub25lIn0.e30.', 401, 'invalid_token'],
    ['with an API key for a token', ({ api }) => api.apiKey, 401, 'invalid_token'],
    ['with a token of every other scope', (given) => tokenWithout(given.api.orgId), 403, 'insufficient_scope'],
    ['with a token that was narrowed', ({ api }) => tokenFor(api, others().join(' ')), 403, 'insufficient_scope'],
    ['with another organization’s token', ({ other }) => other.token, 403, 'org_mismatch'],
  ])('is refused %s, and nothing changes', async (_, tokenOf, status, code) => {
    const token = await tokenOf(fixture);
    const answer = await request(fixture.api, route, fixture.mine, { token });
    expectProblem(answer, status, code);
    if (code === 'insufficient_scope') {
      expect(answer.headers.get('WWW-Authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}"`);
    }
    expect(await footprints()).toEqual(before);
  });

  const others = () => API_SCOPES.filter((each) => each !== scope);
  const tokenWithout = async (orgId: string) => {
    const { apiKey } = await createKey(orgId, others());
    return tokenFor({ orgId, apiKey });
  };

  it.runIf(VALID[route]?.names?.includes('shop_id'))(
    'answers for another organization’s shop as for one that does not exist',
    async () => {
      const { api, mine, theirs } = fixture;
      const missing = { ...mine, shop_id: newId() };
      const foreign = { ...mine, shop_id: theirs.shop_id };
      const answer = await request(api, route, foreign);
      expectProblem(answer, 404, 'shop_not_found');
      expect(comparable(answer, foreign)).toEqual(comparable(await request(api, route, missing), missing));
      // Their product in their shop is no better.
      expectProblem(await request(api, route, theirs), 404, 'shop_not_found');
      expect(await footprints()).toEqual(before);
    },
  );

  it.runIf(VALID[route]?.names?.includes('p1_id'))(
    'answers for a product that only another organization holds as for one that nobody holds',
    async () => {
      const { api, mine, theirs, unheld } = fixture;
      const [foreign, free] = [
        { ...mine, p1_id: theirs.p1_id },
        { ...mine, p1_id: unheld },
      ];
      const answer = await request(api, route, foreign);
      expect(comparable(answer, foreign)).toEqual(comparable(await request(api, route, free), free));
      // Detaching what is not attached is no refusal, and changes nothing.
      expect(answer.status).toBe(route === 'POST /shops/detach-product' ? 200 : answer.status);
      if (route !== 'POST /shops/detach-product') expect([404, 409]).toContain(answer.status);
      expect(await footprints()).toEqual(before);
    },
  );

  // Last: it may change what is there.
  it('goes through with a token of its scope alone, and touches nothing of the other organization', async () => {
    const { api, other, mine } = fixture;
    const theirsBefore = await footprint(other.orgId);
    if (!scope) throw new Error('no scope');
    const answer = await request(api, route, mine, { token: await tokenFor(api, scope) });
    expect(answer.status).toBe(200);
    expect(await footprint(other.orgId)).toEqual(theirsBefore);
  });
});
