import {
  type Asking,
  attachNewProduct,
  callApi,
  expectProblem,
  footprint,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { test as base, expect } from '../support/test';

interface Offered {
  api: OrganizationApi;
  p1Id: string;
  target: { shop_id: string; p1_id: string };
}

async function openOffered(): Promise<Offered> {
  const api = await openOrganizationApi();
  const { p1_id } = await attachNewProduct(api, { overrides: { price: 2 } });
  return { api, p1Id: p1_id, target: { shop_id: api.shopId, p1_id } };
}

const test = base.extend('offered', () => openOffered());

type Expected = [pointer: string, code: string];

/** The answer: a refusal that names every fault. Nothing changed and nothing of the input comes back. */
async function expectRefused(
  { api }: Offered,
  method: string,
  path: string,
  asking: Asking,
  expected: { status?: number; code?: string; errors?: Expected[]; says?: string },
) {
  const before = await footprint(api.orgId);
  const answer = await callApi(api, method, path, asking);
  expectProblem(answer, expected.status ?? 400, expected.code ?? 'validation_failed');
  if (expected.errors) {
    const errors = answer.body.errors.map((each: { pointer: string; code: string }) => [each.pointer, each.code]);
    expect(errors).toEqual(expected.errors);
  }
  if (expected.says) expect(JSON.stringify(answer.body)).toContain(expected.says);
  expect(JSON.stringify(answer.body)).not.toContain('S3NT1NEL');
  expect(await footprint(api.orgId)).toEqual(before);
  return answer;
}

const OVERRIDE_KEYS =
  'name, description, category, price, available, thc_percent, cbd_percent, available_for_pickup, available_for_shipping, prescription_required';
const STOCK_KEYS =
  'stock_quantity, on_hand, delta, counted_at, if_stock_version, reason, reference, low_stock_threshold';
const PRODUCT_KEYS = `${OVERRIDE_KEYS.replace('name, ', 'name, slug, ')}, unit, unit_step`;

test.each<[string, string, number, string, Expected[] | undefined]>([
  ['of 1 MB', JSON.stringify({ description: 'x'.repeat(1_000_000) }), 413, 'body_too_large', undefined],
  ['with an unknown key', '{"colour":"S3NT1NEL"}', 400, 'validation_failed', [['/overrides/colour', 'unknown_key']]],
  ['with a key that is no name', '{"my S3NT1NEL":1}', 400, 'validation_failed', [['/overrides', 'unknown_key']]],
  ['with a slug', '{"slug":"a"}', 400, 'validation_failed', [['/overrides/slug', 'unknown_key']]],
  ['that are an array', '[]', 400, 'validation_failed', [['/overrides', 'invalid_type']]],
  ['with a price as text', '{"price":"2.00"}', 400, 'validation_failed', [['/overrides/price', 'invalid_type']]],
  ['with a price below 0', '{"price":-1}', 400, 'validation_failed', [['/overrides/price', 'too_small']]],
  ['with three decimals', '{"price":0.001}', 400, 'validation_failed', [['/overrides/price', 'invalid_amount']]],
  ['with an empty name', '{"name":"  "}', 400, 'validation_failed', [['/overrides/name', 'too_small']]],
  [
    'with several faults',
    '{"thc_percent":101,"cbd_percent":-0.1,"available":"yes","prescription_required":1}',
    400,
    'validation_failed',
    [
      ['/overrides/available', 'invalid_type'],
      ['/overrides/thc_percent', 'too_big'],
      ['/overrides/cbd_percent', 'too_small'],
      ['/overrides/prescription_required', 'invalid_type'],
    ],
  ],
])('overrides %s are refused by both calls that take them', async (_, overrides, status, code, errors) => {
  const offered = await openOffered();
  const body = JSON.stringify({ ...offered.target }).replace(/}$/, `,"overrides":${overrides}}`);
  const asking = { body, headers: { 'Content-Type': 'application/json' } };
  for (const path of ['/shops/product-overrides', '/shops/attach-product']) {
    await expectRefused(offered, 'POST', path, asking, { status, code, errors });
  }
});

test('a key that is not known is answered with those that are', async ({ offered }) => {
  const overrides = { colour: 'green' };
  const asked: [string, string, unknown, string][] = [
    ['POST', '/shops/product-overrides', { ...offered.target, overrides }, `${OVERRIDE_KEYS}, metadata`],
    ['POST', '/shops/attach-product', { ...offered.target, overrides }, `${OVERRIDE_KEYS}, metadata`],
    ['PUT', `/products/${offered.p1Id}`, overrides, PRODUCT_KEYS],
    ['PATCH', `/inventory/${offered.p1Id}`, overrides, STOCK_KEYS],
    ['POST', '/products/add-to-inventory', { p1_id: offered.p1Id, ...overrides }, 'p1_id, initial_stock, price'],
  ];
  for (const [method, path, body, keys] of asked) {
    await expectRefused(offered, method, path, { body }, { says: `Allowed here: ${keys}.` });
  }
});

/** Long enough that two of them pass 8 KiB in UTF-8, and each by itself does not. */
const LONG = 'ü'.repeat(3500);

test('overrides hold 8 KiB of JSON, counted in bytes and after the merge', async ({ offered }) => {
  const set = (overrides: unknown, mode: string): Asking => ({ body: { ...offered.target, overrides, mode } });
  // {"description":"…"} is 18 bytes and the text.
  const fits = { description: 'ü'.repeat(4000), name: 'x'.repeat(164) };
  const bytes = new TextEncoder().encode(JSON.stringify(fits)).length;
  expect(bytes).toBe(8192);
  succeeded(await callApi(offered.api, 'POST', '/shops/product-overrides', set(fits, 'replace')));
  const expected = { code: 'overrides_too_large', errors: [['/overrides', 'overrides_too_large']] as Expected[] };
  const path = '/shops/product-overrides';
  await expectRefused(offered, 'POST', path, set({ ...fits, name: 'x'.repeat(165) }, 'replace'), expected);
  await expectRefused(offered, 'POST', path, set({ available: true }, 'merge'), expected);
  await expectRefused(offered, 'POST', '/shops/attach-product', set({ available: true }, 'merge'), expected);
  succeeded(await callApi(offered.api, 'POST', path, set({ description: LONG, available: true }, 'merge')));
  // A product that is attached with too much is not attached.
  succeeded(await callApi(offered.api, 'POST', '/shops/detach-product', { body: offered.target }));
  const attaching = set({ description: 'ü'.repeat(4000), name: 'ü'.repeat(200) }, 'merge');
  await expectRefused(offered, 'POST', '/shops/attach-product', attaching, expected);
});

/** Beside the unknown one there is no field. */
const unknown = (name: string): Expected[] => [
  [`/${name}`, 'unknown_key'],
  ['', 'no_fields'],
];

test.each<[string, unknown, Expected[]]>([
  ['nothing', {}, [['', 'no_fields']]],
  ['an unknown field', { colour: 'S3NT1NEL' }, unknown('colour')],
  ['a p1_id', { p1_id: 'x' }, unknown('p1_id')],
  ['a stock', { stock_quantity: 1 }, unknown('stock_quantity')],
  ['a slug with capitals', { slug: 'Ibu' }, [['/slug', 'invalid_format']]],
  ['a slug with an umlaut', { slug: 'grün' }, [['/slug', 'invalid_format']]],
  ['a name of 201 characters', { name: 'x'.repeat(201) }, [['/name', 'too_big']]],
  ['a description of 4001', { description: 'x'.repeat(4001) }, [['/description', 'too_big']]],
  ['a price of 10,000,000.01', { price: 10_000_000.01 }, [['/price', 'invalid_amount']]],
  ['101 % THC', { thc_percent: 101 }, [['/thc_percent', 'too_big']]],
  ['a flag as text', { available: 'true' }, [['/available', 'invalid_type']]],
  ['an array', [], [['', 'invalid_type']]],
  ['null', null, [['', 'invalid_type']]],
])('an update of %s is refused', async (_, body, errors) => {
  const offered = await openOffered();
  await expectRefused(offered, 'PUT', `/products/${offered.p1Id}`, { body }, { errors });
});

test.each<[string, unknown, Expected[]]>([
  ['nothing', {}, [['', 'no_fields']]],
  ['a reason alone', { reason: 'count' }, [['', 'no_fields']]],
  ['both ways', { stock_quantity: 1, delta: 1 }, [['/delta', 'stock_or_delta']]],
  ['a stock below 0', { stock_quantity: -1 }, [['/stock_quantity', 'too_small']]],
  ['half a piece', { delta: 0.5 }, [['/delta', 'invalid_type']]],
  ['a stock as text', { stock_quantity: '5' }, [['/stock_quantity', 'invalid_type']]],
  ['more than a billion', { delta: 1_000_000_001 }, [['/delta', 'too_big']]],
  ['a reason of its own', { delta: 1, reason: 'theft' }, [['/reason', 'unknown_value']]],
  ['a threshold below 0', { low_stock_threshold: -1 }, [['/low_stock_threshold', 'too_small']]],
])('a stock change of %s is refused', async (_, body, errors) => {
  const offered = await openOffered();
  await expectRefused(offered, 'PATCH', `/inventory/${offered.p1Id}`, { body }, { errors });
});

test.each<[string, Record<string, unknown>, Expected[]]>([
  ['no p1_id', {}, [['/p1_id', 'required']]],
  ['a number as p1_id', { p1_id: 7 }, [['/p1_id', 'invalid_type']]],
  ['a stock below 0', { p1_id: 'x', initial_stock: -1 }, [['/initial_stock', 'too_small']]],
  ['half a piece', { p1_id: 'x', initial_stock: 1.5 }, [['/initial_stock', 'invalid_type']]],
  ['a price below 0', { p1_id: 'x', price: -0.01 }, [['/price', 'too_small']]],
  ['a price of null', { p1_id: 'x', price: null }, [['/price', 'invalid_type']]],
])('an addition with %s is refused', async (_, body, errors) => {
  const offered = await openOffered();
  await expectRefused(offered, 'POST', '/products/add-to-inventory', { body }, { errors });
});

test.each<[string, Record<string, unknown>, Expected[]]>([
  ['no shop_id', { shop_id: undefined }, [['/shop_id', 'required']]],
  ['no p1_id', { p1_id: undefined }, [['/p1_id', 'required']]],
  ['an empty shop_id', { shop_id: '' }, [['/shop_id', 'too_small']]],
  ['another mode', { mode: 'patch' }, [['/mode', 'unknown_value']]],
])('overrides with %s are refused', async (_, members, errors) => {
  const offered = await openOffered();
  const body = { ...offered.target, overrides: {}, ...members };
  await expectRefused(offered, 'POST', '/shops/product-overrides', { body }, { errors });
});

test.each<[string, string, Expected[]]>([
  ['no shop_id', '', [['/shop_id', 'required']]],
  ['an empty shop_id', 'shop_id=', [['/shop_id', 'too_small']]],
  ['two shop_ids', 'shop_id=a&shop_id=b', [['/shop_id', 'invalid_type']]],
  ['limit twice', 'shop_id={shop}&limit=5&limit=6', [['/limit', 'invalid_type']]],
  ['limit 0', 'shop_id={shop}&limit=0', [['/limit', 'too_small']]],
  ['limit 201', 'shop_id={shop}&limit=201', [['/limit', 'too_big']]],
  ['limit 1.5', 'shop_id={shop}&limit=1.5', [['/limit', 'invalid_type']]],
  ['page 0', 'shop_id={shop}&page=0', [['/page', 'too_small']]],
  ['page 1000001', 'shop_id={shop}&page=1000001', [['/page', 'too_big']]],
  ['a search of 10,000 characters', `shop_id={shop}&q=${'x'.repeat(10_000)}`, [['/q', 'too_big']]],
  ['an empty search', 'shop_id={shop}&q=', [['/q', 'too_small']]],
  ['available=1', 'shop_id={shop}&available=1', [['/available', 'unknown_value']]],
  [
    'everything wrong',
    'limit=0&page=0',
    [
      ['/shop_id', 'required'],
      ['/limit', 'too_small'],
      ['/page', 'too_small'],
    ],
  ],
])('a product list with %s is refused', async (_, query, errors) => {
  const offered = await openOffered();
  await expectRefused(offered, 'GET', `/products?${query.replace('{shop}', offered.api.shopId)}`, {}, { errors });
});

test.each([
  ['/products/x', '/shop_id', 'required'],
  [`/inventory?cursor=${'x'.repeat(601)}`, '/cursor', 'too_big'],
  ['/events?cursor=x', '/cursor', 'invalid_format'],
  [`/products/${'x'.repeat(101)}?shop_id=x`, '/p1Id', 'too_big'],
])('GET %s is refused at %s', async (path, pointer, code) => {
  await expectRefused(await openOffered(), 'GET', path, {}, { errors: [[pointer, code]] });
});

test.each(['%00', '%ff%fe', '%22%27', 'a%0ab', '%F0%9F%98%80', '..%2f..%2fx', '%2525'])(
  'odd characters (%s) in a path or a query find nothing and break nothing',
  async (text) => {
    const { api } = await openOffered();
    const product = await callApi(api, 'GET', `/products/${text}?shop_id=${api.shopId}`);
    expectProblem(product, 404, 'catalog_product_not_found');
    expectProblem(await callApi(api, 'GET', `/products?shop_id=${text}`), 404, 'shop_not_found');
    expect((await callApi(api, 'GET', `/products?shop_id=${api.shopId}&category=${text}`)).body.data).toEqual([]);
    const searched = await callApi(api, 'GET', `/products?shop_id=${api.shopId}&q=x${text}x`);
    expect(searched.body.data).toEqual([]);
    expectProblem(await callApi(api, 'GET', `/inventory?cursor=${text}`), 400, 'validation_failed');
  },
);

const WRITES: [string, string][] = [
  ['POST', '/products/add-to-inventory'],
  ['PUT', '/products/x'],
  ['POST', '/shops/attach-product'],
  ['POST', '/shops/detach-product'],
  ['POST', '/shops/product-overrides'],
  ['PATCH', '/inventory/x'],
];

test.for(WRITES)('%s %s takes JSON and nothing else', async ([method, path], { offered }) => {
  const asJson = { 'Content-Type': 'application/json' };
  for (const body of ['', '{', 'x', '{"a":1,}', "{'a':1}"]) {
    await expectRefused(offered, method, path, { body, headers: asJson }, { code: 'invalid_json' });
  }
  const latin1 = Uint8Array.from('{"a":"\u00fc"}', (character) => character.charCodeAt(0));
  await expectRefused(offered, method, path, { body: latin1, headers: asJson }, { code: 'invalid_json' });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const asking = { body: '{}', headers: { 'Content-Type': type } };
    const refused = await expectRefused(offered, method, path, asking, { status: 415, code: 'unsupported_media_type' });
    expect(refused.headers.get('Accept-Patch')).toBe(method === 'PATCH' ? 'application/json' : null);
  }
  const large = { body: `"${'x'.repeat(262_143)}"`, headers: asJson };
  await expectRefused(offered, method, path, large, { status: 413, code: 'body_too_large' });
});

test.for([
  ['DELETE', '/shops', 'GET'],
  ['DELETE', '/products', 'GET, POST, PATCH'],
  ['PATCH', '/products/x', 'GET, PUT'],
  ['POST', '/inventory/x', 'GET, PATCH, DELETE'],
  ['PUT', '/shops/attach-product', 'POST'],
  ['POST', '/events', 'GET'],
] as const)('%s %s is not allowed, and Allow says what is', async ([method, path, allowed], { offered }) => {
  const answer = await callApi(offered.api, method, path, { body: {} });
  expectProblem(answer, 405, 'method_not_allowed');
  expect(answer.headers.get('Allow')).toBe(allowed);
});

test.each(['/nothing', '/products/x/y', '/shops/', '/inventory/', '/', ''])('there is nothing at %s', async (path) => {
  const { api } = await openOffered();
  expectProblem(await callApi(api, 'GET', path), 404, 'not_found');
});
