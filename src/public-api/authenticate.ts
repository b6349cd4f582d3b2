import { createMiddleware } from 'hono/factory';
import { authenticateToken } from '../auth/keys/service';
import { AppError } from '../platform/errors';
import type { HttpEnv } from '../platform/http/http';
import { assertWithinLimit, callerAddress, countFailure, policyOf } from '../platform/http/rate-limit';
import { storedId } from '../platform/ids';
import { isTestAnywhere, isTestOrganization } from '../tenants/service';

/**
 * Requires `Authorization: Bearer <access token>` for everything below `/orgs/:orgId`, before anything is read. A token
 * of another organization gets the same response whether or not the organization in the path exists. Between test and live
 * organizations it is not valid at all.
 */
export const authenticate = createMiddleware<HttpEnv>(async (c, next) => {
  const globalCtx = c.var.ctx;
  const token = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  const authenticated = token ? await authenticateToken(globalCtx, token) : null;
  if (!authenticated) {
    // Only failures count by address, so a valid token is never refused because of other callers. A wrong signature is
    // found without a database read.
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
