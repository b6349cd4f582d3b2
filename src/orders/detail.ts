import { listAudit } from '../audit/service';
import { holdingProducts, orderableById, selectOrderable, selectShops } from '../inventory/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { ABOVE_ALL_IDS } from '../platform/ids';
import { pageOf } from '../platform/page';
import { selectPrescriptionsOf, uncoveredBy } from '../prescriptions/service';
import { requireOrder } from './require';
import { prescribedOf } from './rules';
import {
  type Order,
  type OrderFilter,
  requestIdOf,
  selectAllOrders,
  selectOrder,
  selectOrders,
  selectShopOfOrder,
  shopIdOf,
} from './store';
import { productsOf, selectLinkIds, selectNames } from './store-detail';
import { selectNotes, selectQuestions } from './timeline/store';

export interface OrderQuery extends OrderFilter {
  limit: number;
  /** Only orders older than this id; null to begin with the newest. */
  before: string | null;
}

/** Orders, newest first. @returns one page and the cursor of the next, null at the end */
export async function listOrders(ctx: Context, query: OrderQuery) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows } = await ctx.db.run({ rows: pageOfOrders(orgId, query) });
  return ordersOf(rows, query.limit);
}

/** The same, with the names of all shops, inactive ones too. */
export async function listOrdersAndShops(ctx: Context, query: OrderQuery) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows, shops } = await ctx.db.run({
    rows: pageOfOrders(orgId, query),
    shops: selectShops({ orgId }),
  });
  return { ...ordersOf(rows, query.limit), shops };
}

/** The statement that reads a page and one order more. */
function pageOfOrders(orgId: string, { limit, before, ...filter }: OrderQuery) {
  const page = { orgId, before: before ?? ABOVE_ALL_IDS, limit: limit + 1 };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return isFiltered ? selectOrders(page, filter) : selectAllOrders(page);
}

function ordersOf(rows: Awaited<ReturnType<typeof selectOrders>>, limit: number) {
  const { page: orders, nextCursor } = pageOf(rows, limit, ({ id }) => id);
  return { orders, nextCursor };
}

/** An order with everything known about it. @throws AppError `order_not_found` */
export async function getOrderDetail(ctx: Context, orderId: string) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows, shop, links, names, prescriptions, products, notes, questions } = await ctx.db.run({
    rows: selectOrder({ orgId, id: orderId }),
    shop: selectShopOfOrder(orgId, orderId),
    links: selectLinkIds(orgId, orderId),
    names: selectNames(orgId, orderId),
    prescriptions: selectPrescriptionsOf(orgId, { orderId, orderRequestId: requestIdOf(orgId, orderId) }),
    products: selectOrderable(orgId, shopIdOf(orgId, orderId), productsOf(orgId, orderId)),
    notes: selectNotes(orgId, { orderId, orderRequestId: requestIdOf(orgId, orderId) }),
    questions: selectQuestions(orgId, requestIdOf(orgId, orderId)),
  });
  const order: Order = requireOrder(rows[0]);
  const requestId = order.orderRequestId === null ? [] : [order.orderRequestId];
  return {
    order,
    shopName: shop[0]?.name ?? null,
    /** The audit rows of the order, its request and its payment links, newest first. */
    history: await listAudit(ctx, orderId, ...requestId, ...links.map(({ id }) => id)),
    /** Its own and those of its request. */
    prescriptions,
    /** What staff wrote about it and its request, and what they asked, newest first. */
    notes,
    questions,
    /** The lines need more than the approved ones cover. */
    isUncovered: uncoveredBy(prescriptions, prescribedOf(order.items)).length > 0,
    /** Names of the people and keys in the history, by id. */
    names: new Map(names.map(({ id, name }) => [id, name])),
    /** The products of its lines, as the shop sells them now. */
    products: orderableById(products),
  };
}

/** Products for a line of an order by a part of their name or id or by their PZN, as its shop sells them. */
export async function findProductsForOrder(ctx: Context, { id, text }: { id: string; text: string }) {
  const { orgId } = requireScope(ctx, 'orders.read');
  requireScope(ctx, 'inventory.read');
  const { products } = await ctx.db.run({ products: holdingProducts(orgId, shopIdOf(orgId, id), text) });
  return [...orderableById(products).values()];
}

export type OrderDetail = Awaited<ReturnType<typeof getOrderDetail>>;
