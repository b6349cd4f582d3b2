import { orderableByShop, orderableProducts } from '../inventory/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { pageOf } from '../platform/page';
import { prescriptionsOfRequests } from '../prescriptions/service';
import { readFacts } from './facts';
import { type ReviewedRequest, reviewed } from './reviewed';
import { productsNamedBy, type RequestFilter, requestPage, selectRequests, shopsOf } from './store-review';

/** @throws AppError `order_request_not_found` */
export async function getOrderRequest(ctx: Context, id: string): Promise<ReviewedRequest> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const facts = await readFacts(ctx, orgId, id);
  return reviewed(facts, facts);
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
    products: orderableProducts(orgId, shopsOf(ids), productsNamedBy(ids)),
  });
  const { page, nextCursor } = pageOf(loaded.rows, limit, ({ id }) => id);
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
    nextCursor,
  };
}
