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
import { respondCsv } from '../http/csv';
import type { ManageContext, ManageEnv } from '../http/env';
import { REPORTS } from '../http/paths';
import { readDays } from '../ui/filters';
import { type FieldErrors, hasFieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondForm, viewOf } from '../ui/view';
import { messages } from './messages';
import { ReportsPage } from './reports-page';

const TEXT_MAX = 100;
const PERIOD_DEFAULT = '30';

/** For roles that may read reports: the use cases refuse everybody else. */
export const reportRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const { typed, days, shopId, fieldErrors } = read(c);
    // An invalid date is shown as an error beside its field, and the figures are those of the default period.
    const shown = days ?? daysOf(PERIOD_DEFAULT, c.var.ctx.now());
    const figures = await readFigures(c.var.ctx, { ...shown, shopId });
    const view = await viewOf(c);
    const page = <ReportsPage {...{ view, figures, days: shown, shopId, fieldErrors }} typed={days ? shown : typed} />;
    return respondForm(c, page, fieldErrors);
  })
  .get('/days.csv', async (c) => {
    const { days, shopId } = read(c);
    if (!days) return c.redirect(backTo(c), 303);
    const figures = await readDayFigures(c.var.ctx, { ...days, shopId });
    return respondCsv(c, fileName(messages(c.var).daysFile, days), [
      [...messages(c.var).dayColumns],
      ...figures.map((day) => [
        day.day,
        day.requests,
        day.approved,
        day.rejected,
        day.orders,
        day.cancelledOrReturned,
        day.revenueCents / 100,
      ]),
    ]);
  })
  .get('/products.csv', async (c) => {
    const { days, shopId } = read(c);
    if (!days) return c.redirect(backTo(c), 303);
    const products = await readSoldProducts(c.var.ctx, { ...days, shopId });
    return respondCsv(c, fileName(messages(c.var).productsFile, days), [
      [...messages(c.var).productColumns],
      ...products.map(({ p1Id, name, quantity, totalCents }) => [p1Id, name, quantity, totalCents / 100]),
    ]);
  });

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
  const shared = sharedMessages(c.var);
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
  if (countDays(days) > PERIOD_DAYS_MAX)
    return { typed, shopId, fieldErrors: { from: shared.dates.tooLong(PERIOD_DAYS_MAX) } };
  return { typed, days, shopId, fieldErrors };
}

function latest(day: string, other = day): string {
  return day > other ? day : other;
}

function periodNamed(text: string): PeriodName {
  return PERIODS.find((period) => period === text) ?? PERIOD_DEFAULT;
}

function backTo(c: ManageContext): string {
  return `${REPORTS}?${new URLSearchParams(c.req.query())}`;
}

function fileName(name: string, { from, to }: Days): string {
  return `${name}-${from}-${to}`;
}
