import base from './base.css' with { type: 'text' };

/**
 * A style sheet behind base.css, without comments and the blanks that only readers need. No string of it may hold `{};,`
 * or `/*`.
 */
export function completeCss(css: string): string {
  return withoutComments(base + css)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(';}', '}')
    .trim();
}

function withoutComments(css: string): string {
  const [first, ...parts] = css.split('/*');
  return [first, ...parts.map((part) => part.split('*/').slice(1).join('*/'))].join('');
}
