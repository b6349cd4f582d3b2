import { type Schema, Validator } from '@cfworker/json-schema';
import { expect } from 'vitest';
import { membersOf, problemsIn, withoutReferences } from '../../src/public-api/references';
import { BASE, call } from './world';

export interface Operation {
  operationId: string;
  description?: string;
  parameters?: { in: string; name: string; required?: boolean }[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<
    string,
    { description: string; headers?: Record<string, unknown>; content?: Record<string, MediaType> }
  >;
}

export interface MediaType {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema> };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation, as `GET /path`. */
export function operationsOf(document: Document): [string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): [string, Operation][] => {
      const operation = item[method];
      return operation ? [[`${method.toUpperCase()} ${path}`, operation]] : [];
    }),
  );
}

let known: Document | undefined;

/** The OpenAPI document of the service, with responses and examples where they are referred to. */
export async function openApi(): Promise<Document> {
  known ??= withoutReferences(await (await call(`${BASE}/api/v2/public/openapi.json`)).json<Document>());
  return known;
}

const validators = new Map<string, Validator>();

/** What of a value does not fit a schema of the document; empty when it fits. */
export async function misfits(name: string, schema: Schema, value: unknown): Promise<string[]> {
  const { components } = await openApi();
  const validator =
    validators.get(name) ?? new Validator({ ...schema, components: { schemas: components.schemas } }, '2020-12', false);
  validators.set(name, validator);
  return validator.validate(value).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

/** The document's path that an address of the service is one of. */
export async function documentedPath(pathname: string): Promise<string | undefined> {
  const { paths } = await openApi();
  const fitting = Object.keys(paths).filter((path) =>
    new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  // A path with fewer parameters is the one that is meant (OpenAPI 3.1, Paths Object).
  return fitting.sort((a, b) => a.split('{').length - b.split('{').length)[0];
}

/** Every answer must be in the document: its status, its type, its body. What is not a route answers a Problem. */
export async function expectDocumented(method: string, url: string, response: Response, body: unknown): Promise<void> {
  const { paths, components } = await openApi();
  const path = await documentedPath(new URL(url).pathname);
  const operation = path === undefined ? undefined : paths[path]?.[method.toLowerCase()];
  const type = response.headers.get('Content-Type')?.split(';')[0] ?? '';
  const name = `${method} ${path} ${response.status} ${type}`;
  const media = operation?.responses[response.status]?.content?.[type];
  if (operation) expect(media, `${name} is in the document`).toBeDefined();
  else expect([404, 405, 401, 429]).toContain(response.status);
  const schema = media?.schema ?? components.schemas.Problem ?? {};
  expect(await misfits(name, schema, body), name).toEqual([]);
  if (media && response.status >= 400 && type === 'application/problem+json') {
    const problem = body as { code: string };
    const documented = problemsIn(media.schema);
    expect([...documented.keys()], name).toContain(problem.code);
    const known = membersOf(documented.get(problem.code) ?? '', components.schemas);
    expect(
      Object.keys(problem).filter((member) => !known.includes(member)),
      `${name} ${problem.code}`,
    ).toEqual([]);
  }
}
