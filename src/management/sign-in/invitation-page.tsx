import type { OpenInvitation } from '../../auth/staff/service';
import { Field, type FormState } from '../ui/fields';
import { BarePage } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';
import { NewPasswordForm } from './new-password-form';

interface InvitationProps {
  view: View;
  invitation: OpenInvitation;
  typed: FormState<'name'>;
}

export function InvitationPage({ view, invitation, typed }: InvitationProps) {
  const { roles } = sharedMessages(view);
  const { invitation: t, password } = messages(view);
  const { fieldErrors } = typed;
  const labels = { password, submit: t.submit };
  return (
    <BarePage {...{ view, fieldErrors }} title={t.title}>
      <p>{t.lead(invitation.organizationName, roles[invitation.role])}</p>
      <NewPasswordForm {...{ view, labels, fieldErrors }} email={invitation.email}>
        <Field name="name" label={t.name} hint={t.nameHint} form={typed} autocomplete="name" />
      </NewPasswordForm>
    </BarePage>
  );
}
