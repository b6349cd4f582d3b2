import { countDays, type DayFigures, type Days, daysOf, type Figures, PERIODS } from '../../reports/service';
import { REPORTS } from '../http/paths';
import { FaultSummary } from '../ui/fields';
import { DayField, FilterSelect, type TypedDays } from '../ui/filters';
import type { Faults } from '../ui/form-errors';
import { formatMoney } from '../ui/format';
import { Page } from '../ui/layout';
import type { View } from '../ui/view';
import { BarChart } from './chart';
import { DayTable, LowStock, Payments, Products, Statuses } from './tables';
import { countText, dayText } from './text';

interface ReportsProps {
  view: View;
  figures: Figures;
  days: Days;
  typed: TypedDays;
  shopId?: string;
  faults: Faults;
}

export function ReportsPage({ view, figures, days, typed, shopId, faults }: ReportsProps) {
  const { totals } = figures;
  const words = view.words.reports;
  const isEmpty = totals.orders === 0 && totals.requests === 0;
  return (
    <Page view={view} title={words.title}>
      <FaultSummary view={view} faults={faults} />
      <Choices {...{ view, figures, days, typed, shopId, faults }} />
      {isEmpty ? (
        <section class="panel wide">
          <h2>{words.emptyTitle}</h2>
          <p class="quiet">{words.empty}</p>
        </section>
      ) : (
        <>
          <Summary view={view} figures={figures} />
          <Charts view={view} figures={figures} />
          <details class="fold panel">
            <summary>{words.byDay}</summary>
            <DayTable view={view} days={figures.days} />
          </details>
          <p class="pager">
            <a href={reportPath({ days, shopId }, `${REPORTS}/days.csv`)}>{words.exportDays}</a>
            <a href={reportPath({ days, shopId }, `${REPORTS}/products.csv`)}>{words.exportProducts}</a>
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

function Choices({ view, figures, days, typed, shopId, faults }: ReportsProps) {
  const words = view.words.reports;
  const isChosen = (period: Days) => period.from === days.from && period.to === days.to && typed.from === days.from;
  return (
    <>
      <nav class="tabs" aria-label={words.period}>
        {PERIODS.map((period) => (
          <a
            href={reportPath({ period, shopId })}
            aria-current={isChosen(daysOf(period, view.now)) ? 'true' : undefined}
          >
            {words.periods[period]}
          </a>
        ))}
      </nav>
      <form method="get" action={REPORTS} class="filters short">
        <DayField name="from" label={words.from} value={typed.from} faults={faults} />
        <DayField name="to" label={words.to} value={typed.to} faults={faults} />
        <FilterSelect
          name="shop"
          label={words.shop}
          all={words.allShops}
          options={figures.shops.map(({ id, name }) => ({ value: id, label: name }))}
          value={shopId}
        />
        <button type="submit">{words.show}</button>
      </form>
    </>
  );
}

function Summary({ view, figures }: { view: View; figures: Figures }) {
  const words = view.words.reports;
  const { totals, medianDecisionSeconds } = figures;
  const earning = totals.orders - totals.cancelledOrReturned;
  return (
    <dl class="figures">
      <Figure
        label={words.turnover}
        value={formatMoney(view.language, totals.revenueCents)}
        hint={earning === 0 ? '' : words.perOrder(formatMoney(view.language, totals.revenueCents / earning))}
      />
      <Figure
        label={words.orders}
        value={countText(view, totals.orders)}
        hint={words.endedOf(countText(view, totals.cancelledOrReturned))}
      />
      <Figure
        label={words.requests}
        value={countText(view, totals.requests)}
        hint={words.decidedOf(countText(view, totals.approved), countText(view, totals.rejected))}
      />
      <Figure
        label={words.decision}
        value={medianDecisionSeconds === null ? '–' : words.duration(medianDecisionSeconds)}
        hint={words.decisionHint}
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
  const words = view.words.reports;
  const { days, totals } = figures;
  const charts = [
    {
      id: 'turnover',
      title: words.turnoverByDay,
      amountOf: (day: DayFigures) => day.revenueCents,
      textOf: (cents: number) => formatMoney(view.language, cents),
      total: totals.revenueCents,
    },
    {
      id: 'orders',
      title: words.ordersByDay,
      amountOf: (day: DayFigures) => day.orders,
      textOf: (count: number) => countText(view, count),
      total: totals.orders,
    },
    {
      id: 'requests',
      title: words.requestsByDay,
      amountOf: (day: DayFigures) => day.requests,
      textOf: (count: number) => countText(view, count),
      total: totals.requests,
    },
  ];
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  return (
    <>
      {charts.map(({ id, title, amountOf, textOf, total }) => {
        const most = Math.max(...days.map(amountOf));
        const best = days.find((day) => amountOf(day) === most)?.day ?? '';
        const top = words.most(textOf(most), dayText(view, best));
        const bars = days.map((day) => ({
          value: amountOf(day),
          text: `${dayText(view, day.day)}: ${textOf(amountOf(day))}`,
        }));
        return (
          <BarChart
            id={id}
            title={title}
            description={words.chart(textOf(total), countDays({ from: first, to: last }), top)}
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
