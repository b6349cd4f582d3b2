import { recordAudit } from '../../audit/record';
import { journaling, noting } from '../../audit/service';
import { orderableById, selectOrderable } from '../../inventory/service';
import {
  customerNotFound,
  eraseCustomer,
  noOrderIsOpen,
  type Order,
  openOrdersOf,
  ordersOf,
  requestsOf,
  selectCustomerRow,
  selectOrdersOfCustomer,
  selectWholeOrders,
  selectWords,
} from '../../orders/service';
import { requireRole, requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { assertInBatch, inList, mustChangeOneRow } from '../../platform/data/db';
import { notFound } from '../../platform/errors';
import { inParts } from '../../platform/page';
import { selectPrescriptionsOfRequests } from '../../prescriptions/service';
import { outboxEventsFromRows } from '../../webhooks/outbox';
import { OpenOrders } from '../errors';
import { type ReviewedRequest, reviewOf } from '../review/review-of';
import { productsNamedBy, type RequestRow } from '../store-requests';
import { eraseSet, onHold } from './erase-statements';
import {
  deletedAmong,
  noneBeyond,
  requestsOfPerson,
  selectRequestsIn,
  selectWholeRequests,
  setRequestHold,
} from './store';

/** What is kept about a person: orders and requests in parts, each read when it is asked for, for there may be any number. */
export interface CustomerExport {
  customer: { id: string; name: string | null; email: string | null; legalHold: boolean; createdAt: number };
  orders: AsyncIterable<Order[]>;
  requests: AsyncIterable<ExportedRequest[]>;
  questions: PersonWords['questions'];
  notes: PersonWords['notes'];
}

/** With the body as it was sent. */
export type ExportedRequest = ReviewedRequest & { request: RequestRow };

type PersonWords = { [K in keyof ReturnType<typeof selectWords>]: Awaited<ReturnType<typeof selectWords>[K]> };

/**
 * All data stored about a customer (GDPR Art. 15): the row, the orders, the requests as submitted and the notes of
 * staff.
 * @throws AppError `customer_not_found`
 */
export async function exportCustomer(ctx: Context, customerId: string): Promise<CustomerExport> {
  const { orgId } = requireScope(ctx, 'customers.read');
  const { ofPerson, requestIds } = selectPerson(orgId, customerId);
  const loaded = await ctx.db.run({
    ...ofPerson,
    ...selectWords(orgId, { requestIds, orderIds: ordersOf(customerId) }),
  });
  const { customer, orders, requests } = personIn(loaded);
  const theirs = new Set(requests.map(({ id }) => id));
  return {
    customer,
    orders: readParts(orders, (ids) => ctx.db.rows(selectWholeOrders(orgId, inList(ids)))),
    requests: readParts(requests, (ids) => readRequests(ctx, orgId, ids)),
    questions: loaded.questions.filter(({ orderRequestId }) => theirs.has(orderRequestId)),
    notes: loaded.notes.filter(({ orderRequestId, orderId }) => orderId !== null || theirs.has(orderRequestId ?? '')),
  };
}

async function* readParts<Row>(
  rows: readonly { id: string; octets: number }[],
  read: (ids: string[]) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (const part of inParts(rows)) yield await read(part.map(({ id }) => id));
}

async function readRequests(ctx: Context, orgId: string, ids: string[]): Promise<ExportedRequest[]> {
  const requestIds = inList(ids);
  const read = await ctx.db.run({
    requests: selectWholeRequests(requestIds),
    prescriptions: selectPrescriptionsOfRequests(orgId, requestIds),
    products: selectOrderable(orgId, null, productsNamedBy(requestIds)),
  });
  const products = orderableById(read.products);
  return read.requests.map((request) => {
    const prescriptions = read.prescriptions.filter(({ orderRequestId }) => orderRequestId === request.id);
    return { ...reviewOf(ctx, { request, products, prescriptions }, null), request };
  });
}

/**
 * Erases a person's data (GDPR Art. 17) at once: in the customer, orders, requests and events; PDFs are deleted. What
 * was sold and when stays, without the person. Pending requests are deleted, and an event says so.
 * @throws AppError `customer_not_found`, `legal_hold`, `open_orders` (with `order_ids`)
 */
export function eraseCustomerData(ctx: Context, customerId: string): Promise<void> {
  const { orgId } = requireScope(ctx, 'customers.write');
  return journaling(ctx, (write) =>
    retryOnConflict(ctx, async () => {
      const { customer, requests, orders, open } = personIn(await ctx.db.run(selectPerson(orgId, customerId).ofPerson));
      if (customer.legalHold || requests.some(({ legalHold }) => legalHold)) {
        throw onHold('This customer is kept for legal reasons.');
      }
      if (open.length > 0) throw new OpenOrders(open.map(({ id }) => id));
      const ids = requests.map(({ id }) => id);
      await write({
        orgId,
        kind: 'customer',
        customerIds: [customerId],
        requestIds: ids,
        orderIds: orders.map(({ id }) => id),
      });
      const requestIds = inList(ids);
      const orderIds = ordersOf(customerId);
      const since = Math.min(ctx.now(), ...[...requests, ...orders].map(({ createdAt }) => createdAt));
      // A rejected request may be reopened until the batch runs.
      const undecided = requests.filter(({ status }) => status === 'pending' || status === 'rejected').length;
      const deleted = { type: 'order_request_deleted', orgId, rows: deletedAmong(requestIds) } as const;
      await commit(ctx, {
        // A request that arrived after the read fails the batch; the next try includes it.
        all: assertInBatch(noneBeyond(requestsOfPerson(orgId, customerId, requestsOf(customerId)), requestIds)),
        closed: assertInBatch(noOrderIsOpen(customerId)),
        deleted: undecided > 0 ? outboxEventsFromRows(ctx, { ...deleted, rowsMax: undecided }) : undefined,
        erased: eraseSet(ctx, { orgId, requestIds, orderIds, since }),
        customer: mustChangeOneRow(eraseCustomer(orgId, customerId, ctx.now())),
        audit: recordAudit(ctx, { orgId, action: 'customer.erased', entityId: customerId }),
      });
    }),
  );
}

/** What is read of a person, with ids of all requests that may be theirs, as a subquery. */
function selectPerson(orgId: string, customerId: string) {
  const requestIds = requestsOfPerson(orgId, customerId, requestsOf(customerId), { withUnfolded: true });
  const ofPerson = {
    customer: selectCustomerRow(orgId, customerId),
    orders: selectOrdersOfCustomer(orgId, customerId),
    open: openOrdersOf(customerId),
    requests: selectRequestsIn(requestIds),
  };
  return { ofPerson, requestIds };
}

type Selected = ReturnType<typeof selectPerson>['ofPerson'];

/** Of what was read, that which is the person's. @throws AppError `customer_not_found`, also when already erased */
function personIn({ customer: [customer], orders, open, requests }: { [K in keyof Selected]: Awaited<Selected[K]> }) {
  if (!customer || customer.erasedAt !== null) throw customerNotFound();
  const fromOrders = new Set(orders.map(({ orderRequestId }) => orderRequestId));
  const isTheirs = (request: (typeof requests)[number]) =>
    fromOrders.has(request.id) ||
    request.customerId === customer.id ||
    (request.customerEmail !== null && request.customerEmail.toLowerCase() === customer.email);
  return { customer, orders, open, requests: requests.filter(isTheirs) };
}

/**
 * Protects a request from retention, deletion and erasure, or ends that protection. Owners only.
 * @throws AppError `order_request_not_found`
 */
export async function setLegalHold(ctx: Context, input: { requestId: string; isOnLegalHold: boolean }): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { requestId, isOnLegalHold } = input;
  const batch = {
    request: setRequestHold(orgId, requestId, isOnLegalHold, ctx.now()),
    audit: recordAudit(ctx, {
      orgId,
      action: isOnLegalHold ? 'order_request.held' : 'order_request.released',
      entityId: requestId,
    }),
  };
  await noting(ctx, { orgId, kind: 'request_hold', id: requestId, at: ctx.now(), is_on: isOnLegalHold }, () =>
    commit(ctx, batch, { refused: () => notFound('order_request_not_found', 'There is no such order request.') }),
  );
}
