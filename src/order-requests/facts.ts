import { type OrderableProduct, orderableById, orderableProducts } from '../inventory/service';
import { findCustomer } from '../orders/service';
import type { Context } from '../platform/context';
import type { Condition } from '../platform/db';
import { notFound } from '../platform/errors';
import { firstIdAt } from '../platform/ids';
import { type Named, prepared } from '../platform/statements';
import { DAY_MS } from '../platform/time';
import { type PrescriptionRow, prescriptionsOf } from '../prescriptions/service';
import { DUPLICATE_DAYS } from './limits';
import {
  fieldOf,
  productsListed,
  productsOfRequest,
  type RequestRow,
  selectPossibleDuplicate,
  selectRequest,
} from './store-review';

/** A request with what belongs to it. */
export interface LoadedRequest {
  request: RequestRow;
  /** That its items name, as its shop sells them. */
  products: Map<string, OrderableProduct>;
  prescriptions: PrescriptionRow[];
}

/** What is known of the person beside the request. */
export interface PersonFacts {
  /** The returning customer, if it is one. */
  customer: readonly { id: string }[];
  isPossibleDuplicate: boolean;
}

/** All that a decision about a request depends on. */
export type RequestFacts = LoadedRequest & PersonFacts;

/**
 * The statements that load a request and everything that its decision depends on, in one round trip.
 * @param p1Ids a subquery of the products to load
 */
export function loadRequest(ctx: Context, orgId: string, id: string, p1Ids: Condition) {
  const since = firstIdAt(ctx.now() - DUPLICATE_DAYS * DAY_MS);
  return {
    rows: selectRequest({ orgId, id }),
    prescriptions: selectPrescriptions({ orgId, id }),
    products: selectProducts({ orgId, id }, p1Ids),
    customer: selectCustomer({ orgId, id }),
    duplicates: selectPossibleDuplicate({ orgId, requestId: id, since }),
  };
}

type OfRequest = Named<{ orgId: string; id: string }>;

const selectPrescriptions = prepared(({ orgId, id }: OfRequest) => prescriptionsOf(orgId, { orderRequestId: id }));

const selectProducts = prepared(({ orgId, id }: OfRequest, p1Ids: Condition) =>
  orderableProducts(orgId, fieldOf(id, 'shop_id'), p1Ids),
);

const selectCustomer = prepared(({ orgId, id }: OfRequest) =>
  findCustomer(orgId, { customerId: fieldOf(id, 'customer_id'), customerEmail: fieldOf(id, 'customer_email') }),
);

/**
 * Reads what a decision about a request depends on: one round trip.
 * @param p1Ids the products that the edited lines name; those of the request when missing
 * @throws AppError `order_request_not_found`
 */
export async function readFacts(
  ctx: Context,
  orgId: string,
  id: string,
  p1Ids?: readonly string[],
): Promise<RequestFacts> {
  const products = p1Ids ? productsListed({ p1Ids }) : productsOfRequest({ id, others: [] });
  const loaded = await ctx.db.run(loadRequest(ctx, orgId, id, products));
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
