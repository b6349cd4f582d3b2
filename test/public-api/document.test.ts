import { problemExample } from '../../scripts/reference/openapi/problems';
import { eventSchemaName } from '../../scripts/reference/openapi/webhooks';
import { EVENTS } from '../../src/webhooks/event-types';
import { misfits, openApi, operationsOf, published } from '../support/contract';
import { callApi, type OrganizationApi, openOrganizationApi, succeeded } from '../support/organization';
import { expect, test } from '../support/test';
import { BASE, operate } from '../support/world';

/** What a schema of the document says of a field, itself or by what it refers to. */
function isDescribed(schema: Described, schemas: Record<string, Described>): boolean {
  if (schema.description) return true;
  if (schema.$ref) return isDescribed(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  const branches = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null');
  return branches.length > 0 && branches.every((each) => isDescribed(each, schemas));
}

interface Described {
  $ref?: string;
  type?: string;
  description?: string;
  anyOf?: Described[];
  oneOf?: Described[];
}

interface Listed {
  type?: string | string[];
  minItems?: number;
  properties?: Record<string, Listed>;
  required?: string[];
}

/** Every schema and everything else that is an object, however deep. */
function* objectsOf(value: unknown): Generator<Listed> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const child of Object.values(value)) yield* objectsOf(child);
}

/** Every field of every object, wherever it stands. */
function* fieldsOf(value: unknown, at = ''): Generator<[string, Described]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (['not', 'example', 'examples'].includes(key)) continue;
    // Beside a reference they narrow fields that are described there.
    const isFields = key === 'properties' && !('$ref' in value) && typeof child.description !== 'string';
    if (isFields) for (const [name, field] of Object.entries(child)) yield [`${at}/${name}`, field as Described];
    yield* fieldsOf(child, `${at}/${key}`);
  }
}

test('every field of every body, answer and event says what it is', async () => {
  const document = await openApi();
  const schemas = document.components.schemas as Record<string, Described>;
  const fields = [...fieldsOf({ paths: document.paths, webhooks: document.webhooks, schemas })];
  expect(fields.length).toBeGreaterThan(300);
  expect(fields.filter(([, field]) => !isDescribed(field, schemas)).map(([at]) => at)).toEqual([]);
});

test('quantities and numbers of orders are integers', async () => {
  const document = await openApi();
  const fields = [...fieldsOf({ paths: document.paths, schemas: document.components.schemas })]
    .filter(([at]) => /\/(number|\w*quantity|qty)$/.test(at))
    .map(([at, { type, anyOf = [] }]) => ({ at, types: [type, ...anyOf.map((each) => each.type)].flat() }));
  expect(fields.length).toBeGreaterThan(20);
  expect(fields.filter(({ types }) => types.includes('number')).map(({ at }) => at)).toEqual([]);
});

test('an empty list or null is as good as no list: generated clients send one of them unasked', async () => {
  const document = await openApi();
  const isDemanding = (key: string, field: Listed, { required = [] }: Listed) =>
    field.type === 'array' && (field.minItems ?? 0) > 0 && !required.includes(key);
  const demanding = [...objectsOf({ paths: document.paths, schemas: document.components.schemas })].flatMap((object) =>
    Object.entries(object.properties ?? {})
      .filter(([key, field]) => isDemanding(key, field, object))
      .map(([key]) => key),
  );
  expect(demanding).toEqual([]);
});

test('the token endpoint is an address that a client can parse', async () => {
  const { components } = await openApi();
  const { securitySchemes } = components as unknown as {
    securitySchemes: { accessToken: { flows: { clientCredentials: { tokenUrl: string } } } };
  };
  expect(securitySchemes.accessToken.flows.clientCredentials.tokenUrl).not.toMatch(/[{}]/);
});

test('every operation shows what it answers', async () => {
  for (const [name, { responses }] of operationsOf(await openApi())) {
    const examples = Object.entries(responses)
      .filter(([status]) => Number(status) < 300)
      .map(([, { content }]) => content?.['application/json'] ?? content?.['application/pdf'])
      .map((media) => media?.example ?? Object.values(media?.examples ?? {})[0]?.value);
    expect(examples.some(Boolean), name).toBe(true);
  }
});

test('headers stand with the answers that have them', async () => {
  for (const [name, { operationId, parameters = [], responses }] of operationsOf(await openApi())) {
    const headersAt = (status: string) => Object.keys(responses[status]?.headers ?? {});
    for (const status of Object.keys(responses).filter((each) => Number(each) < 300))
      expect(headersAt(status), `${name} ${status}`).toContain('X-Request-Id');
    for (const status of ['429', '502']) expect(headersAt(status), `${name} ${status}`).toContain('Retry-After');
    expect(headersAt('401'), name).toContain('WWW-Authenticate');
    const replays = !name.startsWith('GET ') && operationId !== 'createAccessToken';
    const answers = Object.keys(responses).filter((status) => Number(status) < 300);
    for (const status of answers)
      expect(headersAt(status).includes('Idempotent-Replayed'), `${name} ${status}`).toBe(replays);
    const takesKey = parameters.some(({ name: each }) => each === 'Idempotency-Key');
    expect([takesKey, '422' in responses], name).toEqual([replays, replays]);
  }
  const { webhooks } = await openApi();
  for (const { post } of Object.values(webhooks))
    expect(post.parameters?.find(({ name }) => name === 'X-Service-Test')?.required ?? false).toBe(false);
});

test('an event has the metadata of its type', async () => {
  const { components } = await openApi();
  for (const [type, { example }] of Object.entries(EVENTS)) {
    const event = (metadata: object) => ({
      id: '019aa0d1-2222-7c0d-8e0f-101112131415',
      org_id: 'o',
      event_type: type,
      title: 't',
      description: 'd',
      metadata,
      created_at: '2026-11-20T09:30:00.000Z',
    });
    const name = eventSchemaName(type);
    expect(await misfits(name, components.schemas[name] ?? {}, event(example)), type).toEqual([]);
    expect(await misfits(name, components.schemas[name] ?? {}, event({})), type).not.toEqual([]);
  }
});

test('a problem document names the members of its code', async () => {
  const { paths } = await openApi();
  const approve = paths['/api/v2/public/orgs/{orgId}/order-requests/{id}/approve']?.post;
  const media = approve?.responses['409']?.content?.['application/problem+json'];
  const example = problemExample(BASE, 'not_approvable') as Record<string, unknown>;
  const { blockers, ...without } = example;
  expect(blockers).toBeInstanceOf(Array);
  expect(await misfits('409', media?.schema ?? {}, example)).toEqual([]);
  expect(await misfits('409', media?.schema ?? {}, without)).not.toEqual([]);
});

const P1 = 'P1-1';
const LINE = { name: 'Ibuprofen', qty: 1, price: 1 };
const ORDER = { external_id: 'X-1', customer_name: 'Erika', items: [LINE] };
const ITEM = { name: 'Ibuprofen', quantity: 1, price: 1 };
const PAYLOAD = { customer_name: 'Erika', items: [ITEM] };
/** Bodies that the service refuses, each with one fault. `$SHOP` is a shop of the caller. */
const REFUSED: [method: string, path: string, body: object][] = [
  ['put', '/products/{p1Id}', {}],
  ['put', '/products/{p1Id}', { price: 10_000_001 }],
  ['put', '/products/{p1Id}', { name: '   ' }],
  ['put', '/products/{p1Id}', { description: 'a\u0000b' }],
  ['put', '/products/{p1Id}', { slug: 'No Slug' }],
  ['post', '/products/add-to-inventory', { p1_id: '  ' }],
  ['post', '/products/add-to-inventory', { p1_id: P1, price: 10_000_001 }],
  ['post', '/shops/attach-product', { shop_id: '$SHOP', p1_id: P1, overrides: { price: 10_000_001 } }],
  ['post', '/shops/attach-product', { shop_id: '$SHOP', p1_id: P1, overrides: { foo: 1 } }],
  ['post', '/shops/detach-product', { shop_id: '$SHOP', p1_id: ' ' }],
  ['post', '/shops/product-overrides', { shop_id: '$SHOP', p1_id: P1, overrides: { foo: 1 } }],
  ['patch', '/inventory/{p1Id}', {}],
  ['patch', '/inventory/{p1Id}', { reason: 'count' }],
  ['patch', '/inventory/{p1Id}', { stock_quantity: 1, delta: 1 }],
  ['post', '/order-requests', { shop_id: '$SHOP', payload: { items: [ITEM] } }],
  ['post', '/order-requests', { shop_id: '$SHOP', payload: { customer_name: 'Erika' } }],
  ['post', '/order-requests', { shop_id: '$SHOP', payload: { ...PAYLOAD, total_amount: 10_000_001 } }],
  ['post', '/order-requests', { shop_id: '$SHOP', payload: { ...PAYLOAD, payment_status: 'later' } }],
  ['post', '/order-requests', { shop_id: '$SHOP', payload: { ...PAYLOAD, address_city: 'a\nb' } }],
  ['post', '/order-requests', { shop_id: '$SHOP', payload: { ...PAYLOAD, items: [{ quantity: 1, price: 1 }] } }],
  ['post', '/order-requests', { shop_id: '$SHOP', payload: { ...PAYLOAD, items: [{ ...ITEM, price: 10_000_001 }] } }],
  ['post', '/order-requests/{id}/approve', { lines: [{ quantity: 1, price: 1 }] }],
  ['post', '/order-requests/{id}/approve', { override_reason: ' ' }],
  ['post', '/order-requests/{id}/reject', { reason_code: 'other' }],
  ['post', '/order-requests/{id}/reject', { reason_code: 'other', note: null }],
  ['post', '/orders', { shop_id: '$SHOP', ...ORDER, customer_name: null }],
  ['post', '/orders', { shop_id: '$SHOP', ...ORDER, items: [{ qty: 1, price: 1 }] }],
  ['post', '/orders', { shop_id: '$SHOP', ...ORDER, external_id: 'a\u0007b' }],
  ['patch', '/orders/{id}', {}],
  ['patch', '/orders/{id}', { note: ' ' }],
  ['post', '/orders/{id}/mark-paid', { payment_reference: ' ' }],
  [
    'post',
    '/prescriptions/{id}/signature',
    { provider: ' ', signature_reference: 'S', signed_at: '2026-11-20T09:30:00Z' },
  ],
];

/** One for all: nothing of what is sent is written. */
let api: OrganizationApi | undefined;

test.each(REFUSED)('service and document refuse %s %s %o for its form', async (method, path, template) => {
  api ??= await openOrganizationApi();
  const { paths } = await openApi();
  const body = JSON.parse(JSON.stringify(template).replace('$SHOP', api.shopId)) as object;
  const answer = await callApi(api, method.toUpperCase(), path.replace(/\{\w+\}/, P1), { body });
  expect(answer.status).toBe(400);
  const operation = paths[`/api/v2/public/orgs/{orgId}${path}`]?.[method];
  const schema = operation?.requestBody?.content['application/json']?.schema ?? {};
  expect(await misfits(`refused ${method} ${path}`, schema, body)).not.toEqual([]);
});

test('sums of the largest prices are answered as the document says', async ({ api: seller }) => {
  await operate(`/organizations/${seller.orgId}`, { iban: 'DE89370400440532013000' }, 'PATCH');
  const line = { name: 'Ibuprofen', qty: 9_999, price: 10_000_000 };
  const order = { shop_id: seller.shopId, external_id: 'X-1', customer_name: 'Erika', payment_status: 'pending' };
  // Every call asks whether its answer is in the document.
  const { id } = succeeded(await callApi(seller, 'POST', '/orders', { body: { ...order, items: [line] } }), 201);
  const link = succeeded(await callApi(seller, 'POST', `/orders/${id}/payment-links`, { body: {} }), 201);
  expect(link.amount).toBe(99_990_000_000);
  succeeded(await callApi(seller, 'POST', `/orders/${id}/mark-paid`, { body: {} }));
  const summary = succeeded(await callApi(seller, 'GET', '/reports/summary'));
  expect(summary.turnover).toBe(99_990_000_000);
  const refunded = succeeded(await callApi(seller, 'POST', `/orders/${id}/refund`, { body: { reason_code: 'test' } }));
  expect(refunded).toMatchObject({ totals: { total_amount: 99_990_000_000 }, refunded_amount: 99_990_000_000 });
});

/** Every schema within a value, with where it stands. */
function* schemasIn(value: unknown, at = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Record<string, unknown>];
  for (const [key, child] of Object.entries(value)) {
    if (!/^examples?$|^not$/.test(key)) yield* schemasIn(child, `${at}/${key}`);
  }
}

test('what the policy lets change, the schemas of answers and events let pass', async () => {
  const [calls, posts] = [await published('openapi'), await published('webhooks')];
  const requests = new Set<string>();
  const refer = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (requests.has(name)) continue;
      requests.add(name);
      refer(calls.components.schemas[name]);
    }
  };
  for (const [, { requestBody }] of operationsOf(calls)) refer(requestBody);
  const answers = operationsOf(calls).map(([, { responses }]) => responses);
  const named = Object.entries(calls.components.schemas).filter(([name]) => !requests.has(name));
  const all = [...schemasIn(answers), ...schemasIn(Object.fromEntries(named)), ...schemasIn(posts.components.schemas)];
  expect(all.length).toBeGreaterThan(1_000);
  const closed = all.filter(([at, schema]) => {
    const isEventType = at.endsWith('/event_type');
    const hasValues =
      Array.isArray(schema.enum) || ('const' in schema && typeof schema.const !== 'object' && !isEventType);
    return schema.additionalProperties === false || 'unevaluatedProperties' in schema || hasValues || 'oneOf' in schema;
  });
  expect(closed.map(([at]) => at)).toEqual([]);
});

test('generators can read the document', async () => {
  const calls = await published('openapi');
  expect(calls.webhooks).toBeUndefined();
  expect(JSON.stringify(calls)).not.toMatch(/"const":(true|false)|"enum":\[(true|false)\]/);
  const all = [...schemasIn(calls)];
  const isUnreadable = ([at, schema]: [string, Record<string, unknown>]) =>
    !at.endsWith('/properties') &&
    ('allOf' in schema ||
      'exclusiveMinimum' in schema ||
      typeof schema.const === 'boolean' ||
      // They overlook the null of an object, and refuse it.
      (Array.isArray(schema.type) && schema.type.includes('object')) ||
      (/requestBody.*\/properties\/\w+$/.test(at) && 'default' in schema));
  expect(all.filter(isUnreadable).map(([at]) => at)).toEqual([]);
  const bodies = operationsOf(calls).flatMap(([, { requestBody }]) => (requestBody ? [requestBody] : []));
  for (const { content } of bodies) expect(Object.keys(content)).toEqual(['application/json']);
  const names = Object.values(calls.components as Record<string, object>).flatMap((kind) => Object.keys(kind));
  expect(
    names.filter(
      (name, place) =>
        names.findIndex((each) => each.toLowerCase() === name.toLowerCase() && each !== name) >= 0 && place >= 0,
    ),
  ).toEqual([]);
  for (const [at, schema] of all) {
    if (schema.in === 'header') expect([at, 'example' in schema, 'examples' in schema]).toEqual([at, false, false]);
  }
});
