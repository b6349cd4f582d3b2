import { zValidator } from '@hono/zod-validator';
import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';
import { type Body, readBody } from './body';
import type { Context } from './context';
import { AppError, type ErrorKind, invalidInput } from './errors';
import { ERRORS_MAX, parseJson } from './json';
import { describeError } from './log';
import { toFieldErrors } from './validation';

/** What travels with a request through Hono. */
export interface HttpEnv {
  Bindings: Env;
  Variables: { ctx: Context };
}

export type HttpContext = HonoContext<HttpEnv>;

const STATUS: Record<ErrorKind, ContentfulStatusCode> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  unavailable: 502,
};

/**
 * Every error of every route as one problem document (RFC 9457). What is not an AppError becomes an opaque 500: its
 * message may hold SQL, parameters or health data, so neither the answer nor the log gets it.
 */
export function answerError(error: unknown, c: HttpContext): Response {
  const { requestId, config, log } = c.var.ctx;
  const known = error instanceof AppError ? error : fromHttpException(error);
  if (!known) log('error', 'unexpected_error', describeError(error));
  const code = known?.code ?? 'internal_error';
  const status = known ? STATUS[known.kind] : 500;
  const body = {
    // First: an extension must not stand in for a member that every problem has.
    ...known?.details.extensions,
    type: `${config.baseUrl}/docs/errors#${code}`,
    title: titleOf(code),
    status,
    detail: known?.detail ?? 'Something went wrong on our side. Nothing of this request was stored.',
    // Without the query: a key may stand there.
    instance: new URL(c.req.url).pathname,
    code,
    request_id: requestId,
    ...(known?.details.errors && { errors: known.details.errors.slice(0, ERRORS_MAX) }),
  };
  return c.json(body, status, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    ...known?.details.headers,
  });
}

function fromHttpException(error: unknown): AppError | null {
  if (!(error instanceof HTTPException) || error.status >= 500) return null;
  return new AppError('invalid', 'invalid_request', 'The request could not be read.');
}

/** `external_reference_conflict` → `External reference conflict`. */
function titleOf(code: string): string {
  return code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');
}

/**
 * Reads a body that must be JSON. Whether one is there shows in its bytes alone: proxies and clients announce an empty
 * one in different ways.
 * @throws AppError as `readBody`, and `unsupported_media_type` when a body is there and is not declared as JSON
 */
export async function readJsonBody(request: Request, limitBytes: number): Promise<Body> {
  const body = await readBody(request, limitBytes);
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json' || body.bytes.length === 0) return body;
  body.release();
  throw new AppError(
    'unsupported_media_type',
    'unsupported_media_type',
    'Send the body as Content-Type: application/json.',
  );
}

/**
 * Bounds and checks a JSON body before the route's schema sees it.
 * @param options.mayBeAbsent an empty body then stands for `{}`
 */
export function jsonBody(limitBytes: number, options = { mayBeAbsent: false }): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const body = await readJsonBody(c.req.raw, limitBytes);
    try {
      if (body.bytes.length === 0 && options.mayBeAbsent) {
        // SAFETY: as below.
        c.req.bodyCache.text = Promise.resolve('{}') as unknown as string;
        return await next();
      }
      parseJson(body.bytes);
      // SAFETY: Hono awaits what stands in its cache; its type names the value that comes out.
      c.req.bodyCache.text = Promise.resolve(new TextDecoder().decode(body.bytes)) as unknown as string;
      await next();
    } finally {
      body.release();
    }
  };
}

/** A route's schema for one part of the request; faults leave as one 400 that names them all. */
export function valid<T extends z.ZodType, P extends 'json' | 'query' | 'param'>(part: P, schema: T) {
  return zValidator(part, schema, (result) => {
    if (!result.success) throw invalidInput(toFieldErrors(result.error.issues));
  });
}
