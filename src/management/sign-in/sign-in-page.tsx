import { SIGN_IN } from '../http/paths';
import { Field, Form, Submit } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Hidden } from '../ui/hidden';
import { BarePage } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Say } from '../ui/parts';
import { CurrentPassword } from '../ui/password-fields';
import type { View } from '../ui/view';
import { messages } from './messages';

/** The typed values of a step of the sign-in, and the path to go to afterwards. */
export interface Step {
  next: string;
  email?: string;
  fieldErrors?: FieldErrors;
  /** Instead of a form that was sent without a session. */
  isEnded?: boolean;
}

interface SignInProps extends Step {
  view: View;
}

export function SignInPage({ view, next, email, fieldErrors, isEnded }: SignInProps) {
  const t = messages(view);
  return (
    <BarePage {...{ view, fieldErrors }} title={t.signIn.title}>
      {isEnded && (
        <Say tone="wait" role="status">
          {t.ended}
        </Say>
      )}
      <Form view={view} action={SIGN_IN}>
        <Hidden name="next" value={next} />
        <Field
          name="email"
          type="email"
          label={sharedMessages(view).common.email}
          value={email}
          fieldErrors={fieldErrors}
          autocomplete="username"
          autofocus={!email}
        />
        <CurrentPassword name="password" label={t.password} fieldErrors={fieldErrors} autofocus={Boolean(email)} />
        <Submit>{t.signIn.title}</Submit>
      </Form>
      <p class="quiet">{t.resets.forgot}</p>
      <p class="quiet">{t.signIn.noAccount}</p>
    </BarePage>
  );
}
