import { Hono } from 'hono';
import { type SignIn, signIn, signOut, verifySecondFactor } from '../../auth/staff/service';
import { assertNotLost } from '../../health/service';
import { MINUTE_SECONDS } from '../../platform/time';
import { switchLanguage } from '../http/choose-language';
import { readCookie, writeCookie } from '../http/cookies';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { HOME, localPath, pathWith, SIGN_IN } from '../http/paths';
import {
  callerOf,
  dropSessionCookie,
  endLive,
  keepSession,
  liveCookieOf,
  returnToLive,
  sessionCookieOf,
  sessionOf,
} from '../http/session';
import type { FieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { chosen, keepChoice } from './choice';
import { CODE } from './code-page';
import { messages } from './messages';
import { PHARMACY } from './pharmacy-page';
import { respondChoice, respondCode, respondSignIn } from './responses';

/** Cookie of a sign-in that waits for its code, in place of the session's. */
const HALF_COOKIE = 'two_factor';
const HALF_SECONDS = 10 * MINUTE_SECONDS;

export const signInRoutes = new Hono<ManageEnv>()
  .get('/sign-in', async (c) => {
    const next = localPath(c, c.req.query('next'));
    if (await sessionOf(c)) return c.redirect(next, 303);
    // What looks signed out is signed out.
    await endLive(c);
    return respondSignIn(c, { next });
  })
  .post('/sign-in', async (c) => {
    const { form } = c.var;
    const { common } = sharedMessages(c.var);
    const t = messages(c.var);
    const [email, password] = [form.text('email'), form.secret('password')];
    const next = localPath(c, form.text('next'));
    const fieldErrors: FieldErrors = {
      ...(!email && { email: common.required(common.email) }),
      ...(!password && { password: common.required(t.password) }),
    };
    if (!email || !password) return respondSignIn(c, { next, email, fieldErrors });
    const result = await signIn(c.var.ctx, { email, password, caller: callerOf(c) });
    if (result.outcome === 'refused') {
      await assertNotLost(c.var.ctx);
      return respondSignIn(c, { next, email, fieldErrors: { email: t.signIn.refused } }, 401);
    }
    return afterPassword(c, result, next);
  })
  .get('/sign-in/pharmacy', (c) => respondChoice(c, localPath(c, c.req.query('next'))))
  .post('/sign-in/pharmacy', async (c) => {
    const next = localPath(c, c.var.form.text('next'));
    const result = await chosen(c);
    return result.outcome === 'refused' ? respondChoice(c, next, true) : afterPassword(c, result, next);
  })
  .get('/sign-in/code', (c) => respondCode(c, { next: localPath(c, c.req.query('next')) }))
  .post('/sign-in/code', async (c) => {
    const next = localPath(c, c.var.form.text('next'));
    const code = c.var.form.text('code').replaceAll(' ', '');
    const input = { half: readCookie(c, HALF_COOKIE) ?? '', code, caller: callerOf(c) };
    const signedIn = code ? await verifySecondFactor(c.var.ctx, input) : null;
    if (!signedIn) return respondCode(c, { next, fieldErrors: { code: messages(c.var).secondStep.refused } }, 401);
    await keepSession(c, signedIn);
    writeCookie(c, HALF_COOKIE, '', 0);
    return c.redirect(next, 303);
  })
  .post('/sign-out', async (c) => {
    await Promise.all([sessionCookieOf(c), liveCookieOf(c)].map((cookie) => signOut(c.var.ctx, cookie)));
    dropSessionCookie(c);
    return redirectWithFlash(c, 'signed_out', SIGN_IN);
  })
  .post('/leave-test', async (c) => {
    const live = liveCookieOf(c);
    const session = await sessionOf(c);
    if (live === undefined || !session?.isTest) return c.redirect(HOME, 303);
    await signOut(c.var.ctx, sessionCookieOf(c));
    returnToLive(c, live);
    return redirectWithFlash(c, 'test_left', HOME);
  })
  .post('/language', switchLanguage);

/** The answer to a right password: a session, the page for the second factor, or the choice of a pharmacy. */
async function afterPassword(
  c: ManageContext,
  result: Exclude<SignIn, { outcome: 'refused' }>,
  next: string,
): Promise<Response> {
  if (result.outcome === 'choose') {
    keepChoice(c, result.token);
    return c.redirect(pathWith(PHARMACY, next), 303);
  }
  if (result.outcome === 'signed_in') {
    await keepSession(c, result);
    return c.redirect(next, 303);
  }
  await endLive(c);
  dropSessionCookie(c);
  writeCookie(c, HALF_COOKIE, result.token, HALF_SECONDS);
  return c.redirect(pathWith(CODE, next), 303);
}
