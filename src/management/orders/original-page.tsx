import type { LeavingOrder } from '../../orders/service';
import { roleHolds } from '../../platform/access';
import { dayOf } from '../../platform/pharmacy-time';
import { orderPath } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Form, Labeled } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { leavingMessages } from './leaving-messages';

export const issuedField = (prescriptionId: string) => `issued-${prescriptionId}`;

interface Props {
  view: View;
  leaving: LeavingOrder;
  /** Dates of issue as typed, by field. */
  typed: Readonly<Record<string, string>>;
  fieldErrors?: FieldErrors;
}

/** Once the original of a prescription has come that was approved from a copy: is it the same, and which day does it bear? */
export function OriginalPage({ view, leaving: { order, copies }, typed, fieldErrors }: Props) {
  const { common, prescriptions } = sharedMessages(view);
  const t = leavingMessages(view);
  const path = orderPath(order.id);
  if (!view.session || !roleHolds(view.session.role, 'prescriptions.write')) {
    return (
      <Page view={view} title={t.originalTitle(order.number)} isDialog>
        <p>{t.originalFor}</p>
        <div class="ends">
          <a class="button" href={path}>
            {common.back}
          </a>
        </div>
      </Page>
    );
  }
  return (
    <Page view={view} title={t.originalTitle(order.number)} fieldErrors={fieldErrors} isDialog>
      <p>{t.originalLead}</p>
      <Form view={view} action={`${path}/original`} isGuarded>
        {copies.map(({ id, issuedOn }) => (
          <>
            <p>
              <a href={`/manage/prescriptions/${id}/pdf`} target="_blank" rel="noopener">
                {prescriptions.newTab}
              </a>
            </p>
            <Labeled
              name={issuedField(id)}
              label={common.optional(t.issuedOn)}
              error={fieldErrors?.[issuedField(id)]}
              control={(attributes) => (
                <input
                  {...attributes}
                  type="date"
                  value={typed[issuedField(id)] ?? issuedOn ?? ''}
                  max={dayOf(view.now)}
                />
              )}
            />
          </>
        ))}
        <Decision view={view} act={t.originalChecked} back={path} isHarmless>
          <a class="button danger" href={`${path}/hold?reason=original`}>
            {t.originalDiffers}
          </a>
        </Decision>
      </Form>
    </Page>
  );
}
