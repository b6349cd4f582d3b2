import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { assertInBatch } from '../platform/db';
import { newId } from '../platform/ids';
import { outboxEventsFromRows } from '../webhooks/outbox';
import { allMoved, haveMoved, insertOrderMovements, type MovementKey, stockCrossings } from './store-stock';

export interface OrderStockChange {
  orgId: string;
  orderId: string;
  reason: 'order' | 'order_cancelled';
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
  const isAll = taken.length === movements.length;
  return [
    insertOrderMovements({ orgId, orderId, reason, movements, now: ctx.now() }),
    ...(taken.length > 0
      ? [assertInBatch(isAll ? haveMoved({ count: taken.length }) : allMoved({ orgId, moved: taken }))]
      : []),
    // Returned stock cannot make the stock low.
    ...(taken.length > 0 ? stockEvents(ctx, orgId, taken) : []),
  ];
}

/** The events that ledger movements cause; put them after the movements in the batch. */
export function stockEvents(ctx: Context, orgId: string, moved: readonly MovementKey[]): BatchEntry[] {
  return (['low_stock', 'out_of_stock'] as const).map((type) =>
    outboxEventsFromRows(ctx, { type, orgId, rowsMax: moved.length, rows: stockCrossings[type]({ orgId, moved }) }),
  );
}
