import { PASSWORD_LENGTH_MIN } from '../../auth/limits';
import type { SECRET_FIELDS } from '../http/form-data';
import { Field } from './fields';
import type { FieldErrors } from './form-errors';
import { sharedMessages } from './messages';
import type { View } from './view';

interface PasswordProps {
  name: (typeof SECRET_FIELDS)[number];
  label: string;
  fieldErrors?: FieldErrors;
}

/** For the password that a person has. */
export function CurrentPassword(props: PasswordProps & { autofocus?: boolean }) {
  return <Field type="password" autocomplete="current-password" {...props} />;
}

/** For a password that a person chooses, with what it has to be. */
export function NewPassword({ view, ...props }: PasswordProps & { view: View }) {
  const hint = sharedMessages(view).passwordHint(PASSWORD_LENGTH_MIN);
  return <Field type="password" hint={hint} autocomplete="new-password" {...props} />;
}
