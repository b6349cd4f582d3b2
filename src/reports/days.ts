/** Days of the calendar that hangs in German pharmacies, 23 to 25 hours long. A Worker's own clock knows no place. */
export type Day = string;

/** From the first day to the last, both included. */
export interface Days {
  from: Day;
  to: Day;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Berlin',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
});

/** `2026-11-01`. @param at epoch ms */
export function dayOf(at: number): Day {
  return new Date(at + offsetAt(at)).toISOString().slice(0, 10);
}

/** When a day begins, epoch ms. Clocks change at 01:00 UTC, so that the offset of 00:00 UTC holds at midnight too. */
export function startOf(day: Day): number {
  const utc = Date.parse(day);
  return utc - offsetAt(utc);
}

export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

export function countDays({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

export function eachDay(days: Days): Day[] {
  return Array.from({ length: countDays(days) }, (_, index) => addDays(days.from, index));
}

/** The day that a text names, null for every other text. */
export function readDay(text: string): Day | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : text;
}

export const PERIODS = ['7', '30', '90', 'this_month', 'last_month'] as const;
export type PeriodName = (typeof PERIODS)[number];

/** The last so many days, today included, or a month. */
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

function offsetAt(at: number): number {
  const parts = new Map(CLOCK.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return wall - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}
