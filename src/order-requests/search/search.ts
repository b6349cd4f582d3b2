import { namedInInventory } from '../../inventory/browse';
import { SEARCHED_ORDERS, selectFoundOrders, selectOrdersNumbered } from '../../orders/store';
import { requireScope, requireSystem } from '../../platform/access';
import { tryCommit } from '../../platform/commit';
import { actingAs, type Context, forOrganization } from '../../platform/context';
import { describeError } from '../../platform/log';
import { soughtIn } from '../../search/search';
import {
  countFound,
  foundIds,
  insertEntries,
  type Searchable,
  type Sought,
  selectBehind,
  selectPosition,
  selectTail,
  type TailRow,
} from '../../search/store';
import { HITS_COUNTED_MAX, INDEXED_MAX, readQuery, TAIL_MAX, termsOf } from '../../search/words';
import { SEARCHED_REQUESTS, selectFoundRequests } from './store';

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

export const SEARCHED = { orders: SEARCHED_ORDERS, requests: SEARCHED_REQUESTS } as const;

/**
 * Takes the next rows of an organization into the index of the search, at most `INDEXED_MAX` of each kind. Two round trips, one where
 * there is nothing to do. Of several runs at once one writes.
 * @returns whether there may be more
 */
async function indexNext(ctx: Context, orgId: string): Promise<boolean> {
  const { orders, requests } = SEARCHED;
  const read = await ctx.db.run({
    ordersFrom: selectPosition(orgId, orders.kind),
    orders: selectTail(orders, orgId, INDEXED_MAX, 'oldest'),
    requestsFrom: selectPosition(orgId, requests.kind),
    requests: selectTail(requests, orgId, INDEXED_MAX, 'oldest'),
  });
  const batch = {
    orders: entriesOf(orders, orgId, read.orders, read.ordersFrom[0]?.position ?? 0),
    requests: entriesOf(requests, orgId, read.requests, read.requestsFrom[0]?.position ?? 0),
  };
  if (batch.orders.length + batch.requests.length === 0) return false;
  const committed = await tryCommit(ctx, batch);
  return committed !== null && Math.max(read.orders.length, read.requests.length) >= INDEXED_MAX;
}

function entriesOf(of: Searchable, orgId: string, rows: readonly TailRow[], from: number) {
  const last = rows.at(-1);
  if (!last) return [];
  const entries = rows
    .filter(({ isGone }) => !isGone)
    .map((row) => ({ ...row, words: termsOf(of.fields, row).join(' ') }));
  return insertEntries(of, orgId, entries, { from, to: last.changeNumber });
}

/** A run that commits start ends after so many rounds: the sweep goes on. */
const ROUNDS_MAX = 4;
/** After so many writes of an organization in this isolate a run follows. A search looks at four times as many rows itself. */
const WRITES_MAX = 50;
const RUN_AGAIN_MS = 1000;
const ORGANIZATIONS_KEPT = 1000;

/** Of this isolate, by organization. */
const written = new Map<string, { count: number; ranAt: number }>();

/**
 * Counts what an organization writes, and takes it into the index once it is much, after the response and at most once a second. Until
 * then every search looks at what is not in the index, and each minute the sweep takes it in.
 */
export function noteSearchedWrite(ctx: Context, orgId: string): void {
  const { count, ranAt } = written.get(orgId) ?? { count: 0, ranAt: 0 };
  const isDue = count + 1 >= WRITES_MAX && ctx.now() - ranAt >= RUN_AGAIN_MS;
  written.delete(orgId);
  written.set(orgId, isDue ? { count: 0, ranAt: ctx.now() } : { count: count + 1, ranAt });
  const [oldest] = written.keys();
  if (written.size > ORGANIZATIONS_KEPT && oldest !== undefined) written.delete(oldest);
  if (isDue) ctx.defer(indexAll(ctx, orgId, ROUNDS_MAX));
}

/** Never throws: the sweep finds what is left. @returns how many rounds were tried */
async function indexAll(ctx: Context, orgId: string, roundsMax: number): Promise<number> {
  // What was read is indexed by nobody: no form and no key is used up by it.
  const system = { ...actingAs(ctx, { kind: 'system' }), formId: undefined, keyed: undefined };
  let rounds = 0;
  try {
    for (let isMore = true; isMore && rounds < roundsMax; ) {
      rounds += 1;
      isMore = await indexNext(system, orgId);
    }
  } catch (error) {
    ctx.log('error', 'search_index_failed', { org_id: orgId, ...describeError(error) });
  }
  return rounds;
}

const ORGANIZATIONS_MAX = 100;
/** A round has some ten statements, and an invocation 1,000 for all of its jobs. */
const SWEEP_ROUNDS_MAX = 25;

/** Takes into the index what no isolate did: what an isolate that ended left, and all of an organization that came from another database. */
export async function sweepSearch(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const behind = await ctx.db.rows(selectBehind(Object.values(SEARCHED), ORGANIZATIONS_MAX));
  let left = SWEEP_ROUNDS_MAX;
  for (const [index, { id }] of behind.entries()) {
    // Each gets its share, so that no large one keeps others waiting.
    const share = Math.ceil(left / (behind.length - index));
    if (share > 0) left -= await indexAll(forOrganization(ctx, id), id, share);
  }
}

/** What a text finds among the requests of an organization, for a list that is filtered by it. One round trip. */
export async function searchRequests(ctx: Context, orgId: string, text: string): Promise<Sought> {
  const tail = await ctx.db.rows(selectTail(SEARCHED_REQUESTS, orgId, TAIL_MAX, 'newest'));
  return soughtIn(SEARCHED_REQUESTS, orgId, readQuery(text), tail);
}
