import { changeOrder, getOrderDetail, type OrderPatch } from '../../orders/service';
import type { ManageContext } from '../http/env';
import { done, type Flash } from '../http/flash';
import { orderPath } from '../http/paths';
import { hasFaults, type Refusals, tryForm } from '../ui/form-errors';
import { answerPage, viewOf } from '../ui/view';
import type { OrderState } from './decision';
import { OrderPage } from './order-page';

/** Refusals by code, each with the part of the page that it is about. */
export const REFUSALS: Refusals = {
  invalid_transition: 'status',
  prescription_not_approved: 'status',
  on_hold: 'status',
  order_locked: 'status',
  order_not_deletable: 'status',
  prescription_not_stored: 'status',
  not_fetchable: 'status',
  order_not_payable: 'payment',
  iban_missing: 'payment',
  shop_host_missing: 'payment',
  not_paid: 'payment',
};

export function change(c: ManageContext, patch: OrderPatch, flash: Flash): Promise<Response> {
  return tryAct(c, () => changeOrder(c.var.ctx, idOf(c), patch), flash);
}

/** Acts, or shows the order as it is by now with what was refused. */
export async function tryAct(c: ManageContext, run: () => Promise<unknown>, flash: Flash): Promise<Response> {
  const result = await tryForm(c.var, REFUSALS, run);
  if (result.faults) return answerOrder(c, { faults: result.faults }, 409);
  return done(c, flash, orderPath(idOf(c)));
}

/** The order as it is now, with what was refused. */
export async function answerOrder(
  c: ManageContext,
  state: OrderState = {},
  refusal: 400 | 409 = 400,
): Promise<Response> {
  const detail = await getOrderDetail(c.var.ctx, idOf(c));
  const view = await viewOf(c, orderPath(idOf(c)));
  return answerPage(c, <OrderPage {...{ view, detail, state }} />, hasFaults(state.faults ?? {}) ? refusal : 200);
}

export function idOf(c: ManageContext): string {
  return c.req.param('id') ?? '';
}
