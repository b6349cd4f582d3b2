import type { Fields, Searched } from '../platform/fields';
import { wordsOf } from '../platform/fold';

/**
 * What a search compares. A term is a word behind a letter that says what it is of, so that a postal code is no phone number:
 * `w` a word, `t` a phone number from its end, `n` an order's number, `p` a PZN. States are terms, too (`store.ts`).
 */
export type Term = string;

/** The words of a text, folded. */
export const wordsIn = wordsOf;

/** An id as people copy it: its last group, which no other one has. */
export function endOfId(id: string): string {
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
export function digitsFromEnd(text: string): string {
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
export function word(text: string): Term {
  return cut(`w${text}`);
}

/** A term as it is stored. */
export function cut(term: Term): Term {
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
