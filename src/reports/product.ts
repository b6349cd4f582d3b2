import { actorsOf, ordersOfMovements, productDetail, productDetailOf } from '../inventory/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { selectKeyNames, selectOrderNumbers, selectPeople } from './store-audit';

/**
 * A product of the organization with all its layers, its shops and its latest movements, and the names of the people
 * and keys and the numbers of the orders that occur in it, in one round trip.
 * @param scope the right that the page requires
 * @throws AppError `not_found` when the organization does not hold it
 */
export async function readProduct(
  ctx: Context,
  p1Id: string,
  scope: 'products.read' | 'products.write' = 'products.read',
) {
  const { orgId } = requireScope(ctx, scope);
  const actors = actorsOf(orgId, p1Id);
  const { people, keys, orders, ...loaded } = await ctx.db.run({
    ...productDetail(orgId, p1Id),
    people: selectPeople(orgId, actors),
    keys: selectKeyNames(orgId, actors),
    orders: selectOrderNumbers(orgId, ordersOfMovements(orgId, p1Id)),
  });
  const names = new Map([...people, ...keys, ...orders].map(({ id, name }) => [id, name]));
  return { product: productDetailOf(loaded), names };
}
