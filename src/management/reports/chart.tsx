interface Bar {
  /** What is said of it on hover. */
  text: string;
  value: number;
}

interface ChartProps {
  id: string;
  title: string;
  /** What the picture says, for whoever does not see it; every number stands in a table beside it. */
  description: string;
  bars: Bar[];
  /** Texts under the first and the last bar, and beside the highest. */
  first: string;
  last: string;
  top: string;
}

const HEIGHT = 100;
const STEP = 10;

/** Bars side by side, as wide as the page: the picture is stretched, so that no text stands in it. */
export function BarChart({ id, title, description, bars, first, last, top }: ChartProps) {
  const highest = Math.max(...bars.map(({ value }) => value));
  return (
    <figure class="chart">
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
      <p class="ends">
        <span>{first}</span>
        <span>{last}</span>
      </p>
    </figure>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
