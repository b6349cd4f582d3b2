import { Hono } from 'hono';
import { raw } from 'hono/html';
import { renderSVG } from 'uqr';
import {
  changePassword,
  confirmSecondFactor,
  disableSecondFactor,
  type SecondFactorStart,
  signOutEverywhere,
  startSecondFactor,
} from '../../auth/staff/account';
import type { StaffSession } from '../../auth/staff/sign-in/session';
import { setNotices, wantsNotices } from '../../messages/notices';
import { switchShortcuts } from '../http/cookies';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { showOnce, takeMade } from '../http/once';
import { ACCOUNT, SIGN_IN } from '../http/paths';
import { dropSessionCookie, keepSessionCookie, sessionCookieOf, signedIn } from '../http/session';
import { Decision } from '../ui/confirm';
import { Checkbox, CopyButton, CurrentPassword, Field, Form, FormButton, NewPassword } from '../ui/fields';
import { ShortcutsChoice } from '../ui/frame';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { breakableAddress, Facts, Panel } from '../ui/parts';
import { type FieldErrors, respondForm, respondPage, tryForm, useView } from '../ui/view';
import { messages } from './messages';

const SETUP = `${ACCOUNT}/second-factor`;

/** Routes of the signed-in person's own settings. */
export const accountRoutes = new Hono<ManageEnv>()
  .get('/', (c) => respondAccount(c))
  .post('/shortcuts', (c) => switchShortcuts(c))
  .post('/notices', async (c) => {
    await setNotices(c.var.ctx, c.var.form.text('notices') === 'on');
    return redirectWithFlash(c, 'saved', ACCOUNT);
  })
  .post('/password', async (c) => {
    const { form, ctx } = c.var;
    const [current, next] = [form.secret('current'), form.secret('next')];
    const input = { about: signedIn(c), current, next };
    const result = await tryForm(c.var, {}, () => changePassword(ctx, input));
    if (result.fieldErrors) return respondAccount(c, result.fieldErrors);
    keepSessionCookie(c, result.value);
    return redirectWithFlash(c, 'password_changed', ACCOUNT);
  })
  .post('/second-factor', async (c) => {
    const input = { email: signedIn(c).email, password: c.var.form.secret('password') };
    const result = await tryForm(c.var, {}, () => startSecondFactor(c.var.ctx, input));
    if (result.fieldErrors) return respondAccount(c, result.fieldErrors);
    return showOnce(c, SETUP, result.value);
  })
  .get('/second-factor', async (c) => {
    const made = await takeMade<SecondFactorStart>(c);
    const start = typeof made === 'object' ? made : undefined;
    if (!start && signedIn(c).hasSecondFactor) return c.redirect(ACCOUNT, 303);
    return respondPage(c, <SecondFactorSetup start={start} />);
  })
  .post('/second-factor/confirm', async (c) => {
    const input = { session: sessionCookieOf(c), code: c.var.form.text('code').replaceAll(' ', '') };
    const result = await tryForm(c.var, {}, () => confirmSecondFactor(c.var.ctx, input));
    if (result.fieldErrors) {
      return respondPage(c, <SecondFactorSetup fieldErrors={result.fieldErrors} />, 400, SETUP);
    }
    if (result.value) keepSessionCookie(c, result.value);
    return redirectWithFlash(c, 'second_factor_on', ACCOUNT);
  })
  .post('/second-factor/disable', async (c) => {
    const input = { session: sessionCookieOf(c), password: c.var.form.secret('password') };
    const result = await tryForm(c.var, {}, () => disableSecondFactor(c.var.ctx, input));
    if (result.fieldErrors) return respondAccount(c, result.fieldErrors);
    keepSessionCookie(c, result.value);
    return redirectWithFlash(c, 'second_factor_off', ACCOUNT);
  })
  .post('/sign-out-everywhere', async (c) => {
    await signOutEverywhere(c.var.ctx);
    dropSessionCookie(c);
    return redirectWithFlash(c, 'signed_out_everywhere', SIGN_IN);
  });

async function respondAccount(c: ManageContext, fieldErrors: FieldErrors = {}): Promise<Response> {
  const session = signedIn(c);
  const isTold = session.role === 'owner' && !session.isTest;
  const notices = isTold ? await wantsNotices(c.var.ctx) : null;
  const page = <AccountPage {...{ session, fieldErrors }} wantsNotices={notices} />;
  return respondForm(c, page, fieldErrors, ACCOUNT);
}

interface AccountProps {
  session: StaffSession;
  fieldErrors: FieldErrors;
  /** Null if the service sends no notices, or sends none to this person. */
  wantsNotices: boolean | null;
}

function AccountPage({ session, fieldErrors, wantsNotices }: AccountProps) {
  const view = useView();
  const { name, email, role, hasSecondFactor } = session;
  const shared = sharedMessages();
  const t = messages();
  return (
    <Page fieldErrors={fieldErrors} title={shared.nav.account}>
      <div class="halves">
        <Panel title={t.person}>
          <Facts
            entries={[
              [shared.common.name, name],
              [shared.common.email, breakableAddress(email)],
              [shared.common.role, shared.roles[role]],
            ]}
          />
        </Panel>
        {view.isFromLive ? (
          <section class="panel">
            <p>{t.ofLive}</p>
          </section>
        ) : (
          <>
            <PasswordSection fieldErrors={fieldErrors} email={email} />
            <SecondFactorSection fieldErrors={fieldErrors} isOn={hasSecondFactor} />
          </>
        )}
        {wantsNotices !== null && (
          <Panel title={t.notices}>
            <Form action={`${ACCOUNT}/notices`}>
              <Checkbox name="notices" label={t.wantsNotices} hint={t.noticesHint} isOn={wantsNotices} />
              <button type="submit">{shared.common.save}</button>
            </Form>
          </Panel>
        )}
        <Panel title={shared.shortcuts.title}>
          <ShortcutsChoice />
        </Panel>
        {!view.isFromLive && (
          <Panel title={t.everywhere}>
            <p>{t.everywhereLead}</p>
            <FormButton action={`${ACCOUNT}/sign-out-everywhere`} label={t.everywhere} />
          </Panel>
        )}
      </div>
    </Page>
  );
}

function PasswordSection({ fieldErrors, email }: { fieldErrors: FieldErrors; email: string }) {
  const t = messages();
  return (
    <Panel title={t.change}>
      <p>{t.passwordLead}</p>
      <Form action={`${ACCOUNT}/password`}>
        {/* Password managers store the new password under this name. */}
        <input type="text" name="email" value={email} autocomplete="username" hidden readonly />
        <CurrentPassword name="current" label={t.current} fieldErrors={fieldErrors} />
        <NewPassword name="next" label={sharedMessages().common.newPassword} fieldErrors={fieldErrors} />
        <button type="submit">{t.change}</button>
      </Form>
    </Panel>
  );
}

function SecondFactorSection({ fieldErrors, isOn }: { fieldErrors: FieldErrors; isOn: boolean }) {
  const t = messages();
  const { common } = sharedMessages();
  return (
    <section class="panel">
      <h2>
        {t.factorTitle}{' '}
        <Chip tone={isOn ? 'good' : 'off'} isFilled>
          {isOn ? t.factorOn : t.factorOff}
        </Chip>
      </h2>
      <p>{t.factorLead}</p>
      <Form action={isOn ? `${ACCOUNT}/second-factor/disable` : `${ACCOUNT}/second-factor`}>
        <CurrentPassword name="password" label={t.confirmPassword} fieldErrors={fieldErrors} />
        <button type="submit">{isOn ? common.turnOff : common.turnOn}</button>
      </Form>
    </section>
  );
}

/** @param start the new secret; undefined after a wrong code, because the secret is shown only once */
function SecondFactorSetup({ start, fieldErrors }: { start?: SecondFactorStart; fieldErrors?: FieldErrors }) {
  const { common } = sharedMessages();
  const t = messages();
  return (
    <Page fieldErrors={fieldErrors} title={t.setupTitle}>
      <div class="halves">
        {start && (
          <section class="panel">
            <p>{t.setupScan}</p>
            {/* Safe as raw markup: an SVG of squares only, in which the encoded text does not appear. */}
            <div class="qr" role="img" aria-label={t.setupQr}>
              {raw(renderSVG(start.uri, { border: 2 }))}
            </div>
            <p>
              {t.setupType} <code class="secret">{start.secret.match(/.{1,4}/g)?.join(' ')}</code>
            </p>
          </section>
        )}
        {start && (
          <Panel title={t.setupCodes}>
            <p>
              {common.shownOnce}. {t.setupCodesHint}
            </p>
            <ul class="codes" id="recovery-codes">
              {start.recoveryCodes.map((code) => (
                <li>
                  <code>{code}</code>
                </li>
              ))}
            </ul>
            <CopyButton of="recovery-codes" label={common.copy} />
          </Panel>
        )}
        <section class="panel">
          <Form action={`${ACCOUNT}/second-factor/confirm`}>
            <Field
              name="code"
              label={t.setupCode}
              hint={t.setupAgain}
              fieldErrors={fieldErrors}
              autocomplete="one-time-code"
              inputmode="numeric"
            />
            <Decision act={t.setupConfirm} back={ACCOUNT} isHarmless />
          </Form>
        </section>
      </div>
    </Page>
  );
}
