import { dayOf } from '../../platform/pharmacy-time';
import type { Figures } from '../../reports/service';
import { BarChart, Legend } from '../ui/chart';
import { formatMoney } from '../ui/format';
import type { View } from '../ui/view';
import { messages } from './messages';
import { type Step, stepsOf } from './steps';
import { countText, stepText } from './text';

export const CHARTS = ['revenue', 'orders', 'requests'] as const;
export type ChartName = (typeof CHARTS)[number];

const FIELDS = { revenue: 'revenueCents', orders: 'orders', requests: 'requests' } as const;
const EURO_CENTS = 100;
/** About so many days are named below the bars. */
const MARKS = 7;

interface ChartProps {
  view: View;
  figures: Figures;
  chart: ChartName;
  steps: readonly Step[];
}

/** A figure by days or weeks, with the days before as a line. */
export function DaysChart({ view, figures, chart, steps }: ChartProps) {
  const t = messages(view);
  const field = FIELDS[chart];
  const isMoney = chart === 'revenue';
  const textOf = (value: number) => (isMoney ? formatMoney(view.language, value) : countText(view, value));
  const values = steps.map((step) => step[field]);
  const highest = Math.max(...values);
  const best = steps[values.indexOf(highest)];
  const top = best ? t.most(textOf(highest), stepText(view, best)) : '';
  const today = dayOf(view.now);
  const { before } = figures;
  const every = Math.ceil(steps.length / MARKS);
  return (
    <>
      <Legend
        entries={[
          { look: 'whole', text: t.thisPeriod },
          { look: 'before', text: stepText(view, before) },
        ]}
      />
      <BarChart
        title={t.charts[chart].title}
        label={`${t.charts[chart].title}: ${t.chart(textOf(figures.totals[field]), figures.days.length, top)}`}
        bars={steps.map((step) => ({
          value: step[field],
          text: `${stepText(view, step)}: ${textOf(step[field])}`,
          isPartial: step.to >= today,
        }))}
        before={stepsOf(before.days)
          .slice(0, steps.length)
          .map((step) => step[field])}
        textOf={(value) => (isMoney ? t.euros(countText(view, Math.round(value / EURO_CENTS))) : textOf(value))}
        unit={isMoney ? EURO_CENTS : 1}
        marks={steps.flatMap(({ from }, at) => (at % every === 0 ? [{ at, text: t.mark(from) }] : []))}
      />
    </>
  );
}
