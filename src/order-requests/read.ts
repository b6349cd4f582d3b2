import { type OrderableProduct, orderableById, orderableByShop, orderableProducts } from '../inventory/service';
import { findCustomer, matchLines, type OrderLine } from '../orders/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { inList } from '../platform/db';
import { notFound } from '../platform/errors';
import { firstIdAt } from '../platform/ids';
import { DAY_MS } from '../platform/time';
import { type PrescriptionRow, prescriptionsOf, prescriptionsOfRequests } from '../prescriptions/service';
import { type Blocker, blockersOf, type StaffWarning, shortages } from './assessment';
import { DUPLICATE_DAYS } from './limits';
import {
  fieldOf,
  productsNamedBy,
  type RequestFilter,
  type RequestRow,
  requestPage,
  selectPossibleDuplicate,
  selectRequest,
  selectRequests,
  shopsOf,
} from './store-review';
import { priceWarnings, warningsOf } from './warnings';

/** A request with what belongs to it. */
interface LoadedRequest {
  request: RequestRow;
  /** That its items name, as its shop sells them. */
  products: Map<string, OrderableProduct>;
  prescriptions: PrescriptionRow[];
}

/** What is known of the person beside the request. */
interface PersonFacts {
  /** The returning customer, if it is one. */
  customer: readonly { id: string }[];
  isPossibleDuplicate: boolean;
}

/** What staff see beside a request. */
export type Assessed = LoadedRequest & PersonFacts;

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

/** The statements that load a request and everything that its decision depends on, in one round trip. */
export function loadRequest(ctx: Context, orgId: string, id: string, p1Ids = productsNamedBy(inList([id]))) {
  const since = firstIdAt(ctx.now() - DUPLICATE_DAYS * DAY_MS);
  return {
    rows: selectRequest(ctx.db, orgId, id),
    prescriptions: prescriptionsOf(ctx, orgId, { orderRequestId: id }),
    products: orderableProducts(ctx, orgId, fieldOf(id, 'shop_id'), p1Ids),
    customer: findCustomer(ctx, orgId, {
      customerId: fieldOf(id, 'customer_id'),
      customerEmail: fieldOf(id, 'customer_email'),
    }),
    duplicates: selectPossibleDuplicate(ctx.db, orgId, id, since),
  };
}

/** @throws AppError `order_request_not_found` */
export async function assess(ctx: Context, orgId: string, id: string, p1Ids?: readonly string[]): Promise<Assessed> {
  const loaded = await ctx.db.run(loadRequest(ctx, orgId, id, p1Ids && inList(p1Ids)));
  const request = loaded.rows[0];
  if (!request) throw notFound('order_request_not_found', 'There is no such order request.');
  return {
    request,
    products: orderableById(loaded.products),
    prescriptions: loaded.prescriptions,
    customer: loaded.customer,
    isPossibleDuplicate: loaded.duplicates.length > 0,
  };
}

/** @throws AppError `order_request_not_found` */
export async function getOrderRequest(ctx: Context, id: string): Promise<ReviewedRequest> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const assessed = await assess(ctx, orgId, id);
  return reviewed(assessed, assessed);
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
  const page = loaded.rows.slice(0, limit);
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
    nextCursor: loaded.rows.length > limit ? (page.at(-1)?.id ?? null) : null,
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
