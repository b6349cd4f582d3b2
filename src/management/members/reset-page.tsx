import type { Member } from '../../auth/staff/service';
import { MEMBERS } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Choice, FaultSummary, Form } from '../ui/fields';
import type { Faults } from '../ui/form-errors';
import { Page } from '../ui/layout';
import type { View } from '../ui/view';

/** What a link takes away; the second only where there is one. */
export const RESETS = ['password', 'both'] as const;

/** Asks who really wants the new password, and what was lost. */
export function ResetPage({ view, member, faults = {} }: { view: View; member: Member; faults?: Faults }) {
  const words = view.words.resets;
  const options = [
    { value: RESETS[0], label: words.password, hint: words.passwordHint },
    { value: RESETS[1], label: words.both, hint: words.bothHint },
  ];
  return (
    <Page view={view} title={words.title(member.name ?? member.email)}>
      <FaultSummary view={view} faults={faults} />
      <p>
        <strong>{words.identity}</strong>
      </p>
      <p>{words.lead}</p>
      <Form view={view} action={`${MEMBERS}/${member.id}/reset`} once>
        {member.hasSecondFactor ? (
          <Choice name="lost" label={words.what} options={options} value={RESETS[0]} faults={faults} />
        ) : (
          <input type="hidden" name="lost" value={RESETS[0]} />
        )}
        <Decision view={view} act={words.submit} back={MEMBERS} isHarmless />
      </Form>
    </Page>
  );
}
