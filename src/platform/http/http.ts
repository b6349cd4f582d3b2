import { zValidator } from '@hono/zod-validator';
import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';
import { conflict, isLostRace } from '../conflict';
import type { Context } from '../context';
import { sha256, toHex } from '../crypto/crypto';
import { ERROR_KINDS, type ErrorKind, type ProblemCode } from '../errors/error-codes';
import { AppError, invalidInput } from '../errors/errors';
import { onceFor } from '../isolate-cache';
import { ERRORS_MAX } from '../limits';
import { describeError } from '../log';
import { readBody } from './body';
import { parseJson } from './json';
import { parseInput, toFieldErrors } from './validation';

/** The values that Hono keeps for a request. `problemCode` is the code of a problem response, for the log. */
export interface HttpEnv {
  Bindings: Env;
  /** The middleware `jsonBody` sets the variable `jsonBody`. */
  Variables: { ctx: Context; jsonBody?: unknown; problemCode?: ProblemCode };
}

export type HttpContext = HonoContext<HttpEnv>;

/** The URL of a request. Do not change it. */
export const urlOf = onceFor((request: Request) => new URL(request.url));

const STATUS: Record<ErrorKind, ContentfulStatusCode> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  reused: 422,
  too_slow: 408,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  unavailable: 502,
  not_now: 503,
};

/**
 * Responds to every error of every route with one problem document (RFC 9457). An error that is not an AppError becomes
 * a 500 without details. The error's message is neither sent nor logged, because it may contain SQL, parameters or
 * health data.
 * @param membersOf returns further members of the document for an error
 */
export function answerError(
  error: unknown,
  c: HttpContext,
  membersOf: (error: AppError) => object = () => ({}),
): Response {
  const { requestId, config, log } = c.var.ctx;
  const known = knownError(error);
  if (!known) log('error', 'unexpected_error', describeError(error));
  const code = known?.code ?? 'internal_error';
  const status = statusOf(code);
  c.set('problemCode', code);
  const body = {
    // These members come first, so that they cannot replace standard members.
    ...(known && membersOf(known)),
    type: `${config.baseUrl}/docs/errors#${code}`,
    // `external_reference_conflict` → `External reference conflict`.
    title: code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' '),
    status,
    detail: known?.detail ?? 'Something went wrong on our side. Nothing of this request was stored.',
    // The path has no query string, which may contain a key.
    instance: urlOf(c.req.raw).pathname,
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

/** Returns the HTTP status of responses with this code. */
export function statusOf(code: ProblemCode): ContentfulStatusCode {
  return code === 'internal_error' ? 500 : STATUS[ERROR_KINDS[code]];
}

/** Returns the error that the caller may see; null for a fault of this service. */
function knownError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  // A lost race in a use case that does not retry; nothing was written.
  if (isLostRace(error)) return conflict();
  if (!(error instanceof HTTPException) || error.status >= 500) return null;
  return new AppError('invalid_request', 'The request could not be read.');
}

interface JsonLimits {
  bytesMax: number;
  /** The largest allowed number of structural characters (`platform/http/json.ts`). */
  structureMax?: number;
  /** Whether an empty body is allowed. It is then read as `undefined`. */
  mayBeEmpty?: boolean;
  /** Whether a digest of the bytes is returned. */
  isDigested?: boolean;
}

/**
 * Reads a body that must be JSON, and parses it once. Whether there is a body is known only from its bytes, because
 * proxies and clients announce an empty body in different ways.
 * @returns the value, the function that gives the body's memory back, and the SHA-256 of the bytes (hex) if it was
 *   asked for. The bytes themselves are dropped at once
 * @throws AppError as `readBody` and `parseJson`, and `unsupported_media_type` if there is a body that is not
 *   declared as JSON
 */
export async function readJson(
  ctx: Context,
  request: Request,
  { bytesMax, structureMax, mayBeEmpty = false, isDigested = false }: JsonLimits,
): Promise<{ value: unknown; release: () => void; digest: string }> {
  const { bytes, release } = await readBody(ctx, request, bytesMax);
  try {
    // A proxy joins two equal headers.
    const types = (request.headers.get('Content-Type') ?? '')
      .split(',')
      .map((each) => each.split(';')[0]?.trim().toLowerCase());
    if (types.some((type) => type !== 'application/json') && bytes.length > 0) {
      // The header tells which types PATCH accepts (RFC 5789 §3.1).
      const headers = request.method === 'PATCH' ? { 'Accept-Patch': 'application/json' } : undefined;
      throw new AppError('unsupported_media_type', 'Send the body as Content-Type: application/json.', { headers });
    }
    const digest = isDigested ? toHex(await sha256(bytes)) : '';
    const value = mayBeEmpty && bytes.length === 0 ? undefined : parseJson(bytes, structureMax);
    // Frees the bytes now instead of at the next garbage collection.
    bytes.buffer.transfer(0);
    return { value, release, digest };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Returns middleware that reads a JSON body up to a limit and sets `jsonBody`. It runs before the route's schema checks
 * the body.
 */
export function jsonBody(limitBytes: number): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { value, release } = await readJson(c.var.ctx, c.req.raw, { bytesMax: limitBytes });
    try {
      c.set('jsonBody', value);
      await next();
    } finally {
      release();
    }
  };
}

/** Returns the query parameters. A parameter that was sent several times has a list of values. */
export function queryOf(c: HttpContext): Record<string, string | string[]> {
  const entries = Object.entries(c.req.queries());
  return Object.fromEntries(entries.map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]));
}

/**
 * Returns middleware that checks one part of the request against a route's schema. One 400 names all faults. For a
 * body, the middleware `jsonBody` must run first, because Hono's own validator would parse the body a second time.
 */
export function valid<T extends z.ZodType, P extends 'json' | 'query'>(part: P, schema: T) {
  const validator = zValidator(part, schema, (result) => {
    if (!result.success) throw invalidInput(toFieldErrors(result.error.issues));
  });
  // SAFETY: both store the parsed value where `c.req.valid(part)` finds it.
  return part === 'json' ? (validJson(schema) as unknown as typeof validator) : validator;
}

function validJson(schema: z.ZodType): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    c.req.addValidatedData('json', parseInput(schema, c.var.jsonBody) as object);
    await next();
  };
}

/**
 * Responds with a tar archive as a download.
 * @param bytes the size of the archive, from which clients notice a download that was cut off
 * @param name the name of the file, without `.tar`
 */
export function answerArchive<E extends HttpEnv>(
  c: HonoContext<E>,
  { body, bytes }: { body: ReadableStream; bytes: number },
  name: string,
): Response {
  return c.body(body, 200, {
    'Cache-Control': 'no-store',
    'Content-Type': 'application/x-tar',
    'Content-Length': String(bytes),
    'Content-Disposition': `attachment; filename="${name}.tar"`,
  });
}

export type PageLanguage = 'de' | 'en';

/** Locales for dates and numbers. */
export const LOCALES: Record<PageLanguage, string> = { de: 'de-DE', en: 'en-US' };

/** The most characters of a header that are read. Browsers send far fewer. */
const HEADER_MAX = 1000;

/**
 * Whether the client prefers a page to JSON: `Accept` gives `text/html` a higher weight than JSON. A program gets JSON
 * if it sends no `Accept`, a wildcard, or its library's default.
 */
export function prefersPage(request: Request): boolean {
  const page = weightOf(request, ['text/html']);
  return page > 0 && page > weightOf(request, ['application/json', 'application/problem+json']);
}

/** Returns the greatest weight that `Accept` gives one of the types (RFC 9110 §12.5.1); 0 if it names none of them. */
function weightOf(request: Request, types: string[]): number {
  const accept = (request.headers.get('Accept') ?? '').slice(0, HEADER_MAX).toLowerCase();
  const weights = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (!types.includes(type)) return 0;
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    return Number.isNaN(q) ? 0 : q;
  });
  return Math.max(...weights);
}

/**
 * Returns the language of a public page. `?lang=de` or `?lang=en` decides. Without it, the page is in English if the
 * browser prefers English, else in German.
 */
export function pageLanguage(request: Request): PageLanguage {
  const chosen = urlOf(request).searchParams.get('lang');
  if (chosen === 'de' || chosen === 'en') return chosen;
  return /^\s*en\b/i.test(request.headers.get('Accept-Language') ?? '') ? 'en' : 'de';
}
