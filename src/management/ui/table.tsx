import { html, raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';

/** A column of a table. */
export interface Column<Row> {
  /** The heading. Narrow screens show it above the cell. */
  label: string;
  cell: (row: Row) => Child;
  /**
   * `name`: the cell names its row and has no label on narrow screens. `number`: the cell is a number. `actions`: the
   * cell has links and buttons, and only screen readers get the heading.
   */
  kind?: 'name' | 'number' | 'actions';
  /** Class of the heading and the cells. */
  class?: string;
  /** Class of the cells only. */
  cellClass?: string;
  /** Tooltip of the cell. */
  title?: (row: Row) => string;
  /** Small print after the heading. */
  note?: string;
}

interface TableProps<Row> {
  class?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The HTML id of a row, if links lead to it. */
  rowId?: (row: Row) => string;
  /** The heading of the group that a row is in, for example its day. Rows of the same group must be consecutive. */
  groupOf?: (row: Row) => string;
}

/** A list whose rows become cards on narrow screens. */
export function Table<Row>({ class: name, columns, rows, rowId, groupOf }: TableProps<Row>) {
  const heads = columns.map((column) => ({ label: headingOf(column), class: classOf(column) }));
  // Brief tables show no headings beside their cells.
  const isBrief = name?.split(' ').includes('brief') === true;
  return (
    <table class={name ? `cards ${name}` : 'cards'}>
      <TableHead columns={heads} />
      {[...Map.groupBy(rows, (row) => groupOf?.(row))].map(([group, grouped]) => (
        <tbody>
          {group && (
            <tr class="group">
              <th scope="rowgroup" colspan={columns.length}>
                {group}
              </th>
            </tr>
          )}
          {grouped.map((row) => (
            <tr id={rowId?.(row)}>{columns.map((column) => cellOf(column, row, isBrief))}</tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

function headingOf<Row>({ label, kind, note }: Column<Row>): Child {
  if (kind === 'actions') return <span class="unseen">{label}</span>;
  return note ? [label, ' ', <small>{note}</small>] : label;
}

function cellOf<Row>(column: Column<Row>, row: Row, isBrief: boolean) {
  const { label, kind, title } = column;
  const isNamed = isBrief || kind === 'name' || kind === 'actions';
  const more = column.cellClass ?? (kind === 'actions' ? kind : undefined);
  return (
    <td class={classOf(column, more)} data-label={isNamed ? undefined : label} title={title?.(row)}>
      {column.cell(row)}
    </td>
  );
}

function classOf<Row>(column: Column<Row>, more?: string): string | undefined {
  return [column.kind === 'number' && 'number', column.class, more].filter(Boolean).join(' ') || undefined;
}

/** The header row of a table. @param columns headings, optionally with a class */
export function TableHead({ columns }: { columns: (string | { label: Child; class?: string })[] }): JSX.Element {
  const heads = columns.map((column) => (typeof column === 'string' ? { label: column } : column));
  const head = (head: (typeof heads)[number]) =>
    html`<th scope="col"${head.class && html` class="${head.class}"`}>${head.label}</th>`;
  return html`<thead><tr>${heads.map(head)}</tr></thead>`;
}

interface Tab {
  path: string;
  label: string;
  isCurrent: boolean;
  /** The number of entries as text: `8`, `99+`. */
  count?: string;
  /** The HTML id of the count. If given, client/refresh.js updates the count while the page is open. */
  countId?: string;
}

/**
 * The tabs of a list, each with its count. Callers put open work first.
 * @param label the name of the tabs for screen readers
 */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }): JSX.Element {
  const links = tabs.map(({ path, label, isCurrent, count, countId }) => {
    const live = countId !== undefined && html` id="${countId}" data-live="true"`;
    const counted = count !== undefined && html` <span class="count"${live}>${count}</span>`;
    return html`<a href="${path}"${isCurrent && raw(' aria-current="page"')}>${label}${counted}</a>`;
  });
  return html`<nav class="tabs" aria-label="${label}">${links}</nav>`;
}

/**
 * The tabs and filters of a list. They share a row if both fit.
 * @param isMany whether there are so many tabs that they get a row of their own in windows of middle width
 */
export function Bench({ isMany = false, children }: { isMany?: boolean; children: Child }) {
  return <div class={isMany ? 'bench many' : 'bench'}>{children}</div>;
}

interface BulkProps {
  /** Name of the bar for screen readers. */
  label: string;
  /** The text after the number of picked rows. */
  picked: string;
  unpick: string;
  /**
   * The text before the list of the picked rows that the actions would refuse. The list shows the attribute `data-why`
   * of each row's checkbox: the row's name and the reason.
   */
  why: string;
  children: Child;
}

/**
 * The bar with the actions for the picked rows of a list. It appears once a row is picked. Each row needs a cell of
 * class `pick` with a checkbox. The heading needs such a cell as well. Its checkbox has `data-pick-all` and picks all
 * rows. The buttons submit the form that contains the list and the bar.
 */
export function BulkBar({ label, picked, unpick, why, children }: BulkProps) {
  return (
    <section class="bulk" aria-label={label}>
      <b>{picked}</b>
      <button type="reset" class="plain">
        {unpick}
      </button>
      {children}
      <p class="refused" aria-live="polite" hidden data-bulk-why>
        <b>{why}:</b> <span></span>
      </p>
    </section>
  );
}

interface ChartProps {
  /** The name of the chart for screen readers. The chart scrolls on phones. */
  title: string;
  /** The text alternative of the chart. It need not name all numbers, because a table on the page has them. */
  label: string;
  /** `text`: tooltip. `bad`: the number of failures, drawn above `value`. `isPartial`: the value may still grow. */
  bars: readonly { text: string; value: number; bad?: number; isPartial?: boolean }[];
  /** The values to compare with, one for each bar. They are drawn as a dashed line. */
  before?: readonly number[];
  /** The text of a value on the axis and above the highest bar. */
  textOf: (value: number) => string;
  /** The smallest difference between two lines of the axis, in the unit of the bars' values. */
  unit: number;
  /** The labels below the bars. `at`: the index of the bar. */
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

/**
 * A bar chart with an axis. The highest bar has its value above it. The chart fills the width, and scrolls on phones.
 */
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

/** The legend of the chart's colors, with a text for each color that the chart uses. */
export function Legend(looks: { whole: string; part?: string; failed?: string; before?: string }) {
  return (
    <p class="legend">
      {Object.entries(looks)
        .filter(([, text]) => text)
        .map(([look, text]) => (
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

/**
 * Divides the axis into at most `LINES` steps of a round size.
 * @returns `step`: the size of a step; `top`: the value of the highest line, at least `highest`
 */
function axisOf(highest: number, unit: number): { step: number; top: number } {
  let size = unit;
  for (;;) {
    const step = [1, 2, 5].map((factor) => factor * size).find((each) => each * LINES >= highest);
    if (step !== undefined) return { step, top: Math.max(Math.ceil(highest / step), 1) * step };
    size *= 10;
  }
}

/** The x coordinate of a centered text, moved so that the text stays inside the chart. */
function clamped(x: number): number {
  return round(Math.min(Math.max(x, LEFT), RIGHT - 24));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
