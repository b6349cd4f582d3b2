import { orderableByShop, orderableProducts } from '../inventory/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import type { Condition } from '../platform/db';
import { ABOVE_ALL_IDS } from '../platform/ids';
import { pageOf } from '../platform/page';
import { type Named, prepared, type Value } from '../platform/statements';
import { prescriptionsOfRequests } from '../prescriptions/service';
import { readFacts } from './facts';
import { type ReviewedRequest, reviewOf } from './reviewed';
import {
  productsNamedBy,
  type RequestFilter,
  type RequestPage,
  requestPage,
  selectRequests,
  shopsOf,
} from './store-review';

/** @throws AppError `order_request_not_found` */
export async function getOrderRequest(ctx: Context, id: string): Promise<ReviewedRequest> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const facts = await readFacts(ctx, orgId, id);
  return reviewOf(facts, facts);
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
  const at = { orgId, statuses, before: before ?? ABOVE_ALL_IDS, limit: limit + 1 };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const loaded = await ctx.db.run(isFiltered ? statementsOf(orgId, requestPage(at, filter)) : allRequests(at));
  const { page, nextCursor } = pageOf(loaded.rows, limit, ({ id }) => id);
  const productsOf = orderableByShop(loaded.products);
  return {
    requests: page.map((request) =>
      reviewOf(
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

/** @param page a subquery of ids */
function statementsOf(orgId: Value<string>, page: Condition) {
  return {
    rows: selectRequests(page),
    prescriptions: prescriptionsOfRequests(orgId, page),
    products: orderableProducts(orgId, shopsOf(page), productsNamedBy(page)),
  };
}

const selectAll = prepared((at: Named<RequestPage>) => statementsOf(at.orgId, requestPage(at)).rows);
const selectPrescriptionsOfAll = prepared(
  (at: Named<RequestPage>) => statementsOf(at.orgId, requestPage(at)).prescriptions,
);
const selectProductsOfAll = prepared((at: Named<RequestPage>) => statementsOf(at.orgId, requestPage(at)).products);

function allRequests(at: RequestPage) {
  return { rows: selectAll(at), prescriptions: selectPrescriptionsOfAll(at), products: selectProductsOfAll(at) };
}
