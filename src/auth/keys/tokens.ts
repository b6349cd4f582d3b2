import { errors, jwtVerify, SignJWT } from 'jose';
import { inOrganization } from '../../directory/route';
import type { Scope } from '../../platform/access';
import type { Config } from '../../platform/config';
import { type Actor, actingAs, type Context, onEachDatabase } from '../../platform/context';
import { derivedKey } from '../../platform/crypto/crypto';
import { AppError, organizationSuspended } from '../../platform/errors/errors';
import { assertWithinLimit, policyOf } from '../../platform/http/rate-limit';
import { newId } from '../../platform/ids';
import { IsolateCache, onceFor } from '../../platform/isolate-cache';
import { TOKEN_SECONDS } from '../limits';
import { idOfKey, isActiveKey } from './format';
import { type ApiKeyRow, selectApiKey } from './store';
import { actorOfKey, assertMayTry, countFailedKey, isUsableKey, keyState, noteKeyUse } from './use';

const ALGORITHM = 'HS256';
/** The purpose that HKDF gets when it derives the signing key from a root secret. */
const PURPOSE = 'access token';
const AUDIENCE_PATH = '/api/v2/public';

interface TokenClaims {
  keyId: string;
  orgId: string;
  scopes: Scope[];
}

/**
 * Makes an access token (JWT, RFC 7519, with the claims of RFC 9068). It is signed under the current root secret; `kid`
 * is the id of this secret.
 */
export async function signToken(config: Config, claims: TokenClaims, now: number): Promise<string> {
  const { currentId, current } = config.roots;
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ org_id: claims.orgId, scope: claims.scopes.join(' ') })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: currentId })
    .setIssuer(config.baseUrl)
    .setAudience(config.baseUrl + AUDIENCE_PATH)
    .setSubject(claims.keyId)
    .setJti(newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_SECONDS)
    .sign(await derivedKey(current, PURPOSE));
}

interface VerifiedToken {
  claims: TokenClaims;
  /** Seconds since the epoch. */
  expiresAt: number;
}

/** The most verified tokens that an isolate caches for each configuration. */
const VERIFIED_MAX = 1000;
const verifiedUnder = onceFor((_config: Config) => new IsolateCache<VerifiedToken>(VERIFIED_MAX));

/**
 * Returns the claims of a token; null if this service did not sign it or if it has expired. The result of verification
 * is cached for each configuration. Expiry is checked each time.
 */
async function verifyToken(config: Config, token: string, now: number): Promise<TokenClaims | null> {
  const found = await verifiedUnder(config).get(token, () => verify(config, token, now));
  return found && Math.floor(now / 1000) < found.expiresAt ? found.claims : null;
}

/**
 * Verifies a token; undefined if it is not valid. The algorithm is fixed and `kid` only selects among this service's
 * secrets, so nothing in the token can choose how it is verified (RFC 8725 §3.1).
 */
async function verify(config: Config, token: string, now: number): Promise<VerifiedToken | undefined> {
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const secret = config.roots.byId.get(kid ?? '');
        if (!secret) throw new errors.JWKSNoMatchingKey();
        return derivedKey(secret, PURPOSE);
      },
      {
        algorithms: [ALGORITHM],
        typ: 'at+jwt',
        issuer: config.baseUrl,
        audience: config.baseUrl + AUDIENCE_PATH,
        requiredClaims: ['sub', 'exp', 'org_id', 'scope'],
        currentDate: new Date(now),
      },
    );
    // SAFETY: the signature was verified, so these are the claims that signToken wrote.
    const { sub, org_id, scope, exp } = payload as { sub: string; org_id: string; scope: string; exp: number };
    return {
      claims: { keyId: sub, orgId: org_id, scopes: scope.split(' ').filter(Boolean) as Scope[] },
      expiresAt: exp,
    };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}

interface ExchangeInput {
  /** The organization that the path names; null if the path names none. */
  orgId: string | null;
  /** The API key as sent, or null when none was sent. */
  presented: string | null;
  /** The address of the caller (`callerAddress`), by which failures are counted. */
  address: string;
  /** Space-separated scopes to which the token is limited (RFC 6749 §3.3). */
  scope?: string;
}

interface AccessToken {
  accessToken: string;
  expiresIn: number;
  scopes: Scope[];
}

/**
 * Exchanges an API key for an access token (contract 2.1). A request counts against the limit of a key only after the
 * key was verified. Otherwise, requests with a wrong key that contains the same id could use up the limit.
 * @throws AppError `invalid_client` for a key that is missing, wrong, no longer valid or of another organization;
 *   `invalid_scope` when a scope is requested that the key does not have; `organization_suspended`; `rate_limited`
 */
export async function exchangeKey(globalCtx: Context, input: ExchangeInput): Promise<AccessToken> {
  const { ctx, row, presented } = await usableKey(globalCtx, input);
  await assertWithinLimit(ctx.limits.token, row.id, policyOf(ctx, 'token'));
  const scopes = narrowedScopes(row.scopes, input.scope);
  const { keyUse } = await noteKeyUse(ctx, row, presented);
  if (keyUse) ctx.defer(ctx.db.run({ keyUse }).catch(() => undefined));
  const accessToken = await signToken(ctx.config, { keyId: row.id, orgId: row.orgId, scopes }, ctx.now());
  return { accessToken, expiresIn: TOKEN_SECONDS, scopes };
}

/**
 * Returns the key of a request for a token, if it may be used, and the context of its organization. Counts a failure.
 * @throws AppError `invalid_client`, `rate_limited`
 */
async function usableKey(
  globalCtx: Context,
  { orgId, presented, address }: ExchangeInput,
): Promise<{ ctx: Context; row: ApiKeyRow; presented: string }> {
  const keyId = presented === null ? null : idOfKey(presented);
  if (presented === null || keyId === null) {
    await countFailedKey(globalCtx, address, null);
    throw invalidClient();
  }
  await assertMayTry(globalCtx, address, presented);
  const home = orgId ?? (await organizationOf(globalCtx, keyId));
  // If there is no such organization, no database has a key of it, so any database will do.
  const ctx = (home && (await inOrganization(globalCtx, home))) || globalCtx;
  const [row] = await ctx.db.rows(selectApiKey({ id: keyId }));
  const isUsable = await isUsableKey(ctx, presented, row);
  if (row && isUsable && row.orgId === home) {
    assertNotSuspended(row);
    return { ctx, row, presented };
  }
  await countFailedKey(ctx, address, isUsable ? null : presented);
  throw invalidClient();
}

/** Searches every database for a key. Returns the organization that the key belongs to; null for an unknown key. */
async function organizationOf(ctx: Context, keyId: string): Promise<string | null> {
  const found = await Promise.all(onEachDatabase(ctx).map(({ db }) => db.rows(selectApiKey({ id: keyId }))));
  return found.flat()[0]?.orgId ?? null;
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
 * Returns the context of an access token's organization, and the actor: the token's key, with the scopes that the token
 * and the key have in common.
 * @returns null for a token that this service did not sign, that has expired, or whose key was revoked. A revocation
 *   takes effect within 30 s
 * @throws AppError `organization_suspended`, within 30 s after the suspension
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
