import { journaling, noting } from '../../audit/journal';
import { recordAudit } from '../../audit/record';
import { emptyAnswers } from '../../idempotency/store';
import { orderableById } from '../../inventory/browse';
import { releaseEntries } from '../../inventory/stock';
import { selectOrderable } from '../../inventory/store-listings';
import { type Reserved, selectReservationsOf } from '../../inventory/store-reservations';
import { eraseOrdersAndCustomers, eraseOrdersIn } from '../../orders/erasure';
import * as ordersStore from '../../orders/store';
import { deleteWords, selectWords } from '../../orders/timeline/store';
import { requireRole, requireScope } from '../../platform/access';
import { type BatchEntry, commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { assertInBatch, inList, mustChangeOneRow } from '../../platform/data/db';
import { inParts } from '../../platform/data/page';
import type { Condition } from '../../platform/data/statements';
import { AppError, notFound } from '../../platform/errors/errors';
import { erasePrescriptionsIn } from '../../prescriptions/filing';
import { prescriptionIdsIn, selectPrescriptionsOfRequests } from '../../prescriptions/store';
import { EVENTS_KEPT_MS } from '../../webhooks/limits';
import { outboxEvent, outboxEventsFromRows, withReferences } from '../../webhooks/outbox';
import { OpenOrders } from '../errors';
import { decidedBy, requestMetadata, requireReserved } from '../review/facts';
import { type ReviewedRequest, reviewOf } from '../review/review-of';
import { ERASED, productsNamedBy, type RequestRow, type RequestStatus, updateRequestIf } from '../store';
import * as store from './store';

/** All stored data of a person. Orders and requests are read in parts on demand, because their number is unlimited. */
export interface CustomerExport {
  customer: { id: string; name: string | null; email: string | null; legalHold: boolean; createdAt: number };
  orders: AsyncIterable<ordersStore.Order[]>;
  requests: AsyncIterable<ExportedRequest[]>;
  questions: PersonWords['questions'];
  notes: PersonWords['notes'];
}

/** A request whose row includes the body as it was sent. */
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
    ...selectWords(orgId, { requestIds, orderIds: ordersStore.ordersOf(customerId) }),
  });
  const { customer, orders, requests } = personIn(loaded);
  const theirs = new Set(requests.map(({ id }) => id));
  return {
    customer,
    orders: readParts(orders, (ids) => ctx.db.rows(ordersStore.selectWholeOrders(orgId, inList(ids)))),
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
    requests: store.selectWholeRequests(requestIds),
    prescriptions: selectPrescriptionsOfRequests(orgId, requestIds),
    products: selectOrderable(orgId, null, productsNamedBy(requestIds)),
    reserved: selectReservationsOf(orgId, requestIds),
  });
  const reservedFor = Map.groupBy(read.reserved, ({ requestId }) => requestId);
  const products = orderableById(read.products);
  return read.requests.map((request) => {
    const prescriptions = read.prescriptions.filter(({ orderRequestId }) => orderRequestId === request.id);
    const reserved = reservedFor.get(request.id);
    return { ...reviewOf(ctx, { request, products, prescriptions, reserved }, null), request };
  });
}

/**
 * Erases a person's data (GDPR Art. 17) at once, in the customer, orders, requests, events and PDFs. The record of sold
 * goods and times stays, without the person. Pending requests are deleted, each with an event.
 * @returns the erased orders for which the law requires a record of the customer, and until when
 * @throws AppError `customer_not_found`, `legal_hold`, `open_orders` (with `order_ids`)
 */
export function eraseCustomerData(ctx: Context, customerId: string): Promise<KeptRecord[]> {
  const { orgId } = requireScope(ctx, 'customers.write');
  return journaling(ctx, (write) =>
    retryOnConflict(ctx, async () => {
      const read = await ctx.db.run(selectPerson(orgId, customerId).ofPerson);
      const { customer, requests, orders, open, reserved } = personIn(read);
      if (customer.legalHold || requests.some(({ legalHold }) => legalHold)) {
        throw new AppError('legal_hold', 'This customer is kept for legal reasons.');
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
      const orderIds = ordersStore.ordersOf(customerId);
      const since = Math.min(ctx.now(), ...[...requests, ...orders].map(({ createdAt }) => createdAt));
      // A rejected request may be reopened before the batch runs.
      const undecided = requests.filter(({ status }) => status === 'pending' || status === 'rejected').length;
      const deleted = { type: 'order_request_deleted', orgId, rows: store.deletedAmong(requestIds) } as const;
      const { kept } = await commit(ctx, {
        // If a request has arrived since the read, the batch fails. The next try includes the new request.
        all: assertInBatch(
          store.noneBeyond(store.requestsOfPerson(orgId, customerId, ordersStore.requestsOf(customerId)), requestIds),
        ),
        closed: assertInBatch(ordersStore.noOrderIsOpen(customerId)),
        deleted: undecided > 0 ? outboxEventsFromRows(ctx, { ...deleted, rowsMax: undecided }) : undefined,
        erased: eraseSet(ctx, { orgId, requestIds, orderIds, since }),
        released: releaseEntries(ctx, orgId, reserved),
        customer: mustChangeOneRow(ordersStore.eraseCustomer(orgId, customerId, ctx.now())),
        audit: recordAudit(ctx, { orgId, action: 'customer.erased', entityId: customerId }),
        kept: store.selectRestrictedOf(orgId, customerId),
      });
      return kept;
    }),
  );
}

/** An erased order for which the law requires a record of the customer until `until` (epoch ms). */
export type KeptRecord = Awaited<ReturnType<typeof store.selectRestrictedOf>>[number];

/** The erased orders of a person for which the law requires a record of the customer. */
export function listKeptRecords(ctx: Context, customerId: string): Promise<KeptRecord[]> {
  const { orgId } = requireScope(ctx, 'customers.write');
  return ctx.db.rows(store.selectRestrictedOf(orgId, customerId));
}

/**
 * Returns the queries that read a person's data, and a subquery of the ids of all requests that may be the person's.
 */
function selectPerson(orgId: string, customerId: string) {
  const requestIds = store.requestsOfPerson(orgId, customerId, ordersStore.requestsOf(customerId), {
    withUnfolded: true,
  });
  const ofPerson = {
    customer: ordersStore.selectCustomerRow(orgId, customerId),
    orders: ordersStore.selectOrdersOfCustomer(orgId, customerId),
    open: ordersStore.openOrdersOf(customerId),
    requests: store.selectRequestsIn(requestIds),
    reserved: selectReservationsOf(orgId, requestIds),
  };
  return { ofPerson, requestIds };
}

type Selected = ReturnType<typeof selectPerson>['ofPerson'];

/**
 * Selects from the loaded rows those that belong to the person, and returns them.
 * @throws AppError `customer_not_found`, also if the customer is already erased
 */
function personIn({
  customer: [customer],
  orders,
  open,
  requests,
  reserved,
}: { [K in keyof Selected]: Awaited<Selected[K]> }) {
  if (!customer || customer.erasedAt !== null) throw notFound('customer_not_found');
  const fromOrders = new Set(orders.map(({ orderRequestId }) => orderRequestId));
  const isTheirs = (request: (typeof requests)[number]) =>
    fromOrders.has(request.id) ||
    request.customerId === customer.id ||
    (request.customerEmail !== null && request.customerEmail.toLowerCase() === customer.email);
  const theirs = requests.filter(isTheirs);
  const ids = new Set(theirs.map(({ id }) => id));
  return { customer, orders, open, requests: theirs, reserved: reserved.filter(({ requestId }) => ids.has(requestId)) };
}

/**
 * Protects a request from retention, deletion and erasure, or ends that protection. Owners only.
 * @throws AppError `order_request_not_found`
 */
export async function setLegalHold(ctx: Context, input: { requestId: string; isOnLegalHold: boolean }): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { requestId, isOnLegalHold } = input;
  const batch = {
    request: store.setRequestHold(orgId, requestId, isOnLegalHold, ctx.now()),
    audit: recordAudit(ctx, {
      orgId,
      action: isOnLegalHold ? 'order_request.held' : 'order_request.released',
      entityId: requestId,
    }),
  };
  await noting(ctx, { orgId, kind: 'request_hold', id: requestId, at: ctx.now(), is_on: isOnLegalHold }, () =>
    commit(ctx, batch, { refused: () => notFound('order_request_not_found') }),
  );
}

/**
 * Deletes a request that has not become an order. Erases its personal data and its PDF, also in past events. The row
 * stays.
 * @throws AppError `order_request_not_found`, `request_has_order`, `legal_hold`
 */
export function deleteOrderRequest(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireScope(ctx, 'order_requests.write');
  return journaling(ctx, (write) =>
    retryOnConflict(ctx, async () => {
      const { request, reserved } = await requireReserved(ctx, orgId, id);
      if (request.status === 'approved') {
        throw new AppError('request_has_order', 'An approved request is an order; cancel the order instead.');
      }
      if (request.legalHold) throw new AppError('legal_hold', 'This request is kept for legal reasons.');
      await write({ orgId, kind: 'order_request', requestIds: [id] });
      await commit(ctx, {
        deletion: deletionEntries(ctx, request, reserved, ['pending', 'rejected']),
        audit: recordAudit(ctx, { orgId, action: 'order_request.deleted', entityId: id }),
      });
    }),
  );
}

/**
 * Returns the statements that delete a request, and the event that reports the deletion. The batch is undone unless the
 * request has a status in `from`.
 */
export function deletionEntries(
  ctx: Context,
  request: RequestRow,
  reserved: readonly Reserved[],
  from: readonly RequestStatus[],
  more: Pick<Partial<RequestRow>, 'withdrawal' | 'reasonCode'> = {},
): BatchEntry[] {
  const { orgId, id, createdAt } = request;
  const now = ctx.now();
  const metadata = { ...requestMetadata(request), external_reference: '' };
  const only = { orgId, requestIds: inList([id]), orderIds: inList([]), since: createdAt };
  const status = { status: 'deleted', needsInfo: false, decidedBy: decidedBy(ctx) } as const;
  const deleted = { ...ERASED, ...status, erasedAt: now, updatedAt: now, ...more };
  return [
    ...eraseSet(ctx, only, [updateRequestIf(orgId, id, from, deleted)]),
    ...releaseEntries(ctx, orgId, reserved),
    outboxEvent(ctx, { type: 'order_request_deleted', orgId, about: request, metadata }),
  ];
}

/** The requests and orders whose personal data are erased, as two subqueries of ids. All belong to one organization. */
interface ErasedSet {
  orgId: string;
  requestIds: Condition;
  orderIds: Condition;
  /**
   * Time in epoch ms before which there are no events about these requests and orders. Null if all events about them
   * are deleted already.
   */
  since: number | null;
}

/**
 * Returns the statements that erase the personal data of requests and orders, of their prescriptions and of events
 * about them. The batch fails if one of the requests has a legal hold.
 * @param rows the statements that erase the requests and orders themselves
 */
export function eraseSet(
  ctx: Context,
  set: ErasedSet,
  rows: readonly BatchEntry[] = eraseRows(ctx, set),
): BatchEntry[] {
  const { orgId, requestIds, orderIds, since } = set;
  const answers = emptyAnswers(orgId, store.eitherOf(requestIds, orderIds));
  const erased = [...erasePrescriptionsIn(ctx, set), ...deleteWords(set), answers, ...rows];
  const createdAt = store.eitherOf(store.createdAtOfRequests(requestIds), ordersStore.ordersCreatedAt(orgId, orderIds));
  return [
    assertInBatch(store.noneOnLegalHold(requestIds)),
    ...(since === null
      ? erased
      : withReferences({ ...set, since, createdAt, prescriptionIds: prescriptionIdsIn(set) }, erased)),
  ];
}

function eraseRows(ctx: Context, { orgId, requestIds, orderIds }: ErasedSet): BatchEntry[] {
  return [store.eraseRequests(requestIds, ctx.now()), ...eraseOrdersIn(ctx, orgId, orderIds)];
}

interface Expired {
  orgId: string;
  requestIds: readonly string[];
  orderIds: readonly string[];
  /** Epoch ms. All of these requests and orders ended before this time. */
  endedBefore: number;
}

/**
 * Erases the requests and orders that a retention run selected in one organization. Writes one journal entry and one
 * batch. If nothing was selected, writes neither.
 * @throws AppError `legal_hold` if one was set in the meantime; then nothing is erased
 */
export async function eraseExpired(ctx: Context, { orgId, requestIds, orderIds, endedBefore }: Expired): Promise<void> {
  if (requestIds.length + orderIds.length === 0) return;
  // Earlier events are deleted already.
  const kept = ctx.now() - EVENTS_KEPT_MS;
  const set = {
    orgId,
    requestIds: inList(requestIds),
    orderIds: inList(orderIds),
    since: endedBefore < kept ? null : kept,
  };
  await journaling(ctx, async (write) => {
    await write({ orgId, kind: 'retention', requestIds, orderIds });
    const batch = {
      erased: eraseSet(ctx, set, [
        store.eraseRequests(set.requestIds, ctx.now()),
        ...eraseOrdersAndCustomers(ctx, orgId, set.orderIds),
      ]),
      audit: recordAudit(ctx, { orgId, action: 'retention.erased', entityId: orgId }),
    };
    // The only guard of the batch is the one against legal holds.
    await commit(ctx, batch, {
      refused: () => new AppError('legal_hold', 'Something of this is kept for legal reasons.'),
    });
  });
  ctx.log('info', 'retention', { org_id: orgId, count: requestIds.length + orderIds.length });
}
