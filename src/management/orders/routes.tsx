import { Hono } from 'hono';
import { approvePrescriptionFor } from '../../order-requests/review/approve';
import { addOrderPrescription, changeOrder } from '../../orders/change';
import { BULK_STEPS, exportDesk, readBulk, readDesk, readPapers, stepOrders } from '../../orders/desk/desk';
import { getOrderDetail } from '../../orders/detail';
import { deleteOrder } from '../../orders/erasure';
import { BULK_MAX, NOTE_MAX, TEXT_MAX } from '../../orders/limits';
import { createPaymentLink, getOpenPaymentLink, markOrderPaid } from '../../orders/payments/links';
import { feeWith, overpaidOf, type Refund, receivedOf, refundedOf, refundOrder } from '../../orders/payments/refund';
import { getOrder } from '../../orders/read';
import { packCount, REASON_CODES } from '../../orders/rules';
import { ShippingBlocked } from '../../orders/shipping';
import type { Order } from '../../orders/store';
import { ORDER_STATUSES } from '../../orders/tables';
import { invalidInput } from '../../platform/errors/errors';
import { fetchAgain } from '../../prescriptions/review';
import { respondCsv } from '../http/csv';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once } from '../http/once';
import { DESK, idOf, localPath, ORDERS, orderPath, withQuery } from '../http/paths';
import { ORDERS_PAGE_SIZE } from '../limits';
import { submitDecision } from '../ui/confirm';
import { type FormState, upload } from '../ui/fields';
import { batchText, birthDateOf, formatMoney, formatTime, parsePrice, priceText } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { customerOf, shippingWord, statusText } from '../ui/order-summary';
import { type FieldErrors, hasFieldErrors, respondForm, respondPage, tryForm } from '../ui/view';
import { leavingRoutes, questionBefore } from './leaving-routes';
import { listMessages } from './list-messages';
import { deskFilterOf, listPath, listSeen, OrdersPage, readListFilter, rememberList } from './list-page';
import { messages } from './messages';
import { CancelPage, DeletePage, mayGoOtherwise, type ShippingForm, ShippingPage } from './order-parts';
import { otherProductRoutes } from './other-product-routes';
import { supplyMessages } from './packing/messages';
import { PapersPage } from './packing/papers';
import { packingRoutes } from './packing/routes';
import { PaymentLinkPage, RefundPage, refundedField, type TypedRefund } from './payment-page';
import { change, decideOrder, REFUSALS, refuseWithOrder, respondOrder, shownPath } from './responses';

/** Routes for several orders at once: CSV file, papers to print, bulk steps. */
export const deskRoutes = new Hono<ManageEnv>()
  .get('/orders.csv', async (c) => {
    const filter = readListFilter(c);
    const t = listMessages(c.var);
    if (hasFieldErrors(filter.days.fieldErrors)) return c.redirect(listPath(filter), 303);
    const rows = await exportDesk(c.var.ctx, deskFilterOf(filter), (order, shop) => fileRow(c, order, shop));
    if (!rows) return redirectWithFlash(c, 'file_too_long', listPath(filter));
    return respondCsv(c, t.fileName, [t.fileColumns, ...rows]);
  })
  .get('/papers', async (c) => {
    const numbers = numbersIn((c.req.query('orders') ?? '').split(','));
    if (numbers.length === 0) return c.redirect(ORDERS, 303);
    const kind = c.req.query('print') === 'labels' ? 'labels' : 'slips';
    const papers = await readPapers(c.var.ctx, numbers);
    return respondPage(c, <PapersPage {...{ papers, kind, back: listSeen(c) }} />);
  })
  .post('/bulk', async (c) => {
    const { form, ctx } = c.var;
    const asked = form.text('do');
    const back = localPath(c, form.text('to') || ORDERS);
    const picked = form.entries().flatMap(([name, value]) => (name === 'order' ? [value] : []));
    const numbers = numbersIn(picked);
    if (numbers.length === 0) return redirectWithFlash(c, 'none_picked', back);
    if (picked.length > BULK_MAX) return redirectWithFlash(c, 'too_many_picked', back);
    const orders = numbers.join(',');
    const step = BULK_STEPS.find((known) => known === asked);
    if (!step) return c.redirect(withQuery(`${DESK}/papers`, { print: asked, orders }), 303);
    await stepOrders(ctx, numbers, step);
    const [path = ORDERS, query = ''] = back.split('?');
    const kept = Object.fromEntries(new URLSearchParams(query));
    return c.redirect(withQuery(path, { ...kept, did: step, orders }), 303);
  });

/** The list of orders. */
async function respondList(c: ManageContext): Promise<Response> {
  const filter = readListFilter(c);
  const step = BULK_STEPS.find((known) => known === c.req.query('did'));
  const numbers = step ? numbersIn((c.req.query('orders') ?? '').split(',')) : [];
  const isWrong = hasFieldErrors(filter.days.fieldErrors) || filter.refused !== undefined;
  const desk = await readDesk(c.var.ctx, {
    ...deskFilterOf(filter),
    limit: ORDERS_PAGE_SIZE,
    before: filter.cursor ?? null,
  });
  const isDone = step !== undefined && numbers.length > 0;
  const result = isDone ? { step, bulk: await readBulk(c.var.ctx, numbers, step) } : undefined;
  if (!isWrong) rememberList(c, filter);
  return respondPage(c, <OrdersPage {...{ desk, filter, result }} />, isWrong ? 400 : 200, listPath(filter));
}

const NUMBER = /^\d{1,9}$/;

/** The distinct order numbers among the texts, at most `BULK_MAX`. Other texts are skipped. */
function numbersIn(texts: readonly string[]): number[] {
  const numbers = texts.filter((text) => NUMBER.test(text)).map(Number);
  return [...new Set(numbers)].slice(0, BULK_MAX);
}

/**
 * The cells of an order's row in the CSV file. The row names no medicine, because anyone may find the file. It names
 * batches: a batch number alone does not say which medicine it belongs to.
 */
function fileRow(c: ManageContext, order: Order, shop: string | null) {
  const { orders } = sharedMessages(c.var);
  return [
    order.number,
    formatTime(order.createdAt, c.var),
    customerOf(c.var, order),
    statusText(c.var, order, order.status),
    orders.payments[order.paymentStatus],
    shippingWord(c.var, order.shippingOption),
    packCount(order),
    order.totalCents / 100,
    order.feeCents / 100,
    order.discountCents / 100,
    order.addressPostalCode,
    order.addressCity,
    shop,
    order.trackingNumber,
    birthDateOf(c.var, order)?.text ?? null,
    order.prescriberName,
    order.items.flatMap(({ batches = [], unit }) => batches.map((each) => batchText(each, unit))).join('; '),
  ];
}

function linkPath(c: ManageContext): string {
  return `${shownPath(c)}/payment-link`;
}

/** Routes for payment links, payments and refunds of an order. */
const moneyRoutes = new Hono<ManageEnv>()
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
  .post('/:id/refund', once(shownPath, refund));

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
  // If an amount was typed, it is refunded as it is. Otherwise packs are refunded at their price.
  const amountCents = typed.amount === '' ? null : parsePrice(typed.amount);
  const withFee = form.text('with_fee') === 'on';
  typed.with_fee = withFee ? 'on' : '';
  const ofLines = order.items.reduce((sum, { priceCents }, place) => sum + priceCents * (counts[place] ?? 0), 0);
  const cents = ofLines + feeWith(order, { lines: counts, withFee });
  const reasonCode = REASON_CODES.find((known) => known === typed.reason_code);
  const isAmountMissing = amountCents === 0 || (amountCents === null && !(isByLine && typed.amount === ''));
  const fieldErrors: FieldErrors = {
    ...(isAmountMissing && { amount: shared.fieldErrors.price }),
    ...(isByLine && tooMany >= 0 && { [refundedField(0)]: shared.fieldErrors.later }),
    ...(isByLine &&
      tooMany < 0 &&
      (amountCents ?? 0) > cents && { amount: supplyMessages(c.var).amountTooHigh(formatMoney(cents, c.var)) }),
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

/** Routes of orders. They are open to every role: orders are a pharmacy's daily work. */
export const orderRoutes = new Hono<ManageEnv>()
  .get('/', respondList)
  .get('/:id', (c) => respondOrder(c))
  .post('/:id/status', async (c) => {
    const status = ORDER_STATUSES.find((known) => known === c.var.form.text('status'));
    if (!status) throw noSuchChoice('/status');
    // A cancellation has a page of its own because it needs a reason.
    if (status === 'cancelled') return c.redirect(`${orderPath(idOf(c))}/cancel`, 303);
    if (status === 'returned') return c.redirect(`${orderPath(idOf(c))}/return`, 303);
    const question = await questionBefore(c, status);
    if (question) return c.redirect(question, 303);
    return change(c, { status }, 'order_moved');
  })
  .route('/', moneyRoutes)
  .route('/', packingRoutes)
  .route('/', leavingRoutes)
  .route('/', otherProductRoutes)
  .post('/:id/flags', (c) => {
    const { form } = c.var;
    const isOn = form.text('value') === 'on';
    const flag = form.text('flag');
    if (flag === 'express') return change(c, { express: isOn }, 'order_flagged');
    if (flag === 'archived') return change(c, { archived: isOn }, 'order_flagged');
    // Only the end of a hold comes here. A page of its own begins a hold.
    if (flag === 'on_hold' && !isOn) return change(c, { onHold: false, holdReason: null }, 'order_flagged');
    throw noSuchChoice('/flag');
  })
  .get('/:id/shipping', (c) => respondShipping(c))
  .post('/:id/shipping', changeShipping)
  .post('/:id/withdrawal', (c) => {
    const refusalReason = c.var.form.text('withdrawal_reason');
    const { common, fieldErrors } = sharedMessages(c.var);
    const fault =
      refusalReason === ''
        ? common.required(messages(c.var).whyRefused)
        : refusalReason.length > NOTE_MAX && fieldErrors.note_too_long;
    if (fault) {
      return respondOrder(c, { withdrawal_reason: refusalReason, fieldErrors: { withdrawal_reason: fault } });
    }
    return change(c, { withdrawal: 'refused', refusalReason }, 'withdrawal_refused');
  })
  .post('/:id/paid', (c) => {
    const { form, ctx } = c.var;
    const reference = form.text('payment_reference');
    // The amount that was paid: the total, or only the underpaid difference.
    const paid = form.text('of') === 'difference' ? 'difference' : 'total';
    const { text_too_long: payment_reference } = sharedMessages(c.var).fieldErrors;
    if (reference.length > TEXT_MAX) return respondOrder(c, { fieldErrors: { payment_reference } });
    return decideOrder(c, () => markOrderPaid(ctx, idOf(c), reference || null, paid), 'order_paid');
  })
  .post(
    '/:id/payment-link',
    once(linkPath, (c) =>
      submitDecision(
        () => createPaymentLink(c.var.ctx, idOf(c)),
        refuseWithOrder(c),
        () => c.redirect(linkPath(c), 303),
      ),
    ),
  )
  .post('/:id/prescriptions/:prescription/approve', (c) =>
    decideOrder(c, () => approvePrescriptionFor(c.var.ctx, c.req.param('prescription')), 'prescription_approved'),
  )
  .post('/:id/prescriptions/:prescription/fetch', (c) =>
    decideOrder(c, () => fetchAgain(c.var.ctx, c.req.param('prescription')), 'prescription_asked'),
  )
  .post('/:id/prescription', (c) =>
    upload(
      c,
      (bytes) => addOrderPrescription(c.var.ctx, { id: idOf(c), bytes }),
      (fieldErrors) => respondOrder(c, { fieldErrors }),
      (run) => decideOrder(c, run, 'prescription_uploaded'),
    ),
  )
  .get('/:id/cancel', (c) => respondQuestion(c, CancelPage))
  .post('/:id/cancel', (c) => {
    const reasonCode = REASON_CODES.find((known) => known === c.var.form.text('reason_code'));
    const { reason_required } = sharedMessages(c.var).fieldErrors;
    if (!reasonCode) return respondQuestion(c, CancelPage, { reason_code: reason_required });
    return change(c, { status: 'cancelled', reasonCode }, 'order_cancelled');
  })
  .get('/:id/delete', (c) => respondQuestion(c, DeletePage))
  .post('/:id/delete', (c) =>
    submitDecision(
      () => deleteOrder(c.var.ctx, idOf(c)),
      refuseWithOrder(c),
      () => redirectWithFlash(c, 'order_deleted', ORDERS),
    ),
  );

async function respondShipping(c: ManageContext, form: ShippingForm = {}): Promise<Response> {
  const detail = await getOrderDetail(c.var.ctx, idOf(c));
  if (!mayGoOtherwise(detail.order)) return c.redirect(orderPath(idOf(c)), 303);
  return respondForm(c, <ShippingPage {...{ detail, form }} />, form.fieldErrors);
}

function changeShipping(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const typed = form.texts('shipping_option', 'override_reason');
  const { common, fieldErrors, orders, requests } = sharedMessages(c.var);
  if (typed.override_reason.length > NOTE_MAX) {
    return respondShipping(c, { ...typed, fieldErrors: { override_reason: fieldErrors.note_too_long } });
  }
  const seen = form.text('seen');
  const patch = {
    shippingOption: typed.shipping_option,
    overrideReason: typed.override_reason || undefined,
    seenAt: /^\d{1,15}$/.test(seen) ? Number(seen) : undefined,
  };
  return submitDecision(
    () => changeOrder(ctx, idOf(c), patch),
    (error) => {
      if (error.code === 'unknown_shipping_option') {
        const shipping_option = common.required(orders.fields.shipping_option);
        return respondShipping(c, { ...typed, fieldErrors: { shipping_option } });
      }
      if (!(error instanceof ShippingBlocked)) return refuseWithOrder(c)(error);
      const found = error.blockers.map(
        ({ code, productName, rule }) => `${productName}: ${rule?.text ?? requests.warningTexts[code]}`,
      );
      const override_reason = [...found, common.required(orders.fields.override_reason)].join(' · ');
      return respondShipping(c, { ...typed, fieldErrors: { override_reason } });
    },
    () => redirectWithFlash(c, 'order_sent_so', orderPath(idOf(c))),
  );
}

/**
 * Responds with the page that asks for confirmation before the order is changed. After a refusal, the page also shows
 * the errors.
 */
async function respondQuestion(c: ManageContext, Question: typeof CancelPage, fieldErrors?: FieldErrors) {
  const order = await getOrder(c.var.ctx, idOf(c));
  return respondForm(c, <Question {...{ order, fieldErrors }} />, fieldErrors);
}

/** The error for a posted value that the pages of orders do not offer. */
function noSuchChoice(pointer: string) {
  return invalidInput([{ pointer, code: 'invalid_value', message: 'Choose what the page offers.' }]);
}
