import { Hono } from 'hono';
import {
  addOrderPrescription,
  changeOrder,
  createPaymentLink,
  deleteOrder,
  getOrder,
  getOrderDetail,
  listOrdersAndShops,
  markOrderPaid,
  ORDER_STATUSES,
  type OrderPatch,
  REASON_CODES,
} from '../../orders/service';
import { invalidInput } from '../../platform/errors';
import { approvePrescription, fetchAgain } from '../../prescriptions/service';
import type { ManageContext, ManageEnv } from '../env';
import { done, type Flash } from '../page/flash';
import { type Faults, hasFaults, tryForm } from '../page/forms';
import { upload } from '../page/upload';
import { answerPage, viewOf } from '../page/view';
import { CancelPage, DeletePage } from './confirm';
import { OrderPage, type OrderState } from './detail';
import { OrdersPage } from './list';
import { ORDERS, orderPath } from './parts';
import { OrderPrint } from './print';

const PAGE_SIZE = 50;
const TEXT_MAX = 200;
const CURSOR_MAX = 100;

/** Refusals by code, each with the part of the page that it is about. */
const REFUSALS = {
  invalid_transition: 'status',
  prescription_not_approved: 'status',
  order_locked: 'status',
  order_not_deletable: 'status',
  prescription_not_stored: 'status',
  not_fetchable: 'status',
  order_not_payable: 'payment',
  iban_missing: 'payment',
  shop_host_missing: 'payment',
};

/** For every role: a pharmacy's daily work. */
export const orderRoutes = new Hono<ManageEnv>()
  .get('/', answerOrders)
  .get('/:id', async (c) => {
    if (c.req.query('print') === undefined) return answerOrder(c);
    const detail = await getOrderDetail(c.var.ctx, idOf(c));
    return answerPage(c, <OrderPrint view={await viewOf(c)} detail={detail} />);
  })
  .post('/:id/status', async (c) => {
    const status = ORDER_STATUSES.find((known) => known === c.var.form.text('status'));
    if (!status) throw noSuchChoice('/status');
    // It asks for a reason first.
    if (status === 'cancelled') return c.redirect(`${orderPath(idOf(c))}/cancel`, 303);
    return change(c, { status }, 'order_moved');
  })
  .post('/:id/flags', (c) => {
    const { form, words } = c.var;
    const isOn = form.text('value') === 'on';
    const flag = form.text('flag');
    if (flag === 'express') return change(c, { express: isOn }, 'order_flagged');
    if (flag === 'archived') return change(c, { archived: isOn }, 'order_flagged');
    if (flag !== 'on_hold') throw noSuchChoice('/flag');
    const holdReason = isOn ? form.text('hold_reason') || null : null;
    const faults = faultsOfText(holdReason, 'hold_reason', words.faults.text_200);
    if (faults) return answerOrder(c, { faults });
    return change(c, { onHold: isOn, holdReason }, 'order_flagged');
  })
  .post('/:id/paid', async (c) => {
    const { ctx, form, words } = c.var;
    const reference = form.text('payment_reference') || null;
    const faults = faultsOfText(reference, 'payment_reference', words.faults.text_200);
    if (faults) return answerOrder(c, { faults });
    const result = await tryForm(words, REFUSALS, () => markOrderPaid(ctx, idOf(c), reference));
    if (result.faults) return answerOrder(c, { faults: result.faults }, 409);
    return done(c, 'order_paid', orderPath(idOf(c)));
  })
  .post('/:id/payment-link', async (c) => {
    const result = await tryForm(c.var.words, REFUSALS, () => createPaymentLink(c.var.ctx, idOf(c)));
    if (result.faults) return answerOrder(c, { faults: result.faults }, 409);
    return answerOrder(c, { linkUrl: result.value.url });
  })
  .post('/:id/prescriptions/:prescription/approve', (c) => {
    const act = () => approvePrescription(c.var.ctx, c.req.param('prescription'));
    return tryAct(c, act, 'prescription_approved');
  })
  .post('/:id/prescriptions/:prescription/fetch', (c) => {
    const act = () => fetchAgain(c.var.ctx, c.req.param('prescription'));
    return tryAct(c, act, 'prescription_asked');
  })
  .post('/:id/prescription', (c) =>
    upload(
      c,
      (bytes) => addOrderPrescription(c.var.ctx, { id: idOf(c), bytes }),
      (faults) => answerOrder(c, { faults }),
      (run) => tryAct(c, run, 'prescription_uploaded'),
    ),
  )
  .get('/:id/cancel', (c) => answerCancel(c))
  .post('/:id/cancel', (c) => {
    const { form, words } = c.var;
    const reasonCode = REASON_CODES.find((known) => known === form.text('reason_code'));
    if (!reasonCode) return answerCancel(c, { reason_code: words.faults.reason_required });
    return change(c, { status: 'cancelled', reasonCode }, 'order_cancelled');
  })
  .get('/:id/delete', async (c) => {
    const order = await getOrder(c.var.ctx, idOf(c));
    return answerPage(c, <DeletePage view={await viewOf(c)} order={order} />);
  })
  .post('/:id/delete', async (c) => {
    const result = await tryForm(c.var.words, REFUSALS, () => deleteOrder(c.var.ctx, idOf(c)));
    if (result.faults) return answerOrder(c, { faults: result.faults }, 409);
    return done(c, 'order_deleted', ORDERS);
  });

async function answerOrders(c: ManageContext): Promise<Response> {
  const { status, shop, cursor = '' } = c.req.query();
  const before = cursor.length <= CURSOR_MAX ? cursor : '';
  const filter = { status: ORDER_STATUSES.find((known) => known === status), shopId: shop || undefined };
  const { orders, shops, nextCursor } = await listOrdersAndShops(c.var.ctx, { ...filter, limit: PAGE_SIZE, before });
  const view = await viewOf(c);
  const page = <OrdersPage {...{ view, orders, shops, nextCursor }} filter={{ ...filter, cursor: before }} />;
  return answerPage(c, page);
}

function change(c: ManageContext, patch: OrderPatch, flash: Flash): Promise<Response> {
  return tryAct(c, () => changeOrder(c.var.ctx, idOf(c), patch), flash);
}

/** Acts, or shows the order as it is by now with what was refused. */
async function tryAct(c: ManageContext, run: () => Promise<unknown>, flash: Flash): Promise<Response> {
  const result = await tryForm(c.var.words, REFUSALS, run);
  if (result.faults) return answerOrder(c, { faults: result.faults }, 409);
  return done(c, flash, orderPath(idOf(c)));
}

/** The order as it is now, with what was refused. */
async function answerOrder(c: ManageContext, state: OrderState = {}, refusal: 400 | 409 = 400): Promise<Response> {
  const detail = await getOrderDetail(c.var.ctx, idOf(c));
  const view = await viewOf(c, orderPath(idOf(c)));
  return answerPage(c, <OrderPage {...{ view, detail, state }} />, hasFaults(state.faults ?? {}) ? refusal : 200);
}

async function answerCancel(c: ManageContext, faults?: Faults): Promise<Response> {
  const order = await getOrder(c.var.ctx, idOf(c));
  const page = <CancelPage view={await viewOf(c)} order={order} faults={faults} />;
  return answerPage(c, page, faults ? 400 : 200);
}

function faultsOfText(text: string | null, field: string, message: string): Faults | undefined {
  return text !== null && text.length > TEXT_MAX ? { [field]: message } : undefined;
}

/** No button of ours sends it. */
function noSuchChoice(pointer: string) {
  return invalidInput([{ pointer, code: 'invalid_value', message: 'Choose what the page offers.' }]);
}

function idOf(c: ManageContext): string {
  return c.req.param('id') ?? '';
}
