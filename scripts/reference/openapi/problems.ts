import * as z from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { ProblemCode } from '../../../src/platform/errors/error-codes';
import { RULE_CODES } from '../../../src/platform/errors/errors';
import { statusOf } from '../../../src/platform/http/http';
import { once } from '../../../src/platform/isolate-cache';
import { ERRORS_MAX } from '../../../src/platform/limits';
import { MEMBERS, type MembersOf } from '../../../src/wire/problems';
import { ERROR_MEANINGS } from '../error-meanings';
import { type HeaderName, headersOf } from './headers';

const fieldErrorSchema = z
  .object({
    pointer: z
      .string()
      .meta({ description: 'Where: JSON Pointer (RFC 6901), empty for the whole body.', example: '/price' }),
    code: z.string().meta({ description: 'Stable code of the fault.', example: 'invalid_amount' }),
    message: z.string().meta({ description: 'What to change.', example: 'Send EUR with at most two decimals.' }),
  })
  .describe('One fault of a request.');

const problemSchema = z
  .looseObject({
    type: z.url().describe('Address of the page about this code.'),
    title: z.string().describe('The code in words.'),
    status: z.int().describe('The HTTP status.'),
    detail: z.string().describe('What happened, what to change.'),
    instance: z.string().describe('Path of the request.'),
    code: z.string().describe('Stable code for programs to switch on.'),
    request_id: z.uuid().describe('As in X-Request-Id.'),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457); some codes have additional members.' });

interface Members {
  shape: Record<string, z.ZodType>;
  example: object;
}

const faults: Members = {
  shape: {
    errors: z
      .array(fieldErrorSchema)
      .min(1)
      .max(ERRORS_MAX)
      .meta({ description: `Every fault of the request, at most ${ERRORS_MAX}.` }),
  },
  example: { errors: [{ pointer: '/price', code: 'invalid_amount', message: 'Send EUR with at most two decimals.' }] },
};

/** Codes for invalid fields. */
const FAULT_CODES: readonly ProblemCode[] = [
  'validation_failed',
  ...RULE_CODES,
  'overrides_too_large',
  'slug_taken',
  'pzn_taken',
  'unit_fixed',
];

const EXAMPLES: { [Code in keyof typeof MEMBERS]: MembersOf<Code> } = {
  already_decided: {
    current_status: 'rejected',
    decided_by: 'aK7pQ2xW9mZe',
    decided_at: '2026-11-20T09:30:00.000Z',
    order_id: null,
  },
  not_approvable: {
    blockers: [
      {
        code: 'insufficient_stock',
        message: 'The lines need more than is in stock. Change the line or correct the stock.',
        overridable: false,
        p1_id: 'P1-10001',
        requested: 12,
        stock_quantity: 8,
      },
    ],
  },
  shipping_blocked: {
    blockers: [
      {
        code: 'not_available_for_shipping',
        message: 'The pharmacy does not send this product.',
        pointer: '/items/0',
        overridable: true,
        p1_id: 'P1-10001',
      },
    ],
  },
  invalid_transition: { current_status: 'awaiting_packing', allowed: ['ready_pickup', 'cancelled'] },
  prescription_not_stored: { current_status: 'fetching' },
  out_of_stock: { stock_quantity: 0 },
  insufficient_stock: { stock_quantity: 8 },
  open_orders: { order_ids: ['019aa0c4-808c-76f7-86e4-e22a0e4f38b4'] },
  external_reference_conflict: {
    existing: { id: '019aa0c4-808c-76f7-86e4-e22a0e4f38b4', status: 'pending' },
    differs: ['customer_name', 'items'],
  },
};
// SAFETY: the keys of a record by code are codes.
const CODES_WITH_MEMBERS = Object.keys(EXAMPLES) as (keyof typeof EXAMPLES)[];

/** The additional members of problem documents of some codes. */
export const PROBLEM_MEMBERS: Partial<Record<ProblemCode, Members>> = Object.fromEntries([
  ...FAULT_CODES.map((code) => [code, faults]),
  ...CODES_WITH_MEMBERS.map((code) => [code, { shape: MEMBERS[code], example: EXAMPLES[code] }]),
]);

/** Problem schemas of the document. Codes for invalid fields share one; each other code with members has its own. */
export const problemSchemas = once(
  (): Record<string, z.ZodType> => ({
    Problem: problemSchema,
    ValidationProblem: problemSchema
      .extend({ code: codeSchema(FAULT_CODES), ...faults.shape })
      .meta({ id: 'ValidationProblem', description: 'A request with faults; `errors` names each one.' }),
    ...Object.fromEntries(
      CODES_WITH_MEMBERS.map((code) => [
        problemSchemaName(code),
        problemSchema
          .extend({ code: codeSchema([code]), ...MEMBERS[code] })
          .meta({ id: problemSchemaName(code), description: ERROR_MEANINGS[code] }),
      ]),
    ),
  }),
);

/** `not_approvable` → `NotApprovableProblem`. */
export function problemSchemaName(code: ProblemCode): string {
  if (FAULT_CODES.includes(code)) return 'ValidationProblem';
  return `${nameOf(code)}Problem`;
}

/** `order_not_found` → `OrderNotFound`. */
function nameOf(code: ProblemCode): string {
  return code.split('_').map(capitalized).join('');
}

function codeSchema(codes: readonly string[]) {
  return z.enum(codes).meta({ description: 'Stable code for programs to switch on.' });
}

/** Codes whose response has a Retry-After header. */
const WITH_RETRY_AFTER: readonly ProblemCode[] = [
  'rate_limited',
  'busy',
  'backend_unreachable',
  'organization_moving',
  'organization_unavailable',
  'intake_off',
];
const WITH_CHALLENGE = [401, 403];

/** Name and description of each status. The name is used for responses of several codes. */
export const STATUS_WORDS: Record<number, readonly [name: string, words: string]> = {
  400: ['BadRequest', 'The request is wrong'],
  401: ['Unauthorized', 'Not authenticated'],
  403: ['Forbidden', 'Not allowed'],
  404: ['NotFound', 'Not there, or not yours'],
  405: ['MethodNotAllowed', 'Another method'],
  408: ['TooSlow', 'Too slow'],
  409: ['Conflict', 'The state forbids it'],
  412: ['Changed', 'It has changed meanwhile'],
  413: ['TooLarge', 'Too large'],
  415: ['UnsupportedBody', 'Another content type'],
  422: ['Unprocessable', 'The key stands for another request'],
  429: ['TooManyRequests', 'Too many'],
  500: ['InternalError', 'Our fault'],
  502: ['Unavailable', 'Storage temporarily unavailable'],
  503: ['NotNow', 'For some minutes'],
};

/**
 * Error responses as components of the document, each once, to which operations refer. A response of one code is named
 * after the code, one of a shared set after its status, and any other after its operation and status.
 */
export class ProblemResponses {
  /** All responses that operations refer to. */
  readonly responses: Record<string, ZodOpenApiResponseObject> = {};
  /** Names of the operations' own responses by content, so that equal ones appear once. */
  private readonly names = new Map<string, string>();
  private readonly shared: Map<number, ProblemCode[]>;

  /** @param shared codes that many operations share; the codes of each status form a shared set */
  constructor(shared: readonly ProblemCode[]) {
    this.shared = Map.groupBy(new Set(shared), statusOf);
  }

  /** References to an operation's error responses by status. @param more further media types of their content */
  of(operationId: string, codes: readonly ProblemCode[], more?: ZodOpenApiResponseObject['content']) {
    const byStatus = Map.groupBy(new Set(codes), statusOf);
    return Object.fromEntries(
      [...byStatus].map(([status, group]) => [
        String(status),
        { $ref: this.add(this.nameOf(operationId, status, group, more !== undefined), status, group, more) },
      ]),
    ) as ZodOpenApiResponsesObject;
  }

  private nameOf(operationId: string, status: number, codes: readonly ProblemCode[], isItsOwn: boolean): string {
    const [word = ''] = STATUS_WORDS[status] ?? [];
    if (isItsOwn) return capitalized(operationId) + word;
    const [only] = codes;
    if (codes.length === 1 && only) return nameOf(only);
    const shared = new Set(this.shared.get(status));
    if (shared.symmetricDifference(new Set(codes)).size === 0) return word;
    const content = codes.toSorted().join();
    const name = this.names.get(content) ?? capitalized(operationId) + word;
    this.names.set(content, name);
    return name;
  }

  private add(
    name: string,
    status: number,
    codes: readonly ProblemCode[],
    more?: ZodOpenApiResponseObject['content'],
  ): `#/components/responses/${string}` {
    this.responses[name] ??= { ...responseOf(status, codes), content: { ...contentOf(codes), ...more } };
    return `#/components/responses/${name}`;
  }
}

function responseOf(status: number, codes: readonly ProblemCode[]): ZodOpenApiResponseObject {
  const headers: HeaderName[] = [
    ...(codes.some((code) => WITH_RETRY_AFTER.includes(code)) ? (['Retry-After'] as const) : []),
    ...(codes.includes('rate_limited') ? (['RateLimit-Policy'] as const) : []),
    ...(WITH_CHALLENGE.includes(status) ? (['WWW-Authenticate'] as const) : []),
  ];
  const [, words = ''] = STATUS_WORDS[status] ?? [];
  return {
    description: `${words}.`,
    ...(headers.length > 0 && { headers: headersOf(...headers) }),
  };
}

function contentOf(codes: readonly ProblemCode[]): NonNullable<ZodOpenApiResponseObject['content']> {
  return { 'application/problem+json': { schema: schemaOf(codes) } };
}

const SEVERAL_CODES: readonly string[] = ['Problem', 'ValidationProblem'];

/** The schema of the problem documents of exactly these codes. */
function schemaOf(codes: readonly ProblemCode[]) {
  const bySchema = Map.groupBy(codes, (code) => (PROBLEM_MEMBERS[code] ? problemSchemaName(code) : 'Problem'));
  const variants = [...bySchema].map(([name, group]) => ({
    $ref: `#/components/schemas/${name}` as const,
    // A schema for a single code names the code itself.
    ...(SEVERAL_CODES.includes(name) && { properties: { code: { enum: group } } }),
  }));
  return variants.length === 1 && variants[0] ? variants[0] : { oneOf: variants };
}

/** An example of the problem document of a code. */
export function problemExample(baseUrl: string, code: ProblemCode) {
  return {
    ...PROBLEM_MEMBERS[code]?.example,
    type: `${baseUrl}/docs/errors#${code}`,
    title: capitalized(code).replaceAll('_', ' '),
    status: statusOf(code),
    detail: ERROR_MEANINGS[code],
    instance: '/api/v1/external-order',
    code,
    request_id: '019aa0d1-0a0b-7c0d-8e0f-101112131415',
  };
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
