import { openApiDocument } from '../openapi';
import { endpoints } from '../routes';

/** The parts of an OpenAPI document that the pages use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
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

export interface Media {
  schema: Schema;
  example?: unknown;
  /** Examples of error responses, by code. */
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

export interface Reference {
  baseUrl: string;
  groups: { name: string; operations: Listed[] }[];
  schemas: Record<string, Schema>;
  webhooks: { name: string; events: { type: string; operation: Operation }[] }[];
}

type Referred<T> = T | { $ref: string };

interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, DocumentedOperation> & { servers?: unknown }>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

type DocumentedOperation = Omit<Operation, 'parameters'> & { parameters?: Referred<Parameter>[] };

let reference: Reference | undefined;

/** Called once per isolate: it takes milliseconds and the result never changes. */
export function readReference(baseUrl: string): Reference {
  reference ??= referenceOf(baseUrl);
  return reference;
}

function referenceOf(baseUrl: string): Reference {
  // SAFETY: `Schema` and the other types above name members of OpenAPI 3.1, optional where the document may omit them;
  // a test renders every operation, error and event.
  const document = openApiDocument(baseUrl, endpoints) as unknown as Document;
  const operations = Object.entries(document.paths).flatMap(([path, { servers: _, ...methods }]) =>
    Object.entries(methods).map(
      ([method, operation]): Listed => ({
        ...operation,
        method,
        path,
        parameters: operation.parameters?.map((each) => parameterOf(each, document)),
      }),
    ),
  );
  const tagNames = new Set([...document.tags.map(({ name }) => name), ...operations.flatMap(({ tags }) => tags)]);
  const events = Object.entries(document.webhooks).map(([type, { post }]) => ({ type, operation: post }));
  return {
    baseUrl,
    groups: [...tagNames].map((name) => ({ name, operations: operations.filter(({ tags }) => tags[0] === name) })),
    schemas: document.components.schemas,
    webhooks: [...Map.groupBy(events, ({ operation }) => operation.tags[0] ?? '')].map(([name, members]) => ({
      name,
      events: members,
    })),
  };
}

function parameterOf(parameter: Referred<Parameter>, { components }: Document): Parameter {
  // SAFETY: a reference names a parameter of the same document.
  return '$ref' in parameter ? (components.parameters[refName(parameter) ?? ''] as Parameter) : parameter;
}

/** `#/components/schemas/Product` → `Product`. */
export function refName(schema: Schema): string | null {
  return schema.$ref?.split('/').at(-1) ?? null;
}

/** The schema to which a reference points, or the schema itself if it is not a reference. */
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
