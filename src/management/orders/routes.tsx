import { Hono } from 'hono';
import { TEXT_MAX } from '../../orders/limits';
import {
  addOrderPrescription,
  createPaymentLink,
  deleteOrder,
  getOrder,
  getOrderDetail,
  listOrdersAndShops,
  markOrderPaid,
  ORDER_STATUSES,
  REASON_CODES,
} from '../../orders/service';
import { invalidInput } from '../../platform/errors';
import { approvePrescription, fetchAgain } from '../../prescriptions/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { done } from '../http/flash';
import { once, showOnce } from '../http/once';
import { ORDERS, orderPath } from '../http/paths';
import { type Faults, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { upload } from '../ui/upload';
import { answerPage, viewOf } from '../ui/view';
import { answerOrder, change, idOf, REFUSALS, tryAct } from './answer';
import { CancelPage, DeletePage, ReturnPage } from './confirm-page';
import { OrdersPage } from './list-page';
import type { MadeLink } from './payment-page';
import { asksForMoney, linkPath, moneyRoutes } from './payment-routes';
import { OrderPrint } from './print-page';

const PAGE_SIZE = 50;
const CURSOR_MAX = 100;

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
    if (status === 'returned') return c.redirect(`${orderPath(idOf(c))}/return`, 303);
    if (status === 'picked_up' && (await asksForMoney(c))) return c.redirect(`${orderPath(idOf(c))}/hand-over`, 303);
    return change(c, { status }, 'order_moved');
  })
  .get('/:id/return', async (c) => {
    const order = await getOrder(c.var.ctx, idOf(c));
    return answerPage(c, <ReturnPage view={await viewOf(c)} order={order} />);
  })
  .post('/:id/return', (c) => change(c, { status: 'returned' }, 'order_returned'))
  .route('/', moneyRoutes)
  .post('/:id/flags', (c) => {
    const { form } = c.var;
    const shared = sharedMessages(c.var);
    const isOn = form.text('value') === 'on';
    const flag = form.text('flag');
    if (flag === 'express') return change(c, { express: isOn }, 'order_flagged');
    if (flag === 'archived') return change(c, { archived: isOn }, 'order_flagged');
    if (flag !== 'on_hold') throw noSuchChoice('/flag');
    const holdReason = isOn ? form.text('hold_reason') || null : null;
    const faults = faultsOfText(holdReason, 'hold_reason', shared.fieldErrors.text_too_long);
    if (faults) return answerOrder(c, { faults });
    return change(c, { onHold: isOn, holdReason }, 'order_flagged');
  })
  .post('/:id/paid', async (c) => {
    const { ctx, form } = c.var;
    const shared = sharedMessages(c.var);
    const reference = form.text('payment_reference') || null;
    const faults = faultsOfText(reference, 'payment_reference', shared.fieldErrors.text_too_long);
    if (faults) return answerOrder(c, { faults });
    const result = await tryForm(c.var, REFUSALS, () => markOrderPaid(ctx, idOf(c), reference));
    if (result.faults) return answerOrder(c, { faults: result.faults }, 409);
    return done(c, 'order_paid', orderPath(idOf(c)));
  })
  .post(
    '/:id/payment-link',
    once((c) => linkPath(idOf(c)), makeLink),
  )
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
    const { form } = c.var;
    const shared = sharedMessages(c.var);
    const reasonCode = REASON_CODES.find((known) => known === form.text('reason_code'));
    if (!reasonCode) return answerCancel(c, { reason_code: shared.fieldErrors.reason_required });
    return change(c, { status: 'cancelled', reasonCode }, 'order_cancelled');
  })
  .get('/:id/delete', async (c) => {
    const order = await getOrder(c.var.ctx, idOf(c));
    return answerPage(c, <DeletePage view={await viewOf(c)} order={order} />);
  })
  .post('/:id/delete', async (c) => {
    const result = await tryForm(c.var, REFUSALS, () => deleteOrder(c.var.ctx, idOf(c)));
    if (result.faults) return answerOrder(c, { faults: result.faults }, 409);
    return done(c, 'order_deleted', ORDERS);
  });

async function answerOrders(c: ManageContext): Promise<Response> {
  const { status, shop, cursor: typed = '' } = c.req.query();
  const cursor = typed.length <= CURSOR_MAX ? typed || undefined : undefined;
  const filter = { status: ORDER_STATUSES.find((known) => known === status), shopId: shop || undefined };
  const input = { ...filter, limit: PAGE_SIZE, before: cursor ?? null };
  const { orders, shops, nextCursor } = await listOrdersAndShops(c.var.ctx, input);
  const view = await viewOf(c);
  const page = <OrdersPage {...{ view, orders, shops, nextCursor }} filter={{ ...filter, cursor }} />;
  return answerPage(c, page);
}

async function makeLink(c: ManageContext): Promise<Response> {
  const result = await tryForm(c.var, REFUSALS, () => createPaymentLink(c.var.ctx, idOf(c)));
  if (result.faults) return answerOrder(c, { faults: result.faults }, 409);
  return showOnce(c, linkPath(idOf(c)), { url: result.value.url } satisfies MadeLink);
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
