import type { Language } from './language';
import { WORDS } from './language';

/** Pharmacies are where the clock of Berlin hangs; a Worker's own clock knows no place. */
const TIME_ZONE = 'Europe/Berlin';
const MINUTE_MS = 60_000;
const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 24 * 60 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
];

/** `27.11.2026`. */
export function formatDate(language: Language, at: number): string {
  const format = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: TIME_ZONE } as const;
  return new Intl.DateTimeFormat(WORDS[language].locale, format).format(at);
}

/** `27.11.2026, 14:05`. */
export function formatTime(language: Language, at: number): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: TIME_ZONE } as const;
  return new Intl.DateTimeFormat(WORDS[language].locale, format).format(at);
}

/** `vor 3 Min.`; the full time belongs beside it (`Time` in layout.tsx). */
export function formatAge(language: Language, at: number, now: number): string {
  const format = new Intl.RelativeTimeFormat(WORDS[language].locale, { style: 'short', numeric: 'auto' });
  const distance = at - now;
  const [unit, size] = STEPS.find(([, ms]) => Math.abs(distance) >= ms) ?? ['minute', MINUTE_MS];
  return format.format(Math.trunc(distance / size), unit);
}

/** `1.234,50 €`. */
export function formatMoney(language: Language, cents: number): string {
  return new Intl.NumberFormat(WORDS[language].locale, { style: 'currency', currency: 'EUR' }).format(cents / 100);
}
