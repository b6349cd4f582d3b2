import type { Member } from '../../auth/staff/service';
import { MEMBERS } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Form, RadioGroup } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Hidden } from '../ui/hidden';
import { Page } from '../ui/layout';
import type { View } from '../ui/view';
import { messages } from './messages';

/** What a link resets: the password, or the password and the second factor if the member has one. */
export const RESETS = ['password', 'both'] as const;

/** Reminds the owner to verify who asks for the new password, and asks what was lost. */
export function ResetPage({ view, member, fieldErrors }: { view: View; member: Member; fieldErrors?: FieldErrors }) {
  const { resets: t } = messages(view);
  const options = [
    { value: RESETS[0], label: t.password, hint: t.passwordHint },
    { value: RESETS[1], label: t.both, hint: t.bothHint },
  ];
  return (
    <Page view={view} title={t.title(member.name ?? member.email)} fieldErrors={fieldErrors} isDialog>
      <p>
        <strong>{t.identity}</strong>
      </p>
      <p>{t.lead}</p>
      <Form view={view} action={`${MEMBERS}/${member.id}/reset`} once>
        {member.hasSecondFactor ? (
          <RadioGroup name="lost" label={t.what} options={options} form={{ lost: RESETS[0], fieldErrors }} />
        ) : (
          <Hidden name="lost" value={RESETS[0]} />
        )}
        <Decision view={view} act={t.submit} back={MEMBERS} isHarmless />
      </Form>
    </Page>
  );
}
