import { DAY_MS, HOUR_MS } from '../platform/time';

/**
 * Totals are kept for parts of a day, so that both the days of UTC and those of the pharmacies' time zone consist of whole
 * parts: each hour from 22:00 UTC on is one, the 22 hours before are one. Midnight in Berlin is at 22:00 or 23:00 UTC. Triggers
 * (migrations) compute the same.
 */
const HOURS_BEGIN_MS = 22 * HOUR_MS;

/** The spans for which sold products are summed besides, longest first; `product_totals.span`. */
const SPANS = [28 * DAY_MS, 7 * DAY_MS];

/** A range of epoch ms; `to` is exclusive. */
export interface Range {
  from: number;
  to: number;
}

/** The start of the part that contains a time. @param at epoch ms */
export function partOf(at: number): number {
  return at - (at % (at % DAY_MS >= HOURS_BEGIN_MS ? HOUR_MS : DAY_MS));
}

/** The whole parts within a period, and what is left at its ends, where only rows themselves can be counted. */
export function splitPeriod({ from, to }: Range): { whole: Range; rest: Range[] } {
  const whole = { from: nextPart(from), to: partOf(to) };
  if (whole.from >= whole.to) return { whole: { from, to: from }, rest: [{ from, to }] };
  const rest = [
    { from, to: whole.from },
    { from: whole.to, to },
  ];
  return { whole, rest: rest.filter((range) => range.from < range.to) };
}

/** The start of the first part that does not start before a time. @param at epoch ms */
export function nextPart(at: number): number {
  if (partOf(at) === at) return at;
  const intoDay = at % DAY_MS;
  return intoDay < HOURS_BEGIN_MS ? at - intoDay + HOURS_BEGIN_MS : at - (at % HOUR_MS) + HOUR_MS;
}

/** Totals of a span, by when they start. */
export interface Spanned extends Range {
  /** Milliseconds; 0 for parts of a day. */
  span: number;
}

/** The fewest totals that make up a period: the longest spans in its middle, parts of days at its ends. @param period whole parts */
export function spansOf({ from, to }: Range, [span, ...shorter] = SPANS): Spanned[] {
  if (from >= to) return [];
  if (span === undefined) return [{ span: 0, from, to }];
  const [start, end] = [Math.ceil(from / span) * span, Math.floor(to / span) * span];
  if (start >= end) return spansOf({ from, to }, shorter);
  return [
    ...spansOf({ from, to: start }, shorter),
    { span, from: start, to: end },
    ...spansOf({ from: end, to }, shorter),
  ];
}
