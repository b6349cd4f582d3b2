import { allowedTransitions, type Order, type OrderStatus, whyNotPayable } from '../../orders/service';
import { orderPath } from '../http/paths';
import { Field, Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { formatDate, formatMoney, shortIdOf } from '../ui/format';
import { Time } from '../ui/layout';
import { textFor } from '../ui/lookup';
import { sharedMessages } from '../ui/messages';
import { OrderStatusChips } from '../ui/order-summary';
import { Say } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';

/** Why a form on the page was refused. */
export interface OrderState {
  fieldErrors?: FieldErrors;
}

interface Props {
  view: View;
  order: Order;
  state: OrderState;
}

/** The column of actions: the order's status, its allowed next steps, its payment and its flags. */
export function OrderDecision({ view, order, state }: Props) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <aside>
      <section class="panel" id="status" tabindex={-1}>
        <p class="inline">
          <OrderStatusChips view={view} order={order} />
          <small>
            <Time view={view} at={order.updatedAt} />
          </small>
        </p>
        {order.holdReason && <p>{`${shared.orders.fields.on_hold}: ${order.holdReason}`}</p>}
        {order.cancelReasonCode && <p>{textFor(sharedMessages(view).orders.reasons, order.cancelReasonCode)}</p>}
        <Steps view={view} order={order} />
      </section>
      <PaymentPanel view={view} order={order} state={state} />
      <FlagsPanel view={view} order={order} state={state} />
      <p class="pager">
        <a href={`${orderPath(order.id)}?print=1`}>{t.print}</a>
        {order.status === 'cancelled' && <a href={`${orderPath(order.id)}/delete`}>{t.remove}</a>}
      </p>
    </aside>
  );
}

function Steps({ view, order }: { view: View; order: Order }) {
  const t = messages(view);
  const steps = allowedTransitions(order);
  const isStopped = (step: OrderStatus) => order.onHold && (step === 'picked_up' || step === 'shipped');
  const first = firstStep(
    order,
    steps.filter((step) => !isStopped(step)),
  );
  const forward = steps.filter((step) => step !== 'cancelled' && step !== 'returned' && !isStopped(step));
  if (steps.length === 0) return <p class="quiet">{t.noSteps}</p>;
  return (
    <>
      {steps.some(isStopped) && <Stopped view={view} order={order} />}
      {forward.length > 0 && (
        <Form view={view} action={`${orderPath(order.id)}/status`} class="moves">
          {forward
            .toSorted((a, b) => Number(b === first) - Number(a === first))
            .map((step) => (
              <button
                type="submit"
                name="status"
                value={step}
                class={step === first ? 'primary' : undefined}
                data-key={step === first ? 'a' : undefined}
              >
                {t.steps[step]}
              </button>
            ))}
        </Form>
      )}
      {steps.includes('returned') && (
        <Form view={view} action={`${orderPath(order.id)}/status`}>
          <p>
            <button class="plain" type="submit" name="status" value="returned">
              {t.steps.returned}
            </button>
          </p>
        </Form>
      )}
      {steps.includes('cancelled') && (
        <a href={`${orderPath(order.id)}/cancel`} data-key="r">
          {t.steps.cancelled}
        </a>
      )}
    </>
  );
}

/** Why the order can be neither handed over nor shipped, and what to do about it. */
function Stopped({ view, order }: Omit<Props, 'state'>) {
  const t = messages(view);
  return (
    <Say tone="wait" mark="held">
      <p>{t.stopped}</p>
      <Form view={view} action={`${orderPath(order.id)}/flags`}>
        <input type="hidden" name="flag" value="on_hold" />
        <button type="submit" name="value" value="off">
          {t.liftHold}
        </button>
      </Form>
    </Say>
  );
}

/** The usual next step; none if the order can only be returned. */
function firstStep(order: Order, steps: OrderStatus[]): OrderStatus | undefined {
  const isDue = order.paymentStatus === 'pending';
  const next = order.status === 'awaiting_prescription' && !isDue ? 'awaiting_packing' : steps[0];
  return next === 'returned' || next === 'cancelled' ? undefined : next;
}

function PaymentPanel({ view, order, state }: Props) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const isPaid = order.paymentStatus === 'paid';
  const canPay = !isPaid && whyNotPayable(order) === null;
  return (
    <section class="panel" id="payment" tabindex={-1}>
      <h2>{shared.orders.payment}</h2>
      <dl>
        <dt>{shared.orders.status}</dt>
        <dd>{shared.orders.payments[order.paymentStatus]}</dd>
        <dt>{t.reference}</dt>
        <dd>BESTELLUNG {shortIdOf(order.id)}</dd>
        {order.paidAt !== null && <dt>{t.paidOn}</dt>}
        {order.paidAt !== null && <dd>{formatDate(view.language, order.paidAt)}</dd>}
        {order.refundedCents > 0 && <dt>{t.refunded}</dt>}
        {order.refundedCents > 0 && <dd>{formatMoney(view.language, order.refundedCents)}</dd>}
        {order.paymentReference && <dt>{t.paymentReference}</dt>}
        {order.paymentReference && <dd>{order.paymentReference}</dd>}
      </dl>
      {isPaid && order.totalCents > order.refundedCents && (
        <p>
          <a href={`${orderPath(order.id)}/refund`}>{t.refund}</a>
        </p>
      )}
      {canPay && (
        <>
          <Form view={view} action={`${orderPath(order.id)}/paid`} isGuarded>
            <Field
              name="payment_reference"
              label={t.paymentReferenceField}
              fieldErrors={state.fieldErrors}
              autocomplete="off"
            />
            <button type="submit">{t.markPaid}</button>
          </Form>
          {order.totalCents > 0 && (
            <Form view={view} action={`${orderPath(order.id)}/payment-link`} once>
              <button type="submit">{t.makeLink}</button>
              <p class="hint">{t.linkHint}</p>
            </Form>
          )}
        </>
      )}
    </section>
  );
}

/** Names of the actions as the forms send them. */
const FLAGS = { on_hold: 'onHold', express: 'express', archived: 'archived' } as const;
const FLAG_NAMES = ['on_hold', 'express', 'archived'] as const;

function FlagsPanel({ view, order, state }: Props) {
  const t = messages(view);
  return (
    <section class="panel flags" id="flags" tabindex={-1}>
      <h2>{t.flagsTitle}</h2>
      {FLAG_NAMES.map((flag) => (
        <Form view={view} action={`${orderPath(order.id)}/flags`} isGuarded>
          <input type="hidden" name="flag" value={flag} />
          {flag === 'on_hold' && !order.onHold && (
            <Field name="hold_reason" label={t.holdReason} fieldErrors={state.fieldErrors} autocomplete="off" />
          )}
          <button type="submit" name="value" value={order[FLAGS[flag]] ? 'off' : 'on'}>
            {order[FLAGS[flag]] ? t.turnOff[flag] : t.turnOn[flag]}
          </button>
        </Form>
      ))}
    </section>
  );
}
