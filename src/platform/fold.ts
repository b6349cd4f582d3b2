/**
 * When two texts are the same to people, whatever program wrote them. What is compared or searched is folded here, on both sides:
 * SQLite's lower() knows only ASCII, and its LIKE takes at most 50 bytes.
 */

/** Letters that are written as two, or that Unicode does not take apart. */
const WRITTEN_AS: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', æ: 'ae', ø: 'oe', œ: 'oe', ß: 'ss' },
  ...{ ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
};

/** Most texts: there are no accents to take away. */
const ASCII = /^[\x20-\x7e]*$/;

/**
 * A text so that what people take for the same is the same: ä = ae = a, ß = ss, no accents, no case. What the beginning of a text
 * becomes is the beginning of what the text becomes.
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

/** A person's name as it is compared: its words, folded, with a space between two. @returns null for none */
export function foldPersonName(name: string | null): string | null {
  return (name && wordsOf(name).join(' ')) || null;
}

/** Every pattern that was made of parts; those written as literals are found in the source. */
export const composedPatterns: RegExp[] = [];

/**
 * The only way to make a pattern from text. It is called while a module loads, never later: test/node/patterns.test.ts
 * imports the modules that do and checks what they made to take linear time.
 */
export function composedPattern(source: string, flags?: string): RegExp {
  const pattern = new RegExp(source, flags);
  composedPatterns.push(pattern);
  return pattern;
}
