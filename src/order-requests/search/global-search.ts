import { namedInInventory } from '../../inventory/service';
import { selectFoundOrders, selectOrdersNumbered } from '../../orders/service';
import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { HITS_COUNTED_MAX, TAIL_MAX } from '../../search/limits';
import { countFound, foundIds, readQuery, type Sought, selectTail, soughtIn } from '../../search/service';
import { indexAll, SEARCHED } from './index-rows';
import { selectFoundRequests } from './store';

export const SEARCH_TABS = ['all', 'requests', 'orders', 'products'] as const;
export type SearchTab = (typeof SEARCH_TABS)[number];

/** Of each kind, where all are shown; of one kind alone. */
const SHOWN_OF_EACH = 10;
const SHOWN_OF_ONE = 50;

/**
 * Finds products, order requests of every state and orders by the words that they hold, in any order; the newest first, and before them the
 * order that has the text as its number. Two round trips.
 * @param text one line, at least one character
 * @param tab what is shown; all are counted, up to `HITS_COUNTED_MAX`
 */
export async function globalSearch(ctx: Context, text: string, tab: SearchTab = 'all') {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  requireScope(ctx, 'orders.read');
  requireScope(ctx, 'inventory.read');
  const query = readQuery(text);
  const shownOf = (kind: SearchTab) => (tab === 'all' ? SHOWN_OF_EACH : tab === kind ? SHOWN_OF_ONE : 0);
  const read = await ctx.db.run({
    requests: selectTail(SEARCHED.requests, orgId, TAIL_MAX, 'newest'),
    orders: selectTail(SEARCHED.orders, orgId, TAIL_MAX, 'newest'),
    numbered: query.number === null ? undefined : selectOrdersNumbered(orgId, query.number),
    products: namedInInventory(orgId, text, { counted: HITS_COUNTED_MAX, shown: shownOf('products') || 1 }),
  });
  const requests = soughtIn(SEARCHED.requests, orgId, query, read.requests);
  const orders = soughtIn(SEARCHED.orders, orgId, query, read.orders);
  if (requests.isBehind || orders.isBehind) ctx.defer(indexAll(ctx, orgId, CATCHING_UP_ROUNDS));
  const shown = (sought: Sought, limit: number) => foundIds(sought, { limit });
  const [requestsShown, ordersShown] = [shownOf('requests'), shownOf('orders')];
  const found = await ctx.db.run({
    requests: requestsShown > 0 ? selectFoundRequests(orgId, shown(requests, requestsShown), requestsShown) : undefined,
    orders: ordersShown > 0 ? selectFoundOrders(orgId, shown(orders, ordersShown), ordersShown) : undefined,
    requestCount: countFound(requests, HITS_COUNTED_MAX),
    orderCount: countFound(orders, HITS_COUNTED_MAX),
  });
  const numbered = read.numbered ?? [];
  const others = (found.orders ?? []).filter(({ id }) => numbered.every((order) => order.id !== id));
  const counts = {
    requests: found.requestCount[0]?.count ?? 0,
    // An order of whom nobody is known any more is found by its number alone.
    orders: Math.max(found.orderCount[0]?.count ?? 0, numbered.length),
    products: read.products[0]?.found ?? 0,
  };
  const all = counts.requests + counts.orders + counts.products;
  const [meant] = numbered;
  return {
    requests: found.requests ?? [],
    orders: ordersShown > 0 ? [...numbered, ...others].slice(0, ordersShown) : [],
    products: shownOf('products') > 0 ? read.products : [],
    counts: { all, ...counts },
    /** The order that was asked for by its number, where that is said or nothing else is found. */
    meant: meant && (query.isNumber || all <= 1) ? meant.id : null,
    /** The index is being made: what is older may not be found yet. */
    isBehind: requests.isBehind || orders.isBehind,
  };
}

const CATCHING_UP_ROUNDS = 10;

export type DeskFindings = Awaited<ReturnType<typeof globalSearch>>;
