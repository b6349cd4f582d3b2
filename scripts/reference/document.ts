import { endpoints } from '../../src/public-api/routes';
import { EVENT_TYPES } from '../../src/webhooks/event-types';
import { problemsIn, withoutReferences } from './openapi/headers';
import { openApiDocument } from './openapi/openapi';
import { eventSchemaName } from './openapi/webhooks';

/** The parts of an OpenAPI document that the pages use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  'x-known-values'?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  minProperties?: number;
}

export interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Answer {
  description: string;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Answer>;
}

export interface Listed extends Operation {
  method: string;
  path: string;
}

export interface Group {
  name: string;
  description: string;
  operations: Listed[];
}

export interface Reference {
  baseUrl: string;
  /** One for each tag that has operations. */
  groups: Group[];
  schemas: Record<string, Schema>;
  /** Examples of objects by schema name, from the recorded calls. */
  examples: Map<string, unknown>;
  webhooks: { name: string; events: { type: string; operation: Operation }[] }[];
}

interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation> & { servers?: unknown }>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema> };
}

/** The content of the reference, from the OpenAPI document with this base URL. */
export function readReference(baseUrl: string): Reference {
  // SAFETY: `Schema` and the other types above name members of OpenAPI 3.1, optional where the document may omit them;
  // a test renders every operation, error and event.
  const document = withoutReferences(openApiDocument(baseUrl, endpoints)) as unknown as Document;
  const operations = Object.entries(document.paths).flatMap(([path, { servers: _, ...methods }]) =>
    Object.entries(methods).map(([method, operation]): Listed => ({ ...operation, method, path })),
  );
  const events = Object.entries(document.webhooks).map(([type, { post }]) => ({ type, operation: post }));
  const { schemas } = document.components;
  return {
    baseUrl,
    groups: document.tags
      .map((tag) => ({ ...tag, operations: operations.filter(({ tags }) => tags[0] === tag.name) }))
      .filter((group) => group.operations.length > 0),
    schemas,
    examples: examplesOf(operations, schemas),
    webhooks: [...Map.groupBy(events, ({ operation }) => operation.tags[0] ?? '')].map(([name, members]) => ({
      name,
      events: members,
    })),
  };
}

/** The first recorded example of each named schema. */
function examplesOf(operations: readonly Operation[], schemas: Reference['schemas']): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const collect = (schema: Schema, value: unknown): void => {
    const known = withoutNull(schema);
    const name = refName(known);
    if (value === null || value === undefined || (name !== null && found.has(name))) return;
    if (name !== null) found.set(name, value);
    const { properties = {}, items } = resolve(known, schemas);
    if (items && Array.isArray(value) && value.length > 0) collect(items, value[0]);
    for (const [key, child] of Object.entries(properties)) collect(child, memberOf(value, key));
  };
  for (const { requestBody, responses } of operations) {
    for (const { content = {} } of [...(requestBody ? [requestBody] : []), ...Object.values(responses)]) {
      for (const { schema, example, examples = {} } of Object.values(content)) {
        collect(schema, example ?? Object.values(examples)[0]?.value);
      }
    }
  }
  return found;
}

/** The error codes of a response. */
export function codesOf({ content }: Answer): string[] {
  const problem = content?.['application/problem+json'];
  return problem ? [...problemsIn(problem.schema as Parameters<typeof problemsIn>[0]).keys()] : [];
}

/** A member of a value; undefined if the value is not an object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** `#/components/schemas/Product` → `Product`. */
export function refName(schema: Schema): string | null {
  return schema.$ref?.split('/').at(-1) ?? null;
}

/** The schema that a reference points to, or the schema itself. */
export function resolve(schema: Schema, schemas: Reference['schemas']): Schema {
  const name = refName(schema);
  return (name === null ? undefined : schemas[name]) ?? schema;
}

export function withoutNull(schema: Schema): Schema {
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return only && others.length === 0 ? only : schema;
}

export function anchorOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

/** Paths of pages. */
export const pathOf = {
  area: (tag: string) => `/docs/${anchorOf(tag)}`,
  operation: ({ tags, operationId }: Operation) => `/docs/${anchorOf(tags[0] ?? '')}/${operationId}`,
  event: (type: string) => `/docs/webhooks/${type}`,
  object: (name: string) => `/docs/objects/${name}`,
  error: (code: string) => `/docs/errors#${code}`,
};

const COMPONENT = '#/components/schemas/';

/** File names of the JSON Schemas of events. `event.json` is for any event. */
export function schemaNames(): string[] {
  return ['event', ...EVENT_TYPES].map((name) => `${name}.json`);
}

/**
 * The JSON Schema of an event (draft 2020-12) as a self-contained file. It accepts unknown members, because members may
 * be added to events.
 */
export function schemaFile({ baseUrl, schemas }: Reference, file: string): string {
  const type = file.slice(0, -'.json'.length);
  const name = type === 'event' ? 'Event' : eventSchemaName(type);
  const defs: Record<string, unknown> = {};
  const referring = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referring);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, key === '$ref' ? define(String(member)) : referring(member)]),
    );
  };
  const define = (reference: string): string => {
    const of = reference.replace(COMPONENT, '');
    if (!(of in defs)) {
      defs[of] = {};
      defs[of] = referring(resolve(schemas[of] ?? {}, schemas));
    }
    return `#/$defs/${of}`;
  };
  const schema = referring(resolve(schemas[name] ?? {}, schemas)) as object;
  const id = `${baseUrl}/docs/schemas/${file}`;
  const whole = { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: id, title: name, ...schema };
  return `${JSON.stringify(Object.keys(defs).length > 0 ? { ...whole, $defs: defs } : whole, null, 2)}\n`;
}
