import { actorsOf, ordersOfMovements, productDetail, productDetailOf, selectMovements } from '../inventory/service';
import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { notFound } from '../platform/errors';
import { selectKeyNames, selectOrderNumbers, selectPeople } from './store-audit';

/** As many movements as one file may hold: each may name a person and an order. */
const MOVEMENTS_FILE_MAX = 2_000;

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
  const { people, keys, orders, ...loaded } = await ctx.db.run({
    ...productDetail(orgId, p1Id),
    ...selectNames(orgId, p1Id),
  });
  return { product: productDetailOf(loaded), names: namesIn({ people, keys, orders }) };
}

/**
 * The latest movements of a product for a file, newest first, with the same names, in one round trip.
 * @returns at most 2,000, and whether there are more
 * @throws AppError `not_found` when there are none
 */
export async function exportMovements(ctx: Context, p1Id: string) {
  const { orgId } = requireScope(ctx, 'products.read');
  const { movements, ...named } = await ctx.db.run({
    movements: selectMovements(orgId, p1Id, MOVEMENTS_FILE_MAX + 1),
    ...selectNames(orgId, p1Id, MOVEMENTS_FILE_MAX),
  });
  if (movements.length === 0) throw notFound();
  const isCut = movements.length > MOVEMENTS_FILE_MAX;
  return { rows: movements.slice(0, MOVEMENTS_FILE_MAX), isCut, names: namesIn(named) };
}

/** @param latest of so many movements; those of the page unless it is given */
function selectNames(orgId: string, p1Id: string, latest?: number) {
  const actors = actorsOf(orgId, p1Id, latest);
  return {
    people: selectPeople(orgId, actors),
    keys: selectKeyNames(orgId, actors),
    orders: selectOrderNumbers(orgId, ordersOfMovements(orgId, p1Id, latest)),
  };
}

function namesIn({
  people,
  keys,
  orders,
}: Record<'people' | 'keys' | 'orders', readonly { id: string; name: string }[]>) {
  return new Map([...people, ...keys, ...orders].map(({ id, name }) => [id, name]));
}
