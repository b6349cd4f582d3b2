/** A style sheet without its comments and the blanks that only its readers need. No string of it may hold `{};,` or `/*`. */
export function compactCss(css: string): string {
  return withoutComments(css)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(';}', '}')
    .trim();
}

function withoutComments(css: string): string {
  const [first, ...parts] = css.split('/*');
  return [first, ...parts.map((part) => part.split('*/').slice(1).join('*/'))].join('');
}
