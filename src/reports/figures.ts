import { isNameMismatch } from '../order-requests/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { notFound } from '../platform/errors';
import { addDays, type Day, dayOf, startOf } from '../platform/pharmacy-time';
import { type Days, daysBefore, eachDay, type PeriodName } from './days';
import { type Period, selectPending, selectTotals, type Totals } from './store';
import { selectTheirShops } from './store-audit';
import { selectNamedLowStock, selectNamesOrdered, selectProductFigures } from './store-figures';
import { isEarning, medianReview, type OrderCount, orderCounts, sourceFigures } from './totals';

const TOP_PRODUCTS = 10;
const PRODUCTS_IN_FILE = 5_000;
const LOW_STOCK_SHOWN = 20;

/** The orders and requests of one day in the pharmacy's time zone, by their current status. */
const NONE = {
  requests: 0,
  approved: 0,
  rejected: 0,
  orders: 0,
  /** Orders of that day that were cancelled or returned. They do not count as revenue. */
  cancelledOrReturned: 0,
  revenueCents: 0,
};

export type DayFigures = { day: Day } & typeof NONE;

export interface FiguresFilter extends Days {
  shopId?: string;
}

/**
 * The figures of a period and of the one before it, for all shops or one, in one round trip. @param period the name of the
 * days (`daysBefore`). @throws AppError `shop_not_found`; the other two functions do the same
 */
export async function readFigures(ctx: Context, { period, ...filter }: FiguresFilter & { period?: PeriodName }) {
  const { within, shops } = periodOf(ctx, filter);
  const before = daysBefore(filter, period);
  const found = await ctx.db.run({
    // Both periods; between them there are three days at most, at the end of a longer month.
    totals: selectTotals({ ...within, from: startOf(before.from) }),
    pending: selectPending({ ...within, from: startOf(before.from) }),
    products: selectProductFigures(within, TOP_PRODUCTS),
    names: selectNamesOrdered(within),
    lowStock: selectNamedLowStock(within.orgId, LOW_STOCK_SHOWN + 1),
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
    /** The same of the days before. */
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

function sumsOf(days: DayFigures[], totals: readonly Totals[]) {
  return { days, totals: totalOf(days), medianDecisionSeconds: medianReview(totals) };
}

export type Figures = Awaited<ReturnType<typeof readFigures>>;

/** Only the figures of the days, for a file. */
export async function readDayFigures(ctx: Context, filter: FiguresFilter): Promise<DayFigures[]> {
  const { within, shops } = periodOf(ctx, filter);
  const found = await ctx.db.run({ totals: selectTotals(within), pending: selectPending(within), shops });
  requireShop(found.shops, filter);
  return sumByDay(filter, found);
}

/** The products sold, highest revenue first, for a file. */
export async function readSoldProducts(ctx: Context, filter: FiguresFilter) {
  const { within, shops } = periodOf(ctx, filter);
  const found = await ctx.db.run({
    products: selectProductFigures(within, PRODUCTS_IN_FILE),
    names: selectNamesOrdered(within),
    shops,
  });
  requireShop(found.shops, filter);
  return named(found.products, found.names);
}

/** What is asked for, and the statement that reads the shops. Days consist of whole parts (`parts.ts`). */
function periodOf(ctx: Context, { from, to, shopId }: FiguresFilter) {
  const { orgId } = requireScope(ctx, 'reports.read');
  const within: Period = { orgId, shopId, from: startOf(from), to: startOf(addDays(to, 1)) };
  return { within, shops: selectTheirShops(orgId) };
}

type SoldProduct = Awaited<ReturnType<typeof selectProductFigures>>[number];
type NamesOrdered = Awaited<ReturnType<typeof selectNamesOrdered>>[number];

/** Adds the names by which platforms ordered the product lately and which may mean another medicine. */
function named(products: readonly SoldProduct[], ordered: readonly NamesOrdered[]) {
  const namesOf = new Map(ordered.map(({ p1Id, first, last }) => [p1Id, [...new Set([first, last])]]));
  return products.map(({ p1Id, name, ...sums }) => {
    const names = p1Id === null ? [] : (namesOf.get(p1Id) ?? []);
    const shown = name ?? names.at(-1) ?? p1Id ?? '';
    return { p1Id, name: shown, ...sums, otherNames: names.filter((other) => isNameMismatch(other, shown)) };
  });
}

/** Without this check, an unknown shop would get figures of zero instead of an error. */
function requireShop(shops: { id: string }[], { shopId }: FiguresFilter): void {
  if (shopId === undefined || shops.some(({ id }) => id === shopId)) return;
  throw notFound('shop_not_found', 'There is no such shop.');
}

/** One entry for every day of the period, also for days without orders. */
function sumByDay(
  days: Days,
  { totals, pending }: { totals: Totals[]; pending: { createdAt: number }[] },
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
