import type { PaymentDifference, Review } from '../../order-requests/service';
import { PAYMENT_ACTIONS } from '../../orders/service';
import { requestPath } from '../http/paths';
import { Field, Form, Group } from '../ui/fields';
import { formatMoney } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import { ReasonField } from '../ui/reason-field';
import type { View } from '../ui/view';
import { LineRow } from './line-row';
import { linesOf, totalOf } from './lines';
import { messages } from './messages';
import { QuestionFields } from './person-panels';
import { PrescriptionChecks } from './prescription-checks';
import type { ReviewProps } from './review-state';

/** The form of the lines; buttons elsewhere on the page send it too. */
export const LINES_FORM = 'lines-form';

/** Form with the editable lines to approve and the page's only primary button. */
export function ApproveForm({ view, review, state, blockers }: ReviewProps & { blockers: Review['blockers'] }) {
  const t = messages(view);
  const rows = state.lines?.length ? state.lines : linesOf(review, view.language);
  const asksReason = blockers.some(({ overridable }) => overridable);
  const path = requestPath(review.request.id);
  return (
    <Panel title={t.linesTitle}>
      <p class="hint">{t.linesHint}</p>
      <Form view={view} id={LINES_FORM} action={`${path}/approve`} checkedBy={`${path}/check`}>
        <input type="hidden" name="lines" value={String(rows.length)} />
        {rows.map((line, row) => (
          <LineRow {...{ view, review, state, line, row }} />
        ))}
        <p class="number total" id="total" data-checked={t.unchecked} tabindex={-1} data-focus={state.isChecked}>
          {t.linesTotal}: <strong>{formatMoney(view.language, totalOf(rows))}</strong>
        </p>
        <p>
          <button class="plain" type="submit" formaction={`${path}/check`}>
            {t.check}
          </button>
        </p>
        <PrescriptionChecks view={view} review={review} state={state} />
        {review.paymentDifference && <PaymentChoice view={view} state={state} difference={review.paymentDifference} />}
        {(asksReason || state.override_reason) && (
          <Field name="override_reason" label={t.override} hint={t.overrideHint} form={state} />
        )}
        <button class="primary" type="submit" data-decide aria-keyshortcuts={view.hasShortcuts ? 'a' : undefined}>
          {t.approve}
        </button>
      </Form>
    </Panel>
  );
}

/** What becomes of the difference between what was paid and what it comes to: nothing is chosen at first. */
function PaymentChoice({ view, state, difference }: Omit<ReviewProps, 'review'> & { difference: PaymentDifference }) {
  const t = messages(view);
  const [paid, total] = [difference.paidCents, difference.totalCents].map((cents) => formatMoney(view.language, cents));
  return (
    <Group name="payment" id="payment" label={t.payment(paid ?? '', total ?? '')} fault={state.fieldErrors?.payment}>
      {PAYMENT_ACTIONS.map((action) => (
        <label class="choice">
          <input type="radio" name="payment" value={action} checked={state.payment === action} />
          <span>{t.paymentActions[action]}</span>
        </label>
      ))}
    </Group>
  );
}

/** The other decisions about a request; each form opens in place. */
export function OtherDecisions({ view, review, state }: ReviewProps) {
  const t = messages(view);
  const { request } = review;
  const path = requestPath(request.id);
  return (
    <section class="panel">
      {request.status === 'pending' && <RejectForm view={view} path={path} state={state} />}
      {request.status === 'pending' && (
        <details class="fold" open={state.fieldErrors?.info_note !== undefined}>
          <summary>{t.needsInfo}</summary>
          <Form view={view} action={`${path}/needs-info`} isGuarded>
            <QuestionFields view={view} state={state} />
            <button type="submit">{t.saveInfo}</button>
          </Form>
        </details>
      )}
      {request.status === 'rejected' && (
        <Form view={view} action={`${path}/reopen`}>
          <button type="submit">{sharedMessages(view).decided.reopen}</button>
        </Form>
      )}
      {request.status !== 'approved' && (
        <p>
          <a href={`${path}/delete`}>{t.delete}</a>
        </p>
      )}
      {request.status === 'approved' && <p class="quiet">{t.approvedStays}</p>}
      {view.session?.role === 'owner' && (
        <p>
          <a href={`${path}/hold`}>{request.legalHold ? t.releaseHold : t.setHold}</a>
        </p>
      )}
    </section>
  );
}

function RejectForm({ view, path, state }: { view: View; path: string } & Pick<ReviewProps, 'state'>) {
  const { common, orders } = sharedMessages(view);
  const t = messages(view);
  const { reason_code, fieldErrors = {} } = state;
  return (
    <details class="fold" open={'reason_code' in fieldErrors || 'reject_note' in fieldErrors}>
      <summary>{t.reject}</summary>
      <Form view={view} action={`${path}/reject`} isGuarded>
        <ReasonField view={view} label={common.reason} value={reason_code} fieldErrors={fieldErrors} />
        <Field name="reject_note" label={orders.fields.note} hint={t.rejectNoteHint} form={state} data-note />
        <button class="danger" type="submit">
          {t.reject}
        </button>
      </Form>
    </details>
  );
}
