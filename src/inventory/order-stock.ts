import type { Context } from '../platform/context';
import { assertInBatch, type Statement } from '../platform/db';
import { newId } from '../platform/ids';
import { eventStatementsFromRows } from '../webhooks/outbox';
import { allMoved, haveMoved, insertOrderMovements, stockEventSource } from './store-stock';

export interface OrderStockChange {
  orgId: string;
  orderId: string;
  reason: 'order' | 'order_cancelled';
  /** One for each product; negative takes stock out. */
  deltas: readonly { p1Id: string; delta: number }[];
}

/**
 * The statements that move an order's stock through the ledger, with the stock events that this sets off, for the
 * batch that changes the order. Stock that falls short breaks `stock_not_negative`; a product that should be taken
 * from and is not held any more stops the batch. What is given back to a product that left the inventory is gone.
 */
export function moveOrderStock(ctx: Context, { orgId, orderId, reason, deltas }: OrderStockChange) {
  if (deltas.length === 0) return { statements: [], lowDeliveries: undefined, outDeliveries: undefined };
  const movements = deltas.map((each) => ({ id: newId(), ...each }));
  const taken = movements.filter(({ delta }) => delta < 0).map(({ id }) => id);
  const isAll = taken.length === movements.length;
  const ids = movements.map(({ id }) => id);
  const low = eventStatementsFromRows(ctx, { type: 'low_stock', orgId, ...stockEventSource('low_stock', orgId, ids) });
  const out = eventStatementsFromRows(ctx, {
    type: 'out_of_stock',
    orgId,
    ...stockEventSource('out_of_stock', orgId, ids),
  });
  return {
    statements: [
      insertOrderMovements(ctx.db, { orgId, orderId, reason, movements, now: ctx.now() }),
      ...(taken.length > 0 ? [assertInBatch(ctx.db, isAll ? haveMoved(taken.length) : allMoved(taken))] : []),
      low.event,
      out.event,
    ] as Statement[],
    lowDeliveries: low.deliveries,
    outDeliveries: out.deliveries,
  };
}
