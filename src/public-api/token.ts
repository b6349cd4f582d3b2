import { createMiddleware } from 'hono/factory';
import * as z from 'zod';
import { presentedKey } from '../auth/keys/format';
import { authenticateToken, exchangeKey } from '../auth/keys/tokens';
import { AppError } from '../platform/errors/errors';
import { readBody } from '../platform/http/body';
import { answerError, type HttpContext, type HttpEnv, readJson } from '../platform/http/http';
import { assertWithinLimit, callerAddress, countFailure, policyOf } from '../platform/http/rate-limit';
import { parseInput } from '../platform/http/validation';
import { storedId } from '../platform/ids';
import { BODY_BYTES_MAX } from '../platform/limits';
import { isTestAnywhere, isTestOrganization } from '../tenants/shops';

const scope = z.string().max(500).optional().describe('Scopes to limit the token to, separated by spaces.');

export const tokenBodySchema = z
  .strictObject({ scope })
  .meta({ id: 'TokenRequest', description: 'What the token is for; without it, the token has all scopes of the key.' });

/**
 * The schema of an empty query. Keys are not accepted in the URL, because it would be logged. They belong in a header
 * or in the form.
 */
const noQuerySchema = z.strictObject({});

interface TokenRequest {
  presented: string | null;
  scope?: string;
}

/**
 * `POST …/auth/token` exchanges an API key for an access token. The key is in a header, or in a form as OAuth 2.0
 * client credentials (RFC 6749 §4.4). Errors of a request with a form have the format of RFC 6749 §5.2. If the path
 * names no organization, the key's organization is used, because OAuth clients cannot fill in a part of a token URL.
 */
export async function answerToken(c: HttpContext): Promise<Response> {
  const isForm = c.req.header('Content-Type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false;
  try {
    const { ctx } = c.var;
    parseInput(noQuerySchema, c.req.query());
    const { presented, scope } = isForm ? await readForm(c) : await readHeaders(c);
    const address = callerAddress(c.req.raw);
    const orgId = storedId(c.req.param('orgId') ?? '') || null;
    const token = await exchangeKey(ctx, { orgId, presented, address, scope });
    const answer = {
      access_token: token.accessToken,
      token_type: 'Bearer',
      expires_in: token.expiresIn,
      scope: token.scopes.join(' '),
    };
    return c.json(answer, 200, { 'Cache-Control': 'no-store', Pragma: 'no-cache', ...policyOf(ctx, 'token') });
  } catch (error) {
    return isForm ? answerOAuthError(error, c) : answerError(error, c);
  }
}

async function readHeaders(c: HttpContext): Promise<TokenRequest> {
  const presented = presentedKey(c.req.raw);
  const { value, release } = await readJson(c.var.ctx, c.req.raw, { bytesMax: BODY_BYTES_MAX.token, mayBeEmpty: true });
  try {
    const { scope } = value === undefined ? {} : parseInput(tokenBodySchema, value);
    return { presented, scope };
  } finally {
    release();
  }
}

async function readForm(c: HttpContext): Promise<TokenRequest> {
  const body = await readBody(c.var.ctx, c.req.raw, BODY_BYTES_MAX.token);
  body.release();
  const form = new URLSearchParams(new TextDecoder().decode(body.bytes));
  if (form.get('grant_type') !== 'client_credentials') {
    throw new AppError('unsupported_grant_type', 'Send grant_type=client_credentials.');
  }
  return { presented: form.get('client_secret') ?? basicPassword(c), scope: form.get('scope') ?? undefined };
}

/**
 * Returns the API key from the password of HTTP Basic, or null. RFC 6749 §2.3.1 requires every server to support Basic.
 */
function basicPassword(c: HttpContext): string | null {
  const credentials = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  if (!credentials) return null;
  try {
    const text = atob(credentials);
    return decodeURIComponent(text.slice(text.indexOf(':') + 1));
  } catch {
    return null;
  }
}

/** The error codes of this service that RFC 6749 §5.2 defines too. */
const OAUTH_ERRORS = ['invalid_client', 'invalid_scope', 'unsupported_grant_type'];

/** Responds with an error in the OAuth format. */
async function answerOAuthError(error: unknown, c: HttpContext): Promise<Response> {
  const problem = answerError(error, c);
  const { code, detail, request_id } = await problem.json<{ code: string; detail: string; request_id: string }>();
  const headers = new Headers(problem.headers);
  headers.set('Content-Type', 'application/json');
  headers.delete('Content-Length');
  const otherwise = problem.status < 500 ? 'invalid_request' : 'server_error';
  const body = {
    error: OAUTH_ERRORS.includes(code) ? code : otherwise,
    error_description: detail,
    code,
    request_id,
  };
  return new Response(JSON.stringify(body), { status: problem.status, headers });
}

/**
 * Requires `Authorization: Bearer <access token>` for all paths below `/orgs/:orgId`, before any data is read. A token
 * of another organization gets the same response whether or not the organization of the path exists. A test token is
 * invalid for live organizations, and a live token for test organizations.
 */
export const authenticate = createMiddleware<HttpEnv>(async (c, next) => {
  const globalCtx = c.var.ctx;
  const token = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  const authenticated = token ? await authenticateToken(globalCtx, token) : null;
  if (!authenticated) {
    // Only failures count by address, so a valid token is never refused because of other callers. Detecting a wrong
    // signature needs no database read.
    await countFailure(globalCtx, 'auth', { address: callerAddress(c.req.raw) });
    throw unauthenticated(token ? 'invalid_token' : 'missing_token');
  }
  const orgId = storedId(c.req.param('orgId') ?? '');
  const { ctx, actor } = authenticated;
  const policy = policyOf(ctx, 'api');
  await assertWithinLimit(ctx.limits.api, actor.keyId, policy);
  c.header('RateLimit-Policy', policy['RateLimit-Policy']);
  if (actor.orgId !== orgId) {
    const [ofToken, ofPath] = await Promise.all([
      isTestOrganization(ctx, actor.orgId),
      isTestAnywhere(globalCtx, orgId),
    ]);
    if (ofToken !== ofPath) throw unauthenticated('invalid_token', OTHER_KIND);
    throw new AppError('org_mismatch', 'This token belongs to another organization.');
  }
  c.set('ctx', ctx);
  await next();
});

const DETAILS = {
  missing_token: 'Send an access token: Authorization: Bearer <token>. Get one with your API key: POST …/auth/token.',
  invalid_token: 'The access token is not valid or has expired. Get a new one: POST …/auth/token.',
};

const OTHER_KIND = 'Tokens of a test organization are valid there alone, and live ones in live organizations.';

function unauthenticated(code: keyof typeof DETAILS, detail = DETAILS[code]): AppError {
  return new AppError(code, detail, { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
}
