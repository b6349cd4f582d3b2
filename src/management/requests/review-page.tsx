import { messageLanguageOf } from '../../messages/texts';
import type { Review } from '../../order-requests/inbox/inbox';
import { WAITING_COUNTED_MAX } from '../../order-requests/limits';
import type { Blocker } from '../../order-requests/review/assessment';
import { LINES_MAX } from '../../orders/limits';
import { packCount, REASON_CODES, type ReasonCode } from '../../orders/rules';
import { QUESTION_CODES } from '../../orders/tables';
import type { Language } from '../http/language';
import { orderPath, REQUESTS, requestPath } from '../http/paths';
import { DecisionKey } from '../ui/confirm';
import { Button, Field, Form, Hidden, ReasonField, Select } from '../ui/fields';
import { formatDate, formatMoment, formatMoney, formatTime, priceText } from '../ui/format';
import { FullPage, Notices } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { chargeRows } from '../ui/order-summary';
import { MessagePanel, messageKinds } from '../ui/panels';
import { ButtonLink, Icon, type IconName, Mark, Notice } from '../ui/parts';
import { textFor, useView } from '../ui/view';
import {
  blockerText,
  indexOf,
  itemsOf,
  PaymentChoice,
  RemainderQuestion,
  SharedPrescription,
  Warnings,
} from './findings';
import { isOtherMedicine } from './line-findings';
import { Items, Reserved } from './line-row';
import { messages } from './messages';
import { PersonStrip, personOf } from './person-strip';
import {
  FoldedUpload,
  isUnopenable,
  mayCheck,
  needsPrescription,
  PrescriptionChecks,
  PrescriptionPane,
  toCheck,
} from './prescription-pane';
import { linesOf, type ReviewProps, type TypedForm, type TypedLine, totalOf, withSpare } from './review-state';
import { Timeline } from './timeline';

/** The HTML id of the page's main form. Every button in it submits the whole form, so no edit is lost. */
const FORM = 'lines-form';

/** The review page of a request: prescriptions, items, and the decision, all visible at once. */
export function ReviewPage({ review, state }: ReviewProps) {
  const { request } = review;
  const path = requestPath(request.id);
  const isOpen = request.status === 'pending';
  const rows = state.lines?.length ? state.lines : linesOf(review, useView().language);
  const hasPane = needsPrescription(review);
  return (
    <FullPage title={messages().reviewTitle(personOf(review))} class={state.isWide ? 'review wide-file' : 'review'}>
      {/* The notices have a form of their own. */}
      <Notices />
      <Form
        id={FORM}
        autocomplete="off"
        action={isOpen ? `${path}/approve` : `${path}/note`}
        checkedBy={isOpen ? `${path}/check` : undefined}
        isGuarded={!isOpen}
        once
      >
        {/* Enter in a field presses the form's first button. This button decides nothing. */}
        {isOpen && <button type="submit" hidden formaction={`${path}/check`}></button>}
        <div class="person">
          <PersonStrip {...{ review, state }}>
            <Turn review={review} />
          </PersonStrip>
        </div>
        {hasPane && <PrescriptionPane {...{ review, state }} />}
        {isOpen && <PrescriptionChecks {...{ review, state }} />}
        <div class="work">
          <Refused state={state} />
          {isOpen && <Prepared {...{ review, state }} />}
          {isOpen && <SharedPrescription review={review} />}
          {isOpen && <Warnings review={review} />}
          {!isOpen && <WhyDecided review={review} />}
          <Reserved review={review} />
          <Items {...{ review, state }} />
          {isOpen && <Answers {...{ review, state }} />}
          <MessageToCustomer review={review} />
          {hasPane && <Timeline {...{ review, state }} />}
          <Rest review={review} />
        </div>
        {!hasPane && (
          <div class="past-pane">
            <FoldedUpload {...{ review, state }} />
            <Timeline {...{ review, state }} />
          </div>
        )}
        <div class="deciding">
          {isOpen && <OpenPoints {...{ review, state, rows }} />}
          {isOpen ? <Decision {...{ review, state, rows }} /> : <DecidedBar review={review} />}
        </div>
      </Form>
    </FullPage>
  );
}

/**
 * The names of the fields of a line. An error of such a field links to the line, because the field itself may be
 * folded.
 */
const LINE_FIELDS = ['product', 'quantity', 'price', 'acknowledged'];

/** Shows the errors, each with a link to its field. If there are no errors, shows the text of the conflict. */
function Refused({ state }: Pick<ReviewProps, 'state'>) {
  const faults = Object.entries(state.fieldErrors ?? {})
    .map(([field, text]) => {
      const [name = '', row] = field.split('-');
      const isOfLine = row !== undefined && LINE_FIELDS.includes(name);
      return isOfLine
        ? { at: Number(row), href: `#line-${row}`, text: `${messages().line(Number(row) + 1)}: ${text}` }
        : { at: LINES_MAX, href: `#${field}`, text };
    })
    .toSorted((one, other) => one.at - other.at);
  if (faults.length === 0 && !state.conflict) return null;
  return (
    <Notice tone="bad" role="alert" isFocused class="refused">
      {faults.length === 0 ? (
        <p>{state.conflict}</p>
      ) : (
        <ul>
          {faults.map(({ href, text }) => (
            <li>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/**
 * Links to the list and to the previous and next waiting request. If the request itself is waiting, also its position
 * among all waiting requests.
 */
function Turn({ review }: { review: Review }) {
  const view = useView();
  const t = messages();
  const { request, previousId, nextId, place } = review;
  const isWaiting = request.status === 'pending' && request.needsInfoCode === null;
  const isCounted = isWaiting && place + 1 < WAITING_COUNTED_MAX;
  const link = (path: string, icon: IconName, title: string, keys = {}) => (
    <a class="button icon" href={path} title={title} {...keys}>
      <Icon name={icon} />
      <span class="unseen">{title}</span>
    </a>
  );
  const of = view.waiting >= WAITING_COUNTED_MAX ? `${WAITING_COUNTED_MAX - 1}+` : String(view.waiting);
  return (
    <nav class="turn" aria-label={t.tabsLabel}>
      {link(REQUESTS, 'tray', t.backToInbox)}
      {previousId && link(requestPath(previousId), 'left', t.previous)}
      {isCounted && <span>{t.place(place + 1, of)}</span>}
      {nextId &&
        link(requestPath(nextId), 'right', t.next, {
          'data-key': 'n',
          'aria-keyshortcuts': view.hasShortcuts ? 'n' : undefined,
        })}
    </nav>
  );
}

/** Rare actions: deletion and legal hold. */
function Rest({ review: { request } }: { review: Review }) {
  const t = messages();
  const path = requestPath(request.id);
  return (
    <p class="rest">
      {request.status !== 'approved' && <a href={`${path}/delete`}>{t.delete}</a>}
      {useView().session?.role === 'owner' && (
        <a href={`${path}/hold`}>{request.legalHold ? t.releaseHold : t.setHold}</a>
      )}
    </p>
  );
}

/**
 * The questions below the items: the rest of the sent total, the treatment of a payment difference, and the reason for
 * overriding obstacles.
 */
function Answers({ review, state }: ReviewProps) {
  const t = messages();
  const overridable = review.blockers.filter((blocker) => blocker.overridable);
  return (
    <>
      <div id="settle" data-checked={t.unchecked}>
        <RemainderQuestion review={review} state={state} />
        {review.paymentDifference && <PaymentChoice state={state} difference={review.paymentDifference} />}
      </div>
      <div class="notice wait reason">
        <Mark name="look" />
        <div>
          <ul id="overridable" data-checked={t.unchecked}>
            {overridable.map((blocker) => (
              <li>
                {itemsOf(blocker, review).map((name) => (
                  <>
                    <bdi>{name}</bdi>:{' '}
                  </>
                ))}
                {blockerText(useView(), blocker.code)}
              </li>
            ))}
          </ul>
          <Field name="override_reason" label={t.override} form={state} data-note />
        </div>
      </div>
    </>
  );
}

/** The buttons that decide the request, and the total. People who may not decide see a button that saves a draft. */
function Decision({ review, state, rows }: ReviewProps & { rows: readonly TypedLine[] }) {
  const view = useView();
  const t = messages();
  const isDecider = mayCheck() || !toCheck(review).length;
  const { feeCents, discountCents } = review.charges;
  const charges = chargeRows({ ...review.charges, discountKind: null }).map(
    ([label, amount]) => `${label}\u00a0${amount.replace(/^\D/, '$&\u2060')}`,
  );
  return (
    <section class="decision" aria-label={t.decisionLabel}>
      <div class="acts">
        {isDecider && (
          <button
            class="primary decide"
            type="submit"
            data-decide
            aria-keyshortcuts={view.hasShortcuts ? 'a' : undefined}
          >
            {t.approve}
            <DecisionKey />
          </button>
        )}
        {!isDecider && (
          <Button tone="primary" formaction={`${requestPath(review.request.id)}/draft`} label={t.saveReview} />
        )}
        <Ask review={review} state={state} />
        {isDecider && <Reject review={review} state={state} />}
      </div>
      <p class="sum" id="total" data-checked={t.unchecked} tabindex={-1} data-focus={state.isChecked}>
        <small>
          <span class="unseen">{sharedMessages().orders.total}, </span>
          {[t.packs(packCount({ items: review.lines })), ...charges].join(', ')}
        </small>
        <strong>{formatMoney(Math.max(0, totalOf(rows) + feeCents - discountCents))}</strong>
      </p>
    </section>
  );
}

function Ask({ review, state }: ReviewProps) {
  const t = messages();
  // A line's button that asks the question has already set the subject.
  const isAsked = state.isChecked === true && (state.info_code ?? 'other') !== 'other';
  return (
    <details class="pop" data-pop data-unchecked open={state.fieldErrors?.info_note !== undefined || isAsked}>
      <summary class="button" aria-keyshortcuts={useView().hasShortcuts ? 'i' : undefined}>
        {t.needsInfo}
      </summary>
      <div class="sheet">
        <h2>{t.askTitle}</h2>
        <Select
          name="info_code"
          label={t.questionAbout}
          options={QUESTION_CODES.map((value) => ({ value, label: t.questionCodes[value] }))}
          value={state.info_code ?? 'other'}
        />
        <Field name="info_note" label={t.infoNote} form={state} data-key="i" />
        <p class="hint">{t.askHint}</p>
        <div class="ends">
          <Button formaction={`${requestPath(review.request.id)}/needs-info`} label={t.saveInfo} />
        </div>
      </div>
    </details>
  );
}

/** Reasons for a rejection: all except `expired`, which only the sweep uses (src/order-requests/sweep.ts). */
const REJECTED_FOR = REASON_CODES.filter((code) => code !== 'expired');
const isOfPrescription = (code: ReasonCode) =>
  code.startsWith('prescription_') || code === 'quantity_exceeds_prescription' || code === 'patient_mismatch';

/** The reasons to choose from. Those about prescriptions are included only if a prescription may be needed. */
function rejectedFor(review: Review): ReasonCode[] {
  const isUnknown = review.lines.some(({ p1Id }) => p1Id === null);
  return REJECTED_FOR.filter((code) => isUnknown || needsPrescription(review) || !isOfPrescription(code));
}

function Reject({ review, state }: ReviewProps) {
  const { orders } = sharedMessages();
  const t = messages();
  const { reason_code, fieldErrors = {} } = state;
  return (
    <details
      class="pop"
      data-pop
      data-unchecked
      open={'reason_code' in fieldErrors || 'reject_note' in fieldErrors || (state.isChecked && !!reason_code)}
    >
      <summary class="button" aria-keyshortcuts={useView().hasShortcuts ? 'r' : undefined}>
        {t.reject}
      </summary>
      <div class="sheet">
        <h2>{t.rejectTitle(personOf(review))}</h2>
        <ReasonField fieldErrors={fieldErrors} codes={rejectedFor(review)} value={reason_code} />
        <Field name="reject_note" label={orders.fields.note} hint={t.rejectNoteHint} form={state} data-note />
        <div class="ends">
          <Button tone="danger" formaction={`${requestPath(review.request.id)}/reject`} label={t.reject} />
        </div>
      </div>
    </details>
  );
}

type Props = Omit<ReviewProps, 'state'>;

/** The decision, who made it, when, and its reason. */
function WhyDecided({ review }: Props) {
  const t = messages();
  const { orders, requests } = sharedMessages();
  const { reasons } = orders;
  const { request, decidedByName } = review;
  const what = request.status === 'approved' ? requests.tabs.approved : requests.tabs.rejected;
  return (
    <Notice tone={request.status === 'approved' ? 'good' : 'off'}>
      <p>{t.decided(what, decidedByName ?? t.byProgram, formatTime(request.decidedAt ?? 0))}</p>
      {request.status === 'rejected' && (
        <p>
          {textFor(reasons, request.reasonCode ?? 'other', reasons.other)}
          {request.reasonNote && ': '}
          <bdi>{request.reasonNote}</bdi>
        </p>
      )}
      {request.overrideReason && (
        <p>
          {t.override}: <bdi>{request.overrideReason}</bdi>
        </p>
      )}
    </Notice>
  );
}

/** The link to the order of a decided request, or the button that reopens it. It replaces the decision's buttons. */
function DecidedBar({ review }: Props) {
  const { request, orderNumber } = review;
  const t = messages();
  const orderText = orderNumber === null ? sharedMessages().common.toOrder : t.redeemed.order(orderNumber);
  return (
    <section class="decision" aria-label={t.decisionLabel}>
      <div class="acts">
        {request.orderId !== null && (
          <ButtonLink path={orderPath(request.orderId)} tone="primary" data-decide label={orderText} />
        )}
        {request.status === 'rejected' && (
          <Button formaction={`${requestPath(request.id)}/reopen`} label={sharedMessages().decided.reopen} />
        )}
      </div>
    </section>
  );
}

/** Maximum number of obstacles, and of questions, that the list of open points names. It limits the list's height. */
const NAMED_MAX = 5;

interface Point {
  text: string;
  href: string;
}

/**
 * The open points above the decision: obstacles and questions, each with a link to the place that settles it. Unchecked
 * prescriptions are not listed.
 */
function OpenPoints(props: ReviewProps & { rows: readonly TypedLine[] }) {
  const { review, state } = props;
  const t = messages();
  // An override reason settles the overridable obstacles.
  const standing = review.blockers.filter(({ overridable }) => !overridable || !state.override_reason);
  // Points with the same link and text are listed once.
  const points = (isAsked: boolean) => {
    const found = standing.filter((each) => isQuestion(each) === isAsked).map((each) => pointOf(props, each));
    return [...new Map(found.map((point) => [point.href + point.text, point])).values()];
  };
  const unopened = mayCheck() ? toCheck(review).filter(isUnopenable) : [];
  const obstacles = [
    ...points(false).filter(({ href }) => href !== ''),
    ...unopened.map(({ id }) => ({ text: t.viewer.unopened, href: `#checked-${id}` })),
  ];
  const questions = points(true);
  const isOther = standing.some((each) => 'difference' in each && isOtherMedicine(each.difference.code));
  const expired = standing.find(({ code }) => code === 'prescription_expired');
  return (
    <div class="open" id="open" data-checked={t.unchecked}>
      {obstacles.length > 0 && (
        <div class="bad hard">
          <Mark name="blocked" />
          <strong>{t.leftToSettle(obstacles.length)}</strong>
          <Links points={obstacles} />
          {standing.some(({ overridable }) => overridable) && <a href="#override_reason">{t.withReason}</a>}
          {expired && <a href="#info_note">{t.askForNew}</a>}
        </div>
      )}
      {questions.length > 0 && (
        <div class={isOther ? 'bad' : 'wait'}>
          <Mark name="look" />
          <strong>{t.toAcknowledge(questions.length)}</strong>
          <Links points={questions} />
        </div>
      )}
    </div>
  );
}

function Links({ points }: { points: readonly Point[] }) {
  const rest = points.length - NAMED_MAX;
  return (
    <>
      {points.slice(0, NAMED_MAX).map(({ text, href }) => (
        <a href={href}>{text}</a>
      ))}
      {rest > 0 && <span>{messages().more(rest)}</span>}
    </>
  );
}

/** Whether the person settles the obstacle by a checkbox or a choice. */
function isQuestion({ code }: Blocker): boolean {
  return [
    'question_open',
    'signature_unconfirmed',
    'difference',
    'unclear_unit',
    'payment_undecided',
    'fee_differs',
  ].includes(code);
}

/**
 * An obstacle as an open point: its text, and the link to the place that settles it. The link is empty for a
 * prescription that was not checked.
 */
function pointOf({ state, review, rows }: Parameters<typeof OpenPoints>[0], blocker: Blocker): Point {
  const t = messages();
  const said = t.blockerShort[blocker.code];
  const atRow = (row: number, text: string) => ({ text: `${t.line(row + 1)}, ${text}`, href: `#line-${row}` });
  if (blocker.code === 'prescription_not_reviewed') return { text: said, href: '' };
  if (blocker.code === 'question_open') return { text: said, href: `#question-${blocker.questionId}` };
  if (blocker.code === 'signature_unconfirmed') return { text: said, href: `#confirm-${blocker.prescriptionId}` };
  if (blocker.code === 'prescription_redeemed') return { text: said, href: '#redeemed' };
  if (blocker.code === 'payment_undecided') return { text: sharedMessages().orders.payment, href: '#payment' };
  if (blocker.code === 'fee_differs') return { text: said, href: '#remainder' };
  if (blocker.code === 'prescription_expired') {
    return {
      text: `${said} (${formatDate(Date.parse(blocker.issuedOn))})`,
      href: `#issued-${blocker.prescriptionId}`,
    };
  }
  if ('p1Id' in blocker) {
    const row = rows.findIndex(({ productId }) => productId === blocker.p1Id);
    return row < 0 ? { text: said, href: '#items' } : atRow(row, said);
  }
  if ('pointer' in blocker) {
    const place = indexOf(blocker.pointer);
    const text = 'difference' in blocker ? t.differences[blocker.difference.code] : said;
    return atRow(state.rows?.[place] ?? place, text);
  }
  if (blocker.code === 'prescription_missing') {
    const lines = review.lines.flatMap((line, place) =>
      line.prescriptionRequired ? [t.line((state.rows?.[place] ?? place) + 1)] : [],
    );
    return { text: `${said}: ${lines.slice(0, NAMED_MAX).join(', ')}`, href: '#prescription' };
  }
  if (blocker.code === 'no_lines') return { text: said, href: '#items' };
  return { text: said, href: blocker.overridable ? '#override_reason' : '#prescription' };
}

/** The message to the customer about an open question or a rejection. */
function MessageToCustomer({ review }: Props) {
  const { request, shop, questions } = review;
  if (!shop) return null;
  const kinds = messageKinds({
    question: request.status === 'pending' && questions.some(({ answeredAt }) => answeredAt === null),
    rejected: request.status === 'rejected',
  });
  return (
    <MessagePanel
      kinds={kinds}
      language={messageLanguageOf(request.platformDetails)}
      facts={{ number: null, orderedAt: request.createdAt, shop }}
      email={request.customerEmail}
      phone={request.addressPhone}
      isFolded
    />
  );
}

/** The form's initial values: the saved draft, else the submitted request. */
export function initialForm(
  review: Review,
  language: Language,
): Pick<TypedForm, 'lines' | 'acknowledged' | 'payment' | 'remainder'> {
  const { draft } = review.request;
  if (!draft) return { lines: linesOf(review, language), acknowledged: [], payment: '', remainder: '' };
  const { acknowledged, payment, remainder } = draft;
  return {
    lines: withSpare(preparedLines(review, language)),
    acknowledged,
    payment: payment ?? '',
    remainder: remainder ?? '',
  };
}

/**
 * The draft's lines as rows of the form. A submitted item without a line in the draft was removed, so its row has the
 * quantity 0.
 */
function preparedLines({ request }: Review, language: Language): TypedLine[] {
  const { items, draft } = request;
  const rows = (draft?.lines ?? []).map(({ item }, place) => item ?? place);
  const count = Math.max(items.length, ...rows.map((row) => row + 1));
  return Array.from({ length: count }, (_, row) => {
    const line = draft?.lines[rows.indexOf(row)];
    const { p1Id, productId, priceCents, isCoPayment } = line ?? items[row] ?? NO_LINE;
    return {
      productId: p1Id ?? productId ?? '',
      quantity: String(line?.quantity ?? 0),
      price: priceText(priceCents, language),
      isCoPayment: isCoPayment === true,
      later: line?.later ? String(line.later.quantity) : '',
      expectedOn: line?.later?.expectedOn ?? '',
    };
  });
}

const NO_LINE = { p1Id: null, productId: null, priceCents: 0, isCoPayment: false };

/** Who saved the draft, and when. */
function Prepared({ review, state }: ReviewProps) {
  const t = messages();
  const { draft, id } = review.request;
  return (
    <>
      <Hidden name="draft" value={state.draft ?? draft?.version ?? ''} />
      {draft && (
        <Notice tone="note" mark="half">
          <p>
            {t.prepared(review.decidedByName ?? t.somebody, formatMoment(draft.savedAt))}{' '}
            <Button tone="plain" formaction={`${requestPath(id)}/draft/discard`} label={t.discardDraft} />
          </p>
        </Notice>
      )}
    </>
  );
}
