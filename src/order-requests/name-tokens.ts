/** Product names cut into numbers, words and marks. */

export interface Token {
  /** The word or the mark; of a number, what was written. */
  text: string;
  /** Null unless it is a number. */
  value: number | null;
  isWord: boolean;
  /** Whether a space, or nothing, comes before it. */
  isSpaced: boolean;
}

/** Runs of letters and runs of digits; anything else is a lexeme of its own. */
const LEXEME = /\p{L}+|\d+|[^\p{L}\d]/gu;
const IS_WORD = /^\p{L}/u;
const IS_DIGITS = /^\d/;
/** Numbers are grouped by three digits, the first group has at most so many. */
const GROUP_DIGITS = 3;

/** Lowercase, with one spelling of umlauts (ä, ae, a), micro and spaces. */
export function folded(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
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
  let isSpaced = true;
  for (let at = 0; at < lexemes.length; ) {
    const lexeme = lexemes[at] ?? '';
    if (lexeme === ' ') {
      isSpaced = true;
      at += 1;
      continue;
    }
    const number = IS_DIGITS.test(lexeme) ? numberAt(lexemes, at) : null;
    const end = number?.end ?? at + 1;
    tokens.push({
      text: number ? lexemes.slice(at, end).join('') : lexeme,
      value: number?.value ?? null,
      isWord: IS_WORD.test(lexeme),
      isSpaced,
    });
    isSpaced = false;
    at = end;
  }
  return tokens;
}

/** `1.000`, `1,000` and `1 000` are one thousand, `1.500` is 1,500; `0,5`, `2.5` and `0,125` are decimals. */
function numberAt(lexemes: readonly string[], at: number): { value: number; end: number } {
  const first = lexemes[at] ?? '';
  const mark = lexemes[at + 1];
  let end = at + 1;
  if (first.length <= GROUP_DIGITS && !first.startsWith('0')) {
    while (lexemes[end] === mark && isGroup(mark, lexemes[end + 1])) end += 2;
  }
  if (end > at + 1)
    return {
      value: Number(
        lexemes
          .slice(at, end)
          .filter((each) => each !== mark)
          .join(''),
      ),
      end,
    };
  const decimals = lexemes[at + 2];
  if ((mark === '.' || mark === ',') && decimals !== undefined && IS_DIGITS.test(decimals)) {
    return { value: Number(`${first}.${decimals}`), end: at + 3 };
  }
  return { value: Number(first), end };
}

/** Behind anything but a point only zeros are taken for a group: `0,125` and `20 100` are none. */
function isGroup(mark: string | undefined, digits: string | undefined): boolean {
  if (mark === '.') return digits?.length === GROUP_DIGITS && IS_DIGITS.test(digits);
  return (mark === ',' || mark === ' ' || mark === "'") && digits === '000';
}
