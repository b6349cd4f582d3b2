import { isUuid } from '../platform/ids';
import { cut, digitsFromEnd, endOfId, phoneFromEnd, type Term, word, wordsIn } from './words';

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
