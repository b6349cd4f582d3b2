import { type Fields, type Searched, searched } from '../platform/fields';
import { wordsOf } from '../platform/fold';
import { isUuid } from '../platform/ids';

/**
 * The unit that a search compares: a word prefixed with a letter for its type, so that a postal code does not match a
 * phone number. `w`: word, `t`: phone number reversed, `n`: order number, `p`: PZN. States are terms, too (`store.ts`).
 */
export type Term = string;

/** The words of a text, folded. */
export const wordsIn = wordsOf;

/** Returns the last group of an id. It is unique, and people copy it. */
function endOfId(id: string): string {
  return wordsIn(id.slice(-12)).join('');
}

/** The digits of a phone number in reverse order, without country code 49 and leading zeros. */
export function phoneFromEnd(text: string): string {
  const digits = text.replace(/\D/g, '').replace(/^00/, '');
  // A few digits that begin with 49 are the end of a number, not a country code.
  const hasCountry = digits.startsWith('49') && (/^\s*(?:\+|00)/.test(text) || digits.length >= WITH_COUNTRY_MIN);
  const own = hasCountry ? digits.slice(2) : digits;
  return digitsFromEnd(own.replace(/^0+/, ''));
}

/** The digits of a text in reverse order. Keeps leading zeros, because the end of a number may begin with one. */
function digitsFromEnd(text: string): string {
  return [...text.replace(/\D/g, '')].reverse().join('');
}

const WITH_COUNTRY_MIN = 11;

/** A row with its columns as stored, and the PZNs of its items. */
export interface SearchedRow {
  readonly [column: string]: unknown;
  pzns: string | null;
}

/**
 * A term is cut to `TERM_MAX` characters, and a row gets at most `TERMS_MAX` terms. An index row then has at most 12
 * KB.
 */
const TERM_MAX = 40;
const TERMS_MAX = 300;

/**
 * Returns the distinct terms of a row. Those of item names come last, because terms beyond `TERMS_MAX` are omitted.
 * @param fields the fields of the row's table
 */
export function termsOf(fields: Fields, row: SearchedRow): Term[] {
  const kept = searched(fields).flatMap(({ key, as }) => {
    const value = row[key];
    return value === null || value === undefined ? [] : [{ as, text: String(value) }];
  });
  const { items = [], others = [] } = Object.groupBy(kept, ({ as }) => (as === 'items' ? 'items' : 'others'));
  const pzns = wordsIn(row.pzns ?? '').map((pzn) => `p${pzn}`);
  const terms = (of: typeof kept) => of.flatMap(({ as, text }) => TERMS[as](text));
  const named = [...terms(others), ...pzns, ...terms(items)].filter((term) => term.length > 1).map(cut);
  return [...new Set(named)].slice(0, TERMS_MAX);
}

const TERMS: Readonly<Record<Searched, (value: string) => Term[]>> = {
  words: (text) => wordsIn(text).map(word),
  // The whole reference without separators, and each of its parts.
  reference: (text) => [wordsIn(text).join(''), ...wordsIn(text)].map(word),
  // The domain is no term of its own, because it says nothing about the person.
  email: (address) => [wordsIn(address).join(''), ...wordsIn(address.split('@')[0] ?? '')].map(word),
  id: (id) => [word(endOfId(id))],
  // Some people write two phone numbers into one field.
  phone: (text) => [text, ...text.split(/[,;\p{L}]+/u)].map((number) => `t${phoneFromEnd(number)}`),
  number: (number) => [`n${number}`],
  items: (json) =>
    itemsIn(json).flatMap(({ name, productName, p1Id }) => [
      ...wordsIn(`${name ?? ''} ${productName ?? ''}`).map(word),
      ...(p1Id ? [word(wordsIn(p1Id).join(''))] : []),
    ]),
};

/** A word as a term. */
function word(text: string): Term {
  return cut(`w${text}`);
}

/** Cuts a term to the length that is stored. */
function cut(term: Term): Term {
  return term.slice(0, TERM_MAX);
}

function itemsIn(json: string): { name?: string | null; productName?: string | null; p1Id?: string | null }[] {
  const items: unknown = JSON.parse(json);
  return Array.isArray(items) ? items : [];
}

/** A condition on a row's terms. */
type Wanted = { term: Term; isWhole: boolean } | { all: readonly Wanted[] } | { any: readonly Wanted[] };

/** A parsed search text. */
export interface Query {
  /** Null if the text has no letter or digit. The search then finds nothing. */
  wanted: Wanted | null;
  /** The order number, if the text may be one; otherwise null. */
  number: number | null;
  /** Whether the text names an order number: "die 4711", or "Bestellung 4711" as in the purpose of a bank transfer. */
  isNumber: boolean;
}

/** Words before an order number (`BEFORE_NUMBER`), and words before a number of another kind (`BEFORE_OTHERS`). */
const BEFORE_NUMBER = new Set([
  'die',
  'der',
  'das',
  'the',
  'bestellung',
  'bestellnummer',
  'bestellnr',
  'order',
  'auftrag',
  'auftragsnummer',
  'nr',
  'nummer',
  'no',
  'number',
]);
const BEFORE_OTHERS = new Set(['pzn', 'plz', 'tel', 'telefon', 'fon', 'mobil', 'phone']);
const IN_NUMBERS = /^[\d+()/.-]+$/;
/** A phone number is found by its last digits if the text has at least this many of them. */
const PHONE_DIGITS_MIN = 5;
const PZN_DIGITS = 8;
/** A number of at least this many digits also matches the beginning of a longer number. */
const BEGINNING_MIN = 4;
/** The most characters of a search text that are read; more than a search field accepts. */
const CHARACTERS_MAX = 200;

/**
 * Parses a search text. For each word of the text, in any order, a found row has a word that begins with it. A number
 * also matches an order number, a PZN, or the end of a phone number.
 */
export function readQuery(text: string): Query {
  const typed = text.slice(0, CHARACTERS_MAX).replaceAll('#', ' # ').split(/\s+/).flatMap(apartFromNumber);
  const runs = numbersIn(typed);
  const hasNumber = runs.some(({ isNumber }) => isNumber);
  const kept = runs.filter(({ parts: [part = ''], isNumber }) => isNumber || !hasNumber || !isSaidBefore(part));
  const saysNumber = hasNumber && typed.some((part) => part === '#' || BEFORE_NUMBER.has(plain(part)));
  const wanted = kept.flatMap(({ parts, isNumber }) => (isNumber ? ofNumber(parts) : ofWord(parts[0] ?? '')));
  const only = kept.length === 1 && kept[0]?.parts.length === 1 ? kept[0].parts[0] : undefined;
  const number = only !== undefined && /^\d{1,9}$/.test(only) ? Number(only) : null;
  const isNumber = number !== null && saysNumber;
  if (isNumber) return { wanted: { term: cut(`n${number}`), isWhole: true }, number, isNumber };
  return { wanted: wanted.length > 0 ? { all: wanted } : null, number, isNumber };
}

/** Splits a label from the number that follows without a space: "Nr.4711", "PZN:04114918". */
function apartFromNumber(part: string): string[] {
  const [, said = '', number = ''] = /^(\p{L}+[.:]+)([+(\d].*)$/u.exec(part) ?? [];
  return isSaidBefore(said) ? [said, number] : [part].filter(Boolean);
}

function plain(part: string): string {
  return wordsIn(part).join('');
}

function isSaidBefore(part: string): boolean {
  return part === '#' || BEFORE_NUMBER.has(plain(part)) || BEFORE_OTHERS.has(plain(part));
}

interface Run {
  parts: string[];
  isNumber: boolean;
}

/** Joins adjacent parts of numbers, because phone numbers are written with spaces or signs between their parts. */
function numbersIn(parts: readonly string[]): Run[] {
  const runs: Run[] = [];
  for (const part of parts) {
    const isNumber = IN_NUMBERS.test(part) && /\d/.test(part);
    const last = runs.at(-1);
    if (!isNumber && IN_NUMBERS.test(part)) continue;
    if (isNumber && last?.isNumber) last.parts.push(part);
    else runs.push({ parts: [part], isNumber });
  }
  return runs;
}

function ofWord(part: string): Wanted[] {
  const words = isUuid(part) ? [endOfId(part)] : wordsIn(part);
  if (words.length === 0) return [];
  const parts: Wanted = { all: words.map(begins) };
  return [words.length === 1 ? parts : { any: [parts, begins(words.join(''))] }];
}

function ofNumber(parts: readonly string[]): Wanted[] {
  const each = parts.map((part): Wanted => {
    const words = wordsIn(part);
    const whole = words.join('');
    const pzn = { term: `p${whole.padStart(PZN_DIGITS, '0')}`, isWhole: true };
    return {
      any: [
        // A short number must match a whole word, because many references begin with it.
        { all: words.map((each) => ({ term: word(each), isWhole: whole.length < BEGINNING_MIN })) },
        ...(words.length > 1 ? [begins(whole)] : []),
        { term: cut(`n${whole}`), isWhole: true },
        ...(whole.length >= PZN_DIGITS - 1 && whole.length <= PZN_DIGITS ? [pzn] : []),
      ],
    };
  });
  const ends = [phoneFromEnd(parts.join('')), digitsFromEnd(parts.join(''))];
  const phones = [...new Set(ends)].filter((end) => end.length >= PHONE_DIGITS_MIN);
  if (phones.length === 0) return each;
  return [{ any: [{ all: each }, ...phones.map((end) => ({ term: cut(`t${end}`), isWhole: false }))] }];
}

function begins(text: string): Wanted {
  return { term: word(text), isWhole: false };
}

/**
 * Returns the condition as text of an FTS5 query. Every term is quoted and consists of letters and digits only.
 * @param before the organization and the kind of row. Every term in the index begins with it, so that organizations
 *   share no terms
 */
export function matchText(wanted: Wanted, before: string): string {
  if ('term' in wanted) return `"${before}${wanted.term}"${wanted.isWhole ? '' : '*'}`;
  const [parts, between] = 'all' in wanted ? [wanted.all, ' AND '] : [wanted.any, ' OR '];
  return `(${parts.map((part) => matchText(part, before)).join(between)})`;
}

/** Whether the terms of a row meet the condition. For rows that are not indexed yet. */
export function isMatched(wanted: Wanted, terms: readonly Term[]): boolean {
  if ('all' in wanted) return wanted.all.every((part) => isMatched(part, terms));
  if ('any' in wanted) return wanted.any.some((part) => isMatched(part, terms));
  const { term, isWhole } = wanted;
  return terms.some((each) => (isWhole ? each === term : each.startsWith(term)));
}

/** A search reads at most this many rows that are not indexed yet, the newest ones. */
export const TAIL_MAX = 200;

/** One run indexes at most this many rows of each kind. */
export const INDEXED_MAX = 250;
