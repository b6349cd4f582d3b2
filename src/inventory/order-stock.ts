import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { newId } from '../platform/ids';
import { outboxEventsFromRows } from '../webhooks/outbox';
import { type MovementKey, moveOrder, type OrderMovements, stockCrossings } from './store-stock';

interface OrderStockChange extends Pick<OrderMovements, 'orgId' | 'orderId' | 'reason'> {
  /** One for each product; a negative delta takes stock out. */
  deltas: readonly { p1Id: string; delta: number }[];
}

/**
 * Moves an order's stock through the ledger, with the stock events that follow, for the batch that changes the order.
 * Insufficient stock violates `stock_not_negative`, which undoes the batch; so does taking stock of a product that the
 * organization no longer holds. Stock that is returned for such a product is not recorded.
 */
export function moveOrderStock(
  ctx: Context,
  { orgId, orderId, reason, deltas }: OrderStockChange,
): readonly BatchEntry[] {
  if (deltas.length === 0) return [];
  const movements = deltas.map((each) => ({ id: newId(), ...each }));
  const taken = movements.filter(({ delta }) => delta < 0);
  const moves = [moveOrder({ orgId, orderId, reason, movements, now: ctx.now() })];
  // Returned stock cannot make the stock low.
  return taken.length === 0 ? moves : withStockEvents(ctx, orgId, taken, moves);
}

/** @param moves what makes these movements; the events that they cause come behind it */
export function withStockEvents(
  ctx: Context,
  orgId: string,
  moved: readonly MovementKey[],
  moves: readonly BatchEntry[],
): BatchEntry[] {
  const events = (['low_stock', 'out_of_stock'] as const).map((type) =>
    outboxEventsFromRows(ctx, { type, orgId, rowsMax: moved.length, rows: stockCrossings[type]({ orgId, moved }) }),
  );
  return [...moves, ...events];
}
