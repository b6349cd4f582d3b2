import { createContext, useContext } from 'hono/jsx';

/** The languages of the interface. The first one is the default. */
export const LANGUAGES = ['de', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Anything that holds the reader's language: a view, or a request's variables. */
export interface Reader {
  language: Language;
}

/** One text in both languages: German, English. */
export type Both<Text> = readonly [de: Text, en: Text];

/** Texts in both languages, in groups. A function returns its text in both languages. */
export interface Texts {
  readonly [key: string]: Both<unknown> | ((...values: never[]) => Both<unknown>) | Texts;
}

/** The result of `texts`: the same tree in one language. */
type InOne<Tree> = Tree extends (...values: infer Values) => Both<infer Text>
  ? (...values: Values) => Text
  : Tree extends Both<infer Text>
    ? Text
    : { [Key in keyof Tree]: InOne<Tree[Key]> };

/** Provides the reader of the page that is being rendered. */
export const ReaderContext = createContext<Reader | null>(null);

/** The reader of the page that is being rendered. @throws Error outside of a page */
export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (!reader) throw new Error('No page is being rendered.');
  return reader;
}

/**
 * Returns a function that returns the texts in the language of a reader. Without a reader, it takes the reader of the
 * page. The texts of a language are made when they are first used.
 */
export function texts<Tree extends Texts>(tree: Tree): (reader?: Reader) => InOne<Tree> {
  const made: Partial<Record<Language, InOne<Tree>>> = {};
  return ({ language } = useReader()) => {
    // SAFETY: each text is replaced by the one in that language.
    made[language] ??= inOne(tree, LANGUAGES.indexOf(language)) as InOne<Tree>;
    return made[language];
  };
}

function inOne(text: Texts[string], index: number): unknown {
  const isText = (value: typeof text): value is Both<unknown> => Array.isArray(value);
  if (isText(text)) return text[index];
  if (typeof text === 'function') return (...values: never[]) => text(...values)[index];
  return Object.fromEntries(Object.entries(text).map(([key, value]) => [key, inOne(value, index)]));
}
