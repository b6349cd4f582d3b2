import { ERROR_MEANINGS } from '../../scripts/reference/error-meanings';
import { recordedOf } from '../../scripts/reference/examples/recorded';
import { problemsIn } from '../../scripts/reference/openapi/headers';
import { app } from '../../src/app';
import { SCOPES } from '../../src/platform/access';
import type { ProblemCode } from '../../src/platform/errors/error-codes';
import { statusOf } from '../../src/platform/http/http';
import { endpoints } from '../../src/public-api/routes';
import { EVENT_TYPES } from '../../src/webhooks/event-types';
import {
  type Document,
  documentedPath,
  type MediaType,
  misfits,
  type Operation,
  openApi,
  operationsOf,
} from '../support/contract';
import { test as base, expect } from '../support/test';
import { BASE, call, envelope, submit } from '../support/world';

const test = base.extend('document', () => openApi());

test('the document is OpenAPI 3.1, open to everybody, and not made anew each time', async () => {
  const response = await call(`${BASE}/api/v2/public/openapi.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('application/json');
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(response.headers.get('Cache-Control')).toContain('max-age');
  const text = await response.text();
  expect((JSON.parse(text) as Document).openapi).toMatch(/^3\.1\./);
  expect(await (await call(`${BASE}/api/v2/public/openapi.json`)).text()).toBe(text);
});

test('an error answer stands once, an operation says what it does, and the whole stays small enough for generators', async () => {
  const text = await (await call(`${BASE}/api/v2/public/openapi.json`)).text();
  expect(text.length).toBeLessThanOrEqual(340_000);
  const written = JSON.parse(text) as Document;
  for (const [name, { responses, description }] of operationsOf(written)) {
    const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    expect(errors.filter(([, response]) => !('$ref' in response)).map(([status]) => `${name} ${status}`)).toEqual([]);
    expect(description?.replace(/Scope: `[^`]+`\.$/, '').trim(), name).toBeTruthy();
  }
});

test('every route of the organization API and the connector is in the document, and nothing else', async () => {
  const routes = app.routes
    .filter(({ method, path }) => method !== 'ALL' && /^\/(base\/api\/v2\/public\/orgs|shop\/api)\//.test(path))
    .map(({ method, path }) => `${method} ${path.replace(/^\/(base|shop)/, '').replace(/:(\w+)/g, '{$1}')}`);
  const documented = operationsOf(await openApi()).map(([name]) => name);
  expect(documented.length).toBeGreaterThan(12);
  expect(documented.toSorted()).toEqual([...new Set(routes)].toSorted());
});

test('every operation has an id of its own, its parameters, and every answer that each of its kind can have', async () => {
  const operations = operationsOf(await openApi());
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [name, { parameters = [], responses }] of operations) {
    const inPath = parameters.filter((each) => each.in === 'path').map((each) => each.name);
    expect(inPath.toSorted(), name).toEqual([...name.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).toSorted());
    for (const status of ['401', '429', '500', '502']) expect(Object.keys(responses), name).toContain(status);
    for (const [status, { content }] of Object.entries(responses)) {
      // Whoever has the current version gets no body.
      expect(content === undefined, `${name} ${status}`).toBe(status === '304');
      if (Number(status) >= 400) expect(Object.keys(content ?? {}), name).toContain('application/problem+json');
    }
  }
});

test('every operation names the scope that it needs, and every scope is one', async ({ document: { paths } }) => {
  for (const { id, method, path, scope } of endpoints) {
    const operation = paths[`/api/v2/public/orgs/{orgId}${path.replace(/:(\w+)/g, '{$1}')}`]?.[method];
    expect(SCOPES, id).toContain(scope);
    expect(operation, id).toMatchObject({ operationId: id, security: [{ accessToken: [scope] }] });
  }
});

test('the query parameters of the contract are there, with their defaults', async ({ document: { paths } }) => {
  const list = paths['/api/v2/public/orgs/{orgId}/products']?.get as unknown as {
    parameters: Record<string, unknown>[];
  };
  const parameter = (name: string) => list.parameters.find((each) => each.name === name);
  expect(parameter('shop_id')).toMatchObject({ in: 'query', required: true });
  expect(parameter('limit')).toMatchObject({ schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } });
  expect(parameter('limit')?.required).not.toBe(true);
  expect(parameter('page')).toMatchObject({ schema: { type: 'integer', minimum: 1, default: 1 } });
  for (const name of ['q', 'category', 'available']) expect(parameter(name)?.required).not.toBe(true);
});

/** Every media type of the document, by where it stands. */
function mediaOf(document: Document): [string, MediaType][] {
  const webhooks = Object.entries(document.webhooks).map(([type, { post }]): [string, Operation] => [type, post]);
  return [...operationsOf(document), ...webhooks].flatMap(([name, { requestBody, responses }]) => {
    const answers = Object.entries(responses).flatMap(([status, { content }]) =>
      Object.entries(content ?? {}).map(([type, media]): [string, MediaType] => [`${name} ${status} ${type}`, media]),
    );
    const bodies = Object.entries(requestBody?.content ?? {}).map(([type, media]): [string, MediaType] => [
      `${name} body ${type}`,
      media,
    ]);
    return [...bodies, ...answers];
  });
}

test('every example fits its schema', async () => {
  let count = 0;
  for (const [name, { schema, example, examples }] of mediaOf(await openApi())) {
    const values = [
      ...(example === undefined ? [] : [example]),
      ...Object.values(examples ?? {}).map(({ value }) => value),
    ];
    for (const value of values) expect(await misfits(`example ${name}`, schema, value), name).toEqual([]);
    count += values.length;
  }
  expect(count).toBeGreaterThan(90);
});

/** Schemas with examples of their own, wherever they stand. */
function* schemasWithExamples(value: unknown, at = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as Record<string, unknown>;
  if (Array.isArray(schema.examples) && typeof schema.type === 'string') yield [at, schema];
  for (const [key, child] of Object.entries(schema)) yield* schemasWithExamples(child, `${at}/${key}`);
}

test('every example inside a schema fits it', async ({ document }) => {
  const found = [...schemasWithExamples({ paths: document.paths, components: document.components })];
  for (const [at, schema] of found) {
    for (const example of schema.examples as unknown[]) expect(await misfits(at, schema, example), at).toEqual([]);
  }
});

test('every body that can be sent has an example, which the service takes', async () => {
  for (const [name, { requestBody }] of operationsOf(await openApi())) {
    const json = requestBody?.content['application/json'];
    if (json) expect(json.example, name).toBeDefined();
  }
  for (const { id, body } of endpoints)
    if (body) expect(body.safeParse(recordedOf(id)?.request).error?.issues, id).toBeUndefined();
});

test('every event type is a webhook with its headers and an example of its own', async ({ document: { webhooks } }) => {
  expect(Object.keys(webhooks)).toEqual(EVENT_TYPES);
  for (const [type, { post }] of Object.entries(webhooks)) {
    expect(post.requestBody?.content['application/json']?.example).toMatchObject({ event_type: type });
    const headers = post.parameters?.map(({ name }) => name);
    expect(headers).toEqual(
      expect.arrayContaining(['X-Service-Event', 'X-Service-Delivery-Id', 'X-Service-Signature']),
    );
  }
});

test('every documented error is one of the list, under its status', async () => {
  for (const [name, { responses }] of operationsOf(await openApi())) {
    for (const [status, { content }] of Object.entries(responses)) {
      const schema = content?.['application/problem+json']?.schema;
      for (const code of schema ? problemsIn(schema).keys() : []) {
        expect(ERROR_MEANINGS, name).toHaveProperty(code);
        expect(String(statusOf(code as ProblemCode)), `${name} ${code}`).toBe(status);
      }
    }
  }
});

test('the connector answers as the document says, when it accepts and when it refuses', async ({ pharmacy }) => {
  const { paths } = await openApi();
  const responses = paths['/api/v1/external-order']?.post?.responses;
  expect(await documentedPath(new URL(pharmacy.url).pathname)).toBe('/api/v1/external-order');
  const schemaOf = (status: number, type: string) => responses?.[status]?.content?.[type]?.schema ?? false;
  const accepted = await submit(pharmacy, envelope());
  const schema = schemaOf(200, 'application/json');
  expect(await misfits('connector 200', schema as object, await accepted.json())).toEqual([]);
  const refused = await submit(pharmacy, envelope({ customer_name: '', customer_email: '' }));
  const problem = schemaOf(400, 'application/problem+json');
  expect(await misfits('connector 400', problem as object, await refused.json())).toEqual([]);
});

test('the validator tells what does not fit', async ({ document: { components } }) => {
  expect(await misfits('Problem', components.schemas.Problem ?? {}, { type: 'x' })).not.toEqual([]);
  expect(
    await misfits('Shop', components.schemas.Shop ?? {}, { shop_id: 'a', name: 'b', is_active: 'yes' }),
  ).not.toEqual([]);
});
