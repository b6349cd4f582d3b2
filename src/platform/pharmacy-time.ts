import { IsolateCache, once } from './isolate-cache';
import { DAY_MS, HOUR_MS } from './time';

/** The time zone of German pharmacies. A Worker's own clock is in UTC. */
export const TIME_ZONE = 'Europe/Berlin';

/**
 * Returns the formatter that writes times as local time. The formatter is made at its first use, because loading the
 * data of the time zone takes ten milliseconds.
 */
const clock = once(
  () => new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE, dateStyle: 'short', timeStyle: 'medium' }),
);

/** A calendar day as `2026-11-20`. It has 23 to 25 hours. */
export type Day = string;

/**
 * Returns a time as `2026-11-20T14:05` in local time. Browsers have this format in fields for local time.
 * @param at epoch ms
 */
export function localTime(at: number): string {
  return new Date(at + offsetAt(at)).toISOString().slice(0, 16);
}

/**
 * Converts a text such as `2026-11-20T14:05` to epoch ms; null for any other text. A time that is skipped in spring is
 * read as one hour later.
 */
export function readLocalTime(text: string): number | null {
  if (!/^[12]\d{3}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null;
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 16) !== text) return null;
  const guess = wall - offsetAt(wall);
  return wall - offsetAt(guess);
}

/** Returns the day of a time in the pharmacies' time zone. @param at epoch ms */
export function dayOf(at: number): Day {
  const number = Math.floor((at + offsetAt(at)) / DAY_MS);
  if (number !== lastDay.number) lastDay = { number, day: localTime(at).slice(0, 10) };
  return lastDay.day;
}

/** The last result of `dayOf`. It is kept, because lists ask for the same day in each row. */
let lastDay = { number: Number.NaN, day: '' };

/** Returns the text if it names a day, like `2026-11-20`; null for any other text. */
export function readDay(text: string): Day | null {
  return readLocalTime(`${text}T12:00`) === null ? null : text;
}

/**
 * Returns the start of a day, epoch ms. The offset at 00:00 UTC also applies at local midnight, because clocks change
 * at 01:00 UTC.
 */
export function startOf(day: Day): number {
  const utc = Date.parse(day);
  return utc - offsetAt(utc);
}

/** Returns the last millisecond of a day, epoch ms. */
export function endOf(day: Day): number {
  return startOf(addDays(day, 1)) - 1;
}

export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** Public holidays in all of Germany with a fixed date: nothing is delivered on them. */
const HOLIDAYS = new Set(['01-01', '05-01', '10-03', '12-25', '12-26']);

/**
 * Returns the day on which goods that are ordered now usually arrive: the next day that is no Sunday and not in
 * `HOLIDAYS`.
 * @param now epoch ms
 */
export function nextDelivery(now: number): Day {
  let day = addDays(dayOf(now), 1);
  while (new Date(day).getUTCDay() === 0 || HOLIDAYS.has(day.slice(5))) day = addDays(day, 1);
  return day;
}

const HOURS_KEPT_MAX = 1000;
/**
 * The results of `offsetAt`, by hour. They are kept, because a list has hundreds of times and the formatter takes
 * microseconds for each.
 */
const offsets = new IsolateCache<number>(HOURS_KEPT_MAX);

/** Returns how far local time is ahead of UTC at a time, in ms. The difference changes only at full hours. */
function offsetAt(at: number): number {
  return offsets.made(
    String(Math.floor(at / HOUR_MS)),
    () => Date.parse(`${clock().format(at).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000,
  );
}
