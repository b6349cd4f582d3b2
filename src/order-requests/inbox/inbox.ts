import { orderableByShop } from '../../inventory/service';
import { selectMessageSettings } from '../../messages/service';
import { countToPack, matchLines, namedProducts, selectNotes, selectQuestions } from '../../orders/service';
import { holds, requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { pageOf } from '../../platform/page';
import {
  isApproved,
  isSetAside,
  type PrescriptionRow,
  type PrescriptionState,
  versionOf,
} from '../../prescriptions/service';
import { selectPrescriptionValidDays } from '../../tenants/service';
import { priceWarnings, warningsOf } from '../intake/warnings';
import { factsOf, loadRequest } from '../review/facts';
import type { EditedLine } from '../review/lines';
import { type ApprovalDraft, assess, planApproval } from '../review/plan';
import { namesOf, staffWarnings } from '../review/review-of';
import { selectEarlierOrders, selectEarlierRequests, stripOf } from '../review/store-person';
import { searchRequests } from '../search/requests';
import { fieldOf, productsOfRequest } from '../store-requests';
import {
  countBefore,
  countTabs,
  type InboxFilter,
  selectCheckers,
  selectDecider,
  selectNextOpen,
  selectShopsWithHost,
} from './store';
import { selectInboxPage } from './store-pages';
import { keepCounts, keptCounts, tabCountsOf } from './tab-counts';

/** More would make the page longer than 60 KB. */
const PAGE_SIZE = 40;

/**
 * One page of the inbox with everything that it shows: one round trip, two with a text to search for.
 * @param version of the inbox, read before: the tabs are counted again when it is another one
 */
export async function readInbox(ctx: Context, filter: InboxFilter, version: string) {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const now = ctx.now();
  const known = keptCounts(orgId, version, now);
  const sought = filter.search === undefined ? null : await searchRequests(ctx, orgId, filter.search);
  const loaded = await ctx.db.run({
    ...selectInboxPage(orgId, filter, sought, PAGE_SIZE + 1),
    counted: known ? undefined : countTabs({ orgId }),
    packing: known ? undefined : countToPack({ orgId }),
    shops: selectShopsWithHost({ orgId }),
  });
  const counts = known ?? { tabs: tabCountsOf(loaded.counted ?? []), toPack: loaded.packing?.[0]?.count ?? 0 };
  if (!known) keepCounts(orgId, version, now, counts);
  const { page, nextCursor } = pageOf(loaded.rows, PAGE_SIZE, ({ id }) => id);
  const productsOf = orderableByShop(loaded.products);
  const shopIds = [...new Set(page.map(({ shopId }) => shopId))];
  const names = new Map(shopIds.map((shopId) => [shopId, namesOf(productsOf(shopId))]));
  const prescriptionsOf = Map.groupBy(loaded.prescriptions, ({ orderRequestId }) => orderRequestId);
  return {
    entries: page.map((request) => {
      const products = productsOf(request.shopId);
      const prescriptions = prescriptionsOf.get(request.id) ?? [];
      const isOpen = request.status === 'pending';
      const { lines, blockers } = isOpen
        ? assess(ctx, { request, products, prescriptions })
        : { lines: request.approvedItems ?? matchLines(request.items, products), blockers: [] };
      return {
        request,
        lines,
        prescription: stateOf(prescriptions),
        warnings: isOpen
          ? [
              ...warningsOf(request, request.cashOnPickup, names.get(request.shopId) ?? new Map()),
              ...priceWarnings(request.items, products),
            ]
          : [],
        blockers,
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

/** One state for all prescriptions of a request: what asks for more comes first. */
export type InboxPrescription = PrescriptionRow['status'] | 'approved' | 'set_aside' | 'none';

function stateOf(prescriptions: readonly PrescriptionState[]): InboxPrescription {
  const states = prescriptions.map((each): InboxPrescription => {
    if (isSetAside(each)) return 'set_aside';
    return isApproved(each) ? 'approved' : each.status;
  });
  const order = ['stored', 'fetching', 'fetch_failed', 'approved', 'set_aside', 'erased'] as const;
  return order.find((state) => states.includes(state)) ?? 'none';
}

/** A form as it is typed, complete or not. */
export interface TypedDraft extends ApprovalDraft {
  lines: readonly EditedLine[];
  /** Products that incomplete lines name. */
  p1Ids: readonly string[];
}

/**
 * A request with everything needed to decide it: one round trip.
 * @param typed what stands in the way is computed for this form instead of the draft, or the submitted lines
 * @throws AppError `order_request_not_found`
 */
export async function readReview(ctx: Context, id: string, typed?: TypedDraft) {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const others = typed ? [...namedProducts(typed.lines), ...typed.p1Ids] : [];
  const loaded = await ctx.db.run({
    ...loadRequest(ctx, orgId, id, productsOfRequest({ id, others })),
    settings: selectPrescriptionValidDays({ orgId }),
    earlierOrders: selectEarlierOrders(orgId, id),
    earlierRequests: selectEarlierRequests(orgId, id),
    questions: selectQuestions(orgId, id),
    notes: selectNotes(orgId, { orderRequestId: id, orderId: null }),
    shop: selectMessageSettings(orgId, fieldOf(id, 'shop_id')),
    deciders: selectDecider(orgId, id),
    checkers: holds(ctx, 'prescriptions.write') ? undefined : selectCheckers(orgId),
    before: selectNextOpen(orgId, id, 'before'),
    place: countBefore({ orgId, id }),
    ...nextOpen(orgId, id),
  });
  const facts = factsOf(loaded);
  const { request, products, prescriptions } = facts;
  const isOpen = request.status === 'pending';
  const plan = isOpen
    ? planApproval(ctx, facts, typed ?? request.draft ?? {}, loaded.settings[0]?.validDays ?? 0)
    : null;
  return {
    request,
    lines: plan?.lines ?? request.approvedItems ?? matchLines(request.items, products),
    products,
    warnings: isOpen ? staffWarnings(facts, facts) : [],
    blockers: plan?.blockers ?? [],
    /** How the lines differ from what was asked for; none once it is decided. */
    differences: plan?.differences ?? [],
    paymentDifference: plan?.paymentDifference ?? null,
    prescriptions,
    person: stripOf(loaded, facts.possibleDuplicateId),
    /** What staff asked and wrote, newest first. */
    questions: loaded.questions,
    notes: loaded.notes,
    /** What a form that is made from this posts. */
    prescriptionsVersion: versionOf(prescriptions),
    shopName: loaded.shop[0]?.name ?? null,
    /** What messages say of it. */
    shop: loaded.shop[0] ?? null,
    /** Who decided it; of a request that waits, who prepared it. Null if a program decided. */
    decidedByName: loaded.deciders[0]?.name ?? null,
    /** Who may check prescriptions, where the reader may not. */
    checkers: (loaded.checkers ?? []).map(({ name }) => name),
    /** The open requests around this one, and how many have waited longer. */
    previousId: loaded.before[0]?.id ?? null,
    nextId: (loaded.behind[0] ?? loaded.anywhere[0])?.id ?? null,
    place: loaded.place[0]?.count ?? 0,
  };
}

export type Review = Awaited<ReturnType<typeof readReview>>;

/** The next open request to review, null if there is none. */
export async function nextOpenRequest(ctx: Context, id: string): Promise<string | null> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const { behind, anywhere } = await ctx.db.run(nextOpen(orgId, id));
  return (behind[0] ?? anywhere[0])?.id ?? null;
}

/** The request that arrived after this one, otherwise the longest waiting one. */
function nextOpen(orgId: string, id: string) {
  return {
    behind: selectNextOpen(orgId, id, 'behind'),
    anywhere: selectNextOpen(orgId, id, 'anywhere'),
  };
}
