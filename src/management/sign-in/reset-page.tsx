import { PASSWORD_LENGTH_MIN } from '../../auth/limits';
import type { OpenReset } from '../../auth/staff/service';
import { ErrorSummary, Field, Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { BarePage } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';

export function ResetPage({ view, reset, fieldErrors }: { view: View; reset: OpenReset; fieldErrors?: FieldErrors }) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <BarePage view={view} title={t.resets.pageTitle}>
      {fieldErrors && <ErrorSummary view={view} fieldErrors={fieldErrors} />}
      <p>{t.resets.pageLead(reset.organizationName)}</p>
      {reset.hasSecondFactor && <p>{reset.endsSecondFactor ? t.resets.factorEnds : t.resets.factorStays}</p>}
      <Form view={view} action={view.path}>
        <Field name="email" type="email" label={t.signIn.email} value={reset.email} autocomplete="username" readonly />
        <Field
          name="password"
          type="password"
          label={t.resets.next}
          hint={shared.passwordHint(PASSWORD_LENGTH_MIN)}
          fieldErrors={fieldErrors}
          autocomplete="new-password"
        />
        <button class="primary" type="submit">
          {t.resets.save}
        </button>
      </Form>
    </BarePage>
  );
}
