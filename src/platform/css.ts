/** A style sheet without its comments and the blanks that only its readers need. No string of it may hold `{};,` or `/*`. */
export function compactCss(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(';}', '}')
    .trim();
}
