import { Hono } from 'hono';
import { TEXT_MAX } from '../../orders/limits';
import {
  getOrder,
  getOrderDetail,
  handOverQuestions,
  type Order,
  type OrderDetail,
  type OrderPatch,
  type OrderStatus,
  type ReturnedNow,
  returnOrder,
  UNPAID_REASONS,
  waitsForPacking,
} from '../../orders/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { idOf, orderPath } from '../http/paths';
import { type FieldErrors, hasFieldErrors } from '../ui/form-errors';
import { respondForm, viewOf } from '../ui/view';
import { leavingMessages } from './leaving-messages';
import { HandOverPage, type LeavingProps, ShipPage } from './leaving-page';
import { change, decideOrder } from './responses';
import { ReturnPage, restockField, returnedField } from './return-page';

const STEP = { 'hand-over': 'picked_up', ship: 'shipped' } as const;

/** The page that asks before an order takes this step; undefined where nothing is asked. */
export async function questionBefore(c: ManageContext, step: OrderStatus): Promise<string | undefined> {
  if (step === 'picked_up') return `${orderPath(idOf(c))}/hand-over`;
  if (step !== 'shipped') return undefined;
  const { isUnpaid, isAddressMissing } = handOverQuestions(await getOrder(c.var.ctx, idOf(c)), step);
  return isUnpaid || isAddressMissing ? `${orderPath(idOf(c))}/ship` : undefined;
}

/** Routes by which goods leave the house, and come back. */
export const leavingRoutes = new Hono<ManageEnv>()
  .get('/:id/hand-over', (c) => ask(c, 'hand-over', HandOverPage))
  .post('/:id/hand-over', handOver)
  .get('/:id/ship', (c) => ask(c, 'ship', ShipPage))
  .post('/:id/ship', ship)
  .get('/:id/return', async (c) => respondReturn(c, await getOrderDetail(c.var.ctx, idOf(c)), {}))
  .post('/:id/return', takeBack);

/** Only where the order may take the step: else the order's page says why not. */
async function ask(
  c: ManageContext,
  by: keyof typeof STEP,
  Question: (props: LeavingProps) => ReturnType<typeof HandOverPage>,
) {
  const order = await getOrder(c.var.ctx, idOf(c));
  if (!isReady(order, STEP[by])) return c.redirect(orderPath(order.id), 303);
  return respondForm(c, <Question view={await viewOf(c)} order={order} form={{}} />);
}

/** Nothing but an answer is missing for this step. */
function isReady(order: Order, to: 'picked_up' | 'shipped'): boolean {
  const from = to === 'shipped' ? 'ready_shipping' : 'ready_pickup';
  return order.status === from && !order.onHold && !waitsForPacking(order, to);
}

async function handOver(c: ManageContext): Promise<Response> {
  const { form } = c.var;
  const typed = form.texts('collected_by', 'unpaid_reason');
  const answer = form.text('cash_received');
  const t = leavingMessages(c.var);
  const respond = async (fieldErrors: FieldErrors) => {
    const order = await getOrder(c.var.ctx, idOf(c));
    return respondForm(
      c,
      <HandOverPage {...{ view: await viewOf(c), order, form: { ...typed, fieldErrors } }} />,
      fieldErrors,
    );
  };
  if (typed.collected_by.length > TEXT_MAX) return respond({ collected_by: t.collectedByTooLong });
  const patch: OrderPatch = { status: 'picked_up', collectedBy: typed.collected_by || null };
  if (answer === 'yes') return change(c, { ...patch, cashReceived: true }, 'order_handed_over');
  if (answer !== 'no') return change(c, patch, 'order_collected');
  const order = await getOrder(c.var.ctx, idOf(c));
  // What stands in the way is said before anybody is asked why nothing was paid.
  if (!isReady(order, 'picked_up')) return change(c, patch, 'order_collected');
  const unpaidReason = reasonOf(typed.unpaid_reason);
  if (unpaidReason) return change(c, { ...patch, unpaidReason }, 'order_collected');
  return respond({ unpaid_reason: t.whyUnpaidMissing });
}

async function ship(c: ManageContext): Promise<Response> {
  const typed = c.var.form.texts('address_known', 'unpaid_reason');
  const order = await getOrder(c.var.ctx, idOf(c));
  const t = leavingMessages(c.var);
  const { isUnpaid, isAddressMissing } = handOverQuestions(order, 'shipped');
  const unpaidReason = reasonOf(typed.unpaid_reason);
  const isAddressKnown = typed.address_known === 'yes';
  const fieldErrors: FieldErrors = {
    ...(isAddressMissing && !isAddressKnown && { address_known: t.addressUnknown }),
    ...(isUnpaid && !unpaidReason && { unpaid_reason: t.whyUnpaidMissing }),
  };
  if (hasFieldErrors(fieldErrors)) {
    return respondForm(
      c,
      <ShipPage {...{ view: await viewOf(c), order, form: { ...typed, fieldErrors } }} />,
      fieldErrors,
    );
  }
  return change(c, { status: 'shipped', unpaidReason, isAddressKnown }, 'order_moved');
}

const reasonOf = (text: string) => UNPAID_REASONS.find((known) => known === text);

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
    const left = leftOf(detail.order, place);
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

/** How many of a line can still come back. */
function leftOf({ items, returned }: Order, place: number): number {
  return (items[place]?.quantity ?? 0) - (returned?.[place]?.quantity ?? 0);
}

async function respondReturn(
  c: ManageContext,
  detail: OrderDetail,
  typed: Record<string, string>,
  fieldErrors: FieldErrors = {},
) {
  return respondForm(c, <ReturnPage {...{ view: await viewOf(c), detail, typed, fieldErrors }} />, fieldErrors);
}
