import { getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { findSession, type StaffSession, sessionCookieName } from '../auth/service';
import { actingAs } from '../platform/context';
import { callerAddress } from '../platform/rate-limit';
import type { ManageContext, ManageEnv } from './env';
import { HOME, pathOf, SIGN_IN } from './paths';

/** From here on somebody is signed in: `ctx` acts for that person. Everybody else is sent to sign in, and back. */
export const requireSession = createMiddleware<ManageEnv>(async (c, next) => {
  const session = await sessionOf(c);
  if (!session) {
    const path = pathOf(c);
    const isWorthReturning = c.req.method === 'GET' && path !== HOME;
    return c.redirect(isWorthReturning ? `${SIGN_IN}?next=${encodeURIComponent(path)}` : SIGN_IN, 303);
  }
  c.set('session', session);
  c.set('ctx', actingAs(c.var.ctx, session.actor));
  return next();
});

/** Who is signed in, if anybody: one round trip, none without a cookie. */
export async function sessionOf(c: ManageContext): Promise<StaffSession | null> {
  if (!getCookie(c, sessionCookieName(c.var.ctx.config))) return null;
  return findSession(c.var.ctx, c.req.raw.headers);
}

/** The person behind a page that stands behind `requireSession`. */
export function signedIn(c: ManageContext): StaffSession {
  if (!c.var.session) throw new Error('this page is not behind requireSession');
  return c.var.session;
}

/** The caller's network address, as Cloudflare saw it. */
export function addressOf(c: ManageContext): string {
  return callerAddress(c.req.raw);
}
