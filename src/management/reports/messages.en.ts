import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../../platform/time';
import type { Messages } from './messages.de';

export const en: Messages = {
  thousands: ',',
  periods: {
    7: 'Last 7 days',
    30: 'Last 30 days',
    90: 'Last 90 days',
    this_month: 'This month',
    last_month: 'Last month',
  },
  emptyTitle: 'Nothing came in during this time',
  empty: 'As soon as requests or orders come in, revenue, quantities and decision times are shown here.',
  turnover: 'Revenue',
  decision: 'Time to decision',
  decisionHint: 'Median from arrival to approval or rejection',
  perOrder: (money) => `${money} an order, without cancelled and returned ones`,
  endedOf: (count) => `${count} of them cancelled or returned`,
  decidedOf: (approved, rejected) => `${approved} of them approved, ${rejected} rejected`,
  ended: 'Cancelled, returned',
  duration: (seconds) => {
    if (seconds < MINUTE_SECONDS) return 'less than 1 min';
    if (seconds < HOUR_SECONDS) return `${Math.floor(seconds / MINUTE_SECONDS)} min`;
    if (seconds < 2 * DAY_SECONDS)
      return `${Math.floor(seconds / HOUR_SECONDS)} h ${Math.floor((seconds % HOUR_SECONDS) / MINUTE_SECONDS)} min`;
    return `${Math.floor(seconds / DAY_SECONDS)} days`;
  },
  turnoverByDay: 'Revenue by day',
  ordersByDay: 'Orders by day',
  requestsByDay: 'Order requests by day',
  most: (value, day) => `peak ${value} on ${day}`,
  chart: (total, days, top) => `${total} in all on ${days} days, ${top}.`,
  byDay: 'All figures by day',
  day: 'Day',
  exportDays: 'Days as CSV file',
  exportProducts: 'Sold articles as CSV file',
  daysFile: 'days',
  productsFile: 'articles',
  dayColumns: ['Day', 'Order requests', 'Approved', 'Rejected', 'Orders', 'Cancelled or returned', 'Revenue in EUR'],
  productColumns: ['Product id', 'Article', 'Quantity', 'Revenue in EUR'],
  byStatus: 'Orders by status',
  byPayment: 'Revenue by payment',
  sum: 'Sum',
  topProducts: 'Best-selling articles',
  product: 'Article',
  lowStock: 'Stock below its threshold',
  lowStockNone: 'No product is below its threshold at the moment.',
  lowStockMore: (shown) => `These are the ${shown} with the least stock.`,
};
