import type { OpenReset } from '../../auth/staff/service';
import type { FieldErrors } from '../ui/form-errors';
import { BarePage } from '../ui/layout';
import type { View } from '../ui/view';
import { messages } from './messages';
import { NewPasswordForm } from './new-password-form';

export function ResetPage({ view, reset, fieldErrors }: { view: View; reset: OpenReset; fieldErrors?: FieldErrors }) {
  const t = messages(view);
  const labels = { email: t.signIn.email, password: t.resets.next, submit: t.resets.save };
  return (
    <BarePage {...{ view, fieldErrors }} title={t.resets.pageTitle}>
      <p>{t.resets.pageLead(reset.organizationName)}</p>
      {reset.hasSecondFactor && <p>{reset.endsSecondFactor ? t.resets.factorEnds : t.resets.factorStays}</p>}
      <NewPasswordForm view={view} email={reset.email} labels={labels} fieldErrors={fieldErrors} />
    </BarePage>
  );
}
