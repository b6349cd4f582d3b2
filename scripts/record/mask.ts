const DAY_MS = 86_400_000;
/** A day or time that is further from today than this is part of the data. */
const NEAR_DAYS = 45;

/** Patterns of what differs between two recordings, by kind. If several match, the first one counts. */
const KINDS: [kind: string, pattern: string][] = [
  ['jwt', String.raw`eyJ[\w-]+\.[\w-]+\.[\w-]+`],
  ['key', String.raw`ofz_(?:test_)?[A-Za-z0-9]{12}\w*`],
  ['secret', String.raw`whsec_[\w+/=-]+`],
  ['uuid', String.raw`\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b`],
  ['reference', String.raw`\bTM-\d+-[0-9a-f]{8}\b`],
  ['host', String.raw`\btest-[a-z0-9]{12}\b`],
  ['password', String.raw`\bscrypt\$[^"]+`],
  ['ciphertext', String.raw`\bk\d+\.[\w+/=-]{20,}`],
  ['file', String.raw`(?<=prescription-)[0-9a-f]{12}\b`],
  // `shop:` and its id, in hexadecimal digits.
  ['shop', String.raw`\b73686F703A[0-9A-F]{72}\b`],
  // Empty or null, depending on how the receiver's connection ends.
  ['excerpt', '(?<="answer_excerpt":)(?:null|"")'],
  ['document', String.raw`(?<="docid":)\d+`],
  ['word', String.raw`\b(?:wtm\d{4}|w|h)[0-9a-f]{7,12}\b`],
  ['label', String.raw`\bOFZ[0-9A-F]{4}-\d+-\w\b`],
  ['form', '(?<=name="form_(?:id|token)" value=")[^"]*'],
  ['signature', String.raw`(?<=\bv1,)[\w+/=]+`],
  ['asset', String.raw`(?<=/assets/[\w./-]*[.-])[\w-]{6,}(?=\.(?:js|css|svg|png|woff2)\b)`],
  ['port', String.raw`(?<=(?:localhost|127\.0\.0\.1):)\d+`],
  ['instant', String.raw`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?`],
  ['day', String.raw`\b\d{4}-\d\d-\d\d\b`],
  ['germanDay', String.raw`\b\d{1,2}\.\d{1,2}\.(?:\d{4}|(?!\d))`],
  ['clock', String.raw`\b\d{1,2}:\d\d(?::\d\d)?\b`],
  ['epoch', String.raw`\b1[789]\d{8}(?:\d{3}|\d{6})?\b`],
  ['duration', String.raw`(?<="(?:duration_ms|p50_ms|p95_ms|latency_ms|median_\w+|age_seconds)":\s?)[\d.]+`],
  // Shown only if something has waited for a minute.
  ['oldest', String.raw`\n?Die älteste wartet seit [^<\n]*`],
  ['duration', String.raw`\b(?:eben|gerade)\b|\b(?:vor )?[\d.,]+ (?:ms|s|Sek\.?|Sekunden?|Min\.?|Minuten?)(?![\w])`],
  ['hash', String.raw`\b[0-9a-f]{32,}\b`],
  ['token', String.raw`(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{11,}={0,2}(?![\w-])`],
];
const ALL = new RegExp(KINDS.map(([, pattern], index) => `(?<_${index}>${pattern})`).join('|'), 'g');
/** Kinds whose values are numbered, so that different values stay different. */
const NUMBERED = ['uuid', 'key', 'reference'];

/** The ids of the API keys that occurred so far. They are collected because some look like words. */
const keyIds = new Set<string>();

/** Replaces each id of an API key in a text with `by`. */
export function maskKeyIds(text: string, by: string): string {
  for (const [, id = ''] of text.matchAll(/ofz_(?:test_)?([A-Za-z0-9]{12})/g)) keyIds.add(id);
  return [...keyIds].reduce((masked, id) => masked.replace(new RegExp(`\\b${id}\\b`, 'g'), by), text);
}

/**
 * Replaces what differs between two recordings of the same behavior: ids, secrets, times, durations. Days become their
 * distance from today. Ids are numbered in the order of their first appearance in the text.
 */
export function mask(text: string): string {
  const numbers = new Map<string, string>();
  return maskKeyIds(text, '<key id>').replace(ALL, (...found) => {
    const [value] = found as [string];
    const groups = found.at(-1) as Record<string, string | undefined>;
    const index = Object.values(groups).findIndex((group) => group !== undefined);
    const kind = KINDS[index]?.[0] ?? '';
    if (kind === 'oldest') return '';
    if (kind === 'instant') return distance(value.slice(0, 10)) === null ? value : '<time>';
    if (kind === 'day') return dayName(value, value);
    if (kind === 'germanDay') return dayName(value, isoOf(value));
    if (!NUMBERED.includes(kind)) return `<${kind}>`;
    const number = numbers.get(value) ?? `<${kind} ${numbers.size + 1}>`;
    numbers.set(value, number);
    return number;
  });
}

function dayName(value: string, iso: string): string {
  const days = distance(iso);
  return days === null ? value : `<day ${days}>`;
}

/** Returns the number of days from today; null if it is large. */
function distance(iso: string): number | null {
  const days = Math.round(Date.parse(iso) / DAY_MS) - Math.floor(Date.now() / DAY_MS);
  return Math.abs(days) > NEAR_DAYS || Number.isNaN(days) ? null : days;
}

function isoOf(day: string): string {
  const [date = '', month = '', year = ''] = day.split('.');
  return `${year || new Date().getFullYear()}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
}
