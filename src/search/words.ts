import type { Fields, Searched } from '../platform/fields';
import { wordsOf } from '../platform/fold';
import { isUuid } from '../platform/ids';

/**
 * What a search compares. A term is a word behind a letter that says what it is of, so that a postal code is no phone number:
 * `w` a word, `t` a phone number from its end, `n` an order's number, `p` a PZN. States are terms, too (`store.ts`).
 */
export type Term = string;

/** The words of a text, folded. */
export const wordsIn = wordsOf;

/** An id as people copy it: its last group, which no other one has. */
function endOfId(id: string): string {
  return wordsIn(id.slice(-12)).join('');
}

/** The digits of a phone number behind the country's and the leading zero, from the last one on. */
export function phoneFromEnd(text: string): string {
  const digits = text.replace(/\D/g, '').replace(/^00/, '');
  // Five digits that begin with 49 are the end of a number.
  const hasCountry = digits.startsWith('49') && (/^\s*(?:\+|00)/.test(text) || digits.length >= WITH_COUNTRY_MIN);
  const own = hasCountry ? digits.slice(2) : digits;
  return digitsFromEnd(own.replace(/^0+/, ''));
}

/** The digits of a text from the last one on: the end of a number may begin with a zero that is its own. */
function digitsFromEnd(text: string): string {
  return [...text.replace(/\D/g, '')].reverse().join('');
}

const WITH_COUNTRY_MIN = 11;

/** What one row holds: its columns as they are stored, and the PZNs of its items. */
export interface SearchedRow {
  readonly [column: string]: unknown;
  pzns: string | null;
}

/** Longer words are cut, and more terms left out: a row of the index has at most 12 KB. */
const TERM_MAX = 40;
const TERMS_MAX = 300;

/** The terms of a row, each once: what its items are called comes last, since of many some are left out. @param fields those of its table */
export function termsOf(fields: Fields, row: SearchedRow): Term[] {
  const kept = Object.entries(fields).flatMap(([key, { searched }]) => {
    const value = row[key];
    return searched === undefined || value === null || value === undefined ? [] : [{ searched, text: String(value) }];
  });
  const { items = [], others = [] } = Object.groupBy(kept, ({ searched }) =>
    searched === 'items' ? 'items' : 'others',
  );
  const pzns = wordsIn(row.pzns ?? '').map((pzn) => `p${pzn}`);
  const terms = (of: typeof kept) => of.flatMap(({ searched, text }) => TERMS[searched](text));
  const named = [...terms(others), ...pzns, ...terms(items)].filter((term) => term.length > 1).map(cut);
  return [...new Set(named)].slice(0, TERMS_MAX);
}

const TERMS: Readonly<Record<Searched, (value: string) => Term[]>> = {
  words: (text) => wordsIn(text).map(word),
  // Its parts, and all of it where it is typed without what stands between them.
  reference: (text) => [wordsIn(text).join(''), ...wordsIn(text)].map(word),
  // A domain says nothing about the person.
  email: (address) => [wordsIn(address).join(''), ...wordsIn(address.split('@')[0] ?? '')].map(word),
  id: (id) => [word(endOfId(id))],
  // Some write two numbers into one field.
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

/** A term as it is stored. */
function cut(term: Term): Term {
  return term.slice(0, TERM_MAX);
}

interface NamedItem {
  name?: string | null;
  productName?: string | null;
  p1Id?: string | null;
}

function itemsIn(json: string): NamedItem[] {
  const items: unknown = JSON.parse(json);
  return Array.isArray(items) ? items : [];
}

/** What has to hold of a row's terms. */
type Wanted = { term: Term; isWhole: boolean } | { all: readonly Wanted[] } | { any: readonly Wanted[] };

/** What somebody looks for. */
export interface Query {
  /** Null where the text has no letter and no digit: it finds nothing. */
  wanted: Wanted | null;
  /** The order number that it may be. */
  number: number | null;
  /** It says that it is an order's number: "die 4711", "Bestellung 4711" as in the purpose of a transfer. */
  isNumber: boolean;
}

/** What is said before the number of an order, and before other numbers. */
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
/** So many digits of a phone number's end find it. */
const PHONE_DIGITS_MIN = 5;
const PZN_DIGITS = 8;
/** So many digits are looked for as the beginning of a longer number. */
const BEGINNING_MIN = 4;
/** What a search field takes, and more. */
const CHARACTERS_MAX = 200;

/** Reads what was typed: every word has to begin a word of the row, in any order. @param text one line, of a bounded length */
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

/** "Nr.4711" and "PZN:04114918": what is said before a number may stand at it. */
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

/** Parts of numbers that stand beside each other are one: a phone number is written with spaces, or with signs between its parts. */
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
        // A short number is the beginning of nothing: every reference would begin so.
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
 * As FTS5 takes it. Nothing of it is anything but a quoted term: what was typed has become letters and digits.
 * @param before stands before every term: the organization and the kind of row, so that no term is another one's
 */
export function matchText(wanted: Wanted, before: string): string {
  if ('term' in wanted) return `"${before}${wanted.term}"${wanted.isWhole ? '' : '*'}`;
  const [parts, between] = 'all' in wanted ? [wanted.all, ' AND '] : [wanted.any, ' OR '];
  return `(${parts.map((part) => matchText(part, before)).join(between)})`;
}

/** The same of a row that is not in the index yet. */
export function isMatched(wanted: Wanted, terms: readonly Term[]): boolean {
  if ('all' in wanted) return wanted.all.every((part) => isMatched(part, terms));
  if ('any' in wanted) return wanted.any.some((part) => isMatched(part, terms));
  const { term, isWhole } = wanted;
  return terms.some((each) => (isWhole ? each === term : each.startsWith(term)));
}

/** A search looks at so many of the newest changes that are not in the index yet. */
export const TAIL_MAX = 200;

/** Rows that one run takes into the index, of each kind. */
export const INDEXED_MAX = 250;

/** Counting hits stops here. */
export const HITS_COUNTED_MAX = 100;
