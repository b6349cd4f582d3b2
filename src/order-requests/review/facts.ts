import { type OrderableProducts, orderableById } from '../../inventory/browse';
import { type Reservation, selectReservations } from '../../inventory/store-reservations';
import { actorId } from '../../platform/access';
import type { Context } from '../../platform/context';
import type { Condition } from '../../platform/data/statements';
import { notFound } from '../../platform/errors/errors';
import { firstIdAt } from '../../platform/ids';
import { DAY_MS } from '../../platform/time';
import type { PrescriptionRow } from '../../prescriptions/store';
import type { PrescriptionSettings } from '../../tenants/store';
import { AlreadyDecided } from '../errors';
import { DUPLICATE_DAYS } from '../limits';
import { type ListedRequest, productsOfRequest, type RequestRow, selectRequest } from '../store';
import type { DecidedBy, ToldWarning } from './assessment';
import { type SharingRequest, selectFacts } from './store';

/** A request, and the rows that are read with it. */
export interface LoadedRequest {
  request: ListedRequest;
  /**
   * The products that the request's items name, as the shop of the request sells them. Their stock includes the
   * quantities that are reserved for this request.
   */
  products: OrderableProducts;
  prescriptions: PrescriptionRow[];
  /** The open questions of the request. Lists do not read them. */
  questions?: readonly { id: string }[];
  /** Other requests with the same file or signature, in the order of `selectSharing`. Lists do not read them. */
  sharing?: readonly SharingRequest[];
  settings?: PrescriptionSettings | undefined;
  reserved?: readonly Reservation[] | undefined;
}

/** Facts about the person from other requests and orders. */
export interface PersonFacts {
  /** The stored customer with the customer id or e-mail address of the request; empty if there is none. */
  customer: readonly { id: string }[];
  /** Another request of the same person within `DUPLICATE_DAYS`. */
  possibleDuplicateId: string | null;
}

/** All that a decision about a request depends on. */
export type RequestFacts = LoadedRequest & PersonFacts & { reserved: readonly Reservation[] };

/** Returns the queries of `selectFacts`. They search for duplicates within the last `DUPLICATE_DAYS`. */
export function loadRequest(ctx: Context, orgId: string, id: string, p1Ids: Condition) {
  return selectFacts({ orgId, id, since: firstIdAt(ctx.now() - DUPLICATE_DAYS * DAY_MS) }, p1Ids);
}

/**
 * Reads everything that a decision about a request depends on. One round trip.
 * @param others ids of products to read besides those of the request, because edited lines name them
 * @throws AppError `order_request_not_found`
 */
export async function readFacts(
  ctx: Context,
  orgId: string,
  id: string,
  others: readonly string[] = [],
): Promise<RequestFacts> {
  return factsOf(await ctx.db.run(loadRequest(ctx, orgId, id, productsOfRequest({ id, others }))));
}

type Loaded = { [K in keyof ReturnType<typeof selectFacts>]: Awaited<ReturnType<typeof selectFacts>[K]> };

/** Converts the rows that `loadRequest` read. @throws AppError `order_request_not_found` */
export function factsOf({
  rows,
  products,
  prescriptions,
  open,
  sharing,
  customer,
  duplicates,
  settings,
  ...loaded
}: Loaded): RequestFacts {
  const [request] = rows;
  if (!request) throw notFound('order_request_not_found');
  const possibleDuplicateId = duplicates[0]?.id ?? null;
  return {
    ...{ request, products: withReserved(orderableById(products), loaded.reserved), reserved: loaded.reserved },
    ...{ prescriptions, questions: open, settings: settings[0] },
    ...{ sharing: sharing.toSorted((one, other) => (one.id < other.id ? 1 : -1)), customer, possibleDuplicateId },
  };
}

/** Adds the quantities reserved for the request to the stock of the products, because the request may use them. */
export function withReserved(products: OrderableProducts, reserved: readonly Reservation[]): OrderableProducts {
  if (reserved.length === 0) return products;
  const held = new Map(reserved.map(({ p1Id, quantity }) => [p1Id, quantity]));
  const own = [...products].map(([p1Id, product]) => {
    return [p1Id, { ...product, stockQuantity: product.stockQuantity + (held.get(p1Id) ?? 0) }] as const;
  });
  return Object.assign(new Map(own), { prescribed: products.prescribed });
}

/** The result of a decision about a request. */
export interface Decision {
  id: string;
  status: 'approved' | 'rejected' | 'pending';
  orderId: string | null;
  /** Warnings for a program about its approval, which need no answer. */
  warnings?: readonly ToldWarning[];
}

/** Metadata of the events about a request. */
export function requestMetadata(request: ListedRequest) {
  return {
    order_request_id: request.id,
    external_reference: request.externalReference ?? '',
    shop_id: request.shopId,
    source: request.source,
  };
}

/** Whether staff or a program decides. */
export function deciderOf({ actor }: Context): DecidedBy {
  return actor.kind === 'staff' ? 'staff' : 'program';
}

/**
 * Returns who decides: the id of the actor, or its kind if it has no id. It is stored with the decision. The error for
 * a later decision about the same request contains it.
 */
export function decidedBy(ctx: Context): string {
  return actorId(ctx) ?? ctx.actor.kind;
}

/**
 * Refuses a request that is not pending.
 * @throws AppError `already_decided`; it says who decided, when and how
 */
export function assertPending(request: ListedRequest): void {
  if (request.status !== 'pending') throw new AlreadyDecided(request);
}

/** The row of a request, without an access check. @throws AppError `order_request_not_found` */
export async function requireRequest(ctx: Context, orgId: string, id: string): Promise<RequestRow> {
  const rows = await ctx.db.rows(selectRequest({ orgId, id }));
  if (!rows[0]) throw notFound('order_request_not_found');
  return rows[0];
}

/** The row of a request and its reservations, without an access check. @throws AppError `order_request_not_found` */
export async function requireReserved(ctx: Context, orgId: string, id: string) {
  const { rows, reserved } = await ctx.db.run({
    rows: selectRequest({ orgId, id }),
    reserved: selectReservations({ requestId: id }),
  });
  if (!rows[0]) throw notFound('order_request_not_found');
  return { request: rows[0], reserved };
}
