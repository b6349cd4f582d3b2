import type { PaymentDifference, Review } from '../../order-requests/service';
import { PAYMENT_ACTIONS, QUESTION_CODES, REASON_CODES, type ReasonCode } from '../../orders/service';
import { requestPath } from '../http/paths';
import { Field, Group, Labeled, Options } from '../ui/fields';
import { formatMoney } from '../ui/format';
import { Mark } from '../ui/icons';
import { sharedMessages } from '../ui/messages';
import { Say } from '../ui/parts';
import { ReasonField } from '../ui/reason-field';
import { blockerText, itemsOf } from './findings';
import { type TypedLine, totalOf } from './lines';
import { messages } from './messages';
import { personOf } from './person-strip';
import { isToCheck, mayCheck, needsPrescription } from './prescription-checks';
import type { ReviewProps } from './review-state';

/** What staff answer beside the items: what becomes of a payment that does not fit, and why something is accepted anyway. */
export function Answers({ view, review, state }: ReviewProps) {
  const t = messages(view);
  const overridable = review.blockers.filter((blocker) => blocker.overridable);
  return (
    <>
      <div id="settle" data-checked={t.unchecked}>
        {review.paymentDifference && <PaymentChoice view={view} state={state} difference={review.paymentDifference} />}
      </div>
      <div class="say wait reason">
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
                {blockerText(view, blocker.code)}
              </li>
            ))}
          </ul>
          <Field name="override_reason" label={t.override} form={state} data-note />
        </div>
      </div>
    </>
  );
}

/** What becomes of the difference between what was paid and what it comes to: nothing is chosen at first. */
function PaymentChoice({ view, state, difference }: Omit<ReviewProps, 'review'> & { difference: PaymentDifference }) {
  const t = messages(view);
  const [paid, total] = [difference.paidCents, difference.totalCents].map((cents) => formatMoney(view.language, cents));
  return (
    <Say tone="wait">
      <Group name="payment" id="payment" label={t.payment(paid ?? '', total ?? '')} fault={state.fieldErrors?.payment}>
        {PAYMENT_ACTIONS.map((action) => (
          <label class="choice">
            <input type="radio" name="payment" value={action} checked={state.payment === action} />
            <span>{t.paymentActions[action]}</span>
          </label>
        ))}
      </Group>
    </Say>
  );
}

/** The decision, what can be done instead, and what it comes to. */
export function Decision({ view, review, state, rows }: ReviewProps & { rows: readonly TypedLine[] }) {
  const t = messages(view);
  const isDecider = mayCheck(view) || !review.prescriptions.some(isToCheck);
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
            {view.hasShortcuts && (
              <span class="kbd" aria-hidden="true">
                a
              </span>
            )}
          </button>
        )}
        {!isDecider && (
          <button class="primary" type="submit" formaction={`${requestPath(review.request.id)}/draft`}>
            {t.saveReview}
          </button>
        )}
        <Ask view={view} review={review} state={state} />
        {isDecider && <Reject view={view} review={review} state={state} />}
      </div>
      <p class="sum" id="total" data-checked={t.unchecked} tabindex={-1} data-focus={state.isChecked}>
        <small>
          <span class="unseen">{sharedMessages(view).orders.total}, </span>
          {t.packs(packsOf(rows))}
        </small>
        <strong>{formatMoney(view.language, totalOf(rows))}</strong>
      </p>
    </section>
  );
}

/** How many packs the lines have; invalid numbers are not counted. */
function packsOf(rows: readonly TypedLine[]): number {
  return rows.reduce((sum, { quantity }) => sum + (Number.parseInt(quantity, 10) || 0), 0);
}

function Ask({ view, review, state }: ReviewProps) {
  const t = messages(view);
  return (
    <details class="pop" data-pop data-unchecked open={state.fieldErrors?.info_note !== undefined}>
      <summary class="button" aria-keyshortcuts={view.hasShortcuts ? 'i' : undefined}>
        {t.needsInfo}
      </summary>
      <div class="sheet">
        <h2>{t.askTitle}</h2>
        <QuestionFields view={view} state={state} />
        <p class="hint">{t.askHint}</p>
        <div class="ends">
          <button type="submit" formaction={`${requestPath(review.request.id)}/needs-info`}>
            {t.saveInfo}
          </button>
        </div>
      </div>
    </details>
  );
}

/** What a question is about, and its text. */
function QuestionFields({ view, state }: Omit<ReviewProps, 'review'>) {
  const t = messages(view);
  return (
    <>
      <Labeled
        name="info_code"
        label={t.questionAbout}
        control={(attributes) => (
          <select {...attributes}>
            <Options
              options={QUESTION_CODES.map((value) => ({ value, label: t.questionCodes[value] }))}
              value={state.info_code ?? 'other'}
            />
          </select>
        )}
      />
      <Field name="info_note" label={t.infoNote} form={state} data-key="i" />
    </>
  );
}

/** Of a request that nobody has accepted yet: it does not end by itself. */
const REJECTED_FOR = REASON_CODES.filter((code) => code !== 'expired');
const isOfPrescription = (code: ReasonCode) =>
  code.startsWith('prescription_') || code === 'quantity_exceeds_prescription' || code === 'patient_mismatch';

/** Why it may be rejected: without a medicine that needs a prescription, nothing about one. */
function rejectedFor(review: Review): ReasonCode[] {
  const isUnknown = review.lines.some(({ p1Id }) => p1Id === null);
  return REJECTED_FOR.filter((code) => isUnknown || needsPrescription(review) || !isOfPrescription(code));
}

function Reject({ view, review, state }: ReviewProps) {
  const { common, orders } = sharedMessages(view);
  const t = messages(view);
  const { reason_code, fieldErrors = {} } = state;
  return (
    <details class="pop" data-pop data-unchecked open={'reason_code' in fieldErrors || 'reject_note' in fieldErrors}>
      <summary class="button" aria-keyshortcuts={view.hasShortcuts ? 'r' : undefined}>
        {t.reject}
      </summary>
      <div class="sheet">
        <h2>{t.rejectTitle(personOf(review))}</h2>
        <ReasonField {...{ view, fieldErrors }} label={common.reason} codes={rejectedFor(review)} value={reason_code} />
        <Field name="reject_note" label={orders.fields.note} hint={t.rejectNoteHint} form={state} data-note />
        <div class="ends">
          <button class="danger" type="submit" formaction={`${requestPath(review.request.id)}/reject`}>
            {t.reject}
          </button>
        </div>
      </div>
    </details>
  );
}
