import { namedInInventory } from '../../inventory/browse';
import { SEARCHED_ORDERS, selectFoundOrders, selectOrdersNumbered } from '../../orders/store';
import { requireScope, requireSystem } from '../../platform/access';
import { tryCommit } from '../../platform/commit';
import { actingAs, type Context, forOrganization } from '../../platform/context';
import { IsolateCache } from '../../platform/isolate-cache';
import { logged } from '../../platform/log';
import * as searchStore from '../../search/store';
import { INDEXED_MAX, readQuery, TAIL_MAX, termsOf } from '../../search/words';
import { HITS_COUNTED_MAX, HITS_OF_EACH_SHOWN, HITS_OF_ONE_SHOWN } from '../limits';
import { SEARCHED_REQUESTS, selectFoundRequests } from './store';

export const SEARCH_TABS = ['all', 'requests', 'orders', 'products'] as const;
export type SearchTab = (typeof SEARCH_TABS)[number];

/**
 * Finds products, orders and order requests by the words that they contain, in any sequence. Requests are found in
 * every state.
 * If the text is the number of an order, this order comes first. The other results are newest first. Two round trips.
 * @param text one line, at least one character
 * @param tab which kinds are returned. All kinds are counted, up to `HITS_COUNTED_MAX`
 */
export async function globalSearch(ctx: Context, text: string, tab: SearchTab = 'all') {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  requireScope(ctx, 'orders.read');
  requireScope(ctx, 'inventory.read');
  const query = readQuery(text);
  const shownOf = (kind: SearchTab) => (tab === 'all' ? HITS_OF_EACH_SHOWN : tab === kind ? HITS_OF_ONE_SHOWN : 0);
  const read = await ctx.db.run({
    requests: searchStore.selectTail(SEARCHED.requests, orgId, TAIL_MAX, 'newest'),
    orders: searchStore.selectTail(SEARCHED.orders, orgId, TAIL_MAX, 'newest'),
    numbered: query.number === null ? undefined : selectOrdersNumbered(orgId, query.number),
    products: namedInInventory(orgId, text, { counted: HITS_COUNTED_MAX, shown: shownOf('products') || 1 }),
  });
  const requests = searchStore.soughtIn(SEARCHED.requests, orgId, query, read.requests);
  const orders = searchStore.soughtIn(SEARCHED.orders, orgId, query, read.orders);
  if (requests.isBehind || orders.isBehind) ctx.defer(indexAll(ctx, orgId, CATCHING_UP_ROUNDS));
  const shown = (sought: searchStore.Sought, limit: number) => searchStore.foundIds(sought, { limit });
  const [requestsShown, ordersShown] = [shownOf('requests'), shownOf('orders')];
  const found = await ctx.db.run({
    requests: requestsShown > 0 ? selectFoundRequests(orgId, shown(requests, requestsShown), requestsShown) : undefined,
    orders: ordersShown > 0 ? selectFoundOrders(orgId, shown(orders, ordersShown), ordersShown) : undefined,
    requestCount: searchStore.countFound(requests, HITS_COUNTED_MAX),
    orderCount: searchStore.countFound(orders, HITS_COUNTED_MAX),
  });
  const numbered = read.numbered ?? [];
  const others = (found.orders ?? []).filter(({ id }) => numbered.every((order) => order.id !== id));
  const counts = {
    requests: found.requestCount[0]?.count ?? 0,
    // An erased order is found only by its number.
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
    /**
     * Id of the order whose number is the text. Null if there is no such order, or if the text may mean something else.
     */
    meant: meant && (query.isNumber || all <= 1) ? meant.id : null,
    /** True while the index is incomplete: older rows may not be found yet. */
    isBehind: requests.isBehind || orders.isBehind,
  };
}

const CATCHING_UP_ROUNDS = 10;

export type DeskFindings = Awaited<ReturnType<typeof globalSearch>>;

export const SEARCHED = { orders: SEARCHED_ORDERS, requests: SEARCHED_REQUESTS } as const;

/**
 * Adds the next rows of an organization to the search index, at most `INDEXED_MAX` of each kind. If several runs index
 * at the same time, only one of them writes. Two round trips, or one if nothing is left to index.
 * @returns whether more rows may be left
 */
async function indexNext(ctx: Context, orgId: string): Promise<boolean> {
  const { orders, requests } = SEARCHED;
  const read = await ctx.db.run({
    ordersFrom: searchStore.selectPosition(orgId, orders.kind),
    orders: searchStore.selectTail(orders, orgId, INDEXED_MAX, 'oldest'),
    requestsFrom: searchStore.selectPosition(orgId, requests.kind),
    requests: searchStore.selectTail(requests, orgId, INDEXED_MAX, 'oldest'),
  });
  const batch = {
    orders: entriesOf(orders, orgId, read.orders, read.ordersFrom[0]?.position ?? 0),
    requests: entriesOf(requests, orgId, read.requests, read.requestsFrom[0]?.position ?? 0),
  };
  if (batch.orders.length + batch.requests.length === 0) return false;
  const committed = await tryCommit(ctx, batch);
  return committed !== null && Math.max(read.orders.length, read.requests.length) >= INDEXED_MAX;
}

function entriesOf(of: searchStore.Searchable, orgId: string, rows: readonly searchStore.TailRow[], from: number) {
  const last = rows.at(-1);
  if (!last) return [];
  const entries = rows
    .filter(({ isGone }) => !isGone)
    .map((row) => ({ ...row, words: termsOf(of.fields, row).join(' ') }));
  return searchStore.insertEntries(of, orgId, entries, { from, to: last.changeNumber });
}

/** The most calls of `indexNext` after a write. The sweep indexes the rows that are left. */
const ROUNDS_MAX = 4;
/**
 * The number of an organization's writes after which this isolate indexes the organization's rows. It is a quarter of
 * `TAIL_MAX`, because a search scans at most `TAIL_MAX` rows that are not indexed.
 */
const WRITES_MAX = 50;
const RUN_AGAIN_MS = 1000;
const ORGANIZATIONS_KEPT = 1000;

/** How many writes this isolate has counted since its last indexing run, by organization. */
const written = new IsolateCache<{ count: number; ranAt: number }>(ORGANIZATIONS_KEPT);

/**
 * Counts a write of an organization. Every `WRITES_MAX` writes, the organization's rows are indexed after the response,
 * at most once a second. Until then, every search scans the rows that are not indexed. The sweep also indexes them
 * every minute.
 */
export function noteSearchedWrite(ctx: Context, orgId: string): void {
  const { count, ranAt } = written.last(orgId) ?? { count: 0, ranAt: 0 };
  const isDue = count + 1 >= WRITES_MAX && ctx.now() - ranAt >= RUN_AGAIN_MS;
  written.set(orgId, isDue ? { count: 0, ranAt: ctx.now() } : { count: count + 1, ranAt });
  if (isDue) ctx.defer(indexAll(ctx, orgId, ROUNDS_MAX));
}

/**
 * Indexes an organization's rows in rounds. Never throws: the sweep indexes the rows that are left.
 * @returns how many rounds were tried
 */
async function indexAll(ctx: Context, orgId: string, roundsMax: number): Promise<number> {
  // Runs as the system, so that it uses up no form and no idempotency key.
  const system = { ...actingAs(ctx, { kind: 'system' }), formId: undefined, keyed: undefined };
  let rounds = 0;
  await logged(ctx, ['error', 'search_index_failed', { org_id: orgId }], async () => {
    for (let isMore = true; isMore && rounds < roundsMax; ) {
      rounds += 1;
      isMore = await indexNext(system, orgId);
    }
  });
  return rounds;
}

const ORGANIZATIONS_MAX = 100;
/**
 * The most rounds of one sweep. A round runs about ten statements. All jobs of an invocation together may run 1,000
 * statements.
 */
const SWEEP_ROUNDS_MAX = 25;

/**
 * Indexes the rows that no isolate has indexed. Rows are left if an isolate ended before it indexed them, or if the
 * organization came from another database.
 */
export async function sweepSearch(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const behind = await ctx.db.rows(searchStore.selectBehind(Object.values(SEARCHED), ORGANIZATIONS_MAX));
  let left = SWEEP_ROUNDS_MAX;
  for (const [index, { id }] of behind.entries()) {
    // Each organization gets a share of the rounds, so that a large one does not delay the others.
    const share = Math.ceil(left / (behind.length - index));
    if (share > 0) left -= await indexAll(forOrganization(ctx, id), id, share);
  }
}

/** Searches an organization's requests for a text. Returns a filter for a list of requests. One round trip. */
export async function searchRequests(ctx: Context, orgId: string, text: string): Promise<searchStore.Sought> {
  const tail = await ctx.db.rows(searchStore.selectTail(SEARCHED_REQUESTS, orgId, TAIL_MAX, 'newest'));
  return searchStore.soughtIn(SEARCHED_REQUESTS, orgId, readQuery(text), tail);
}
