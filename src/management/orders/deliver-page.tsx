import { handOverQuestions } from '../../orders/service';
import { TOUR } from '../http/paths';
import { Field, Form } from '../ui/fields';
import { customerOf } from '../ui/order-summary';
import { AddressTick, ExpiredTick, HandOverEnds, type LeavingProps, Question, Seen } from './leaving-page';
import { tourMessages } from './tour-messages';

/** At the customer's door: who gets what, whether it was paid, or that nobody was there. */
export function DeliverPage({ view, leaving, form }: LeavingProps) {
  const { order, expired } = leaving;
  const t = tourMessages(view);
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
        <HandOverEnds {...{ view, leaving, form, isUnpaid }} back={TOUR} keep={t.back} act={t.yes} />
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
