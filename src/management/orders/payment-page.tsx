import type { Order } from '../../orders/service';
import { orderPath } from '../http/paths';
import { ConfirmPage } from '../ui/confirm';
import { Field, Form, ShownBefore, ShownOnce } from '../ui/fields';
import type { Faults } from '../ui/form-errors';
import { formatMoney, shortIdOf } from '../ui/format';
import { Page } from '../ui/layout';
import { customerOf } from '../ui/order-summary';
import { ReasonField } from '../ui/reason-field';
import type { View } from '../ui/view';

interface OrderProps {
  view: View;
  order: Order;
}

/** Before a cash order leaves the counter: was it paid? Both answers hand it over; one of them notes the money. */
export function HandOverPage({ view, order }: OrderProps) {
  const words = view.words.orders;
  const amount = formatMoney(view.language, order.totalCents);
  return (
    <Page view={view} title={words.handOverTitle(shortIdOf(order.id), customerOf(view, order))}>
      <p>{words.handOverLead}</p>
      <p>
        <strong>{amount}</strong>
      </p>
      <Form view={view} action={`${orderPath(order.id)}/hand-over`} class="wide">
        <div class="buttons">
          <button class="primary" type="submit" name="cash_received" value="yes">
            {words.cashReceived(amount)}
          </button>
          <button type="submit" name="cash_received" value="no">
            {words.cashOpen}
          </button>
          <a class="button" href={orderPath(order.id)}>
            {words.notHandedOver}
          </a>
        </div>
      </Form>
    </Page>
  );
}

export interface TypedRefund {
  amount: string;
  reasonCode: string;
  note: string;
}

export function RefundPage({ view, order, typed, faults }: OrderProps & { typed: TypedRefund; faults: Faults }) {
  const words = view.words.orders;
  return (
    <ConfirmPage
      view={view}
      title={words.refundTitle(shortIdOf(order.id), customerOf(view, order))}
      about={words.refundAbout(
        formatMoney(view.language, order.totalCents),
        formatMoney(view.language, order.refundedCents),
      )}
      lead={words.refundLead}
      action={`${orderPath(order.id)}/refund`}
      act={words.refundNow}
      back={orderPath(order.id)}
      keep={words.noRefund}
      faults={faults}
      once
    >
      <Field
        name="amount"
        label={words.refundAmount}
        value={typed.amount}
        faults={faults}
        autocomplete="off"
        inputmode="decimal"
      />
      <ReasonField view={view} label={words.cancelReason} value={typed.reasonCode} faults={faults} />
      <Field name="note" label={words.refundNote} value={typed.note} faults={faults} autocomplete="off" />
    </ConfirmPage>
  );
}

export interface MadeLink {
  url: string;
}

/** The link that was just made, this once. */
export function PaymentLinkPage({ view, order, made }: OrderProps & { made: MadeLink | 'gone' }) {
  const words = view.words.orders;
  return (
    <Page view={view} title={words.linkOf(shortIdOf(order.id), customerOf(view, order))}>
      {made === 'gone' ? (
        <ShownBefore view={view} />
      ) : (
        <section class="panel wide">
          <ShownOnce view={view} id="payment-link" label={words.linkTitle} value={made.url} />
          <p class="hint">{words.linkHint}</p>
        </section>
      )}
      <p>
        <a href={orderPath(order.id)}>{words.toOrder}</a>
      </p>
    </Page>
  );
}
