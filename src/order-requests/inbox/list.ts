import { orderableByShop, requireShopRow, selectShop } from '../../inventory/service';
import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { changeAt } from '../../platform/data/changes';
import { inList } from '../../platform/data/db';
import { completePage } from '../../platform/data/wide-rows';
import { ABOVE_ALL_IDS } from '../../platform/ids';
import type { Place } from '../../platform/page';
import { readFacts } from '../review/facts';
import { type ReviewedRequest, reviewOf } from '../review/review-of';
import { selectWideRequests } from '../store-requests';
import type { RequestFilter, RequestPage } from './store-list';
import { selectChangesPage, selectRequestPage } from './store-pages';

/** @throws AppError `order_request_not_found` */
export async function getOrderRequest(ctx: Context, id: string): Promise<ReviewedRequest> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const facts = await readFacts(ctx, orgId, id);
  return reviewOf(ctx, facts, facts);
}

export interface RequestQuery extends RequestFilter, Pick<RequestPage, 'statuses' | 'limit'> {
  from: Place;
}

/**
 * Requests, newest first, or by their last changes. Only a single request includes the warnings `possible_duplicate` and
 * `unknown_customer`. Where no index finds what is asked for, a page may be short although more follow.
 * @returns one page, the place of the next (null at the end), and the place behind one of its requests
 * @throws AppError `shop_not_found`
 */
export async function listOrderRequests(ctx: Context, { from, ...query }: RequestQuery) {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const { rows, products, prescriptions, next } =
    'before' in from ? await readNewest(ctx, orgId, from.before, query) : await readChanges(ctx, orgId, from, query);
  const productsOf = orderableByShop(products);
  return {
    requests: rows.map((request) =>
      reviewOf(
        ctx,
        {
          request,
          products: productsOf(request.shopId),
          prescriptions: prescriptions.filter(({ orderRequestId }) => orderRequestId === request.id),
        },
        null,
      ),
    ),
    next,
    placeOf: ({ request: { id, changeNumber } }: ReviewedRequest): Place =>
      'before' in from ? { before: id } : { changedAfter: changeNumber },
  };
}

const shopOf = (orgId: string, { shopId }: RequestFilter) =>
  shopId === undefined ? undefined : selectShop({ orgId, shopId });

type Query = Omit<RequestQuery, 'from'>;

const readWide = (ctx: Context) => (ids: string[]) => ctx.db.rows(selectWideRequests(inList(ids)));

async function readNewest(ctx: Context, orgId: string, from: string | null, { limit, statuses, ...filter }: Query) {
  const wanted = { orgId, statuses, before: from ?? ABOVE_ALL_IDS, limit: limit + 1 };
  const { rows, end, shop, ...related } = await ctx.db.run({
    ...selectRequestPage(wanted, filter),
    shop: shopOf(orgId, filter),
  });
  if (shop) requireShopRow(shop);
  const { page, nextCursor } = await completePage(rows, limit, ({ id }) => id, readWide(ctx));
  const before = nextCursor ?? end?.[0]?.before ?? null;
  return { ...related, rows: page, next: before === null ? null : { before } };
}

async function readChanges(
  ctx: Context,
  orgId: string,
  from: Exclude<Place, { before: unknown }>,
  { limit, statuses, ...filter }: Query,
) {
  const after = 'changedAfter' in from ? from.changedAfter : changeAt(from.updatedAfter);
  const wanted = { orgId, statuses, after, limit: limit + 1 };
  const { rows, end, shop, ...related } = await ctx.db.run({
    ...selectChangesPage(wanted, filter),
    shop: shopOf(orgId, filter),
  });
  if (shop) requireShopRow(shop);
  const { page, nextCursor } = await completePage(rows, limit, ({ changeNumber }) => changeNumber, readWide(ctx));
  const changedAfter = nextCursor ?? end?.[0]?.changedAfter ?? null;
  return { ...related, rows: page, next: changedAfter === null ? null : { changedAfter } };
}
