import type { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import * as z from 'zod';
import { requireScope, type Scope } from '../platform/access';
import type { Context } from '../platform/context';
import type { ProblemCode } from '../platform/error-codes';
import { type HttpEnv, queryOf, readJson } from '../platform/http/http';
import { parseInput } from '../platform/http/validation';
import { BODY_BYTES_MAX } from '../platform/limits';
import { once } from '../platform/once';
import type { HeaderName } from './headers';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface Input<P, Q, B> {
  params: P;
  query: Q;
  body: B;
}

/**
 * One route of the organization API: its input, its response and its errors. Routing, validation and the OpenAPI
 * document are all made from it, so they cannot contradict each other.
 */
export interface Endpoint<P = unknown, Q = unknown, B = unknown> {
  id: string;
  method: Method;
  /** Path below `/orgs/:orgId`, with `:name` for parameters. */
  path: string;
  scope: Scope;
  tag: string;
  summary: string;
  description?: string;
  params?: z.ZodType<P>;
  /** Parameters that are not in this schema are refused; without a schema, all of them. */
  query?: z.ZodObject & z.ZodType<Q>;
  body?: z.ZodType<B>;
  /** The schema shown in the document if `body` checks only a part. */
  documentedBody?: z.ZodType;
  answers: Partial<Record<200 | 201 | 202, { description: string; schema: z.ZodType; headers?: HeaderName[] }>>;
  /** In addition to the errors that every endpoint has. */
  errors: ProblemCode[];
  handle: (
    ctx: Context,
    input: Input<P, Q, B>,
  ) => Promise<{ status?: ContentfulStatusCode; headers?: Record<string, string>; body: object }>;
}

/** Infers the types of the handler from the schemas. */
export function endpoint<P = undefined, Q = undefined, B = undefined>(definition: Endpoint<P, Q, B>): Endpoint {
  // SAFETY: mount checks each part with the endpoint's own schema before it calls the handler.
  return definition as unknown as Endpoint;
}

/** Whether a body may be omitted: every member is optional. */
export function isBodyOptional(body: z.ZodType): boolean {
  return body.safeParse({}).success;
}

/** Adds an endpoint to the routes of the organization API. */
export function mount(routes: Hono<HttpEnv>, { method, path, scope, params, query, body, handle }: Endpoint): void {
  // With the first request: what takes a moment for one route takes long for all of them at start.
  const strictQuery = once(() => (query ?? z.object()).strict());
  const bodyLimits = once(() => ({
    bytesMax: BODY_BYTES_MAX.organizationApi,
    mayBeEmpty: body !== undefined && isBodyOptional(body),
  }));
  routes.on(method.toUpperCase(), path, async (c) => {
    const ctx = c.get('ctx');
    // Use cases check the scope too. Here it is checked before the body is read, and as the document says.
    requireScope(ctx, scope);
    const checked = {
      params: params && parseInput(params, c.req.param()),
      // An unknown parameter may be a filter on which the caller relies: if it were ignored, the response would contain
      // everything.
      query: parseInput(strictQuery(), queryOf(c)),
    };
    const sent = body && (await readJson(ctx, c.req.raw, bodyLimits()));
    try {
      // A body that may be left out counts as an empty object.
      const { value = {} } = sent ?? {};
      const answer = await handle(ctx, { ...checked, body: body && parseInput(body, value) });
      return c.json(answer.body, answer.status ?? 200, { 'Cache-Control': 'no-store', ...answer.headers });
    } finally {
      sent?.release();
    }
  });
}
