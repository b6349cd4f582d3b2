/** Product names cut into numbers, words and marks. */

export interface Token {
  /** The word or the mark; of a number, its first digits. */
  text: string;
  /** Null unless it is a number. */
  value: number | null;
  isWord: boolean;
  /** Whether a space comes before it. */
  isSpaced: boolean;
}

/** Runs of letters and runs of digits; anything else is a lexeme of its own. */
const LEXEME = /\p{L}+|\d+|[^\p{L}\d]/gu;
const IS_WORD = /^\p{L}/u;
const IS_DIGITS = /^\d/;
/** Digits of a group of a number; the first group may have fewer. */
const GROUP_DIGITS = 3;
const GROUPING_MARKS = [',', ' ', "'"];

/** As long as a submitted name may be: one letter may be decomposed into eighteen. */
const DECOMPOSED_MAX = 200;

/** Lowercase, with one spelling of umlauts (ä, ae, a), micro and spaces; what is beyond the longest name is cut off. */
export function folded(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .slice(0, DECOMPOSED_MAX)
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('μ', 'u')
    .replace(/([aou])e/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** @param text folded */
export function tokensOf(text: string): Token[] {
  const lexemes = text.match(LEXEME) ?? [];
  const tokens: Token[] = [];
  let at = 0;
  for (let lexeme = lexemes[at]; lexeme !== undefined; lexeme = lexemes[at]) {
    const number = IS_DIGITS.test(lexeme) ? numberAt(lexemes, at) : null;
    if (lexeme !== ' ') {
      const isSpaced = lexemes[at - 1] === ' ';
      tokens.push({ text: lexeme, value: number?.value ?? null, isWord: IS_WORD.test(lexeme), isSpaced });
    }
    at += number?.lexemes ?? 1;
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
