import { Hono } from 'hono';
import { addDays, dayOf } from '../../platform/pharmacy-time';
import { PERIOD_DAYS_MAX } from '../../reports/limits';
import {
  countDays,
  type Days,
  daysOf,
  PERIODS,
  type PeriodName,
  readDayFigures,
  readFigures,
  readSoldProducts,
} from '../../reports/service';
import { type Cell, respondCsv } from '../http/csv';
import type { ManageContext, ManageEnv } from '../http/env';
import { REPORTS } from '../http/paths';
import { readDays } from '../ui/filters';
import { type FieldErrors, hasFieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondForm, viewOf } from '../ui/view';
import { CHARTS } from './chart';
import { messages } from './messages';
import { ReportsPage } from './reports-page';

const TEXT_MAX = 100;
const PERIOD_DEFAULT = '30';

/** For roles that may read reports: the use cases refuse everybody else. */
export const reportRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const { typed, days: asked, shopId, fieldErrors } = read(c);
    // An invalid date is shown as an error beside its field, and the figures are those of the default period.
    const days = asked ?? daysOf(PERIOD_DEFAULT, c.var.ctx.now());
    const period = nameOf(c, days);
    const figures = await readFigures(c.var.ctx, { ...days, period, shopId });
    const chart = CHARTS.find((name) => name === c.req.query('show')) ?? 'revenue';
    const view = await viewOf(c);
    const page = (
      <ReportsPage {...{ view, figures, days, period, chart, shopId, fieldErrors }} typed={asked ? days : typed} />
    );
    return respondForm(c, page, fieldErrors);
  })
  .get('/days.csv', (c) => {
    const t = messages(c.var);
    return respondTable(c, t.daysFile, t.dayColumns, async (asked) => {
      const figures = await readDayFigures(c.var.ctx, asked);
      return figures.map((day) => [
        day.day,
        day.requests,
        day.approved,
        day.rejected,
        day.orders,
        day.cancelledOrReturned,
        day.revenueCents / 100,
      ]);
    });
  })
  .get('/products.csv', (c) => {
    const t = messages(c.var);
    return respondTable(c, t.productsFile, t.productColumns, async (asked) => {
      const products = await readSoldProducts(c.var.ctx, asked);
      return products.map(({ p1Id, name, quantity, totalCents }) => [p1Id, name, quantity, totalCents / 100]);
    });
  });

/** A file with the figures of the asked days; without valid ones, back to the page, which says what is wrong. */
async function respondTable(
  c: ManageContext,
  name: string,
  heads: readonly string[],
  rowsOf: (asked: Days & { shopId?: string }) => Promise<Cell[][]>,
): Promise<Response> {
  const { days, shopId } = read(c);
  if (!days) return c.redirect(`${REPORTS}?${new URLSearchParams(c.req.query())}`, 303);
  return respondCsv(c, `${name}-${days.from}-${days.to}`, [heads, ...(await rowsOf({ ...days, shopId }))]);
}

interface Asked {
  typed: Days;
  /** Undefined if the query holds no valid days. */
  days?: Days;
  shopId?: string;
  fieldErrors: FieldErrors;
}

/** Own days, else a named period, else the default one. If only one day is given, the default length adds the other. */
function read(c: ManageContext): Asked {
  const { ctx } = c.var;
  const { dates: t } = sharedMessages(c.var);
  const asked = (name: string) => (c.req.query(name) ?? '').trim().slice(0, TEXT_MAX);
  const typed = { from: asked('from'), to: asked('to') };
  const shopId = asked('shop') || undefined;
  if (typed.from === '' && typed.to === '') {
    return { typed, days: daysOf(periodNamed(asked('period')), ctx.now()), shopId, fieldErrors: {} };
  }
  const { from, to, fieldErrors } = readDays(typed, c.var);
  if (hasFieldErrors(fieldErrors)) return { typed, shopId, fieldErrors };
  const last = to ?? latest(dayOf(ctx.now()), from);
  const days = { from: from ?? addDays(last, 1 - Number(PERIOD_DEFAULT)), to: last };
  if (countDays(days) > PERIOD_DAYS_MAX) return { typed, shopId, fieldErrors: { from: t.tooLong(PERIOD_DAYS_MAX) } };
  return { typed, days, shopId, fieldErrors };
}

function latest(day: string, other = day): string {
  return day > other ? day : other;
}

/** The name that was asked for, else one that means the same days. */
function nameOf(c: ManageContext, days: Days): PeriodName | undefined {
  const means = (period: PeriodName) => {
    const { from, to } = daysOf(period, c.var.ctx.now());
    return from === days.from && to === days.to;
  };
  const asked = periodNamed(c.req.query('period') ?? '');
  return means(asked) ? asked : PERIODS.find(means);
}

function periodNamed(text: string): PeriodName {
  return PERIODS.find((period) => period === text) ?? PERIOD_DEFAULT;
}
