import { NOTE_MAX } from '../../orders/limits';
import { roleHolds } from '../../platform/access';
import { isApproved, isSetAside, type PrescriptionRow } from '../../prescriptions/service';
import { CHECKED_AS } from '../../prescriptions/tables';
import { requestPath } from '../http/paths';
import { Fault, Labeled } from '../ui/fields';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';
import type { ReviewProps } from './review-state';

/** Whether the reader may look at prescriptions and check them. */
export function mayCheck({ session }: Pick<View, 'session'>): boolean {
  return session !== undefined && roleHolds(session.role, 'prescriptions.write');
}

/** Whether a prescription waits for its tick. */
export function isToCheck(row: PrescriptionRow): boolean {
  return row.status === 'stored' && !isApproved(row) && !isSetAside(row);
}

/**
 * Of each prescription what staff say of it: part of the form of the lines, so that one approval is made of both, and nothing
 * typed is lost when one is set aside.
 */
export function PrescriptionChecks({ view, review, state }: ReviewProps) {
  const rows = review.prescriptions.filter(({ status }) => status !== 'erased');
  return (
    <>
      <input type="hidden" name="seenPrescriptions" value={review.prescriptionsVersion} />
      {mayCheck(view) &&
        rows.map((row, index) => (
          <fieldset class="line">
            <legend>{`${sharedMessages(view).prescriptions.title} ${index + 1}`}</legend>
            {isToCheck(row) && <Check {...{ view, state, row }} />}
            <SetAside {...{ view, review, state, row }} />
          </fieldset>
        ))}
    </>
  );
}

type RowProps = Omit<ReviewProps, 'review'> & { row: PrescriptionRow };

function Check({ view, state, row }: RowProps) {
  const t = messages(view);
  const typed = state.checks?.find(({ id }) => id === row.id);
  const { fieldErrors = {} } = state;
  const name = `checked-${row.id}`;
  return (
    <>
      <Fault name={name} text={fieldErrors[name]} />
      <label class="choice">
        <input
          type="checkbox"
          id={name}
          name={name}
          value={row.sha256 ?? ''}
          checked={typed?.sha256 === row.sha256}
          aria-describedby={fieldErrors[name] && `${name}-fault`}
        />
        <span>{t.checked}</span>
      </label>
      <Labeled
        name={`as-${row.id}`}
        label={t.checkedAs}
        control={(attributes) => (
          <select {...attributes}>
            {CHECKED_AS.map((as) => (
              <option value={as} selected={as === (typed?.as ?? CHECKED_AS[0])}>
                {t.checkedAsTexts[as]}
              </option>
            ))}
          </select>
        )}
      />
      <Labeled
        name={`issued-${row.id}`}
        label={sharedMessages(view).common.optional(t.issuedOn)}
        hint={t.issuedOnHint}
        error={fieldErrors[`issued-${row.id}`]}
        control={(attributes) => <input {...attributes} value={typed?.issuedOn ?? ''} autocomplete="off" />}
      />
    </>
  );
}

/** Sets a prescription aside that does not belong to the request, with a reason; or takes it back. */
function SetAside({ view, review, state, row }: RowProps & Pick<ReviewProps, 'review'>) {
  const { prescriptions: t } = sharedMessages(view);
  const path = `${requestPath(review.request.id)}/set-aside`;
  if (isSetAside(row)) {
    return (
      <p>
        {`${t.setAside}: `}
        <bdi>{row.setAsideReason}</bdi>{' '}
        <button class="plain" type="submit" name="undo" value={row.id} formaction={path}>
          {t.takeBack}
        </button>
      </p>
    );
  }
  const name = `aside-${row.id}`;
  const error = state.fieldErrors?.[name];
  return (
    <details class="fold" open={error !== undefined}>
      <summary>{t.setAsideAsk}</summary>
      <Labeled
        name={name}
        label={t.setAsideReason}
        error={error}
        control={(attributes) => (
          <input
            {...attributes}
            value={state.checks?.find(({ id }) => id === row.id)?.asideReason ?? ''}
            maxlength={NOTE_MAX}
            autocomplete="off"
          />
        )}
      />
      <button type="submit" name="aside" value={row.id} formaction={path}>
        {t.setAsideNow}
      </button>
    </details>
  );
}
