import { holdingProducts, type OrderableProduct, orderableById } from '../../inventory/service';
import { selectOrdersHolding, selectOrdersNumbered } from '../../orders/service';
import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { notFound } from '../../platform/errors';
import { fieldOf, selectRequest } from '../store-requests';
import { selectRequestsHolding } from './store';

const SHOWN_MAX = 25;
/** A transfer's purpose (orders/payments). */
const PURPOSE = /^bestellung\s+(\d{1,9})$/i;

/**
 * Finds order requests and orders by a name, an e-mail address, a reference, an id, an order's number or the purpose of a transfer: the
 * newest of each, among the newest 2,000 of each status only. One round trip.
 * @param text at least one character
 */
export async function globalSearch(ctx: Context, text: string) {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  requireScope(ctx, 'orders.read');
  const number = PURPOSE.exec(text)?.[1];
  return ctx.db.run({
    requests: selectRequestsHolding(orgId, text, SHOWN_MAX),
    orders:
      number === undefined ? selectOrdersHolding(orgId, text, SHOWN_MAX) : selectOrdersNumbered(orgId, Number(number)),
  });
}

export type DeskFindings = Awaited<ReturnType<typeof globalSearch>>;

/** The name by which an item was asked for; empty without one. One round trip. */
export async function askedNameOf(ctx: Context, { id, item }: { id: string; item: number }): Promise<string> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const { rows } = await ctx.db.run({ rows: selectRequest({ orgId, id }) });
  return rows[0]?.items[item]?.name ?? '';
}

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
