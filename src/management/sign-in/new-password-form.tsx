import type { Child } from '../../platform/markup/markup';
import { Field, Form, Submit } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { NewPassword } from '../ui/password-fields';
import type { View } from '../ui/view';

interface NewPasswordProps {
  view: View;
  email: string;
  /** Of the password and of the button. */
  labels: { password: string; submit: string };
  fieldErrors?: FieldErrors;
  children?: Child;
}

/** The form of a link with which a person chooses a password. The address is for password managers. */
export function NewPasswordForm({ view, email, labels, fieldErrors, children }: NewPasswordProps) {
  return (
    <Form view={view} action={view.path}>
      <Field
        name="email"
        type="email"
        label={sharedMessages(view).common.email}
        value={email}
        autocomplete="username"
        readonly
      />
      {children}
      <NewPassword view={view} name="password" label={labels.password} fieldErrors={fieldErrors} />
      <Submit>{labels.submit}</Submit>
    </Form>
  );
}
