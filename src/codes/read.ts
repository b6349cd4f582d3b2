import { type LabelCode, readLabel } from './label';
import { asSent, isPzn, pznOfGtin, pznOfPpn, readGtin, readPzn } from './numbers';

export type Code = ({ kind: 'pack' } & PackCode) | ({ kind: 'label' } & LabelCode);

/**
 * Reads a scanned text: a PZN, GTIN, NTIN, PPN, DataMatrix of a pack, or our label, also if the keyboard layout has
 * changed it.
 * @returns null if the text has no valid check digit, because it is then no code
 */
export function readCode(text: string): Code | null {
  for (const all of asSent(text.trim())) {
    // The symbology identifier, which scanners may send first (ISO/IEC 15424).
    const sent = all.replace(/^\][A-Za-z]\d/, '');
    const label = readLabel(sent);
    if (label) return { kind: 'label', ...label };
    const pack = readNumber(sent) ?? readDataMatrix(sent);
    if (pack) return { kind: 'pack', ...pack };
  }
  return null;
}

/** Returns the PZN in a typed or scanned text; null if there is none. */
export function pznOf(text: string): string | null {
  const code = readCode(text);
  return code?.kind === 'pack' ? code.pzn : null;
}

function readNumber(text: string): PackCode | null {
  const nothingElse = { serial: null, expires: null, batch: null };
  const pzn = readPzn(text) ?? pznOfPpn(text);
  if (pzn !== null) return { pzn, gtin: null, ...nothingElse };
  const gtin = readGtin(text);
  return gtin === null ? null : { pzn: pznOfGtin(gtin), gtin, ...nothingElse };
}

/** The content of a code on a pack. */
interface PackCode {
  /** Eight digits; null for a pack without one. */
  pzn: string | null;
  /** 14 digits. */
  gtin: string | null;
  /**
   * The serial number; null if the code has none. If separators were lost and the end of the serial number is
   * ambiguous, this is all text after the product number.
   */
  serial: string | null;
  /** `yyyy-mm-dd`: the last day of use. */
  expires: string | null;
  batch: string | null;
}

const GS = '\x1d';
const RECORD_SEPARATOR = '\x1e';
const END_OF_TRANSMISSION = '\x04';
/**
 * The most characters of a code. `SENT_LENGTH_MAX` limits the text that a scanner sends, where a separator may be
 * several characters (`<GS>`).
 */
const LENGTH_MAX = 120;
const SENT_LENGTH_MAX = 3 * LENGTH_MAX;
const VALUE_MAX = 20;

type Field = 'gtin' | 'pzn' | 'serial' | 'expires' | 'batch' | 'other';
type Element = [id: string, field: Field, fixedLength?: number];

/** GS1 application identifiers on packs of medicines. */
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

/**
 * Lengths of fields that need no separator after them, by the first two digits of the identifier (GS1 General
 * Specifications, 7.8.5). A length includes the identifier.
 */
const FIXED_LENGTHS: Readonly<Record<string, number>> = {
  ...{ '00': 20, '01': 16, '02': 16, '03': 16, '04': 18, 20: 4, 41: 16 },
  ...Object.fromEntries([11, 12, 13, 14, 15, 16, 17, 18, 19].map((id) => [id, 8])),
  ...Object.fromEntries([31, 32, 33, 34, 35, 36].map((id) => [id, 10])),
};
/** ASC MH10 data identifiers, as the IFA uses them. */
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
 * Reads the text of a DataMatrix in the format of GS1 or the IFA, with its identifiers in any order. Unknown
 * identifiers and impossible values are skipped. @returns null unless the product number has the right check digit
 */
function readDataMatrix(text: string): PackCode | null {
  if (text.length > SENT_LENGTH_MAX) return null;
  const content = contentOf(text);
  if (content.length > LENGTH_MAX) return null;
  if (/^\d{2}/.test(content)) return best(content, GS1) ?? best(content, IFA) ?? numberOf(content);
  return /^\d?[A-Z]/.test(content) ? best(content, IFA) : null;
}

/**
 * Removes the envelope of the format and normalizes separators, which scanners send in several ways. Also reads the
 * printed form with identifiers in brackets.
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
  // Without separators, only the fields that every pack has are read, because others would be found by mistake.
  const sought = hasSeparators
    ? elements
    : elements.filter(([, field, length]) => field !== 'other' && (field !== 'pzn' || length));
  const searched = hasSeparators || elements !== GS1 ? content : withoutFixedUnknown(content);
  const readings = [...readingsOf(searched, sought, hasSeparators)].filter(({ gtin, pzn }) => gtin ?? pzn);
  const most = Math.max(0, ...readings.map(sizeOf));
  const [first, ...others] = readings.filter((reading) => sizeOf(reading) === most);
  if (!first) return null;
  const gtin = first.gtin ?? null;
  const pzn = first.pzn ?? (gtin === null ? null : pznOfGtin(gtin));
  const agreed = (field: Field) => (others.every((other) => other[field] === first[field]) ? first[field] : undefined);
  const serial = agreed('serial') ?? (first.serial === undefined ? null : restOf(content, elements));
  return { pzn, gtin, serial, expires: agreed('expires') ?? null, batch: agreed('batch') ?? null };
}

/**
 * Removes unknown identifiers with their values from a GS1 text that has no separators. It removes only identifiers of
 * fixed length, and stops at the first identifier of variable length, because the end of that value is not known.
 */
function withoutFixedUnknown(content: string): string {
  let kept = '';
  let rest = content;
  for (;;) {
    const length = fixedLengthOf(rest);
    if (length === undefined || length > rest.length) return kept + rest;
    const isKnown = GS1.some(([id, field]) => field !== 'other' && rest.startsWith(id));
    if (isKnown) kept += rest.slice(0, length);
    rest = rest.slice(length);
  }
}

function fixedLengthOf(rest: string): number | undefined {
  return /^\d{3}/.test(rest) ? FIXED_LENGTHS[rest.slice(0, 2)] : undefined;
}

/** Reads only the GTIN of a code whose other fields cannot be separated, because its separators were lost. */
function numberOf(content: string): PackCode | null {
  const gtin = /^01\d{14}[!-~]*$/.test(content) ? readGtin(content.slice(2, 16)) : null;
  return gtin === null ? null : { pzn: pznOfGtin(gtin), gtin, serial: null, expires: null, batch: null };
}

const sizeOf = (reading: Said) => Object.keys(reading).length;

/**
 * Returns the text after the product number. It is used in place of a serial number whose end is ambiguous, because
 * each scan of a pack gives the same text.
 */
function restOf(content: string, [first]: readonly Element[]): string {
  const [id = '', , length = 0] = first ?? [];
  return content.slice(content.startsWith(id) ? id.length + length : 0);
}

/**
 * Returns all ways to split a text into fields. Each field occurs at most once, so there are at most some thousand ways
 * to split a text without separators.
 */
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

/** Returns the text after its first field, which has an unknown identifier or an impossible value. */
function behindUnknown(rest: string): string {
  const fixed = fixedLengthOf(rest);
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

/** Returns the normalized value; null if it is impossible for this field. */
function readValue(field: Field, value: string, id: string): string | null {
  if (field === 'gtin') return readGtin(value);
  if (field === 'pzn') return id === '9N' ? pznOfPpn(value) : isPzn(value) ? value : null;
  if (field === 'expires') return dayOf(value);
  return value.includes(GS) ? null : value;
}

/** Converts `261231` to `2026-12-31`. The day `00` is the last one of the month. Null if there is no such day. */
function dayOf(value: string): string | null {
  if (!/^\d{6}$/.test(value)) return null;
  const [year = 0, month = 0, day = 0] = [0, 2, 4].map((at) => Number(value.slice(at, at + 2)));
  const last = new Date(Date.UTC(2000 + year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day > last) return null;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${2000 + year}-${two(month)}-${two(day || last)}`;
}
