import { holdingProducts, type OrderableProduct, orderableById } from '../../inventory/service';
import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { notFound } from '../../platform/errors';
import { fieldOf, selectRequest } from '../store-requests';

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
