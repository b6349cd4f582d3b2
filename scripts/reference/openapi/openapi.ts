import { createDocument, type ZodOpenApiObject } from 'zod-openapi';
import { SCOPES, type Scope } from '../../../src/platform/access';
import type { Endpoint } from '../../../src/public-api/endpoint/endpoint';
import { EVENT_TYPES, EVENTS } from '../../../src/webhooks/event-types';
import { HEADERS, PARAMETERS } from './headers';
import { LIMITS } from './limits';
import { connectorPaths, organizationPaths, SHARED_ERRORS, tokenPath } from './paths';
import { ProblemResponses, problemSchemas } from './problems';
import { EVENT_RECEIVED, webhookOperation } from './webhooks';

/** Tags of the calls, in the order of the reference. */
const TAGS = {
  Connector: "For platforms, on a shop's own address: submit an order request, follow it, supplement and withdraw it.",
  Authentication: 'From API key to access token.',
  Shops: 'The shops of the organization, and what each of them offers.',
  Products: 'Products as the catalog, the organization and a shop see them.',
  Inventory: 'What the organization holds.',
  'Order requests': 'Requests from platforms, and their review.',
  Prescriptions: 'The files, their approval and signature.',
  Orders: 'From packing to hand-over, and how they are paid.',
  Customers: 'What is kept about a person, and its erasure.',
  Reports: 'Figures.',
  Events: 'What happened, to be fetched instead of received.',
  Webhooks: 'Subscriptions and deliveries, including delivery statistics; delivering again.',
};

/** Tags of the webhooks. */
const EVENT_TAGS = {
  'Products and stock': 'Webhooks about products and their stock.',
  Payments: 'Webhooks about payments.',
};

/** Text that applies to all operations. */
const ABOUT = [
  'Organization API (shops, catalog, inventory, overrides), order request connector, and webhooks.',
  'Every error is a problem document (RFC 9457); switch on its `code`. The schema of each code lists its members.',
  'If the response is 408, 429 or 5xx, send the request again with the same `Idempotency-Key`: it is carried out once. Wait for the number of seconds in `Retry-After`; without it (408, 500) one second, then twice as long each time.',
  'An address that exists only for other methods returns 405 (`method_not_allowed`) and lists them in the header `Allow`.',
  ...LIMITS.map(([what, limit]) => `${what}: ${limit}.`),
].join('\n\n');

/** The keywords of a JSON schema that this file uses. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  minLength?: number;
  properties?: Record<string, Schema>;
  enum?: unknown[];
  const?: unknown;
  [keyword: string]: unknown;
}

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}

interface Operation {
  requestBody?: { content: Record<string, Media> };
  responses?: Record<string, { content?: Record<string, Media> }>;
}

/** The whole document, from which the documents of calls and webhooks are made. */
interface Whole {
  openapi: string;
  info: { title: string };
  paths: Record<string, Record<string, Operation>>;
  webhooks: object;
  components: { schemas: Record<string, Schema>; parameters: Record<string, object>; responses: object };
}

/** The document of the calls, for generators of clients, most of which cannot read `webhooks`. */
export function callsDocument({ webhooks: _, ...document }: Whole) {
  const { paths, components } = document;
  return {
    ...document,
    tags: tagsOf(TAGS),
    components: {
      ...components,
      schemas: schemasIn({ paths, responses: components.responses }, components.schemas),
      parameters: parametersIn(paths, components.parameters),
    },
  };
}

/** The document of the webhook requests that a subscriber receives. */
export function webhooksDocument({ openapi, info, webhooks, components }: Whole) {
  const groups: string[] = Object.values(EVENTS).map(({ group }) => group);
  return {
    openapi,
    info: {
      ...info,
      title: `${info.title}: webhooks`,
      description: 'What this service posts to the address of a subscription.',
    },
    tags: tagsOf({ ...TAGS, ...EVENT_TAGS }).filter(({ name }) => groups.includes(name)),
    paths: {},
    webhooks,
    components: {
      schemas: schemasIn(webhooks, components.schemas),
      parameters: parametersIn(webhooks, components.parameters),
      responses: EVENT_RECEIVED,
    },
  };
}

function schemasIn(value: object, schemas: Record<string, object>) {
  const names = reached(value, schemas);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}

function parametersIn(value: object, parameters: Record<string, object>) {
  const text = JSON.stringify(value);
  return Object.fromEntries(
    Object.entries(parameters).filter(([name]) => text.includes(`"#/components/parameters/${name}"`)),
  );
}

function tagsOf(tags: Record<string, string>) {
  return Object.entries(tags).map(([name, description]) => ({ name, description }));
}

/** The suffix of a schema's name for responses, if requests use another schema of the same name. */
const ANSWER = 'Answer';

/** The whole API as an OpenAPI 3.1 document, made from the schemas that check the requests. */
export function openApiDocument(baseUrl: string, endpoints: readonly Endpoint[]) {
  const problems = new ProblemResponses(SHARED_ERRORS);
  const paths = {
    ...connectorPaths(problems, baseUrl),
    ...tokenPath(problems),
    ...organizationPaths(problems, inOrder(endpoints)),
  };
  const parts: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Offizin API',
      version: '2.0.0',
      description: ABOUT,
      contact: { name: 'API reference', url: `${baseUrl}/docs` },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/' }],
    tags: tagsOf({ ...TAGS, ...EVENT_TAGS }),
    paths,
    webhooks: Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhookOperation(type) }])),
    components: {
      schemas: problemSchemas(),
      responses: { ...problems.responses, ...EVENT_RECEIVED },
      headers: HEADERS,
      parameters: PARAMETERS,
      securitySchemes: securitySchemes(baseUrl),
    },
  };
  const document = createDocument(parts, { outputIdSuffix: ANSWER });
  // SAFETY: the document was made of operations by method, servers of paths, and schemas that are objects.
  const whole = document as unknown as Whole;
  describeTexts(requestSchemas(whole));
  openAnswers(whole);
  withoutRepetition(document);
  const { components, paths: made, webhooks } = whole;
  const examples = shareExamples(made);
  // Removes schemas to which nothing refers. The library adds such request schemas, because problem schemas are passed
  // to it complete.
  const used = reached([made, webhooks, components.responses], components.schemas);
  for (const name of Object.keys(components.schemas)) if (!used.has(name)) delete components.schemas[name];
  Object.assign(components, { examples });
  return document;
}

function inOrder(endpoints: readonly Endpoint[]): Endpoint[] {
  const tags = Object.keys(TAGS);
  return endpoints.toSorted((a, b) => tags.indexOf(a.tag) - tags.indexOf(b.tag));
}

function securitySchemes(baseUrl: string) {
  return {
    accessToken: {
      type: 'oauth2',
      description:
        'An access token made from an API key, sent as Authorization: Bearer. For OAuth tools: the client secret is the key, the client id is ignored.',
      flows: {
        clientCredentials: {
          tokenUrl: `${baseUrl}/api/v2/public/auth/token`,
          scopes: Object.fromEntries(SCOPES.filter(isOfTokens).map((scope) => [scope, meaningOf(scope)])),
        },
      },
    },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    apiKeyHeader: { type: 'apiKey', in: 'header', name: 'apikey' },
    apiKeyQuery: {
      type: 'apiKey',
      in: 'query',
      name: 'apikey',
      description: 'Discouraged: addresses end up in logs.',
    },
  } as const;
}

/** Whether tokens have the scope. Only integration keys have the other one. */
const isOfTokens = (scope: Scope) => scope !== 'external_orders.submit';

const VERBS: Record<string, string> = { read: 'Read', write: 'Change', submit: 'Submit' };

/** `order_requests.read` → `Read order requests.` */
function meaningOf(scope: string): string {
  const [area = '', verb = ''] = scope.split('.');
  return `${VERBS[verb] ?? verb} ${area.replaceAll('_', ' ')}.`;
}

/** Schemas of request bodies with all schemas to which they refer, except those that responses use too. */
function requestSchemas({ paths, components: { schemas, responses: errors } }: Whole): object[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const bodies = operations.flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
  );
  const answered = reached([errors, ...operations.map(({ responses }) => responses)], schemas);
  const sent = [...reached(bodies, schemas)].filter((name) => !answered.has(name));
  return [...bodies, ...sent.map((name) => schemas[name] ?? {})];
}

/**
 * Characters that no text of a body may contain (platform/http/json.ts): C0 and C1 controls and DEL, except tab and line
 * breaks.
 */
const CONTROL = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';
const TEXT = `^[^${CONTROL}]*$`;
/** For texts that must not be empty. They are trimmed before the check. */
const NOT_BLANK = `^(?!\\s*$)[^${CONTROL}]*$`;
/** Keywords that already define the allowed characters of a schema. */
const SAYS_MORE = ['pattern', 'format', 'enum', 'const', 'contentEncoding'];

/**
 * Adds the rules for all texts to the schemas of request bodies. Schemas that responses also use are not changed,
 * because a response only describes its values.
 */
function describeTexts(schema: unknown): void {
  if (Array.isArray(schema)) schema.forEach(describeTexts);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  const known = schema as Schema;
  if ([known.type].flat().includes('string') && !SAYS_MORE.some((keyword) => keyword in known)) {
    known.pattern = (known.minLength ?? 0) > 0 ? NOT_BLANK : TEXT;
  }
  if (typeof known.const === 'boolean') delete known.const;
  if ('default' in known) {
    // Generators make members with a default required.
    known.description = [known.description, `Default: \`${known.default}\`.`].filter(Boolean).join(' ');
    delete known.default;
  }
  for (const [keyword, child] of Object.entries(known)) {
    // A schema under `not` describes what is refused, and examples are not schemas.
    if (!['not', 'example', 'examples', 'enum'].includes(keyword)) describeTexts(child);
  }
}

/** Formats that make a long pattern redundant. */
const SAID_BY_FORMAT = ['uuid', 'date', 'date-time'];

/**
 * Removes redundancy from a document: patterns of formats, limits that every integer has, and parameter descriptions
 * that their schemas repeat. Writes "this or null" as one schema if possible.
 */
function withoutRepetition(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as Record<string, unknown>;
  uniteWithNull(schema);
  if (SAID_BY_FORMAT.includes(String(schema.format))) delete schema.pattern;
  for (const limit of ['minimum', 'maximum']) {
    if (Math.abs(Number(schema[limit])) === Number.MAX_SAFE_INTEGER) delete schema[limit];
  }
  const { schema: inner, description } = schema as { schema?: { description?: unknown }; description?: unknown };
  if (inner?.description !== undefined && inner.description === description) delete inner.description;
  for (const [key, child] of Object.entries(schema)) if (!/^examples?$/.test(key)) withoutRepetition(child);
}

/**
 * `anyOf: [{ type: 'string', … }, { type: 'null' }]` → `type: ['string', 'null'], …`. Not for objects, because
 * generators would then ignore the null.
 */
function uniteWithNull(schema: Record<string, unknown>): void {
  const [first, second, ...others] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const { type, enum: values, const: only } = first ?? {};
  if (second?.type !== 'null' || others.length > 0 || typeof type !== 'string' || type === 'object') return;
  if (values || only !== undefined) return;
  delete schema.anyOf;
  const { description = first.description } = schema;
  Object.assign(schema, first, { type: [type, 'null'], ...(description !== undefined && { description }) });
}

/**
 * Moves the example of an object that several operations return to the components. The document then has only the first
 * one. @returns the examples by schema name
 */
function shareExamples(paths: Record<string, Record<string, Operation>>): Record<string, { value: unknown }> {
  const answers = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses = {} }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.values(content))
    .filter(({ schema, example }) => schema.$ref !== undefined && example !== undefined);
  const shared = [...Map.groupBy(answers, ({ schema }) => schema.$ref?.split('/').at(-1) ?? '')].filter(
    ([, all]) => all.length > 1,
  );
  return Object.fromEntries(
    shared.map(([name, all]) => {
      const value = all[0]?.example;
      for (const media of all) {
        delete media.example;
        media.examples = { [name]: { $ref: `#/components/examples/${name}` } };
      }
      return [name, { value }];
    }),
  );
}

/**
 * Opens the schemas of responses, because members and values may be added later and generated clients must accept them.
 * Known values move to `x-known-values`. Request bodies stay strict: a schema that both use gets a copy for responses.
 */
function openAnswers(document: Whole): void {
  const { schemas, responses } = document.components;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const sent = reached(
    operations.map(({ responses: _, ...sends }) => sends),
    schemas,
  );
  const answers = [responses, ...operations.map((operation) => operation.responses)];
  for (const name of reached([...answers, ...eventsIn(schemas)], schemas)) {
    if (sent.has(name)) schemas[name + ANSWER] = structuredClone(schemas[name] as Schema);
  }
  const renamed = (name: string) => (sent.has(name) ? name + ANSWER : name);
  const opened = Object.keys(schemas).filter((name) => !sent.has(name));
  for (const part of [...answers, ...opened.map((name) => schemas[name])]) open(part, renamed);
}

const EVENT = /Event$/;
const eventsIn = (schemas: Record<string, Schema>) =>
  Object.entries(schemas).flatMap(([name, schema]) => (EVENT.test(name) ? [schema] : []));

function open(value: unknown, renamed: (name: string) => string, member?: string): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as Schema;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.oneOf !== undefined) {
    // Without closed values, several variants may match.
    schema.anyOf = schema.oneOf;
    delete schema.oneOf;
    delete schema.discriminator;
  }
  if (typeof schema.$ref === 'string')
    schema.$ref = schema.$ref.replace(COMPONENT, (_, name) => PREFIX + renamed(name));
  // Generators for Java accept null for an object only if it is optional.
  if (Array.isArray(schema.required))
    schema.required = schema.required.filter((name) => !isObjectOrNull(schema.properties?.[name]));
  // The schema of an event keeps its single type.
  if (member !== 'event_type' || schema.enum) openValues(schema);
  for (const [key, child] of Object.entries(schema)) {
    // Names below `properties` are not keywords.
    if (key === 'properties') for (const [name, each] of Object.entries(child as object)) open(each, renamed, name);
    else if (!/^examples?$/.test(key)) open(child, renamed);
  }
}

function isObjectOrNull(schema: Schema | undefined): boolean {
  const all = Array.isArray(schema?.anyOf) ? (schema.anyOf as Schema[]) : [];
  return all.some(({ properties }) => properties) && all.some(({ type }) => type === 'null');
}

function openValues(schema: Schema): void {
  const values = (schema.enum ?? [schema.const]).filter((each) => typeof each === 'string');
  if (values.length > 0) {
    schema['x-known-values'] = values;
    const { description = '' } = schema;
    const isSaid = values.every((each) => description.includes(each));
    if (!isSaid) schema.description = `${description} Known values: ${values.join(', ')}.`.trim();
  }
  delete schema.enum;
  if (typeof schema.const !== 'object') delete schema.const;
}

const PREFIX = '#/components/schemas/';
const COMPONENT = /^#\/components\/schemas\/(\w+)$/;

/** Names of the schemas that are reachable by references. */
function reached(value: unknown, schemas: Record<string, object>, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    reached(schemas[name], schemas, found);
  }
  return found;
}
