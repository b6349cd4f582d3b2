import { productDetail, productDetailOf } from '../inventory/browse';
import { actorsOf, ordersOfMovements, selectMovements } from '../inventory/store';
import { isNameMismatch } from '../order-requests/names/differences';
import type { OrderPaymentStatus, OrderStatus } from '../orders/tables';
import { requireRole, requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { notFound } from '../platform/errors/errors';
import { addDays, type Day, dayOf, localTime, startOf } from '../platform/pharmacy-time';
import { DAY_MS } from '../platform/time';
import {
  LOW_STOCK_SHOWN,
  MOVEMENTS_FILE_MAX,
  PRODUCTS_FILE_MAX,
  TOP_PRODUCTS_SHOWN,
  UNCOLLECTED_DAYS,
  UNCOLLECTED_MAX,
} from './limits';
import { type Days, daysBefore, eachDay, type PeriodName } from './parts';
import * as store from './store';

/** The figures of one day in the pharmacies' time zone. Orders and requests count by their current status. */
const NONE = {
  requests: 0,
  approved: 0,
  rejected: 0,
  orders: 0,
  /** Number of the day's orders that are cancelled or returned. They are not part of the revenue. */
  cancelledOrReturned: 0,
  revenueCents: 0,
};

export type DayFigures = { day: Day } & typeof NONE;

interface FiguresFilter extends Days {
  shopId?: string;
}

/**
 * Returns the figures of a period and of the period before it, for all shops or one. One round trip.
 * @param period the name by which the days were requested, if any; see `daysBefore`
 * @throws AppError `shop_not_found`
 */
export async function readFigures(ctx: Context, { period, ...filter }: FiguresFilter & { period?: PeriodName }) {
  const { within, shops } = periodOf(ctx, filter);
  const before = daysBefore(filter, period);
  const found = await ctx.db.run({
    // Reads both periods. Between them are at most three days, at the end of a longer month.
    totals: store.selectTotals({ ...within, from: startOf(before.from) }),
    pending: store.selectPending({ ...within, from: startOf(before.from) }),
    products: store.selectProductFigures(within, TOP_PRODUCTS_SHOWN),
    names: store.selectNamesOrdered(within),
    lowStock: store.selectNamedLowStock(within.orgId, LOW_STOCK_SHOWN + 1),
    shops,
  });
  requireShop(found.shops, filter);
  const totals = found.totals.filter(({ startsAt }) => startsAt >= within.from);
  const endOfBefore = startOf(addDays(before.to, 1));
  const totalsBefore = found.totals.filter(({ startsAt }) => startsAt < endOfBefore);
  const orders = orderCounts(totals);
  const days = sumByDay(filter, { totals, pending: found.pending });
  const earlier = sumByDay(before, { totals: totalsBefore, pending: found.pending });
  const earning = orders.filter(isEarning);
  return {
    ...sumsOf(days, totals),
    /** The period before: its first and last day, and the same sums. */
    before: { ...before, ...sumsOf(earlier, totalsBefore) },
    sources: sourceFigures(totals),
    statuses: sumBy(orders, ({ status }) => status),
    payments: sumBy(earning, ({ paymentStatus }) => paymentStatus),
    products: named(found.products, found.names),
    lowStock: found.lowStock.slice(0, LOW_STOCK_SHOWN),
    hasMoreLowStock: found.lowStock.length > LOW_STOCK_SHOWN,
    shops: found.shops,
  };
}

function sumsOf(days: DayFigures[], totals: readonly store.Totals[]) {
  return { days, totals: totalOf(days), medianDecisionSeconds: medianReview(totals) };
}

export type Figures = Awaited<ReturnType<typeof readFigures>>;

/** Returns the figures by day, for a file. @throws AppError `shop_not_found` */
export async function readDayFigures(ctx: Context, filter: FiguresFilter): Promise<DayFigures[]> {
  const { within, shops } = periodOf(ctx, filter);
  const found = await ctx.db.run({ totals: store.selectTotals(within), pending: store.selectPending(within), shops });
  requireShop(found.shops, filter);
  return sumByDay(filter, found);
}

/** Returns the sold products, highest revenue first, for a file. @throws AppError `shop_not_found` */
export async function readSoldProducts(ctx: Context, filter: FiguresFilter) {
  const { within, shops } = periodOf(ctx, filter);
  const found = await ctx.db.run({
    products: store.selectProductFigures(within, PRODUCTS_FILE_MAX),
    names: store.selectNamesOrdered(within),
    shops,
  });
  requireShop(found.shops, filter);
  return named(found.products, found.names);
}

/**
 * Returns the period in epoch ms, and the statement that reads the shops. The totals cover the period exactly
 * (`parts.ts`).
 */
function periodOf(ctx: Context, { from, to, shopId }: FiguresFilter) {
  const { orgId } = requireScope(ctx, 'reports.read');
  const within: store.Period = { orgId, shopId, from: startOf(from), to: startOf(addDays(to, 1)) };
  return { within, shops: store.selectTheirShops(orgId) };
}

type SoldProduct = Awaited<ReturnType<typeof store.selectProductFigures>>[number];
type NamesOrdered = Awaited<ReturnType<typeof store.selectNamesOrdered>>[number];

/**
 * Returns each product with its name and with `otherNames`. `otherNames` has the names in `ordered` that may mean
 * another medicine. A product without a name gets a name from `ordered`, or else its id.
 */
function named(products: readonly SoldProduct[], ordered: readonly NamesOrdered[]) {
  const orderedOf = new Map(ordered.map((each) => [each.p1Id, each]));
  return products.map(({ p1Id, name, ...sums }) => {
    const { first, last, isByUnit } = orderedOf.get(p1Id ?? '') ?? {};
    const names = [...new Set([first, last])].filter((each) => each !== undefined);
    const shown = name ?? names.at(-1) ?? p1Id ?? '';
    return {
      p1Id,
      name: shown,
      ...sums,
      otherNames: names.filter((other) => isNameMismatch(other, shown, isByUnit === 1)),
    };
  });
}

/**
 * Refuses a filter with an unknown shop, because all figures of such a shop would be zero.
 * @throws AppError `shop_not_found`
 */
function requireShop(shops: { id: string }[], { shopId }: FiguresFilter): void {
  if (shopId === undefined || shops.some(({ id }) => id === shopId)) return;
  throw notFound('shop_not_found');
}

/** Returns the sums of every day of the period, also of days without orders. */
function sumByDay(
  days: Days,
  { totals, pending }: { totals: store.Totals[]; pending: { createdAt: number }[] },
): DayFigures[] {
  const byDay = new Map(eachDay(days).map((day) => [day, { day, ...NONE }]));
  const on = (at: number) => byDay.get(dayOf(at)) ?? { day: '', ...NONE };
  for (const { createdAt } of pending) on(createdAt).requests += 1;
  for (const { startsAt, approved, rejected, deleted } of totals) {
    const sums = on(startsAt);
    sums.requests += approved + rejected + deleted;
    sums.approved += approved;
    sums.rejected += rejected;
  }
  for (const order of orderCounts(totals)) {
    const sums = on(order.at);
    sums.orders += order.count;
    if (isEarning(order)) sums.revenueCents += order.totalCents;
    else sums.cancelledOrReturned += order.count;
  }
  return [...byDay.values()];
}

function totalOf(days: readonly DayFigures[]): typeof NONE {
  const total = { ...NONE };
  for (const name of Object.keys(NONE) as (keyof typeof NONE)[]) {
    for (const day of days) total[name] += day[name];
  }
  return total;
}

function sumBy<K extends string>(orders: OrderCount[], keyOf: (order: OrderCount) => K) {
  const sums = new Map<K, { count: number; totalCents: number }>();
  for (const order of orders) {
    const { count, totalCents } = sums.get(keyOf(order)) ?? { count: 0, totalCents: 0 };
    sums.set(keyOf(order), { count: count + order.count, totalCents: totalCents + order.totalCents });
  }
  return sums;
}

/** Orders of one status and payment status that came in during a part of a day. */
export interface OrderCount {
  /** The start of the part, or a time within it; epoch ms. */
  at: number;
  status: OrderStatus;
  paymentStatus: OrderPaymentStatus;
  count: number;
  totalCents: number;
}

export function orderCounts(totals: readonly store.Totals[]): OrderCount[] {
  return totals.flatMap(({ startsAt, orders }) =>
    Object.entries(orders).flatMap(([key, [count, totalCents]]) => {
      // SAFETY: the trigger builds the key from these two columns, which hold nothing else.
      const [status, paymentStatus] = key.split(' ') as [OrderStatus, OrderPaymentStatus];
      return count === 0 ? [] : [{ at: startsAt, status, paymentStatus, count, totalCents }];
    }),
  );
}

/** Whether an order counts as revenue. Canceled and returned orders do not. */
export function isEarning({ status }: { status: OrderStatus }): boolean {
  return status !== 'cancelled' && status !== 'returned';
}

/** The orders of one source, without the deleted ones. */
interface SourceFigures {
  /** The name of the source. Null for the sum of all sources that the totals do not name (`day_totals.sources`). */
  source: string | null;
  orders: number;
  /** Number of orders that were canceled or returned. */
  ended: number;
  /** Total of the orders that were neither canceled nor returned, minus refunds. */
  revenueCents: number;
}

/** Returns the figures by source. The source with the most orders is first. The sum of unnamed sources is last. */
function sourceFigures(totals: readonly store.Totals[]): SourceFigures[] {
  const sums = new Map<string, SourceFigures>();
  for (const { sources } of totals) {
    for (const [key, [orders, ended, cents]] of Object.entries(sources)) {
      const source = key === '*' ? null : unhex(key);
      const sum = sums.get(key) ?? { source, orders: 0, ended: 0, revenueCents: 0 };
      sums.set(key, {
        source,
        orders: sum.orders + orders,
        ended: sum.ended + ended,
        revenueCents: sum.revenueCents + cents,
      });
    }
  }
  const isRest = ({ source }: SourceFigures) => Number(source === null);
  return [...sums.values()]
    .filter(({ orders }) => orders > 0)
    .toSorted((a, b) => isRest(a) - isRest(b) || b.orders - a.orders || b.revenueCents - a.revenueCents);
}

function unhex(key: string): string {
  const bytes = Uint8Array.from({ length: key.length / 2 }, (_, index) =>
    Number.parseInt(key.slice(2 * index, 2 * index + 2), 16),
  );
  return new TextDecoder().decode(bytes);
}

/**
 * Returns the median number of seconds from submission to decision, or null without decisions. If the number of values
 * is even, it is the lower one of the two in the middle.
 * @param further seconds of requests that are not in the totals
 */
export function medianReview(totals: readonly store.Totals[], further: readonly number[] = []): number | null {
  const counts = new Map<number, number>();
  const add = (seconds: number, count: number) => counts.set(seconds, (counts.get(seconds) ?? 0) + count);
  for (const { reviewSeconds } of totals) {
    for (const [seconds, count] of Object.entries(reviewSeconds)) add(Number(seconds), count);
  }
  for (const seconds of further) add(seconds, 1);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (const [seconds, count] of [...counts].toSorted(([a], [b]) => a - b)) {
    before += count;
    if (before >= all / 2 && before > 0) return seconds;
  }
  return null;
}

/**
 * Returns a product of the organization with its values (catalog, organization, shops) and its latest movements.
 * `names` maps ids of members and keys to their names, and ids of orders to their numbers. One round trip.
 * @param scope the scope that the page requires
 * @throws AppError `not_found` if the product is not in the organization's inventory
 */
export async function readProduct(
  ctx: Context,
  p1Id: string,
  scope: 'products.read' | 'products.write' = 'products.read',
) {
  const { orgId } = requireScope(ctx, scope);
  const { people, keys, orders, ...loaded } = await ctx.db.run({
    ...productDetail(orgId, p1Id),
    ...selectNames(orgId, p1Id),
  });
  return { product: productDetailOf(loaded), names: namesIn({ people, keys, orders }) };
}

/**
 * Returns the latest movements of a product for a file, newest first, with `names` as in `readProduct`. One round trip.
 * @returns at most 2,000 movements; `isCut` if there are more
 * @throws AppError `not_found` if there are none
 */
export async function exportMovements(ctx: Context, p1Id: string) {
  const { orgId } = requireScope(ctx, 'products.read');
  const { movements, ...named } = await ctx.db.run({
    movements: selectMovements(orgId, p1Id, MOVEMENTS_FILE_MAX + 1),
    ...selectNames(orgId, p1Id, MOVEMENTS_FILE_MAX),
  });
  if (movements.length === 0) throw notFound();
  const isCut = movements.length > MOVEMENTS_FILE_MAX;
  return { rows: movements.slice(0, MOVEMENTS_FILE_MAX), isCut, names: namesIn(named) };
}

/**
 * Returns the statements for the names in a product's latest movements.
 * @param latest the number of movements; by default as many as the page shows
 */
function selectNames(orgId: string, p1Id: string, latest?: number) {
  const actors = actorsOf(orgId, p1Id, latest);
  return {
    people: store.selectPeople(orgId, actors),
    keys: store.selectKeyNames(orgId, actors),
    orders: store.selectOrderNumbers(orgId, ordersOfMovements(orgId, p1Id, latest)),
  };
}

function namesIn({
  people,
  keys,
  orders,
}: Record<'people' | 'keys' | 'orders', readonly { id: string; name: string }[]>) {
  return new Map([...people, ...keys, ...orders].map(({ id, name }) => [id, name]));
}

/** Which setup steps an organization has completed. */
export interface Onboarding {
  /**
   * The first active shop that has a host, or else the first active shop. Null if no shop is active. `host` is null if
   * no active shop has a host.
   */
  shop: { id: string; name: string; host: string | null } | null;
  /** Whether there is a valid API key with which a platform may submit requests. */
  hasKey: boolean;
  /** Whether a request has come in, whatever its status is now. */
  hasRequest: boolean;
  hasProducts: boolean;
  /** Whether anybody besides the reader was invited. */
  hasTeam: boolean;
}

/**
 * Returns which setup steps an organization has completed, for its owner. The organization's data show the completed
 * steps, so nobody has to mark a step.
 * @throws AppError `organization_not_found`
 */
export async function readOnboarding(ctx: Context): Promise<Onboarding> {
  const { orgId, memberId } = requireRole(ctx, ['owner']);
  const [row] = await ctx.db.rows(store.selectOnboarding({ orgId, memberId, now: ctx.now() }));
  if (!row) throw notFound('organization_not_found');
  const { shopId, shopName, host } = row;
  return {
    shop: shopId === null ? null : { id: shopId, name: shopName ?? '', host },
    hasKey: row.hasKey === 1,
    hasRequest: row.hasRequest === 1,
    hasProducts: row.hasProducts === 1,
    hasTeam: row.hasTeam === 1,
  };
}

/** The sums of an hour or a day in which nothing happened. */
const NONE_DONE = { requests: 0, decided: 0, packed: 0, left: 0, cashCents: 0 };

export type DaySums = typeof NONE_DONE;

/**
 * Returns the sums of today, and of yesterday until the same time of day: in all, and by hour. One round trip. `left`
 * counts orders that were picked up, shipped, or handed over in part. `cashCents` is the total of those orders that
 * were paid in the same step.
 */
export async function readToday(ctx: Context) {
  const { orgId } = requireScope(ctx, 'reports.read');
  const now = ctx.now();
  const [today, yesterday] = [startOf(dayOf(now)), startOf(addDays(dayOf(now), -1))];
  const period = { orgId, from: yesterday, to: now + 1, sameTime: yesterday + (now - today) };
  const found = await ctx.db.run({
    acts: store.selectActsByHour(period),
    requests: store.selectRequestsByHour(period),
    open: store.selectUncollected(orgId, now - UNCOLLECTED_DAYS * DAY_MS, UNCOLLECTED_MAX + 1),
  });
  const [sums, before] = [{ ...NONE_DONE }, { ...NONE_DONE }];
  const hours = Array.from({ length: 24 }, () => ({ sums: { ...NONE_DONE }, before: { ...NONE_DONE } }));
  for (const { startsAt, isUntil, ...counted } of [...found.acts, ...found.requests]) {
    const hour = hours[Number(localTime(startsAt).slice(11, 13))];
    if (startsAt >= today) {
      add(sums, counted);
      if (hour) add(hour.sums, counted);
    } else {
      if (isUntil === 1) add(before, counted);
      if (hour) add(hour.before, counted);
    }
  }
  return {
    sums,
    before,
    /**
     * For each of the 24 hours of the day in the pharmacies' time zone: the sums of that hour today (`sums`) and
     * yesterday (`before`). The later hours of yesterday are included.
     */
    hours,
    uncollected: found.open.slice(0, UNCOLLECTED_MAX),
    hasMoreUncollected: found.open.length > UNCOLLECTED_MAX,
  };
}

export type Today = Awaited<ReturnType<typeof readToday>>;

function add(sums: DaySums, counted: Partial<DaySums>): void {
  for (const name of Object.keys(NONE_DONE) as (keyof DaySums)[]) sums[name] += counted[name] ?? 0;
}
