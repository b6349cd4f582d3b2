import { Hono } from 'hono';
import { PASSWORD_LENGTH_MIN } from '../../auth/limits';
import {
  changePassword,
  confirmSecondFactor,
  disableSecondFactor,
  type SecondFactorStart,
  signOut,
  signOutEverywhere,
  startSecondFactor,
} from '../../auth/staff/service';
import { passCookies } from '../http/cookies';
import type { ManageContext, ManageEnv } from '../http/env';
import { done } from '../http/flash';
import { showOnce, takeMade } from '../http/once';
import { ACCOUNT, SIGN_IN } from '../http/paths';
import { signedIn } from '../http/session';
import { switchShortcuts } from '../http/shortcuts';
import { FaultSummary, Field, Form } from '../ui/fields';
import { type Faults, tryForm } from '../ui/form-errors';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { ShortcutsChoice } from '../ui/shortcuts';
import { answerPage, type View, viewOf } from '../ui/view';
import { messages } from './messages';
import { SecondFactorSetup } from './second-factor-page';

const SETUP = `${ACCOUNT}/second-factor`;

/** What everybody sets for themselves. */
export const accountRoutes = new Hono<ManageEnv>()
  .get('/', (c) => answerAccount(c))
  .post('/shortcuts', (c) => switchShortcuts(c))
  .post('/password', async (c) => {
    const { form, ctx } = c.var;
    const [current, next] = [form.secret('current'), form.secret('next')];
    const input = { headers: c.req.raw.headers, about: signedIn(c), current, next };
    const result = await tryForm(c.var, {}, () => changePassword(ctx, input));
    if (result.faults) return answerAccount(c, result.faults);
    passCookies(c, result.value);
    return done(c, 'password_changed', ACCOUNT);
  })
  .post('/second-factor', async (c) => {
    const input = { headers: c.req.raw.headers, password: c.var.form.secret('password') };
    const result = await tryForm(c.var, {}, () => startSecondFactor(c.var.ctx, input));
    if (result.faults) return answerAccount(c, result.faults);
    return showOnce(c, SETUP, result.value);
  })
  .get('/second-factor', async (c) => {
    const made = await takeMade<SecondFactorStart>(c);
    const start = typeof made === 'object' ? made : undefined;
    if (!start && signedIn(c).hasSecondFactor) return c.redirect(ACCOUNT, 303);
    return answerPage(c, <SecondFactorSetup view={await viewOf(c)} start={start} />);
  })
  .post('/second-factor/confirm', async (c) => {
    const input = { headers: c.req.raw.headers, code: c.var.form.text('code').replaceAll(' ', '') };
    const result = await tryForm(c.var, {}, () => confirmSecondFactor(c.var.ctx, input));
    if (result.faults) {
      const view = await viewOf(c, SETUP);
      return answerPage(c, <SecondFactorSetup view={view} faults={result.faults} />, 400);
    }
    passCookies(c, result.value);
    return done(c, 'second_factor_on', ACCOUNT);
  })
  .post('/second-factor/disable', async (c) => {
    const input = { headers: c.req.raw.headers, password: c.var.form.secret('password') };
    const result = await tryForm(c.var, {}, () => disableSecondFactor(c.var.ctx, input));
    if (result.faults) return answerAccount(c, result.faults);
    passCookies(c, result.value);
    return done(c, 'second_factor_off', ACCOUNT);
  })
  .post('/sign-out-everywhere', async (c) => {
    await signOutEverywhere(c.var.ctx);
    passCookies(c, await signOut(c.var.ctx, c.req.raw.headers));
    return done(c, 'signed_out_everywhere', SIGN_IN);
  });

async function answerAccount(c: ManageContext, faults: Faults = {}): Promise<Response> {
  const view = await viewOf(c, ACCOUNT);
  const { name, email, role, hasSecondFactor } = signedIn(c);
  const shared = sharedMessages(view);
  const t = messages(view);
  const page = (
    <Page view={view} title={t.title}>
      <FaultSummary view={view} faults={faults} />
      <div class="sections">
        <section>
          <h2>{t.person}</h2>
          <dl>
            <dt>{t.name}</dt>
            <dd>{name}</dd>
            <dt>{t.email}</dt>
            <dd>{email}</dd>
            <dt>{t.role}</dt>
            <dd>{shared.roles[role]}</dd>
          </dl>
        </section>
        <PasswordSection view={view} faults={faults} email={email} />
        <SecondFactorSection view={view} faults={faults} isOn={hasSecondFactor} />
        <section>
          <h2>{shared.shortcuts.title}</h2>
          <ShortcutsChoice view={view} />
        </section>
        <section>
          <h2>{t.everywhereTitle}</h2>
          <p>{t.everywhereLead}</p>
          <Form view={view} action={`${ACCOUNT}/sign-out-everywhere`}>
            <button type="submit">{t.everywhere}</button>
          </Form>
        </section>
      </div>
    </Page>
  );
  return answerPage(c, page, Object.keys(faults).length > 0 ? 400 : 200);
}

function PasswordSection({ view, faults, email }: { view: View; faults: Faults; email: string }) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <section>
      <h2>{t.passwordTitle}</h2>
      <p>{t.passwordLead}</p>
      <Form view={view} action={`${ACCOUNT}/password`}>
        {/* Tells a password manager whose password this is. */}
        <input type="text" name="email" value={email} autocomplete="username" hidden readonly />
        <Field name="current" type="password" label={t.current} faults={faults} autocomplete="current-password" />
        <Field
          name="next"
          type="password"
          label={t.next}
          hint={shared.passwordHint(PASSWORD_LENGTH_MIN)}
          faults={faults}
          autocomplete="new-password"
        />
        <button type="submit">{t.change}</button>
      </Form>
    </section>
  );
}

function SecondFactorSection({ view, faults, isOn }: { view: View; faults: Faults; isOn: boolean }) {
  const t = messages(view);
  return (
    <section>
      <h2>
        {t.factorTitle} <Chip tone={isOn ? 'good' : 'quiet'}>{isOn ? t.factorOn : t.factorOff}</Chip>
      </h2>
      <p>{t.factorLead}</p>
      <Form view={view} action={isOn ? `${ACCOUNT}/second-factor/disable` : `${ACCOUNT}/second-factor`}>
        <Field
          name="password"
          type="password"
          label={t.confirmPassword}
          faults={faults}
          autocomplete="current-password"
        />
        <button type="submit">{isOn ? t.factorDisable : t.factorStart}</button>
      </Form>
    </section>
  );
}
