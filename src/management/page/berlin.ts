/** Times as people in German pharmacies write them. A Worker's own clock knows no place. */
const CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** `2026-11-20T14:05`, as a browser's field for a local time has it. @param at epoch ms */
export function localTime(at: number): string {
  return CLOCK.format(at).replace(' ', 'T').slice(0, 16);
}

/** Epoch ms of such a text, null for every other. A time that the clocks skip in spring is read as the hour after. */
export function readLocalTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null;
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 16) !== text) return null;
  const guess = wall - offsetAt(wall);
  return wall - offsetAt(guess);
}

/** `2026-11-20`. */
export function localDate(at: number): string {
  return localTime(at).slice(0, 10);
}

/** The last millisecond of the day that a text like `2026-11-20` names, null for every other text. */
export function readEndOfDay(text: string): number | null {
  const lastMinute = readLocalTime(`${text}T23:59`);
  return lastMinute === null ? null : lastMinute + 59_999;
}

function offsetAt(at: number): number {
  return Date.parse(`${CLOCK.format(at).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000;
}
