import { createMiddleware } from 'hono/factory';
import { inOrganization } from '../directory/service';
import { forbidden } from '../platform/access';
import { actingAs, type Context } from '../platform/context';
import { isSameSecret } from '../platform/crypto';
import { AppError, notFound } from '../platform/errors';
import type { HttpEnv } from '../platform/http/http';
import { callerAddress, countFailure } from '../platform/http/rate-limit';
import type { OperatorScope, OperatorToken } from '../platform/secret-values';

/**
 * `Authorization: Bearer <token>`, one of OPERATOR_TOKENS, with one of these scopes.
 * @param scopesFor of a request; any of them is enough
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

/** Whose token it is. Each is compared, so that the time says nothing about which one it resembles. */
async function holderOf(ctx: Context, presented: string): Promise<OperatorToken | undefined> {
  const { operatorTokens } = ctx.config;
  const isSame = await Promise.all(operatorTokens.map(({ token }) => isSameSecret(presented, token)));
  return operatorTokens[isSame.indexOf(true)];
}

/** For what the operator does in one organization: the database where it lives. */
export const settleInOrganization = createMiddleware<HttpEnv>(async (c, next) => {
  const ctx = await inOrganization(c.var.ctx, c.req.param('orgId') ?? '');
  if (!ctx) throw notFound('organization_not_found', 'There is no such organization.');
  c.set('ctx', ctx);
  await next();
});
