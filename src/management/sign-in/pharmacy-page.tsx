import type { choicesOf as Choices } from '../../auth/staff/service';
import { pathWith, SIGN_IN } from '../http/paths';
import { Form } from '../ui/fields';
import { Hidden } from '../ui/hidden';
import { BarePage } from '../ui/layout';
import type { View } from '../ui/view';
import { messages } from './messages';

export const PHARMACY = `${SIGN_IN}/pharmacy`;

interface PharmacyProps {
  view: View;
  choices: Awaited<ReturnType<typeof Choices>>;
  next: string;
}

/** Which pharmacy to work at, for whoever has the same password at several. */
export function PharmacyPage({ view, choices, next }: PharmacyProps) {
  const t = messages(view);
  return (
    <BarePage view={view} title={t.choosePharmacy.title}>
      {choices.length > 0 ? <p>{t.choosePharmacy.lead}</p> : <p>{t.choosePharmacy.gone}</p>}
      {choices.length > 0 && (
        <Form view={view} action={PHARMACY}>
          <Hidden name="next" value={next} />
          <div class="acts">
            {choices.map(({ memberId, organizationName }) => (
              <button type="submit" name="member" value={memberId}>
                {organizationName}
              </button>
            ))}
          </div>
        </Form>
      )}
      <p>
        <a href={pathWith(SIGN_IN, next)}>{t.secondStep.again}</a>
      </p>
    </BarePage>
  );
}
