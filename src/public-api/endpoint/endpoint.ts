import type { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import * as z from 'zod';
import { answerOnce } from '../../idempotency/answer-once';
import { requireScope, SCOPES, type Scope } from '../../platform/access';
import type { Context } from '../../platform/context';
import type { ErrorCode, ProblemCode } from '../../platform/errors/error-codes';
import { type HttpEnv, queryOf, readJson, urlOf } from '../../platform/http/http';
import { idempotencyKeyOf, parseInput } from '../../platform/http/validation';
import { once } from '../../platform/isolate-cache';
import { BODY_BYTES_MAX, STRUCTURE_MAX } from '../../platform/limits';
import { idSchema, isKnown, p1IdSchema } from '../../wire/schemas';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The names that path parameters can have. */
type Name = 'id' | 'p1Id';
type ParamsOf<Path extends string> = {
  [N in Name as Path extends `${string}/:${N}${'' | `/${string}`}` ? N : never]: string;
};

interface Input<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  ifMatch: string | undefined;
}

interface Answer {
  status?: ContentfulStatusCode;
  headers?: Record<string, string>;
  body: object;
}

/**
 * The answer of a read. Unlike in other answers, the body may be JSON text, whole or in parts, or a function that opens
 * a file. The function is not called if the caller has the current version.
 */
type ReadAnswer = Omit<Answer, 'body'> & { body: JsonBody | (() => Promise<ReadableStream>) };
type JsonBody = object | string | AsyncGenerator<string>;

/** A response as the OpenAPI document describes it. */
interface Answered {
  description: string;
  schema: z.ZodType;
  headers?: 'ETag'[];
  /** The media type of a file. Missing for JSON. */
  mediaType?: string;
}

interface Definition<P, Q, B> {
  /** The `operationId` in the OpenAPI document. */
  id: string;
  summary: string;
  description?: string;
  /**
   * The schema of the query. Parameters that it does not name are refused. Without a schema, all parameters are
   * refused.
   */
  query?: z.ZodObject & z.ZodType<Q>;
  body?: z.ZodType<B>;
  /** True if the body limits of bulk commands apply. */
  isBulk?: true;
  /** The schema of the body in the OpenAPI document. Needed only if `body` checks just a part of the body. */
  documentedBody?: z.ZodType;
  answers: Partial<Record<200 | 201 | 202, Answered>>;
  /** The error codes of the endpoint, in addition to those that every endpoint has. */
  errors?: ProblemCode[];
  /** The request header that the endpoint reads. */
  reads?: 'If-Match' | 'If-None-Match';
  handle: (ctx: Context, input: Input<P, Q, B>) => Promise<ReadAnswer>;
}

/** The part of a definition that every command needs, but no read. */
interface Repeatable<P, Q, B> {
  /**
   * Answers a repeated request (the same `Idempotency-Key`) whose first answer is not stored. The answer has the
   * current state. Nothing is written.
   * @param input.about the id that the use case passed to `commit`, else the id in the path
   */
  again: (ctx: Context, input: Input<P, Q, B> & { about: string }) => Promise<Answer>;
}

/**
 * An endpoint of the organization API, with its input, answers and errors. Routing, validation and the OpenAPI document
 * are all made from it, so that they cannot contradict each other.
 */
export interface Endpoint
  extends Definition<unknown, unknown, unknown>,
    Partial<Repeatable<unknown, unknown, unknown>> {
  method: Method;
  /** The path below `/orgs/:orgId`, with `:name` for a parameter. */
  path: string;
  params: Record<string, z.ZodType>;
  scope: Scope;
  tag: string;
  errors: ProblemCode[];
}

/** The part of a scope before the dot, which names its area: `orders` for `orders.read`. */
type AreaOf<S> = S extends `${infer Name}.${string}` ? Name : never;

interface Area {
  /** The tag under which the reference shows the endpoints. */
  tag: string;
  /** The area of the scopes that the endpoints need. GET needs `….read`, and other methods need `….write`. */
  scopes: AreaOf<Scope>;
  /** The description of `:id` in paths. */
  id?: string;
}

// One schema for all areas, so that the document has it once.
const p1IdParam = p1IdSchema.meta({ ...p1IdSchema.meta(), param: { id: 'p1Id' } });
const idParams = new Map<string | undefined, z.ZodType>();
function idParam(description: string | undefined): z.ZodType {
  const known = idParams.get(description) ?? idSchema.meta({ description, param: { id: idName(description) } });
  idParams.set(description, known);
  return known;
}

/** Returns the functions that make an area's endpoints, one for each method. Handlers get the path's parameters. */
export function endpointsOf({ tag, scopes, id }: Area) {
  const schemas: Record<Name, z.ZodType> = {
    id: idParam(id),
    p1Id: p1IdParam,
  };
  const by =
    <M extends Method>(method: M) =>
    <const Path extends string, Q = undefined, B = undefined>(
      path: Path,
      definition: Definition<ParamsOf<Path>, Q, B> &
        (M extends 'get' ? { again?: undefined } : Repeatable<ParamsOf<Path>, Q, B>),
    ): Endpoint => {
      const params = Object.fromEntries(
        Object.entries(schemas).filter(([name]) => path.split('/').includes(`:${name}`)),
      );
      const scope = SCOPES.find((each) => each === `${scopes}.${method === 'get' ? 'read' : 'write'}`);
      if (!scope) throw new Error(`There is no scope for ${method} ${path}`);
      const { errors = [] } = definition;
      // Not spread, because `answers` may be a getter. SAFETY: mount checks each part of the input with its schema.
      return Object.assign(definition, { method, path, params, scope, tag, errors }) as unknown as Endpoint;
    };
  return { get: by('get'), post: by('post'), put: by('put'), patch: by('patch'), delete: by('delete') };
}

/**
 * Returns the name of a path parameter in the OpenAPI document. It is made from the parameter's description: `Order
 * request id.` becomes `OrderRequestId`.
 */
function idName(description = 'Id.'): string {
  return description
    .slice(0, -1)
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** Whether a body may be left out. It may if its schema accepts `{}`, because then every member is optional. */
export function isBodyOptional(body: z.ZodType): boolean {
  return body.safeParse({}).success;
}

/** Adds an endpoint to the routes of the organization API. */
export function mount(routes: Hono<HttpEnv>, endpoint: Endpoint): void {
  const { method, path, scope, params, query, body, isBulk, handle, again } = endpoint;
  // Made at the first request, because making all of them at start would take long.
  const strictQuery = once(() => (query ?? z.object()).strict());
  const pathParams = once(() => z.object(params));
  const bodyLimits = once(() => ({
    bytesMax: isBulk ? BODY_BYTES_MAX.bulk : BODY_BYTES_MAX.organizationApi,
    structureMax: isBulk ? STRUCTURE_MAX.bulk : STRUCTURE_MAX.elsewhere,
    mayBeEmpty: body !== undefined && isBodyOptional(body),
  }));
  routes.on(method.toUpperCase(), path, async (c) => {
    const ctx = c.get('ctx');
    // Use cases check the scope too. Here it is checked before the body is read, as documented.
    requireScope(ctx, scope);
    const key = again ? idempotencyKeyOf(c.req.raw) : null;
    const checked = {
      params: parseInput(pathParams(), c.req.param()),
      // An unknown parameter may be a filter on which the caller relies: if it were ignored, the response would contain
      // everything.
      query: parseInput(strictQuery(), queryOf(c)),
    };
    const sent = body && (await readJson(ctx, c.req.raw, { ...bodyLimits(), isDigested: key !== null }));
    try {
      // An omitted optional body counts as an empty object.
      const { value = {}, digest = '' } = sent ?? {};
      const ifMatch = c.req.header('If-Match');
      const input = { ...checked, ifMatch, body: body && parseInput(body, value) };
      const answer = again
        ? await answerOnce<Answer>(
            ctx,
            { key, method, url: urlOf(c.req.raw), digest, about: aboutOf(c.req.param()) },
            // SAFETY: a command's answer is an object.
            {
              first: (keyed) => handle(keyed, input) as Promise<Answer>,
              again: (at, about) => again(at, { ...input, about }),
            },
          )
        : await handle(ctx, input);
      const etag = answer.headers?.ETag;
      if (method === 'get' && etag !== undefined && isKnown(c.req.header('If-None-Match'), etag)) {
        return c.body(null, 304, { 'Cache-Control': 'no-store', ETag: etag });
      }
      const headers = { 'Cache-Control': 'no-store', 'Content-Type': 'application/json', ...answer.headers };
      const sentBody = typeof answer.body === 'function' ? await answer.body() : jsonIn(answer.body);
      return c.body(sentBody, answer.status ?? 200, headers);
    } finally {
      sent?.release();
    }
  });
}

function jsonIn(body: JsonBody): string | ReadableStream<Uint8Array> {
  if (typeof body === 'string') return body;
  if (!(Symbol.asyncIterator in body)) return JSON.stringify(body);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await body.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => void body.return(undefined),
  });
}

/** Returns the id in a path; null if it has none. */
function aboutOf({ id, p1Id }: { [N in Name]?: string }): string | null {
  return id ?? p1Id ?? null;
}

/** The errors of submitting an order request. They are the same for the connector and the organization API. */
export const SUBMISSION_ERRORS: readonly ErrorCode[] = [
  'customer_required',
  'items_required',
  'item_identity_required',
  'unknown_shipping_option',
  'invalid_prescription_pdf',
  'prescription_too_large',
  'invalid_prescription_url',
  'erezept_token_refused',
  'payload_too_large',
  'shop_mismatch',
  'shop_inactive',
  'external_reference_conflict',
];
