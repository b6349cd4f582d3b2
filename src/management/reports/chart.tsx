interface Bar {
  /** Tooltip. */
  text: string;
  value: number;
}

interface ChartProps {
  id: string;
  title: string;
  /** Text alternative for screen readers; a table on the page has every number. */
  description: string;
  bars: Bar[];
  /** Labels under the first and the last bar, and beside the highest. */
  first: string;
  last: string;
  top: string;
}

const HEIGHT = 100;
const STEP = 10;

/** Bar chart as wide as the page. The SVG is stretched, which would distort text, so the labels are outside of it. */
export function BarChart({ id, title, description, bars, first, last, top }: ChartProps) {
  const highest = Math.max(...bars.map(({ value }) => value));
  return (
    <figure class="panel chart">
      <figcaption>
        <strong>{title}</strong> <span class="quiet">{top}</span>
      </figcaption>
      <svg
        role="img"
        aria-labelledby={`${id}-title ${id}-description`}
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-description`}>{description}</desc>
        {bars.map(({ value, text }, index) => {
          if (value <= 0) return null;
          const height = Math.max(1, round((value / highest) * HEIGHT));
          return (
            <rect x={index * STEP + 1} y={round(HEIGHT - height)} width={STEP - 2} height={height}>
              <title>{text}</title>
            </rect>
          );
        })}
      </svg>
      <p class="scale">
        <span>{first}</span>
        <span>{last}</span>
      </p>
    </figure>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
