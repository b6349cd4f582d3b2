import { errors, jwtVerify, SignJWT } from 'jose';
import type { Scope } from '../../platform/access';
import type { Config } from '../../platform/config';
import { importHmacKey } from '../../platform/crypto';
import { newId } from '../../platform/ids';
import { IsolateCache } from '../../platform/isolate-cache';
import { onceFor } from '../../platform/once';

/** Lifetime of an access token. It ends sooner when its key is revoked. */
export const TOKEN_SECONDS = 3600;
const ALGORITHM = 'HS256';
const AUDIENCE_PATH = '/api/v2/public';

export interface TokenClaims {
  keyId: string;
  orgId: string;
  scopes: Scope[];
}

/**
 * An access token (JWT, RFC 7519, with the claims of RFC 9068 where that defines them). The first secret signs; `kid`
 * is its id.
 */
export async function signToken(config: Config, claims: TokenClaims, now: number): Promise<string> {
  const { currentId, current } = config.tokenSecrets;
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ org_id: claims.orgId, scope: claims.scopes.join(' ') })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: currentId })
    .setIssuer(config.baseUrl)
    .setAudience(config.baseUrl + AUDIENCE_PATH)
    .setSubject(claims.keyId)
    .setJti(newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_SECONDS)
    .sign(await importHmacKey(current));
}

interface VerifiedToken {
  claims: TokenClaims;
  /** Seconds since the epoch. */
  expiresAt: number;
}

/** Tokens that an isolate remembers for each configuration. */
const VERIFIED_MAX = 1000;
const verifiedUnder = onceFor((_config: Config) => new IsolateCache<VerifiedToken>(VERIFIED_MAX));

/**
 * The claims of a token, or null unless this service signed it and it has not expired. A token that was verified stays so for
 * as long as the configuration has the secret, so an isolate does it once for each; whether it has expired is asked each time.
 */
export async function verifyToken(config: Config, token: string, now: number): Promise<TokenClaims | null> {
  const found = await verifiedUnder(config).get(token, () => verify(config, token, now));
  return found && Math.floor(now / 1000) < found.expiresAt ? found.claims : null;
}

/**
 * The algorithm is fixed and `kid` only selects among this service's secrets, so nothing in the token can choose how it is
 * verified (RFC 8725 §3.1).
 */
async function verify(config: Config, token: string, now: number): Promise<VerifiedToken | undefined> {
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const secret = config.tokenSecrets.byId.get(kid ?? '');
        if (!secret) throw new errors.JWKSNoMatchingKey();
        return importHmacKey(secret);
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
