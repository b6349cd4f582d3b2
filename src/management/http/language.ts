import { createContext, useContext } from 'hono/jsx';

/** The languages of the interface; the first one is the default. */
export const LANGUAGES = ['de', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Anything that holds the reader's language: a view, or a request's variables. */
export interface Reader {
  language: Language;
}

/** One text in both languages. */
export interface Both<Text> {
  de: Text;
  en: Text;
}

/** Texts in both languages, in groups. */
interface Texts {
  readonly [key: string]: Both<unknown> | Texts;
}

/** The result of `texts`: the same tree in one language. */
type InOne<Tree> = Tree extends Both<infer Text> ? Text : { [Key in keyof Tree]: InOne<Tree[Key]> };

/** The same tree with every text in both languages; the English text has the German text's type. */
type Complete<Tree> = {
  [Key in keyof Tree]: Tree[Key] extends { de: infer Text } ? Both<Text> : Complete<Tree[Key]>;
};

/** Provides the reader of the page that is being rendered. */
export const ReaderContext = createContext<Reader | null>(null);

/** The reader of the page that is being rendered. @throws Error outside of a page */
export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (!reader) throw new Error('No page is being rendered.');
  return reader;
}

/** @returns a function that gives the texts in the reader's language, by default the page's reader; cached per language at first use */
export function texts<Tree>(tree: Tree & Complete<Tree>): (reader?: Reader) => InOne<Tree> {
  const made: Partial<Record<Language, InOne<Tree>>> = {};
  return ({ language } = useReader()) => {
    // SAFETY: each text is replaced by the one in that language.
    made[language] ??= inOne(tree as Texts, language) as InOne<Tree>;
    return made[language];
  };
}

function inOne(tree: Texts, language: Language): object {
  const isText = (value: Texts[string]): value is Both<unknown> => 'de' in value;
  const entries = Object.entries(tree);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isText(value) ? value[language] : inOne(value, language)]),
  );
}

/** Locales for dates and numbers. */
export const LOCALES: Record<Language, string> = { de: 'de-DE', en: 'en-GB' };
