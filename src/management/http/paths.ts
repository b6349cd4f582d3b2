import type { ManageContext } from './env';

/** Paths of the areas. Areas use these paths to link to each other, because they do not import each other. */
export const HOME = '/manage';
/** The first steps of a new organization. */
export const WELCOME = '/manage/welcome';
export const SIGN_IN = '/manage/sign-in';
export const SEARCH = '/manage/search';
export const REQUESTS = '/manage/requests';
/** Pages poll this path to update their counts. */
export const RAIL = '/manage/rail';
/** The inbox fetches the figures of the day from this path. */
export const TODAY = '/manage/today';
export const ORDERS = '/manage/orders';
/** Expected goods (Nachlieferung). Not below `ORDERS`: the router allows no fixed name in the place of an id. */
export const EXPECTED = '/manage/expected';
/** Pages about several orders: files, papers, the courier's tour. */
export const DESK = '/manage/desk';
export const TOUR = `${DESK}/tour`;
export const PRODUCTS = '/manage/products';
export const BATCHES = '/manage/search/batches';
export const CATALOG = '/manage/catalog';
export const CATALOG_NEW = '/manage/catalog/new';
export const INVENTORY_IMPORT = '/manage/inventory-import';
export const INVENTORY_EXPORT = '/manage/inventory-export';
export const REPORTS = '/manage/reports';
export const ACCOUNT = '/manage/account';
export const ORGANIZATION = '/manage/settings/organization';
export const RULES = `${ORGANIZATION}/rules`;
/** A form sent to this path creates the test organization if needed, and enters it. */
export const OPEN_TEST = `${ORGANIZATION}/test`;
/** A form sent to this path leads from the test organization back to the live one. */
export const LEAVE_TEST = '/manage/leave-test';
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

/**
 * The path of the page that opens when an order's label is scanned: the hand-over if the order is ready for pickup,
 * else the page of the order.
 */
export function labelledPath({ id, status }: { id: string; status: string }): string {
  return status === 'ready_pickup' ? `${orderPath(id)}/hand-over` : orderPath(id);
}

export function productPath(p1Id: string): string {
  return `${PRODUCTS}/${encodeURIComponent(p1Id)}`;
}

export function importPath(id: string): string {
  return `${INVENTORY_IMPORT}/${encodeURIComponent(id)}`;
}

/** Path of an API key. */
export function keyPath(id: string): string {
  return `${KEYS}/${id}`;
}

export function shopPath(id: string): string {
  return `${SHOPS}/${id}`;
}

/** The id in a page's path. */
export function idOf(c: ManageContext): string {
  return c.req.param('id') ?? '';
}

/** A path with the values as its query. Undefined and empty values are left out. */
export function withQuery(path: string, values: Record<string, string | undefined>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value ? [`${name}=${encodeURIComponent(value.toWellFormed())}`] : [],
  );
  return given.length === 0 ? path : `${path}?${given.join('&')}`;
}

/**
 * The requested path if it is a path of this interface; else the start page. A browser could read some texts as another
 * site (`//host`, `/\host`, a scheme). Such texts resolve to another origin or outside `/manage`, so they are refused.
 */
export function localPath(c: ManageContext, asked: string | undefined): string {
  if (!asked?.startsWith('/')) return HOME;
  const { baseUrl } = c.var.ctx.config;
  const url = URL.parse(asked, baseUrl);
  const isOurs = url?.origin === baseUrl && (url.pathname === HOME || url.pathname.startsWith(`${HOME}/`));
  return isOurs ? url.pathname + url.search : HOME;
}

/** The path of the page of this host from which the person came; undefined for any other page. */
export function cameFrom(c: ManageContext): string | undefined {
  const from = URL.parse(c.req.header('Referer') ?? '');
  return from?.origin === c.var.ctx.config.baseUrl ? from.pathname + from.search : undefined;
}

/** Query parameter of a page that shows a secret once (once.ts). */
export const MADE = 'made';

/** The requested path: `c.req.path` without the address-space prefix that routing adds. */
export function pathnameOf(c: ManageContext): string {
  const { path } = c.req;
  return path.slice(path.indexOf('/', 1));
}

/**
 * The path and query of the requested page. The parameter of a secret is left out, because the secret was already
 * shown.
 */
export function pathOf(c: ManageContext): string {
  if (!c.req.url.includes('?')) return pathnameOf(c);
  const url = new URL(c.req.url);
  url.searchParams.delete(MADE);
  return url.pathname + url.search;
}

/** The path of a sign-in page. Its query names the path `next`, which the person reaches after signing in. */
export function pathWith(path: string, next: string): string {
  return next === HOME ? path : `${path}?next=${encodeURIComponent(next)}`;
}
