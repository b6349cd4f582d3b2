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
    description:
      'The limit that was reached: its name, `q` requests in `w` seconds. Absent where the limit is no number of requests.',
    schema: { type: 'string' },
    example: '"connectorReads";q=600;w=60',
  },
  ETag: {
    description: 'The version of the answer; sent back as `If-None-Match`, an unchanged answer is 304 without a body.',
    schema: { type: 'string' },
    example: 'W/"5f8d0c6b2f0e4a6a9c1d7e3b"',
  },
  'WWW-Authenticate': {
    description: 'Which credentials the address accepts, and what is wrong with the ones sent (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
  'Idempotent-Replayed': {
    description: '`true` when the request already existed and nothing was written; otherwise absent.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
} as const satisfies ZodOpenApiComponentsObject['headers'];

export type HeaderName = keyof typeof HEADERS;

/** References to the headers of a response; every response also has `X-Request-Id`. */
export function headersOf(...names: readonly HeaderName[]) {
  const all = ['X-Request-Id', ...names] as const;
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]));
}
