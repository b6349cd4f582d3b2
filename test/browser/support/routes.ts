import type { Page } from 'playwright-core';

const ROUTES = '../../../src/management/routes';
const HOME = '/manage';

export const ROLES = ['owner', 'pharmacist', 'staff'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Patterns of everything that the interface answers to a GET, as `/manage/orders/:id`. Middleware is none of them. The module's
 * own types are the Worker's.
 */
export async function getRoutes(): Promise<string[]> {
  const { managementRoutes } = await import(/* @vite-ignore */ ROUTES);
  const all = managementRoutes.routes as { method: string; path: string }[];
  const paths = all.filter(({ method }) => method === 'GET').map(({ path }) => HOME + path.replace(/\/$/, ''));
  return [...new Set(paths)];
}

/** Which of the patterns a path belongs to: the one with the fewest parameters. */
export function patternOf(patterns: readonly string[], pathname: string): string | undefined {
  return patterns
    .filter((pattern) => new RegExp(`^${pattern.replace(/:\w+(\{[^}]*\})?/g, '[^/]+')}$`).test(pathname))
    .toSorted((a, b) => a.split(':').length - b.split(':').length)[0];
}

/** Where the page's links, frames and search forms lead inside the interface. */
export async function linksOf(page: Page): Promise<string[]> {
  const urls = await page.evaluate(() => [
    ...[...document.querySelectorAll('a')].map((link) => link.href),
    ...[...document.querySelectorAll('iframe')].map((frame) => frame.src),
    ...[...document.querySelectorAll<HTMLFormElement>('form[method="get"]')].map((form) => form.action),
  ]);
  const { origin } = new URL(page.url());
  const inside = urls
    .map((url) => new URL(url))
    .filter((url) => url.origin === origin && url.pathname.startsWith(HOME));
  return inside.map(({ pathname, search }) => pathname + search);
}
