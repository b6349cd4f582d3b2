import { isNameMismatch } from '../order-requests/service';
import type { OrderPaymentStatus, OrderStatus } from '../orders/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { notFound } from '../platform/errors';
import { addDays, type Day, startOf } from '../platform/pharmacy-time';
import { type Days, eachDay } from './days';
import { selectMedianReview } from './store';
import { selectTheirShops } from './store-audit';
import { selectNamedLowStock, selectOrderFigures, selectProductFigures, selectRequestFigures } from './store-figures';

const TOP_PRODUCTS = 10;
const PRODUCTS_IN_FILE = 5_000;
const LOW_STOCK_SHOWN = 20;

/** The orders and requests of one day in the pharmacy's time zone, by their current status. */
export interface DayFigures {
  day: Day;
  requests: number;
  approved: number;
  rejected: number;
  orders: number;
  /** Orders of that day that were cancelled or returned. They do not count as revenue. */
  cancelledOrReturned: number;
  revenueCents: number;
}

export interface FiguresFilter extends Days {
  shopId?: string;
}

/**
 * The figures of a period, for all shops or one, in one round trip. @throws AppError `shop_not_found`; the other two
 * functions do the same
 */
export async function readFigures(ctx: Context, filter: FiguresFilter) {
  const { orgId } = requireScope(ctx, 'reports.read');
  const within = { orgId, ...filter };
  const found = await ctx.db.run({
    orders: selectOrderFigures(ctx.db, within),
    requests: selectRequestFigures(ctx.db, within),
    median: selectMedianReview(ctx.db, { ...within, from: startOf(filter.from), to: startOf(addDays(filter.to, 1)) }),
    products: selectProductFigures(ctx.db, within, TOP_PRODUCTS),
    lowStock: selectNamedLowStock(ctx.db, orgId, LOW_STOCK_SHOWN + 1),
    shops: selectTheirShops(ctx.db, orgId),
  });
  requireShop(found.shops, filter);
  const days = sumByDay(filter, found.orders, found.requests);
  const earning = found.orders.filter(isEarning);
  return {
    days,
    totals: totalOf(days),
    medianDecisionSeconds: found.median[0]?.seconds ?? null,
    statuses: sumBy(found.orders, ({ status }) => status),
    payments: sumBy(earning, ({ paymentStatus }) => paymentStatus),
    products: found.products.map(withOtherNames),
    lowStock: found.lowStock.slice(0, LOW_STOCK_SHOWN),
    hasMoreLowStock: found.lowStock.length > LOW_STOCK_SHOWN,
    shops: found.shops,
  };
}

export type Figures = Awaited<ReturnType<typeof readFigures>>;

/** Only the figures of the days, for a file. */
export async function readDayFigures(ctx: Context, filter: FiguresFilter): Promise<DayFigures[]> {
  const { orgId } = requireScope(ctx, 'reports.read');
  const within = { orgId, ...filter };
  const { orders, requests, shops } = await ctx.db.run({
    orders: selectOrderFigures(ctx.db, within),
    requests: selectRequestFigures(ctx.db, within),
    shops: selectTheirShops(ctx.db, orgId),
  });
  requireShop(shops, filter);
  return sumByDay(filter, orders, requests);
}

/** The products sold, highest revenue first, for a file. */
export async function readSoldProducts(ctx: Context, filter: FiguresFilter) {
  const { orgId } = requireScope(ctx, 'reports.read');
  const { products, shops } = await ctx.db.run({
    products: selectProductFigures(ctx.db, { orgId, ...filter }, PRODUCTS_IN_FILE),
    shops: selectTheirShops(ctx.db, orgId),
  });
  requireShop(shops, filter);
  return products;
}

/** Adds the names by which platforms ordered the product and which may mean another medicine. */
function withOtherNames({ askedAs, ...product }: Awaited<ReturnType<typeof selectProductFigures>>[number]) {
  // SAFETY: the statement creates this JSON as an array of two texts.
  const names = new Set(JSON.parse(askedAs) as string[]);
  return { ...product, otherNames: [...names].filter((name) => isNameMismatch(name, product.name)) };
}

/** Without this check, an unknown shop would get figures of zero instead of an error. */
function requireShop(shops: { id: string }[], { shopId }: FiguresFilter): void {
  if (shopId === undefined || shops.some(({ id }) => id === shopId)) return;
  throw notFound('shop_not_found', 'There is no such shop.');
}

interface OrderCount {
  day: Day;
  status: OrderStatus;
  paymentStatus: OrderPaymentStatus;
  count: number;
  totalCents: number;
}

function isEarning({ status }: { status: OrderStatus }): boolean {
  return status !== 'cancelled' && status !== 'returned';
}

/** One entry for every day of the period, also for days without orders. */
function sumByDay(
  days: Days,
  orders: OrderCount[],
  requests: { day: Day; status: string; count: number }[],
): DayFigures[] {
  const empty = { requests: 0, approved: 0, rejected: 0, orders: 0, cancelledOrReturned: 0, revenueCents: 0 };
  const byDay = new Map(eachDay(days).map((day) => [day, { day, ...empty }]));
  for (const { day, status, count } of requests) {
    const sums = byDay.get(day);
    if (!sums) continue;
    sums.requests += count;
    if (status === 'approved' || status === 'rejected') sums[status] += count;
  }
  for (const order of orders) {
    const sums = byDay.get(order.day);
    if (!sums) continue;
    sums.orders += order.count;
    if (isEarning(order)) sums.revenueCents += order.totalCents;
    else sums.cancelledOrReturned += order.count;
  }
  return [...byDay.values()];
}

function totalOf(days: readonly DayFigures[]) {
  const sum = (name: Exclude<keyof DayFigures, 'day'>) => days.reduce((total, day) => total + day[name], 0);
  return {
    requests: sum('requests'),
    approved: sum('approved'),
    rejected: sum('rejected'),
    orders: sum('orders'),
    cancelledOrReturned: sum('cancelledOrReturned'),
    revenueCents: sum('revenueCents'),
  };
}

function sumBy<K extends string>(orders: OrderCount[], keyOf: (order: OrderCount) => K) {
  const sums = new Map<K, { count: number; totalCents: number }>();
  for (const order of orders) {
    const { count, totalCents } = sums.get(keyOf(order)) ?? { count: 0, totalCents: 0 };
    sums.set(keyOf(order), { count: count + order.count, totalCents: totalCents + order.totalCents });
  }
  return sums;
}
