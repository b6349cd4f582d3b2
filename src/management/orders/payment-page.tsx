import { mailtoLink, messageLanguageOf, smsLink } from '../../messages/texts';
import { type PaymentLink, whyNotPayable } from '../../orders/payments/links';
import { feeLeft, overpaidOf, receivedOf, refundedOf, refundKey } from '../../orders/payments/refund';
import { type ReasonCode, underpaidOf } from '../../orders/rules';
import type { Order } from '../../orders/store';
import { orderPath } from '../http/paths';
import { Button, Choice, Field, Form, type FormState, Group, Hidden, ReasonField, ToCopy } from '../ui/fields';
import { formatDate, formatMoney, formatTime, kept, quantityText, timesText } from '../ui/format';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf, paymentLookOf } from '../ui/order-summary';
import { ButtonLink, Facts, Notice, Panel } from '../ui/parts';
import { useView, type View } from '../ui/view';
import { messages } from './messages';
import { type DetailProps, type OrderProps, OrderQuestion } from './order-parts';
import { supplyMessages } from './packing/messages';

export type TypedRefund = Record<'amount' | 'reason_code' | 'note', string>;

/** The reasons that the refund form offers. */
const REFUNDED_FOR: readonly ReasonCode[] = [
  ...(['customer_withdrew', 'out_of_stock', 'item_mismatch', 'duplicate_order', 'payment_problem'] as const),
  ...(['clinical_concern', 'test', 'other'] as const),
];

/** Whether some of the payment can still be refunded. */
export function isRefundable(order: Order): boolean {
  return (order.paymentStatus === 'paid' && receivedOf(order) > order.refundedCents) || overpaidOf(order) > 0;
}

/**
 * The name of the form field that says how many packs of an order's line are refunded.
 * @param place the line's index
 */
export const refundedField = (place: number) => `packs_${place}`;

type RefundProps = OrderProps & { form: FormState<keyof TypedRefund> & Readonly<Record<string, unknown>> };

/**
 * The refund form. If the customer paid too much, it refunds the overpaid amount. Otherwise it refunds the chosen packs
 * or a typed amount.
 */
export function RefundPage({ order, form }: RefundProps) {
  const { common, orders } = sharedMessages();
  const t = messages();
  const texts = { title: t.refundTitle, lead: t.refundLead, act: t.refundNow };
  const { fieldErrors } = form;
  const overpaid = overpaidOf(order);
  return (
    <OrderQuestion
      {...{ order, fieldErrors, ...texts }}
      about={t.refundAbout(formatMoney(receivedOf(order)), formatMoney(order.refundedCents))}
      step="refund"
      once
    >
      <Hidden name="seen" value={refundKey(order)} />
      {overpaid > 0 ? (
        <>
          <Hidden name="of" value="overpaid" />
          <Notice tone="wait">
            {supplyMessages().overpaid}: <b>{formatMoney(overpaid)}</b>
          </Notice>
        </>
      ) : (
        <RefundedPacks order={order} form={form} />
      )}
      <Field
        name="amount"
        label={t.refundAmount}
        form={form}
        inputmode="decimal"
        data-sum={useView().language === 'de' ? ',' : '.'}
        data-says={t.refundSays}
      />
      <ReasonField fieldErrors={fieldErrors} codes={REFUNDED_FOR} value={form.reason_code} />
      <Field name="note" label={common.optional(orders.fields.note)} form={form} />
    </OrderQuestion>
  );
}

function RefundedPacks({ order, form }: RefundProps) {
  const s = supplyMessages();
  const fee = feeLeft(order);
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
                  <bdi>{kept(name)}</bdi>
                  {quantity > 0 && <small> {s.refundedPacks(quantityText(quantity, item.unit))}</small>}
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
                      data-left={item.quantity - quantity}
                    />
                    {`/ ${timesText({ ...item, quantity: item.quantity - quantity })}`}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {fee > 0 && (
        <Choice
          {...{ type: 'checkbox', name: 'with_fee', value: 'on', label: s.refundFee(formatMoney(fee)) }}
          checked={form.with_fee === 'on'}
          data-each={fee}
        />
      )}
    </Group>
  );
}

/** The page that shows the open payment link of an order. */
export function PaymentLinkPage({ order, link }: OrderProps & { link: PaymentLink }) {
  const t = messages();
  const { messages: shared } = sharedMessages();
  const { customerEmail: email, addressPhone: phone, number, platformDetails } = order;
  const words = messages({ language: messageLanguageOf(platformDetails) === 'de' ? 'de' : 'en' });
  const message = { subject: words.linkSubject(number), text: words.linkText(number, link.url) };
  const sms = phone && smsLink(phone, message.text);
  return (
    <Page
      title={t.linkOf(String(order.number), customerOf(useView(), order))}
      back={{ path: orderPath(order.id), label: sharedMessages().common.toOrder }}
    >
      <section class="panel wide">
        <ToCopy id="payment-link" label={t.linkTitle} of={String(order.number)} value={link.url} />
        <p class="hint">{t.linkValid(formatMoney(link.amountCents), formatTime(link.expiresAt))}</p>
        <div class="acts">
          {email && <ButtonLink path={mailtoLink(email, message)} icon="mail" label={shared.email} />}
          {sms && <ButtonLink path={sms} label={shared.sms} />}
        </div>
      </section>
    </Page>
  );
}

/** The amount due or paid, and the steps for payment. */
export function PaymentPanel({ detail, state }: DetailProps & { state: FormState<'payment_reference'> }) {
  const { order, hasOpenLink } = detail;
  const { common, orders } = sharedMessages();
  const t = messages();
  const s = supplyMessages();
  const isPaid = order.paymentStatus === 'paid';
  const canPay = !isPaid && whyNotPayable(order) === null;
  const isUnderpaid = isPaid && underpaidOf(order) > 0;
  const difference = differenceOf(useView(), order);
  const { tone, text } = paymentLookOf(useView(), order);
  const path = orderPath(order.id);
  return (
    <Panel
      title={orders.payment}
      id="payment"
      beside={
        <Chip tone={tone} isFilled>
          {text}
        </Chip>
      }
    >
      <Facts
        entries={[
          [
            isPaid ? orders.payments.paid : canPay ? t.toPay : orders.total,
            <b>{formatMoney(isPaid ? receivedOf(order) : order.totalCents)}</b>,
          ],
          [t.purpose, `BESTELLUNG\u00a0${order.number}`],
          [t.paidOn, order.paidAt === null ? null : formatDate(order.paidAt)],
          [orders.payments.refunded, order.refundedCents > 0 ? formatMoney(order.refundedCents) : null],
          [t.paymentReference, order.paymentReference || null],
          [difference?.label ?? '', difference && <b>{difference.amount}</b>],
        ]}
      />
      {overpaidOf(order) > 0 && (
        <p>
          <ButtonLink path={`${path}/refund`} label={s.refundOverpaid} />
        </p>
      )}
      {(canPay || isUnderpaid) && (
        <Form action={`${path}/paid`} isGuarded>
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
          <ButtonLink path={`${path}/payment-link`} label={t.showLink} />
        </p>
      )}
      {canPay && order.totalCents > 0 && (
        <Form action={`${path}/payment-link`} once>
          <Button tone="plain" title={t.linkHint} label={hasOpenLink ? t.replaceLink : t.makeLink} />
        </Form>
      )}
    </Panel>
  );
}

/** The overpaid or underpaid amount with its label; null if there is none. */
export function differenceOf(view: View, { paymentDifferenceCents }: Order) {
  if (!paymentDifferenceCents) return null;
  const { overpaid, underpaid } = supplyMessages(view);
  return {
    label: paymentDifferenceCents < 0 ? overpaid : underpaid,
    amount: formatMoney(Math.abs(paymentDifferenceCents), view),
  };
}
