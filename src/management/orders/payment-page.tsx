import type { Order } from '../../orders/service';
import { orderPath } from '../http/paths';
import { ConfirmPage } from '../ui/confirm';
import { Field, Form, ShownBefore, ShownOnce } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { formatMoney, shortIdOf } from '../ui/format';
import { Page } from '../ui/layout';
import { customerOf } from '../ui/order-summary';
import { ReasonField } from '../ui/reason-field';
import type { View } from '../ui/view';
import { messages } from './messages';

interface OrderProps {
  view: View;
  order: Order;
}

/** Before a cash order leaves the counter: was it paid? Both answers hand it over; one also records the payment. */
export function HandOverPage({ view, order }: OrderProps) {
  const t = messages(view);
  const amount = formatMoney(view.language, order.totalCents);
  return (
    <Page view={view} title={t.handOverTitle(shortIdOf(order.id), customerOf(view, order))} isDialog>
      <p>{t.handOverLead}</p>
      <p>
        <strong>{amount}</strong>
      </p>
      <Form view={view} action={`${orderPath(order.id)}/hand-over`}>
        <div class="acts">
          <button class="primary" type="submit" name="cash_received" value="yes">
            {t.cashReceived(amount)}
          </button>
          <button type="submit" name="cash_received" value="no">
            {t.cashOpen}
          </button>
          <a class="button" href={orderPath(order.id)}>
            {t.notHandedOver}
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

export function RefundPage({
  view,
  order,
  typed,
  fieldErrors,
}: OrderProps & { typed: TypedRefund; fieldErrors: FieldErrors }) {
  const t = messages(view);
  return (
    <ConfirmPage
      view={view}
      title={t.refundTitle(shortIdOf(order.id), customerOf(view, order))}
      about={t.refundAbout(
        formatMoney(view.language, order.totalCents),
        formatMoney(view.language, order.refundedCents),
      )}
      lead={t.refundLead}
      action={`${orderPath(order.id)}/refund`}
      act={t.refundNow}
      back={orderPath(order.id)}
      keep={t.noRefund}
      fieldErrors={fieldErrors}
      once
    >
      <Field
        name="amount"
        label={t.refundAmount}
        value={typed.amount}
        fieldErrors={fieldErrors}
        autocomplete="off"
        inputmode="decimal"
      />
      <ReasonField view={view} label={t.cancelReason} value={typed.reasonCode} fieldErrors={fieldErrors} />
      <Field name="note" label={t.refundNote} value={typed.note} fieldErrors={fieldErrors} autocomplete="off" />
    </ConfirmPage>
  );
}

export interface MadeLink {
  url: string;
}

/** The link that was just created; it is shown only once. */
export function PaymentLinkPage({ view, order, made }: OrderProps & { made: MadeLink | 'gone' }) {
  const t = messages(view);
  return (
    <Page view={view} title={t.linkOf(shortIdOf(order.id), customerOf(view, order))}>
      {made === 'gone' ? (
        <ShownBefore view={view} />
      ) : (
        <section class="panel wide">
          <ShownOnce view={view} id="payment-link" label={t.linkTitle} value={made.url} />
          <p class="hint">{t.linkHint}</p>
        </section>
      )}
      <p>
        <a href={orderPath(order.id)}>{t.toOrder}</a>
      </p>
    </Page>
  );
}
