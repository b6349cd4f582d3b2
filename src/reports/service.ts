import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import {
  type Period,
  selectDeliveriesByStatus,
  selectLowStock,
  selectMedianReview,
  selectOrdersByDay,
  selectRequestsByOutcome,
} from './store';

export { AUDIT_FILE_MAX, type AuditLog, exportAuditLog, type LoggedAct, readAuditLog } from './audit-log';
export { countDays, type Days, daysOf, PERIODS, type PeriodName } from './days';
export {
  type DayFigures,
  type Figures,
  type FiguresFilter,
  readDayFigures,
  readFigures,
  readSoldProducts,
} from './figures';
export { readProduct } from './product';

const LOW_STOCK_MAX = 100;

/**
 * An organization's figures for a period; days are those of UTC. Cancelled orders are counted, but neither they nor
 * refunds are revenue.
 * @param period epoch ms; `to` is exclusive
 */
export async function summarize(ctx: Context, period: { from: number; to: number }) {
  const { orgId } = requireScope(ctx, 'reports.read');
  const within: Period = { orgId, ...period };
  const found = await ctx.db.run({
    orders: selectOrdersByDay(ctx.db, within),
    requests: selectRequestsByOutcome(ctx.db, within),
    review: selectMedianReview(ctx.db, within),
    lowStock: selectLowStock(ctx.db, orgId, LOW_STOCK_MAX),
    deliveries: selectDeliveriesByStatus(ctx.db, within),
  });
  const delivered = countOf(found.deliveries, 'succeeded');
  const exhausted = countOf(found.deliveries, 'exhausted');
  return {
    ...period,
    orders: found.orders.map(({ day, status, count }) => ({ day, status, count })),
    revenueCents: found.orders
      .filter(({ status }) => status !== 'cancelled' && status !== 'returned')
      .reduce((sum, { totalCents }) => sum + totalCents, 0),
    requests: found.requests,
    medianReviewSeconds: found.review[0]?.seconds ?? null,
    lowStock: found.lowStock,
    deliveries: {
      delivered,
      exhausted,
      /** From 0 to 1, of the deliveries that have ended; null when none has. */
      successRate: delivered + exhausted === 0 ? null : delivered / (delivered + exhausted),
    },
  };
}

export type Summary = Awaited<ReturnType<typeof summarize>>;

function countOf(rows: readonly { status: string; count: number }[], status: string): number {
  return rows.find((row) => row.status === status)?.count ?? 0;
}
