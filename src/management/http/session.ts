import { createMiddleware } from 'hono/factory';
import type { Caller } from '../../auth/staff/sign-in/attempts';
import {
  findSession,
  readSessionCookie,
  type SignedIn,
  type StaffSession,
  signOut,
} from '../../auth/staff/sign-in/session';
import { assertNotLost } from '../../health/notes';
import { countWaiting, selectInboxVersion } from '../../order-requests/inbox/store';
import { countToPack } from '../../orders/store';
import { actingAs } from '../../platform/context';
import { organizationSuspended } from '../../platform/errors';
import { callerAddress } from '../../platform/http/rate-limit';
import { describeError } from '../../platform/log';
import { switchesOf } from '../../platform/switches';
import { DAY_SECONDS, HOUR_SECONDS } from '../../platform/time';
import { testOrganizationOf } from '../../tenants/shops';
import { type StoppedSubscription, selectStopped } from '../../webhooks/log/store';
import { readCookie, SESSION_COOKIE, writeCookie } from './cookies';
import type { ManageContext, ManageEnv } from './env';
import { staleForm } from './form-data';
import { HOME, pathnameOf, pathOf, REQUESTS, SIGN_IN } from './paths';

/** Requires a session and makes `ctx` act for its person. Others are redirected to sign in, and back afterwards. */
export const requireSession = createMiddleware<ManageEnv>(async (c, next) => {
  const session = await sessionOf(c);
  if (!session) {
    if (sessionCookieOf(c) !== undefined) await assertNotLost(c.var.ctx);
    if (c.req.method === 'POST') throw staleForm();
    const path = pathOf(c);
    const isWorthReturning = path !== HOME;
    return c.redirect(isWorthReturning ? `${SIGN_IN}?next=${encodeURIComponent(path)}` : SIGN_IN, 303);
  }
  // Signing out needs no session, so that it stays possible.
  if (session.isSuspended) throw organizationSuspended();
  c.set('session', session);
  c.set('ctx', actingAs(c.get('ctx'), session.actor));
  return next();
});

/**
 * The signed-in person, if any, and what every page tells them: the numbers of waiting requests and of orders to pack and, to owners, the webhook
 * subscriptions that have stopped. The inbox counts both itself, and gets its version instead. One round trip, none
 * without a cookie that this service signed, nor when asked again. `ctx` is then on the database of their organization.
 */
export async function sessionOf(c: ManageContext): Promise<StaffSession | null> {
  const found = c.get('found') ?? { session: await findSessionOf(c) };
  c.set('found', found);
  return found.session;
}

async function findSessionOf(c: ManageContext): Promise<StaffSession | null> {
  const cookie = await readSessionCookie(c.get('ctx'), sessionCookieOf(c));
  if (!cookie) return null;
  const isInbox = pathnameOf(c) === REQUESTS;
  let stopped: StoppedSubscription[] = [];
  const session = await findSession(cookie, {
    statements: (orgId) => [
      ...(isInbox ? [selectInboxVersion({ orgId })] : [countWaiting({ orgId }), countToPack({ orgId })]),
      selectStopped({ orgId }),
    ],
    onRows: (rows) => {
      // SAFETY: the rows of the statements above.
      const counted = rows.slice(0, -1) as [[{ count?: number; version?: string }], [{ count: number }]?];
      c.set('waiting', counted[0][0].count);
      c.set('toPack', counted[1]?.[0].count);
      // An organization that moves to another database has other counts of changes there.
      c.set('inboxVersion', `${cookie.ctx.db.shard} ${counted[0][0].version}`);
      stopped = rows.at(-1) as StoppedSubscription[];
    },
  });
  if (session?.isTest && !(await isOwnerOfLive(c, session))) return null;
  if (session) c.set('ctx', cookie.ctx);
  if (session && cookie.anew) keepSessionCookie(c, cookie.anew);
  if (session?.role === 'owner') c.set('stopped', stopped);
  if (session) c.set('isIntakeOff', (await switchesOf(cookie.ctx)).intake === 'off');
  return session;
}

/** A session of the test organization is derived from one of the live organization: it lasts as long as that one, of its owner. */
async function isOwnerOfLive(c: ManageContext, { actor, email }: StaffSession): Promise<boolean> {
  const cookie = await readSessionCookie(c.get('ctx'), liveCookieOf(c));
  if (!cookie) return false;
  const live = await findSession(cookie, { statements: () => [], onRows: () => undefined });
  if (live?.role !== 'owner' || live.email !== email || live.isSuspended) return false;
  return (await testOrganizationOf(cookie.ctx, live.actor.orgId)) === actor.orgId;
}

/** The signed-in person; only for routes behind `requireSession`. */
export function signedIn(c: ManageContext): StaffSession {
  if (!c.var.session) throw new Error('this page is not behind requireSession');
  return c.var.session;
}

/** As long as a session lasts at most. */
const SESSION_SECONDS = 12 * HOUR_SECONDS;

/** The session cookie as sent. */
export function sessionCookieOf(c: ManageContext): string | undefined {
  return readCookie(c, SESSION_COOKIE);
}

export function keepSessionCookie(c: ManageContext, value: string): void {
  writeCookie(c, SESSION_COOKIE, value, SESSION_SECONDS);
}

export function dropSessionCookie(c: ManageContext): void {
  writeCookie(c, SESSION_COOKIE, '', 0);
  dropLiveCookie(c);
}

/** The session of the live organization, while its owner is in the test organization. */
const LIVE_COOKIE = 'live_session_token';

/** Of an owner who came from the live organization: its session cookie as sent. */
export function liveCookieOf(c: ManageContext): string | undefined {
  return readCookie(c, LIVE_COOKIE);
}

/** Goes on with a session of the test organization, and keeps that of the live one for the way back. */
export function enterTest(c: ManageContext, session: string): void {
  writeCookie(c, LIVE_COOKIE, sessionCookieOf(c) ?? '', SESSION_SECONDS);
  keepSessionCookie(c, session);
}

/** Goes on with the session of the live organization. */
export function returnToLive(c: ManageContext, live: string): void {
  keepSessionCookie(c, live);
  dropLiveCookie(c);
}

/** Ends the session of the live organization that the browser keeps for the way back. */
export async function endLive(c: ManageContext): Promise<void> {
  const live = liveCookieOf(c);
  if (live === undefined) return;
  const ctx = c.get('ctx');
  // As for a session on another database (sign-in/session.ts): one that is away keeps nobody from the others.
  await signOut(ctx, live).catch((error: unknown) => ctx.log('warn', 'session_not_ended', describeError(error)));
  dropLiveCookie(c);
}

function dropLiveCookie(c: ManageContext): void {
  if (liveCookieOf(c) !== undefined) writeCookie(c, LIVE_COOKIE, '', 0);
}

const DEVICE_COOKIE = 'device';
/** Renewed at each sign-in. */
const DEVICE_SECONDS = 180 * DAY_SECONDS;

/** The source of a sign-in attempt, for its limits: network address, and the device if it signed in before; and its session. */
export function callerOf(c: ManageContext): Caller {
  return { address: callerAddress(c.req.raw), device: readCookie(c, DEVICE_COOKIE), session: sessionCookieOf(c) };
}

/** Sets the cookies of the session and of the device that has signed in, and ends the session that a test one was derived from. */
export async function keepSession(c: ManageContext, { session, device }: SignedIn): Promise<void> {
  await endLive(c);
  keepSessionCookie(c, session);
  writeCookie(c, DEVICE_COOKIE, device, DEVICE_SECONDS);
}
