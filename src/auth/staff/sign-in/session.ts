import { type AuditEntry, recordAudit } from '../../../audit/record';
import { inOrganization } from '../../../directory/route';
import { type Role, requireRole } from '../../../platform/access';
import { commit } from '../../../platform/commit';
import type { Config } from '../../../platform/config';
import { retryOnConflict } from '../../../platform/conflict';
import { type Actor, actingAs, type Context } from '../../../platform/context';
import { isCurrent, randomBase62 } from '../../../platform/crypto/crypto';
import { assertInBatch } from '../../../platform/data/db';
import type { Statement } from '../../../platform/data/statements';
import { notFound } from '../../../platform/errors/errors';
import { newId } from '../../../platform/ids';
import { IsolateCache, onceFor } from '../../../platform/isolate-cache';
import { logged } from '../../../platform/log';
import { isMac, mac, macs } from '../../../platform/mac';
import { testOrganizationOf } from '../../../tenants/shops';
import { SESSION_MS } from '../../limits';
import { type Caller, deviceWith } from './attempts';
import { isOwnerOf, selectMemberWithEmail, upsertTestOwner } from './store-memberships';
import {
  deleteExpiredSessionsOf,
  deleteSessionByToken,
  insertSession,
  selectSession,
  updateSessionHash,
} from './store-sessions';

const SECRET_LENGTH = 32;
/** `<token>.<MAC>`. The MAC lets the service reject a forged cookie without a database read. */
const COOKIE = /^([^.]+\.\w{32})\.([\w-]+\.[0-9a-f]{64})$/;

export interface StaffSession {
  actor: Extract<Actor, { kind: 'staff' }>;
  email: string;
  name: string;
  role: Role;
  organizationName: string;
  hasSecondFactor: boolean;
  /** True for a test organization, in which nothing is real. */
  isTest: boolean;
  /** True if the operator has suspended the organization. */
  isSuspended: boolean;
}

/** A session cookie that this service signed. Only `findSession` checks whether the session has ended. */
interface SessionCookie {
  /** The context on the database where the session is stored. */
  ctx: Context;
  token: string;
  /** Hashes of the token, one for each root secret. The row has one of them. */
  hashes: [string, ...string[]];
  /**
   * The same cookie, signed under the current root secret. It is set only if the cookie was signed under another root
   * secret.
   */
  anew?: string;
}

/**
 * How many verified cookies an isolate caches. A verified cookie stays valid as long as the configuration is the same.
 */
const VERIFIED_MAX = 1_000;
const verifiedUnder = onceFor((_config: Config) => new IsolateCache<Omit<SessionCookie, 'ctx'>>(VERIFIED_MAX));

/** Reads a session cookie. Null, without a database read, if this service did not sign it. */
export async function readSessionCookie(ctx: Context, cookie = ''): Promise<SessionCookie | null> {
  const found = await verifiedUnder(ctx.config).get(cookie, () => verified(ctx, cookie));
  const at = found && (await atToken(ctx, found.token));
  return at ? { ...found, ctx: at } : null;
}

/** Checks the MAC of a cookie. Undefined for text that this service did not sign. */
async function verified(ctx: Context, cookie: string): Promise<Omit<SessionCookie, 'ctx'> | undefined> {
  const [, token = '', signature = ''] = COOKIE.exec(cookie) ?? [];
  if (!(await isMac(ctx, signature, 'session cookie', token))) return undefined;
  const anew = isCurrent(ctx.config.roots, signature) ? undefined : await signed(ctx, token);
  return { token, hashes: await macs(ctx, 'staff session', token), anew };
}

/** Returns the token in a session cookie, without its MAC; any other text is returned as it is. */
export function unsigned(cookie: string): string {
  return COOKIE.exec(cookie)?.[1] ?? cookie;
}

async function signed(ctx: Context, token: string): Promise<string> {
  return `${token}.${await mac(ctx, 'session cookie', token)}`;
}

/**
 * Queries about the person's organization, which run in the same round trip as the read of the session. Every page
 * needs their results, and a second round trip would make each page slower.
 */
interface ExtraQueries {
  /**
   * Makes the statements. Their rows are dropped if no session of the organization is found.
   * @param orgId the organization that the cookie names
   */
  statements: (orgId: string) => readonly Statement[];
  /** Receives the rows of each statement, in the order of the statements. */
  onRows: (rows: readonly unknown[]) => void;
}

/**
 * Returns the person of a session cookie. The person is read again at each request, in one round trip. Null when there
 * is no session, when it expired or was ended, or when the person was revoked.
 */
export async function findSession(
  cookie: SessionCookie,
  { statements, onRows }: ExtraQueries,
): Promise<StaffSession | null> {
  const { ctx, token, hashes } = cookie;
  const orgId = orgIdOf(token);
  const { found, extra } = await ctx.db.run({ found: selectSession(hashes), extra: statements(orgId) });
  const [session] = found;
  if (!session || session.orgId !== orgId) return null;
  if (session.expiresAt < ctx.now()) {
    await ctx.db.run({ expired: deleteSessionByToken(hashes) });
    return null;
  }
  if (!isCurrent(ctx.config.roots, session.tokenHash)) {
    ctx.defer(ctx.db.run({ anew: updateSessionHash(session.tokenHash, hashes[0]) }).catch(() => undefined));
  }
  const { memberId, email, name, role, organizationName, hasSecondFactor, isTest, suspendedAt } = session;
  onRows(extra);
  return {
    actor: { kind: 'staff', memberId, orgId, role },
    email,
    name: name ?? '',
    role,
    organizationName,
    hasSecondFactor: hasSecondFactor === 1,
    isTest: isTest === 1,
    isSuspended: suspendedAt !== null,
  };
}

/** Ends the session of a cookie. */
export async function signOut(ctx: Context, cookie: string | undefined): Promise<void> {
  const found = await readSessionCookie(ctx, cookie);
  if (found) await found.ctx.db.run({ session: deleteSessionByToken(found.hashes) });
}

/** The writes that end the browser's earlier session when a new session begins. */
interface EarlierSession {
  /**
   * Statements that end the browser's earlier session, for the batch that begins the new one. Empty if the earlier
   * session is on another database.
   */
  here: Statement[];
  /**
   * Ends an earlier session that is on another database. Call it after the batch that begins the new session. A failure
   * is only logged: the browser has a new cookie, and a database that cannot be reached must not keep people out.
   */
  endElsewhere: () => Promise<void>;
}

/**
 * Reads the cookie of the browser's earlier session and returns the writes that end that session.
 * @param ctx on the database of the person who signs in
 * @param cookie as the browser sent it
 */
export async function earlierSession(ctx: Context, cookie: string | undefined): Promise<EarlierSession> {
  const found = await readSessionCookie(ctx, cookie);
  const deletion = found && deleteSessionByToken(found.hashes);
  const isHere = found?.ctx.db.shard === ctx.db.shard;
  return {
    here: deletion && isHere ? [deletion] : [],
    endElsewhere: async () => {
      if (!deletion || isHere) return;
      await logged(ctx, ['warn', 'session_not_ended'], () => found.ctx.db.run({ deletion }));
    },
  };
}

/** A session that begins. */
interface NewSession extends EarlierSession {
  /** The value of its cookie. */
  cookie: string;
  /** The statements that begin the new session. They include `here`, which ends the browser's earlier session. */
  writes: Statement[];
}

/**
 * Makes the cookie of a new session, and the statements that begin the session. Only the hash of its token is stored.
 * @param cookie the cookie of the session that the browser already has
 */
export async function newSession(
  ctx: Context,
  { orgId, memberId }: { orgId: string; memberId: string },
  cookie: string | undefined,
): Promise<NewSession> {
  const token = tokenOf(orgId, randomBase62(SECRET_LENGTH));
  const tokenHash = await mac(ctx, 'staff session', token);
  const earlier = await earlierSession(ctx, cookie);
  const now = ctx.now();
  const row = { id: newId(), memberId, tokenHash, createdAt: now, expiresAt: now + SESSION_MS };
  return {
    ...earlier,
    cookie: await signed(ctx, token),
    writes: [...earlier.here, deleteExpiredSessionsOf(memberId, now), insertSession(row)],
  };
}

/** Returns the statement that writes an audit row about an action of a person who has no session yet. */
export function recordOwn(
  ctx: Context,
  { orgId, memberId, role }: { orgId: string; memberId: string; role: Role },
  act: Pick<AuditEntry, 'action' | 'fields' | 'reasonCode'>,
): Statement {
  const acting = actingAs(ctx, { kind: 'staff', orgId, memberId, role });
  return recordAudit(acting, { orgId, entityId: memberId, ...act });
}

/** The cookies that a browser gets after a sign-in. */
export interface SignedIn {
  /** The value of the session cookie. */
  session: string;
  /** The value of the device cookie (attempts.ts). */
  device: string;
  person: { orgId: string; memberId: string };
}

/**
 * Returns the cookies of a sign-in, and ends the browser's earlier session if it is on another database. Call this
 * after the batch that begins the new session is committed.
 */
export async function signedIn(
  ctx: Context,
  { cookie, endElsewhere }: NewSession,
  { orgId, memberId, email }: { orgId: string; memberId: string; email: string },
  caller: Caller,
): Promise<SignedIn> {
  await endElsewhere();
  return { session: cookie, device: await deviceWith(ctx, caller.device, email), person: { orgId, memberId } };
}

/**
 * Signs the owner of a live organization in to its test organization and makes them an owner there. That membership has
 * no password, so it cannot be used at a normal sign-in. The session of the live organization continues.
 * @returns the value of the session cookie
 * @throws AppError `organization_not_found` if there is no test organization
 */
export async function signInToTest(ctx: Context, person: Pick<StaffSession, 'email' | 'name'>): Promise<string> {
  const { orgId: liveId } = requireRole(ctx, ['owner']);
  const orgId = await testOrganizationOf(ctx, liveId);
  const at = orgId === null ? null : await inOrganization(ctx, orgId);
  if (orgId === null || !at) throw notFound('organization_not_found', 'There is no test organization.');
  return retryOnConflict(at, () => enterOnce(at, orgId, person));
}

async function enterOnce(
  ctx: Context,
  orgId: string,
  { email, name }: Pick<StaffSession, 'email' | 'name'>,
): Promise<string> {
  const [member] = await ctx.db.rows(selectMemberWithEmail(orgId, email));
  const memberId = member?.id ?? newId();
  const session = await newSession(ctx, { orgId, memberId }, undefined);
  await commit(ctx, {
    member: upsertTestOwner({ id: memberId, orgId, email, name }, ctx.now()),
    // Another request may have created the owner's membership in the meantime, with another id.
    isThem: assertInBatch(isOwnerOf(orgId, memberId)),
    session: session.writes,
    audit: recordOwn(ctx, { orgId, memberId, role: 'owner' }, { action: 'member.signed_in', reasonCode: 'from_live' }),
  });
  return session.cookie;
}

const ORG_ID = /^[0-9a-f-]{36}$/;

/**
 * Makes a token that contains the id of its organization, so that the right database is known before anything is read.
 * Only a hash of the whole token is stored, so a token with a changed id matches no row.
 * @returns `<organization's id>.<secret>`
 */
export function tokenOf(orgId: string, secret: string): string {
  return `${orgId}.${secret}`;
}

/**
 * Returns the id of the organization that a token names. The text may be no token of this service. Then the result may
 * be any text.
 */
function orgIdOf(token: string): string {
  return token.split('.')[0] ?? '';
}

/**
 * Returns the context on the database of a token's organization; null if there is no such organization. Returns null
 * without a round trip for text that cannot be a token.
 */
export async function atToken(ctx: Context, token: string): Promise<Context | null> {
  const orgId = orgIdOf(token);
  return ORG_ID.test(orgId) ? inOrganization(ctx, orgId) : null;
}
