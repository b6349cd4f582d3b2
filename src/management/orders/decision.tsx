import {
  allowedTransitions,
  type Order,
  type OrderStatus,
  progressOf,
  waitsForPacking,
  whyNotPayable,
} from '../../orders/service';
import { roleHolds } from '../../platform/access';
import { orderPath } from '../http/paths';
import { Field, Form, type FormState } from '../ui/fields';
import { formatDate, formatMoney } from '../ui/format';
import { Time } from '../ui/layout';
import { textFor } from '../ui/lookup';
import { sharedMessages } from '../ui/messages';
import { OrderStatusChips } from '../ui/order-summary';
import { Facts, Say } from '../ui/parts';
import type { OrderProps } from './confirm-page';
import { messages } from './messages';
import { packingMessages } from './packing-messages';

interface Props extends OrderProps {
  /** Why a form on the page was refused. */
  state: FormState;
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
        {order.cancelReasonCode && <p>{textFor(shared.orders.reasons, order.cancelReasonCode)}</p>}
        <Steps view={view} order={order} />
      </section>
      <PaymentPanel view={view} order={order} state={state} />
      <FlagsPanel view={view} order={order} state={state} />
      <p class="pager">
        <a href={`${orderPath(order.id)}?print=1`}>{t.print}</a>
        <a href={`${orderPath(order.id)}/slip`}>{packingMessages(view).slip}</a>
        <a href={`${orderPath(order.id)}/label`}>{packingMessages(view).label}</a>
        {order.status === 'cancelled' && <a href={`${orderPath(order.id)}/delete`}>{t.remove}</a>}
      </p>
    </aside>
  );
}

/** Steps that a hold hides. */
const LEAVES_OR_IS_READY = new Set<OrderStatus>(['ready_pickup', 'ready_shipping', 'shipped', 'picked_up']);

function Steps({ view, order }: OrderProps) {
  const t = messages(view);
  const steps = allowedTransitions(order);
  const isStopped = (step: OrderStatus) =>
    (order.onHold && LEAVES_OR_IS_READY.has(step)) ||
    (order.originalMissing && (step === 'picked_up' || step === 'shipped'));
  const open = steps.filter((step) => !isStopped(step) && !waitsForPacking(order, step));
  const waiting = steps.filter((step) => !isStopped(step) && waitsForPacking(order, step));
  const { packed, packs } = progressOf(order);
  const first = firstStep(order, open);
  const forward = open.filter((step) => step !== 'cancelled' && step !== 'returned');
  if (steps.length === 0) return <p class="quiet">{t.noSteps}</p>;
  return (
    <>
      {steps.some(isStopped) && <Stopped view={view} order={order} />}
      {waiting.map((step) => (
        <p>
          <button type="button" disabled>
            {`${t.steps[step]} ${packed}/${packs}`}
          </button>
        </p>
      ))}
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
                data-decide={step === first}
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

function mayCheck({ session }: OrderProps['view']): boolean {
  return session !== undefined && roleHolds(session.role, 'prescriptions.write');
}

/** Why the order can be neither handed over nor shipped, and what to do about it. */
function Stopped({ view, order }: OrderProps) {
  const t = messages(view);
  return (
    <>
      {order.originalMissing && (
        <Say tone="wait" mark="look">
          <p>{t.originalMissing}</p>
          {mayCheck(view) && (
            <Form view={view} action={`${orderPath(order.id)}/flags`}>
              <input type="hidden" name="flag" value="original_missing" />
              <button type="submit" name="value" value="off">
                {t.originalIsHere}
              </button>
            </Form>
          )}
        </Say>
      )}
      {order.onHold && (
        <Say tone="wait" mark="held">
          <p>{t.stopped}</p>
          <Form view={view} action={`${orderPath(order.id)}/flags`}>
            <input type="hidden" name="flag" value="on_hold" />
            <button type="submit" name="value" value="off">
              {t.liftHold}
            </button>
          </Form>
        </Say>
      )}
    </>
  );
}

/** The usual next step; none if the order can only be returned. */
function firstStep(order: Order, steps: OrderStatus[]): OrderStatus | undefined {
  const isDue = order.paymentStatus === 'pending';
  const next = order.status === 'awaiting_prescription' && !isDue ? 'awaiting_packing' : steps[0];
  return next === 'returned' || next === 'cancelled' ? undefined : next;
}

function PaymentPanel({ view, order, state }: Props) {
  const { common, orders } = sharedMessages(view);
  const t = messages(view);
  const isPaid = order.paymentStatus === 'paid';
  const canPay = !isPaid && whyNotPayable(order) === null;
  return (
    <section class="panel" id="payment" tabindex={-1}>
      <h2>{orders.payment}</h2>
      <Facts
        entries={[
          [orders.status, orders.payments[order.paymentStatus]],
          [t.reference, `BESTELLUNG ${order.number}`],
          [t.paidOn, order.paidAt === null ? null : formatDate(view.language, order.paidAt)],
          [orders.payments.refunded, order.refundedCents > 0 ? formatMoney(view.language, order.refundedCents) : null],
          [t.paymentReference, order.paymentReference || null],
        ]}
      />
      {isPaid && order.totalCents > order.refundedCents && (
        <p>
          <a href={`${orderPath(order.id)}/refund`}>{t.refund}</a>
        </p>
      )}
      {canPay && (
        <>
          <Form view={view} action={`${orderPath(order.id)}/paid`} isGuarded>
            <Field name="payment_reference" label={common.optional(t.paymentReference)} form={state} />
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
  const { common } = sharedMessages(view);
  const t = messages(view);
  return (
    <section class="panel flags" id="flags" tabindex={-1}>
      <h2>{t.flagsTitle}</h2>
      {FLAG_NAMES.map((flag) => (
        <Form view={view} action={`${orderPath(order.id)}/flags`} isGuarded>
          <input type="hidden" name="flag" value={flag} />
          {flag === 'on_hold' && !order.onHold && (
            <Field name="hold_reason" label={common.optional(common.reason)} form={state} />
          )}
          <button type="submit" name="value" value={order[FLAGS[flag]] ? 'off' : 'on'}>
            {order[FLAGS[flag]] ? t.turnOff[flag] : t.turnOn[flag]}
          </button>
        </Form>
      ))}
    </section>
  );
}
