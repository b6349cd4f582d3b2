import { recordAudit } from '../audit/record';
import { orderableById, orderableProducts } from '../inventory/service';
import {
  customerNotFound,
  eraseCustomer,
  eraseOrdersIn,
  loadCustomer,
  ordersOf,
  orderView,
  requestsOf,
} from '../orders/service';
import { requireRole, requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { inList, isGuardFailure, mustChangeOne, mustHold } from '../platform/db';
import { AppError, notFound } from '../platform/errors';
import { againOnRace } from '../platform/race';
import { erasePrescriptionsIn, prescriptionsOfRequests } from '../prescriptions/service';
import { requestView } from './read';
import {
  eraseRequests,
  HAS_UNFOLDED_EMAIL,
  noneIsHeld,
  requestIsIn,
  requestsOfPerson,
  selectRequestsIn,
  setRequestHold,
} from './store-erasure';
import { productsNamedBy, type RequestRow } from './store-review';

/**
 * Everything that is kept about a customer (GDPR Art. 15): the row, its orders, its requests as they were sent and what
 * staff noted on them.
 * @throws AppError `customer_not_found`
 */
export async function exportCustomer(ctx: Context, customerId: string) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { customer, orders, requests, prescriptions, products } = await loadPerson(ctx, orgId, customerId);
  const around = { products: orderableById(products), customer: [customer], isPossibleDuplicate: false };
  return {
    customer: {
      id: customer.id,
      name: customer.name,
      email: customer.email,
      legal_hold: customer.legalHold,
      created_at: new Date(customer.createdAt).toISOString(),
    },
    orders: orders.map(orderView),
    order_requests: requests.map((request) => {
      const own = prescriptions.filter(({ orderRequestId }) => orderRequestId === request.id);
      const { warnings: _, blockers: __, ...kept } = requestView({ request, prescriptions: own, ...around });
      return {
        ...kept,
        reason_note: request.reasonNote,
        override_reason: request.overrideReason,
        // SAFETY: the envelope's schema passed before the payload was stored.
        submitted: request.payload === null ? null : (JSON.parse(request.payload) as Record<string, unknown>),
      };
    }),
  };
}

/**
 * Takes a person out of the data (GDPR Art. 17): the customer, its orders, its requests and their PDFs, all at once. The
 * skeletons stay: what was sold and when.
 * @throws AppError `customer_not_found`, `legal_hold`
 */
export function eraseCustomerData(ctx: Context, customerId: string): Promise<void> {
  const { orgId } = requireScope(ctx, 'orders.write');
  return againOnRace(ctx, async () => {
    const found = await loadPerson(ctx, orgId, customerId);
    if (found.customer.legalHold || found.requests.some(({ legalHold }) => legalHold)) throw onHold();
    const ids = inList(found.requests.map(({ id }) => id));
    // What came in since is found by the same rule, inside the batch.
    const requests = requestsOfPerson(orgId, customerId, requestsOf(customerId), requestIsIn(ids));
    await ctx.db.run({
      held: mustHold(ctx.db, noneIsHeld(requests)),
      prescriptions: erasePrescriptionsIn(ctx, { requestIds: requests, orderIds: ordersOf(customerId) }),
      requests: eraseRequests(ctx.db, requests, ctx.now()),
      orders: eraseOrdersIn(ctx, ordersOf(customerId)),
      // Last, since the subqueries above find the requests by its e-mail.
      customer: eraseCustomer(ctx, orgId, customerId),
      guard: mustChangeOne(ctx.db),
      audit: recordAudit(ctx, { orgId, action: 'customer.erased', entityId: customerId }),
    });
  });
}

/** @throws AppError `customer_not_found`, once erased too */
async function loadPerson(ctx: Context, orgId: string, customerId: string) {
  const perhaps = requestsOfPerson(orgId, customerId, requestsOf(customerId), HAS_UNFOLDED_EMAIL);
  const loaded = await ctx.db.run({
    ...loadCustomer(ctx, orgId, customerId),
    requests: selectRequestsIn(ctx.db, perhaps),
    prescriptions: prescriptionsOfRequests(ctx, orgId, perhaps),
    products: orderableProducts(ctx, orgId, '', productsNamedBy(perhaps)),
  });
  const [customer] = loaded.customer;
  if (!customer || customer.erasedAt !== null) throw customerNotFound();
  const fromOrders = new Set(loaded.orders.map(({ orderRequestId }) => orderRequestId));
  const isTheirs = (request: RequestRow) =>
    fromOrders.has(request.id) ||
    request.customerId === customerId ||
    (request.customerEmail !== null && request.customerEmail.toLowerCase() === customer.email);
  return { ...loaded, customer, requests: loaded.requests.filter(isTheirs) };
}

/**
 * Keeps retention, deletion and erasure away from a request, or lets them in again. Owners only.
 * @throws AppError `order_request_not_found`
 */
export async function setLegalHold(ctx: Context, input: { requestId: string; isHeld: boolean }): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  try {
    await ctx.db.run({
      request: setRequestHold(ctx.db, orgId, input.requestId, input.isHeld, ctx.now()),
      guard: mustChangeOne(ctx.db),
      audit: recordAudit(ctx, {
        orgId,
        action: input.isHeld ? 'order_request.held' : 'order_request.released',
        entityId: input.requestId,
      }),
    });
  } catch (error) {
    if (isGuardFailure(error)) throw notFound('order_request_not_found', 'There is no such order request.');
    throw error;
  }
}

function onHold(): AppError {
  return new AppError('conflict', 'legal_hold', 'This customer is kept for legal reasons.');
}
