import type { Child } from '../../platform/markup/markup';

export interface Bar {
  /** Tooltip. */
  text: string;
  value: number;
  /** On top of it: what failed. */
  bad?: number;
  /** It is still growing. */
  isPartial?: boolean;
}

interface ChartProps {
  /** Names the part of the page that scrolls. */
  title: string;
  /** Text alternative; a table on the page has every number. */
  label: string;
  bars: readonly Bar[];
  /** Values to compare with, bar by bar, as a dashed line. */
  before?: readonly number[];
  /** The text of a value at the axis and at the highest bar. */
  textOf: (value: number) => string;
  /** The least distance of two lines of the axis. */
  unit: number;
  /** Below the bars. */
  marks: readonly { at: number; text: string }[];
  height?: number;
}

const WIDTH = 972;
const LEFT = 72;
const RIGHT = WIDTH - 8;
const TOP = 20;
const BELOW = 28;
const BAR_MAX = 40;
const LINES = 4;

/** Bars with an axis and the highest value. It is as wide as its place; on a phone it can be scrolled. */
export function BarChart({ title, label, bars, before = [], textOf, unit, marks, height = 240 }: ChartProps) {
  const floor = height - BELOW;
  const heights = bars.map(({ value, bad = 0 }) => value + bad);
  const highest = Math.max(...heights, 0);
  const { step, top } = axisOf(Math.max(highest, ...before), unit);
  const slot = (RIGHT - LEFT) / bars.length;
  const width = round(Math.min(BAR_MAX, slot * 0.68));
  const middle = (index: number) => LEFT + slot * (index + 0.5);
  const y = (value: number) => round(floor - (value / top) * (floor - TOP));
  const lines = Array.from({ length: Math.round(top / step) }, (_, index) => (index + 1) * step);
  const peak = heights.indexOf(highest);
  const rect = (index: number, name: string, from: number, to: number, text: Child) =>
    to > from && (
      <rect
        class={name}
        x={round(middle(index) - width / 2)}
        y={Math.min(y(to), y(from) - 1)}
        width={width}
        height={Math.max(round(y(from) - y(to)), 1)}
      >
        {text}
      </rect>
    );
  return (
    <section class="scroll" tabindex={0} aria-label={title}>
      <svg class="chart" role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${height}`}>
        <path stroke="var(--line)" d={lines.map((value) => `M${LEFT} ${y(value)}H${RIGHT}`).join('')} />
        <path stroke="var(--edge)" d={`M${LEFT} ${floor}H${RIGHT}`} />
        {[0, ...lines].map((value) => (
          <text x={LEFT - 8} y={y(value) + 4} text-anchor="end">
            {textOf(value)}
          </text>
        ))}
        {bars.map(({ value, bad = 0, text, isPartial }, index) => (
          <>
            {rect(index, isPartial ? 'part' : 'whole', 0, value, <title>{text}</title>)}
            {rect(index, 'failed', value, value + bad, <title>{text}</title>)}
          </>
        ))}
        {before.some((value) => value > 0) && (
          <path
            class="before"
            d={`M${before.map((value, index) => `${round(middle(index))} ${y(value)}`).join('L')}`}
          />
        )}
        {highest > 0 && (
          <text class="peak" x={clamped(middle(peak))} y={y(highest) - 6} text-anchor="middle">
            {textOf(highest)}
          </text>
        )}
        {marks.map(({ at, text }) => (
          <text x={clamped(middle(at))} y={height - 8} text-anchor="middle">
            {text}
          </text>
        ))}
      </svg>
    </section>
  );
}

/** What a color of the chart stands for. */
export function Legend({ entries }: { entries: readonly { look: 'whole' | 'failed' | 'before'; text: string }[] }) {
  return (
    <p class="legend">
      {entries.map(({ look, text }) => (
        <span>
          <svg class="chart" viewBox="0 0 20 10" aria-hidden="true">
            {look === 'before' ? <path class={look} d="M0 5h20" /> : <rect class={look} width="20" height="10" />}
          </svg>
          {text}
        </span>
      ))}
    </p>
  );
}

/** Round steps, at most as many as the chart has lines. @returns the top line is not below the highest value */
function axisOf(highest: number, unit: number): { step: number; top: number } {
  let size = unit;
  for (;;) {
    const step = [1, 2, 5].map((factor) => factor * size).find((each) => each * LINES >= highest);
    if (step !== undefined) return { step, top: Math.max(Math.ceil(highest / step), 1) * step };
    size *= 10;
  }
}

/** Texts in the middle of their place do not leave the chart. */
function clamped(x: number): number {
  return round(Math.min(Math.max(x, LEFT), RIGHT - 24));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
