import { type OrderableProducts, orderableById } from '../../inventory/service';
import type { Context } from '../../platform/context';
import type { Condition } from '../../platform/data/db';
import { notFound } from '../../platform/errors';
import { firstIdAt } from '../../platform/ids';
import { DAY_MS } from '../../platform/time';
import type { PrescriptionRow } from '../../prescriptions/service';
import { DUPLICATE_DAYS } from '../limits';
import { type ListedRequest, productsOfRequest } from '../store-requests';
import { selectFacts } from './store-facts';

/** A request with what belongs to it. */
export interface LoadedRequest {
  request: ListedRequest;
  /** That its items name, as its shop sells them. */
  products: OrderableProducts;
  prescriptions: PrescriptionRow[];
}

/** What is known of the person beside the request. */
export interface PersonFacts {
  /** The returning customer, if it is one. */
  customer: readonly { id: string }[];
  /** Another request of the same person, of the last days. */
  possibleDuplicateId: string | null;
}

/** All that a decision about a request depends on. */
export type RequestFacts = LoadedRequest & PersonFacts;

/** As `selectFacts`, for one round trip. */
export function loadRequest(ctx: Context, orgId: string, id: string, p1Ids: Condition) {
  return selectFacts({ orgId, id, since: firstIdAt(ctx.now() - DUPLICATE_DAYS * DAY_MS) }, p1Ids);
}

/**
 * Reads what a decision about a request depends on: one round trip.
 * @param others products that the edited lines name, beside those of the request
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

/** What `loadRequest` has read. @throws AppError `order_request_not_found` */
export function factsOf({ rows, products, prescriptions, customer, duplicates }: Loaded): RequestFacts {
  const [request] = rows;
  if (!request) throw notFound('order_request_not_found', 'There is no such order request.');
  const possibleDuplicateId = duplicates[0]?.id ?? null;
  return { request, products: orderableById(products), prescriptions, customer, possibleDuplicateId };
}
