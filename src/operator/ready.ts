import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { countOldKeys } from '../auth/keys/use';
import { countOldSecondFactors, countOldStaffHashes } from '../auth/staff/account';
import { countEmailEntries } from '../directory/emails';
import { inOrganization } from '../directory/route';
import { type Health, readHealth } from '../health/watch';
import { areFingerprintsRewritten } from '../order-requests/intake/fingerprints';
import { countOldPaymentLinks } from '../orders/payments/links';
import { forbidden } from '../platform/access';
import { actingAs, type Context, onEachDatabase } from '../platform/context';
import { isSameSecret, oldKeyIds } from '../platform/crypto';
import { AppError, notFound } from '../platform/errors';
import type { HttpEnv } from '../platform/http/http';
import { callerAddress, countFailure } from '../platform/http/rate-limit';
import { oldPepperIds, pepperIds } from '../platform/mac';
import type { OperatorScope, OperatorToken } from '../platform/secret-values';
import { DATABASE_BYTES_MAX, DATABASE_BYTES_WARNING } from '../tenants/limits';

/**
 * For each old pepper, the number of rows in all databases that would become invalid or unfindable without it. With one
 * pepper in the ring, reads nothing.
 */
function oldPeppers(ctx: Context) {
  return Promise.all(oldPepperIds(ctx).map(async (id) => ({ id, left: await leftUnder(ctx, id) })));
}

async function leftUnder(ctx: Context, pepperId: string) {
  const each = await Promise.all(onEachDatabase(ctx).map((at) => leftIn(at, pepperId)));
  const sum = (of: (left: (typeof each)[number]) => number) => each.reduce((total, left) => total + of(left), 0);
  return {
    api_keys: sum(({ keys }) => keys),
    sessions: sum(({ staff }) => staff.sessions),
    invitations: sum(({ staff }) => staff.invitations),
    reset_links: sum(({ staff }) => staff.resets),
    payment_links: sum(({ links }) => links),
    email_entries: await countEmailEntries(ctx, pepperId),
    // Requests are checked one by one: null until all have been checked.
    order_requests: each.every(({ areRequestsDone }) => areRequestsDone) ? 0 : null,
  };
}

async function leftIn(ctx: Context, pepperId: string) {
  const [keys, staff, links, areRequestsDone] = await Promise.all([
    countOldKeys(ctx, pepperId),
    countOldStaffHashes(ctx, pepperId),
    countOldPaymentLinks(ctx, pepperId),
    areFingerprintsRewritten(ctx),
  ]);
  return { keys, staff, links, areRequestsDone };
}

/** For each old secret in AUTH_SECRETS, the number of second factors that cannot be decrypted without it. */
function oldAuthSecrets(ctx: Context) {
  return Promise.all(
    oldKeyIds(ctx.config.authSecrets).map(async (id) => {
      const each = await Promise.all(onEachDatabase(ctx).map((at) => countOldSecondFactors(at, id)));
      return { id, left: { second_factors: each.reduce((total, left) => total + left, 0) } };
    }),
  );
}

/**
 * Requires `Authorization: Bearer <token>` with one of OPERATOR_TOKENS that has one of the scopes.
 * @param scopesFor returns the scopes for a request; any one is enough
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

/** The matching operator token. Compares all tokens so that the time does not reveal which one is similar. */
async function holderOf(ctx: Context, presented: string): Promise<OperatorToken | undefined> {
  const { operatorTokens } = ctx.config;
  const isSame = await Promise.all(operatorTokens.map(({ token }) => isSameSecret(presented, token)));
  return operatorTokens[isSame.indexOf(true)];
}

/** Switches the context to the database of the organization in the path. */
export const settleInOrganization = createMiddleware<HttpEnv>(async (c, next) => {
  const ctx = await inOrganization(c.var.ctx, c.req.param('orgId') ?? '');
  if (!ctx) throw notFound('organization_not_found', 'There is no such organization.');
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
    const peppers = { current: pepperIds(ctx)[0], old: answersAll ? await oldPeppers(ctx) : null };
    const authSecrets = {
      current: ctx.config.authSecrets.currentId,
      old: answersAll ? await oldAuthSecrets(ctx) : null,
    };
    c.header('Cache-Control', 'no-store');
    c.header('X-Version', ctx.config.version);
    const report = { status, checks, databases: databases.map(databaseOf), peppers, auth_secrets: authSecrets };
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
