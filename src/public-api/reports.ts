import * as z from 'zod';
import { invalidInput } from '../platform/errors';
import { DAY_MS } from '../platform/time';
import { PERIOD_DAYS_MAX } from '../reports/limits';
import { summarise } from '../reports/service';
import { endpoint } from './endpoint';
import { priceSchema, timestampSchema } from './schemas';

const DAYS_DEFAULT = 30;
const day = z.iso.date().optional();

export const reportEndpoints = [
  endpoint({
    id: 'getReportSummary',
    method: 'get',
    path: '/reports/summary',
    scope: 'reports.read',
    tag: 'Reports',
    summary: 'Summary report',
    description: `Figures of a period of at most ${PERIOD_DAYS_MAX} days, by default the last ${DAYS_DEFAULT}. Days are UTC days.`,
    query: z.object({
      from: day.meta({ description: 'First day, for example 2026-11-01.' }),
      to: day.meta({ description: 'Last day, inclusive.' }),
    }),
    answers: {
      200: {
        description: 'The report.',
        schema: z
          .object({
            from: timestampSchema.meta({ description: 'First moment that counts.' }),
            to: timestampSchema.meta({
              description: 'Last moment that counts: 2026-11-30T23:59:59.999Z where to=2026-11-30 was asked.',
            }),
            orders: z
              .array(
                z.object({
                  day: z.string().meta({ description: 'Day in UTC.', example: '2026-11-20' }),
                  status: z.string().meta({ description: 'Status of the orders.' }),
                  count: z.int().meta({ description: 'How many were created on that day and have this status now.' }),
                }),
              )
              .meta({ description: 'Orders by day and status.' }),
            turnover: priceSchema.meta({ description: 'EUR, without cancelled and returned orders.' }),
            order_requests: z.record(z.string(), z.int()).meta({ description: 'Requests by status.' }),
            median_review_seconds: z
              .number()
              .nullable()
              .meta({ description: 'Median time from a request to its decision, in seconds.' }),
            low_stock: z
              .array(
                z.object({
                  p1_id: z.string().meta({ description: 'Catalog product id.' }),
                  stock_quantity: z.int().meta({ description: 'Pieces in stock.' }),
                  threshold: z.int().meta({ description: 'The threshold that the stock is below.' }),
                }),
              )
              .meta({ description: 'Products below their threshold, at present.' }),
            webhooks: z
              .object({
                delivered: z.int().meta({ description: 'Deliveries that a receiver answered with 2xx.' }),
                exhausted: z.int().meta({ description: 'Deliveries that were given up.' }),
                success_rate: z
                  .number()
                  .nullable()
                  .meta({ description: 'Share of delivered ones among all that ended, 0 to 1.' }),
              })
              .meta({ description: 'Deliveries of webhooks.' }),
          })
          .meta({ id: 'ReportSummary', description: 'Figures of a period.' }),
      },
    },
    errors: ['validation_failed'],
    handle: async (ctx, { query }) => {
      const to = query.to === undefined ? ctx.now() : Date.parse(query.to) + DAY_MS;
      const from = query.from === undefined ? to - DAYS_DEFAULT * DAY_MS : Date.parse(query.from);
      if (from >= to || to - from > PERIOD_DAYS_MAX * DAY_MS) {
        throw invalidInput([
          { pointer: '/from', code: 'invalid_period', message: `Send a period of 1 to ${PERIOD_DAYS_MAX} days.` },
        ]);
      }
      return { body: await summarise(ctx, { from, to }) };
    },
  }),
];
