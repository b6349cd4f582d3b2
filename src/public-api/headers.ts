import type { ZodOpenApiComponentsObject } from 'zod-openapi';

/** Headers of answers, as the OpenAPI document and the reference describe them. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'On every answer, also as `request_id` in a problem document: name it when you ask us something.',
    schema: { type: 'string', format: 'uuid' },
    example: '019aa0d1-0a0b-7c0d-8e0f-101112131415',
  },
  'Retry-After': {
    description: 'How many seconds to wait before the same request is sent again.',
    schema: { type: 'integer', minimum: 1 },
    example: 60,
  },
  'WWW-Authenticate': {
    description: 'Which credentials the address takes, and what is wrong with those that were sent (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
  'Idempotent-Replayed': {
    description: '`true` when the request was there already and nothing was written; otherwise absent.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
} as const satisfies ZodOpenApiComponentsObject['headers'];

export type HeaderName = keyof typeof HEADERS;

/** References to headers for one answer; every answer has `X-Request-Id`. */
export function headersOf(...names: readonly HeaderName[]) {
  const all = ['X-Request-Id', ...names] as const;
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]));
}
