import { isPzn, pznOfGtin, pznOfPpn, readGtin } from './numbers';

/** What a code on a pack says. */
export interface PackCode {
  /** Eight digits; null for a pack without one. */
  pzn: string | null;
  /** 14 digits. */
  gtin: string | null;
  /** Null where the code has none. Where separators were lost and it could end at several places: all behind the number. */
  serial: string | null;
  /** `yyyy-mm-dd`: the last day of use. */
  expires: string | null;
  batch: string | null;
}

const GS = '\x1d';
const RECORD_SEPARATOR = '\x1e';
const END_OF_TRANSMISSION = '\x04';
/** Above this nothing is a code, and no text is looked at in which each separator might be spelled out. */
const LENGTH_MAX = 120;
const SENT_LENGTH_MAX = 3 * LENGTH_MAX;
const VALUE_MAX = 20;

type Field = 'gtin' | 'pzn' | 'serial' | 'expires' | 'batch' | 'other';
type Element = [id: string, field: Field, fixedLength?: number];

/** Application identifiers of GS1, as packs of medicines have them. */
const GS1: Element[] = [
  ['01', 'gtin', 14],
  ['17', 'expires', 6],
  ['10', 'batch'],
  ['21', 'serial'],
  ['11', 'other', 6],
  ['15', 'other', 6],
  ['710', 'pzn'],
  ['7003', 'other', 10],
];

/** Lengths of the identifiers that need no separator behind them, by their first two digits (GS1 General Specifications, 7.8.5). */
const FIXED_LENGTHS: Readonly<Record<string, number>> = {
  ...{ '00': 20, '01': 16, '02': 16, '03': 16, '04': 18, 20: 4, 41: 16 },
  ...Object.fromEntries([11, 12, 13, 14, 15, 16, 17, 18, 19].map((id) => [id, 8])),
  ...Object.fromEntries([31, 32, 33, 34, 35, 36].map((id) => [id, 10])),
};
/** Data identifiers of ASC MH10, as the IFA has them. */
const IFA: Element[] = [
  ['9N', 'pzn', 12],
  ['8P', 'gtin', 14],
  ['1T', 'batch'],
  ['16D', 'other', 8],
  ['D', 'expires', 6],
  ['S', 'serial'],
];

type Said = Partial<Record<Field, string>>;

/**
 * Reads the text of a DataMatrix in the format of GS1 or of the IFA, whatever the order of its identifiers. Those that are not known
 * are skipped, and so is what cannot be a value. @returns null unless its number has the right check digit
 */
export function readDataMatrix(text: string): PackCode | null {
  if (text.length > SENT_LENGTH_MAX) return null;
  const content = contentOf(text);
  if (content.length > LENGTH_MAX) return null;
  if (/^\d{2}/.test(content)) return best(content, GS1) ?? best(content, IFA) ?? numberOf(content);
  return /^\d?[A-Z]/.test(content) ? best(content, IFA) : null;
}

/**
 * Without the envelope of the format, and with one kind of separator, however the scanner sends it; what is printed beside the code
 * has identifiers in brackets.
 */
function contentOf(text: string): string {
  const sent = /^\(\d{2,4}\)/.test(text) ? text.replace(/\((\d{2,4})\)/g, `${GS}$1`) : text;
  return sent
    .replaceAll(RECORD_SEPARATOR, '')
    .replaceAll(END_OF_TRANSMISSION, '')
    .replace(/^\[\)>06/, '')
    .replace(/\{GS\}|<GS>|\[GS\]|<FNC1>|\{FNC1\}|\\x1d|\\u001d|[\u241d|~^\]]/gi, GS)
    .split(GS)
    .filter(Boolean)
    .join(GS);
}

function best(content: string, elements: readonly Element[]): PackCode | null {
  const hasSeparators = content.includes(GS);
  // Without separators only what every pack has is looked for: more would be found where there is nothing.
  const sought = hasSeparators
    ? elements
    : elements.filter(([, field, length]) => field !== 'other' && (field !== 'pzn' || length));
  const readings = [...readingsOf(content, sought, hasSeparators)].filter(({ gtin, pzn }) => gtin ?? pzn);
  const most = Math.max(0, ...readings.map(sizeOf));
  const [first, ...others] = readings.filter((reading) => sizeOf(reading) === most);
  if (!first) return null;
  const gtin = first.gtin ?? null;
  const pzn = first.pzn ?? (gtin === null ? null : pznOfGtin(gtin));
  const agreed = (field: Field) => (others.every((other) => other[field] === first[field]) ? first[field] : undefined);
  const serial = agreed('serial') ?? (first.serial === undefined ? null : restOf(content, elements));
  return { pzn, gtin, serial, expires: agreed('expires') ?? null, batch: agreed('batch') ?? null };
}

/** A GTIN in front of what nobody can take apart, because its separators were lost. */
function numberOf(content: string): PackCode | null {
  const gtin = /^01\d{14}[!-~]*$/.test(content) ? readGtin(content.slice(2, 16)) : null;
  return gtin === null ? null : { pzn: pznOfGtin(gtin), gtin, serial: null, expires: null, batch: null };
}

const sizeOf = (reading: Said) => Object.keys(reading).length;

/** What stands behind the product's number: the same whenever the same pack is scanned. */
function restOf(content: string, [first]: readonly Element[]): string {
  const [id = '', , length = 0] = first ?? [];
  return content.slice(content.startsWith(id) ? id.length + length : 0);
}

/** Every way to take a text apart. Each field is there once at most, so a text without separators has some thousand at most. */
function* readingsOf(rest: string, elements: readonly Element[], hasSeparators: boolean): Generator<Said> {
  if (rest === '') {
    yield {};
    return;
  }
  let isRead = false;
  for (const element of elements) {
    const [id, field] = element;
    if (!rest.startsWith(id)) continue;
    const others = elements.filter((each) => each !== element);
    for (const [value, behind] of valuesOf(rest.slice(id.length), element, hasSeparators)) {
      const read = readValue(field, value, id);
      if (read === null) continue;
      isRead = true;
      for (const said of readingsOf(behind, others, hasSeparators)) yield { ...said, [field]: read };
    }
  }
  if (!isRead && hasSeparators) yield* readingsOf(behindUnknown(rest), elements, hasSeparators);
}

/** What stands behind an identifier that is not known, or that has no value of its kind. */
function behindUnknown(rest: string): string {
  const fixed = /^\d{3}/.test(rest) ? FIXED_LENGTHS[rest.slice(0, 2)] : undefined;
  const end = rest.indexOf(GS);
  if (fixed !== undefined && (end < 0 || fixed <= end)) return withoutSeparator(rest.slice(fixed));
  return end < 0 ? '' : rest.slice(end + GS.length);
}

function* valuesOf(text: string, [, , fixed]: Element, hasSeparators: boolean): Generator<[string, string]> {
  const end = hasSeparators && text.includes(GS) ? text.indexOf(GS) : text.length;
  if (fixed !== undefined) {
    if (end >= fixed) yield [text.slice(0, fixed), withoutSeparator(text.slice(fixed))];
    return;
  }
  const from = hasSeparators ? end : 1;
  for (let length = Math.max(1, from); length <= Math.min(end, VALUE_MAX); length += 1) {
    yield [text.slice(0, length), withoutSeparator(text.slice(length))];
  }
}

function withoutSeparator(text: string): string {
  return text.startsWith(GS) ? text.slice(GS.length) : text;
}

/** The value as it is told on; null if it cannot be one of this field. */
function readValue(field: Field, value: string, id: string): string | null {
  if (field === 'gtin') return readGtin(value);
  if (field === 'pzn') return id === '9N' ? pznOfPpn(value) : isPzn(value) ? value : null;
  if (field === 'expires') return dayOf(value);
  return value.includes(GS) ? null : value;
}

/** `261231` or, for the last day of a month, `261200`. */
function dayOf(value: string): string | null {
  if (!/^\d{6}$/.test(value)) return null;
  const [year = 0, month = 0, day = 0] = [0, 2, 4].map((at) => Number(value.slice(at, at + 2)));
  const last = new Date(Date.UTC(2000 + year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day > last) return null;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${2000 + year}-${two(month)}-${two(day || last)}`;
}
