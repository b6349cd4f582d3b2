import * as z from 'zod';
import type { ZodOpenApiComponentsObject } from 'zod-openapi';

/** Response headers, as the OpenAPI document and the reference describe them. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'In every response, also as `request_id` in a problem document: quote it when you contact support.',
    schema: { type: 'string', format: 'uuid' },
    example: '019aa0d1-0a0b-7c0d-8e0f-101112131415',
  },
  'Retry-After': {
    description: 'Number of seconds to wait before sending the same request again.',
    schema: { type: 'integer', minimum: 1 },
    example: 60,
  },
  'RateLimit-Policy': {
    description: 'How many requests (`q`) a key may make in how many seconds (`w`); in every response of a key.',
    schema: { type: 'string' },
    example: '"api";q=600;w=60',
  },
  'WWW-Authenticate': {
    description: 'Which credentials the address accepts, and what is wrong with the ones sent (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
  ETag: {
    description: 'The version of what was read: another one with every change. Send it as `If-Match` with a change.',
    schema: { type: 'string' },
    example: '"7"',
  },
  'Idempotent-Replayed': {
    description: '`true` when the request already existed and nothing was written; otherwise absent.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
} as const satisfies ZodOpenApiComponentsObject['headers'];

export type HeaderName = keyof typeof HEADERS;

/** Request headers that some calls read. */
export const REQUEST_HEADERS = {
  'If-Match': z.string().optional().meta({
    description:
      'ETags, weak or strong, of the versions that may be changed; else 412 `version_mismatch`. Without it, or with `*`, whatever is there is changed.',
    example: '"7"',
  }),
  'If-None-Match': z.string().optional().meta({
    description: 'ETags of what you have: while one of them is current, the response is 304 without a body.',
    example: '"7"',
  }),
};

export type RequestHeaderName = keyof typeof REQUEST_HEADERS;

/** References to the headers of a response; every response also has `X-Request-Id`. */
export function headersOf(...names: readonly HeaderName[]) {
  const all = ['X-Request-Id', ...names] as const;
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]));
}
