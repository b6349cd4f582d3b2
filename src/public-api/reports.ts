import * as z from 'zod';
import { invalidInput } from '../platform/errors/errors';
import { DAY_MS } from '../platform/time';
import { PERIOD_DAYS_MAX, REPORT_DAYS_DEFAULT } from '../reports/limits';
import { summarize } from '../reports/summary';
import { summarySchema, wireSummary } from '../wire/reports';
import { endpointsOf } from './endpoint/endpoint';

const api = endpointsOf({ tag: 'Reports', scopes: 'reports' });

const day = z.iso.date().optional();

export const reportEndpoints = [
  api.get('/reports/summary', {
    id: 'getReportSummary',
    summary: 'Summary report',
    description: `Figures of a period of at most ${PERIOD_DAYS_MAX} days, by default the last ${REPORT_DAYS_DEFAULT}. Days are UTC days.`,
    query: z.object({
      from: day.describe(`First day, for example 2026-11-01; ${REPORT_DAYS_DEFAULT} days before \`to\` when missing.`),
      to: day.describe(
        `Last day, inclusive; today when missing. Not before \`from\`, nor ${PERIOD_DAYS_MAX} days or more after it.`,
      ),
    }),
    answers: { 200: { description: 'The report.', schema: summarySchema } },
    handle: async (ctx, { query }) => {
      const to = query.to === undefined ? ctx.now() : Date.parse(query.to) + DAY_MS;
      const from = query.from === undefined ? to - REPORT_DAYS_DEFAULT * DAY_MS : Date.parse(query.from);
      if (from >= to || to - from > PERIOD_DAYS_MAX * DAY_MS) {
        throw invalidInput([
          { pointer: '/from', code: 'invalid_period', message: `Send a period of 1 to ${PERIOD_DAYS_MAX} days.` },
        ]);
      }
      return { body: wireSummary(await summarize(ctx, { from, to })) };
    },
  }),
];
