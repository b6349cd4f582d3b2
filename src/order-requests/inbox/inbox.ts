import { holdingProducts, type OrderableProduct, orderableById, orderableByShop } from '../../inventory/browse';
import { requireShopRow } from '../../inventory/products';
import { selectMessageSettings } from '../../messages/store';
import { matchLines, namedProducts } from '../../orders/create';
import { countToPack } from '../../orders/store';
import { selectNotes, selectQuestions } from '../../orders/timeline/store';
import { holds, readsPrescriptionsOf, requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { changeAt } from '../../platform/data/columns';
import { inList } from '../../platform/data/db';
import { type Place, pageOf } from '../../platform/data/page';
import { completePage } from '../../platform/data/wide-rows';
import { notFound } from '../../platform/errors/errors';
import { ABOVE_ALL_IDS } from '../../platform/ids';
import { IsolateCache } from '../../platform/isolate-cache';
import { MINUTE_MS } from '../../platform/time';
import { isApproved, isReadingCopy, isSetAside } from '../../prescriptions/coverage';
import { recordReportsRead } from '../../prescriptions/review';
import {
  type PrescriptionRow,
  type PrescriptionState,
  selectPrescriptionsOf,
  versionOf,
} from '../../prescriptions/store';
import { selectPrescriptionValidDays, selectShopOfOrganization, selectShopsWithHost } from '../../tenants/store';
import { chargesOf } from '../intake/charges';
import { warningsOf } from '../intake/warnings';
import { INBOX_PAGE_SIZE, TAB_COUNTED_MAX } from '../limits';
import { factsOf, loadRequest, readFacts, withReserved } from '../review/facts';
import type { EditedLine } from '../review/lines';
import { type ApprovalDraft, assess, planApproval } from '../review/plan';
import { type ReviewedRequest, reviewOf, staffWarnings } from '../review/review-of';
import { selectEarlierOrders, selectEarlierRequests, selectLastVerifiedWith, stripOf } from '../review/store';
import { searchRequests } from '../search/search';
import { fieldOf, productsOfRequest, selectRequest, selectWideRequests } from '../store';
import * as store from './store';

/** The most assessments that an isolate caches. A request with more than `ITEMS_MAX` items is not cached. */
const ASSESSED_MAX = 2000;
const ITEMS_MAX = 10;

/**
 * Assessments of requests in the inbox. They are cached because everybody at the counter opens the same page, and
 * assessing its requests takes longer than rendering it.
 */
const assessed = new IsolateCache<
  Pick<ReturnType<typeof assess>, 'lines' | 'blockers' | 'charges'> & { warnings: ReturnType<typeof warningsOf> }
>(ASSESSED_MAX);

/**
 * Returns one page of the inbox with everything that the page shows. One round trip, two with a text search.
 * @param version the current version of the inbox (`selectInboxVersion`). If it has changed, the tabs are counted and
 *   the requests are assessed again
 */
export async function readInbox(ctx: Context, filter: store.InboxFilter, version: string) {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const now = ctx.now();
  const known = keptCounts(orgId, version, now);
  const sought = filter.search === undefined ? null : await searchRequests(ctx, orgId, filter.search);
  const loaded = await ctx.db.run({
    ...store.selectInboxPage(orgId, filter, sought, INBOX_PAGE_SIZE + 1),
    counted: known ? undefined : store.countTabs({ orgId }),
    packing: known ? undefined : countToPack({ orgId }),
    shops: selectShopsWithHost({ orgId }),
    settings: selectPrescriptionValidDays({ orgId }),
  });
  const counts = known ?? { tabs: tabCountsOf(loaded.counted ?? []), toPack: loaded.packing?.[0]?.count ?? 0 };
  // The version was read before the count, so a change in between gives a newer version, which is counted again.
  if (!known) kept.set(orgId, { version, countedAt: now, counts });
  const { page, nextCursor } = pageOf(loaded.rows, INBOX_PAGE_SIZE, ({ id }) => id);
  const productsOf = orderableByShop(loaded.products);
  const prescriptionsOf = Map.groupBy(loaded.prescriptions, ({ orderRequestId }) => orderRequestId);
  const reservedFor = Map.groupBy(loaded.reserved, ({ requestId }) => requestId);
  // As long as this text is the same, an assessment of a request is the same for this reader.
  const unchanged = `${version} ${Math.floor(now / MINUTE_MS)} ${holds(ctx, 'prescriptions.write')}`;
  return {
    entries: page.map((request) => {
      const prescriptions = prescriptionsOf.get(request.id) ?? [];
      const assessment = () => {
        const products = withReserved(productsOf(request.shopId), reservedFor.get(request.id) ?? []);
        if (request.status !== 'pending') {
          const lines = request.approvedItems ?? matchLines(request.items, products);
          return { lines, blockers: [], charges: chargesOf(request), warnings: [] };
        }
        const given = { request, products, prescriptions, settings: loaded.settings[0] };
        const { lines, blockers, charges } = assess(ctx, given);
        return { lines, blockers, charges, warnings: warningsOf(request, request.cashOnPickup, products) };
      };
      return {
        request,
        prescription: stateOf(prescriptions),
        ...(request.items.length > ITEMS_MAX ? assessment() : assessed.made(`${unchanged} ${request.id}`, assessment)),
      };
    }),
    tabCounts: counts.tabs,
    toPack: counts.toPack,
    shops: loaded.shops,
    nextCursor,
  };
}

export type Inbox = Awaited<ReturnType<typeof readInbox>>;
export type InboxEntry = Inbox['entries'][number];

/** The state of all prescriptions of a request together: the most urgent of their states. */
type InboxPrescription = PrescriptionRow['status'] | 'approved' | 'set_aside' | 'none';

function stateOf(prescriptions: readonly PrescriptionState[]): InboxPrescription {
  if (prescriptions.length === 0) return 'none';
  const states = prescriptions.flatMap((each): InboxPrescription | [] => {
    if (isReadingCopy(each, prescriptions)) return [];
    if (isSetAside(each)) return 'set_aside';
    return isApproved(each) ? 'approved' : each.status;
  });
  const order = ['stored', 'fetching', 'fetch_failed', 'approved', 'set_aside', 'erased'] as const;
  return order.find((state) => states.includes(state)) ?? 'none';
}

/** The content of a form that somebody is filling in, complete or not. */
interface TypedDraft extends ApprovalDraft {
  lines: readonly EditedLine[];
  /** Products that incomplete lines name. */
  p1Ids: readonly string[];
}

/**
 * Returns a request with everything that is needed to decide it. One round trip.
 * @param typed the draft for which blockers are computed. If it is missing, the stored draft counts; without a stored
 *   draft, the submitted lines count
 * @throws AppError `order_request_not_found`
 */
export async function readReview(ctx: Context, id: string, typed?: TypedDraft) {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const others = typed ? [...namedProducts(typed.lines), ...typed.p1Ids] : [];
  const loaded = await ctx.db.run({
    ...loadRequest(ctx, orgId, id, productsOfRequest({ id, others })),
    verified: selectLastVerifiedWith({ orgId, id }),
    earlierOrders: selectEarlierOrders(orgId, id),
    earlierRequests: selectEarlierRequests(orgId, id),
    questions: selectQuestions(orgId, id),
    notes: selectNotes(orgId, { orderRequestId: id, orderId: null }),
    shop: selectMessageSettings(orgId, fieldOf(id, 'shop_id')),
    decision: store.selectDecision(orgId, id),
    checkers: holds(ctx, 'prescriptions.write') ? undefined : store.selectCheckers(orgId),
    before: store.selectNextOpen(orgId, id, 'before'),
    place: store.countBefore({ orgId, id }),
    ...nextOpen(orgId, id),
  });
  const facts = factsOf(loaded);
  const { request, products, prescriptions } = facts;
  const isOpen = request.status === 'pending';
  const plan = isOpen ? planApproval(ctx, facts, typed ?? request.draft ?? {}) : null;
  return {
    request,
    lines: plan?.lines ?? request.approvedItems ?? matchLines(request.items, products),
    products,
    warnings: isOpen ? [...staffWarnings(facts, facts), ...(plan?.warnings ?? [])] : [],
    blockers: plan?.blockers ?? [],
    /** The differences between the lines and the submitted items; empty once the request is decided. */
    differences: plan?.differences ?? [],
    charges: plan?.charges ?? chargesOf(request),
    paymentDifference: plan?.paymentDifference ?? null,
    prescriptions,
    isSignatureEnforced: facts.settings?.signatureCheck === 'enforce',
    reserved: facts.reserved,
    person: stripOf(loaded, facts.possibleDuplicateId),
    /** Questions of staff (`questions`) and their notes, newest first. */
    questions: loaded.questions,
    notes: loaded.notes,
    /**
     * How the last prescription of this platform was verified elsewhere: the program and its result. Null if no program
     * verified one.
     */
    lastVerifiedWith: loaded.verified[0]?.verifiedWith ?? null,
    /** The version of the prescriptions, which the form posts back. */
    prescriptionsVersion: versionOf(prescriptions),
    shopName: loaded.shop[0]?.name ?? null,
    /** The shop's data for messages. */
    shop: loaded.shop[0] ?? null,
    /**
     * The name of the person who decided the request; for a pending request, of the person who saved its draft. Null if
     * a program decided it, or if a pending request has no draft.
     */
    decidedByName: loaded.decision[0]?.name ?? null,
    /** The number of the order; null if there is none. */
    orderNumber: loaded.decision[0]?.orderNumber ?? null,
    /** Names of members who may check prescriptions. Empty if the reader may check them too. */
    checkers: (loaded.checkers ?? []).map(({ name }) => name),
    /** The id of the previous open request; null if there is none. */
    previousId: loaded.before[0]?.id ?? null,
    /**
     * The id of the next open request. If there is none, the id of the open request that has waited longest; null if
     * there is no other open request.
     */
    nextId: (loaded.behind[0] ?? loaded.anywhere[0])?.id ?? null,
    /** The number of open requests that have waited longer, counted up to `WAITING_COUNTED_MAX`. */
    place: loaded.place[0]?.count ?? 0,
  };
}

export type Review = Awaited<ReturnType<typeof readReview>>;

/**
 * Returns the id of the next open request after `id`. If there is none, returns the id of the open request that has
 * waited longest; null if there is no other open request.
 */
export async function nextOpenRequest(ctx: Context, id: string): Promise<string | null> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const { behind, anywhere } = await ctx.db.run(nextOpen(orgId, id));
  return (behind[0] ?? anywhere[0])?.id ?? null;
}

/**
 * Returns two queries: for the next open request after this one (`behind`), and for the open request that has waited
 * longest (`anywhere`). The second one is used if the first one finds nothing.
 */
function nextOpen(orgId: string, id: string) {
  return {
    behind: store.selectNextOpen(orgId, id, 'behind'),
    anywhere: store.selectNextOpen(orgId, id, 'anywhere'),
  };
}

/** The number of requests in a tab of the inbox. */
interface TabCount {
  count: number;
  /** Whether counting stopped at its limit, so there may be more. */
  isMore: boolean;
}

type TabCounts = Record<store.InboxTab, TabCount>;

/** The counts that the inbox shows. */
interface Counts {
  tabs: TabCounts;
  /** Orders that wait to be packed, up to `TO_PACK_COUNTED_MAX`. */
  toPack: number;
}

function tabCountsOf(counted: readonly store.CountedTab[]): TabCounts {
  const countOf = (tab: store.InboxTab): TabCount => {
    const ofStatus = counted.filter(({ status }) => status === store.STATUS_OF_TAB[tab]);
    const { count } = ofStatus.find(({ isFlagged }) => isFlagged === Number(tab === 'needs_info')) ?? { count: 0 };
    return { count, isMore: ofStatus.reduce((sum, each) => sum + each.count, 0) >= TAB_COUNTED_MAX };
  };
  return Object.fromEntries(store.INBOX_TABS.map((tab) => [tab, countOf(tab)])) as TabCounts;
}

/** The most organizations whose counts an isolate caches. The oldest entry is removed first. */
const KEPT_MAX = 1000;
/** How long counts are cached. The time is limited because a restored database may repeat a version of the inbox. */
const KEPT_MS = MINUTE_MS;

interface KeptCounts {
  version: string;
  countedAt: number;
  counts: Counts;
}

const kept = new IsolateCache<KeptCounts>(KEPT_MAX);

/**
 * Returns the counts of the organization at this version of its inbox. Undefined if this isolate has not counted at
 * this version in the last minute.
 */
function keptCounts(orgId: string, version: string, now: number): Counts | undefined {
  const found = kept.last(orgId);
  return found && found.version === version && now - found.countedAt < KEPT_MS ? found.counts : undefined;
}

/** @throws AppError `order_request_not_found` */
export async function getOrderRequest(ctx: Context, id: string): Promise<ReviewedRequest> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const facts = await readFacts(ctx, orgId, id);
  return reviewOf(ctx, facts, facts);
}

/**
 * Returns the prescriptions of a request. For each prescription with a signature report, the audit log records that the
 * report was read.
 * @throws AppError `order_request_not_found`, also if the API key is limited to the prescriptions of other shops
 */
export async function listPrescriptions(ctx: Context, id: string): Promise<PrescriptionRow[]> {
  const { orgId } = requireScope(ctx, 'prescriptions.read');
  const { rows, prescriptions } = await ctx.db.run({
    rows: selectRequest({ orgId, id }),
    prescriptions: selectPrescriptionsOf(orgId, { orderRequestId: id }),
  });
  if (!rows[0] || !readsPrescriptionsOf(ctx, rows[0].shopId)) throw notFound('order_request_not_found');
  await recordReportsRead(ctx, prescriptions);
  return prescriptions;
}

interface RequestQuery extends store.RequestFilter, Pick<store.RequestPage, 'statuses' | 'limit'> {
  from: Place;
}

/**
 * Returns one page of requests, sorted by change number or with the newest first. The warnings `possible_duplicate` and
 * `unknown_customer` are left out; `getOrderRequest` returns them. If no index fits the filter, a page may be short
 * although more requests follow.
 * @returns the page, the cursor of the next page (null at the end), and a function that returns the cursor after one of
 *   its requests
 * @throws AppError `shop_not_found`
 */
export async function listOrderRequests(ctx: Context, { from, ...query }: RequestQuery) {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const { rows, products, prescriptions, reserved, settings, next } =
    'before' in from ? await readNewest(ctx, orgId, from.before, query) : await readChanges(ctx, orgId, from, query);
  const productsOf = orderableByShop(products);
  const reservedFor = Map.groupBy(reserved, ({ requestId }) => requestId);
  return {
    requests: rows.map((request) =>
      reviewOf(
        ctx,
        {
          request,
          products: withReserved(productsOf(request.shopId), reservedFor.get(request.id) ?? []),
          reserved: reservedFor.get(request.id),
          prescriptions: prescriptions.filter(({ orderRequestId }) => orderRequestId === request.id),
          settings: settings[0],
        },
        null,
      ),
    ),
    next,
    placeOf: ({ request: { id, changeNumber } }: ReviewedRequest): Place =>
      'before' in from ? { before: id } : { changedAfter: changeNumber },
  };
}

const shopOf = (orgId: string, { shopId }: store.RequestFilter) =>
  shopId === undefined ? undefined : selectShopOfOrganization({ orgId, shopId });

type Query = Omit<RequestQuery, 'from'>;

const readWide = (ctx: Context) => (ids: string[]) => ctx.db.rows(selectWideRequests(inList(ids)));

async function readNewest(ctx: Context, orgId: string, from: string | null, { limit, statuses, ...filter }: Query) {
  const wanted = { orgId, statuses, before: from ?? ABOVE_ALL_IDS, limit: limit + 1 };
  const { rows, end, shop, ...related } = await ctx.db.run({
    ...store.selectRequestPage(wanted, filter),
    shop: shopOf(orgId, filter),
    settings: selectPrescriptionValidDays({ orgId }),
  });
  if (shop) requireShopRow(shop);
  const { page, nextCursor } = await completePage(rows, limit, ({ id }) => id, readWide(ctx));
  const before = nextCursor ?? end?.[0]?.before ?? null;
  return { ...related, rows: page, next: before === null ? null : { before } };
}

async function readChanges(
  ctx: Context,
  orgId: string,
  from: Exclude<Place, { before: unknown }>,
  { limit, statuses, ...filter }: Query,
) {
  const after = 'changedAfter' in from ? from.changedAfter : changeAt(from.updatedAfter);
  const wanted = { orgId, statuses, after, limit: limit + 1 };
  const { rows, end, shop, ...related } = await ctx.db.run({
    ...store.selectChangesPage(wanted, filter),
    shop: shopOf(orgId, filter),
    settings: selectPrescriptionValidDays({ orgId }),
  });
  if (shop) requireShopRow(shop);
  const { page, nextCursor } = await completePage(rows, limit, ({ changeNumber }) => changeNumber, readWide(ctx));
  const changedAfter = nextCursor ?? end?.[0]?.changedAfter ?? null;
  return { ...related, rows: page, next: changedAfter === null ? null : { changedAfter } };
}

/**
 * Returns the products whose name or id contains a text, for a line of a request. Each product is as the request's shop
 * sells it. One round trip.
 * @throws AppError `order_request_not_found`
 */
export async function findProductsFor(ctx: Context, input: { id: string; text: string }): Promise<OrderableProduct[]> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  requireScope(ctx, 'inventory.read');
  const { rows, products } = await ctx.db.run({
    rows: selectRequest({ orgId, id: input.id }),
    products: holdingProducts(orgId, fieldOf(input.id, 'shop_id'), input.text),
  });
  if (rows.length === 0) throw notFound('order_request_not_found');
  return [...orderableById(products).values()];
}
