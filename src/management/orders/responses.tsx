import { changeOrder, type OrderPatch } from '../../orders/change';
import { getOrderDetail } from '../../orders/detail';
import type { AppError } from '../../platform/errors/errors';
import type { ManageContext } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import type { Flash } from '../http/flash-messages';
import { idOf, orderPath } from '../http/paths';
import { submitDecision } from '../ui/confirm';
import { fieldErrorsOf, hasFieldErrors, type Refusals, respondPage } from '../ui/view';
import { listSeen } from './list-page';
import { OrderPage } from './order-page';
import type { OrderState } from './order-parts';

/** The error codes that the order's page can show. The value is the part of the page beside which the error appears. */
export const REFUSALS: Refusals = {
  invalid_transition: 'status',
  prescription_not_approved: 'status',
  prescription_not_covering: 'status',
  on_hold: 'status',
  withdrawal_undecided: 'status',
  withdrawal_decided: 'status',
  original_missing: 'status',
  prescription_expired: 'status',
  rest_owed: 'packs',
  nothing_expected: 'packs',
  not_packed: 'packs',
  insufficient_stock: 'packs',
  total_is_paid: 'packs',
  refund_exceeds_paid: 'packs',
  not_being_packed: 'packs',
  changed_meanwhile: 'packs',
  payment_open: 'payment',
  address_missing: 'status',
  shipping_blocked: 'status',
  order_locked: 'status',
  order_not_deletable: 'status',
  legal_hold: 'status',
  prescription_not_stored: 'status',
  not_fetchable: 'status',
  order_not_payable: 'payment',
  iban_missing: 'payment',
  shop_host_missing: 'payment',
  not_paid: 'payment',
};

/** The path of the page of the order whose id is in the request's path. */
export function shownPath(c: ManageContext): string {
  return orderPath(idOf(c));
}

export function change(c: ManageContext, patch: OrderPatch, flash: Flash): Promise<Response> {
  return decideOrder(c, () => changeOrder(c.var.ctx, idOf(c), patch), flash);
}

/**
 * Runs a decision and redirects to the order. If the decision is refused, responds with the current order and the
 * error.
 */
export function decideOrder(
  c: ManageContext,
  run: () => Promise<unknown>,
  flash: Flash,
  place = '',
): Promise<Response> {
  return submitDecision(run, refuseWithOrder(c), () => redirectWithFlash(c, flash, `${orderPath(idOf(c))}${place}`));
}

/**
 * Returns a function that responds to an error with the current order. The error is beside the part of the page that it
 * belongs to. The function returns null for errors that belong to no part.
 */
export function refuseWithOrder(c: ManageContext): (error: AppError) => Promise<Response> | null {
  return (error) => {
    const fieldErrors = fieldErrorsOf(c.var, REFUSALS, error);
    return fieldErrors && respondOrder(c, { fieldErrors }, 409);
  };
}

/** The page of the current order with its errors, if any. */
export async function respondOrder(
  c: ManageContext,
  state: OrderState = {},
  refusal: 400 | 409 = 400,
): Promise<Response> {
  const detail = await getOrderDetail(c.var.ctx, idOf(c));
  const status = state.refused ? 409 : hasFieldErrors(state.fieldErrors ?? {}) ? refusal : 200;
  return respondPage(c, <OrderPage {...{ detail, state }} back={listSeen(c)} />, status, orderPath(idOf(c)));
}
