import { PASSWORD_LENGTH_MIN } from '../../auth/limits';
import type { OpenInvitation } from '../../auth/staff/service';
import { ErrorSummary, Field, Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { BarePage } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';

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
  const shared = sharedMessages(view);
  const t = messages(view);
  const { name, fieldErrors = {} } = typed ?? {};
  return (
    <BarePage view={view} title={t.invitation.title}>
      <ErrorSummary view={view} fieldErrors={fieldErrors} />
      <p>{t.invitation.lead(invitation.organizationName, shared.roles[invitation.role])}</p>
      <Form view={view} action={view.path}>
        <Field
          name="email"
          type="email"
          label={t.invitation.email}
          value={invitation.email}
          autocomplete="username"
          readonly
        />
        <Field
          name="name"
          label={t.invitation.name}
          hint={t.invitation.nameHint}
          value={name}
          fieldErrors={fieldErrors}
          autocomplete="name"
        />
        <Field
          name="password"
          type="password"
          label={t.invitation.password}
          hint={shared.passwordHint(PASSWORD_LENGTH_MIN)}
          fieldErrors={fieldErrors}
          autocomplete="new-password"
        />
        <button class="primary" type="submit">
          {t.invitation.submit}
        </button>
      </Form>
    </BarePage>
  );
}
