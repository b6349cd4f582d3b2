import { addDays, type Day, dayOf } from '../platform/pharmacy-time';
import { DAY_MS, HOUR_MS } from '../platform/time';

/**
 * Time of day (UTC, ms) from which each hour is a part of its own. The first 22 hours of a day in UTC are one part.
 * Totals are kept by part. Midnight in Berlin is at 22:00 or 23:00 UTC, so a day consists of whole parts in UTC and in
 * Berlin. Triggers (migrations) compute the same parts.
 */
const HOURS_BEGIN_MS = 22 * HOUR_MS;

/** Sold products are also summed over spans of these lengths in ms, longest first (`product_totals.span`). */
const SPANS = [28 * DAY_MS, 7 * DAY_MS];

/** A range of epoch ms; `to` is exclusive. */
export interface Range {
  from: number;
  to: number;
}

/** Returns the start of the part of the day that contains `at` (epoch ms). */
export function partOf(at: number): number {
  return at - (at % (at % DAY_MS >= HOURS_BEGIN_MS ? HOUR_MS : DAY_MS));
}

/**
 * Splits a period into `whole`, which consists of whole parts, and `rest`, the ranges at both ends. `rest` has no
 * totals, so its rows must be counted.
 */
export function splitPeriod({ from, to }: Range): { whole: Range; rest: Range[] } {
  const whole = { from: nextPart(from), to: partOf(to) };
  if (whole.from >= whole.to) return { whole: { from, to: from }, rest: [{ from, to }] };
  const rest = [
    { from, to: whole.from },
    { from: whole.to, to },
  ];
  return { whole, rest: rest.filter((range) => range.from < range.to) };
}

/** Returns the first time at or after `at` at which a part of a day starts (epoch ms). */
export function nextPart(at: number): number {
  if (partOf(at) === at) return at;
  const intoDay = at % DAY_MS;
  return intoDay < HOURS_BEGIN_MS ? at - intoDay + HOURS_BEGIN_MS : at - (at % HOUR_MS) + HOUR_MS;
}

/** A range of times, and the length of its totals. A total belongs to the range in which it starts. */
interface Spanned extends Range {
  /** Length of the span in milliseconds; 0 for parts of a day. */
  span: number;
}

/**
 * Splits a period into ranges, so that few totals make it up: long spans in its middle, parts of days at its ends.
 * @param period starts and ends at the start of a part of a day
 */
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

/** The first and the last day, inclusive. */
export interface Days {
  from: Day;
  to: Day;
}

export function countDays({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

export function eachDay(days: Days): Day[] {
  return Array.from({ length: countDays(days) }, (_, index) => addDays(days.from, index));
}

export const PERIODS = ['7', '30', '90', 'this_month', 'last_month'] as const;
export type PeriodName = (typeof PERIODS)[number];

/** Returns the days of a period: the last 7, 30 or 90 including today, or all days of a month. */
export function daysOf(period: PeriodName, now: number): Days {
  const today = dayOf(now);
  const firstOfMonth = `${today.slice(0, 8)}01`;
  if (period === 'this_month') return { from: firstOfMonth, to: today };
  if (period === 'last_month') {
    const last = addDays(firstOfMonth, -1);
    return { from: `${last.slice(0, 8)}01`, to: last };
  }
  return { from: addDays(today, 1 - Number(period)), to: today };
}

/**
 * Returns the days to compare `days` with. For a month, these are the same days of the month before; otherwise, the
 * same number of days right before `days`.
 * @param period the name by which the days were requested, if any
 */
export function daysBefore(days: Days, period?: PeriodName): Days {
  const last = addDays(days.from, -1);
  const isMonth = days.from.endsWith('-01') && addDays(days.to, 1).endsWith('-01') && countDays(days) <= 31;
  if (!isMonth && period !== 'this_month') return { from: addDays(days.from, -countDays(days)), to: last };
  const from = `${last.slice(0, 8)}01`;
  const to = isMonth ? last : addDays(from, countDays(days) - 1);
  return { from, to: to < last ? to : last };
}
