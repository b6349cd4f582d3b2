import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { NAME_LENGTH_MAX, ORGANIZATION_CHOICE_MS, SECOND_STEP_MS } from '../../auth/limits';
import {
  acceptInvitation,
  getInvitation,
  getReset,
  type OpenInvitation,
  type OpenReset,
  useReset,
} from '../../auth/staff/invitations';
import { verifySecondFactor } from '../../auth/staff/sign-in/second-step';
import { signOut } from '../../auth/staff/sign-in/session';
import { choicesOf, choosePharmacy, type SignIn, signIn } from '../../auth/staff/sign-in/sign-in';
import { assertNotLost } from '../../health/notes';
import { AppError } from '../../platform/errors/errors';
import { ensureVisitor, formTokenOf } from '../http/check-form';
import { readCookie, switchLanguage, writeCookie } from '../http/cookies';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { cameFrom, HOME, localPath, pathnameOf, pathWith, SIGN_IN } from '../http/paths';
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
import { Button, CurrentPassword, Field, Form, type FormState, Hidden, NewPassword, Submit } from '../ui/fields';
import { BarePage, respondErrorPage } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Notice } from '../ui/parts';
import { type FieldErrors, hasFieldErrors, respondForm, respondPage, tryForm, useView } from '../ui/view';
import { messages } from './messages';

/** The name of the cookie of a sign-in that still needs its second factor. */
const HALF_COOKIE = 'two_factor';

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

/**
 * Responds to a correct password with a session, with the page of the second factor, or with the choice of a pharmacy.
 */
async function afterPassword(
  c: ManageContext,
  result: Exclude<SignIn, { outcome: 'refused' }>,
  next: string,
): Promise<Response> {
  if (result.outcome === 'choose') {
    writeCookie(c, COOKIE, result.token, ORGANIZATION_CHOICE_MS / 1000);
    return c.redirect(pathWith(PHARMACY, next), 303);
  }
  if (result.outcome === 'signed_in') {
    await keepSession(c, result);
    return c.redirect(next, 303);
  }
  await endLive(c);
  dropSessionCookie(c);
  writeCookie(c, HALF_COOKIE, result.token, SECOND_STEP_MS / 1000);
  return c.redirect(pathWith(CODE, next), 303);
}

/** The name of the cookie for a sign-in whose password is valid for several pharmacies. */
const COOKIE = 'choice';

/** Continues the sign-in with the chosen pharmacy. Deletes the cookie, unless the choice was refused. */
async function chosen(c: ManageContext): ReturnType<typeof choosePharmacy> {
  const result = await choosePharmacy(c.var.ctx, {
    token: readCookie(c, COOKIE) ?? '',
    memberId: c.var.form.text('member'),
    caller: callerOf(c),
  });
  if (result.outcome !== 'refused') writeCookie(c, COOKIE, '', 0);
  return result;
}

async function respondSignIn(c: ManageContext, step: Step, status: 200 | 401 = 200): Promise<Response> {
  return respondPage(c, <SignInPage {...step} />, status, pathWith(SIGN_IN, step.next));
}

async function respondCode(c: ManageContext, step: Step, status: 200 | 401 = 200): Promise<Response> {
  return respondPage(c, <CodePage {...step} />, status, pathWith(CODE, step.next));
}

/**
 * Responds with the page that asks which pharmacy to enter. It needs the cookie that a correct password sets, so nobody
 * else learns to which pharmacies a person belongs.
 * @param wasRefused whether the previous choice was refused
 */
async function respondChoice(c: ManageContext, next: string, wasRefused = false): Promise<Response> {
  // The list is empty if the choice has expired.
  const choices = await choicesOf(c.var.ctx, readCookie(c, COOKIE) ?? '');
  if (choices.length === 0 && !wasRefused) return c.redirect(pathWith(SIGN_IN, next), 303);
  const page = <PharmacyPage choices={choices} next={next} />;
  return respondPage(c, page, wasRefused ? 401 : 200, pathWith(PHARMACY, next));
}

/**
 * For each kind of one-time link, the error code of a link that no longer works. It does not tell whether the link was
 * used, has expired, was replaced, or never existed.
 */
const GONE = { invitation: 'invitation_not_found', resets: 'reset_not_found' } as const;

/**
 * Returns a handler that calls `answer`, the handler of a one-time link. If the link no longer works, the handler
 * responds with a page that says what to do.
 */
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

/** The token in the path of a one-time link. */
function tokenOf(c: ManageContext): string {
  return c.req.param('token') ?? '';
}

/** Paths whose forms need no session. */
const OPEN = /^\/manage\/(sign-in|invitation|reset)\b/;

/**
 * Responds to every error of the management interface. If a signed-out person sends a form with a wrong token, it
 * responds with the sign-in page; to every other error, with an error page. Only the page for a forbidden action reads
 * the database. If the session was not looked up yet, a session cookie counts as signed in.
 */
export async function respondFailure(error: unknown, c: ManageContext): Promise<Response> {
  const isStale = error instanceof AppError && error.code === 'stale_form';
  const isSignedOut = sessionCookieOf(c) === undefined || c.var.found?.session === null;
  if (!isStale || !isSignedOut || OPEN.test(pathnameOf(c))) return respondErrorPage(error, c);
  ensureVisitor(c);
  c.set('formToken', await formTokenOf(c));
  return respondSignIn(c, { next: localPath(c, cameFrom(c)), isEnded: true }, 401);
}

/**
 * Routes of invitations. They need no session, because the one-time link is the permission. Accepting an invitation
 * signs the person in.
 */
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

/**
 * Routes that set a new password. They need no session, because the one-time link is the permission. They do not sign
 * the person in.
 */
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

/** The typed values of a step of the sign-in, and the path to go to afterwards. */
interface Step {
  next: string;
  email?: string;
  fieldErrors?: FieldErrors;
  /** Whether the page replaces a form that was submitted without a session. */
  isEnded?: boolean;
}

function SignInPage({ next, email, fieldErrors, isEnded }: Step) {
  const t = messages();
  return (
    <BarePage fieldErrors={fieldErrors} title={t.signIn.title}>
      {isEnded && (
        <Notice tone="wait" role="status">
          {t.ended}
        </Notice>
      )}
      <Form action={SIGN_IN}>
        <Hidden name="next" value={next} />
        <Field
          name="email"
          type="email"
          label={sharedMessages().common.email}
          value={email}
          fieldErrors={fieldErrors}
          autocomplete="username"
          autofocus={!email}
        />
        <CurrentPassword name="password" label={t.password} fieldErrors={fieldErrors} autofocus={Boolean(email)} />
        <Submit>{t.signIn.title}</Submit>
      </Form>
      <p class="quiet">{t.signIn.noAccount}</p>
      <Forgot />
    </BarePage>
  );
}

/** Help for people who cannot sign in, folded. */
function Forgot() {
  const { resets: t } = messages();
  return (
    <details>
      <summary>{t.forgot}</summary>
      <p class="quiet">{t.forgotHow}</p>
    </details>
  );
}

const CODE = `${SIGN_IN}/code`;

/** The second step: the code of the second factor. */
function CodePage({ next, fieldErrors }: Step) {
  const t = messages();
  return (
    <BarePage fieldErrors={fieldErrors} title={t.secondStep.title}>
      <Form action={CODE}>
        <Hidden name="next" value={next} />
        <Field
          name="code"
          label={t.secondStep.code}
          hint={t.secondStep.hint}
          fieldErrors={fieldErrors}
          autocomplete="one-time-code"
          autofocus
        />
        <Submit>{t.secondStep.submit}</Submit>
      </Form>
      <p>
        <a href={pathWith(SIGN_IN, next)}>{t.secondStep.again}</a>
      </p>
      <Forgot />
    </BarePage>
  );
}

const PHARMACY = `${SIGN_IN}/pharmacy`;

/** Asks which pharmacy to enter if the password is valid for several. */
function PharmacyPage({ choices, next }: { choices: Awaited<ReturnType<typeof choicesOf>>; next: string }) {
  const t = messages();
  return (
    <BarePage title={t.choosePharmacy.title}>
      {choices.length > 0 ? <p>{t.choosePharmacy.lead}</p> : <p>{t.choosePharmacy.gone}</p>}
      {choices.length > 0 && (
        <Form action={PHARMACY}>
          <Hidden name="next" value={next} />
          <div class="acts">
            {choices.map(({ memberId, organizationName }) => (
              <Button name="member" value={memberId} label={organizationName} />
            ))}
          </div>
        </Form>
      )}
      <p>
        <a href={pathWith(SIGN_IN, next)}>{t.secondStep.again}</a>
      </p>
    </BarePage>
  );
}

function InvitationPage({ invitation, typed }: { invitation: OpenInvitation; typed: FormState<'name'> }) {
  const { invitation: t, password } = messages();
  const { fieldErrors } = typed;
  const labels = { password, submit: t.submit };
  return (
    <BarePage fieldErrors={fieldErrors} title={t.title}>
      <p>{t.lead(invitation.organizationName, sharedMessages().roles[invitation.role])}</p>
      <NewPasswordForm {...{ labels, fieldErrors }} email={invitation.email}>
        <Field name="name" label={t.name} hint={t.nameHint} form={typed} autocomplete="name" />
      </NewPasswordForm>
    </BarePage>
  );
}

function ResetPage({ reset, fieldErrors }: { reset: OpenReset; fieldErrors?: FieldErrors }) {
  const { resets: t } = messages();
  const labels = { password: sharedMessages().common.newPassword, submit: t.submit };
  return (
    <BarePage fieldErrors={fieldErrors} title={t.pageTitle}>
      <p>{t.pageLead(reset.organizationName)}</p>
      {reset.hasSecondFactor && <p>{reset.endsSecondFactor ? t.factorEnds : t.factorStays}</p>}
      <NewPasswordForm email={reset.email} labels={labels} fieldErrors={fieldErrors} />
    </BarePage>
  );
}

interface NewPasswordProps {
  email: string;
  /** Labels of the password field and the button. */
  labels: { password: string; submit: string };
  fieldErrors?: FieldErrors;
  children?: Child;
}

/** The form for a new password, opened by a link. The email address is for password managers. */
function NewPasswordForm({ email, labels, fieldErrors, children }: NewPasswordProps) {
  return (
    <Form action={useView().path}>
      <Field
        name="email"
        type="email"
        label={sharedMessages().common.email}
        value={email}
        autocomplete="username"
        readonly
      />
      {children}
      <NewPassword name="password" label={labels.password} fieldErrors={fieldErrors} />
      <Submit>{labels.submit}</Submit>
    </Form>
  );
}
