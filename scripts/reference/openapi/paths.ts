import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { envelopeSchema } from '../../../src/order-requests/envelope';
import { supplementSchema } from '../../../src/order-requests/sender/sender';
import type { ProblemCode } from '../../../src/platform/errors/error-codes';
import { type Endpoint, isBodyOptional, SUBMISSION_ERRORS } from '../../../src/public-api/endpoint/endpoint';
import { tokenBodySchema } from '../../../src/public-api/token';
import { offeredPageSchema, offeredQuerySchema, ownShopSchema } from '../../../src/wire/offered';
import { orderRequestAnswerSchema } from '../../../src/wire/orders';
import { objectOf } from '../../../src/wire/schemas';
import { byReferenceSchema, sentRequestSchema, withdrawnSchema } from '../../../src/wire/sent-requests';
import { recordedOf } from '../examples/recorded';
import { type HeaderName, headersOf, parametersOf } from './headers';
import type { ProblemResponses } from './problems';

const tokenAnswerSchema = objectOf('TokenAnswer', 'A token, valid for one hour.', {
  access_token: z.string().describe('Sent as Authorization: Bearer.'),
  token_type: z.literal('Bearer').describe('How it is sent.'),
  expires_in: z.int().meta({ description: 'Seconds.', example: 3600 }),
  scope: z.string().meta({ description: 'Scopes, separated by spaces.', example: 'products.read products.write' }),
});

const tokenErrorSchema = objectOf('TokenError', 'Error of a call by form, instead of a Problem (RFC 6749 §5.2).', {
  error: z.string().meta({ description: 'Error code of RFC 6749.', example: 'invalid_client' }),
  error_description: z.string().describe('What happened and what to change.'),
  code: z.string().describe('Code of this service, as in a Problem.'),
  request_id: z.uuid().describe('As in X-Request-Id.'),
});

const ORGANIZATION_PATH = '/api/v2/public/orgs/{orgId}';

const orgIdParam = z
  .string()
  .meta({ description: 'Organization id.', example: '019aa0af-0c11-7d1e-8a2b-5c6d7e8f9a0b', param: { id: 'orgId' } });

/** The errors that every call can return. */
const SERVICE_ERRORS: ProblemCode[] = [
  'rate_limited',
  'internal_error',
  'backend_unreachable',
  'organization_moving',
  'organization_unavailable',
];
/** The errors that every endpoint of the organization API can return. */
const COMMON_ERRORS: ProblemCode[] = [
  // For unknown query parameters.
  'validation_failed',
  'missing_token',
  'invalid_token',
  'insufficient_scope',
  'org_mismatch',
  'organization_suspended',
  ...SERVICE_ERRORS,
];
const BODY_ERRORS: ProblemCode[] = [
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
const KEY_ERRORS = ['invalid_idempotency_key', 'idempotency_key_reused'] as const satisfies ProblemCode[];

/** The errors of every command with a body. The codes of each status form a shared response. */
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
        Object.entries(each.answers).map(([status, { description, schema, headers = [], mediaType }]) => {
          const all = [...headers, ...(each.again ? (['Idempotent-Replayed'] as const) : [])];
          const answer = answerOf(each.id, Number(status), description, schema, all);
          const { 'application/json': media } = answer.content;
          return [status, { ...answer, content: { [mediaType ?? 'application/json']: media } }];
        }),
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

function requestExample(id: string) {
  const request = recordedOf(id)?.request;
  return request === undefined ? {} : { example: request };
}

/** An example in which each list of records with ids is cut to its first record. */
function withFirstOfEach(example: unknown): unknown {
  if (Array.isArray(example)) {
    const hasIds = example.every((each) => typeof each === 'object' && each !== null && 'id' in each);
    return (hasIds ? example.slice(0, 1) : example).map(withFirstOfEach);
  }
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, withFirstOfEach(value)]));
}

/** A response with the recorded example, if that had the same status. */
function answerOf(id: string, status: number, description: string, schema: z.ZodType, headers: HeaderName[] = []) {
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
          // Generators cannot read two media types of one body, so only the description mentions the form.
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

/** Ways to send the connector's key. */
const INTEGRATION_KEY: Record<string, string[]>[] = [{ apiKeyHeader: [] }, { apiKey: [] }, { apiKeyQuery: [] }];
/** The errors of every call of the connector. */
const CONNECTOR_ERRORS: readonly ProblemCode[] = [
  'ambiguous_credentials',
  'missing_api_key',
  'invalid_api_key',
  'shop_mismatch',
  'shop_inactive',
  'not_found',
  ...SERVICE_ERRORS,
];

function shopServers(baseUrl: string) {
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

const SUBMITTED = '/api/v1/external-order';

const REASONS =
  '`reason_code` is `prescription_invalid` for a prescription that cannot be supplied from as it is (unreadable, incomplete, signature, person, items or quantity), `not_available` for what this shop does not sell or may not send, and `other` for everything that a platform cannot change.';

const sentId = { description: 'Id from the answer to the submission.', param: { id: 'sentRequestId' } };
const byId = { path: z.object({ id: z.string().meta(sentId) }) };

const unchanged = { 304: { description: 'What you have is current.', headers: headersOf('ETag') } };
const reads = { parameters: parametersOf('If-None-Match') };
const keyed = { parameters: parametersOf('Idempotency-Key') };

/** The calls of platforms at a shop's host. */
export function connectorPaths(problems: ProblemResponses, baseUrl: string): ZodOpenApiPathsObject {
  const servers = shopServers(baseUrl);
  const operation = operationsOf(problems);
  return {
    [SUBMITTED]: {
      servers,
      post: operation('submitOrderRequest', 'Submit an order request', {
        description:
          "On a shop's own address, with an integration key. Repeating an external_reference with the same content returns the existing request (header Idempotent-Replayed); with other content it is a 409. An Idempotency-Key makes a request without a reference safe to repeat; where both are sent, a known reference decides.",
        ...keyed,
        requestBody: bodyOf('submitOrderRequest', envelopeSchema, {
          id: 'OrderRequestEnvelope',
          description: 'The body that a platform submits.',
        }),
        responses: {
          200: answerOf('submitOrderRequest', 200, 'Accepted, or accepted before.', orderRequestAnswerSchema, [
            'Idempotent-Replayed',
          ]),
        },
        errors: [...BODY_ERRORS, ...SUBMISSION_ERRORS, ...KEY_ERRORS, 'intake_off'],
      }),
      get: operation('findOrderRequest', 'Status of an order request by reference', {
        description: `The newest request that this integration sent to this shop with the reference. White space around it does not count. For polling, send the ETag back as \`If-None-Match\`; a callback of the integration tells sooner. ${REASONS}`,
        requestParams: { query: byReferenceSchema },
        ...reads,
        responses: { 200: statusAnswer('findOrderRequest'), ...unchanged },
        errors: ['validation_failed', 'order_request_not_found', 'method_not_allowed'],
      }),
    },
    [`${SUBMITTED}/{id}`]: {
      servers,
      get: operation('getOrderRequestStatus', 'Status of an order request', {
        description: `Only for the integration that sent it, on the shop's address that it was sent to. After the person was erased it is 404. ${REASONS}`,
        requestParams: byId,
        ...reads,
        responses: { 200: statusAnswer('getOrderRequestStatus'), ...unchanged },
        errors: ['validation_failed', 'order_request_not_found'],
      }),
      delete: operation('withdrawOrderRequest', 'Withdraw an order request', {
        description:
          'A pending request is deleted with its personal data: 200, `withdrawal` `accepted`. An order that is neither handed over nor shipped is put on hold until staff accept, which cancels it, or refuse: 202, `withdrawal` `requested`; the status and `order_updated` tell how they decided. Safe to repeat: once staff have accepted, it is 200. Else, also once they have refused, 409 `already_decided`.',
        requestParams: byId,
        ...keyed,
        responses: {
          200: answerOf('withdrawOrderRequest', 200, 'Withdrawn.', withdrawnSchema, ['Idempotent-Replayed']),
          202: answerOf('withdrawOrderRequest', 202, 'Staff have been asked.', withdrawnSchema, [
            'Idempotent-Replayed',
          ]),
        },
        errors: ['order_request_not_found', 'already_decided', 'legal_hold', 'conflict', 'intake_off', ...KEY_ERRORS],
      }),
    },
    [`${SUBMITTED}/{id}/supplement`]: {
      servers,
      post: operation('supplementOrderRequest', 'Supplement an order request', {
        description:
          'Adds a note, a prescription or both to a pending request, and answers the newest open question of staff. A prescription is checked like the first; with `replaces` the earlier ones that you sent are set aside. Limits are those of the submission. The same again changes nothing, unless staff have asked since; then it answers, and the file is not filed again.',
        requestParams: byId,
        ...keyed,
        requestBody: bodyOf('supplementOrderRequest', supplementSchema, {
          id: 'Supplement',
          description: 'What a platform sends later.',
        }),
        responses: {
          200: answerOf('supplementOrderRequest', 200, 'The request as it is now.', sentRequestSchema, [
            'Idempotent-Replayed',
          ]),
        },
        errors: [
          ...BODY_ERRORS,
          'payload_too_large',
          'invalid_prescription_pdf',
          'prescription_too_large',
          'invalid_prescription_url',
          'erezept_token_refused',
          'order_request_not_found',
          'already_decided',
          'supplement_limit_reached',
          'conflict',
          'intake_off',
          ...KEY_ERRORS,
        ],
      }),
    },
    '/api/v1/shop': {
      servers,
      get: operation('getOwnShop', 'The shop at this address', {
        description: 'What `shipping_option` may say here, and whether the shop takes order requests.',
        responses: { 200: answerOf('getOwnShop', 200, 'The shop.', ownShopSchema) },
        errors: [],
      }),
    },
    '/api/v1/products': {
      servers,
      get: operation('listOfferedProducts', 'Products of this shop', {
        description:
          'What this shop offers, by `p1_id`, with the price and name that apply here. `available` is false where the shop does not sell it now, or has none in stock.',
        requestParams: { query: offeredQuerySchema },
        responses: {
          200: answerOf('listOfferedProducts', 200, 'One page; next_cursor is null at the end.', offeredPageSchema),
        },
        errors: ['validation_failed'],
      }),
    },
  };
}

type Told = Pick<ZodOpenApiOperationObject, 'requestParams' | 'parameters' | 'requestBody' | 'responses'> & {
  description: string;
  errors: readonly ProblemCode[];
};

function operationsOf(problems: ProblemResponses) {
  return (id: string, summary: string, { responses, errors, ...told }: Told): ZodOpenApiOperationObject => ({
    operationId: id,
    tags: ['Connector'],
    summary,
    ...told,
    security: INTEGRATION_KEY,
    responses: { ...responses, ...problems.of(id, [...errors, ...CONNECTOR_ERRORS]) },
  });
}

function bodyOf(id: string, schema: z.ZodType, meta: { id: string; description: string }) {
  return { required: true, content: { 'application/json': { schema: schema.meta(meta), ...requestExample(id) } } };
}

function statusAnswer(id: string) {
  return answerOf(id, 200, 'The request.', sentRequestSchema, ['ETag']);
}
