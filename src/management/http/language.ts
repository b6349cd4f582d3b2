/** The interface speaks these; the first one where nobody asks for another. */
export const LANGUAGES = ['de', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What dates and numbers are written by. */
export const LOCALES: Record<Language, string> = { de: 'de-DE', en: 'en-GB' };
