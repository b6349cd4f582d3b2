/**
 * Folding turns texts that look the same to people into equal texts. Both sides of a comparison or search are folded.
 * SQLite cannot do this, because its lower() knows only ASCII and its LIKE takes at most 50 bytes.
 */

/** The replacements of letters that people may write as two letters, or that Unicode does not decompose. */
const WRITTEN_AS: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', æ: 'ae', ø: 'oe', œ: 'oe', ß: 'ss' },
  ...{ ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
};

/** Matches a text that has only printable ASCII characters. Such a text has no accents and needs no decomposition. */
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Returns the folded text, without accents and case: ä = ae = a, ß = ss. If one text begins with another, its folded
 * text begins with the folded text of the other.
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

/** Returns the words of a text, folded. */
export function wordsOf(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Returns a person's name in the form in which names are compared: folded words, separated by spaces. Null for no name.
 */
export function foldPersonName(name: string | null): string | null {
  return (name && wordsOf(name).join(' ')) || null;
}

/**
 * All patterns that `composedPattern` has made, for test/node/patterns.test.ts. The test finds the other patterns,
 * which are literals, in the source text.
 */
export const composedPatterns: RegExp[] = [];

/**
 * Returns a pattern that is made from a text. No other code may make a pattern from a text. Call it only while a module
 * loads: test/node/patterns.test.ts imports the modules that call it, and checks that their patterns take linear time.
 */
export function composedPattern(source: string, flags?: string): RegExp {
  const pattern = new RegExp(source, flags);
  composedPatterns.push(pattern);
  return pattern;
}
