import { dueCents, type Order, owedCount, type Tour, whyNotPayable } from '../../orders/service';
import { telOf } from '../../platform/markup/phone';
import { dayOf } from '../../platform/pharmacy-time';
import { ORDERS, orderPath, TOUR, withQuery } from '../http/paths';
import { DayField, ShopFilter } from '../ui/filters';
import type { FieldErrors } from '../ui/form-errors';
import { dayText, formatDate, formatMoment, formatMoney } from '../ui/format';
import { Icon, Mark } from '../ui/icons';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf, lookOf } from '../ui/order-summary';
import { Said, Say } from '../ui/parts';
import { deliveryWords } from '../ui/platform-details';
import { Bench } from '../ui/tabs';
import type { View } from '../ui/view';
import { DeskTabs } from './list-page';
import { packingMessages } from './packing-messages';
import { supplyMessages } from './supply-messages';
import { tourMessages } from './tour-messages';
import { areaOf, TourOrder } from './tour-order';

interface TourProps {
  view: View;
  tour: Tour;
  day: string;
  shopId?: string;
  /** The stops are being numbered anew. */
  isArranging: boolean;
  fieldErrors: FieldErrors;
}

const bagsOf = ({ bags }: Order) => bags ?? 1;
/** What the courier is to be paid, in cents. */
const dueOf = (order: Order) => (whyNotPayable(order) === null ? dueCents(order) : 0);

/** The stops of the courier, by area, with what to hand over and what to collect: for the screen, and for paper. */
export function TourPage({ view, tour, day, shopId, isArranging, fieldErrors }: TourProps) {
  const t = tourMessages(view);
  const { language, now } = view;
  const isToday = day === dayOf(now);
  const stops = isToday ? tour.stops : [];
  const due = stops.reduce((sum, order) => sum + dueOf(order), 0);
  const date = formatDate(language, Date.parse(day));
  return (
    <Page
      view={view}
      title={isToday ? t.title : t.titleOn(date)}
      fieldErrors={fieldErrors}
      lead={
        isToday && (
          <>
            {date} ·{' '}
            {t.lead(
              stops.length,
              stops.reduce((sum, order) => sum + bagsOf(order), 0),
            )}
            {due > 0 && (
              <>
                , <b>{t.toCollect(formatMoney(language, due))}</b>
              </>
            )}
          </>
        )
      }
      acts={
        stops.length > 0 &&
        !isArranging && (
          <>
            <a class="button" href={withQuery(TOUR, { shop: shopId, arrange: '1' })}>
              {t.arrange}
            </a>
            <button type="button" class="primary" hidden data-print>
              <Icon name="print" />
              {packingMessages(view).printSlip}
            </button>
          </>
        )
      }
    >
      <Bench isMany>
        <DeskTabs view={view} counts={tour.counts} current="courier" />
        <Filters {...{ view, tour, day, shopId, fieldErrors }} />
      </Bench>
      {isToday && <Older {...{ view, tour, shopId }} />}
      {isToday && stops.length === 0 && tour.older === null && (
        <section class="panel empty">
          <h2>{t.empty}</h2>
          <p class="quiet">{t.emptyLead}</p>
        </section>
      )}
      {isArranging ? <TourOrder view={view} stops={stops} shopId={shopId} /> : <Areas view={view} stops={stops} />}
      {stops.length > 0 && (
        <p class="on-paper">
          {t.foot}
          <br />
          {view.session?.organizationName}. {t.footAbsent}
        </p>
      )}
      <Carried view={view} tour={tour} isToday={isToday} />
    </Page>
  );
}

/** Says on the screen and on paper that the tour leaves out older stops; on the screen also where they are. */
function Older({ view, tour: { older, stops, shops }, shopId }: Pick<TourProps, 'view' | 'tour' | 'shopId'>) {
  if (older === null) return null;
  const t = tourMessages(view);
  const path = withQuery(ORDERS, { status: 'ready_shipping', shop: shopId, cursor: older.before });
  return (
    <Say tone="wait">
      <p>{older.isCertain ? t.older(stops.length) : t.maybeOlder(stops.length)}</p>
      <p class="screen">
        <a href={path}>{t.showOlder}</a>
        {shopId === undefined && shops.length > 1 && `. ${t.chooseShop}`}
      </p>
    </Say>
  );
}

function Filters({ view, tour: { shops }, day, shopId, fieldErrors }: Omit<TourProps, 'isArranging'>) {
  return (
    <form method="get" action={TOUR} class="filters">
      <DayField name="day" label={tourMessages(view).day} value={day} fieldErrors={fieldErrors} />
      {shops.length > 1 && <ShopFilter {...{ view, shops, shopId }} />}
      <button type="submit">{sharedMessages(view).common.show}</button>
    </form>
  );
}

interface Stop {
  order: Order;
  nth: number;
  /** The stop before it is at the same door. */
  isSame: boolean;
}

/** Stops in their order, those that follow each other in one area together. */
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

function Areas({ view, stops }: { view: View; stops: readonly Order[] }) {
  const t = tourMessages(view);
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
              <Halt view={view} {...stop} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

/** One stop: to whom, what, how much. No name of a medicine: it lies in a car. */
function Halt({ view, order, nth, isSame }: { view: View } & Stop) {
  const t = tourMessages(view);
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
            <bdi>{order.addressStreet}</bdi>
          </p>
        )}
        {order.addressPhone && (
          <p>
            <a href={telOf(order.addressPhone)}>
              <bdi>{order.addressPhone}</bdi>
            </a>
          </p>
        )}
        {deliveryWords(order.platformDetails).map((text) => (
          <Said>
            <bdi>{text}</bdi>
          </Said>
        ))}
        {order.note && (
          <div class="screen">
            <Said>
              <bdi>{order.note}</bdi>
            </Said>
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
              {t.shelf}{' '}
              <b>
                <bdi>{order.shelf}</bdi>
              </b>
              {', '}
            </>
          )}
          {packingMessages(view).bagCount(bagsOf(order))}
        </span>
        {order.expectedOn && (
          <span class="with">
            <Mark name="half" />
            {supplyMessages(view).packsOn(owedCount(order), dayText(view.language, order.expectedOn))}
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
            <b>{formatMoney(view.language, due)}</b>
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

function Carried({ view, tour: { carried }, isToday }: { view: View; tour: Tour; isToday: boolean }) {
  const t = tourMessages(view);
  if (carried.length === 0) return isToday ? null : <p class="quiet">{t.noneCarried}</p>;
  return (
    <section class="panel wide screen carried">
      <h2>{t.carried(carried.length)}</h2>
      <ul>
        {carried.map((order) => (
          <li>
            <a href={orderPath(order.id)}>
              {order.number} <bdi>{customerOf(view, order)}</bdi>
            </a>{' '}
            <span class="quiet">
              {formatMoment(view.language, order.updatedAt, view.now)}
              {order.unpaidReason && `, ${sharedMessages(view).orders.unpaidReasons[order.unpaidReason]}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
