import { Hono } from 'hono';
import { NOTE_MAX, TEXT_MAX } from '../../orders/limits';
import {
  addOrderNote,
  arrangeTour,
  deliverOrder,
  getLeavingOrder,
  handOverQuestions,
  isPickup,
  type LeavingOrder,
  readTour,
  TOUR_MAX,
  UNPAID_REASONS,
  waitsForPacking,
} from '../../orders/service';
import { dayOf, readDay } from '../../platform/pharmacy-time';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once } from '../http/once';
import { idOf, orderPath, TOUR, withQuery } from '../http/paths';
import { submitDecision } from '../ui/decision';
import type { FormState } from '../ui/fields';
import { type FieldErrors, fieldErrorsOf, hasFieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondForm, viewOf } from '../ui/view';
import { DeliverPage } from './deliver-page';
import { rememberList } from './desk-filter';
import type { LeavingField } from './leaving-page';
import { faultsOf } from './leaving-routes';
import { REFUSALS, refuseWithOrder } from './responses';
import { tourMessages } from './tour-messages';
import { TourPage } from './tour-page';

const ID_MAX = 100;

/** The tour of the courier, and handing over at the customer's door. */
export const tourRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const asked = c.req.query('day') ?? '';
    const typed = asked === '' ? undefined : readDay(asked.slice(0, ID_MAX));
    const fieldErrors: FieldErrors = typed === null ? { day: sharedMessages(c.var).dates.noDate } : {};
    const day = typed ?? dayOf(c.var.ctx.now());
    const shop = c.req.query('shop');
    const shopId = shop && shop.length <= ID_MAX ? shop : undefined;
    const tour = await readTour(c.var.ctx, { day, shopId });
    const isArranging = c.req.query('arrange') === '1' && tour.stops.length > 0;
    rememberList(c, 'tour');
    return respondForm(
      c,
      <TourPage {...{ view: await viewOf(c), tour, day, shopId, isArranging, fieldErrors }} />,
      fieldErrors,
    );
  })
  .post('/', async (c) => {
    const { form, ctx } = c.var;
    const numbered = form.entries().flatMap(([name, value], at) => {
      const id = name.startsWith('place-') && name.length <= ID_MAX ? name.slice('place-'.length) : null;
      const place = /^\d{1,4}$/.test(value.trim()) ? Number(value) : Number.MAX_SAFE_INTEGER;
      return id === null ? [] : [{ id, place, at }];
    });
    const arranged = numbered.toSorted((one, other) => one.place - other.place || one.at - other.at);
    const ids = arranged.slice(0, TOUR_MAX).map(({ id }) => id);
    await arrangeTour(ctx, ids, form.text('by') === 'address');
    return redirectWithFlash(c, 'tour_arranged', withQuery(TOUR, { shop: form.text('shop').slice(0, ID_MAX) }));
  })
  .get('/:id', async (c) => {
    const leaving = await getLeavingOrder(c.var.ctx, idOf(c));
    if (!isOnTour(leaving)) return c.redirect(orderPath(idOf(c)), 303);
    return respondDelivery(c, leaving, {});
  })
  .post('/:id', deliver)
  .post(
    '/:id/absent',
    once(
      () => TOUR,
      async (c) => {
        const { absentText } = tourMessages(c.var);
        const text = [absentText, c.var.form.text('absent_note')].filter(Boolean).join(' ').slice(0, NOTE_MAX);
        await addOrderNote(c.var.ctx, { id: idOf(c), text });
        return redirectWithFlash(c, 'absent_noted', TOUR);
      },
    ),
  );

/** Ready for the courier, and nothing but an answer is missing. */
function isOnTour({ order }: LeavingOrder): boolean {
  const { status, shippingOption, onHold, originalMissing } = order;
  const isCarried = status === 'ready_shipping' && !isPickup(shippingOption);
  return isCarried && !onHold && !originalMissing && !waitsForPacking(order, 'shipped');
}

async function respondDelivery(c: ManageContext, leaving: LeavingOrder, form: FormState<LeavingField>) {
  const view = await viewOf(c, `${TOUR}/${leaving.order.id}`);
  return respondForm(c, <DeliverPage {...{ view, leaving, form }} />, form.fieldErrors);
}

async function deliver(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const leaving = await getLeavingOrder(ctx, idOf(c));
  const typed = form.texts('collected_by', 'unpaid_reason', 'address_known', 'expiry_accepted', 'seen');
  const cash = form.text('cash_received');
  const unpaidReason = UNPAID_REASONS.find((known) => known === typed.unpaid_reason);
  const isPart = form.text('part') === 'yes';
  const { isUnpaid } = handOverQuestions(leaving.order, 'shipped', leaving.expired);
  const isLeftUnpaid = isUnpaid && cash !== 'yes';
  const isReady = isOnTour(leaving);
  const fieldErrors = isReady
    ? faultsOf(c, leaving, 'shipped', { ...typed, isReasonMissing: isLeftUnpaid && !unpaidReason })
    : {};
  if (typed.collected_by.length > TEXT_MAX || hasFieldErrors(fieldErrors)) {
    return respondDelivery(c, leaving, { ...typed, fieldErrors });
  }
  const patch = {
    ...(isPart && { isPart }),
    collectedBy: typed.collected_by || null,
    ...(cash === 'yes' && isUnpaid && { cashReceived: true }),
    ...(isLeftUnpaid && { unpaidReason }),
    isAddressKnown: typed.address_known === 'yes',
    isExpiryAccepted: typed.expiry_accepted === 'yes',
    seenAt: isReady && /^\d{1,15}$/.test(typed.seen) ? Number(typed.seen) : undefined,
  };
  return submitDecision(
    () => deliverOrder(ctx, idOf(c), patch),
    async (error) => {
      if (error.code !== 'changed_meanwhile') {
        const refused = refuseWithOrder(c)(error);
        if (!refused) throw error;
        return refused;
      }
      const said = fieldErrorsOf(c.var, { ...REFUSALS, changed_meanwhile: 'main' }, error) ?? {};
      return respondDelivery(c, await getLeavingOrder(ctx, idOf(c)), { ...typed, fieldErrors: said });
    },
    () => redirectWithFlash(c, isPart ? 'order_part_sent' : 'order_delivered', TOUR),
  );
}
