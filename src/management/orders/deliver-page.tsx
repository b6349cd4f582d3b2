import { handOverQuestions } from '../../orders/service';
import { TOUR } from '../http/paths';
import { DecisionKey } from '../ui/confirm';
import { Field, Form } from '../ui/fields';
import { formatMoney } from '../ui/format';
import { customerOf } from '../ui/order-summary';
import { leavingMessages } from './leaving-messages';
import { AddressTick, ExpiredTick, type LeavingProps, Question, Seen, UnpaidReasonField } from './leaving-page';
import { tourMessages } from './tour-messages';

/** At the customer's door: who gets what, whether it was paid, or that nobody was there. */
export function DeliverPage({ view, leaving, form }: LeavingProps) {
  const { order, expired } = leaving;
  const t = tourMessages(view);
  const leave = leavingMessages(view);
  const { isUnpaid } = handOverQuestions(order, 'shipped', expired);
  const path = `${TOUR}/${order.id}`;
  return (
    <Question
      {...{ view, leaving, form }}
      title={t.handOverTitle(order.number, customerOf(view, order))}
      lead={t.handOverLead(order.number, order.bags ?? 1)}
    >
      <Form view={view} action={path} isGuarded>
        <Seen leaving={leaving} />
        <ExpiredTick {...{ view, leaving, form }} />
        <AddressTick {...{ view, leaving, form }} />
        <Field name="collected_by" label={t.takenBy} form={form} value={form.collected_by ?? ''} data-amount />
        <div class="ends">
          <a class="button" href={TOUR}>
            {t.back}
          </a>
          {isUnpaid && (
            <details class="unpaid" data-pop open={form.fieldErrors?.unpaid_reason !== undefined}>
              <summary class="button">{leave.withoutPayment}</summary>
              <div class="sheet">
                <UnpaidReasonField view={view} form={form} />
                <button class="danger" type="submit" name="cash_received" value="no">
                  {leave.handOverUnpaid}
                </button>
              </div>
            </details>
          )}
          <button class="primary" type="submit" name="cash_received" value={isUnpaid ? 'yes' : ''} data-decide>
            {isUnpaid ? leave.received(formatMoney(view.language, order.totalCents)) : t.yes}
            <DecisionKey view={view} />
          </button>
        </div>
      </Form>
      <details class="fold absent">
        <summary>{t.absent}</summary>
        <Form view={view} action={`${path}/absent`} isGuarded once>
          <Field name="absent_note" label={t.absentNote} data-note />
          <button type="submit">{t.noteAbsent}</button>
        </Form>
      </details>
    </Question>
  );
}
