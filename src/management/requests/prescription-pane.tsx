import type { Review } from '../../order-requests/service';
import { isApproved, isSetAside, type PrescriptionRow } from '../../prescriptions/service';
import { requestPath } from '../http/paths';
import { Icon, Mark } from '../ui/icons';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { UPLOAD_FIELD, UploadFields } from '../ui/upload';
import type { View } from '../ui/view';
import { messages } from './messages';
import { isToCheck, mayCheck, nameOf, prescriptionsOf, SetAside } from './prescription-checks';
import type { ReviewProps } from './review-state';

/** Prescriptions, one of them shown: the others are tabs. Only some roles see the files. */
export function PrescriptionPane({ view, review, state }: ReviewProps) {
  const t = messages(view);
  const shared = sharedMessages(view).prescriptions;
  const rows = prescriptionsOf(review);
  const isRead = mayCheck(view);
  const [only] = rows.length === 1 ? rows : [];
  return (
    <section class="rx-pane" id="prescription" tabindex={-1} aria-label={shared.title}>
      <div class="rx-head">
        <h2 class={rows.length > 1 ? 'unseen' : undefined}>{shared.title}</h2>
        {only && <State view={view} row={only} number={1} />}
        {rows.length === 0 && (
          <Chip tone="bad" isFilled>
            {shared.states.missing}
          </Chip>
        )}
        {rows.length > 1 && isRead && <Tabs view={view} review={review} state={state} />}
        {isRead && rows.length > 0 && (
          <div class="acts">
            {rows.map((row, index) => (
              <FileActs {...{ view, review, state, row }} number={index + 1} />
            ))}
            <button
              type="button"
              class="ghost icon"
              hidden
              data-wide=""
              aria-pressed={state.isWide ?? false}
              title={t.wider}
              aria-label={t.wider}
            >
              <Icon name="wide" />
            </button>
          </div>
        )}
      </div>
      {isRead && rows.map((row, index) => <File {...{ view, review, row }} number={index + 1} />)}
      {!isRead && rows.length > 0 && <Hidden view={view} review={review} count={rows.length} />}
      {isFileMissing(review) && (
        <div class={rows.length === 0 ? 'empty' : 'empty more'}>
          {rows.length === 0 && <Icon name="sheet" />}
          {rows.length === 0 && <h3>{t.noneSent}</h3>}
          <p class="quiet">{isRead ? t.noneSentHint : t.whoMayCheck(namesIn(view, review))}</p>
          <Upload {...{ view, review, state }} />
        </div>
      )}
    </section>
  );
}

/** Files a prescription, with all that is typed on the page. */
function Upload({ view, review: { request }, state }: ReviewProps) {
  if (!mayCheck(view) || request.status !== 'pending') return null;
  return (
    <div class="upload" data-unchecked>
      <UploadFields view={view} action={`${requestPath(request.id)}/prescription`} fieldErrors={state.fieldErrors} />
    </div>
  );
}

/** The same, folded away where no item needs one. */
export function FoldedUpload(props: ReviewProps) {
  const { view, review, state } = props;
  if (!mayCheck(view) || review.request.status !== 'pending') return null;
  return (
    <details class="fold" open={state.fieldErrors?.[UPLOAD_FIELD] !== undefined}>
      <summary>{sharedMessages(view).prescriptions.upload}</summary>
      <Upload {...props} />
    </details>
  );
}

/** No file is there or on its way. */
function isFileMissing(review: Review): boolean {
  const attached = prescriptionsOf(review).filter((row) => !isSetAside(row));
  return !attached.some(({ status }) => status === 'stored' || status === 'fetching');
}

/** The number of the prescription that the page shows at first: a fault's, else the first to check. */
function firstShown({ review, state }: Pick<ReviewProps, 'review' | 'state'>): number {
  const rows = prescriptionsOf(review);
  const { fieldErrors = {} } = state;
  const isFaulty = ({ id }: PrescriptionRow) =>
    ['checked', 'issued', 'aside'].some((name) => `${name}-${id}` in fieldErrors);
  const isTicked = ({ id }: PrescriptionRow) => state.checks?.some((each) => each.id === id && each.sha256 !== '');
  const first = [isFaulty, (row: PrescriptionRow) => isToCheck(row) && !isTicked(row)]
    .map((isOne) => rows.findIndex(isOne))
    .find((index) => index >= 0);
  return (first ?? 0) + 1;
}

function Tabs({ view, review, state }: ReviewProps) {
  const t = messages(view);
  const shown = firstShown({ review, state });
  return (
    <div class="rx-tabs" role="radiogroup" aria-label={t.whichPrescription} data-unchecked>
      {prescriptionsOf(review).map((row, index) => (
        <label class={`tab-${index + 1}`}>
          <input class="unseen" type="radio" name="shown" id={`show-${index + 1}`} checked={index + 1 === shown} />
          {isToCheck(row) ? (
            <>
              <span class="is-open">
                <Mark name="open" />
              </span>
              <span class="is-done">
                <Mark name="done" />
              </span>
            </>
          ) : (
            <Mark name={markOf(row)} />
          )}
          <span>
            <span class="long">{sharedMessages(view).prescriptions.title} </span>
            {index + 1}
          </span>
        </label>
      ))}
    </div>
  );
}

function markOf(row: PrescriptionRow) {
  if (isSetAside(row)) return 'aside';
  if (isApproved(row)) return 'done';
  return row.status === 'fetch_failed' ? 'failed' : 'half';
}

function namesIn({ language }: View, { checkers }: Review): string {
  return new Intl.ListFormat(language).format(checkers);
}

/** What became of it; of one that waits for its tick both states, of which the tick shows one. */
function State({ view, row, number }: { view: View; row: PrescriptionRow; number: number }) {
  const { states } = sharedMessages(view).prescriptions;
  if (isSetAside(row)) {
    return (
      <Chip tone="off" mark="aside" isFilled>
        {states.set_aside}
      </Chip>
    );
  }
  if (row.status === 'fetch_failed') {
    return (
      <Chip tone="bad" mark="failed" isFilled>
        {states.fetch_failed}
      </Chip>
    );
  }
  if (row.status !== 'stored') {
    return (
      <Chip tone="off" mark="half" isFilled>
        {states.fetching}
      </Chip>
    );
  }
  return (
    <span class={`rx-state tab-${number}`}>
      {isToCheck(row) && (
        <span class="is-open">
          <Chip tone="off" isFilled>
            {states.stored}
          </Chip>
        </span>
      )}
      <span class={isToCheck(row) ? 'is-done' : undefined}>
        <Chip tone="good" isFilled>
          {states.approved}
        </Chip>
      </span>
    </span>
  );
}

type FileProps = Omit<ReviewProps, 'state'> & { row: PrescriptionRow; number: number };

/** Chrome's viewer shows pictures of the pages in half of a pane otherwise; others ignore it. */
const SHOWN_WHOLE = '#navpanes=0&view=FitH';

function fileOf({ id }: PrescriptionRow): string {
  return `/manage/prescriptions/${id}/pdf`;
}

/** What can be done with a file, at the end of the head. */
function FileActs(props: FileProps & Pick<ReviewProps, 'state'>) {
  const { view, review, row, number } = props;
  const label = `${nameOf(view, prescriptionsOf(review), number - 1)}: ${sharedMessages(view).prescriptions.newTab}`;
  return (
    <>
      {review.request.status === 'pending' && !isSetAside(row) && <SetAside {...props} />}
      {row.status === 'stored' && (
        <a
          class={`button ghost icon of-${number}`}
          id={`open-${row.id}`}
          href={fileOf(row)}
          target="_blank"
          rel="noopener"
          title={label}
        >
          <Icon name="out" />
          <span class="unseen">{label}</span>
        </a>
      )}
    </>
  );
}

function File({ view, review, row, number }: FileProps) {
  const t = messages(view);
  const shared = sharedMessages(view).prescriptions;
  if (row.status === 'stored') {
    return (
      <div class={`pdf of-${number}`}>
        <iframe
          id={`pdf-${row.id}`}
          src={`${fileOf(row)}${SHOWN_WHOLE}`}
          title={nameOf(view, prescriptionsOf(review), number - 1)}
          loading="lazy"
        ></iframe>
      </div>
    );
  }
  return (
    <div class={`empty of-${number}`}>
      <Icon name="sheet" />
      <p>{row.status === 'fetching' ? t.fetching : t.fetchFailed}</p>
      {row.status === 'fetch_failed' && !isSetAside(row) && (
        <button type="submit" formaction={`${requestPath(review.request.id)}/prescriptions/${row.id}/fetch`}>
          {shared.fetchAgain}
        </button>
      )}
    </div>
  );
}

/** For who may not see them: that there are some, and who may. */
function Hidden({ view, review, count }: Omit<ReviewProps, 'state'> & { count: number }) {
  const t = messages(view);
  return (
    <div class="empty">
      <Icon name="sheet" />
      <h3>{t.thereAre(count)}</h3>
      <p class="quiet">{t.whoMayCheck(namesIn(view, review))}</p>
    </div>
  );
}
