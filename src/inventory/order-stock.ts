import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { newId } from '../platform/ids';
import { ledgerWriter, stockEvents } from './ledger';
import { productEvents } from './product-events';
import { moveOrder, type OrderMovement, type OrderMovements, whileStocked } from './store-stock';

interface OrderStockChange extends Pick<OrderMovements, 'orgId' | 'orderId' | 'reason'> {
  /** At most one of each product. */
  moves: readonly Omit<OrderMovement, 'id'>[];
  /** Versions of the stock that the moves rest on, by product: the batch is undone where it is another. */
  seen?: ReadonlyMap<string, number>;
}

/**
 * Moves an order's stock through the ledger, with the events that follow, for the batch that changes the order.
 * To promise more than there is violates `stock_not_negative`, which undoes the batch; so does promising a product that the
 * organization no longer holds. Whatever else happens to such a product is not recorded.
 */
export function moveOrderStock(ctx: Context, { orgId, orderId, reason, moves, seen }: OrderStockChange): BatchEntry[] {
  if (moves.length === 0) return [];
  const movements = moves.map((each) => ({ id: newId(), ...each }));
  // Only a promise leaves less to be promised.
  const promised = movements.filter(({ committed }) => committed > 0);
  const products = movements.flatMap(({ id, p1Id }) => {
    const stockVersion = seen?.get(p1Id);
    return stockVersion === undefined ? [] : [{ id, p1Id, stockVersion }];
  });
  return [
    ...(products.length > 0 ? [whileStocked({ orgId, products })] : []),
    moveOrder({ ...ledgerWriter(ctx, orgId), orderId, reason, movements }),
    ...productEvents(
      ctx,
      orgId,
      movements.map(({ id, p1Id }) => ({ p1Id, movementId: id })),
    ),
    ...stockEvents(ctx, orgId, promised),
  ];
}
