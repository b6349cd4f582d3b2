import { holdingProducts, type OrderableProduct, orderableById } from '../../inventory/service';
import { selectOrdersHolding } from '../../orders/service';
import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { notFound } from '../../platform/errors';
import { fieldOf, selectRequest } from '../store-requests';
import { selectRequestsHolding } from './store';

const SHOWN_MAX = 25;
/** The word before the number in a transfer's purpose (orders/payments); people copy it too. */
const TRANSFER_WORD = /^bestellung\s+(?=\d{1,9}$)/i;

/**
 * Finds order requests and orders by a name, an e-mail address, a reference, an id, an order's number or the purpose of a transfer: the
 * newest of each, among the newest 2,000 of each status only. One round trip.
 * @param text at least one character
 */
export async function globalSearch(ctx: Context, text: string) {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  requireScope(ctx, 'orders.read');
  const search = text.replace(TRANSFER_WORD, '');
  return ctx.db.run({
    requests: selectRequestsHolding(orgId, search, SHOWN_MAX),
    orders: selectOrdersHolding(orgId, search, SHOWN_MAX),
  });
}

export type DeskFindings = Awaited<ReturnType<typeof globalSearch>>;

/**
 * Finds products for a line of a request by a part of their name or id, as the request's shop sells them. One round
 * trip.
 * @throws AppError `order_request_not_found`
 */
export async function findProductsFor(ctx: Context, input: { id: string; text: string }): Promise<OrderableProduct[]> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  requireScope(ctx, 'inventory.read');
  const { rows, products } = await ctx.db.run({
    rows: selectRequest({ orgId, id: input.id }),
    products: holdingProducts(orgId, fieldOf(input.id, 'shop_id'), input.text),
  });
  if (rows.length === 0) throw notFound('order_request_not_found', 'There is no such order request.');
  return [...orderableById(products).values()];
}
