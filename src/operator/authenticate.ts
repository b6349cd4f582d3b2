import { createMiddleware } from 'hono/factory';
import { inOrganization } from '../directory/service';
import { actingAs } from '../platform/context';
import { isSameSecret } from '../platform/crypto';
import { AppError, notFound } from '../platform/errors';
import type { HttpEnv } from '../platform/http/http';
import { callerAddress, countFailure } from '../platform/http/rate-limit';

/** `Authorization: Bearer <operator token>`, a secret of the deployment. */
export const authenticateOperator = createMiddleware<HttpEnv>(async (c, next) => {
  const { ctx } = c.var;
  const token = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  if (!token || !(await isSameSecret(token, ctx.config.operatorToken))) {
    await countFailure(ctx, 'auth', { address: callerAddress(c.req.raw) });
    throw new AppError('invalid_token', 'Send the operator token: Authorization: Bearer <token>.', {
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    });
  }
  c.set('ctx', actingAs(ctx, { kind: 'operator' }));
  await next();
});

/** For what the operator does in one organization: the database where it lives. */
export const settleInOrganization = createMiddleware<HttpEnv>(async (c, next) => {
  const ctx = await inOrganization(c.var.ctx, c.req.param('orgId') ?? '');
  if (!ctx) throw notFound('organization_not_found', 'There is no such organization.');
  c.set('ctx', ctx);
  await next();
});
