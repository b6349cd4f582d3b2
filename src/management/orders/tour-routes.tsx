import { Hono } from 'hono';
import { arrangeTour, deliverOrder, readTour, type Tour } from '../../orders/desk/desk';
import { getLeavingOrder, type LeavingOrder } from '../../orders/detail';
import { NOTE_MAX, TEXT_MAX, TOUR_MAX } from '../../orders/limits';
import { whyNotPayable } from '../../orders/payments/links';
import { dueCents, handOverQuestions, owedCount, waitsForPacking } from '../../orders/rules';
import type { Order } from '../../orders/store';
import { addOrderNote } from '../../orders/timeline/notes';
import { telOf } from '../../platform/markup/phone';
import { dayOf, readDay } from '../../platform/pharmacy-time';
import { isPickup } from '../../tenants/rules';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once } from '../http/once';
import { idOf, ORDERS, orderPath, TOUR, withQuery } from '../http/paths';
import { Button, Form, type FormState, Hidden } from '../ui/fields';
import { DayField, FilterToggle, ShopFilter } from '../ui/filters';
import { dayText, formatDate, formatMoment, formatMoney, onDay } from '../ui/format';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf, lookOf } from '../ui/order-summary';
import { wordsOf } from '../ui/panels';
import { ButtonLink, Mark, Nothing, Notice, Panel, PrintButton, Quote } from '../ui/parts';
import { Bench } from '../ui/table';
import { type FieldErrors, hasFieldErrors, respondForm, useView } from '../ui/view';
import { DeliverPage, type LeavingField } from './leaving-page';
import { faultsOf, readAnswers, submitLeaving } from './leaving-routes';
import { tourMessages } from './list-messages';
import { DeskTabs, rememberList } from './list-page';
import { packingMessages, supplyMessages } from './packing/messages';

const ID_MAX = 100;

/** Routes of the courier's tour, and of deliveries at the customer's door. */
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
    return respondForm(c, <TourPage {...{ tour, day, shopId, isArranging, fieldErrors }} />, fieldErrors);
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
    once(TOUR, async (c) => {
      const { absentText } = tourMessages(c.var);
      const text = [absentText, c.var.form.text('absent_note')].filter(Boolean).join(' ').slice(0, NOTE_MAX);
      await addOrderNote(c.var.ctx, { id: idOf(c), text });
      return redirectWithFlash(c, 'absent_noted', TOUR);
    }),
  );

/** Whether the courier can deliver the order now: only the courier's answers at the door may be missing. */
function isOnTour({ order }: LeavingOrder): boolean {
  const { status, shippingOption, onHold, originalMissing } = order;
  const isCarried = status === 'ready_shipping' && !isPickup(shippingOption);
  return isCarried && !onHold && !originalMissing && !waitsForPacking(order, 'shipped');
}

async function respondDelivery(c: ManageContext, leaving: LeavingOrder, form: FormState<LeavingField>) {
  return respondForm(c, <DeliverPage {...{ leaving, form }} />, form.fieldErrors, `${TOUR}/${leaving.order.id}`);
}

async function deliver(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const leaving = await getLeavingOrder(ctx, idOf(c));
  const { typed, answers, unpaidReason, isPart } = readAnswers(c);
  const cash = form.text('cash_received');
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
    ...answers,
    seenAt: isReady ? answers.seenAt : undefined,
  };
  return submitLeaving(
    c,
    () => deliverOrder(ctx, idOf(c), patch),
    (now, fieldErrors) => respondDelivery(c, now, { ...typed, fieldErrors }),
    () => redirectWithFlash(c, isPart ? 'order_part_sent' : 'order_collected', TOUR),
  );
}

interface TourProps {
  tour: Tour;
  day: string;
  shopId?: string;
  /** Whether the page shows the form that reorders the stops. */
  isArranging: boolean;
  fieldErrors: FieldErrors;
}

const bagsOf = ({ bags }: Order) => bags ?? 1;
/** The amount that the courier collects, in cents. */
const dueOf = (order: Order) => (whyNotPayable(order) === null ? dueCents(order) : 0);

/** The courier's stops by area, with goods and amounts to collect, for screen and paper. */
function TourPage({ tour, day, shopId, isArranging, fieldErrors }: TourProps) {
  const t = tourMessages();
  const isToday = day === dayOf(useView().now);
  const stops = isToday ? tour.stops : [];
  const due = stops.reduce((sum, order) => sum + dueOf(order), 0);
  const bags = stops.reduce((sum, order) => sum + bagsOf(order), 0);
  return (
    <Page
      title={isToday ? t.title : t.titleOn(formatDate(Date.parse(day)))}
      fieldErrors={fieldErrors}
      lead={
        isToday && (
          <>
            {`${dayText(day)} · ${t.lead(stops.length, bags)}${due > 0 ? ', ' : ''}`}
            {due > 0 && <b>{t.toCollect(formatMoney(due))}</b>}
          </>
        )
      }
      acts={
        stops.length > 0 &&
        !isArranging && (
          <>
            <ButtonLink path={withQuery(TOUR, { shop: shopId, arrange: '1' })} label={t.arrange} />
            <PrintButton label={packingMessages().printSlip} />
          </>
        )
      }
    >
      <Bench isMany>
        <DeskTabs counts={tour.counts} current="courier" />
        <form method="get" action={TOUR} class="filters">
          <FilterToggle isOn={shopId !== undefined || hasFieldErrors(fieldErrors)} />
          <DayField name="day" label={t.day} value={day} fieldErrors={fieldErrors} />
          {tour.shops.length > 1 && <ShopFilter shops={tour.shops} shopId={shopId} />}
          <button type="submit">{sharedMessages().common.show}</button>
        </form>
      </Bench>
      {isToday && <Older {...{ tour, shopId }} />}
      {isToday && stops.length === 0 && tour.older === null && <Nothing title={t.empty} text={t.emptyLead} />}
      {isArranging ? <TourOrder stops={stops} shopId={shopId} /> : <Areas stops={stops} />}
      {stops.length > 0 && (
        <p class="on-paper">
          {t.foot}
          <br />
          {t.footAbsent}
        </p>
      )}
      <DeliveredList tour={tour} isToday={isToday} />
    </Page>
  );
}

/** A warning that older stops are not on the tour, for screen and paper. On the screen, it links to the older stops. */
function Older({ tour: { older, stops, shops }, shopId }: Pick<TourProps, 'tour' | 'shopId'>) {
  if (older === null) return null;
  const t = tourMessages();
  const path = withQuery(ORDERS, { status: 'ready_shipping', shop: shopId, cursor: older.before });
  return (
    <Notice tone="wait">
      <p>{older.isCertain ? t.older(stops.length) : t.maybeOlder(stops.length)}</p>
      <p class="screen">
        <a href={path}>{t.showOlder}</a>
        {shopId === undefined && shops.length > 1 && `. ${t.chooseShop}`}
      </p>
    </Notice>
  );
}

interface Stop {
  order: Order;
  nth: number;
  /** Whether the previous stop has the same address. */
  isSame: boolean;
}

/** Groups consecutive stops of the same area. The stops keep their order, so an area can have several groups. */
function areasOf(stops: readonly Order[]): { area: string; stops: Stop[] }[] {
  const areas: { area: string; stops: Stop[] }[] = [];
  stops.forEach((order, place) => {
    const area = areaOf(order);
    const before = stops[place - 1];
    const isSame = before !== undefined && areaOf(before) === area && before.addressStreet === order.addressStreet;
    const stop = { order, nth: place + 1, isSame: isSame && order.addressStreet !== null };
    const last = areas.at(-1);
    if (last?.area === area) last.stops.push(stop);
    else areas.push({ area, stops: [stop] });
  });
  return areas;
}

function Areas({ stops }: { stops: readonly Order[] }) {
  const t = tourMessages();
  return (
    <>
      {areasOf(stops).map(({ area, stops }) => (
        <section class="panel area">
          <header>
            <h2>
              <bdi>{area || t.noAddress}</bdi>
            </h2>
            <span class="quiet">{t.stops(stops.length)}</span>
          </header>
          <ol>
            {stops.map((stop) => (
              <StopRow {...stop} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

/** One stop: customer, bags, and amount. It names no medicines, because the printed list lies in a car. */
function StopRow({ order, nth, isSame }: Stop) {
  const view = useView();
  const t = tourMessages();
  const due = dueOf(order);
  const look = lookOf(view, order);
  const isStopped = order.onHold || order.originalMissing;
  return (
    <li class={isSame ? 'halt same' : 'halt'}>
      <span class="nth">{nth}</span>
      <div class="to-whom">
        <h3>
          <bdi>{customerOf(view, order)}</bdi>
        </h3>
        {order.addressStreet && (
          <p>
            <bdi>{order.addressStreet}</bdi>{' '}
            <a class="phone screen" href={`geo:0,0?q=${encodeURIComponent(addressOf(order))}`}>
              {t.map}
            </a>
          </p>
        )}
        {order.addressPhone && (
          <p>
            <a href={telOf(order.addressPhone)}>
              <bdi>{order.addressPhone}</bdi>
            </a>
          </p>
        )}
        {wordsOf('delivery', order.platformDetails).map((text) => (
          <Quote>
            <bdi>{text}</bdi>
          </Quote>
        ))}
        {order.note && (
          <div class="screen">
            <Quote>
              <bdi>{order.note}</bdi>
            </Quote>
          </div>
        )}
      </div>
      <div class="load">
        <a class="no" href={orderPath(order.id)}>
          {order.number}
        </a>
        <span>
          {order.shelf && (
            <>
              {t.shelf} <b dir="auto">{order.shelf}</b>
              {', '}
            </>
          )}
          {packingMessages().bagCount(bagsOf(order))}
        </span>
        {order.expectedOn && (
          <span class="with">
            <Mark name="half" />
            {supplyMessages().packsOn(owedCount(order), onDay(order.expectedOn))}
          </span>
        )}
        {isStopped && (
          <Chip tone={look.tone} mark={look.mark}>
            {look.text}: {t.stopped}
          </Chip>
        )}
      </div>
      <div class="due">
        {due > 0 ? (
          <>
            <small>{t.collect}</small>
            <b>{formatMoney(due)}</b>
          </>
        ) : (
          <small>{t.nothing}</small>
        )}
      </div>
      <div class="given">
        <a class="button screen" href={isStopped ? orderPath(order.id) : `${TOUR}/${order.id}`}>
          {t.given}
          <span class="unseen">: {customerOf(view, order)}</span>
        </a>
        <span class="sign" aria-hidden="true">
          {t.sign}
        </span>
      </div>
    </li>
  );
}

function DeliveredList({ tour: { carried }, isToday }: { tour: Tour; isToday: boolean }) {
  const t = tourMessages();
  if (carried.length === 0) return isToday ? null : <p class="quiet">{t.noneCarried}</p>;
  return (
    <section class="panel wide screen carried">
      <h2>{t.carried(carried.length)}</h2>
      <ul>
        {carried.map((order) => (
          <li>
            <a href={orderPath(order.id)}>
              {order.number} <bdi>{customerOf(useView(), order)}</bdi>
            </a>{' '}
            <span class="quiet">
              {formatMoment(order.updatedAt)}
              {order.unpaidReason && `, ${sharedMessages().orders.unpaidReasons[order.unpaidReason]}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Postal code and town; empty without an address. */
const areaOf = ({ addressPostalCode, addressCity }: Order) =>
  [addressPostalCode, addressCity].filter(Boolean).join(' ');

/**
 * The address on one line. The tour links to it with `geo:`, which opens the map app of the courier's phone. The page
 * itself calls no map service.
 */
const addressOf = (order: Order) => [order.addressStreet, areaOf(order)].filter(Boolean).join(', ');

/** The form that reorders the stops. */
function TourOrder({ stops, shopId }: { stops: readonly Order[]; shopId?: string }) {
  const view = useView();
  const { common } = sharedMessages();
  const t = tourMessages();
  return (
    <Panel title={t.arrange} isWide>
      <p class="hint">{t.arrangeHint}</p>
      <Form action={TOUR} class="arrange">
        {shopId && <Hidden name="shop" value={shopId} />}
        <ol>
          {stops.map((order, place) => (
            <li>
              <input
                name={`place-${order.id}`}
                value={String((place + 1) * 10)}
                inputmode="numeric"
                maxlength={4}
                aria-label={t.place(customerOf(view, order))}
                autocomplete="off"
              />
              <span>
                <b dir="auto">{customerOf(view, order)}</b>
                <small dir="auto">{addressOf(order)}</small>
              </span>
            </li>
          ))}
        </ol>
        {/* Enter in a field presses the form's first button. */}
        <div class="ends">
          <ButtonLink path={withQuery(TOUR, { shop: shopId })} label={common.cancel} />
          <Button tone="primary" data-decide label={common.save} />
          <Button name="by" value="address" label={t.byAddress} />
        </div>
      </Form>
    </Panel>
  );
}
