import { addDays, type Day, dayOf } from '../platform/pharmacy-time';
import { DAY_MS } from '../platform/time';

/** First and last day, both included. */
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

/** The last days, including today, or a month. */
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
 * The days to compare with: as many right before, or of a month the same days of the month before. @param period by which
 * name the days were asked for, if by one
 */
export function daysBefore(days: Days, period?: PeriodName): Days {
  const last = addDays(days.from, -1);
  const isMonth = days.from.endsWith('-01') && addDays(days.to, 1).endsWith('-01') && countDays(days) <= 31;
  if (!isMonth && period !== 'this_month') return { from: addDays(days.from, -countDays(days)), to: last };
  const from = `${last.slice(0, 8)}01`;
  const to = isMonth ? last : addDays(from, countDays(days) - 1);
  return { from, to: to < last ? to : last };
}
