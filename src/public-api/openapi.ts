import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { ENVELOPE_EXAMPLE, envelopeSchema } from '../order-requests/service';
import { SCOPES } from '../platform/access';
import { EVENT_TYPES } from '../webhooks/service';
import { type Endpoint, isBodyOptional } from './endpoint';
import { ERRORS, type ErrorCode } from './errors';
import { orderRequestAnswerSchema } from './order-schemas';
import { problemSchema } from './schemas';
import { tokenAnswerSchema, tokenBodySchema, tokenErrorSchema, tokenFormSchema } from './token';
import { webhookOperation } from './webhooks';

const ORGANIZATION_PATH = '/api/v2/public/orgs/{orgId}';

const TAGS = {
  Authentication: 'From API key to access token.',
  Shops: 'The shops of the organization, and what each of them offers.',
  Products: 'Products as the catalogue, the organization and a shop see them.',
  Inventory: 'What the organization holds.',
  'Order requests': 'What platforms submitted, and its review.',
  Orders: 'From packing to hand-over, and how they are paid.',
  Prescriptions: 'Approval and signature.',
  Customers: 'What is kept about a person, and its erasure.',
  Reports: 'Figures.',
  Events: 'What happened, to be fetched instead of received.',
  Connector: "Order requests, on a shop's own address.",
};

/** The whole contract as an OpenAPI 3.1 document, made from the schemas that check the requests. */
export function openApiDocument(baseUrl: string, endpoints: readonly Endpoint[]) {
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Offizin API',
      version: '2.0.0',
      description:
        'Organization API (shops, catalogue, inventory, overrides), order request connector, and webhooks. Every error is a problem document (RFC 9457); switch on its `code`.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: { ...tokenPath(), ...organizationPaths(endpoints), ...connectorPath(baseUrl) },
    webhooks: Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhookOperation(type) }])),
    components: {
      securitySchemes: {
        accessToken: {
          type: 'oauth2',
          description: 'An access token made from an API key, sent as Authorization: Bearer.',
          flows: {
            clientCredentials: {
              tokenUrl: `${baseUrl}/api/v2/public/orgs/{orgId}/auth/token`,
              scopes: Object.fromEntries(SCOPES.map((scope) => [scope, `Allows ${scope}.`])),
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
      },
    },
  });
}

const orgIdParam = z
  .string()
  .meta({ description: 'Organization id.', example: '019aa0af-0c11-7d1e-8a2b-5c6d7e8f9a0b' });

/** What every endpoint of the organization API can answer. */
const COMMON_ERRORS: ErrorCode[] = [
  // A query parameter that the call does not have.
  'validation_failed',
  'missing_token',
  'invalid_token',
  'insufficient_scope',
  'org_mismatch',
  'rate_limited',
  'internal_error',
  'backend_unreachable',
];
const BODY_ERRORS: ErrorCode[] = [
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

function organizationPaths(endpoints: readonly Endpoint[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const each of endpoints) {
    const path = ORGANIZATION_PATH + each.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [each.method]: operationOf(each) };
  }
  return paths;
}

function operationOf(each: Endpoint): ZodOpenApiOperationObject {
  const params = each.params instanceof z.ZodObject ? each.params.shape : {};
  return {
    operationId: each.id,
    tags: [each.tag],
    summary: each.summary,
    description: [each.description, `Scope: \`${each.scope}\`.`].filter(Boolean).join(' '),
    security: [{ accessToken: [each.scope] }],
    requestParams: {
      path: z.object({ orgId: orgIdParam, ...params }),
      ...(each.query instanceof z.ZodObject && { query: each.query }),
    },
    ...(each.body && {
      requestBody: {
        required: !isBodyOptional(each.body),
        content: {
          'application/json': {
            schema: each.documentedBody ?? each.body,
            ...(each.bodyExample !== undefined && { example: each.bodyExample }),
          },
        },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(each.answers).map(([status, answer]) => [
          status,
          { description: answer.description, content: { 'application/json': { schema: answer.schema } } },
        ]),
      ),
      ...problems([
        ...each.errors,
        ...COMMON_ERRORS,
        ...(each.method === 'get' ? [] : (['conflict'] as const)),
        ...(each.body ? BODY_ERRORS : []),
      ]),
    },
  };
}

/** Error answers by status, each code with its meaning and an example. */
function problems(codes: readonly ErrorCode[]): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code][0]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: group.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join(' '),
        content: {
          'application/problem+json': {
            schema: problemSchema,
            examples: Object.fromEntries(group.map((code) => [code, { value: problemExample(code) }])),
          },
        },
      },
    ]),
  ) as ZodOpenApiResponsesObject;
}

function problemExample(code: ErrorCode) {
  const [status, meaning] = ERRORS[code];
  const title = code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');
  return {
    type: `https://api.example/docs/errors#${code}`,
    title,
    status,
    detail: meaning,
    instance: '/api/v2/public/orgs/019aa0af-0c11-7d1e-8a2b-5c6d7e8f9a0b/shops',
    code,
    request_id: '019aa0d1-0a0b-7c0d-8e0f-101112131415',
  };
}

function tokenPath(): ZodOpenApiPathsObject {
  return {
    [`${ORGANIZATION_PATH}/auth/token`]: {
      post: {
        operationId: 'createAccessToken',
        tags: ['Authentication'],
        summary: 'Exchange an API key for an access token',
        description:
          'Send the key as a header (apikey or X-API-Key), or as OAuth 2.0 client credentials by form. A token lives an hour, and dies within 30 s when its key is revoked. By form, errors have the members of RFC 6749 §5.2.',
        security: [{ apiKey: [] }, { apiKeyHeader: [] }, {}],
        requestParams: { path: z.object({ orgId: orgIdParam }) },
        requestBody: {
          required: false,
          content: {
            'application/json': { schema: tokenBodySchema, example: { scope: 'products.read' } },
            'application/x-www-form-urlencoded': { schema: tokenFormSchema },
          },
        },
        responses: {
          200: { description: 'The token.', content: { 'application/json': { schema: tokenAnswerSchema } } },
          ...byForm(
            problems([
              ...BODY_ERRORS,
              'invalid_scope',
              'unsupported_grant_type',
              'ambiguous_credentials',
              'invalid_client',
              'rate_limited',
              'internal_error',
              'backend_unreachable',
            ]),
          ),
        },
      },
    },
  };
}

/** The same errors, for those who call by form too. */
function byForm(responses: ReturnType<typeof problems>): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, content: { ...response.content, 'application/json': { schema: tokenErrorSchema } } },
    ]),
  ) as ZodOpenApiResponsesObject;
}

function connectorPath(baseUrl: string): ZodOpenApiPathsObject {
  return {
    '/api/v1/external-order': {
      servers: [
        {
          url: '{shop_url}',
          description: "A shop's own address.",
          variables: {
            shop_url: { default: baseUrl.replace('://', '://rx.'), description: 'Scheme and host of the shop.' },
          },
        },
      ],
      post: {
        operationId: 'submitOrderRequest',
        tags: ['Connector'],
        summary: 'Submit an order request',
        description:
          "On a shop's own address, with an integration key. The same external_reference with the same content answers with the request that is there (header Idempotent-Replayed), with other content 409.",
        security: [{ apiKeyHeader: [] }, { apiKey: [] }, { apiKeyQuery: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: envelopeSchema.meta({ id: 'OrderRequestEnvelope' }),
              example: ENVELOPE_EXAMPLE,
            },
          },
        },
        responses: {
          200: {
            description: 'Accepted, or accepted before.',
            headers: {
              'Idempotent-Replayed': {
                description: 'true when the request was there already.',
                schema: { type: 'string', enum: ['true'] },
              },
            },
            content: { 'application/json': { schema: orderRequestAnswerSchema } },
          },
          ...problems([
            ...BODY_ERRORS,
            'customer_required',
            'items_required',
            'item_identity_required',
            'unknown_shipping_option',
            'invalid_prescription_pdf',
            'prescription_too_large',
            'invalid_prescription_url',
            'payload_too_large',
            'shop_mismatch',
            'shop_inactive',
            'ambiguous_credentials',
            'missing_api_key',
            'invalid_api_key',
            'not_found',
            'external_reference_conflict',
            'rate_limited',
            'internal_error',
            'backend_unreachable',
          ]),
        },
      },
    },
  };
}
