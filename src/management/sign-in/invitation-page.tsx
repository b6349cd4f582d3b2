import type { OpenInvitation } from '../../auth/staff/service';
import { Field } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { BarePage } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';
import { NewPasswordForm } from './new-password-form';

export interface TypedPerson {
  name: string;
  fieldErrors: FieldErrors;
}

interface InvitationProps {
  view: View;
  invitation: OpenInvitation;
  typed?: TypedPerson;
}

export function InvitationPage({ view, invitation, typed }: InvitationProps) {
  const { roles } = sharedMessages(view);
  const t = messages(view);
  const { name, fieldErrors = {} } = typed ?? {};
  return (
    <BarePage {...{ view, fieldErrors }} title={t.invitation.title}>
      <p>{t.invitation.lead(invitation.organizationName, roles[invitation.role])}</p>
      <NewPasswordForm
        {...{ view, fieldErrors }}
        email={invitation.email}
        password={t.password}
        submit={t.invitation.submit}
      >
        <Field
          name="name"
          label={t.invitation.name}
          hint={t.invitation.nameHint}
          value={name}
          fieldErrors={fieldErrors}
          autocomplete="name"
        />
      </NewPasswordForm>
    </BarePage>
  );
}
