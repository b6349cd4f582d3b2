import type { Review } from '../../order-requests/inbox/inbox';
import { NOTE_MAX, TEXT_MAX } from '../../orders/limits';
import { dayOf } from '../../platform/pharmacy-time';
import { choicesOf, verificationOf } from '../../prescriptions/check';
import { isApproved, isReadingCopy, isSetAside } from '../../prescriptions/coverage';
import type { PrescriptionRow } from '../../prescriptions/store';
import { requestPath } from '../http/paths';
import { Fault, Field, Hidden, Select, UPLOAD_FIELD, UploadFields } from '../ui/fields';
import { formatDate, formatTime } from '../ui/format';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { whyAside } from '../ui/panels';
import { Icon, Mark } from '../ui/parts';
import { mayUse, useView, type View } from '../ui/view';
import { messages } from './messages';
import type { ReviewProps, TypedCheck } from './review-state';
import { Signature, signedAtOf } from './signature';

/** Prescriptions, one shown at a time, with tabs. Only some roles see the files. */
export function PrescriptionPane({ review, state }: ReviewProps) {
  const t = messages();
  const shared = sharedMessages().prescriptions;
  const rows = prescriptionsOf(review);
  const isRead = mayCheck();
  const isThere = rows.some((row) => !isSetAside(row) && (row.status === 'stored' || row.status === 'fetching'));
  const [only] = rows.length === 1 ? rows : [];
  // A single file needs no title, because its checkbox and the sentence about its signature are beside it.
  const isSole = isRead && only !== undefined && review.request.status === 'pending' && isToCheck(only, rows);
  const head = (
    <div class={isSole ? 'rx-head sole' : 'rx-head'}>
      <h2 class={rows.length > 1 || isSole ? 'unseen' : undefined}>{shared.title}</h2>
      {only && !isSole && <State row={only} />}
      {rows.length === 0 && (
        <Chip tone="bad" isFilled>
          {shared.states.missing}
        </Chip>
      )}
      {rows.length > 1 && isRead && <Tabs review={review} state={state} />}
      {isRead && rows.length > 0 && (
        <div class="acts">
          {rows.map((row, index) => (
            <FileActs {...{ review, state, row }} number={index + 1} />
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
  );
  return (
    <section class="rx-pane" id="prescription" tabindex={-1} aria-label={shared.title}>
      {!isSole && head}
      {isRead && rows.map((row, index) => <Signature {...{ review, row }} number={index + 1} />)}
      {isSole && head}
      {isRead && rows.map((row, index) => <File {...{ review, row }} number={index + 1} />)}
      {!isRead && rows.length > 0 && (
        <div class="empty">
          <Icon name="sheet" />
          <h3>{t.thereAre(rows.length)}</h3>
          <p class="quiet">{t.whoMayCheck(namesIn(useView(), review))}</p>
        </div>
      )}
      {!isThere && (
        <div class={rows.length === 0 ? 'empty' : 'empty more'}>
          {rows.length === 0 && <Icon name="sheet" />}
          {rows.length === 0 && <h3>{t.noneSent}</h3>}
          <p class="quiet">{isRead ? t.noneSentHint : t.whoMayCheck(namesIn(useView(), review))}</p>
          <Upload {...{ review, state }} />
        </div>
      )}
    </section>
  );
}

/**
 * The field and button that upload a prescription. They are part of the request's form, so all other typed values are
 * kept.
 */
function Upload({ review: { request }, state }: ReviewProps) {
  if (!mayCheck() || request.status !== 'pending') return null;
  return (
    <div class="upload" data-unchecked>
      <UploadFields action={`${requestPath(request.id)}/prescription`} fieldErrors={state.fieldErrors} />
    </div>
  );
}

/** The upload form, folded because no item needs a prescription. */
export function FoldedUpload(props: ReviewProps) {
  const { review, state } = props;
  if (!mayCheck() || review.request.status !== 'pending') return null;
  return (
    <details class="fold" open={state.fieldErrors?.[UPLOAD_FIELD] !== undefined}>
      <summary>{sharedMessages().prescriptions.upload}</summary>
      <Upload {...props} />
    </details>
  );
}

/**
 * The number (from 1) of the prescription that is shown first. It is the first one with an error, else the first one
 * that must be checked and is not ticked, else 1.
 */
function firstShown({ review, state }: Pick<ReviewProps, 'review' | 'state'>): number {
  const rows = prescriptionsOf(review);
  const { fieldErrors = {} } = state;
  const isFaulty = ({ id }: PrescriptionRow) =>
    ['checked', 'as', 'confirm', 'issued', 'aside'].some((name) => `${name}-${id}` in fieldErrors);
  const isTicked = ({ id }: PrescriptionRow) => state.checks?.some((each) => each.id === id && each.sha256 !== '');
  const first = [isFaulty, (row: PrescriptionRow) => isToCheck(row, rows) && !isTicked(row)]
    .map((isOne) => rows.findIndex(isOne))
    .find((index) => index >= 0);
  return (first ?? 0) + 1;
}

function Tabs({ review, state }: ReviewProps) {
  const shown = firstShown({ review, state });
  const rows = prescriptionsOf(review);
  return (
    <div class="rx-tabs" role="radiogroup" aria-label={messages().whichPrescription} data-unchecked>
      {rows.map((row, index) => (
        <label class={`tab-${index + 1}`}>
          <input class="unseen" type="radio" name="shown" id={`show-${index + 1}`} checked={index + 1 === shown} />
          {isToCheck(row, rows) ? (
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
            <span class="long">{sharedMessages().prescriptions.title} </span>
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

/** The state of a prescription. */
function State({ row }: { row: PrescriptionRow }) {
  const name = stateOf(row);
  return (
    <Chip {...STATES[name]} isFilled>
      {sharedMessages().prescriptions.states[name]}
    </Chip>
  );
}

const STATES = {
  set_aside: { tone: 'off', mark: 'aside' },
  fetch_failed: { tone: 'bad', mark: 'failed' },
  fetching: { tone: 'off', mark: 'half' },
  stored: { tone: 'off' },
  approved: { tone: 'good' },
} as const;

function stateOf(row: PrescriptionRow): keyof typeof STATES {
  if (isSetAside(row)) return 'set_aside';
  if (row.status === 'fetch_failed') return row.status;
  if (row.status !== 'stored') return 'fetching';
  return isToCheck(row, [row]) ? 'stored' : 'approved';
}

type FileProps = Omit<ReviewProps, 'state'> & { row: PrescriptionRow; number: number };

function fileOf({ id }: PrescriptionRow): string {
  return `/manage/prescriptions/${id}/pdf`;
}

/** The actions for a prescription's file: the form that sets it aside, and the link that opens it. */
function FileActs(props: FileProps & Pick<ReviewProps, 'state'>) {
  const { review, row, number } = props;
  const label = `${nameOf(useView(), prescriptionsOf(review), number - 1)}: ${sharedMessages().prescriptions.newTab}`;
  return (
    <>
      {review.request.status === 'pending' && !isSetAside(row) && <SetAside {...props} />}
      {row.status === 'stored' && (
        <a class={`button ghost icon of-${number}`} href={fileOf(row)} target="_blank" rel="noopener" title={label}>
          <Icon name="out" />
          <span class="unseen">{label}</span>
        </a>
      )}
    </>
  );
}

function File({ review, row, number }: FileProps) {
  const t = messages();
  const shared = sharedMessages().prescriptions;
  if (row.status === 'stored') {
    return (
      <div class={`pdf of-${number}`}>
        <iframe
          id={`pdf-${row.id}`}
          src={`/manage/prescriptions/${row.id}/view`}
          title={nameOf(useView(), prescriptionsOf(review), number - 1)}
          loading="lazy"
        ></iframe>
      </div>
    );
  }
  return (
    <div class={`empty of-${number}`}>
      <Icon name="sheet" />
      <p>{row.status === 'fetching' ? t.fetching : t.blockerTexts.prescription_fetch_failed}</p>
      {row.status === 'fetch_failed' && !isSetAside(row) && (
        <button type="submit" formaction={`${requestPath(review.request.id)}/prescriptions/${row.id}/fetch`}>
          {shared.fetchAgain}
        </button>
      )}
    </div>
  );
}

/** Whether the reader may see and check prescriptions. */
export function mayCheck(): boolean {
  return mayUse('prescriptions.write');
}

/** Whether a prescription still has to be checked. @param rows all prescriptions of its request */
function isToCheck(row: PrescriptionRow, rows: readonly PrescriptionRow[]): boolean {
  return row.status === 'stored' && !isApproved(row) && !isSetAside(row) && !isReadingCopy(row, rows);
}

/** The prescriptions that still have to be checked. */
export function toCheck({ prescriptions }: Pick<Review, 'prescriptions'>): PrescriptionRow[] {
  return prescriptions.filter((row) => isToCheck(row, prescriptions));
}

/** The prescriptions that are not erased. */
export function prescriptionsOf({ prescriptions }: Pick<Review, 'prescriptions'>): PrescriptionRow[] {
  return prescriptions.filter(({ status }) => status !== 'erased');
}

/** Whether the request has a prescription that is not erased, or a line that needs one. */
export function needsPrescription(review: Pick<Review, 'prescriptions' | 'lines'>): boolean {
  return prescriptionsOf(review).length > 0 || review.lines.some(({ prescriptionRequired }) => prescriptionRequired);
}

/**
 * The fields for checking each prescription. Only those of the shown prescription are visible. People who may not check
 * see a hint instead, if a check is missing.
 */
export function PrescriptionChecks(props: ReviewProps) {
  const { review } = props;
  const view = useView();
  const rows = prescriptionsOf(review);
  return (
    <div class="checks">
      <Hidden name="seenPrescriptions" value={review.prescriptionsVersion} />
      {mayCheck() ? (
        rows.map((row, index) => <Row {...props} row={row} number={index + 1} which={nameOf(view, rows, index)} />)
      ) : toCheck(review).length > 0 ? (
        <p class="no-tick">{messages().whoMayApprove}</p>
      ) : null}
      {rows.length === 0 && <NoneThere review={review} />}
    </div>
  );
}

/** The name of a prescription, with its number if there are several. */
function nameOf(view: Pick<View, 'language'>, rows: readonly unknown[], index: number): string {
  return rows.length > 1 ? messages(view).prescription(index + 1) : sharedMessages(view).prescriptions.title;
}

/**
 * For a request without prescriptions, says whether the typed items need one. Says nothing while a product is unknown.
 */
function NoneThere({ review: { lines } }: Omit<ReviewProps, 'state'>) {
  const t = messages();
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
  const { review, row, number, which } = props;
  const t = messages();
  if (isSetAside(row)) {
    return (
      <p class={`check no-tick of-${number}`}>
        <Mark name="aside" />
        <span>
          {t.aside(which)} <bdi>{whyAside(row)}</bdi>{' '}
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

/**
 * The checkbox and fields with which a person confirms that a prescription was checked. A checked prescription can be
 * checked again for other items.
 */
function Check({ review, state, row, number, which }: RowProps) {
  const t = messages();
  const typed = state.checks?.find(({ id }) => id === row.id);
  const { fieldErrors = {} } = state;
  const name = `checked-${row.id}`;
  const rows = prescriptionsOf(review);
  const isMissing =
    isToCheck(row, rows) || review.blockers.some(({ code }) => code === 'prescription_not_covering' && isApproved(row));
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
          data-seen={`pdf-${row.id}`}
          aria-keyshortcuts={useView().hasShortcuts && isMissing ? 'a' : undefined}
          aria-describedby={fieldErrors[name] && `${name}-fault`}
        />
        <span>
          <strong>{isApproved(row) ? sharedMessages().prescriptions.approveAgain : t.checkedOne(which)}</strong>
          {row.approvedAt !== null && <small>{t.checkedBefore(which, formatTime(row.approvedAt))}</small>}
          {row.reference && (
            <small>
              <bdi>{row.reference}</bdi>
            </small>
          )}
          {row.fileFault && <small class="fault">{sharedMessages().prescriptions.fileFaults[row.fileFault]}</small>}
          <small class="seen-pages" data-says={t.viewer.seen} hidden></small>
          {isReadingCopy(row, rows) && <small>{t.readingCopy}</small>}
        </span>
      </label>
      <p class="unopened" hidden={!isUnopenable(row)}>
        <Mark name="blocked" />
        <span>
          <strong>{t.viewer.unopened}</strong>{' '}
          <button class="plain" type="submit" name="set" value="info_code=prescription_unreadable" data-unchecked>
            {t.viewer.askUnreadable}
          </button>
        </span>
      </p>
      <Choice {...{ review, state, row }} />
    </fieldset>
  );
}

/**
 * The initial values of a check's fields. After an earlier check, they are that check's values. Otherwise they come
 * from the signature, and from the program that verified the platform's last prescription.
 */
function presetOf(row: PrescriptionRow, { lastVerifiedWith }: Review, language: View['language']) {
  const choices = choicesOf(row);
  const said = verificationOf(row);
  const issuedAt = row.issuedOn ? Date.parse(row.issuedOn) : signedAtOf(row);
  const unsigned = lastVerifiedWith === null ? 'original_follows' : 'verified_elsewhere';
  const found = row.signatureReport === null ? '' : choices.includes('signed_file') ? 'signed_file' : unsigned;
  return {
    as: said !== null && choices.includes(said) ? said : found,
    verifiedWith: row.verifiedWith || (lastVerifiedWith ?? ''),
    issuedOn: issuedAt === null ? '' : language === 'de' ? formatDate(issuedAt, { language }) : dayOf(issuedAt),
  } as const;
}

/**
 * The values that the check of each prescription can have in an unedited form. There are two for each prescription,
 * because its fields change once its signature is checked.
 */
export function presetsOf(review: Review, language: View['language']): TypedCheck[] {
  return prescriptionsOf(review).flatMap((row) => {
    const preset = { id: row.id, sha256: '', ...presetOf(row, review, language), asideReason: '' };
    return [preset, { ...preset, as: '', issuedOn: '' }];
  });
}

/** The fields for the verification and the date of issue. The script reloads them once the signature is checked. */
function Choice({ review, state, row }: ReviewProps & { row: PrescriptionRow }) {
  const t = messages();
  const { fieldErrors = {}, acknowledged = [] } = state;
  const { id, signatureReport: report } = row;
  const typed = state.checks?.find((each) => each.id === id);
  const preset = presetOf(row, review, useView().language);
  const choices = choicesOf(row);
  const as = choices.find((each) => each === typed?.as) ?? preset.as;
  const isAdded = review.isSignatureEnforced && report?.status === 'passed' && report.laterChanges === 'other';
  const isLater = report?.subIndication === 'TRY_LATER';
  return (
    <div class="how" id={`choice-${id}`} data-checked={report === null ? '' : undefined}>
      <Select
        name={`as-${id}`}
        label={t.checkedAs}
        options={choices.map((value) => ({ value, label: t.checkedAsTexts[value] }))}
        value={as}
        none={as === '' ? t.checkedAsPending : undefined}
        fieldErrors={fieldErrors}
      />
      <div class="with">
        <Field
          name={`with-${id}`}
          label={t.verifiedWith}
          value={typed?.verifiedWith || preset.verifiedWith}
          maxlength={TEXT_MAX}
        />
      </div>
      <Field
        name={`issued-${id}`}
        label={t.issuedOn}
        value={typed?.as ? typed.issuedOn : typed?.issuedOn || preset.issuedOn}
        fieldErrors={fieldErrors}
        placeholder={t.issuedOnHint}
        inputmode="numeric"
      />
      {(isAdded || isLater) && (
        <div class={isAdded ? 'ack' : 'ack of-qes'}>
          <Fault name={`confirm-${id}`} text={fieldErrors[`confirm-${id}`]} />
          <label>
            <input
              type="checkbox"
              id={`confirm-${id}`}
              name="acknowledged"
              value={id}
              checked={acknowledged.includes(id)}
              data-tick={isAdded ? '' : undefined}
            />
            <span>{isAdded ? t.confirmAdded : t.confirmLater}</span>
          </label>
        </div>
      )}
    </div>
  );
}

/**
 * Whether nobody can open the file: it was locked or empty when it arrived. Damaged files do not count, because viewers
 * may still open them.
 */
export function isUnopenable({ fileFault }: PrescriptionRow): boolean {
  return fileFault === 'locked' || fileFault === 'empty';
}

/** The form that sets a prescription aside because it does not belong to the request. It asks for a reason. */
function SetAside({ review, state, row, number }: ReviewProps & { row: PrescriptionRow; number: number }) {
  const { prescriptions: shared } = sharedMessages();
  const t = messages();
  const name = `aside-${row.id}`;
  const typed = state.checks?.find(({ id }) => id === row.id)?.asideReason ?? '';
  const which = nameOf(useView(), prescriptionsOf(review), number - 1);
  return (
    <details
      class={`pop of-${number}`}
      data-pop
      data-unchecked
      open={state.fieldErrors?.[name] !== undefined || typed !== ''}
    >
      <summary class="button ghost icon" title={shared.setAsideAsk}>
        <Icon name="more" />
        <span class="unseen">{t.asideShort}</span>
      </summary>
      <div class="sheet">
        <h3>{t.asideTitle(which)}</h3>
        <Field
          {...{ name, label: shared.setAsideReason, hint: t.asideHint, fieldErrors: state.fieldErrors }}
          value={typed}
          list={`${name}-reasons`}
          maxlength={NOTE_MAX}
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
