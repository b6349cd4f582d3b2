import { orderPath } from '../http/paths';
import { Field, Form, type FormState, ShownBefore, ShownOnce } from '../ui/fields';
import { formatMoney, shortIdOf } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import { ReasonField } from '../ui/reason-field';
import { type OrderProps, OrderQuestion } from './confirm-page';
import { messages } from './messages';

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

export type TypedRefund = Record<'amount' | 'reason_code' | 'note', string>;

export function RefundPage({ view, order, form }: OrderProps & { form: FormState<keyof TypedRefund> }) {
  const { common, orders } = sharedMessages(view);
  const t = messages(view);
  const texts = { title: t.refundTitle, lead: t.refundLead, act: t.refundNow, keep: t.noRefund };
  const money = (cents: number) => formatMoney(view.language, cents);
  const { fieldErrors } = form;
  return (
    <OrderQuestion
      {...{ view, order, fieldErrors, ...texts }}
      about={t.refundAbout(money(order.totalCents), money(order.refundedCents))}
      step="refund"
      once
    >
      <Field name="amount" label={t.refundAmount} form={form} inputmode="decimal" />
      <ReasonField {...{ view, fieldErrors }} label={common.reason} value={form.reason_code} />
      <Field name="note" label={common.optional(orders.fields.note)} form={form} />
    </OrderQuestion>
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
