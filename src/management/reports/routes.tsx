import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { addDays, dayOf } from '../../platform/pharmacy-time';
import {
  type DaySums,
  type Figures,
  readDayFigures,
  readFigures,
  readSoldProducts,
  readToday,
  type Today,
} from '../../reports/figures';
import { PERIOD_DAYS_MAX } from '../../reports/limits';
import { countDays, type Days, daysOf, PERIODS, type PeriodName } from '../../reports/parts';
import { type Cell, respondCsv } from '../http/csv';
import type { ManageContext, ManageEnv } from '../http/env';
import { orderPath, REPORTS } from '../http/paths';
import { Hidden } from '../ui/fields';
import { DayField, readDays, ShopFilter, type TypedDays } from '../ui/filters';
import { formatMoment, formatMoney } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf, statusText } from '../ui/order-summary';
import { Menu, Nothing, Panel, Tile } from '../ui/parts';
import { BarChart, Legend } from '../ui/table';
import { type FieldErrors, hasFieldErrors, respondForm, respondPage, useView } from '../ui/view';
import { messages } from './messages';
import {
  countText,
  DayTable,
  dayText,
  LowStock,
  Numbers,
  Payments,
  Products,
  Sources,
  Statuses,
  type Step,
  stepsOf,
  stepText,
} from './tables';

const TEXT_MAX = 100;
const PERIOD_DEFAULT = '30';

/** Routes of reports. They are for roles that may read reports: the use cases refuse all others. */
export const reportRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    if (Object.entries(c.req.query()).every(([name, value]) => name === 'period' && value === 'today')) {
      const today = await readToday(c.var.ctx);
      return respondPage(c, <TodayPage today={today} choices={<Periods />} />);
    }
    const { typed, days: asked, shopId, fieldErrors } = read(c);
    // If a date is invalid, its field has an error and the figures are those of the default period.
    const days = asked ?? daysOf(PERIOD_DEFAULT, c.var.ctx.now());
    const period = nameOf(c, days);
    const figures = await readFigures(c.var.ctx, { ...days, period, shopId });
    const chart = CHARTS.find((name) => name === c.req.query('show')) ?? 'revenue';
    const page = (
      <ReportsPage {...{ figures, days, period, chart, shopId, fieldErrors }} typed={asked ? days : typed} />
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
      return products.map(({ p1Id, name, quantity, unit, totalCents }) => [
        ...[p1Id, name, quantity, unit ?? 'piece'],
        totalCents / 100,
      ]);
    });
  });

/** Responds with the figures of the requested days as CSV. Invalid days redirect to the page with the errors. */
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

/**
 * Reads the days of a report from the query.
 * - No day is typed: the days of the named period. An unknown name means the default period.
 * - Only the last day is typed: as many days as the default period has, up to the typed day.
 * - Only the first day is typed: from this day to today. A first day after today is also the last day.
 * @returns `days` is undefined if a typed day is invalid or the period is too long
 */
function read(c: ManageContext): { typed: Days; days?: Days; shopId?: string; fieldErrors: FieldErrors } {
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
  const today = dayOf(ctx.now());
  const last = to ?? (from && from > today ? from : today);
  const days = { from: from ?? addDays(last, 1 - Number(PERIOD_DEFAULT)), to: last };
  if (countDays(days) > PERIOD_DAYS_MAX) return { typed, shopId, fieldErrors: { from: t.tooLong(PERIOD_DAYS_MAX) } };
  return { typed, days, shopId, fieldErrors };
}

/**
 * The name of the period that has exactly these days; undefined if there is none. If several periods have them, the
 * requested name is preferred.
 */
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

interface ReportsProps {
  figures: Figures;
  days: Days;
  /** The name of the period that has exactly `days`, if there is one. */
  period?: PeriodName;
  chart: ChartName;
  typed: TypedDays;
  shopId?: string;
  fieldErrors: FieldErrors;
}

function ReportsPage(props: ReportsProps) {
  const view = useView();
  const { figures, days, shopId, fieldErrors } = props;
  const { totals } = figures;
  const t = messages();
  const isEmpty = totals.orders === 0 && totals.requests === 0;
  const until = days.to === dayOf(view.now) ? formatMoment(view.now) : '';
  const file = (name: string, text: string) => (
    <a href={reportPath({ days, shopId }, `${REPORTS}/${name}.csv`)}>{text}</a>
  );
  return (
    <Page
      title={sharedMessages().nav.reports}
      fieldErrors={fieldErrors}
      lead={t.lead(dayText(days.from), dayText(days.to), until)}
      acts={
        !isEmpty && (
          <Menu icon="download" label={sharedMessages().common.export}>
            {file('days', t.exportDays)}
            {file('products', t.exportProducts)}
          </Menu>
        )
      }
    >
      <Choices {...props} />
      {isEmpty ? (
        <Nothing title={t.emptyTitle} text={t.empty} />
      ) : (
        <>
          <Tiles figures={figures} />
          <ChartPanel {...props} />
          <div class="halves">
            <Products figures={figures} />
            <Statuses figures={figures} />
            <Sources figures={figures} />
            <Payments figures={figures} />
          </div>
        </>
      )}
      <LowStock figures={figures} />
    </Page>
  );
}

function Choices({ figures, period, chart, typed, shopId, fieldErrors }: ReportsProps) {
  const { common } = sharedMessages();
  return (
    <Periods {...{ period, shopId, chart }}>
      <form method="get" action={REPORTS} class="filters">
        <Hidden name="period" value={PERIOD_DEFAULT} />
        {chart !== 'revenue' && <Hidden name="show" value={chart} />}
        <DayField name="from" label={common.from} value={typed.from} fieldErrors={fieldErrors} />
        <DayField name="to" label={common.to} value={typed.to} fieldErrors={fieldErrors} />
        {figures.shops.length > 1 && <ShopFilter {...{ shops: figures.shops, shopId }} />}
        <button type="submit">{common.show}</button>
      </form>
    </Periods>
  );
}

/** The periods to choose from. On the page of today, `today` is the current one. */
function Periods({ period, shopId, chart, children }: PageAsked & { children?: Child }) {
  const current = chart === undefined ? 'today' : period;
  return (
    <div class="bench">
      <nav class="tabs" aria-label={sharedMessages().common.period}>
        {(['today', ...PERIODS] as const).map((name) => (
          <a
            href={name === 'today' ? REPORTS : reportPath({ period: name, shopId, chart })}
            aria-current={name === current ? 'true' : undefined}
          >
            {messages().periods[name]}
          </a>
        ))}
      </nav>
      {children}
    </div>
  );
}

/** A chart of one figure by day or week, compared with the previous period. A folded table with all figures follows. */
function ChartPanel({ figures, days, period, chart, shopId }: ReportsProps) {
  const t = messages();
  const asked = period === undefined ? { days } : { period };
  const steps = stepsOf(figures.days);
  const isWeeks = steps.length < figures.days.length;
  return (
    <Panel
      title={isWeeks ? t.charts[chart].byWeek : t.charts[chart].byDay}
      beside={
        <nav class="facts choice-of" aria-label={t.shown}>
          {CHARTS.map((name) => (
            <a href={reportPath({ ...asked, shopId, chart: name })} aria-current={name === chart ? 'true' : undefined}>
              {t.charts[name].title}
            </a>
          ))}
        </nav>
      }
    >
      <DaysChart {...{ figures, chart }} steps={steps.slice(begunAt(steps, figures.before))} />
      <details class="fold">
        <summary>{isWeeks ? t.byWeek : t.byDay}</summary>
        <DayTable {...{ steps, isWeeks }} />
      </details>
    </Panel>
  );
}

interface PageAsked {
  days?: Days;
  period?: PeriodName;
  shopId?: string;
  chart?: ChartName;
}

function reportPath({ days, period, shopId, chart }: PageAsked, path = REPORTS): string {
  const show = chart === 'revenue' ? undefined : chart;
  const query = new URLSearchParams({
    ...(period && { period }),
    ...days,
    ...(shopId && { shop: shopId }),
    ...(show && { show }),
  });
  return `${path}?${query}`;
}

const NONE = '–';
/** The largest relative change that is shown, in tenths of a percent: 1,000 %. */
const TENTHS_MAX = 10_000;

/** The figures of the period, each compared with the previous period. */
function Tiles({ figures }: { figures: Figures }) {
  const t = messages();
  const { totals, before, medianDecisionSeconds: median } = figures;
  const { medianDecisionSeconds: medianBefore } = before;
  const duration = (seconds: number | null) => (seconds === null ? NONE : t.duration(seconds));
  const earning = totals.orders - totals.cancelledOrReturned;
  const [share, shareBefore] = [approvedTenths(totals), approvedTenths(before.totals)];
  const percent = (tenths: number | null) => (tenths === null ? NONE : t.percent(tenths));
  const relative = (now: number, then: number) => {
    const tenths = then === 0 ? null : Math.round((1_000 * Math.abs(now - then)) / then);
    return tenths === null || tenths > TENTHS_MAX ? '' : t.percent(tenths);
  };
  return (
    <dl class="tiles">
      <Compared
        label={t.charts.revenue.title}
        value={formatMoney(totals.revenueCents)}
        change={totals.revenueCents - before.totals.revenueCents}
        by={relative(totals.revenueCents, before.totals.revenueCents)}
        before={formatMoney(before.totals.revenueCents)}
        hint={earning === 0 ? '' : t.perOrder(formatMoney(totals.revenueCents / earning))}
        better="more"
      />
      <Compared
        label={sharedMessages().nav.orders}
        value={countText(totals.orders)}
        change={totals.orders - before.totals.orders}
        by={relative(totals.orders, before.totals.orders)}
        before={countText(before.totals.orders)}
        hint={t.endedOf(countText(totals.cancelledOrReturned))}
        better="more"
      />
      <Compared
        label={t.approvedShare}
        value={percent(share)}
        change={(share ?? 0) - (shareBefore ?? 0)}
        by={share === null || shareBefore === null ? '' : t.points(Math.abs(share - shareBefore))}
        before={percent(shareBefore)}
        hint={t.decidedOf(countText(totals.requests), countText(totals.rejected))}
      />
      <Compared
        label={t.decision}
        value={duration(median)}
        change={(median ?? 0) - (medianBefore ?? 0)}
        by={median === null || medianBefore === null ? '' : duration(Math.abs(median - medianBefore))}
        before={duration(medianBefore)}
        better="less"
      />
    </dl>
  );
}

interface ComparedProps {
  label: string;
  value: string;
  /** The change of the figure: positive if it rose. */
  change: number;
  /** The size of the change without a sign; empty if unknown. */
  by: string;
  before: string;
  hint?: string;
  /** Whether a higher or a lower figure is welcome; undefined if neither is. */
  better?: 'more' | 'less';
}

function Compared({ label, value, change, by, before, hint, better }: ComparedProps) {
  const t = messages();
  const isWelcome = change > 0 === (better === 'more');
  const look = better === undefined || by === '' || value === before ? undefined : isWelcome ? 'more' : 'less';
  const sign = change > 0 ? '+' : '−';
  const told = value === before ? t.same(before) : t.against(by && sign + by, before);
  return (
    <Tile label={label} value={value}>
      <small class={look}>{before === NONE ? t.noneBefore : told}</small>
      {hint && <small>{hint}</small>}
    </Tile>
  );
}

/** The share of the decided requests that were approved, in tenths of a percent; null if no request was decided. */
function approvedTenths({ approved, rejected }: Figures['totals']): number | null {
  const decided = approved + rejected;
  return decided === 0 ? null : Math.round((1_000 * approved) / decided);
}

const CHARTS = ['revenue', 'orders', 'requests'] as const;
type ChartName = (typeof CHARTS)[number];

const FIELDS = { revenue: 'revenueCents', orders: 'orders', requests: 'requests' } as const;
const EURO_CENTS = 100;
/** Approximate number of labels below the bars. */
const MARKS = 7;

/**
 * The index in `steps` of the day or week with which a chart begins. It is 0 if the previous period has figures.
 * Otherwise the pharmacy is new: its chart begins with the first figures, but shows at least seven steps.
 */
function begunAt(steps: readonly Step[], before: Figures['before']): number {
  const isEmpty = (step: Step) => Object.values(FIELDS).every((field) => step[field] === 0);
  if (!stepsOf(before.days).every(isEmpty)) return 0;
  const first = steps.findIndex((step) => !isEmpty(step));
  return Math.max(0, Math.min(first, steps.length - 7));
}

/** A chart of a figure by day or week, with the previous period as a line. */
function DaysChart({ figures, chart, steps }: { figures: Figures; chart: ChartName; steps: readonly Step[] }) {
  const view = useView();
  const t = messages();
  const field = FIELDS[chart];
  const isMoney = chart === 'revenue';
  const textOf = (value: number) => (isMoney ? formatMoney(value) : countText(value));
  const values = steps.map((step) => step[field]);
  const highest = Math.max(...values);
  const best = steps[values.indexOf(highest)];
  const top = best ? t.most(textOf(highest), stepText(best)) : '';
  const today = dayOf(view.now);
  const { before } = figures;
  const every = Math.ceil(steps.length / MARKS);
  return (
    <>
      <Legend
        whole={t.thisPeriod}
        part={steps.some(({ to }) => to >= today) ? t.stillGoing : undefined}
        before={stepText(before)}
      />
      <BarChart
        title={t.charts[chart].title}
        label={`${t.charts[chart].title}: ${t.chart(textOf(figures.totals[field]), figures.days.length, top)}`}
        bars={steps.map((step) => ({
          value: step[field],
          text: `${stepText(step)}: ${textOf(step[field])}`,
          isPartial: step.to >= today,
        }))}
        before={stepsOf(before.days)
          .slice(0, steps.length)
          .map((step) => step[field])}
        textOf={(value) => (isMoney ? t.euros(countText(Math.round(value / EURO_CENTS))) : textOf(value))}
        unit={isMoney ? EURO_CENTS : 1}
        marks={steps.flatMap(({ from }, at) => (at % every === 0 ? [{ at, text: t.mark(from) }] : []))}
      />
    </>
  );
}

const SUMS = ['requests', 'decided', 'packed', 'left', 'cashCents'] as const;
/**
 * The first and last hour that the chart and the table of a day always show. They also show earlier or later hours in
 * which something happened.
 */
const [OPENS, CLOSES] = [8, 18];

/** The figures of today beside those of yesterday, and payments that must still be collected. */
function TodayPage({ today, choices }: { today: Today; choices: Child }) {
  const view = useView();
  const t = messages();
  const time = formatMoment(view.now);
  const { sums, before, uncollected, hasMoreUncollected } = today;
  const due = formatMoney(uncollected.reduce((sum, { cents }) => sum + cents, 0));
  const text = (name: (typeof SUMS)[number], of: DaySums) =>
    name === 'cashCents' ? formatMoney(of[name]) : countText(of[name]);
  return (
    <Page title={sharedMessages().nav.reports} lead={t.todayLead(dayText(dayOf(view.now)), time)}>
      {choices}
      <dl class="tiles">
        {SUMS.map((name) => (
          <Tile label={t.sums[name]} value={text(name, sums)}>
            <small>{t.yesterday(text(name, before))}</small>
          </Tile>
        ))}
        <Tile label={t.uncollected} value={hasMoreUncollected ? t.atLeast(due) : due}>
          <small>
            <a href="#uncollected">{t.orderCount(uncollected.length)}</a>
          </small>
        </Tile>
      </dl>
      <Hours today={today} text={text} />
      <Uncollected today={today} />
    </Page>
  );
}

function Hours({ today, text }: { today: Today; text: (name: (typeof SUMS)[number], of: DaySums) => string }) {
  const t = messages();
  const all = today.hours.map((hour, at) => ({ ...hour, at }));
  const busy = all.filter(({ sums, before }) => SUMS.some((name) => sums[name] + before[name] > 0));
  const first = Math.min(OPENS, busy.at(0)?.at ?? OPENS);
  const hours = all.slice(first, Math.max(CLOSES, busy.at(-1)?.at ?? CLOSES) + 1);
  const title = t.byHour;
  return (
    <Panel title={title}>
      <Legend whole={t.periods.today} before={t.yesterdayWord} />
      <BarChart
        title={title}
        label={`${title}: ${t.hoursChart(countText(today.sums.requests))}`}
        bars={hours.map(({ sums, at }) => ({ value: sums.requests, text: `${t.hour(at)}: ${sums.requests}` }))}
        before={hours.map(({ before }) => before.requests)}
        textOf={(value) => countText(value)}
        unit={1}
        marks={hours.map(({ at }, index) => ({ at: index, text: String(at) }))}
        height={200}
      />
      <details class="fold">
        <summary>{t.allByHour}</summary>
        <section class="scroll" tabindex={0} aria-label={t.allByHour}>
          <Numbers
            first={t.hourHead}
            name={({ at }) => t.hour(at)}
            figures={SUMS.map((name): [string, (hour: Today['hours'][number]) => Child] => [
              t.sums[name],
              ({ sums, before }) => (
                <>
                  {text(name, sums)} <small>{text(name, before)}</small>
                </>
              ),
            ])}
            rows={hours}
          />
        </section>
      </details>
    </Panel>
  );
}

/** The unpaid orders that are ready or have left the pharmacy, newest first. */
function Uncollected({ today: { uncollected, hasMoreUncollected } }: { today: Today }) {
  const { orders } = sharedMessages();
  const t = messages();
  return (
    <Panel title={t.uncollectedTitle} id="uncollected">
      {uncollected.length === 0 ? (
        <p class="quiet">{t.uncollectedNone}</p>
      ) : (
        <Numbers
          first={sharedMessages().nav.orders}
          name={(order) => (
            <>
              <a href={orderPath(order.id)}>
                {order.number} <bdi>{customerOf(useView(), order)}</bdi>
              </a>
              <small>
                {[
                  statusText(useView(), order, order.status),
                  order.unpaidReason && orders.unpaidReasons[order.unpaidReason],
                  formatMoment(order.updatedAt),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </>
          )}
          figures={[[messages().sum, ({ cents }) => formatMoney(cents)]]}
          rows={uncollected}
        />
      )}
      {hasMoreUncollected && <p class="quiet">{t.uncollectedMore(uncollected.length)}</p>}
    </Panel>
  );
}
