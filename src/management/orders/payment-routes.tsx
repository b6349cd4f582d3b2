import { Hono } from 'hono';
import { NOTE_MAX } from '../../orders/limits';
import { getOpenPaymentLink } from '../../orders/payments/links';
import { feeWith, overpaidOf, type Refund, receivedOf, refundedOf, refundOrder } from '../../orders/payments/refund';
import { getOrder } from '../../orders/read';
import { REASON_CODES } from '../../orders/rules';
import type { Order } from '../../orders/store';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once } from '../http/once';
import { idOf, orderPath } from '../http/paths';
import type { FormState } from '../ui/fields';
import { formatMoney } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { parsePrice, priceText } from '../ui/price';
import { type FieldErrors, hasFieldErrors, respondForm, respondPage, tryForm } from '../ui/view';
import { supplyMessages } from './packing/messages';
import { PaymentLinkPage, RefundPage, refundedField, type TypedRefund } from './payment-page';
import { REFUSALS, respondOrder } from './responses';

export function linkPath(orderId: string): string {
  return `${orderPath(orderId)}/payment-link`;
}

/** Routes for payment links, payments and refunds of an order. */
export const moneyRoutes = new Hono<ManageEnv>()
  .get('/:id/payment-link', async (c) => {
    const { order, link } = await getOpenPaymentLink(c.var.ctx, idOf(c));
    if (!link) return c.redirect(orderPath(order.id), 303);
    return respondPage(c, <PaymentLinkPage {...{ order, link }} />, 200, orderPath(order.id));
  })
  .get('/:id/refund', async (c) => {
    const order = await getOrder(c.var.ctx, idOf(c));
    const overpaid = overpaidOf(order);
    if (order.paymentStatus !== 'paid' && overpaid === 0) return c.redirect(orderPath(order.id), 303);
    const left = receivedOf(order) - order.refundedCents;
    const place = Number(c.req.query('line') ?? -1);
    const lines = order.items.map(({ quantity }, at) => (at === place ? quantity - refundedOf(order, at).quantity : 0));
    const ofLine = (lines[place] ?? 0) * (order.items[place]?.priceCents ?? 0);
    const fee = ofLine > 0 ? feeWith(order, { lines, withFee: false }) : 0;
    const cents = overpaid > 0 ? overpaid : ofLine > 0 ? Math.min(ofLine + fee, left) : left;
    return respondRefund(c, order, {
      ...{ amount: priceText(cents, c.var.language), note: '', with_fee: fee > 0 ? 'on' : '' },
      ...(ofLine > 0 && { [refundedField(place)]: String(lines[place]) }),
    });
  })
  .post(
    '/:id/refund',
    once((c) => orderPath(idOf(c)), refund),
  );

async function refund(c: ManageContext): Promise<Response> {
  const { ctx } = c.var;
  const order = await getOrder(ctx, idOf(c));
  const { refund: asked, typed, fieldErrors: wrong } = readRefund(c, order);
  const result = hasFieldErrors(wrong)
    ? { fieldErrors: wrong }
    : await tryForm(c.var, { ...REFUSALS, refund_exceeds_paid: 'amount' }, () => refundOrder(ctx, order.id, asked));
  const { fieldErrors } = result;
  if (!fieldErrors) return redirectWithFlash(c, 'order_refunded', orderPath(idOf(c)));
  if (fieldErrors.payment || fieldErrors.packs) return respondOrder(c, { fieldErrors }, 409);
  return respondRefund(c, await getOrder(ctx, idOf(c)), { ...typed, fieldErrors });
}

function readRefund(c: ManageContext, order: Order) {
  const { form } = c.var;
  const shared = sharedMessages(c.var);
  const isOverpaid = form.text('of') === 'overpaid';
  const fields = order.items.map((_, place) => refundedField(place));
  const typed: TypedRefund & Record<string, string> = {
    ...form.texts('amount', 'reason_code', 'note'),
    ...Object.fromEntries(fields.map((field) => [field, form.text(field)])),
  };
  const counts = fields.map((field) => (/^\d{0,4}$/.test(typed[field] ?? '') ? Number(typed[field]) : Number.NaN));
  const isByLine = !isOverpaid && counts.some((count) => count !== 0);
  const tooMany = counts.findIndex((count, place) => {
    const left = (order.items[place]?.quantity ?? 0) - refundedOf(order, place).quantity;
    return !(count <= left);
  });
  // A typed amount is refunded as it is; without one, packs are refunded at their price.
  const amountCents = typed.amount === '' ? null : parsePrice(typed.amount);
  const withFee = form.text('with_fee') === 'on';
  typed.with_fee = withFee ? 'on' : '';
  const ofLines = order.items.reduce((sum, { priceCents }, place) => sum + priceCents * (counts[place] ?? 0), 0);
  const cents = ofLines + feeWith(order, { lines: counts, withFee });
  const reasonCode = REASON_CODES.find((known) => known === typed.reason_code);
  const isAmountMissing = amountCents === 0 || (amountCents === null && !(isByLine && typed.amount === ''));
  const s = supplyMessages(c.var);
  const fieldErrors: FieldErrors = {
    ...(isAmountMissing && { amount: shared.fieldErrors.price }),
    ...(isByLine && tooMany >= 0 && { [refundedField(0)]: shared.fieldErrors.later }),
    ...(isByLine &&
      tooMany < 0 &&
      (amountCents ?? 0) > cents && { amount: s.amountTooHigh(formatMoney(c.var.language, cents)) }),
    ...(!reasonCode && { reason_code: shared.fieldErrors.reason_required }),
    ...(typed.note.length > NOTE_MAX && { note: shared.fieldErrors.note_too_long }),
  };
  const refund: Refund = {
    ...{ amountCents, isOverpaid, seen: form.text('seen') || undefined },
    ...(isByLine && { lines: counts, withFee }),
    ...{ reasonCode: reasonCode ?? 'other', note: typed.note || null },
  };
  return { refund, typed, fieldErrors };
}

async function respondRefund(
  c: ManageContext,
  order: Order,
  form: FormState<keyof TypedRefund> & Readonly<Record<string, unknown>>,
) {
  return respondForm(c, <RefundPage {...{ order, form }} />, form.fieldErrors);
}
