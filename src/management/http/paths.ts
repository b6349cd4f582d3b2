import type { ManageContext } from './env';

/** Where the areas stand. What one area says of another it says by these: areas do not import each other. */
export const HOME = '/manage';
export const SIGN_IN = '/manage/sign-in';
export const SEARCH = '/manage/search';
export const REQUESTS = '/manage/requests';
export const ORDERS = '/manage/orders';
export const PRODUCTS = '/manage/products';
export const REPORTS = '/manage/reports';
export const ACCOUNT = '/manage/account';
export const ORGANIZATION = '/manage/settings/organization';
export const SHOPS = '/manage/settings/shops';
export const MEMBERS = '/manage/settings/members';
export const KEYS = '/manage/settings/keys';
export const WEBHOOKS = '/manage/settings/webhooks';
export const AUDIT = '/manage/settings/audit';

export function requestPath(id: string): string {
  return `${REQUESTS}/${id}`;
}

export function orderPath(id: string): string {
  return `${ORDERS}/${id}`;
}

export function productPath(p1Id: string): string {
  return `${PRODUCTS}/${encodeURIComponent(p1Id)}`;
}

export function shopPath(id: string): string {
  return `${SHOPS}/${id}`;
}

/**
 * A path of this interface that a link or a form asks to go to, or the start. Whatever a browser could take for another
 * site (`//host`, `/\host`, a scheme) resolves to another origin or out of `/manage`, and so to the start.
 */
export function localPath(c: ManageContext, asked: string | undefined): string {
  if (!asked?.startsWith('/')) return HOME;
  const { baseUrl } = c.var.ctx.config;
  const url = URL.parse(asked, baseUrl);
  const isOurs = url?.origin === baseUrl && (url.pathname === HOME || url.pathname.startsWith(`${HOME}/`));
  return isOurs ? url.pathname + url.search : HOME;
}

/** In the address of a page that shows once what a form made (http/once.ts). */
export const MADE = 'made';

/** The path that the browser asked for (`c.req.path` also names the address space that it was routed to). */
export function pathnameOf(c: ManageContext): string {
  return new URL(c.req.url).pathname;
}

/** The page's own address without host, and without what is shown once: whoever comes back has seen it. */
export function pathOf(c: ManageContext): string {
  const url = new URL(c.req.url);
  url.searchParams.delete(MADE);
  return url.pathname + url.search;
}

/** A page of the way in that knows where to go afterwards. */
export function pathWith(path: string, next: string): string {
  return next === HOME ? path : `${path}?next=${encodeURIComponent(next)}`;
}
