import { overpaidOf, type PaymentLink, type ReasonCode, receivedOf, refundedOf, refundKey } from '../../orders/service';
import { orderPath } from '../http/paths';
import { ToCopy } from '../ui/copy-field';
import { Field, type FormState, Group } from '../ui/fields';
import { formatMoney, formatTime } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import { Say } from '../ui/parts';
import { ReasonField } from '../ui/reason-field';
import { type OrderProps, OrderQuestion } from './confirm-page';
import { messages } from './messages';
import { supplyMessages } from './supply-messages';

export type TypedRefund = Record<'amount' | 'reason_code' | 'note', string>;

/** Of an order that was accepted and paid. */
const REFUNDED_FOR: readonly ReasonCode[] = [
  ...(['customer_withdrew', 'out_of_stock', 'item_mismatch', 'duplicate_order', 'payment_problem'] as const),
  ...(['clinical_concern', 'test', 'other'] as const),
];

/** The field that says how many packs of a line are refunded. */
export const refundedField = (place: number) => `packs_${place}`;

type RefundProps = OrderProps & { form: FormState<keyof TypedRefund> & Readonly<Record<string, unknown>> };

/** What is given back: what was paid too much first, else for which packs, or an amount alone. */
export function RefundPage({ view, order, form }: RefundProps) {
  const { common, orders } = sharedMessages(view);
  const t = messages(view);
  const s = supplyMessages(view);
  const texts = { title: t.refundTitle, lead: t.refundLead, act: t.refundNow, keep: t.noRefund };
  const money = (cents: number) => formatMoney(view.language, cents);
  const { fieldErrors } = form;
  const overpaid = overpaidOf(order);
  return (
    <OrderQuestion
      {...{ view, order, fieldErrors, ...texts }}
      about={t.refundAbout(money(receivedOf(order)), money(order.refundedCents))}
      step="refund"
      once
    >
      <Hidden name="seen" value={refundKey(order)} />
      {overpaid > 0 ? (
        <>
          <Hidden name="of" value="overpaid" />
          <Say tone="wait">
            {s.overpaid}: <b>{money(overpaid)}</b>
          </Say>
        </>
      ) : (
        <RefundedPacks view={view} order={order} form={form} />
      )}
      <Field
        name="amount"
        label={t.refundAmount}
        form={form}
        inputmode="decimal"
        data-sum={view.language === 'de' ? ',' : '.'}
        data-says={t.refundSays}
      />
      <ReasonField {...{ view, fieldErrors }} label={common.reason} codes={REFUNDED_FOR} value={form.reason_code} />
      <Field name="note" label={common.optional(orders.fields.note)} form={form} />
    </OrderQuestion>
  );
}

function RefundedPacks({ view, order, form }: RefundProps) {
  const s = supplyMessages(view);
  return (
    <Group name={refundedField(0)} label={s.refundLines} fault={form.fieldErrors?.[refundedField(0)]}>
      <p class="hint">{s.refundLinesHint}</p>
      <table class="returns">
        <tbody>
          {order.items.map((item, place) => {
            const name = item.productName ?? item.name;
            const { quantity } = refundedOf(order, place);
            const field = refundedField(place);
            const typed = form[field];
            return (
              <tr>
                <td>
                  <bdi>{name}</bdi>
                  {quantity > 0 && <small> {s.refundedPacks(quantity)}</small>}
                </td>
                <td>
                  <span class="with">
                    <input
                      id={field}
                      name={field}
                      value={typeof typed === 'string' ? typed : ''}
                      inputmode="numeric"
                      autocomplete="off"
                      size={4}
                      aria-label={`${s.refundLines}: ${name}`}
                      data-each={item.priceCents}
                    />
                    {`/ ${item.quantity - quantity} × ${formatMoney(view.language, item.priceCents)}`}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Group>
  );
}

/** The open link, as long as the order can be paid with it. */
export function PaymentLinkPage({ view, order, link }: OrderProps & { link: PaymentLink }) {
  const t = messages(view);
  return (
    <Page
      view={view}
      title={t.linkOf(String(order.number), customerOf(view, order))}
      back={{ path: orderPath(order.id), label: t.toOrder }}
    >
      <section class="panel wide">
        <ToCopy view={view} id="payment-link" label={t.linkTitle} of={String(order.number)} value={link.url} />
        <p class="hint">
          {t.linkValid(formatMoney(view.language, link.amountCents), formatTime(view.language, link.expiresAt))}
        </p>
      </section>
    </Page>
  );
}
