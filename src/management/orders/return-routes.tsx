import { Hono } from 'hono';
import { getOrderDetail, type OrderDetail, type ReturnedNow, returnableOf, returnOrder } from '../../orders/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { idOf } from '../http/paths';
import { type FieldErrors, hasFieldErrors } from '../ui/form-errors';
import { respondForm, viewOf } from '../ui/view';
import { leavingMessages } from './leaving-messages';
import { decideOrder } from './responses';
import { ReturnPage, restockField, returnedField } from './return-page';

/** Routes by which goods come back. */
export const returnRoutes = new Hono<ManageEnv>()
  .get('/:id/return', async (c) => respondReturn(c, await getOrderDetail(c.var.ctx, idOf(c)), {}))
  .post('/:id/return', takeBack);

async function takeBack(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const detail = await getOrderDetail(ctx, idOf(c));
  const t = leavingMessages(c.var);
  const typed: Record<string, string> = form.texts('seen');
  const fieldErrors: FieldErrors = {};
  const lines: ReturnedNow[] = detail.order.items.map((_, place) => {
    const [field, restock] = [returnedField(place), restockField(place)];
    typed[field] = form.text(field);
    typed[restock] = form.text(restock);
    const left = returnableOf(detail.order, place);
    const quantity = /^\d{0,5}$/.test(typed[field]) ? Number(typed[field]) : Number.NaN;
    if (!(quantity <= left)) fieldErrors[field] = t.quantityRange(left);
    return { quantity, isRestocked: typed[restock] === 'yes' };
  });
  if (!hasFieldErrors(fieldErrors) && lines.every(({ quantity }) => quantity === 0)) {
    fieldErrors[returnedField(0)] = t.nothingBack;
  }
  if (hasFieldErrors(fieldErrors)) return respondReturn(c, detail, typed, fieldErrors);
  const seen = Number(typed.seen);
  return decideOrder(c, () => returnOrder(ctx, idOf(c), { lines, seen }), 'order_returned');
}

async function respondReturn(
  c: ManageContext,
  detail: OrderDetail,
  typed: Record<string, string>,
  fieldErrors: FieldErrors = {},
) {
  return respondForm(c, <ReturnPage {...{ view: await viewOf(c), detail, typed, fieldErrors }} />, fieldErrors);
}
