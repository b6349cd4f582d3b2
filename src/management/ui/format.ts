import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { Unit } from '../../catalog/tables';
import type { Order } from '../../orders/store';
import { LOCALES } from '../../platform/http/http';
import { toCents } from '../../platform/money';
import { addDays, type Day, dayOf, readDay, startOf, TIME_ZONE } from '../../platform/pharmacy-time';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time';
import { type Language, type Reader, useReader } from '../http/language';
import { OVERLAPS } from '../limits';
import { sharedMessages } from './messages';
import { useView, type View } from './view';

type Span = 'day' | 'hour' | 'minute';
/** A reader and the current time. */
type Moment = Pick<View, 'language' | 'now'>;

const STEPS: readonly [Span, number][] = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
];

/**
 * Returns a function that returns the value for a language. For each language, `make` is called only once per isolate.
 * Used for formatters and shared markup, because making one takes longer than formatting a row.
 */
export function perLanguage<T>(make: (locale: string, language: Language) => T): (language: Language) => T {
  const made = new Map<Language, T>();
  return (language) => {
    const format = made.get(language) ?? make(LOCALES[language], language);
    made.set(language, format);
    return format;
  };
}

/** Maximum number of cached values per format. */
const KEPT_MAX = 1000;

/**
 * Returns a function that formats a value, or returns the text of an equal value that it formatted before. Lists repeat
 * values, and formatting one takes longer than building the rest of its cell.
 */
export function remembering<T, V extends number | string = number>(format: (value: V) => T): (value: V) => T {
  const kept = new Map<V, T>();
  return (value) => {
    const known = kept.get(value);
    if (known !== undefined) return known;
    if (kept.size >= KEPT_MAX) kept.clear();
    const made = format(value);
    kept.set(value, made);
    return made;
  };
}

/** German dates have numbers; English dates name the month, because readers disagree about the order of numbers. */
const DAY = { de: { day: '2-digit', month: '2-digit' }, en: { day: 'numeric', month: 'short' } } as const;

/** Returns a function that returns the formatter of times in the pharmacies' time zone for a language. */
const zoned = (format: Intl.DateTimeFormatOptions, isDay = false) =>
  perLanguage((locale, language) => {
    const parts = { ...(isDay && DAY[language]), ...format, timeZone: TIME_ZONE, hourCycle: 'h23' } as const;
    const made = new Intl.DateTimeFormat(locale, parts);
    return remembering((at) => made.format(at));
  });
const dates = zoned({ dateStyle: 'medium' });
const shortDays = zoned({ weekday: 'short' }, true);
const longDays = zoned({ weekday: 'long', year: 'numeric' }, true);
const times = zoned({ dateStyle: 'medium', timeStyle: 'short' });
const clocks = zoned({ timeStyle: 'short' });
const moments = zoned({ hour: '2-digit', minute: '2-digit' }, true);
const seconds = zoned({ dateStyle: 'medium', timeStyle: 'medium' });
const exactClocks = zoned({ timeStyle: 'medium' });
const ages = perLanguage((locale) => {
  const format = new Intl.RelativeTimeFormat(locale, { style: 'short', numeric: 'auto' });
  const agesIn = (unit: Span) => remembering((count) => format.format(count, unit));
  return { day: agesIn('day'), hour: agesIn('hour'), minute: agesIn('minute') };
});
const JUST_NOW = { de: 'eben', en: 'just now' };
/** Replaces the hyphen of a negative number with a minus sign, because browsers may break a line after a hyphen. */
const withMinus = (number: string) => number.replace('-', '\u2212');
const euros = perLanguage((locale) => {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' });
  return remembering((cents) => withMinus(format.format(cents / 100)));
});
const euroMarkup = perLanguage((_, language) =>
  remembering((cents) => {
    const [before, after] = euros(language)(cents).split('€');
    return html`${before}&euro;${after}`;
  }),
);

/** Formats a time for programs: `2026-11-27T13:05:09.000Z`. */
export const isoTime = remembering((at) => new Date(at).toISOString());

/** The day of a time: `27.11.2026`. */
export function formatDate(at: number, { language }: Reader = useReader()): string {
  return dates(language)(at);
}

/** A day as `Di., 24.11.` @param day `2026-11-24`; any other text is returned unchanged */
export function dayText(day: Day, { language }: Reader = useReader()): string {
  return readDay(day) === null ? day : shortDays(language)(startOf(day));
}

/** The day at which something comes: `am Di., 24.11.`, and for the current day `heute`. */
export function onDay(day: Day, { language, now }: Moment = useView()): string {
  if (day === dayOf(now)) return ages(language).day(0);
  return `${language === 'de' ? 'am' : 'on'} ${dayText(day, { language })}`;
}

/** Formats a day as a heading: `Heute`, `Gestern`, `Dienstag, 24.11.2026`. */
export function dayHeading(at: number, { language, now }: Moment = useView()): string {
  const day = dayOf(at);
  const ago = [0, 1].find((days) => addDays(dayOf(now), -days) === day);
  const text = ago === undefined ? longDays(language)(at) : ages(language).day(-ago);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A time as `27.11.2026, 14:05`. */
export function formatTime(at: number, { language }: Reader = useReader()): string {
  return times(language)(at);
}

/** A time as `14:05` if it is today, else as `27.11., 14:05`. */
export function formatMoment(at: number, { language, now }: Moment = useView()): string {
  const isToday = dates(language)(at) === dates(language)(now);
  return (isToday ? clocks : moments)(language)(at);
}

/** A time as `27.11.2026, 14:05:09`, for records where seconds matter. */
export function formatSecond(at: number, { language }: Reader = useReader()): string {
  return seconds(language)(at);
}

/** A time as `14:05:09` if it is today, else as `27.11.2026, 14:05:09`. */
export function formatExact(at: number, { language, now }: Moment = useView()): string {
  const isToday = dates(language)(at) === dates(language)(now);
  return (isToday ? exactClocks : seconds)(language)(at);
}

/**
 * The age of a time: `vor 3 Min.`, or `eben` for less than a minute. Pages must show the full time as well (`Time` in
 * layout.tsx).
 */
export function formatAge(at: number, { language, now }: Moment = useView()): string {
  const distance = at - now;
  const [unit, size] = STEPS.find(([, ms]) => Math.abs(distance) >= ms) ?? ['minute', MINUTE_MS];
  const count = Math.trunc(distance / size);
  return count === 0 ? JUST_NOW[language] : ages(language)[unit](count);
}

const WAITS = {
  de: { now: 'gerade', minutes: 'Min.', hours: 'Std.', day: '1 Tag', days: 'Tage' },
  en: { now: 'just now', minutes: 'min', hours: 'h', day: '1 day', days: 'days' },
};

/** A waiting time: `gerade`, `24 Min.`, `1:12 Std.`, `3 Tage`. */
export function formatWait(ms: number, { language }: Reader = useReader()): string {
  const words = WAITS[language];
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return words.now;
  if (ms < HOUR_MS) return `${minutes} ${words.minutes}`;
  const days = Math.floor(ms / DAY_MS);
  if (days > 0) return days === 1 ? words.day : `${days} ${words.days}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} ${words.hours}`;
}

/** A number with grouped thousands: `2.000`, `−3`. */
export function formatCount(count: number, { language }: Reader = useReader()): string {
  return withMinus(count.toLocaleString(LOCALES[language]));
}

/** A difference with its sign: `+10`, `−2`. */
export function formatChange(change: number, { language }: Reader = useReader()): string {
  return withMinus(change.toLocaleString(LOCALES[language], { signDisplay: 'always' }));
}

/** An amount in euros: `1.234,50 €`. */
export function formatMoney(cents: number, { language }: Reader = useReader()): string {
  return euros(language)(cents);
}

/**
 * Like `formatMoney`, but the euro sign is a character reference. Used in lists that refresh. On most pages the euro
 * sign would be the only character beyond Latin-1. With such a character, V8 stores the whole page with two bytes a
 * character, and sending it takes three times as long.
 */
export function moneyMarkup(cents: number, { language }: Reader = useReader()): JSX.Element {
  return euroMarkup(language)(cents);
}

const SHORT_ID_LENGTH = 12;

/** The last 12 characters of an id. Upper and lower case stay, because two ids may differ only in case. */
export function shortIdOf(id: string): string {
  return id.slice(-SHORT_ID_LENGTH);
}

type Overlap = keyof typeof OVERLAPS;

export function readOverlap(text: string): Overlap | undefined {
  // SAFETY: `hasOwn` found it among the overlaps.
  return Object.hasOwn(OVERLAPS, text) ? (text as Overlap) : undefined;
}

/** The options for how long a replaced secret or key stays valid. Each has a hint that says when to choose it. */
export function overlapOptions(reader: Reader) {
  const { overlaps, overlapHints } = sharedMessages(reader);
  return (['day', 'week', 'none'] as const).map((value) => ({
    value,
    label: overlaps[value],
    hint: overlapHints[value],
  }));
}

/** Platforms' field names for the date of birth, in lower case without hyphens and underscores. */
const NAMES = new Set(['birthdate', 'dateofbirth', 'dob', 'birthday', 'geburtsdatum', 'patientbirthdate']);

/**
 * The customer's date of birth; null if the platform sent none.
 * @returns `name`: `customer_birth_date`, or the name among the platform's details; `text`: the date in the reader's
 *   format, or the sent text if it is not a date
 */
export function birthDateOf(
  { language }: Reader,
  { customerBirthDate, platformDetails }: Pick<Order, 'platformDetails'> & Partial<Pick<Order, 'customerBirthDate'>>,
): { name: string; text: string } | null {
  const [name, text] = customerBirthDate
    ? ['customer_birth_date', customerBirthDate]
    : (Object.entries(platformDetails ?? {}).find(([each]) => NAMES.has(each.toLowerCase().replace(/[_-]/g, ''))) ??
      []);
  if (name === undefined || text === undefined) return null;
  const day = /^\d{4}-\d\d-\d\d/.exec(text)?.[0];
  const at = Date.parse(`${day}T12:00Z`);
  return { name, text: Number.isNaN(at) ? text : dates(language)(at) };
}

/** The text with no-break spaces, so that each number stays on one line with its unit: `400 mg`, `0,1 %`, `20 St N2`. */
export function kept(text: string): string {
  return text.replace(/(\d) (?=%|\p{L}{1,4}(?!\p{L}))| (?=N\d\b)/gu, '$1\u00a0');
}

interface Amount {
  quantity: number;
  unit?: 'g' | 'ml';
}

/** An amount of a product: `11 g`, or `3 ×` for packs. */
export function amountText({ quantity, unit }: Amount): string {
  return unit ? `${quantity} ${unit}` : `${quantity} ×`;
}

/** A batch and the quantity taken from it: `AB12 (6 g)`. */
export function batchText({ batch, quantity }: { batch: string; quantity: number }, unit?: Unit): string {
  return `${batch} (${quantityText(quantity, unit)})`;
}

/**
 * A count as text.
 * @param isMore whether counting stopped at a limit: the text then ends with `+`
 */
export function cappedCount(count: number, isMore: boolean): string {
  return isMore ? `${count}+` : String(count);
}

/**
 * A count as text. Counts from `max` on get the same text: `99+` for a `max` of 100.
 * @param max the number at which counting stopped
 */
export function countBelow(count: number, max: number): string {
  return cappedCount(Math.min(count, max - 1), count >= max);
}

/** A quantity: `500 g`, or `20` for packs. Without a unit, packs are counted. */
export function quantityText(count: number, unit: Unit = 'piece'): string {
  return unit === 'piece' ? String(count) : `${count} ${unit}`;
}

/** A price with its unit: `8,75 €/g`, or `4,95 €` for a pack. */
export function priceOfUnit(priceCents: number, unit: Unit, reader: Reader = useReader()): string {
  const price = formatMoney(priceCents, reader);
  return unit === 'piece' ? price : `${price}/${unit}`;
}

/** A quantity times its price: `11 g × 8,75 €/g`, or `3 × 4,95 €`. */
export function timesText(
  { quantity, unit, priceCents }: Amount & { priceCents: number },
  reader: Reader = useReader(),
): string {
  const price = formatMoney(priceCents, reader);
  return unit ? `${quantity} ${unit} × ${price}/${unit}` : `${quantity} × ${price}`;
}

/** A number with grouped thousands and with decimals: `1.234,50`, `1'234.50`, `1'234,50`, or `1,234.50`. */
const GROUPED = /^\d{1,3}(?:(?:\.\d{3})+,|(?:['’]\d{3})+[.,]|(?:,\d{3})+\.)\d{1,2}$/;

/** Parses `4,95`, `4.95`, `5` or `1.234,50`, with or without €. @returns cents; null for any other text */
export function parsePrice(text: string): number | null {
  const typed = text.replace(/[€\s]/g, '');
  const decimals = /[.,](\d{1,2})$/.exec(typed)?.[1];
  const plain = GROUPED.test(typed)
    ? `${typed.slice(0, -1 - (decimals?.length ?? 0)).replace(/\D/g, '')}.${decimals}`
    : typed.replace(',', '.');
  return /^\d{1,7}(\.\d{1,2})?$/.test(plain) ? toCents(Number(plain)) : null;
}

/** A price in the form in which people type it: `4,95`. */
export function priceText(cents: number, language: Language): string {
  const text = (cents / 100).toFixed(2);
  return language === 'de' ? text.replace('.', ',') : text;
}
