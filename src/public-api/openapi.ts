import { createDocument } from 'zod-openapi';
import { SCOPES, type Scope } from '../platform/access';
import { EVENT_TYPES, EVENTS } from '../webhooks/service';
import { describeTexts } from './bodies';
import { connectorPaths } from './connector-paths';
import type { Endpoint } from './endpoint';
import { HEADERS, PARAMETERS } from './headers';
import { shareExamples, withoutRepetition } from './keywords';
import { LIMITS } from './limits';
import { openAnswers, reached } from './open-answers';
import { organizationPaths, SHARED_ERRORS, tokenPath } from './paths';
import { ProblemResponses, problemSchemas } from './problems';
import { EVENT_RECEIVED, webhookOperation } from './webhooks';

/** In the order in which the reference shows them. */
const TAGS = {
  Connector: "For platforms, on a shop's own address: submit an order request, follow it, supplement and withdraw it.",
  Authentication: 'From API key to access token.',
  Shops: 'The shops of the organization, and what each of them offers.',
  Products: 'Products as the catalog, the organization and a shop see them.',
  Inventory: 'What the organization holds.',
  'Order requests': 'Requests from platforms, and their review.',
  Prescriptions: 'Approval and signature.',
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

/** Replaces the id of an organization in server URLs: braces are not allowed in a URI. */
const ORG_ID_PLACEHOLDER = 'YOUR-ORG-ID';

/** What is taken apart of the document of everything. */
interface Whole {
  openapi: string;
  info: { title: string };
  paths: object;
  webhooks: object;
  components: { schemas: Record<string, object>; parameters: Record<string, object>; responses: object };
}

/** The document of the calls: generators make clients of it, and most of them cannot read `webhooks`. */
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

/** The document of the posts that a subscriber receives. */
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

/** The whole API as an OpenAPI 3.1 document, made from the schemas that check the requests. */
export function openApiDocument(baseUrl: string, endpoints: readonly Endpoint[]) {
  const problems = new ProblemResponses(SHARED_ERRORS);
  const paths = {
    ...connectorPaths(problems, baseUrl),
    ...tokenPath(problems),
    ...organizationPaths(problems, inOrder(endpoints)),
  };
  const document = createDocument({
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
  });
  describeTexts(requestSchemas(document as unknown as Document));
  openAnswers(document as unknown as Parameters<typeof openAnswers>[0]);
  withoutRepetition(document);
  // SAFETY: what the document was made of: operations by method, beside the servers of a path, and schemas that are objects.
  const examples = shareExamples(document.paths as unknown as Parameters<typeof shareExamples>[0]);
  Object.assign(document.components ?? {}, { examples });
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
      description: `An access token made from an API key, sent as Authorization: Bearer. In the address of the token endpoint, ${ORG_ID_PLACEHOLDER} stands for the id of your organization (createAccessToken).`,
      flows: {
        clientCredentials: {
          tokenUrl: `${baseUrl}/api/v2/public/orgs/${ORG_ID_PLACEHOLDER}/auth/token`,
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

/** Integration keys alone have the other one, and a token is never asked for it. */
const isOfTokens = (scope: Scope) => scope !== 'external_orders.submit';

const VERBS: Record<string, string> = { read: 'Read', write: 'Change', submit: 'Submit' };

/** `order_requests.read` → `Read order requests.` */
function meaningOf(scope: string): string {
  const [area = '', verb = ''] = scope.split('.');
  return `${VERBS[verb] ?? verb} ${area.replaceAll('_', ' ')}.`;
}

interface Media {
  schema: { $ref?: string };
}

interface Document {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, Media> }; responses?: unknown }>>;
  components: { schemas: Record<string, object>; responses: unknown };
}

/** Schemas of request bodies with all schemas to which they refer, except those that responses use too. */
function requestSchemas({ paths, components: { schemas, responses: errors } }: Document): object[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const bodies = operations.flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
  );
  const answered = reached([errors, ...operations.map(({ responses }) => responses)], schemas);
  const sent = [...reached(bodies, schemas)].filter((name) => !answered.has(name));
  return [...bodies, ...sent.flatMap((name) => schemas[name] ?? [])];
}
