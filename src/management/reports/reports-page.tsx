import { dayOf } from '../../platform/pharmacy-time';
import { type Days, type Figures, PERIODS, type PeriodName } from '../../reports/service';
import { REPORTS } from '../http/paths';
import { DayField, ShopFilter, type TypedDays } from '../ui/filters';
import type { FieldErrors } from '../ui/form-errors';
import { formatMoment } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { Icon } from '../ui/icons';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { CHARTS, type ChartName, DaysChart } from './chart';
import { messages } from './messages';
import { stepsOf } from './steps';
import { DayTable, LowStock, Payments, Products, Sources, Statuses } from './tables';
import { dayText } from './text';
import { Tiles } from './tiles';

interface ReportsProps {
  view: View;
  figures: Figures;
  days: Days;
  /** By which name the days were asked for, if one means them. */
  period?: PeriodName;
  chart: ChartName;
  typed: TypedDays;
  shopId?: string;
  fieldErrors: FieldErrors;
}

export function ReportsPage(props: ReportsProps) {
  const { view, figures, days, shopId, fieldErrors } = props;
  const { totals } = figures;
  const t = messages(view);
  const isEmpty = totals.orders === 0 && totals.requests === 0;
  const until = days.to === dayOf(view.now) ? formatMoment(view.language, view.now, view.now) : '';
  const file = (name: string, text: string) => (
    <a class="button ghost" href={reportPath({ days, shopId }, `${REPORTS}/${name}.csv`)}>
      <Icon name="download" />
      {text}
    </a>
  );
  return (
    <Page
      view={view}
      title={sharedMessages(view).nav.reports}
      fieldErrors={fieldErrors}
      lead={t.lead(dayText(view, days.from), dayText(view, days.to), until)}
      acts={!isEmpty && [file('days', t.exportDays), file('products', t.exportProducts)]}
    >
      <Choices {...props} />
      {isEmpty ? (
        <Panel title={t.emptyTitle} isWide>
          <p class="quiet">{t.empty}</p>
        </Panel>
      ) : (
        <>
          <Tiles view={view} figures={figures} />
          <ChartPanel {...props} />
          <div class="halves">
            <Products view={view} figures={figures} />
            <Statuses view={view} figures={figures} />
            <Sources view={view} figures={figures} />
            <Payments view={view} figures={figures} />
          </div>
        </>
      )}
      <LowStock view={view} figures={figures} />
    </Page>
  );
}

function Choices({ view, figures, period, chart, typed, shopId, fieldErrors }: ReportsProps) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  return (
    <div class="bench">
      <nav class="tabs" aria-label={common.period}>
        {PERIODS.map((name) => (
          <a href={reportPath({ period: name, shopId, chart })} aria-current={name === period ? 'true' : undefined}>
            {t.periods[name]}
          </a>
        ))}
      </nav>
      <form method="get" action={REPORTS} class="filters">
        {chart !== 'revenue' && <Hidden name="show" value={chart} />}
        <DayField name="from" label={common.from} value={typed.from} fieldErrors={fieldErrors} />
        <DayField name="to" label={common.to} value={typed.to} fieldErrors={fieldErrors} />
        {figures.shops.length > 1 && <ShopFilter {...{ view, shops: figures.shops, shopId }} />}
        <button type="submit">{common.show}</button>
      </form>
    </div>
  );
}

/** One figure by days, with the days before; all figures below it. */
function ChartPanel({ view, figures, days, period, chart, shopId }: ReportsProps) {
  const t = messages(view);
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
      <DaysChart {...{ view, figures, chart, steps }} />
      <details class="fold">
        <summary>{isWeeks ? t.byWeek : t.byDay}</summary>
        <DayTable {...{ view, steps, isWeeks }} />
      </details>
    </Panel>
  );
}

interface Asked {
  days?: Days;
  period?: PeriodName;
  shopId?: string;
  chart?: ChartName;
}

function reportPath({ days, period, shopId, chart }: Asked, path = REPORTS): string {
  const show = chart === 'revenue' ? undefined : chart;
  const query = new URLSearchParams({
    ...(period && { period }),
    ...days,
    ...(shopId && { shop: shopId }),
    ...(show && { show }),
  });
  return `${path}?${query}`;
}
