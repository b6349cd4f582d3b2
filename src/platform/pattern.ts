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
