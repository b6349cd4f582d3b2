import { Hono } from 'hono';
import { TEXT_MAX } from '../../orders/limits';
import {
  changeOrder,
  getLeavingOrder,
  getOrder,
  handOverQuestions,
  type LeavingOrder,
  type Order,
  type OrderStatus,
  owedCount,
  UNPAID_REASONS,
  waitsForPacking,
} from '../../orders/service';
import { dayOf, readDay } from '../../platform/pharmacy-time';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import type { Flash } from '../http/flash-messages';
import { idOf, orderPath } from '../http/paths';
import { submitDecision } from '../ui/decision';
import type { FormState } from '../ui/fields';
import { type FieldErrors, fieldErrorsOf, hasFieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondForm, viewOf } from '../ui/view';
import { HoldPage } from './hold-page';
import { leavingMessages } from './leaving-messages';
import { HandOverPage, type LeavingField, ShipPage } from './leaving-page';
import { issuedField, OriginalPage } from './original-page';
import { change, refuseWithOrder, respondOrder } from './responses';
import type { TrackingField } from './tracking';
import { readTracking } from './tracking-form';

const STEPS = {
  'hand-over': { from: 'ready_pickup', to: 'picked_up', Question: HandOverPage },
  ship: { from: 'ready_shipping', to: 'shipped', Question: ShipPage },
} as const;
type Way = keyof typeof STEPS;

/** Routes by which goods leave the house, and what keeps them there. */
export const leavingRoutes = new Hono<ManageEnv>()
  .get('/:id/hand-over', (c) => ask(c, 'hand-over'))
  .post('/:id/hand-over', (c) => leave(c, 'hand-over'))
  .get('/:id/ship', (c) => ask(c, 'ship'))
  .post('/:id/ship', (c) => leave(c, 'ship'))
  .post('/:id/parcel', (c) => {
    const { typed, fieldErrors, patch } = readTracking(c);
    if (hasFieldErrors(fieldErrors)) return respondOrder(c, { ...typed, fieldErrors });
    return change(c, patch, 'order_tracked');
  })
  .get('/:id/hold', async (c) => {
    const isOther = c.req.query('reason') === 'original';
    return respondHold(c, { hold_reason: isOther ? leavingMessages(c.var).holdForOriginal : '' });
  })
  .post('/:id/hold', hold)
  .get('/:id/original', (c) => respondOriginal(c))
  .post('/:id/original', confirmOriginal);

/** The page that asks before an order takes this step; undefined where nothing is asked. */
export async function questionBefore(c: ManageContext, step: OrderStatus): Promise<string | undefined> {
  if (step === 'picked_up') return `${orderPath(idOf(c))}/hand-over`;
  if (step !== 'shipped') return undefined;
  return isAskedToShip(await getLeavingOrder(c.var.ctx, idOf(c))) ? `${orderPath(idOf(c))}/ship` : undefined;
}

/** Whether something has to be answered before the order is sent. */
function isAskedToShip({ order, expired }: LeavingOrder): boolean {
  return owedCount(order) > 0 || Object.values(handOverQuestions(order, 'shipped', expired)).includes(true);
}

/** Only where the order may take the step: else the order's page says why not. */
async function ask(c: ManageContext, way: Way): Promise<Response> {
  const leaving = await getLeavingOrder(c.var.ctx, idOf(c));
  if (!isReady(leaving.order, way)) return c.redirect(orderPath(idOf(c)), 303);
  return respondQuestion(c, way, leaving, {});
}

/** Nothing but an answer is missing for this step. */
function isReady(order: Order, way: Way): boolean {
  const { from, to } = STEPS[way];
  return order.status === from && !order.onHold && !order.originalMissing && !waitsForPacking(order, to);
}

async function respondQuestion(c: ManageContext, way: Way, leaving: LeavingOrder, form: FormState<LeavingField>) {
  const { Question } = STEPS[way];
  const view = await viewOf(c, `${orderPath(leaving.order.id)}/${way}`);
  return respondForm(c, <Question {...{ view, leaving, form }} />, form.fieldErrors);
}

async function leave(c: ManageContext, way: Way): Promise<Response> {
  const { form, ctx } = c.var;
  const { to } = STEPS[way];
  const leaving = await getLeavingOrder(ctx, idOf(c));
  const isReceived = form.text('cash_received') === 'yes';
  const isPart = form.text('part') === 'yes';
  const flash: Flash = isPart
    ? to === 'shipped'
      ? 'order_part_sent'
      : 'order_part_supplied'
    : to === 'shipped'
      ? 'order_moved'
      : isReceived
        ? 'order_handed_over'
        : 'order_collected';
  // A second form, as from another tab, does nothing, and the page says so.
  if (leaving.order.status === to) return redirectWithFlash(c, 'order_left_before', orderPath(idOf(c)));
  // What stands in the way is said before anybody is asked.
  if (!isReady(leaving.order, way)) return change(c, { status: to, ...(isPart && { isPart }) }, flash);
  const tracking = to === 'shipped' ? readTracking(c) : null;
  const typed = {
    ...form.texts('collected_by', 'unpaid_reason', 'address_known', 'expiry_accepted', 'seen'),
    ...tracking?.typed,
  };
  if (tracking && typed.seen === '' && isAskedToShip(leaving)) return askAfter(c, tracking);
  const unpaidReason = UNPAID_REASONS.find((known) => known === typed.unpaid_reason);
  const isLeftUnpaid = to === 'shipped' || form.text('cash_received') === 'no';
  const fieldErrors = {
    ...faultsOf(c, leaving, to, { ...typed, isReasonMissing: isLeftUnpaid && !unpaidReason }),
    ...tracking?.fieldErrors,
  };
  if (hasFieldErrors(fieldErrors)) return respondQuestion(c, way, leaving, { ...typed, fieldErrors });
  const patch = {
    status: to,
    ...(isPart && { isPart }),
    ...tracking?.patch,
    ...(to === 'picked_up' && { collectedBy: typed.collected_by || null }),
    ...(isReceived && { cashReceived: true }),
    ...(isLeftUnpaid && { unpaidReason }),
    isAddressKnown: typed.address_known === 'yes',
    isExpiryAccepted: typed.expiry_accepted === 'yes',
    seenAt: /^\d{1,15}$/.test(typed.seen) ? Number(typed.seen) : undefined,
  };
  return submitDecision(
    () => changeOrder(ctx, idOf(c), patch),
    async (error) => {
      if (error.code !== 'changed_meanwhile') {
        const refused = refuseWithOrder(c)(error);
        if (!refused) throw error;
        return refused;
      }
      // It is shown as it is by now, with what was typed.
      const said = fieldErrorsOf(c.var, { changed_meanwhile: 'main' }, error) ?? {};
      return respondQuestion(c, way, await getLeavingOrder(ctx, idOf(c)), { ...typed, fieldErrors: said });
    },
    () => redirectWithFlash(c, flash, orderPath(idOf(c))),
  );
}

/** From the order's page, which asks about the parcel alone: what was said of it is kept, and then comes what is asked. */
function askAfter(c: ManageContext, { typed, fieldErrors, patch }: ReturnType<typeof readTracking>): Promise<Response> {
  if (hasFieldErrors(fieldErrors)) return respondOrder(c, { ...typed, fieldErrors });
  return submitDecision(
    () => changeOrder(c.var.ctx, idOf(c), patch),
    refuseWithOrder(c),
    () => c.redirect(`${orderPath(idOf(c))}/ship`, 303),
  );
}

/** What the answers lack. */
export function faultsOf(
  c: ManageContext,
  { order, expired }: LeavingOrder,
  to: 'picked_up' | 'shipped',
  typed: Record<Exclude<LeavingField, TrackingField>, string> & { isReasonMissing: boolean },
): FieldErrors {
  const t = leavingMessages(c.var);
  const open = handOverQuestions(order, to, expired);
  return {
    ...(open.isExpired && typed.expiry_accepted !== 'yes' && { expiry_accepted: t.expiryOpen }),
    ...(open.isAddressMissing && typed.address_known !== 'yes' && { address_known: t.addressUnknown }),
    ...(open.isUnpaid && typed.isReasonMissing && { unpaid_reason: sharedMessages(c.var).fieldErrors.reason_required }),
    ...(typed.collected_by.length > TEXT_MAX && { collected_by: t.collectedByTooLong }),
  };
}

async function respondHold(c: ManageContext, form: FormState<'hold_reason'>): Promise<Response> {
  const order = await getOrder(c.var.ctx, idOf(c));
  if (order.onHold) return c.redirect(orderPath(order.id), 303);
  return respondForm(c, <HoldPage {...{ view: await viewOf(c), order, form }} />, form.fieldErrors);
}

function hold(c: ManageContext): Promise<Response> {
  const holdReason = c.var.form.text('hold_reason');
  if (holdReason.length <= TEXT_MAX) {
    return change(c, { onHold: true, holdReason: holdReason || null }, 'order_held');
  }
  const fieldErrors = { hold_reason: sharedMessages(c.var).fieldErrors.text_too_long };
  return respondHold(c, { hold_reason: holdReason, fieldErrors });
}

async function respondOriginal(c: ManageContext, typed: Record<string, string> = {}, fieldErrors?: FieldErrors) {
  const leaving = await getLeavingOrder(c.var.ctx, idOf(c));
  if (!leaving.order.originalMissing) return c.redirect(orderPath(idOf(c)), 303);
  return respondForm(c, <OriginalPage {...{ view: await viewOf(c), leaving, typed, fieldErrors }} />, fieldErrors);
}

async function confirmOriginal(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const { copies } = await getLeavingOrder(ctx, idOf(c));
  const days = copies.map(({ id }) => [id, form.text(issuedField(id))] as const).filter(([, day]) => day !== '');
  const wrong = days.filter(([, day]) => readDay(day) === null || day > dayOf(ctx.now()));
  if (wrong.length > 0) {
    const { issuedWrong } = leavingMessages(c.var);
    return respondOriginal(
      c,
      Object.fromEntries(days.map(([id, day]) => [issuedField(id), day])),
      Object.fromEntries(wrong.map(([id]) => [issuedField(id), issuedWrong])),
    );
  }
  return change(c, { originalMissing: false, issued: new Map(days) }, 'original_confirmed');
}
