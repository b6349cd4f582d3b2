import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { isEarning, medianReview, type OrderCount, orderCounts } from './figures';
import { LOW_STOCK_LISTED_MAX } from './limits';
import { type Range, splitPeriod } from './parts';
import * as store from './store';

/**
 * Returns an organization's figures for a period. Days begin at midnight UTC. Cancelled orders are counted, but neither
 * cancelled orders nor refunds are revenue.
 * @param period epoch ms; `to` is exclusive. If it begins or ends within a part of a day, the rows of that part are
 *   counted
 */
export async function summarize(ctx: Context, period: Range) {
  const { orgId } = requireScope(ctx, 'reports.read');
  const { whole, rest } = splitPeriod(period);
  const found = await ctx.db.run({
    totals: store.selectTotals({ orgId, ...whole }),
    pending: store.selectPending({ orgId, ...period }),
    orders: rest.length === 0 ? undefined : store.selectOrdersIn(orgId, rest),
    decided: rest.length === 0 ? undefined : store.selectDecidedIn(orgId, rest),
    lowStock: store.selectLowStock(orgId, LOW_STOCK_LISTED_MAX, {}),
    summed: store.selectDeliveryTotals(orgId, period),
    unsummed: store.selectDeliveries(orgId, period),
  });
  const further = (found.orders ?? []).map(({ createdAt, cents, ...order }) => {
    return { ...order, at: createdAt, count: 1, totalCents: cents };
  });
  const orders = [...orderCounts(found.totals), ...further];
  const decided = found.decided ?? [];
  const ended = [...found.summed, ...found.unsummed];
  const delivered = ended.reduce((sum, each) => sum + each.delivered, 0);
  const exhausted = ended.reduce((sum, each) => sum + each.exhausted, 0);
  return {
    ...period,
    orders: byDayAndStatus(orders),
    revenueCents: orders.filter(isEarning).reduce((sum, { totalCents }) => sum + totalCents, 0),
    requests: [
      { status: 'pending', count: found.pending.length },
      ...(['approved', 'rejected', 'deleted'] as const).map((status) => {
        const before = found.totals.reduce((sum, totals) => sum + totals[status], 0);
        return { status, count: before + decided.filter((request) => request.status === status).length };
      }),
    ].filter(({ count }) => count > 0),
    medianReviewSeconds: medianReview(
      found.totals,
      decided.flatMap(({ seconds }) => seconds ?? []),
    ),
    lowStock: found.lowStock,
    deliveries: {
      delivered,
      exhausted,
      /** Share of the ended deliveries that succeeded, from 0 to 1. Null if no delivery has ended. */
      successRate: delivered + exhausted === 0 ? null : delivered / (delivered + exhausted),
    },
  };
}

export type Summary = Awaited<ReturnType<typeof summarize>>;

function byDayAndStatus(orders: readonly OrderCount[]) {
  const counts = new Map<string, { day: string; status: string; count: number }>();
  for (const { at, status, count } of orders) {
    const day = new Date(at).toISOString().slice(0, 10);
    const before = counts.get(`${day} ${status}`)?.count ?? 0;
    counts.set(`${day} ${status}`, { day, status, count: before + count });
  }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, counted]) => counted);
}
