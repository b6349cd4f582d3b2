import { Hono } from 'hono';
import { type SignIn, signIn, signOut, verifySecondFactor } from '../../auth/staff/service';
import { switchLanguage } from '../http/choose-language';
import { passCookies } from '../http/cookies';
import type { ManageContext, ManageEnv } from '../http/env';
import { done } from '../http/flash';
import { localPath, pathWith, SIGN_IN } from '../http/paths';
import { keepCarried } from '../http/resume';
import { callerOf, keepSession, sessionOf } from '../http/session';
import { FaultSummary, Field, Form } from '../ui/fields';
import type { Faults } from '../ui/form-errors';
import { BarePage } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { answerPage, viewOf } from '../ui/view';
import { answerChoice, chosen, keepChoice, PHARMACY } from './choose-pharmacy';
import { messages } from './messages';
import { ResumeField, ResumeNotice } from './resume-fields';

const CODE = `${SIGN_IN}/code`;

export const signInRoutes = new Hono<ManageEnv>()
  .get('/sign-in', async (c) => {
    const next = localPath(c, c.req.query('next'));
    if (await sessionOf(c)) return c.redirect(next, 303);
    return answerSignIn(c, { next });
  })
  .post('/sign-in', async (c) => {
    const { form } = c.var;
    const shared = sharedMessages(c.var);
    const t = messages(c.var);
    const [email, password] = [form.text('email'), form.secret('password')];
    const next = localPath(c, form.text('next'));
    const faults: Faults = {
      ...(!email && { email: shared.common.required(t.signIn.email) }),
      ...(!password && { password: shared.common.required(t.signIn.password) }),
    };
    if (!email || !password) return answerSignIn(c, { next, email, faults });
    const result = await signIn(c.var.ctx, { headers: c.req.raw.headers, email, password, caller: callerOf(c) });
    if (result.outcome === 'refused') {
      return answerSignIn(c, { next, email, faults: { email: t.signIn.refused } }, 401);
    }
    return goOn(c, result, await keepCarried(c, next));
  })
  .get('/sign-in/pharmacy', (c) => answerChoice(c, localPath(c, c.req.query('next'))))
  .post('/sign-in/pharmacy', async (c) => {
    const next = localPath(c, c.var.form.text('next'));
    const result = await chosen(c);
    return result.outcome === 'refused' ? answerChoice(c, next, true) : goOn(c, result, next);
  })
  .get('/sign-in/code', (c) => answerCode(c, { next: localPath(c, c.req.query('next')) }))
  .post('/sign-in/code', async (c) => {
    const next = localPath(c, c.var.form.text('next'));
    const code = c.var.form.text('code').replaceAll(' ', '');
    const input = { headers: c.req.raw.headers, code, caller: callerOf(c) };
    const signedIn = code ? await verifySecondFactor(c.var.ctx, input) : null;
    if (!signedIn) return answerCode(c, { next, faults: { code: messages(c.var).secondStep.refused } }, 401);
    keepSession(c, signedIn);
    return c.redirect(next, 303);
  })
  .post('/sign-out', async (c) => {
    passCookies(c, await signOut(c.var.ctx, c.req.raw.headers));
    return done(c, 'signed_out', SIGN_IN);
  })
  .post('/language', switchLanguage);

/** Where a right password leads: in, to the code of the second factor, or to the choice among several pharmacies. */
function goOn(c: ManageContext, result: Exclude<SignIn, { outcome: 'refused' }>, next: string): Response {
  if (result.outcome === 'choose') {
    keepChoice(c, result.token);
    return c.redirect(pathWith(PHARMACY, next), 303);
  }
  if (result.outcome === 'signed_in') {
    keepSession(c, result);
    return c.redirect(next, 303);
  }
  passCookies(c, result.cookies);
  return c.redirect(pathWith(CODE, next), 303);
}

interface Step {
  next: string;
  email?: string;
  faults?: Faults;
}

export async function answerSignIn(c: ManageContext, { next, email, faults = {} }: Step, status: 200 | 401 = 200) {
  const view = await viewOf(c, pathWith(SIGN_IN, next));
  const t = messages(view);
  const page = (
    <BarePage view={view} title={t.signIn.title}>
      <FaultSummary view={view} faults={faults} />
      <ResumeNotice c={c} />
      <Form view={view} action={SIGN_IN}>
        <input type="hidden" name="next" value={next} />
        <ResumeField c={c} />
        <Field
          name="email"
          type="email"
          label={t.signIn.email}
          value={email}
          faults={faults}
          autocomplete="username"
          autofocus={!email}
        />
        <Field
          name="password"
          type="password"
          label={t.signIn.password}
          faults={faults}
          autocomplete="current-password"
          autofocus={Boolean(email)}
        />
        <button class="primary" type="submit">
          {t.signIn.submit}
        </button>
      </Form>
      <p class="quiet">{t.resets.forgot}</p>
      <p class="quiet">{t.signIn.noAccount}</p>
    </BarePage>
  );
  return answerPage(c, page, status);
}

async function answerCode(c: ManageContext, { next, faults = {} }: Step, status: 200 | 401 = 200) {
  const view = await viewOf(c, pathWith(CODE, next));
  const t = messages(view);
  const page = (
    <BarePage view={view} title={t.secondStep.title}>
      <FaultSummary view={view} faults={faults} />
      <Form view={view} action={CODE}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="code"
          label={t.secondStep.code}
          hint={t.secondStep.hint}
          faults={faults}
          autocomplete="one-time-code"
          autofocus
        />
        <button class="primary" type="submit">
          {t.secondStep.submit}
        </button>
      </Form>
      <p>
        <a href={pathWith(SIGN_IN, next)}>{t.secondStep.again}</a>
      </p>
      <p class="quiet">{t.resets.forgot}</p>
    </BarePage>
  );
  return answerPage(c, page, status);
}
