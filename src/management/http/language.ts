/** The interface speaks these; the first one where nobody asks for another. */
export const LANGUAGES = ['de', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Whoever knows the reader's language: a view, or a request's variables. */
export interface Reader {
  language: Language;
}

/** Texts of each language, asked for by the reader's. */
export function byLanguage<T>(texts: Record<Language, T>): (reader: Reader) => T {
  return ({ language }) => texts[language];
}

/** What dates and numbers are written by. */
export const LOCALES: Record<Language, string> = { de: 'de-DE', en: 'en-GB' };
