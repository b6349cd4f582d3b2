import { DAY_MS } from './time';

/** Times as the clocks and calendars in German pharmacies show them. A Worker's own clock knows no place. */
const CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** A day of the calendar as `2026-11-20`, 23 to 25 hours long. */
export type Day = string;

/** `2026-11-20T14:05`, as a browser's field for a local time has it. @param at epoch ms */
export function localTime(at: number): string {
  return CLOCK.format(at).replace(' ', 'T').slice(0, 16);
}

/** Epoch ms of such a text, null for every other. A time that the clocks skip in spring is read as the hour after. */
export function readLocalTime(text: string): number | null {
  if (!/^[12]\d{3}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null;
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 16) !== text) return null;
  const guess = wall - offsetAt(wall);
  return wall - offsetAt(guess);
}

/** The day of a moment. @param at epoch ms */
export function dayOf(at: number): Day {
  return localTime(at).slice(0, 10);
}

/** The day that a text names, null for every other text. */
export function readDay(text: string): Day | null {
  return readLocalTime(`${text}T12:00`) === null ? null : text;
}

/** When a day begins, epoch ms. Clocks change at 01:00 UTC, so that the offset of 00:00 UTC holds at midnight too. */
export function startOf(day: Day): number {
  const utc = Date.parse(day);
  return utc - offsetAt(utc);
}

/** The last millisecond of a day, epoch ms. */
export function endOf(day: Day): number {
  return startOf(addDays(day, 1)) - 1;
}

export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

function offsetAt(at: number): number {
  return Date.parse(`${CLOCK.format(at).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000;
}
