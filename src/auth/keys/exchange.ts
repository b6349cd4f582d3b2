import { inOrganization } from '../../directory/service';
import type { Scope } from '../../platform/access';
import { type Actor, actingAs, type Context } from '../../platform/context';
import { AppError, organizationSuspended } from '../../platform/errors';
import { assertWithinLimit, policyOf } from '../../platform/http/rate-limit';
import { assertMayTry, countFailedKey } from './failed';
import { idOfKey } from './format';
import { isActiveKey } from './rules';
import { keyState } from './state';
import { type ApiKeyRow, selectApiKey } from './store';
import { signToken, TOKEN_SECONDS, verifyToken } from './tokens';
import { actorOfKey, isUsableKey, noteKeyUse } from './use';

export interface ExchangeInput {
  orgId: string;
  /** The API key as sent, or null when none was sent. */
  presented: string | null;
  /** The address of the caller (`callerAddress`), by which failures are counted. */
  address: string;
  /** Space-separated scopes to which the token is limited (RFC 6749 §3.3). */
  scope?: string;
}

export interface AccessToken {
  accessToken: string;
  expiresIn: number;
  scopes: Scope[];
}

/**
 * Exchanges an API key for an access token (contract 2.1). The limit of a key counts only after the key was verified:
 * requests with a wrong key that contains its id must not use up its limit.
 * @throws AppError `invalid_client` for a key that is missing, wrong, no longer valid or of another organization;
 *   `invalid_scope` when a scope is requested that the key does not have; `organization_suspended`; `rate_limited`
 */
export async function exchangeKey(globalCtx: Context, input: ExchangeInput): Promise<AccessToken> {
  // Where there is no such organization, no database has a key of it: any will do.
  const ctx = (await inOrganization(globalCtx, input.orgId)) ?? globalCtx;
  const { row, presented } = await usableKey(ctx, input);
  await assertWithinLimit(ctx.limits.token, row.id, policyOf(ctx, 'token'));
  const scopes = narrowedScopes(row.scopes, input.scope);
  const { keyUse } = await noteKeyUse(ctx, row, presented);
  if (keyUse) ctx.defer(ctx.db.run({ keyUse }).catch(() => undefined));
  const accessToken = await signToken(ctx.config, { keyId: row.id, orgId: row.orgId, scopes }, ctx.now());
  return { accessToken, expiresIn: TOKEN_SECONDS, scopes };
}

/** @throws AppError `invalid_client`, `rate_limited` */
async function usableKey(
  ctx: Context,
  { orgId, presented, address }: ExchangeInput,
): Promise<{ row: ApiKeyRow; presented: string }> {
  const keyId = presented === null ? null : idOfKey(presented);
  if (presented === null || keyId === null) {
    await countFailedKey(ctx, address, null);
    throw invalidClient();
  }
  await assertMayTry(ctx, address, presented);
  const [row] = await ctx.db.rows(selectApiKey({ id: keyId }));
  const isUsable = await isUsableKey(ctx, presented, row);
  if (row && isUsable && row.orgId === orgId) {
    assertNotSuspended(row);
    return { row, presented };
  }
  await countFailedKey(ctx, address, isUsable ? null : presented);
  throw invalidClient();
}

function narrowedScopes(granted: readonly Scope[], asked: string | undefined): Scope[] {
  const wanted = asked?.split(' ').filter(Boolean) ?? [];
  if (wanted.length === 0) return [...granted];
  if (wanted.some((scope) => !granted.includes(scope as Scope))) {
    throw new AppError('invalid_scope', `This key has the scopes: ${granted.join(' ')}.`);
  }
  return granted.filter((scope) => wanted.includes(scope));
}

function assertNotSuspended({ isSuspended }: ApiKeyRow): void {
  if (isSuspended === 1) throw organizationSuspended();
}

function invalidClient(): AppError {
  return new AppError('invalid_client', 'Send a valid API key of this organization.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/**
 * The context of an access token's organization, acting for its key with those scopes of the token that the key still has.
 * @returns null for a token that this service did not sign, that has expired, or whose key was revoked; a revocation
 *   takes effect within 30 s
 * @throws AppError `organization_suspended`, within 30 s
 */
export async function authenticateToken(
  globalCtx: Context,
  token: string,
): Promise<{ ctx: Context; actor: Extract<Actor, { kind: 'api_key' }> } | null> {
  const claims = await verifyToken(globalCtx.config, token, globalCtx.now());
  const ctx = claims && (await inOrganization(globalCtx, claims.orgId));
  if (!ctx) return null;
  const row = await keyState(ctx, claims.keyId);
  if (!row || !isActiveKey(row, ctx.now()) || row.orgId !== claims.orgId) return null;
  assertNotSuspended(row);
  const actor = { ...actorOfKey(row), scopes: claims.scopes.filter((scope) => row.scopes.includes(scope)) };
  return { ctx: actingAs(ctx, actor), actor };
}
