import { sql } from 'drizzle-orm';
import { type Condition, insertSelect } from '../platform/db';
import { organizations } from '../tenants/tables';
import { inventory, type StockReason, stockMovements } from './tables';

export interface NewMovement {
  id: string;
  orgId: string;
  p1Id: string;
  /** The difference, or the new stock. */
  change: { delta: number } | { to: number };
  reason: StockReason | 'initial' | 'removed' | 'order' | 'order_cancelled';
  orderId?: string;
  now: number;
}

/**
 * Changes stock: inserts a ledger row computed from the stock at the time of the batch; a trigger then applies it. A
 * change of zero writes nothing; a change to less than zero violates `stock_not_negative`.
 */
export function insertMovement({ id, orgId, p1Id, change, reason, orderId, now }: NewMovement) {
  const delta =
    'delta' in change
      ? sql`cast(${change.delta} as integer)`
      : sql`cast(${change.to} as integer) - ${inventory.stockQuantity}`;
  return insertSelect(
    stockMovements,
    {
      id,
      orgId,
      p1Id,
      delta,
      before: sql`${inventory.stockQuantity}`,
      after: sql`${inventory.stockQuantity} + ${delta}`,
      reason,
      orderId: orderId ?? null,
      createdAt: now,
    },
    sql`from ${inventory} where ${inventory.orgId} = ${orgId} and ${inventory.p1Id} = ${p1Id} and ${delta} <> 0`,
  );
}

/** A ledger row: ids are unique within a product. */
export type MovementKey = Pick<NewMovement, 'id' | 'p1Id'>;

export const threshold = sql`coalesce(${inventory.lowStockThreshold}, ${organizations.lowStockThreshold})`;

/** These movements, one look-up each: SQLite never reorders a CROSS JOIN. */
function movementsOf(orgId: string, keys: readonly MovementKey[]): Condition {
  const list = JSON.stringify(keys.map(({ p1Id, id }) => [p1Id, id]));
  return sql`json_each(${list}) as moved cross join ${stockMovements} on ${stockMovements.orgId} = ${orgId}
    and ${stockMovements.p1Id} = moved.value ->> 0 and ${stockMovements.id} = moved.value ->> 1`;
}

/**
 * Metadata of stock events and the tables to select them from, for the outbox. There is a row only for a movement that
 * made the stock fall below the threshold (`low_stock`) or to zero (`out_of_stock`).
 */
export function stockEventSource(type: 'low_stock' | 'out_of_stock', orgId: string, moved: readonly MovementKey[]) {
  const own = sql`(select low_stock_threshold from ${organizations} where id = ${orgId})`;
  const line = sql`coalesce(${inventory.lowStockThreshold}, ${own})`;
  const crossings = {
    low_stock: sql`${stockMovements.before} >= ${line} and ${stockMovements.after} < ${line}`,
    out_of_stock: sql`${stockMovements.before} > 0 and ${stockMovements.after} = 0`,
  };
  return {
    metadata: sql`json_object('p1_id', ${stockMovements.p1Id}, 'stock_quantity', ${stockMovements.after}, 'threshold', ${line})`,
    from: sql`from ${movementsOf(orgId, moved)}
      cross join ${inventory} on ${inventory.orgId} = ${orgId} and ${inventory.p1Id} = ${stockMovements.p1Id}
      where ${crossings[type]}`,
    rowsMax: moved.length,
  };
}

export interface OrderMovements {
  orgId: string;
  orderId: string;
  reason: 'order' | 'order_cancelled';
  /** One for each product; a negative delta takes stock out. */
  movements: readonly { id: string; p1Id: string; delta: number }[];
  now: number;
}

/**
 * Moves the stock of all products of an order with one statement. A product that is not held gets no movement. SQLite
 * never reorders a CROSS JOIN: this way it makes one index look-up for each line and does not read the whole inventory.
 */
export function insertOrderMovements({ orgId, orderId, reason, movements, now }: OrderMovements) {
  const wanted = (key: string) => sql`json_extract(wanted.value, ${`$.${key}`})`;
  const delta = sql`cast(${wanted('delta')} as integer)`;
  return insertSelect(
    stockMovements,
    {
      id: wanted('id'),
      orgId,
      p1Id: sql`${inventory.p1Id}`,
      delta,
      before: sql`${inventory.stockQuantity}`,
      after: sql`${inventory.stockQuantity} + ${delta}`,
      reason,
      orderId,
      createdAt: now,
    },
    sql`from json_each(${JSON.stringify(movements)}) as wanted
      cross join ${inventory} on ${inventory.orgId} = ${orgId} and ${inventory.p1Id} = ${wanted('p1Id')}`,
  );
}

/**
 * Must follow `insertOrderMovements` directly: whether that inserted this many rows. Reads no rows; what the trigger
 * changed does not count.
 */
export function haveMoved(count: number): Condition {
  return sql`changes() = ${count}`;
}

/** Whether all these movements were inserted. */
export function allMoved(orgId: string, movements: readonly MovementKey[]): Condition {
  return sql`(select count(*) from ${movementsOf(orgId, movements)}) = ${movements.length}`;
}
