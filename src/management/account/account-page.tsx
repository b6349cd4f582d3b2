import type { StaffSession } from '../../auth/staff/service';
import { ACCOUNT } from '../http/paths';
import { Checkbox } from '../ui/checkboxes';
import { Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Facts } from '../ui/parts';
import { CurrentPassword, NewPassword } from '../ui/password-fields';
import { ShortcutsChoice } from '../ui/shortcuts';
import type { View } from '../ui/view';
import { messages } from './messages';

interface AccountProps {
  view: View;
  session: StaffSession;
  fieldErrors: FieldErrors;
  /** Null where no notices are sent, or not to them. */
  wantsNotices: boolean | null;
}

export function AccountPage({ view, session, fieldErrors, wantsNotices }: AccountProps) {
  const { name, email, role, hasSecondFactor } = session;
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <Page {...{ view, fieldErrors }} title={shared.nav.account}>
      <div class="sections">
        <section>
          <h2>{t.person}</h2>
          <Facts
            entries={[
              [shared.common.name, name],
              [shared.common.email, email],
              [shared.common.role, shared.roles[role]],
            ]}
          />
        </section>
        {view.isFromLive ? (
          <section>
            <p>{t.ofLive}</p>
          </section>
        ) : (
          <>
            <PasswordSection view={view} fieldErrors={fieldErrors} email={email} />
            <SecondFactorSection view={view} fieldErrors={fieldErrors} isOn={hasSecondFactor} />
          </>
        )}
        {wantsNotices !== null && <Notices view={view} isOn={wantsNotices} />}
        <section>
          <h2>{shared.shortcuts.title}</h2>
          <ShortcutsChoice view={view} />
        </section>
        {!view.isFromLive && <Everywhere view={view} />}
      </div>
    </Page>
  );
}

function Notices({ view, isOn }: { view: View; isOn: boolean }) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  return (
    <section>
      <h2>{t.notices}</h2>
      <Form view={view} action={`${ACCOUNT}/notices`}>
        <Checkbox name="notices" label={t.wantsNotices} hint={t.noticesHint} isOn={isOn} />
        <button type="submit">{common.save}</button>
      </Form>
    </section>
  );
}

function Everywhere({ view }: { view: View }) {
  const t = messages(view);
  return (
    <section>
      <h2>{t.everywhere}</h2>
      <p>{t.everywhereLead}</p>
      <Form view={view} action={`${ACCOUNT}/sign-out-everywhere`}>
        <button type="submit">{t.everywhere}</button>
      </Form>
    </section>
  );
}

function PasswordSection({ view, fieldErrors, email }: { view: View; fieldErrors: FieldErrors; email: string }) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  return (
    <section>
      <h2>{t.change}</h2>
      <p>{t.passwordLead}</p>
      <Form view={view} action={`${ACCOUNT}/password`}>
        {/* Password managers store the new password under this name. */}
        <input type="text" name="email" value={email} autocomplete="username" hidden readonly />
        <CurrentPassword name="current" label={t.current} fieldErrors={fieldErrors} />
        <NewPassword view={view} name="next" label={common.newPassword} fieldErrors={fieldErrors} />
        <button type="submit">{t.change}</button>
      </Form>
    </section>
  );
}

function SecondFactorSection({ view, fieldErrors, isOn }: { view: View; fieldErrors: FieldErrors; isOn: boolean }) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  return (
    <section>
      <h2>
        {t.factorTitle}{' '}
        <Chip tone={isOn ? 'good' : 'off'} isFilled>
          {isOn ? t.factorOn : t.factorOff}
        </Chip>
      </h2>
      <p>{t.factorLead}</p>
      <Form view={view} action={isOn ? `${ACCOUNT}/second-factor/disable` : `${ACCOUNT}/second-factor`}>
        <CurrentPassword name="password" label={t.confirmPassword} fieldErrors={fieldErrors} />
        <button type="submit">{isOn ? common.turnOff : common.turnOn}</button>
      </Form>
    </section>
  );
}
