import type { Child } from 'hono/jsx';
import type { OpenInvitation, OpenReset } from '../../auth/staff/invitations';
import type { choicesOf as Choices } from '../../auth/staff/sign-in/sign-in';
import { pathWith, SIGN_IN } from '../http/paths';
import { CurrentPassword, Field, Form, type FormState, Hidden, NewPassword, Submit } from '../ui/fields';
import { BarePage } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Notice } from '../ui/parts';
import { type FieldErrors, useView } from '../ui/view';
import { messages } from './messages';

/** The typed values of a step of the sign-in, and the path to go to afterwards. */
export interface Step {
  next: string;
  email?: string;
  fieldErrors?: FieldErrors;
  /** Whether the page replaces a form that was submitted without a session. */
  isEnded?: boolean;
}

export function SignInPage({ next, email, fieldErrors, isEnded }: Step) {
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

/** The way for who cannot sign in, folded. */
function Forgot() {
  const { resets: t } = messages();
  return (
    <details>
      <summary>{t.forgot}</summary>
      <p class="quiet">{t.forgotHow}</p>
    </details>
  );
}

export const CODE = `${SIGN_IN}/code`;

/** The second step: the code of the second factor. */
export function CodePage({ next, fieldErrors }: Step) {
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

export const PHARMACY = `${SIGN_IN}/pharmacy`;

interface PharmacyProps {
  choices: Awaited<ReturnType<typeof Choices>>;
  next: string;
}

/** Asks for the pharmacy if the password is valid at several. */
export function PharmacyPage({ choices, next }: PharmacyProps) {
  const t = messages();
  return (
    <BarePage title={t.choosePharmacy.title}>
      {choices.length > 0 ? <p>{t.choosePharmacy.lead}</p> : <p>{t.choosePharmacy.gone}</p>}
      {choices.length > 0 && (
        <Form action={PHARMACY}>
          <Hidden name="next" value={next} />
          <div class="acts">
            {choices.map(({ memberId, organizationName }) => (
              <button type="submit" name="member" value={memberId}>
                {organizationName}
              </button>
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

interface InvitationProps {
  invitation: OpenInvitation;
  typed: FormState<'name'>;
}

export function InvitationPage({ invitation, typed }: InvitationProps) {
  const { roles } = sharedMessages();
  const { invitation: t, password } = messages();
  const { fieldErrors } = typed;
  const labels = { password, submit: t.submit };
  return (
    <BarePage fieldErrors={fieldErrors} title={t.title}>
      <p>{t.lead(invitation.organizationName, roles[invitation.role])}</p>
      <NewPasswordForm {...{ labels, fieldErrors }} email={invitation.email}>
        <Field name="name" label={t.name} hint={t.nameHint} form={typed} autocomplete="name" />
      </NewPasswordForm>
    </BarePage>
  );
}

export function ResetPage({ reset, fieldErrors }: { reset: OpenReset; fieldErrors?: FieldErrors }) {
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
