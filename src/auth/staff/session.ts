import { ROLES, type Role } from '../../platform/access';
import type { Actor, Context } from '../../platform/context';
import { hmac, importHmacKey, isSameMac, toBase64 } from '../../platform/crypto';
import type { Statement } from '../../platform/db';
import { describeError } from '../../platform/log';
import { isCurrentMac, macs } from '../../platform/mac';
import type { StaffWork } from './adapter';
import { type StaffApi, sessionCookieName, withBetterAuth } from './better-auth';
import { readCookies } from './cookies';
import { atToken, orgIdOf } from './routing';
import { deleteSessionByToken } from './store-memberships';
import { selectSession, updateSessionHash } from './store-sessions';

export interface StaffSession {
  actor: Extract<Actor, { kind: 'staff' }>;
  email: string;
  name: string;
  role: Role;
  organizationName: string;
  hasSecondFactor: boolean;
}

/** A session cookie that this service signed; whether there still is such a session says `findSession`. */
export interface SessionCookie {
  /** On the database where the session is stored, if it is stored anywhere. */
  ctx: Context;
  token: string;
}

/** Null without a cookie that this service signed, which costs no round trip. */
export async function readSessionCookie(ctx: Context, headers: Headers): Promise<SessionCookie | null> {
  const token = await readToken(ctx, headers);
  const at = token === null ? null : await atToken(ctx, token);
  return token === null || at === null ? null : { ctx: at, token };
}

/**
 * Statements about the person's organization that run in the same round trip as the read of the session: every page
 * needs their results, and a second round trip would make each page slower.
 */
export interface ExtraQueries {
  /** @param orgId the organization that the cookie names; the rows are dropped unless there is a session of it */
  statements: (orgId: string) => readonly Statement[];
  /** Receives the rows of each statement. */
  onRows: (rows: readonly unknown[]) => void;
}

/**
 * The person of a session cookie, read again at each request, in one round trip. Null when there is no session, when it
 * expired or was ended, or when the person was revoked. better-auth makes and ends sessions; reading one needs none of its
 * machinery, which would cost each page more than the rest of its session check.
 */
export async function findSession(
  { ctx, token }: SessionCookie,
  { statements, onRows }: ExtraQueries,
): Promise<StaffSession | null> {
  const orgId = orgIdOf(token);
  const hashes = await macs(ctx, 'staff session', token);
  const { found, extra } = await ctx.db.run({ found: selectSession(hashes), extra: statements(orgId) });
  const [session] = found;
  if (!session || session.orgId !== orgId) return null;
  if (session.expiresAt < ctx.now()) {
    await ctx.db.run({ expired: deleteSessionByToken(hashes) });
    return null;
  }
  if (!isCurrentMac(ctx, session.tokenHash)) {
    ctx.defer(ctx.db.run({ anew: updateSessionHash(session.tokenHash, hashes[0]) }).catch(() => undefined));
  }
  const { memberId, email, name, role, organizationName, hasSecondFactor } = session;
  if (!isRole(role)) throw new Error('no such role');
  onRows(extra);
  return {
    actor: { kind: 'staff', memberId, orgId, role },
    email,
    name: name ?? '',
    role,
    organizationName,
    hasSecondFactor: hasSecondFactor === 1,
  };
}

/** Ends the session of the cookie. @returns cookies that delete it in the browser */
export async function signOut(ctx: Context, headers: Headers): Promise<string[]> {
  const at = (await readSessionCookie(ctx, headers))?.ctx ?? ctx;
  const answer = await withBetterAuth(at, (api) => api.signOut({ headers, returnHeaders: true }));
  return answer.headers.getSetCookie();
}

/**
 * Lets better-auth create a session, and ends the one that the browser has. Where that is on the same database, both is one
 * batch. On another one it ends afterwards, and a failure there is only logged: the browser has a new cookie, and one database
 * that cannot be reached must not keep people from the others.
 * @param ctx on the database of the person who signs in
 * @param headers of the browser
 */
export async function replaceSession<T>(
  ctx: Context,
  headers: Headers,
  ask: (api: StaffApi) => Promise<T>,
  work: StaffWork,
): Promise<T> {
  const token = await readToken(ctx, headers);
  const hashes = token === null ? [] : await macs(ctx, 'staff session', token);
  const at = token === null ? null : await atToken(ctx, token);
  const isElsewhere = at !== null && at.db.shard !== ctx.db.shard;
  const here: Statement[] = at !== null && !isElsewhere ? [deleteSessionByToken(hashes)] : [];
  const answer = await withBetterAuth(ctx, ask, {
    ...work,
    withSession: async (seen) => [...((await work.withSession?.(seen)) ?? []), ...here],
  });
  if (!isElsewhere) return answer;
  try {
    await at.db.run({ session: deleteSessionByToken(hashes) });
  } catch (error) {
    ctx.log('warn', 'session_not_ended', describeError(error));
  }
  return answer;
}

/** The request headers without the session, so that only the half-finished sign-in identifies the person. */
export function withoutSession(ctx: Context, headers: Headers): Headers {
  const session = sessionCookieName(ctx.config);
  const others = readCookies(headers).filter(({ name }) => name !== session);
  const without = new Headers(headers);
  without.set('Cookie', others.map(({ name, value }) => `${name}=${value}`).join('; '));
  return without;
}

/** The token of the session cookie; null unless this service signed it. */
async function readToken(ctx: Context, headers: Headers): Promise<string | null> {
  const session = sessionCookieName(ctx.config);
  const cookie = decoded(readCookies(headers).findLast(({ name }) => name === session)?.value ?? '');
  const end = cookie.lastIndexOf('.');
  if (end < 1) return null;
  const token = cookie.slice(0, end);
  // As better-auth signs cookies.
  const signature = toBase64(await hmac(await importHmacKey(ctx.config.authKey), token));
  return isSameMac(signature, cookie.slice(end + 1)) ? token : null;
}

/** Without percent-encoding; an empty text when that is broken. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

export function isRole(role: unknown): role is Role {
  return ROLES.some((known) => known === role);
}
