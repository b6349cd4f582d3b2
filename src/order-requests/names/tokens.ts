/** Product names cut into numbers, words and marks. */

/** A part of a text: from the character at `start` up to the one before `end`. */
export interface Span {
  start: number;
  end: number;
}

export interface Token extends Span {
  /** The word or the mark; of a number, its first digits. */
  text: string;
  /** Null unless it is a number. */
  value: number | null;
  isWord: boolean;
  /** Whether a space comes before it. */
  isSpaced: boolean;
}

/** A name in one spelling. */
export interface Folded {
  /** As it was written. */
  name: string;
  text: string;
  /** For each character of the text where it begins in the name, and behind the last one where that ends. */
  origins: number[];
}

/** Runs of letters and runs of digits; anything else is a lexeme of its own. */
const LEXEME = /\p{L}+|\d+|[^\p{L}\d]/gu;
const IS_WORD = /^\p{L}/u;
const IS_DIGITS = /^\d/;
/** Digits of a group of a number; the first group may have fewer. */
const GROUP_DIGITS = 3;
const GROUPING_MARKS = [',', ' ', "'"];

/** As long as a submitted name may be: one letter may be decomposed into eighteen. */
const TEXT_MAX = 200;
/** Marks upon letters, and what nobody sees (soft hyphens). */
const UNSEEN = /[\p{M}\p{Cf}\u2122]/gu;
const SPELLINGS: Readonly<Record<string, string>> = { ß: 'ss', μ: 'u' };

/** Lowercase, with one spelling of umlauts (ä, ae, a), micro and spaces; what is beyond the longest name is cut off. */
export function foldName(name: string): Folded {
  const origins: number[] = [];
  let [text, at, end, hasLostE] = ['', 0, 0, false];
  for (const character of name) {
    for (const letter of lettersOf(character)) {
      const last = text.at(-1);
      const isSpace = letter.trim() === '';
      if (isSpace && (last === undefined || last === ' ')) continue;
      hasLostE = letter === 'e' && !hasLostE && (last === 'a' || last === 'o' || last === 'u');
      if (!hasLostE) {
        if (text.length >= TEXT_MAX) return { name, text, origins: [...origins, at + character.length] };
        text += isSpace ? ' ' : letter;
        while (origins.length < text.length) origins.push(at);
      }
      if (!isSpace) end = at + character.length;
    }
    at += character.length;
  }
  text = text.trimEnd();
  return { name, text, origins: [...origins.slice(0, text.length), end] };
}

/** @see foldName */
export function folded(name: string): string {
  return foldName(name).text;
}

/** Words that are separated by spaces or lines, folded. */
export function listed(words: string): string[] {
  return words.trim().split(/\s+/).map(folded);
}

/** Substances and salts in English often have an e more. */
export function withoutE(word: string): string {
  return word.endsWith('e') ? word.slice(0, -1) : word;
}

function lettersOf(character: string): string {
  if (character <= '\u007f') return character.toLowerCase();
  const plain = character.replace(UNSEEN, '').normalize('NFKD').replace(UNSEEN, '').toLowerCase();
  return SPELLINGS[plain] ?? plain;
}

/** @param text folded */
export function tokensOf(text: string): Token[] {
  const lexemes = text.match(LEXEME) ?? [];
  const tokens: Token[] = [];
  let [at, start] = [0, 0];
  for (let lexeme = lexemes[at]; lexeme !== undefined; lexeme = lexemes[at]) {
    const number = IS_DIGITS.test(lexeme) ? numberAt(lexemes, at) : null;
    const next = at + (number?.lexemes ?? 1);
    const end = lexemes.slice(at, next).reduce((sum, { length }) => sum + length, start);
    if (lexeme !== ' ') {
      const isSpaced = lexemes[at - 1] === ' ';
      tokens.push({ text: lexeme, value: number?.value ?? null, isWord: IS_WORD.test(lexeme), isSpaced, start, end });
    }
    [at, start] = [next, end];
  }
  return tokens;
}

/** `1.000`, `1,000` and `1 000` are one thousand, `1.500` is 1,500; `0,5`, `2.5` and `0,125` are decimals. */
function numberAt(all: readonly string[], at: number): { value: number; lexemes: number } {
  const textAt = (index: number) => all[index] ?? '';
  const [first, mark, next] = [textAt(at), textAt(at + 1), textAt(at + 2)];
  const groups: string[] = [];
  if (first.length <= GROUP_DIGITS && !first.startsWith('0')) {
    for (let end = at + 1; textAt(end) === mark && isGroup(mark, textAt(end + 1)); end += 2)
      groups.push(textAt(end + 1));
  }
  if (groups.length > 0) return { value: Number(first + groups.join('')), lexemes: 1 + 2 * groups.length };
  if ((mark === '.' || mark === ',') && IS_DIGITS.test(next)) return { value: Number(`${first}.${next}`), lexemes: 3 };
  return { value: Number(first), lexemes: 1 };
}

/** Behind anything but a point only zeros are taken for a group: `0,125` and `20 100` are none. */
function isGroup(mark: string, digits: string): boolean {
  if (mark === '.') return digits.length === GROUP_DIGITS && IS_DIGITS.test(digits);
  return GROUPING_MARKS.includes(mark) && digits === '000';
}

/** Where a part of the folded text stands in the name; of a letter that became several ("½"), the whole. */
export function spanIn({ origins }: Folded, { start, end }: Span): Span {
  const begin = origins[start] ?? 0;
  let at = end;
  while (at < origins.length - 1 && (origins[at] ?? 0) <= begin) at += 1;
  return { start: begin, end: origins[at] ?? begin };
}
