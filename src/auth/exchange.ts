import { recordAudit } from '../audit/record';
import { requireOwnerOrOperator, type Scope } from '../platform/access';
import type { Actor, Context } from '../platform/context';
import { isGuardFailure, mustChangeOne } from '../platform/db';
import { AppError, notFound } from '../platform/errors';
import { keyState } from './key-state';
import { actorOfKey, isUsableKey, noteKeyUse } from './key-use';
import { idOfKey } from './keys';
import { revokeApiKeyRow, selectApiKey } from './store';
import { signToken, TOKEN_SECONDS, verifyToken } from './tokens';

export interface ExchangeInput {
  orgId: string;
  /** The API key as sent, or null when none was. */
  presented: string | null;
  /** Space-delimited scopes to narrow the token to (RFC 6749 §3.3). */
  scope?: string;
}

export interface AccessToken {
  accessToken: string;
  expiresIn: number;
  scopes: Scope[];
}

/**
 * Exchanges an API key for an access token (SPEC, Authentication).
 * @throws AppError `invalid_client` for a key that is missing, wrong, no longer valid or another organization's;
 *   `invalid_scope` when asked for a scope that the key does not have
 */
export async function exchangeKey(ctx: Context, input: ExchangeInput): Promise<AccessToken> {
  const keyId = input.presented === null ? null : idOfKey(input.presented);
  if (input.presented === null || keyId === null) throw invalidClient();
  const { key } = await ctx.db.run({ key: selectApiKey(ctx.db, keyId) });
  const [row] = key;
  if (!row || !(await isUsableKey(ctx, input.presented, row)) || row.orgId !== input.orgId) throw invalidClient();
  const scopes = narrowedScopes(row.scopes, input.scope);
  const keyUse = noteKeyUse(ctx, row);
  if (keyUse) ctx.defer(ctx.db.run({ keyUse }).catch(() => undefined));
  const accessToken = await signToken(ctx.config, { keyId: row.id, orgId: row.orgId, scopes }, ctx.now());
  return { accessToken, expiresIn: TOKEN_SECONDS, scopes };
}

function narrowedScopes(granted: readonly Scope[], asked: string | undefined): Scope[] {
  const wanted = asked?.split(' ').filter(Boolean) ?? [];
  if (wanted.length === 0) return [...granted];
  if (wanted.some((scope) => !granted.includes(scope as Scope))) {
    throw new AppError('invalid', 'invalid_scope', `This key has the scopes: ${granted.join(' ')}.`);
  }
  return granted.filter((scope) => wanted.includes(scope));
}

function invalidClient(): AppError {
  return new AppError('unauthenticated', 'invalid_client', 'Send a valid API key of this organization.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/**
 * Who an access token speaks for: the token's scopes, as far as its key still has them.
 * @returns null for a token that is not ours, was changed, ran out, or whose key was revoked (30 s at the latest)
 */
export async function authenticateToken(
  ctx: Context,
  token: string,
): Promise<Extract<Actor, { kind: 'api_key' }> | null> {
  const claims = await verifyToken(ctx.config, token, ctx.now());
  if (!claims) return null;
  const row = await keyState(ctx, claims.keyId);
  const isAlive = row && row.revokedAt === null && (row.expiresAt === null || row.expiresAt > ctx.now());
  if (!isAlive || row.orgId !== claims.orgId) return null;
  return { ...actorOfKey(row), scopes: claims.scopes.filter((scope) => row.scopes.includes(scope)) };
}

/** Ends a key at once, and its tokens within 30 s. Safe to repeat. @throws AppError `api_key_not_found` */
export async function revokeApiKey(ctx: Context, input: { orgId: string; keyId: string }): Promise<void> {
  requireOwnerOrOperator(ctx, input.orgId);
  try {
    await ctx.db.run({
      key: revokeApiKeyRow(ctx.db, input.orgId, input.keyId, ctx.now()),
      guard: mustChangeOne(ctx.db),
      audit: recordAudit(ctx, { orgId: input.orgId, action: 'api_key.revoked', entityId: input.keyId }),
    });
  } catch (error) {
    if (isGuardFailure(error)) throw notFound('api_key_not_found', 'There is no such API key.');
    throw error;
  }
}
