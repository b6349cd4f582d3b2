import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { envelopeSchema } from '../order-requests/service';
import type { ProblemCode } from '../platform/error-codes';
import { orderRequestAnswerSchema } from '../wire/order-schemas';
import { type Endpoint, isBodyOptional } from './endpoint';
import { SUBMISSION_ERRORS } from './errors';
import { recordedOf } from './examples/recorded';
import { type HeaderName, headersOf, parametersOf } from './headers';
import type { ProblemResponses } from './problems';
import { tokenAnswerSchema, tokenBodySchema, tokenErrorSchema } from './token';

const ORGANIZATION_PATH = '/api/v2/public/orgs/{orgId}';

const orgIdParam = z
  .string()
  .meta({ description: 'Organization id.', example: '019aa0af-0c11-7d1e-8a2b-5c6d7e8f9a0b', param: { id: 'orgId' } });

/** The errors that every call can return. */
export const SERVICE_ERRORS: ProblemCode[] = [
  'rate_limited',
  'internal_error',
  'backend_unreachable',
  'organization_moving',
  'organization_unavailable',
];
/** The errors that every endpoint of the organization API can return. */
const COMMON_ERRORS: ProblemCode[] = [
  // For a query parameter that the call does not have.
  'validation_failed',
  'missing_token',
  'invalid_token',
  'insufficient_scope',
  'org_mismatch',
  'organization_suspended',
  ...SERVICE_ERRORS,
];
export const BODY_ERRORS: ProblemCode[] = [
  'invalid_json',
  'validation_failed',
  'too_complex',
  'body_incomplete',
  'body_too_slow',
  'body_too_large',
  'unsupported_media_type',
  'unsupported_content_encoding',
  'busy',
];

/** The errors of an `Idempotency-Key`. */
export const KEY_ERRORS = ['invalid_idempotency_key', 'idempotency_key_reused'] as const satisfies ProblemCode[];

/** What every command with a body answers: its codes of one status make a response that belongs to no operation. */
export const SHARED_ERRORS: readonly ProblemCode[] = [...COMMON_ERRORS, ...KEY_ERRORS, ...BODY_ERRORS];

export function organizationPaths(problems: ProblemResponses, endpoints: readonly Endpoint[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const each of endpoints) {
    const path = ORGANIZATION_PATH + each.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [each.method]: operationOf(problems, each) };
  }
  return paths;
}

function operationOf(problems: ProblemResponses, each: Endpoint): ZodOpenApiOperationObject {
  return {
    operationId: each.id,
    tags: [each.tag],
    summary: each.summary,
    description: [each.description, `Scope: \`${each.scope}\`.`].filter(Boolean).join(' '),
    security: [{ accessToken: [each.scope] }],
    requestParams: {
      path: z.object({ orgId: orgIdParam, ...each.params }),
      ...(each.query instanceof z.ZodObject && { query: each.query }),
    },
    ...parametersOfEndpoint(each),
    ...(each.body && {
      requestBody: {
        required: !isBodyOptional(each.body),
        content: {
          'application/json': { schema: each.documentedBody ?? each.body, ...requestExample(each.id) },
        },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(each.answers).map(([status, { description, schema, headers }]) => [
          status,
          answerOf(each.id, Number(status), description, schema, [
            ...(headers ?? []),
            ...(each.again ? (['Idempotent-Replayed'] as const) : []),
          ]),
        ]),
      ),
      ...(each.reads === 'If-None-Match' && {
        304: { description: 'What you have is current.', headers: headersOf('ETag') },
      }),
      ...problems.of(each.id, [
        ...COMMON_ERRORS,
        ...(each.again ? (['conflict', ...KEY_ERRORS] as const) : []),
        ...(each.body ? BODY_ERRORS : []),
        ...each.errors,
      ]),
    },
  };
}

function parametersOfEndpoint({ reads, again }: Endpoint) {
  const names = [...(reads ? [reads] : []), ...(again ? (['Idempotency-Key'] as const) : [])];
  return names.length > 0 && { parameters: parametersOf(...names) };
}

export function requestExample(id: string) {
  const request = recordedOf(id)?.request;
  return request === undefined ? {} : { example: request };
}

/** An example with the first of each list of records that have ids: one shows what the others are like. */
function withFirstOfEach(example: unknown): unknown {
  if (Array.isArray(example)) {
    const hasIds = example.every((each) => typeof each === 'object' && each !== null && 'id' in each);
    return (hasIds ? example.slice(0, 1) : example).map(withFirstOfEach);
  }
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, withFirstOfEach(value)]));
}

/** The recorded response, shown only for the status that it had. */
export function answerOf(
  id: string,
  status: number,
  description: string,
  schema: z.ZodType,
  headers: HeaderName[] = [],
) {
  const recorded = recordedOf(id);
  const example = recorded?.status === status ? { example: withFirstOfEach(recorded.answer) } : {};
  return {
    description,
    headers: headersOf('X-Request-Id', ...headers),
    content: { 'application/json': { schema, ...example } },
  };
}

export function tokenPath(problems: ProblemResponses): ZodOpenApiPathsObject {
  const id = 'createAccessToken';
  return {
    [`${ORGANIZATION_PATH}/auth/token`]: {
      post: {
        operationId: id,
        tags: ['Authentication'],
        summary: 'Exchange an API key for an access token',
        description:
          'Send the key as a header (apikey or X-API-Key), or as OAuth 2.0 client credentials by form (RFC 6749 §4.4): `grant_type=client_credentials`, `client_secret` with the key, and `scope` if needed; `client_id` is ignored. A token is valid for one hour; if its key is revoked, it ends within 30 s. For calls by form, errors have the members of RFC 6749 §5.2.',
        security: [{ apiKey: [] }, { apiKeyHeader: [] }, {}],
        requestParams: { path: z.object({ orgId: orgIdParam }) },
        requestBody: {
          required: false,
          // Generators cannot read two media types of one body: the description tells of the form.
          content: { 'application/json': { schema: tokenBodySchema, ...requestExample(id) } },
        },
        responses: {
          200: answerOf(id, 200, 'The token.', tokenAnswerSchema),
          // The same errors, also in the format for callers that send a form.
          ...problems.of(
            id,
            [
              ...BODY_ERRORS,
              'invalid_scope',
              'unsupported_grant_type',
              'ambiguous_credentials',
              'invalid_client',
              'organization_suspended',
              ...SERVICE_ERRORS,
            ],
            { 'application/json': { schema: tokenErrorSchema } },
          ),
        },
      },
    },
  };
}

/** What the connector is called with. */
export const INTEGRATION_KEY: Record<string, string[]>[] = [{ apiKeyHeader: [] }, { apiKey: [] }, { apiKeyQuery: [] }];
/** The errors of every call of the connector. */
export const CONNECTOR_ERRORS: readonly ProblemCode[] = [
  'ambiguous_credentials',
  'missing_api_key',
  'invalid_api_key',
  'shop_mismatch',
  'shop_inactive',
  'not_found',
  ...SERVICE_ERRORS,
];

export function shopServers(baseUrl: string) {
  return [
    {
      url: '{shop_url}',
      description: "A shop's own address.",
      variables: {
        shop_url: { default: baseUrl.replace('://', '://rx.'), description: 'Scheme and host of the shop.' },
      },
    },
  ];
}

export function connectorPath(problems: ProblemResponses, baseUrl: string): ZodOpenApiPathsObject {
  const id = 'submitOrderRequest';
  return {
    '/api/v1/external-order': {
      servers: shopServers(baseUrl),
      post: {
        operationId: id,
        tags: ['Connector'],
        summary: 'Submit an order request',
        description:
          "On a shop's own address, with an integration key. Repeating an external_reference with the same content returns the existing request (header Idempotent-Replayed); with other content it is a 409. An Idempotency-Key makes a request without a reference safe to repeat; where both are sent, a known reference decides.",
        security: INTEGRATION_KEY,
        parameters: parametersOf('Idempotency-Key'),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: envelopeSchema.meta({
                id: 'OrderRequestEnvelope',
                description: 'The body that a platform submits.',
              }),
              ...requestExample(id),
            },
          },
        },
        responses: {
          200: answerOf(id, 200, 'Accepted, or accepted before.', orderRequestAnswerSchema, ['Idempotent-Replayed']),
          ...problems.of(id, [...BODY_ERRORS, ...SUBMISSION_ERRORS, ...KEY_ERRORS, ...CONNECTOR_ERRORS, 'intake_off']),
        },
      },
    },
  };
}
