/**
 * Folding: texts that look the same to people become equal. Both sides of a comparison or search are folded, because
 * SQLite's lower() knows only ASCII, and its LIKE takes at most 50 bytes.
 */

/** The replacements of letters that people may write as two letters, or that Unicode does not decompose. */
const WRITTEN_AS: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', æ: 'ae', ø: 'oe', œ: 'oe', ß: 'ss' },
  ...{ ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
};

/** Matches a text of printable ASCII characters. It has no accents, so it needs no decomposition. */
const ASCII = /^[\x20-\x7e]*$/;

/**
 * The folded text, without accents and case: ä = ae = a, ß = ss. If one text begins with another, the same is true of
 * the folded texts.
 */
export function foldText(text: string): string {
  const letters = ASCII.test(text) ? text : withoutAccents(text);
  return letters.toLowerCase().replace(/([aou])e/g, '$1');
}

function withoutAccents(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüæøœßłđðþı]/g, (letter) => WRITTEN_AS[letter] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
}

/** The words of a text, folded. */
export function wordsOf(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A person's name for comparison: its folded words, separated by spaces. Null for no name. */
export function foldPersonName(name: string | null): string | null {
  return (name && wordsOf(name).join(' ')) || null;
}

/** All patterns that `composedPattern` has made. The test of patterns finds literal patterns in the source instead. */
export const composedPatterns: RegExp[] = [];

/**
 * Makes a pattern from text. Nothing else may do this. Call it only while a module loads: test/node/patterns.test.ts
 * imports the modules that call it, and checks that their patterns take linear time.
 */
export function composedPattern(source: string, flags?: string): RegExp {
  const pattern = new RegExp(source, flags);
  composedPatterns.push(pattern);
  return pattern;
}
