import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { newId } from '../platform/ids';
import { ledgerWriter, stockEvents } from './ledger';
import { productEvents } from './product-events';
import { moveOrder, type OrderMovement, type OrderMovements } from './store-stock';

interface OrderStockChange extends Pick<OrderMovements, 'orgId' | 'orderId' | 'reason'> {
  /** At most one of each product. */
  moves: readonly Omit<OrderMovement, 'id'>[];
}

/**
 * Moves an order's stock through the ledger, with the events that follow, for the batch that changes the order.
 * To promise more than there is violates `stock_not_negative`, which undoes the batch; so does promising a product that the
 * organization no longer holds. Whatever else happens to such a product is not recorded.
 */
export function moveOrderStock(ctx: Context, { orgId, orderId, reason, moves }: OrderStockChange): BatchEntry[] {
  if (moves.length === 0) return [];
  const movements = moves.map((each) => ({ id: newId(), ...each }));
  // Only a promise leaves less to be promised.
  const promised = movements.filter(({ committed }) => committed > 0);
  return [
    moveOrder({ ...ledgerWriter(ctx, orgId), orderId, reason, movements }),
    ...productEvents(
      ctx,
      orgId,
      movements.map(({ id, p1Id }) => ({ p1Id, movementId: id })),
    ),
    ...stockEvents(ctx, orgId, promised),
  ];
}
