export type PageLanguage = 'de' | 'en';

/** What is looked at of a header: browsers send far less. */
const HEADER_MAX = 1000;

/**
 * Whether whoever asks wants a page rather than JSON: `Accept` names `text/html`, and JSON not before it. Programs that send
 * nothing, the default of their library or any type get JSON.
 */
export function prefersPage(request: Request): boolean {
  const page = weightOf(request, ['text/html']);
  return page > 0 && page > weightOf(request, ['application/json', 'application/problem+json']);
}

/** The greatest weight of the types in `Accept` (RFC 9110 §12.5.1), 0 where it names none of them. */
function weightOf(request: Request, types: string[]): number {
  const accept = (request.headers.get('Accept') ?? '').slice(0, HEADER_MAX).toLowerCase();
  const weights = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (!types.includes(type)) return 0;
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    return Number.isNaN(q) ? 0 : q;
  });
  return Math.max(...weights);
}

/** The language of a page for anybody: the one that its link names (`?lang=en`), else German unless the browser prefers English. */
export function pageLanguage(request: Request): PageLanguage {
  const chosen = new URL(request.url).searchParams.get('lang');
  if (chosen === 'de' || chosen === 'en') return chosen;
  return /^\s*en\b/i.test(request.headers.get('Accept-Language') ?? '') ? 'en' : 'de';
}
