import { createMiddleware } from 'hono/factory';
import { SESSION_MS } from '../../auth/limits';
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
import { organizationSuspended } from '../../platform/errors/errors';
import { callerAddress } from '../../platform/http/rate-limit';
import { describeError } from '../../platform/log';
import { switchesOf } from '../../platform/switches';
import { testOrganizationOf } from '../../tenants/shops';
import { type StoppedSubscription, selectStopped } from '../../webhooks/log/store';
import { DEVICE_KEPT_SECONDS } from '../limits';
import { readCookie, SESSION_COOKIE, writeCookie } from './cookies';
import type { ManageContext, ManageEnv } from './env';
import { staleForm } from './form-data';
import { HOME, pathnameOf, pathOf, REQUESTS, SIGN_IN } from './paths';

/**
 * Requires a session and makes `ctx` act for its person. A GET without a session is redirected to the sign-in page,
 * which leads back after the sign-in.
 * @throws AppError `stale_form` for a POST without a session; `organization_suspended`
 */
export const requireSession = createMiddleware<ManageEnv>(async (c, next) => {
  const session = await sessionOf(c);
  if (!session) {
    if (sessionCookieOf(c) !== undefined) await assertNotLost(c.var.ctx);
    if (c.req.method === 'POST') throw staleForm();
    const path = pathOf(c);
    const isWorthReturning = path !== HOME;
    return c.redirect(isWorthReturning ? `${SIGN_IN}?next=${encodeURIComponent(path)}` : SIGN_IN, 303);
  }
  // Signing out stays possible because it does not require a session.
  if (session.isSuspended) throw organizationSuspended();
  c.set('session', session);
  c.set('ctx', actingAs(c.get('ctx'), session.actor));
  return next();
});

/**
 * The signed-in person's session; null without one. Also sets the values that every page shows: the numbers of waiting
 * requests and of orders to pack, whether intake is off and, for owners, the stopped webhook subscriptions. The inbox
 * counts requests and orders itself, so for the inbox its version is set instead of the numbers. Takes one round trip,
 * or more in a test organization. Takes none if called again, or without a cookie that this service signed. Afterwards,
 * `ctx` uses the organization's database.
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
      // The version includes the database because an organization that moves has other change counts there.
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

/**
 * Whether the owner's session in the live organization still allows the session in the test organization. The owner
 * must have the same email address in both, and the test organization must belong to the live one.
 */
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

/** The session cookie as sent. */
export function sessionCookieOf(c: ManageContext): string | undefined {
  return readCookie(c, SESSION_COOKIE);
}

export function keepSessionCookie(c: ManageContext, value: string): void {
  writeCookie(c, SESSION_COOKIE, value, SESSION_MS / 1000);
}

export function dropSessionCookie(c: ManageContext): void {
  writeCookie(c, SESSION_COOKIE, '', 0);
  dropLiveCookie(c);
}

/** Name of the cookie that keeps the live organization's session while its owner uses the test organization. */
const LIVE_COOKIE = 'live_session_token';

/** The kept session cookie of the live organization, as sent. */
export function liveCookieOf(c: ManageContext): string | undefined {
  return readCookie(c, LIVE_COOKIE);
}

/** Switches to a session of the test organization and keeps the live session for the return. */
export function enterTest(c: ManageContext, session: string): void {
  writeCookie(c, LIVE_COOKIE, sessionCookieOf(c) ?? '', SESSION_MS / 1000);
  keepSessionCookie(c, session);
}

/** Switches back to the session of the live organization. */
export function returnToLive(c: ManageContext, live: string): void {
  keepSessionCookie(c, live);
  dropLiveCookie(c);
}

/** Ends the kept session of the live organization. */
export async function endLive(c: ManageContext): Promise<void> {
  const live = liveCookieOf(c);
  if (live === undefined) return;
  const ctx = c.get('ctx');
  // A failure is only logged, as in sign-in/session.ts: an unavailable database must not block the person.
  await signOut(ctx, live).catch((error: unknown) => ctx.log('warn', 'session_not_ended', describeError(error)));
  dropLiveCookie(c);
}

function dropLiveCookie(c: ManageContext): void {
  if (liveCookieOf(c) !== undefined) writeCookie(c, LIVE_COOKIE, '', 0);
}

const DEVICE_COOKIE = 'device';

/** Who tries to sign in, for rate limits: the network address, the device cookie and the session cookie. */
export function callerOf(c: ManageContext): Caller {
  return { address: callerAddress(c.req.raw), device: readCookie(c, DEVICE_COOKIE), session: sessionCookieOf(c) };
}

/** Sets the session and device cookies after a sign-in, and ends a kept live session. */
export async function keepSession(c: ManageContext, { session, device }: SignedIn): Promise<void> {
  await endLive(c);
  keepSessionCookie(c, session);
  writeCookie(c, DEVICE_COOKIE, device, DEVICE_KEPT_SECONDS);
}
