/**
 * The text for a code from outside, which may be unknown.
 * @param otherwise the text for an unknown code; by default the code itself
 */
export function textFor(texts: Readonly<Record<string, string>>, code: string, otherwise: string = code): string {
  return (Object.hasOwn(texts, code) ? texts[code] : undefined) ?? otherwise;
}
