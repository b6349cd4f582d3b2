import { actorId } from '../platform/access';
import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { AppError } from '../platform/errors/errors';
import { newId } from '../platform/ids';
import { DAY_MS } from '../platform/time';
import { outboxEventsFromRows, outboxProducts } from '../webhooks/outbox';
import { COUNTED_AHEAD_MS, COUNTED_DAYS_MAX } from './limits';
import * as stockStore from './store-stock';

/** The change of one product by a command. The product must be stocked when the batch runs. */
interface StockWrite {
  p1Id: string;
  /** The change of the stock; if missing, only `fields` change. */
  change?: stockStore.StockChange;
  reason?: stockStore.NewMovement['reason'];
  reference?: string | null;
  /** Wire names of the other fields that the command changes, for the event. */
  fields?: readonly string[];
  /** The stock version that the decision depends on. The batch is rolled back if the stored version differs. */
  stockVersion?: number;
}

/**
 * Returns the batch entries for all stock changes of a command: the movements, the events about changed products, and
 * the events `low_stock` and `out_of_stock`. Put the entries after all other writes of the batch. A change that takes
 * more than the stock violates `stock_not_negative` and rolls the batch back. A command on many products first checks
 * the stock itself, and passes the stock versions that it read.
 * @param writes at most one for each product; with `isBulk` at most 500, and one event for all of them
 * @returns the movements with their ids, the entries of the batch, and a SELECT of the products after the batch
 */
export function stockEntries(ctx: Context, orgId: string, writes: readonly StockWrite[], { isBulk = false } = {}) {
  const all = writes.map((write) => ({ ...write, id: write.change ? newId() : null }));
  const moved = all.flatMap(({ id, p1Id, change, reason = 'other' as const, reference }) =>
    id !== null && change ? [{ id, p1Id, change, reason, reference }] : [],
  );
  const changed = all.map(({ p1Id, id, fields }) => ({ p1Id, movementId: id ?? undefined, fields }));
  const products = all.map(({ p1Id, id, stockVersion = null }) => ({ p1Id, id, stockVersion }));
  const entries: BatchEntry[] = [
    stockStore.whileStocked({ orgId, products }),
    ...(moved.length === 0 ? [] : [stockStore.insertMovements(ledgerWriter(ctx, orgId), moved)]),
    ...stockStore.rememberCounts(ledgerWriter(ctx, orgId), moved),
    ...(isBulk ? bulkProductEvents : productEvents)(ctx, orgId, changed),
    ...stockEvents(
      ctx,
      orgId,
      moved.filter(({ change }) => !('delta' in change) || change.delta < 0),
    ),
  ];
  return { moved, entries, after: stockStore.selectMoved(orgId, all) };
}

/** Returns the error message for the time of a count; null if the time is valid. */
export function faultOfCount(countedAt: number, now: number): string | null {
  if (countedAt > now + COUNTED_AHEAD_MS) return 'The time of a count lies in the past.';
  return countedAt < now - COUNTED_DAYS_MAX * DAY_MS ? `A count may be at most ${COUNTED_DAYS_MAX} days old.` : null;
}

/** Returns the organization, the actor and the time that ledger rows record. */
export function ledgerWriter(ctx: Context, orgId: string): stockStore.LedgerWriter {
  return { orgId, actorKind: ctx.actor.kind, actorId: actorId(ctx), now: ctx.now() };
}

/** Returns the events `low_stock` and `out_of_stock` for movements that the batch inserts before these entries. */
export function stockEvents(ctx: Context, orgId: string, moved: readonly stockStore.MovementKey[]): BatchEntry[] {
  if (moved.length === 0) return [];
  return (['low_stock', 'out_of_stock'] as const).map((type) =>
    outboxEventsFromRows(ctx, {
      type,
      orgId,
      rowsMax: moved.length,
      rows: stockStore.stockCrossings[type]({ orgId, moved }),
    }),
  );
}

/**
 * Returns the batch entries that make an event `product_updated` for each product that a command changes. Put them
 * after all writes of the batch, because the events have the product's values at that point. A product that is not
 * stocked at that point gets no event.
 */
export function productEvents(
  ctx: Context,
  orgId: string,
  changed: readonly stockStore.ChangedProduct[],
): BatchEntry[] {
  return eventsOf(ctx, 'product_updated', orgId, changed);
}

/** Returns the events `product_created` of products that are added to the inventory. Otherwise like `productEvents`. */
export function createdEvents(ctx: Context, orgId: string, p1Ids: readonly string[]): BatchEntry[] {
  const changed = p1Ids.map((p1Id) => ({ p1Id, isCreated: true }));
  return eventsOf(ctx, 'product_created', orgId, changed);
}

/**
 * Returns the batch entry that makes one event `products_updated` for all products that a command changes, at most 500.
 * Subscriptions that take only `product_updated` get one event for each product. Otherwise like `productEvents`.
 */
export function bulkProductEvents(
  ctx: Context,
  orgId: string,
  changed: readonly stockStore.ChangedProduct[],
): BatchEntry[] {
  if (changed.length === 0) return [];
  return [
    outboxProducts(ctx, { orgId, rowsMax: changed.length, rows: stockStore.changedProducts({ orgId, changed }) }),
  ];
}

function eventsOf(
  ctx: Context,
  type: 'product_created' | 'product_updated',
  orgId: string,
  changed: readonly stockStore.ChangedProduct[],
): BatchEntry[] {
  if (changed.length === 0) return [];
  const rows = stockStore.changedProducts({ orgId, changed });
  return [outboxEventsFromRows(ctx, { type, orgId, rowsMax: changed.length, rows })];
}

interface OrderStockChange extends Pick<stockStore.OrderMovements, 'orgId' | 'orderId' | 'reason'> {
  /** At most one move for each product. */
  moves: readonly Omit<stockStore.OrderMovement, 'id'>[];
  /**
   * The stock versions that the moves depend on, by product id. The batch is rolled back if a stored version differs.
   */
  seen?: ReadonlyMap<string, number>;
}

/**
 * Returns the batch entries that move an order's stock through the ledger, and their events. The batch is rolled back
 * if more is promised to the order than is in stock (`stock_not_negative`), or if a promised product is no longer held
 * by the organization. Other moves of a product that is not held are not recorded.
 */
export function moveOrderStock(ctx: Context, { orgId, orderId, reason, moves, seen }: OrderStockChange): BatchEntry[] {
  if (moves.length === 0) return [];
  const movements = moves.map((each) => ({ id: newId(), ...each }));
  // Only promises reduce the quantity that can be promised.
  const promised = movements.filter(({ committed }) => committed > 0);
  const products = movements.flatMap(({ id, p1Id }) => {
    const stockVersion = seen?.get(p1Id);
    return stockVersion === undefined ? [] : [{ id, p1Id, stockVersion }];
  });
  return [
    ...(products.length > 0 ? [stockStore.whileStocked({ orgId, products })] : []),
    stockStore.moveOrder({ ...ledgerWriter(ctx, orgId), orderId, reason, movements }),
    ...productEvents(
      ctx,
      orgId,
      movements.map(({ id, p1Id }) => ({ p1Id, movementId: id })),
    ),
    ...stockEvents(ctx, orgId, promised),
  ];
}

export class OutOfStock extends AppError {
  readonly stockQuantity = 0;

  constructor() {
    super('out_of_stock', 'A product can be attached when its stock is above 0.');
  }
}

export class InsufficientStock extends AppError {
  /** @param stockQuantity the current stock */
  constructor(readonly stockQuantity: number) {
    super('insufficient_stock', 'The stock would go below 0.');
  }
}
