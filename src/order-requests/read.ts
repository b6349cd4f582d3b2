import { type OrderableProduct, orderableByShop, orderableProducts } from '../inventory/service';
import { matchLines, type OrderLine } from '../orders/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { pageOf } from '../platform/page';
import { type PrescriptionRow, prescriptionsOfRequests } from '../prescriptions/service';
import { type Blocker, blockersOf, type StaffWarning, shortages } from './assessment';
import { type LoadedRequest, type PersonFacts, readFacts } from './facts';
import { DUPLICATE_DAYS } from './limits';
import {
  productsNamedBy,
  type RequestFilter,
  type RequestRow,
  requestPage,
  selectRequests,
  shopsOf,
} from './store-review';
import { priceWarnings, warningsOf } from './warnings';

/** A request with its review. */
export interface ReviewedRequest {
  request: RequestRow;
  /** As matched to products, or as approved. */
  lines: OrderLine[];
  prescriptions: PrescriptionRow[];
  /** What staff should know, and what keeps it from being approved; none once it is decided. */
  warnings: StaffWarning[];
  blockers: Blocker[];
}

/** @throws AppError `order_request_not_found` */
export async function getOrderRequest(ctx: Context, id: string): Promise<ReviewedRequest> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const facts = await readFacts(ctx, orgId, id);
  return reviewed(facts, facts);
}

/**
 * Requests, newest first. Only a single request includes the warnings `possible_duplicate` and `unknown_customer`.
 * @returns one page and the cursor of the next, null at the end
 */
export async function listOrderRequests(ctx: Context, input: RequestFilter & { limit: number; before: string | null }) {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const { limit, before, ...filter } = input;
  const ids = requestPage(orgId, filter, before, limit + 1);
  const loaded = await ctx.db.run({
    rows: selectRequests(ctx.db, ids),
    prescriptions: prescriptionsOfRequests(ctx, orgId, ids),
    products: orderableProducts(ctx, orgId, shopsOf(ids), productsNamedBy(ids)),
  });
  const { page, nextCursor } = pageOf(loaded.rows, limit, ({ id }) => id);
  const productsOf = orderableByShop(loaded.products);
  return {
    requests: page.map((request) =>
      reviewed(
        {
          request,
          products: productsOf(request.shopId),
          prescriptions: loaded.prescriptions.filter(({ orderRequestId }) => orderRequestId === request.id),
        },
        null,
      ),
    ),
    nextCursor,
  };
}

/** @param person null where nobody looked for them: then nothing is said of them */
export function reviewed(loaded: LoadedRequest, person: PersonFacts | null): ReviewedRequest {
  const { request, products, prescriptions } = loaded;
  const lines = request.approvedItems ?? matchLines(request.items, products);
  const isOpen = request.status === 'pending';
  return {
    request,
    lines,
    prescriptions,
    warnings: isOpen ? staffWarnings(loaded, person) : [],
    blockers: isOpen ? blockersOf(lines, products, prescriptions) : [],
  };
}

function staffWarnings({ request, products }: LoadedRequest, person: PersonFacts | null): StaffWarning[] {
  const warnings: StaffWarning[] = [
    ...warningsOf(request, cashOnPickupOf(request), namesOf(products)),
    ...priceWarnings(request.items, products),
    ...shortages(matchLines(request.items, products), products),
  ];
  if (person?.customer.length === 0) {
    warnings.push({
      code: 'unknown_customer',
      message: 'There is no earlier order with this e-mail address or customer id.',
    });
  }
  if (person?.isPossibleDuplicate) {
    warnings.push({
      code: 'possible_duplicate',
      message: `The same person sent another request within ${DUPLICATE_DAYS} days.`,
    });
  }
  return warnings;
}

export function namesOf(products: ReadonlyMap<string, OrderableProduct>): Map<string, string> {
  return new Map([...products].map(([p1Id, { name }]) => [p1Id, name]));
}

/** The value as submitted, because the normalized request holds only its result. */
function cashOnPickupOf({ payload }: RequestRow): boolean | undefined {
  if (payload === null) return undefined;
  // SAFETY: the payload was checked against the envelope's schema before it was stored.
  const sent = JSON.parse(payload) as { payload: { cash_on_pickup?: boolean | null } };
  return sent.payload.cash_on_pickup ?? undefined;
}
