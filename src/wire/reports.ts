import * as z from 'zod';
import { UNITS } from '../catalog/tables';
import type { Summary } from '../reports/summary';
import { objectOf, sumSchema, timestampSchema, wireAmount, wireTime } from './schemas';

export const summarySchema = objectOf('ReportSummary', 'Figures of a period.', {
  from: timestampSchema.describe('First moment that counts.'),
  to: timestampSchema.describe('Last moment that counts: 2026-11-30T23:59:59.999Z where to=2026-11-30 was asked.'),
  orders: z
    .array(
      z.object({
        day: z.string().meta({ description: 'Day in UTC.', example: '2026-11-20' }),
        status: z.string().describe('Status of the orders.'),
        count: z.int().describe('How many were created on that day and have this status now.'),
      }),
    )
    .describe('Orders by day and status.'),
  turnover: sumSchema.describe('EUR, without cancelled and returned orders.'),
  order_requests: z.record(z.string(), z.int()).describe('Requests by status.'),
  median_review_seconds: z
    .number()
    .nullable()
    .describe('Median time from a request to its decision, in seconds; from 100 on rounded down by at most 5 %.'),
  low_stock: z
    .array(
      z.object({
        p1_id: z.string().describe('Product id.'),
        unit: z.enum(UNITS).describe('What is counted.'),
        stock_quantity: z.int().describe('The stock.'),
        threshold: z.int().describe('The threshold that the stock is below.'),
      }),
    )
    .describe('Products below their threshold, at present.'),
  webhooks: z
    .object({
      delivered: z.int().describe('Deliveries that a receiver answered with 2xx.'),
      exhausted: z.int().describe('Deliveries that were given up.'),
      success_rate: z.number().nullable().describe('Share of delivered ones among all that ended, 0 to 1.'),
    })
    .describe('Deliveries by when they were made, deleted ones included.'),
});

export function wireSummary(summary: Summary): z.input<typeof summarySchema> {
  const { deliveries } = summary;
  return {
    from: wireTime(summary.from),
    // The use case's end is exclusive. The response has the last included moment, because the query names the last day.
    to: wireTime(summary.to - 1),
    orders: summary.orders,
    turnover: wireAmount(summary.revenueCents),
    order_requests: Object.fromEntries(summary.requests.map(({ status, count }) => [status, count])),
    median_review_seconds: summary.medianReviewSeconds,
    low_stock: summary.lowStock.map(({ p1Id, unit, stockQuantity, threshold }) => ({
      p1_id: p1Id,
      unit,
      stock_quantity: stockQuantity,
      threshold,
    })),
    webhooks: {
      delivered: deliveries.delivered,
      exhausted: deliveries.exhausted,
      success_rate: deliveries.successRate,
    },
  };
}
