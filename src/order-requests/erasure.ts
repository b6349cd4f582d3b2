import { recordAudit } from '../audit/record';
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
import { isGuardFailure, mustChangeOne } from '../platform/db';
import { AppError } from '../platform/errors';
import { erasePrescriptionsIn } from '../prescriptions/service';
import { requestView } from './read';
import { eraseRequests, requestsOfPerson, selectRequestsIn, setRequestHold } from './store-erasure';

/**
 * Everything that is kept about a customer (GDPR Art. 15): the row, its orders, its requests.
 * @throws AppError `customer_not_found`
 */
export async function exportCustomer(ctx: Context, customerId: string) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const requests = requestsOfPerson(orgId, customerId, requestsOf(customerId));
  const { customer, orders, rows } = await ctx.db.run({
    ...loadCustomer(ctx, orgId, customerId),
    rows: selectRequestsIn(ctx.db, requests),
  });
  if (!customer[0] || customer[0].erasedAt !== null) throw customerNotFound();
  const around = { products: new Map(), prescriptions: [], customer, isPossibleDuplicate: false };
  return {
    customer: {
      id: customer[0].id,
      name: customer[0].name,
      email: customer[0].email,
      legal_hold: customer[0].legalHold,
      created_at: new Date(customer[0].createdAt).toISOString(),
    },
    orders: orders.map(orderView),
    order_requests: rows.map((request) => {
      const { warnings: _, blockers: __, ...kept } = requestView({ request, ...around });
      return kept;
    }),
  };
}

/**
 * Takes a person out of the data (GDPR Art. 17): the customer, its orders, its requests and their PDFs, all at once. The
 * skeletons stay: what was sold and when.
 * @throws AppError `customer_not_found`, `legal_hold`
 */
export async function eraseCustomerData(ctx: Context, customerId: string): Promise<void> {
  const { orgId } = requireScope(ctx, 'orders.write');
  const requests = requestsOfPerson(orgId, customerId, requestsOf(customerId));
  const { customer, rows } = await ctx.db.run({
    ...loadCustomer(ctx, orgId, customerId),
    rows: selectRequestsIn(ctx.db, requests),
  });
  if (!customer[0] || customer[0].erasedAt !== null) throw customerNotFound();
  if (customer[0].legalHold || rows.some(({ legalHold }) => legalHold)) throw onHold();
  try {
    await ctx.db.run({
      prescriptions: erasePrescriptionsIn(ctx, { requestIds: requests, orderIds: ordersOf(customerId) }),
      requests: eraseRequests(ctx.db, requests, ctx.now()),
      orders: eraseOrdersIn(ctx, ordersOf(customerId)),
      // Last, since the subqueries above find the requests by its e-mail.
      customer: eraseCustomer(ctx, orgId, customerId),
      guard: mustChangeOne(ctx.db),
      audit: recordAudit(ctx, { orgId, action: 'customer.erased', entityId: customerId }),
    });
  } catch (error) {
    throw isGuardFailure(error) ? onHold() : error;
  }
}

/** Keeps retention, deletion and erasure away from a request, or lets them in again. Owners only. */
export async function setLegalHold(ctx: Context, input: { requestId: string; isHeld: boolean }): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  await ctx.db.run({
    request: setRequestHold(ctx.db, orgId, input.requestId, input.isHeld, ctx.now()),
    audit: recordAudit(ctx, {
      orgId,
      action: input.isHeld ? 'order_request.held' : 'order_request.released',
      entityId: input.requestId,
    }),
  });
}

function onHold(): AppError {
  return new AppError('conflict', 'legal_hold', 'This customer is kept for legal reasons.');
}
