import { Hono } from 'hono';
import { NAME_LENGTH_MAX } from '../../auth/limits';
import { acceptInvitation, getInvitation, getReset, useReset } from '../../auth/staff/invitations';
import { verifySecondFactor } from '../../auth/staff/sign-in/second-step';
import { signOut } from '../../auth/staff/sign-in/session';
import { choicesOf, choosePharmacy, type SignIn, signIn } from '../../auth/staff/sign-in/sign-in';
import { assertNotLost } from '../../health/notes';
import { AppError } from '../../platform/errors/errors';
import { MINUTE_SECONDS } from '../../platform/time';
import { ensureVisitor, formTokenOf } from '../http/check-form';
import { readCookie, switchLanguage, writeCookie } from '../http/cookies';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { HOME, localPath, pathnameOf, pathWith, SIGN_IN } from '../http/paths';
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
import type { FormState } from '../ui/fields';
import { BarePage, respondErrorPage } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { type FieldErrors, hasFieldErrors, respondForm, respondPage, tryForm } from '../ui/view';
import { messages } from './messages';
import { CODE, CodePage, InvitationPage, PHARMACY, PharmacyPage, ResetPage, SignInPage, type Step } from './pages';

/** Name of the cookie of a sign-in that waits for its second factor. */
const HALF_COOKIE = 'two_factor';
const HALF_SECONDS = 10 * MINUTE_SECONDS;

export const signInRoutes = new Hono<ManageEnv>()
  .get('/sign-in', async (c) => {
    const next = localPath(c, c.req.query('next'));
    if (await sessionOf(c)) return c.redirect(next, 303);
    // A page that looks signed out must not keep a live session.
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

/** Responds to a correct password: a session, the second factor's page, or the choice of a pharmacy. */
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

/** Name of the cookie of a sign-in after a correct password. The server ends it after five minutes. */
const COOKIE = 'choice';
const SECONDS = 5 * 60;

/** Sets the cookie of a sign-in whose password belongs to several memberships. */
function keepChoice(c: ManageContext, token: string): void {
  writeCookie(c, COOKIE, token, SECONDS);
}

/** Continues with the chosen pharmacy. The cookie works once; it is kept only if the attempt was refused. */
async function chosen(c: ManageContext): ReturnType<typeof choosePharmacy> {
  const result = await choosePharmacy(c.var.ctx, {
    token: readCookie(c, COOKIE) ?? '',
    memberId: c.var.form.text('member'),
    caller: callerOf(c),
  });
  if (result.outcome !== 'refused') writeCookie(c, COOKIE, '', 0);
  return result;
}

/** The pharmacies to choose from; none if the choice has expired. */
function openChoices(c: ManageContext): ReturnType<typeof choicesOf> {
  return choicesOf(c.var.ctx, readCookie(c, COOKIE) ?? '');
}

async function respondSignIn(c: ManageContext, step: Step, status: 200 | 401 = 200): Promise<Response> {
  return respondPage(c, <SignInPage {...step} />, status, pathWith(SIGN_IN, step.next));
}

async function respondCode(c: ManageContext, step: Step, status: 200 | 401 = 200): Promise<Response> {
  return respondPage(c, <CodePage {...step} />, status, pathWith(CODE, step.next));
}

/**
 * Asks for the pharmacy. Shown only after a correct password, so that nobody else learns the memberships.
 * @param wasRefused whether the previous choice was refused
 */
async function respondChoice(c: ManageContext, next: string, wasRefused = false): Promise<Response> {
  const choices = await openChoices(c);
  if (choices.length === 0 && !wasRefused) return c.redirect(pathWith(SIGN_IN, next), 303);
  const page = <PharmacyPage choices={choices} next={next} />;
  return respondPage(c, page, wasRefused ? 401 : 200, pathWith(PHARMACY, next));
}

/** Errors of one-time links; the same whether a link was used, expired, replaced, or never existed. */
const GONE = { invitation: 'invitation_not_found', resets: 'reset_not_found' } as const;

/** Wraps the handler of a one-time link. Links that no longer work are common, so their page says what to do. */
function unlessGone(link: keyof typeof GONE, answer: (c: ManageContext) => Promise<Response>) {
  return async (c: ManageContext): Promise<Response> => {
    try {
      return await answer(c);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== GONE[link]) throw error;
    }
    const t = messages(c.var);
    const page = (
      <BarePage title={t[link].goneTitle}>
        <p>{t[link].gone}</p>
        <p>
          <a href={SIGN_IN}>{t.signIn.title}</a>
        </p>
      </BarePage>
    );
    return respondPage(c, page, 404);
  };
}

/** The token of a link. */
function tokenOf(c: ManageContext): string {
  return c.req.param('token') ?? '';
}

/** Paths whose forms need no session. */
const OPEN = /^\/manage\/(sign-in|invitation|reset)\b/;

/**
 * Responds to every error of the interface: to a form without a session with the sign-in page, to others with an error
 * page. It reads no database, so a wrong token with a session cookie gets an error page.
 */
export async function respondFailure(error: unknown, c: ManageContext): Promise<Response> {
  const isStale = error instanceof AppError && error.code === 'stale_form';
  const isSignedOut = sessionCookieOf(c) === undefined || c.var.found?.session === null;
  if (!isStale || !isSignedOut || OPEN.test(pathnameOf(c))) return respondErrorPage(error, c);
  ensureVisitor(c);
  c.set('formToken', await formTokenOf(c));
  const from = URL.parse(c.req.header('Referer') ?? '');
  const isOurs = from?.origin === c.var.ctx.config.baseUrl;
  return respondSignIn(c, { next: localPath(c, isOurs ? from.pathname + from.search : undefined), isEnded: true }, 401);
}

/** Routes of invitations. They need no session: the link, which works once, is the permission. Accepting signs in. */
export const invitationRoutes = new Hono<ManageEnv>()
  .get(
    '/invitation/:token',
    unlessGone('invitation', (c) => respondInvitation(c)),
  )
  .post('/invitation/:token', unlessGone('invitation', accept));

async function accept(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const shared = sharedMessages(c.var);
  const t = messages(c.var);
  const [name, password] = [form.text('name'), form.secret('password')];
  const fieldErrors: FieldErrors = {
    ...(!name && { name: shared.common.required(t.invitation.name) }),
    ...(name.length > NAME_LENGTH_MAX && { name: shared.fieldErrors.name_too_long }),
    ...(!password && { password: shared.common.required(t.password) }),
  };
  if (hasFieldErrors(fieldErrors)) return respondInvitation(c, { name, fieldErrors });
  const input = { token: tokenOf(c), name, password, caller: callerOf(c) };
  const result = await tryForm(c.var, {}, () => acceptInvitation(ctx, input));
  if (result.fieldErrors) return respondInvitation(c, { name, fieldErrors: result.fieldErrors });
  await keepSession(c, result.value);
  return redirectWithFlash(c, 'accepted', HOME);
}

async function respondInvitation(c: ManageContext, typed: FormState<'name'> = {}): Promise<Response> {
  const invitation = await getInvitation(c.var.ctx, tokenOf(c));
  return respondForm(c, <InvitationPage {...{ invitation, typed }} />, typed.fieldErrors);
}

/** Routes that set a new password. They need no session: the one-time link is the permission. They do not sign in. */
export const resetRoutes = new Hono<ManageEnv>()
  .get(
    '/reset/:token',
    unlessGone('resets', (c) => respondReset(c)),
  )
  .post('/reset/:token', unlessGone('resets', reset));

async function reset(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const { common } = sharedMessages(c.var);
  const password = form.secret('password');
  if (!password) return respondReset(c, { password: common.required(common.newPassword) });
  const input = { token: tokenOf(c), password, caller: callerOf(c) };
  const { fieldErrors } = await tryForm(c.var, {}, () => useReset(ctx, input));
  return fieldErrors ? respondReset(c, fieldErrors) : redirectWithFlash(c, 'password_reset', SIGN_IN);
}

async function respondReset(c: ManageContext, fieldErrors?: FieldErrors): Promise<Response> {
  const reset = await getReset(c.var.ctx, tokenOf(c));
  return respondForm(c, <ResetPage {...{ reset, fieldErrors }} />, fieldErrors);
}
