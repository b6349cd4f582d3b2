import type { OpenReset } from '../../auth/staff/service';
import type { FieldErrors } from '../ui/form-errors';
import { BarePage } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';
import { NewPasswordForm } from './new-password-form';

export function ResetPage({ view, reset, fieldErrors }: { view: View; reset: OpenReset; fieldErrors?: FieldErrors }) {
  const { resets: t } = messages(view);
  const labels = { password: sharedMessages(view).common.newPassword, submit: t.submit };
  return (
    <BarePage {...{ view, fieldErrors }} title={t.pageTitle}>
      <p>{t.pageLead(reset.organizationName)}</p>
      {reset.hasSecondFactor && <p>{reset.endsSecondFactor ? t.factorEnds : t.factorStays}</p>}
      <NewPasswordForm view={view} email={reset.email} labels={labels} fieldErrors={fieldErrors} />
    </BarePage>
  );
}
