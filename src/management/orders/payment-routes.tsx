import { Hono } from 'hono';
import { NOTE_MAX } from '../../orders/limits';
import { getOrder, type Order, REASON_CODES, type Refund, refundOrder } from '../../orders/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once, takeMade } from '../http/once';
import { idOf, orderPath } from '../http/paths';
import type { FormState } from '../ui/fields';
import { type FieldErrors, hasFieldErrors, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { parsePrice, priceText } from '../ui/price';
import { respondForm, respondPage, viewOf } from '../ui/view';
import { type MadeLink, PaymentLinkPage, RefundPage, type TypedRefund } from './payment-page';
import { REFUSALS, respondOrder } from './responses';

export function linkPath(orderId: string): string {
  return `${orderPath(orderId)}/payment-link`;
}

/** Routes for payment links, payments and refunds of an order. */
export const moneyRoutes = new Hono<ManageEnv>()
  .get('/:id/payment-link', async (c) => {
    const made = await takeMade<MadeLink>(c);
    if (!made) return c.redirect(orderPath(idOf(c)), 303);
    const order = await getOrder(c.var.ctx, idOf(c));
    return respondPage(c, <PaymentLinkPage {...{ view: await viewOf(c, orderPath(order.id)), order, made }} />);
  })
  .get('/:id/refund', async (c) => {
    const order = await getOrder(c.var.ctx, idOf(c));
    if (order.paymentStatus !== 'paid') return c.redirect(orderPath(order.id), 303);
    const rest = order.totalCents - order.refundedCents;
    return respondRefund(c, order, { amount: priceText(rest, c.var.language), note: '' });
  })
  .post(
    '/:id/refund',
    once((c) => orderPath(idOf(c)), refund),
  );

async function refund(c: ManageContext): Promise<Response> {
  const { ctx, form } = c.var;
  const typed = form.texts('amount', 'reason_code', 'note');
  const read = readRefund(typed, c);
  const result = hasFieldErrors(read.fieldErrors)
    ? { fieldErrors: read.fieldErrors }
    : await tryForm(c.var, { ...REFUSALS, refund_exceeds_paid: 'amount' }, () =>
        refundOrder(ctx, idOf(c), read.refund),
      );
  const { fieldErrors } = result;
  if (!fieldErrors) return redirectWithFlash(c, 'order_refunded', orderPath(idOf(c)));
  if (fieldErrors.payment) return respondOrder(c, { fieldErrors }, 409);
  return respondRefund(c, await getOrder(ctx, idOf(c)), { ...typed, fieldErrors });
}

function readRefund(typed: TypedRefund, c: ManageContext): { refund: Refund; fieldErrors: FieldErrors } {
  const shared = sharedMessages(c.var);
  const amountCents = parsePrice(typed.amount);
  const reasonCode = REASON_CODES.find((known) => known === typed.reason_code);
  const fieldErrors: FieldErrors = {
    ...((amountCents === null || amountCents === 0) && { amount: shared.fieldErrors.price }),
    ...(!reasonCode && { reason_code: shared.fieldErrors.reason_required }),
    ...(typed.note.length > NOTE_MAX && { note: shared.fieldErrors.note_too_long }),
  };
  return { refund: { amountCents, reasonCode: reasonCode ?? 'other', note: typed.note || null }, fieldErrors };
}

async function respondRefund(c: ManageContext, order: Order, form: FormState<keyof TypedRefund>) {
  return respondForm(c, <RefundPage {...{ view: await viewOf(c), order, form }} />, form.fieldErrors);
}
