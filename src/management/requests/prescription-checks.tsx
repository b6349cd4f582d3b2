import type { Review } from '../../order-requests/service';
import { NOTE_MAX } from '../../orders/limits';
import { roleHolds } from '../../platform/access';
import { isApproved, isSetAside, type PrescriptionRow } from '../../prescriptions/service';
import { CHECKED_AS } from '../../prescriptions/tables';
import { requestPath } from '../http/paths';
import { Fault, Labeled } from '../ui/fields';
import { formatDate, formatTime } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { Icon, Mark } from '../ui/icons';
import { sharedMessages } from '../ui/messages';
import { whyAside } from '../ui/prescription-panel';
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

/** The prescriptions that a page shows. */
export function prescriptionsOf({ prescriptions }: Pick<Review, 'prescriptions'>): PrescriptionRow[] {
  return prescriptions.filter(({ status }) => status !== 'erased');
}

/** Whether there are prescriptions, or should be. */
export function needsPrescription(review: Pick<Review, 'prescriptions' | 'lines'>): boolean {
  return prescriptionsOf(review).length > 0 || review.lines.some(({ prescriptionRequired }) => prescriptionRequired);
}

/** What staff say of each prescription, below it: one row is shown, that of the prescription that is. */
export function PrescriptionChecks(props: ReviewProps) {
  const { view, review } = props;
  const t = messages(view);
  const rows = prescriptionsOf(review);
  return (
    <div class="checks">
      <Hidden name="seenPrescriptions" value={review.prescriptionsVersion} />
      {mayCheck(view) ? (
        rows.map((row, index) => <Row {...props} row={row} number={index + 1} which={nameOf(view, rows, index)} />)
      ) : rows.some(isToCheck) ? (
        <p class="no-tick">{t.whoMayApprove}</p>
      ) : null}
      {rows.length === 0 && <NoneThere view={view} review={review} />}
    </div>
  );
}

/** What a prescription is called: by its number, if there are several. */
export function nameOf(view: Pick<View, 'language'>, rows: readonly unknown[], index: number): string {
  return rows.length > 1 ? messages(view).prescription(index + 1) : sharedMessages(view).prescriptions.title;
}

/** Says whether one is needed for the items as they are typed. */
function NoneThere({ view, review: { lines } }: Omit<ReviewProps, 'state'>) {
  const t = messages(view);
  const isNeeded = lines.some(({ prescriptionRequired }) => prescriptionRequired);
  const isKnown = lines.length > 0 && lines.every(({ p1Id }) => p1Id !== null);
  return (
    <p class="no-tick" id="no-tick" data-checked={t.unchecked}>
      {isNeeded && t.onlyOverTheCounter}
      {!isNeeded && isKnown && (
        <>
          <Mark name="done" />
          <span>{t.noneNeeded}</span>
        </>
      )}
    </p>
  );
}

type RowProps = ReviewProps & { row: PrescriptionRow; number: number; which: string };

function Row(props: RowProps) {
  const { view, review, row, number, which } = props;
  const t = messages(view);
  if (isSetAside(row)) {
    return (
      <p class={`check no-tick of-${number}`}>
        <Mark name="aside" />
        <span>
          {t.aside(which)} <bdi>{whyAside(view, row)}</bdi>{' '}
          <button
            class="plain"
            type="submit"
            name="undo"
            value={row.id}
            formaction={`${requestPath(review.request.id)}/set-aside`}
          >
            {t.takeBack}
          </button>
        </span>
      </p>
    );
  }
  return row.status === 'stored' ? <Check {...props} /> : null;
}

/** The tick of a prescription with what was checked; of one that was checked before, to check it for other items. */
function Check({ view, review, state, row, number, which }: RowProps) {
  const t = messages(view);
  const typed = state.checks?.find(({ id }) => id === row.id);
  const { fieldErrors = {} } = state;
  const name = `checked-${row.id}`;
  const isMissing =
    isToCheck(row) || review.blockers.some(({ code }) => code === 'prescription_not_covering' && isApproved(row));
  return (
    <fieldset class={`check of-${number}`} aria-label={which}>
      <Fault name={name} text={fieldErrors[name]} />
      <label class="tick">
        <input
          type="checkbox"
          id={name}
          name={name}
          value={row.sha256 ?? ''}
          checked={typed?.sha256 === row.sha256}
          data-tick={isMissing}
          data-tab={`show-${number}`}
          data-seen={`pdf-${row.id} open-${row.id}`}
          aria-keyshortcuts={view.hasShortcuts && isMissing ? 'a' : undefined}
          aria-describedby={fieldErrors[name] && `${name}-fault`}
        />
        <span>
          <strong>{isApproved(row) ? sharedMessages(view).prescriptions.approveAgain : t.checkedOne(which)}</strong>
          {row.approvedAt !== null && (
            <small>{t.checkedBefore(which, formatTime(view.language, row.approvedAt))}</small>
          )}
          {row.fileFault && <small class="fault">{sharedMessages(view).prescriptions.fileFaults[row.fileFault]}</small>}
          <small class="later">{t.originalFollows}</small>
        </span>
      </label>
      <Labeled
        name={`as-${row.id}`}
        label={t.checkedAs}
        control={(attributes) => (
          <select {...attributes}>
            {CHECKED_AS.map((as) => (
              <option value={as} selected={as === (typed?.as ?? row.checkedAs ?? CHECKED_AS[0])}>
                {t.checkedAsTexts[as]}
              </option>
            ))}
          </select>
        )}
      />
      <Labeled
        name={`issued-${row.id}`}
        label={t.issuedOn}
        error={fieldErrors[`issued-${row.id}`]}
        control={(attributes) => (
          <input
            {...attributes}
            value={typed?.issuedOn ?? (row.issuedOn ? formatDate(view.language, Date.parse(row.issuedOn)) : '')}
            placeholder={t.issuedOnHint}
            inputmode="numeric"
            autocomplete="off"
          />
        )}
      />
    </fieldset>
  );
}

/** Sets a prescription aside that does not belong to the request, with a reason. */
export function SetAside({ view, review, state, row, number }: ReviewProps & { row: PrescriptionRow; number: number }) {
  const { prescriptions: shared } = sharedMessages(view);
  const t = messages(view);
  const name = `aside-${row.id}`;
  const error = state.fieldErrors?.[name];
  const typed = state.checks?.find(({ id }) => id === row.id)?.asideReason ?? '';
  const which = nameOf(view, prescriptionsOf(review), number - 1);
  return (
    <details class={`pop of-${number}`} data-pop data-unchecked open={error !== undefined || typed !== ''}>
      <summary class="button ghost" title={shared.setAsideAsk}>
        <span>{t.asideShort}</span>
        <Icon name="down" />
      </summary>
      <div class="sheet">
        <h3>{t.asideTitle(which)}</h3>
        <Labeled
          name={name}
          label={shared.setAsideReason}
          hint={t.asideHint}
          error={error}
          control={(attributes) => (
            <input {...attributes} value={typed} list={`${name}-reasons`} maxlength={NOTE_MAX} autocomplete="off" />
          )}
        />
        <datalist id={`${name}-reasons`}>
          {t.asideReasons.map((reason) => (
            <option value={reason}></option>
          ))}
        </datalist>
        <div class="ends">
          <button type="submit" name="aside" value={row.id} formaction={`${requestPath(review.request.id)}/set-aside`}>
            {t.asideNow}
          </button>
        </div>
      </div>
    </details>
  );
}
