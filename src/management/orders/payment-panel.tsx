import { type Order, overpaidOf, receivedOf, underpaidOf, whyNotPayable } from '../../orders/service';
import { orderPath } from '../http/paths';
import { Field, Form, type FormState } from '../ui/fields';
import { formatDate, formatMoney } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { Chip } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Facts, Panel } from '../ui/parts';
import { messages } from './messages';
import type { DetailProps } from './order-props';
import { supplyMessages } from './supply-messages';

/** What is to be paid or was, and how it is asked for. */
export function PaymentPanel({ view, detail, state }: DetailProps & { state: FormState<'payment_reference'> }) {
  const { order, hasOpenLink } = detail;
  const { common, orders } = sharedMessages(view);
  const t = messages(view);
  const s = supplyMessages(view);
  const money = (cents: number) => formatMoney(view.language, cents);
  const isPaid = order.paymentStatus === 'paid';
  const canPay = !isPaid && whyNotPayable(order) === null;
  const isUnderpaid = isPaid && underpaidOf(order) > 0;
  const difference = differenceOf(view, order);
  const path = orderPath(order.id);
  return (
    <Panel
      title={orders.payment}
      id="payment"
      beside={
        <Chip tone={isPaid ? 'good' : 'off'} isFilled>
          {orders.payments[order.paymentStatus]}
        </Chip>
      }
    >
      <Facts
        entries={[
          [isPaid ? orders.payments.paid : t.toPay, <b>{money(isPaid ? receivedOf(order) : order.totalCents)}</b>],
          [t.purpose, `BESTELLUNG ${order.number}`],
          [t.paidOn, order.paidAt === null ? null : formatDate(view.language, order.paidAt)],
          [orders.payments.refunded, order.refundedCents > 0 ? money(order.refundedCents) : null],
          [t.paymentReference, order.paymentReference || null],
          [difference?.label ?? '', difference && <b>{difference.amount}</b>],
        ]}
      />
      {overpaidOf(order) > 0 && (
        <p>
          <a class="button" href={`${path}/refund`}>
            {s.refundOverpaid}
          </a>
        </p>
      )}
      {(canPay || isUnderpaid) && (
        <Form view={view} action={`${path}/paid`} isGuarded>
          {isUnderpaid && <Hidden name="of" value="difference" />}
          {canPay && (
            <details class="fold" open={state.fieldErrors?.payment_reference !== undefined}>
              <summary>{t.paymentReference}</summary>
              <Field name="payment_reference" label={common.optional(t.paymentReference)} form={state} />
            </details>
          )}
          <button type="submit">{isUnderpaid ? s.settleUnderpaid : t.markPaid}</button>
        </Form>
      )}
      {hasOpenLink && (
        <p>
          <a class="button" href={`${path}/payment-link`}>
            {t.showLink}
          </a>
        </p>
      )}
      {canPay && order.totalCents > 0 && (
        <NewLink view={view} orderId={order.id}>
          {hasOpenLink ? t.replaceLink : t.makeLink}
        </NewLink>
      )}
    </Panel>
  );
}

/** Makes a payment link, which ends the one before. */
function NewLink({ view, orderId, children }: Pick<DetailProps, 'view'> & { orderId: string; children: string }) {
  return (
    <Form view={view} action={`${orderPath(orderId)}/payment-link`} once>
      <button class="plain" type="submit" title={messages(view).linkHint}>
        {children}
      </button>
    </Form>
  );
}

/** What was paid too much or too little, if anything was. */
export function differenceOf(view: DetailProps['view'], { paymentDifferenceCents }: Order) {
  if (!paymentDifferenceCents) return null;
  const { overpaid, underpaid } = supplyMessages(view);
  return {
    label: paymentDifferenceCents < 0 ? overpaid : underpaid,
    amount: formatMoney(view.language, Math.abs(paymentDifferenceCents)),
  };
}
