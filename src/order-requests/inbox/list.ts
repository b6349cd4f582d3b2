import { orderableByShop } from '../../inventory/service';
import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { ABOVE_ALL_IDS } from '../../platform/ids';
import { pageOf } from '../../platform/page';
import { readFacts } from '../review/facts';
import { type ReviewedRequest, reviewOf } from '../review/review-of';
import type { RequestFilter, RequestPage } from '../store-requests';
import { selectRequestPage } from './store-pages';

/** @throws AppError `order_request_not_found` */
export async function getOrderRequest(ctx: Context, id: string): Promise<ReviewedRequest> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const facts = await readFacts(ctx, orgId, id);
  return reviewOf(ctx, facts, facts);
}

export interface RequestQuery extends RequestFilter, Pick<RequestPage, 'statuses' | 'limit'> {
  /** Only requests older than this id; null to begin with the newest. */
  before: string | null;
}

/**
 * Requests, newest first. Only a single request includes the warnings `possible_duplicate` and `unknown_customer`.
 * @returns one page and the cursor of the next, null at the end
 */
export async function listOrderRequests(ctx: Context, input: RequestQuery) {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const { limit, before, statuses, ...filter } = input;
  const wanted = { orgId, statuses, before: before ?? ABOVE_ALL_IDS, limit: limit + 1 };
  const loaded = await ctx.db.run(selectRequestPage(wanted, filter));
  const { page, nextCursor } = pageOf(loaded.rows, limit, ({ id }) => id);
  const productsOf = orderableByShop(loaded.products);
  return {
    requests: page.map((request) =>
      reviewOf(
        ctx,
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
