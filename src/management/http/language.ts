/** The languages of the interface; the first one is the default. */
export const LANGUAGES = ['de', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Anything that holds the reader's language: a view, or a request's variables. */
export interface Reader {
  language: Language;
}

/** @returns a function that gives the texts in the reader's language */
export function byLanguage<T>(texts: Record<Language, T>): (reader: Reader) => T {
  return ({ language }) => texts[language];
}

/** Locales for dates and numbers. */
export const LOCALES: Record<Language, string> = { de: 'de-DE', en: 'en-GB' };
