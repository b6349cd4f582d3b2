import { type Schema, Validator } from '@cfworker/json-schema';
import { expect } from 'vitest';
import { membersOf, problemsIn, withoutReferences } from '../../scripts/reference/openapi/headers';
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

/** One of the two documents as it is published. */
export async function published(name: 'openapi' | 'webhooks'): Promise<Document> {
  return (await call(`${BASE}/api/v2/public/${name}.json`)).json<Document>();
}

/**
 * Both documents of the service in one, with responses and examples where they are referred to. Schemas of answers take here what
 * they name and nothing else, so that what an answer has beyond its document is found.
 */
export async function openApi(): Promise<Document> {
  if (known) return known;
  const [calls, posts] = [await published('openapi'), await published('webhooks')];
  const components = Object.fromEntries(
    (['schemas', 'responses', 'parameters', 'examples'] as const).map((kind) => [
      kind,
      { ...(posts.components as Components)[kind], ...(calls.components as Components)[kind] },
    ]),
  );
  const all = { ...calls.components, ...components };
  const both = withoutReferences({ ...calls, webhooks: posts.webhooks, components: all } as unknown as Document);
  closeAnswers(both);
  known = both;
  return both;
}

type Components = Record<string, object | undefined>;

function closeAnswers(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as Record<string, unknown>;
  const values = schema['x-known-values'];
  if (Array.isArray(values)) schema.enum = [schema.type].flat().includes('null') ? [...values, null] : values;
  const isOpen = schema.additionalProperties === undefined && schema.type === 'object';
  const isProblem = typeof schema.properties === 'object' && 'request_id' in (schema.properties ?? {});
  if (isOpen && 'properties' in schema && !isProblem) schema.additionalProperties = false;
  for (const [key, child] of Object.entries(schema)) if (!/^examples?$|^not$/.test(key)) closeAnswers(child);
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
