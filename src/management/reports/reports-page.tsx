import { countDays, type Days, daysOf, type Figures, PERIODS } from '../../reports/service';
import { REPORTS } from '../http/paths';
import { DayField, FilterSelect, type TypedDays } from '../ui/filters';
import type { FieldErrors } from '../ui/form-errors';
import { formatMoney } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { BarChart } from './chart';
import { messages } from './messages';
import { DayTable, LowStock, Payments, Products, Statuses } from './tables';
import { countText, dayText } from './text';

interface ReportsProps {
  view: View;
  figures: Figures;
  days: Days;
  typed: TypedDays;
  shopId?: string;
  fieldErrors: FieldErrors;
}

export function ReportsPage({ view, figures, days, typed, shopId, fieldErrors }: ReportsProps) {
  const { totals } = figures;
  const t = messages(view);
  const isEmpty = totals.orders === 0 && totals.requests === 0;
  return (
    <Page view={view} title={sharedMessages(view).nav.reports} fieldErrors={fieldErrors}>
      <Choices {...{ view, figures, days, typed, shopId, fieldErrors }} />
      {isEmpty ? (
        <Panel title={t.emptyTitle} isWide>
          <p class="quiet">{t.empty}</p>
        </Panel>
      ) : (
        <>
          <Summary view={view} figures={figures} />
          <Charts view={view} figures={figures} />
          <details class="fold panel">
            <summary>{t.byDay}</summary>
            <DayTable view={view} days={figures.days} />
          </details>
          <p class="pager">
            <a href={reportPath({ days, shopId }, `${REPORTS}/days.csv`)}>{t.exportDays}</a>
            <a href={reportPath({ days, shopId }, `${REPORTS}/products.csv`)}>{t.exportProducts}</a>
          </p>
          <div class="halves">
            <Statuses view={view} figures={figures} />
            <Payments view={view} figures={figures} />
          </div>
          <Products view={view} figures={figures} />
        </>
      )}
      <LowStock view={view} figures={figures} />
    </Page>
  );
}

function Choices({ view, figures, days, typed, shopId, fieldErrors }: ReportsProps) {
  const t = messages(view);
  const { common, orders } = sharedMessages(view);
  const isChosen = (period: Days) => period.from === days.from && period.to === days.to && typed.from === days.from;
  return (
    <div class="bench">
      <nav class="tabs" aria-label={common.period}>
        {PERIODS.map((period) => (
          <a
            href={reportPath({ period, shopId })}
            aria-current={isChosen(daysOf(period, view.now)) ? 'true' : undefined}
          >
            {t.periods[period]}
          </a>
        ))}
      </nav>
      <form method="get" action={REPORTS} class="filters">
        <DayField name="from" label={common.from} value={typed.from} fieldErrors={fieldErrors} />
        <DayField name="to" label={common.to} value={typed.to} fieldErrors={fieldErrors} />
        <FilterSelect
          name="shop"
          label={orders.shop}
          all={common.allShops}
          options={figures.shops.map(({ id, name }) => ({ value: id, label: name }))}
          value={shopId}
        />
        <button type="submit">{common.show}</button>
      </form>
    </div>
  );
}

function Summary({ view, figures }: { view: View; figures: Figures }) {
  const t = messages(view);
  const { nav } = sharedMessages(view);
  const { totals, medianDecisionSeconds } = figures;
  const earning = totals.orders - totals.cancelledOrReturned;
  return (
    <dl class="tiles">
      <Figure
        label={t.turnover}
        value={formatMoney(view.language, totals.revenueCents)}
        hint={earning === 0 ? '' : t.perOrder(formatMoney(view.language, totals.revenueCents / earning))}
      />
      <Figure
        label={nav.orders}
        value={countText(view, totals.orders)}
        hint={t.endedOf(countText(view, totals.cancelledOrReturned))}
      />
      <Figure
        label={nav.orderRequests}
        value={countText(view, totals.requests)}
        hint={t.decidedOf(countText(view, totals.approved), countText(view, totals.rejected))}
      />
      <Figure
        label={t.decision}
        value={medianDecisionSeconds === null ? '–' : t.duration(medianDecisionSeconds)}
        hint={t.decisionHint}
      />
    </dl>
  );
}

function Figure({ label, value, hint }: { label: string; value: string; hint: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        <small>{hint}</small>
      </dd>
    </div>
  );
}

function Charts({ view, figures }: { view: View; figures: Figures }) {
  const t = messages(view);
  const { days, totals } = figures;
  const count = (value: number) => countText(view, value);
  const money = (cents: number) => formatMoney(view.language, cents);
  const charts = [
    { id: 'turnover', title: t.turnoverByDay, field: 'revenueCents', textOf: money },
    { id: 'orders', title: t.ordersByDay, field: 'orders', textOf: count },
    { id: 'requests', title: t.requestsByDay, field: 'requests', textOf: count },
  ] as const;
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  return (
    <>
      {charts.map(({ id, title, field, textOf }) => {
        const most = Math.max(...days.map((day) => day[field]));
        const best = days.find((day) => day[field] === most)?.day ?? '';
        const top = t.most(textOf(most), dayText(view, best));
        const bars = days.map((day) => ({
          value: day[field],
          text: `${dayText(view, day.day)}: ${textOf(day[field])}`,
        }));
        return (
          <BarChart
            id={id}
            title={title}
            description={t.chart(textOf(totals[field]), countDays({ from: first, to: last }), top)}
            bars={bars}
            first={dayText(view, first)}
            last={dayText(view, last)}
            top={most > 0 ? top : ''}
          />
        );
      })}
    </>
  );
}

function reportPath(asked: { days?: Days; period?: string; shopId?: string }, path = REPORTS): string {
  const { days, period, shopId } = asked;
  const query = new URLSearchParams({ ...(period && { period }), ...days, ...(shopId && { shop: shopId }) });
  return `${path}?${query}`;
}
