import { DESK_PARTS, type DeskPart, type DeskSearch, ORDER_STATUSES, type OrderStatus } from '../../orders/service';
import { readCookie, writeCookie } from '../http/cookies';
import type { ManageContext } from '../http/env';
import { ORDERS, TOUR, withQuery } from '../http/paths';
import { readSearch } from '../http/search';
import { type DateFilter, dateQuery, readDateFilter } from '../ui/date-filter';

export type DeskTab = Exclude<DeskPart, 'courier'> | 'all';
export const DESK_TABS = [
  ...DESK_PARTS.filter((part) => part !== 'courier'),
  'all',
] as const satisfies readonly DeskTab[];

/** What the list shows, as its address says. */
export interface ListFilter {
  tab: DeskTab;
  status?: OrderStatus;
  shopId?: string;
  days: DateFilter;
  search?: string;
  /** What was typed and is too long to search for. */
  refused?: string;
  /** Only orders older than this id. */
  cursor?: string;
}

const ID_MAX = 100;
const idIn = (text: string | undefined) => (text && text.length <= ID_MAX ? text : undefined);

/** A status means the list of all. */
export function readListFilter(c: ManageContext): ListFilter {
  const query = c.req.query();
  const status = ORDER_STATUSES.find((known) => known === query.status);
  const tab = DESK_TABS.find((known) => known === query.tab) ?? (status ? 'all' : 'to_pack');
  const { text: search, refused } = readSearch(c);
  return {
    tab,
    status: tab === 'all' ? status : undefined,
    shopId: idIn(query.shop),
    days: readDateFilter(c),
    search,
    refused,
    cursor: idIn(query.cursor),
  };
}

export function deskFilterOf({ tab, status, shopId, days, search }: ListFilter): DeskSearch {
  return { part: tab === 'all' ? undefined : tab, status, shopId, search, ...days.period };
}

/** Whether less than the tab is shown. */
export function isNarrowed({ status, shopId, days, search }: ListFilter): boolean {
  return [status, shopId, days.when, search].some((value) => value !== undefined);
}

function queryOf({ tab, status, shopId, days, search, cursor }: ListFilter) {
  const named = tab === 'to_pack' ? undefined : tab;
  return { tab: named, status, shop: shopId, ...dateQuery(days), q: search, cursor };
}

/** The list at this filter. */
export function listPath(filter: ListFilter, path = ORDERS): string {
  return withQuery(path, queryOf(filter));
}

/** Another tab with the shop and the days of this one. */
export function tabPath({ shopId, days }: ListFilter, tab: DeskTab): string {
  return listPath({ tab, shopId, days });
}

/** Where an order's page leads back to: the list or tour that was looked at last. No search: that is a name. */
const COOKIE = 'orders_seen';
const REMEMBERED = ['tab', 'status', 'shop', 'when', 'from', 'to', 'cursor'];
const TOUR_SEEN = 'tour';

export function rememberList(c: ManageContext, filter: ListFilter | 'tour'): void {
  const seen = filter === 'tour' ? TOUR_SEEN : withQuery('', queryOf({ ...filter, search: undefined })).slice(1);
  if (seen !== (readCookie(c, COOKIE) ?? '')) writeCookie(c, COOKIE, seen, seen === '' ? 0 : undefined);
}

export function listSeen(c: ManageContext): string {
  const seen = readCookie(c, COOKIE) ?? '';
  if (seen === TOUR_SEEN) return TOUR;
  const query = new URLSearchParams(seen.slice(0, 500));
  return withQuery(ORDERS, Object.fromEntries(REMEMBERED.map((name) => [name, query.get(name) ?? undefined])));
}
