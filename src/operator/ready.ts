import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { inOrganization } from '../directory/route';
import { leftUnderRoots } from '../health/roots';
import { type Health, readHealth } from '../health/watch';
import { forbidden } from '../platform/access';
import { actingAs, type Context } from '../platform/context';
import { isSameSecret } from '../platform/crypto/crypto';
import type { OperatorScope, OperatorToken } from '../platform/crypto/secret-values';
import { AppError, notFound } from '../platform/errors/errors';
import type { HttpEnv } from '../platform/http/http';
import { callerAddress, countFailure } from '../platform/http/rate-limit';
import { DATABASE_BYTES_MAX, DATABASE_BYTES_WARNING } from '../tenants/limits';

/**
 * Requires `Authorization: Bearer <token>`. The token must be one of OPERATOR_TOKENS, and must have at least one of the
 * scopes that the request accepts.
 * @param scopesFor returns the scopes that a request accepts
 */
export const authenticateOperator = (
  scopesFor: (request: { method: string; path: string }) => readonly OperatorScope[],
) =>
  createMiddleware<HttpEnv>(async (c, next) => {
    const { ctx } = c.var;
    const presented = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
    const holder = presented && (await holderOf(ctx, presented));
    if (!holder) {
      await countFailure(ctx, 'auth', { address: callerAddress(c.req.raw) });
      throw new AppError('invalid_token', 'Send an operator token: Authorization: Bearer <token>.', {
        headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
      });
    }
    const wanted = scopesFor(c.req);
    if (!wanted.some((scope) => holder.scopes.includes(scope))) throw forbidden(wanted.join(' or '));
    c.set('ctx', actingAs(ctx, { kind: 'operator', name: holder.name }));
    await next();
  });

/**
 * Returns the matching operator token. Compares all tokens, so that the time does not reveal which token is similar.
 */
async function holderOf(ctx: Context, presented: string): Promise<OperatorToken | undefined> {
  const { operatorTokens } = ctx.config;
  const isSame = await Promise.all(operatorTokens.map(({ token }) => isSameSecret(presented, token)));
  return operatorTokens[isSame.indexOf(true)];
}

/** Switches the context to the database of the organization in the path. */
export const settleInOrganization = createMiddleware<HttpEnv>(async (c, next) => {
  const ctx = await inOrganization(c.var.ctx, c.req.param('orgId') ?? '');
  if (!ctx) throw notFound('organization_not_found');
  c.set('ctx', ctx);
  await next();
});

/** Health checks of the deployment, for monitoring. Responds 503 while one of them fails. */
export const readyRoutes = new Hono<HttpEnv>().get(
  '/readyz',
  authenticateOperator(() => ['ready']),
  async (c) => {
    const { ctx } = c.var;
    const { status, checks, databases } = await readHealth(ctx);
    const answersAll = databases.every(({ answer }) => answer?.figures);
    const roots = { current: ctx.config.roots.currentId, old: answersAll ? await leftUnderRoots(ctx) : null };
    c.header('Cache-Control', 'no-store');
    c.header('X-Version', ctx.config.version);
    const report = { status, checks, databases: databases.map(databaseOf), roots };
    return c.json(report, status === 'failing' ? 503 : 200);
  },
);

function databaseOf({ shard, durationMs, answer }: Health['databases'][number]) {
  const bytes = answer?.sizeBytes ?? null;
  return {
    shard,
    status: bytes === null ? 'unreachable' : bytes < DATABASE_BYTES_WARNING ? 'ok' : 'warning',
    size_bytes: bytes,
    size_limit_bytes: DATABASE_BYTES_MAX,
    used: bytes === null ? null : Math.round((bytes / DATABASE_BYTES_MAX) * 10_000) / 10_000,
    organizations: answer?.figures?.live ?? null,
    duration_ms: durationMs,
  };
}
