import type { ZodOpenApiComponentsObject } from 'zod-openapi';
import { KEY_HOURS } from '../../../src/idempotency/limits';
import { IDEMPOTENCY_KEY_CHARACTERS_MAX } from '../../../src/platform/limits';

/** Response headers for the OpenAPI document and the reference. */
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
    description:
      '`true` when the same was sent before, with this `Idempotency-Key` or `external_reference`, and nothing was written; otherwise absent.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
} as const satisfies ZodOpenApiComponentsObject['headers'];

/** Request headers. They have no examples, because tools would send those unchanged. */
export const PARAMETERS = {
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'ETags, weak or strong, of the versions that may be changed; else 412 `version_mismatch`. Without it, or with `*`, whatever is there is changed.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETags of what you have: while one of them is current, the response is 304 without a body.',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: `Makes the call safe to repeat: a text of your choice, for example a UUID, new for each thing to be done and the same each time it is sent. For ${KEY_HOURS} hours a repetition writes nothing and gets the first answer with \`Idempotent-Replayed: true\`; if that answer was not kept, or a person in it was erased, it gets the current state. Each integration has its own key space. The same key with another method, path or body (compared byte by byte): 422 \`idempotency_key_reused\`. A call that got a 4xx leaves its key unused.`,
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_CHARACTERS_MAX,
      pattern: '^[ -~]+$',
    },
  },
} as const satisfies ZodOpenApiComponentsObject['parameters'];

type ParameterName = keyof typeof PARAMETERS;

/** References to parameters of an operation. */
export function parametersOf(...names: readonly ParameterName[]) {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` as const }));
}

export type HeaderName = keyof typeof HEADERS;

/** References to the headers of a response. `X-Request-Id` is in every response, and in problem documents too. */
export function headersOf(...names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]));
}

/** References that are replaced by their components. References to schemas and headers stay. */
const REFERENCE = /^#\/components\/(responses|parameters|examples)\/([\w-]+)$/;

type Components = Record<string, Record<string, unknown>>;

/** An OpenAPI document with references to responses, parameters, and examples replaced by their content. */
export function withoutReferences<T extends object>(document: T): T {
  // SAFETY: a document has its components there; everything else is read member by member.
  const { components = {} } = document as { components?: Components };
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== 'object' || value === null) return value;
    const [, kind = '', name = ''] = REFERENCE.exec('$ref' in value ? String(value.$ref) : '') ?? [];
    if (kind) return resolved(components[kind]?.[name]);
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, resolved(child)]));
  };
  // SAFETY: as above; the target of a reference has the type that is allowed in its place.
  return resolved(document) as T;
}

interface ErrorSchema {
  $ref?: string;
  properties?: { code?: { 'x-known-values'?: string[] } };
  anyOf?: ErrorSchema[];
}

/** The codes of an error response, each with the name of its problem schema. */
export function problemsIn(schema: ErrorSchema): Map<string, string> {
  const variants = schema.anyOf ?? [schema];
  return new Map(
    variants.flatMap(({ $ref = '', properties }) => {
      const name = $ref.slice($ref.lastIndexOf('/') + 1);
      return (properties?.code?.['x-known-values'] ?? [codeOf(name)]).map((code) => [code, name] as const);
    }),
  );
}

/** `NotApprovableProblem` → `not_approvable` */
function codeOf(name: string): string {
  return name
    .replace(/Problem$/, '')
    .replace(/\B[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}

/** Member names of a named schema. */
export function membersOf(name: string, schemas: Record<string, { properties?: object }>): string[] {
  return Object.keys(schemas[name]?.properties ?? {});
}
