import type { ReasonCode } from '../../orders/service';
import { orderPath } from '../http/paths';
import { Field, type FormState, ShownBefore, ShownOnce } from '../ui/fields';
import { formatMoney } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import { ReasonField } from '../ui/reason-field';
import { type OrderProps, OrderQuestion } from './confirm-page';
import { messages } from './messages';

export type TypedRefund = Record<'amount' | 'reason_code' | 'note', string>;

/** Of an order that was accepted and paid. */
const REFUNDED_FOR: readonly ReasonCode[] = [
  ...(['customer_withdrew', 'out_of_stock', 'item_mismatch', 'duplicate_order', 'payment_problem'] as const),
  ...(['clinical_concern', 'test', 'other'] as const),
];

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
      <ReasonField {...{ view, fieldErrors }} label={common.reason} codes={REFUNDED_FOR} value={form.reason_code} />
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
    <Page view={view} title={t.linkOf(String(order.number), customerOf(view, order))}>
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
