import { type OrderableProduct, orderableById, orderableByShop, orderableProducts } from '../inventory/service';
import { findCustomer, lineView, matchLines } from '../orders/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { inList } from '../platform/db';
import { notFound } from '../platform/errors';
import { firstIdAt } from '../platform/ids';
import { toEur } from '../platform/money';
import { DAY_MS } from '../platform/time';
import {
  type PrescriptionRow,
  prescriptionsOf,
  prescriptionsOfRequests,
  prescriptionView,
} from '../prescriptions/service';
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

/** What staff see beside a request. */
export interface Assessed {
  request: RequestRow;
  products: Map<string, OrderableProduct>;
  prescriptions: PrescriptionRow[];
  customer: readonly { id: string }[];
  isPossibleDuplicate: boolean;
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
export async function getOrderRequest(ctx: Context, id: string) {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  return requestView(await assess(ctx, orgId, id));
}

/**
 * Requests, newest first. Only a single request includes the warnings `possible_duplicate` and `unknown_customer`.
 * @returns one page and the cursor of the next, null at the end
 */
export async function listOrderRequests(ctx: Context, input: RequestFilter & { limit: number; before: string }) {
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
      requestView({
        request,
        products: productsOf(request.shopId),
        prescriptions: loaded.prescriptions.filter(({ orderRequestId }) => orderRequestId === request.id),
        customer: [{ id: '' }],
        isPossibleDuplicate: false,
      }),
    ),
    nextCursor: loaded.rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/** A request as the API shows it. */
export function requestView(assessed: Assessed) {
  const { request, products, prescriptions } = assessed;
  const lines = request.approvedItems ?? matchLines(request.items, products);
  const isOpen = request.status === 'pending';
  return {
    id: request.id,
    status: request.status,
    shop_id: request.shopId,
    source: request.source,
    external_reference: request.externalReference,
    created_at: new Date(request.createdAt).toISOString(),
    items: request.items.map((item) => ({
      name: item.name,
      quantity: item.quantity,
      price: toEur(item.priceCents),
      p1_id: item.p1Id,
      product_id: item.productId,
    })),
    lines: lines.map(lineView),
    customer_name: request.customerName,
    customer_email: request.customerEmail,
    customer_id: request.customerId,
    address_street: request.addressStreet,
    address_city: request.addressCity,
    address_postal_code: request.addressPostalCode,
    address_phone: request.addressPhone,
    shipping_option: request.shippingOption,
    payment_status: request.paymentStatus,
    payment_reference: request.paymentReference,
    total_amount: request.totalCents === null ? null : toEur(request.totalCents),
    warnings: isOpen ? staffWarnings(assessed) : [],
    blockers: isOpen ? blockersOf(lines, products, prescriptions) : ([] as Blocker[]),
    prescriptions: prescriptions.map(prescriptionView),
    needs_info: request.needsInfo,
    needs_info_note: request.needsInfoNote,
    reason_code: request.reasonCode,
    decided_by: request.decidedBy,
    decided_at: request.decidedAt === null ? null : new Date(request.decidedAt).toISOString(),
    supersedes_id: request.supersedesId,
    order_id: request.orderId,
  };
}

export type OrderRequestView = ReturnType<typeof requestView>;

function staffWarnings({ request, products, customer, isPossibleDuplicate }: Assessed): StaffWarning[] {
  const warnings: StaffWarning[] = [
    ...warningsOf(request, cashOnPickupOf(request), namesOf(products)),
    ...priceWarnings(request.items, products),
    ...shortages(matchLines(request.items, products), products).map(({ overridable: _, ...short }) => short),
  ];
  if (customer.length === 0) {
    warnings.push({
      code: 'unknown_customer',
      message: 'There is no earlier order with this e-mail address or customer id.',
    });
  }
  if (isPossibleDuplicate) {
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
