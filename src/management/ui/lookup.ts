/**
 * The text for a code that comes from elsewhere.
 * @param otherwise what to say where there is none; the code itself unless something else is given
 */
export function textFor(texts: Readonly<Record<string, string>>, code: string, otherwise: string = code): string {
  return (Object.hasOwn(texts, code) ? texts[code] : undefined) ?? otherwise;
}
