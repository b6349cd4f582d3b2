import { sql } from 'drizzle-orm';
import { assertInBatch, type Condition, type GuardedWrite, insertSelect, type Statement } from '../platform/data/db';
import { encoded, jsonOf, type Named, prepared, preparedCondition } from '../platform/data/statements';
import { organizations } from '../tenants/tables';
import { inventory, type StockReason, stockMovements } from './tables';

export interface NewMovement {
  id: string;
  orgId: string;
  p1Id: string;
  /** The difference, or the new stock. */
  change: { delta: number } | { to: number };
  reason: StockReason | 'initial' | 'removed';
  now: number;
}

/**
 * Changes stock: inserts a ledger row computed from the stock at the time of the batch; a trigger then applies it. A
 * change of zero writes nothing; a change to less than zero violates `stock_not_negative`.
 */
export function insertMovement({ id, orgId, p1Id, change, reason, now }: NewMovement) {
  const delta =
    'delta' in change
      ? sql`cast(${change.delta} as integer)`
      : sql`cast(${change.to} as integer) - ${inventory.stockQuantity}`;
  return insertSelect(
    stockMovements,
    { id, orgId, p1Id, delta, ...stockAround(delta), reason, orderId: null, createdAt: now },
    sql`from ${inventory} where ${inventory.orgId} = ${orgId} and ${inventory.p1Id} = ${p1Id} and ${delta} <> 0`,
  );
}

/** The stock before and after a movement. */
function stockAround(delta: Condition) {
  return { before: sql`${inventory.stockQuantity}`, after: sql`${inventory.stockQuantity} + ${delta}` };
}

/** A ledger row: ids are unique within a product. */
export type MovementKey = Pick<NewMovement, 'id' | 'p1Id'>;

export const threshold = sql`coalesce(${inventory.lowStockThreshold}, ${organizations.lowStockThreshold})`;

interface Moved {
  orgId: string;
  moved: readonly MovementKey[];
}

/** These movements, one look-up each: SQLite never reorders a CROSS JOIN. */
function movementsOf({ orgId, moved }: Named<Moved>): Condition {
  const list = encoded(moved, (keys) => JSON.stringify(keys.map(({ p1Id, id }) => [p1Id, id])));
  return sql`json_each(${list}) as moved cross join ${stockMovements} on ${stockMovements.orgId} = ${orgId}
    and ${stockMovements.p1Id} = moved.value ->> 0 and ${stockMovements.id} = moved.value ->> 1`;
}

/** Metadata of a stock event for each of these movements that crosses a line of the stock, for the outbox. */
function crossing(isCrossed: (line: Condition) => Condition) {
  return preparedCondition(({ orgId, moved }: Named<Moved>) => {
    const own = sql`(select low_stock_threshold from ${organizations} where id = ${orgId})`;
    const line = sql`coalesce(${inventory.lowStockThreshold}, ${own})`;
    return sql`select json_object('p1_id', ${stockMovements.p1Id}, 'stock_quantity', ${stockMovements.after},
        'threshold', ${line}) as metadata
      from ${movementsOf({ orgId, moved })}
      cross join ${inventory} on ${inventory.orgId} = ${orgId} and ${inventory.p1Id} = ${stockMovements.p1Id}
      where ${isCrossed(line)}`;
  });
}

/** Of movements that made the stock fall below the threshold (`low_stock`) or to zero (`out_of_stock`). */
export const stockCrossings = {
  low_stock: crossing((line) => sql`${stockMovements.before} >= ${line} and ${stockMovements.after} < ${line}`),
  out_of_stock: crossing(() => sql`${stockMovements.before} > 0 and ${stockMovements.after} = 0`),
};

export interface OrderMovements {
  orgId: string;
  orderId: string;
  reason: 'order' | 'order_cancelled' | 'return';
  /** One for each product; a negative delta takes stock out. */
  movements: readonly { id: string; p1Id: string; delta: number }[];
  now: number;
}

/**
 * Moves the stock of all products of an order with one statement. A product that is not stocked gets no movement. SQLite
 * never reorders a CROSS JOIN: this way it makes one index look-up for each line and does not read the whole inventory.
 */
const insertOrderMovements = prepared((of: Named<OrderMovements>) => {
  const wanted = (key: string) => sql`json_extract(wanted.value, ${`$.${key}`})`;
  const delta = sql`cast(${wanted('delta')} as integer)`;
  return insertSelect(
    stockMovements,
    {
      id: wanted('id'),
      orgId: of.orgId,
      p1Id: sql`${inventory.p1Id}`,
      delta,
      ...stockAround(delta),
      reason: of.reason,
      orderId: of.orderId,
      createdAt: of.now,
    },
    sql`from json_each(${jsonOf(of.movements)}) as wanted
      cross join ${inventory} on ${inventory.orgId} = ${of.orgId} and ${inventory.p1Id} = ${wanted('p1Id')}`,
  );
});

/** As `insertOrderMovements`; the batch is undone unless all that take stock out are made. */
export function moveOrder(of: OrderMovements): GuardedWrite | Statement {
  const write = insertOrderMovements(of);
  const moved = of.movements.filter(({ delta }) => delta < 0);
  if (moved.length === 0) return write;
  const isAll = moved.length === of.movements.length;
  return {
    write,
    guard: assertInBatch(isAll ? haveMoved({ count: moved.length }) : allMoved({ orgId: of.orgId, moved })),
  };
}

/** As `insertMovement`, once for its id; the batch is undone where there is no such movement then. */
export function mustMove(movement: NewMovement): GuardedWrite {
  const write = insertMovement(movement).onConflictDoNothing();
  return { write, guard: assertInBatch(allMoved({ orgId: movement.orgId, moved: [movement] })) };
}

/** The statement before inserted this many rows. Reads none; what the trigger changed does not count. */
const haveMoved = preparedCondition(({ count }: Named<{ count: number }>) => sql`changes() = ${count}`);

/** Whether all these movements were inserted. */
const allMoved = preparedCondition(
  (of: Named<Moved>) => sql`(select count(*) from ${movementsOf(of)}) = ${encoded(of.moved, ({ length }) => length)}`,
);
