import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { CATALOG_FIELDS, productFields } from '../catalog/fields';
import { catalogProducts, type Unit } from '../catalog/tables';
import { pick } from '../platform/data/columns';
import { assertInBatch, type GuardedWrite, insertSelect } from '../platform/data/db';
import {
  type Condition,
  encoded,
  jsonOf,
  type Named,
  orm,
  prepared,
  preparedCondition,
  type Statement,
} from '../platform/data/statements';
import { firstIdAt } from '../platform/ids';
import { organizations } from '../platform/tables';
import { HOUR_MS } from '../platform/time';
import { isSettled } from '../tenants/tables';
import { takesEachProduct } from '../webhooks/events/store';
import { inventory, listings, onHand, reservations, type StockReason, stockMovements } from './tables';

/**
 * How a movement changes the stock of a product. `delta` is the change of the quantity on hand and of the quantity that
 * can be promised. `to` is the new quantity that can be promised. `onHand` is the quantity that was counted at
 * `countedAt`. Later movements are added to that quantity, and a later count takes precedence. None of the three
 * changes the promised quantity. Only a count may leave less on hand than is promised.
 */
export type StockChange = { delta: number } | { to: number } | { onHand: number; countedAt?: number };

export interface NewMovement {
  id: string;
  p1Id: string;
  change: StockChange;
  reason: StockReason | 'initial' | 'removed';
  reference?: string | null;
}

/**
 * How an order changes the stock of a product. `committed` is the change of the promised quantity. `onHand` is the
 * change of the quantity on hand.
 */
export interface OrderMovement {
  id: string;
  p1Id: string;
  committed: number;
  onHand: number;
  /** The id of a request. The movement uses up the reservation that this request has for the product. */
  requestId?: string | null;
}

/** One movement, in the form that the SQL statement reads. */
interface Wanted {
  id: string;
  p1Id: string;
  committed: number;
  /** The id of a request. The movement uses up the reservation that this request has for the product. */
  requestId?: string | null;
  /** Difference of the quantity on hand. */
  moved: number;
  /** Whether the batch is refused if the quantity that can be promised would be negative. */
  isStrict: boolean;
  stock?: number;
  onHand?: number;
  countedAt?: number;
  /** An id that sorts before the id of every movement after the count. */
  since?: string;
  reason: string;
  reference: string | null;
}

interface Ledger {
  orgId: string;
  wanted: readonly Wanted[];
  orderId: string | null;
  actorKind: string;
  actorId: string | null;
  now: number;
}

export interface LedgerWriter extends Omit<Ledger, 'wanted' | 'orderId'> {}

/** The most ms by which the time in a movement's id may precede the time of the movement. */
const ID_LAG_MS = HOUR_MS;

function wantedOf({ change, reference = null, ...of }: NewMovement, now: number): Wanted {
  const wanted = { ...of, reference, committed: 0, moved: 0, isStrict: false };
  if ('delta' in change) return { ...wanted, moved: change.delta, isStrict: change.delta < 0 };
  if ('to' in change) return { ...wanted, stock: change.to, countedAt: now };
  const { onHand, countedAt } = change;
  // The count is made now, so there are no later movements.
  if (countedAt === undefined) return { ...wanted, onHand, countedAt: now };
  return { ...wanted, onHand, countedAt, since: firstIdAfterCount(countedAt) };
}

/** Returns an id that sorts before the id of every movement after a count. */
export function firstIdAfterCount(countedAt: number): string {
  return firstIdAt(countedAt - ID_LAG_MS);
}

/**
 * Returns SQL for the quantity on hand now: the counted quantity plus all later movements. If a later count is known,
 * the stored quantity on hand stays.
 * @param count JSON with `onHand`, `countedAt` and `since`, for the product of the row of `inventory` in the query
 */
export function countedOf(orgId: SQL, count: SQL): SQL {
  const later = sql`from ${stockMovements} as later where later.org_id = ${orgId} and later.p1_id = inventory.p1_id
    and later.id >= ${count} ->> 'since' and later.created_at > ${count} ->> 'countedAt'`;
  return sql`iif(coalesce(inventory.counted_at, 0) > ${count} ->> 'countedAt'
      or exists (select 1 ${later} and later.counted_at > ${count} ->> 'countedAt'), ${onHand}, max(0,
    ${count} ->> 'onHand' + (select coalesce(sum(later.on_hand_delta), 0) ${later} and later.counted_at is null)))`;
}

/**
 * Inserts one ledger row for each movement. A trigger applies the row to the inventory. The values are computed from
 * the stock when the batch runs. A movement whose id exists, a product that is not stocked, and a change without effect
 * get no row.
 *
 * Three quantities determine the others: on hand, promised and reserved. The quantity that can be promised is what is
 * on hand minus the other two.
 *
 * If a count makes the quantity that can be promised negative, reservations are released, the newest first. Each
 * released reservation gets its own row with its share of the goods that were not found. The last one is released by
 * the movement's own row. The quantity that is still missing is the shortage. If any other movement makes the quantity
 * that can be promised negative, it violates `stock_not_negative`.
 *
 * Each movement takes one index look-up, because SQLite never reorders a CROSS JOIN.
 */
const insertWanted = prepared((of: Named<Ledger>) => {
  const { orgId, wanted } = of;
  const w = (name: keyof Wanted) => sql`wanted.value ->> ${sql.raw(`'${name}'`)}`;
  const counted = countedOf(sql`${orgId}`, sql`wanted.value`);
  const moved = sql`max(${onHand} + ${w('moved')}, iif(${w('isStrict')}, -9e15, 0))`;
  const held = sql`(select wanted.value as wanted, ${inventory.p1Id} as p1_id, ${inventory.stockQuantity} as stock,
      ${inventory.committedQuantity} as committed, ${onHand} as on_hand,
      iif(${w('reason')} = 'removed', -${inventory.committedQuantity}, ${w('committed')}) as committed_delta,
      ${inventory.reservedQuantity} as reserved,
      case when ${w('reason')} = 'removed' then -${inventory.reservedQuantity} when ${w('requestId')} is null then 0
        else -coalesce((select own.quantity from ${reservations} as own where own.order_request_id = ${w('requestId')}
          and own.p1_id = ${w('p1Id')}), 0) end as ended,
      cast(case when ${w('stock')} = ${inventory.stockQuantity} then ${onHand}
        when ${w('stock')} is not null
          then ${w('stock')} + ${inventory.committedQuantity} + ${inventory.reservedQuantity}
        when ${w('onHand')} is not null then ${counted} else ${moved} end as integer) as on_hand_after
    from json_each(${jsonOf(wanted)}) as wanted
      cross join ${inventory} on ${inventory.orgId} = ${orgId} and ${inventory.p1Id} = ${w('p1Id')})`;
  const free = sql`on_hand_after - committed - committed_delta - reserved - ended`;
  const freed = sql`(select *, ${free} as free, iif(wanted ->> 'isStrict', 0, max(0, min(reserved + ended, -(${free})))) as released
    from ${held})`;
  const sums = sql`(select *, cast(max(free + released, iif(wanted ->> 'isStrict', -9e15, 0)) as integer) as after,
    cast(ended - released as integer) as reserved_delta,
    iif(wanted ->> 'requestId' is null, released - ended, 0) as given_up from ${freed})`;
  const newer = sql`coalesce((select sum(other.quantity) from ${reservations} as other where other.org_id = ${orgId}
    and other.p1_id = sums.p1_id and other.order_request_id > own.order_request_id), 0)`;
  const made = sql`(select sums.*, own.order_request_id as request_id, own.quantity as own_quantity,
      iif(own.quantity is null, 0, ${newer}) as newer,
      own.quantity is null or ${newer} + own.quantity >= given_up as is_last
    from ${sums} as sums left join ${reservations} as own on given_up > 0 and own.org_id = ${orgId}
      and own.p1_id = sums.p1_id and ${newer} < given_up
    order by own.order_request_id desc)`;
  const last = (value: string, otherwise: string) => sql.raw(`iif(made.is_last, ${value}, ${otherwise})`);
  return insertSelect(
    stockMovements,
    {
      ...{ orgId, createdAt: of.now, orderId: of.orderId, actorKind: of.actorKind, actorId: of.actorId },
      // This id sorts before the id of the movement.
      id: last(`made.wanted ->> 'id'`, `substr(made.wanted ->> 'id', 1, 28) || printf('%08x', made.newer)`),
      p1Id: sql`made.p1_id`,
      delta: last('made.after - made.stock', '0'),
      before: sql`made.stock`,
      after: last('made.after', 'made.stock'),
      committedDelta: last('made.committed_delta', '0'),
      onHandDelta: last('made.on_hand_after - made.on_hand + made.newer', '-made.own_quantity'),
      onHandAfter: last('made.on_hand_after', 'made.on_hand - made.newer - made.own_quantity'),
      reservedDelta: last('made.reserved_delta + made.newer', '-made.own_quantity'),
      reservedUntil: null,
      orderRequestId: sql`iif(made.reserved_delta = 0, null, coalesce(made.request_id, made.wanted ->> 'requestId'))`,
      countedAt: sql`made.wanted ->> 'countedAt'`,
      reason: sql`made.wanted ->> 'reason'`,
      reference: sql`made.wanted ->> 'reference'`,
    },
    sql`from ${made} as made
      where made.after <> made.stock or made.on_hand_after <> made.on_hand or made.committed_delta <> 0
        or made.reserved_delta <> 0`,
    // D1 may send a batch twice.
  ).onConflictDoNothing();
});

/** Inserts ledger rows. @param moved at most one movement of each product */
export function insertMovements(by: LedgerWriter, moved: readonly NewMovement[]) {
  const wanted = moved.map((each) => wantedOf(each, by.now));
  return insertWanted({ ...by, wanted, orderId: null });
}

/**
 * Returns the statements that store the times of counts. A count without a movement needs this: an older count that
 * arrives later must change nothing. A time is stored only if it is later than the stored time, and if no movement has
 * the time of this or a later count.
 */
export function rememberCounts(
  { orgId, now }: Pick<LedgerWriter, 'orgId' | 'now'>,
  counts: readonly { p1Id: string; change?: StockChange }[],
): Statement[] {
  const made = counts.flatMap(({ p1Id, change }) => {
    if (change === undefined || 'delta' in change) return [];
    const countedAt = 'to' in change ? now : (change.countedAt ?? now);
    return [{ orgId, p1Id, countedAt, since: firstIdAfterCount(countedAt) }];
  });
  return made.length === 0 ? [] : [keepCounts({ counts: made })];
}

// No organization id is bound: with one, SQLite would read all products of the organization.
const keepCounts = prepared(({ counts }: Named<{ counts: readonly unknown[] }>) =>
  orm
    .update(inventory)
    .set({ countedAt: sql`counted.value ->> 'countedAt'` })
    .from(sql`json_each(${jsonOf(counts)}) as counted`)
    .where(
      sql`${inventory.orgId} = counted.value ->> 'orgId' and ${inventory.p1Id} = counted.value ->> 'p1Id'
        and coalesce(${inventory.countedAt}, 0) < counted.value ->> 'countedAt'
        and not exists (select 1 from ${stockMovements} as later where later.org_id = counted.value ->> 'orgId'
          and later.p1_id = counted.value ->> 'p1Id' and later.id >= counted.value ->> 'since'
          and later.counted_at >= counted.value ->> 'countedAt')`,
    ),
);

/** The key of a ledger row. The id alone is not enough, because it is unique only within a product. */
export type MovementKey = Pick<NewMovement, 'id' | 'p1Id'>;

export const threshold = sql`coalesce(${inventory.lowStockThreshold}, ${organizations.lowStockThreshold})`;

interface Movements {
  orgId: string;
  moved: readonly MovementKey[];
}

/**
 * Returns a FROM clause with a row for each of the movements. Each movement takes one look-up, because SQLite never
 * reorders a CROSS JOIN.
 */
function movementsOf({ orgId, moved }: Named<Movements>): Condition {
  const list = encoded(moved, (keys) => JSON.stringify(keys.map(({ p1Id, id }) => [p1Id, id])));
  return sql`json_each(${list}) as moved cross join ${stockMovements} on ${stockMovements.orgId} = ${orgId}
    and ${stockMovements.p1Id} = moved.value ->> 0 and ${stockMovements.id} = moved.value ->> 1`;
}

/**
 * Returns a SELECT of the metadata of stock events, for `insertEvents`: a row for each movement that crosses a stock
 * level.
 */
function crossing(isCrossed: (line: Condition) => Condition) {
  return preparedCondition(({ orgId, moved }: Named<Movements>) => {
    const own = sql`(select low_stock_threshold from ${organizations} where id = ${orgId})`;
    const line = sql`coalesce(${inventory.lowStockThreshold}, ${own})`;
    return sql`select json_object('p1_id', ${stockMovements.p1Id}, 'unit', ${unitOf(inventory.p1Id)},
        'stock_quantity', ${stockMovements.after}, 'threshold', ${line}) as metadata
      from ${movementsOf({ orgId, moved })}
      cross join ${inventory} on ${inventory.orgId} = ${orgId} and ${inventory.p1Id} = ${stockMovements.p1Id}
      where ${isCrossed(line)}`;
  });
}

/** Queries for movements that took the stock below the threshold (`low_stock`) or to zero (`out_of_stock`). */
export const stockCrossings = {
  low_stock: crossing((line) => sql`${stockMovements.before} >= ${line} and ${stockMovements.after} < ${line}`),
  out_of_stock: crossing(() => sql`${stockMovements.before} > 0 and ${stockMovements.after} = 0`),
};

export interface OrderMovements extends LedgerWriter {
  orderId: string;
  reason: 'order' | 'order_cancelled' | 'order_fulfilled' | 'return' | 'delivery';
  /** At most one of each product. */
  movements: readonly OrderMovement[];
}

/**
 * Moves the stock of all products of an order with one statement. A product that is not stocked gets no movement. If
 * such a product is to be promised, the batch is rolled back.
 */
export function moveOrder({ movements, reason, ...by }: OrderMovements): GuardedWrite | Statement {
  const wanted = movements.map(({ onHand: moved, ...each }) => {
    // If the order is promised more than comes in, the rest must be available to promise.
    return { ...each, moved, isStrict: each.committed > Math.max(moved, 0), reason, reference: null };
  });
  const write = insertWanted({ ...by, wanted });
  const promised = movements.filter(({ committed }) => committed > 0);
  if (promised.length === 0) return write;
  const isAll = promised.length === movements.length;
  return {
    write,
    guard: assertInBatch(
      isAll ? haveMoved({ count: promised.length }) : allMoved({ orgId: by.orgId, moved: promised }),
    ),
  };
}

/** Condition: the preceding statement inserted this many rows. Changes by triggers do not count. Reads no rows. */
const haveMoved = preparedCondition(({ count }: Named<{ count: number }>) => sql`changes() = ${count}`);

/** Condition: all these movements were inserted. */
const allMoved = preparedCondition(
  (of: Named<Movements>) =>
    sql`(select count(*) from ${movementsOf(of)}) = ${encoded(of.moved, ({ length }) => length)}`,
);

interface Stocked {
  orgId: string;
  products: readonly {
    p1Id: string;
    /** The stock version that was read. If it is null, any version is accepted. */
    stockVersion: number | null;
    /**
     * The id of the product's movement in the batch. If D1 runs the batch twice, the movement exists the second time.
     */
    id: string | null;
  }[];
}

/** Rolls the batch back unless all these products are stocked and have the stock version that was read. */
export function whileStocked(of: Stocked): Statement {
  return assertInBatch(areStocked(of));
}

const areStocked = preparedCondition(({ orgId, products }: Named<Stocked>) => {
  const list = encoded(products, (all) =>
    JSON.stringify(all.map(({ p1Id, stockVersion, id }) => [p1Id, stockVersion, id])),
  );
  return sql`(select count(*) from json_each(${list}) as seen cross join ${inventory} on ${inventory.orgId} = ${orgId}
    and ${inventory.p1Id} = seen.value ->> 0
    where ${inventory.stockVersion} = coalesce(seen.value ->> 1, ${inventory.stockVersion})
      or exists (select 1 from ${stockMovements} as made where made.org_id = ${orgId} and made.p1_id = seen.value ->> 0
        and made.id = seen.value ->> 2))
    = ${encoded(products, ({ length }) => length)}`;
});

/** Condition for other writes: the movement was inserted. */
export function hasMoved(orgId: string, moved: MovementKey): Condition {
  return allMoved({ orgId, moved: [moved] });
}

/** Returns SQL for the unit of a product, for a query of `inventory` that does not join the catalog. */
export function unitOf(p1Id: SQL | SQLWrapper): SQL<Unit> {
  return sql`coalesce(${inventory.unit}, ${catalogUnitOf(p1Id)})`;
}

/** Returns SQL for the unit of a product in the catalog. */
export function catalogUnitOf(p1Id: SQL | SQLWrapper): SQL<Unit> {
  return sql`coalesce((select known.unit from ${catalogProducts} as known where known.p1_id = ${p1Id}), 'piece')`;
}

/**
 * Returns SQL for the step of a product, which is sold in multiples of this number of units. It is for the same queries
 * as `unitOf`.
 */
export function stepOf(p1Id: SQL | SQLWrapper): SQL<number> {
  return sql`coalesce(${inventory.unitStep},
    (select known.unit_step from ${catalogProducts} as known where known.p1_id = ${p1Id}), 1)`;
}

/** The columns of `StockState`. */
export const stockColumns = {
  stockQuantity: sql<number>`${inventory.stockQuantity}`.as('stockQuantity'),
  onHand: sql<number>`${onHand}`.as('onHand'),
  committedQuantity: sql<number>`${inventory.committedQuantity}`.as('committedQuantity'),
  reservedQuantity: sql<number>`${inventory.reservedQuantity}`.as('reservedQuantity'),
  shortage: sql<number>`${inventory.shortage}`.as('shortage'),
  stockVersion: sql<number>`${inventory.stockVersion}`.as('stockVersion'),
};

/**
 * Selects the stock of each product, and by how much the movement `id` changed it. The statement runs after the batch
 * that moves the stock. The differences are 0 if `id` is null.
 */
export function selectMoved(orgId: string, moved: readonly { p1Id: string; id: string | null }[]) {
  const list = JSON.stringify(moved.map(({ p1Id, id }) => [p1Id, id]));
  return orm
    .select({
      p1Id: sql<string>`each.value ->> 0`.as('p1Id'),
      ...stockColumns,
      delta: sql<number>`coalesce(moved.delta, 0)`.as('delta'),
      onHandDelta: sql<number>`coalesce(moved.on_hand_delta, 0)`.as('onHandDelta'),
    })
    .from(
      sql`json_each(${list}) as each cross join ${inventory} on ${inventory.orgId} = ${orgId}
        and ${inventory.p1Id} = each.value ->> 0
        left join ${stockMovements} as moved on moved.org_id = ${orgId} and moved.p1_id = each.value ->> 0
          and moved.id = each.value ->> 1`,
    );
}

export type Moved = Awaited<ReturnType<typeof selectMoved>>[number];

/**
 * Selects the quantity that can be promised and the stock version of each stocked product.
 * @param p1Ids a subquery of ids
 */
export function selectPromisable(orgId: string, p1Ids: Condition) {
  return orm
    .select(pick(inventory, ['p1Id', 'stockQuantity', 'stockVersion']))
    .from(inventory)
    .where(sql`${inventory.orgId} = ${orgId} and ${inventory.p1Id} in ${p1Ids}`);
}

/** The changes of one product by a command. */
export interface ChangedProduct {
  p1Id: string;
  /** The movement of its stock, if the batch makes one. */
  movementId?: string;
  /** Wire names of other changed fields. */
  fields?: readonly string[];
  /** Whether the product gets an event even without changed fields. */
  isCreated?: boolean;
  /** Whether the catalog was changed. If so, a field counts as changed only if the organization inherits its value. */
  isOfCatalog?: boolean;
}

interface Changed {
  orgId: string;
  /** Each product once. */
  changed: readonly ChangedProduct[];
}

/**
 * Condition: the organization inherits the field whose wire name is `field.value`. Fields that it cannot override are
 * always inherited.
 */
const isInherited = sql`case field.value ${sql.join(
  CATALOG_FIELDS.map(
    (field) => sql`when ${sql.raw(`'${productFields[field].wire}'`)} then ${inventory[field]} is null`,
  ),
  sql` `,
)} else true end`;

/**
 * Returns a SELECT of the metadata of `product_updated`: a row for each of these products, with the current values.
 * Leaves out products that are not stocked or that the batch has not changed so far. Takes one look-up for each
 * product, and one for each shop that offers it.
 */
export const changedProducts = preparedCondition(({ orgId, changed }: Named<Changed>) => {
  const list = encoded(changed, (all) =>
    JSON.stringify(
      all.map(({ p1Id, movementId = null, fields = [], isCreated = false, isOfCatalog = false }) => {
        return [p1Id, movementId, fields, isCreated, isOfCatalog];
      }),
    ),
  );
  const fields = sql`(select json_group_array(name) from (
    select 'stock_quantity' as name where moved.delta <> 0
    union all select 'on_hand' where moved.on_hand_delta <> 0
    union all select field.value from json_each(changed.value -> 2) as field
      where not changed.value ->> 4 or ${isInherited}))`;
  const shops = sql`(select json_group_array(shop_id) from (select shop_id from ${listings} as listed
    where listed.org_id = ${orgId} and listed.p1_id = inventory.p1_id order by shop_id))`;
  return sql`select metadata from (
    select json_object('p1_id', ${inventory.p1Id}, 'changed_fields', json(${fields}),
      'unit', ${unitOf(inventory.p1Id)}, 'stock_quantity', ${inventory.stockQuantity}, 'on_hand', ${onHand},
      'committed_quantity', ${inventory.committedQuantity}, 'reserved_quantity', ${inventory.reservedQuantity}, 'stock_version', ${inventory.stockVersion},
      'shop_ids', json(${shops})) as metadata, moved.id is not null or changed.value ->> 3 as is_told
    from json_each(${list}) as changed
    cross join ${inventory} on ${inventory.orgId} = ${orgId} and ${inventory.p1Id} = changed.value ->> 0
    left join ${stockMovements} as moved on moved.org_id = ${orgId} and moved.p1_id = changed.value ->> 0
      and moved.id = changed.value ->> 1)
    where is_told or json_array_length(metadata, '$.changed_fields') > 0`;
});

/** Like `changedProducts`, but finds nothing if the organization is on another database or is being moved. */
export function changedWhereSettled(of: Changed): Condition {
  return sql`select metadata from (${changedProducts(of)}) where ${isSettled(sql`${of.orgId}`)}`;
}

/** Selects those of the products that at least one organization holds. */
export function selectHeld(p1Ids: readonly string[]) {
  return orm
    .select({ p1Id: sql<string>`wanted.value`.as('held_p1_id') })
    .from(sql`json_each(${JSON.stringify(p1Ids)}) as wanted`)
    .where(
      sql`exists (select 1 from ${organizations} cross join ${inventory} as own on own.org_id = organizations.id and own.p1_id = wanted.value)`,
    );
}

/**
 * Selects the organizations that hold one of the products. `takesEach` says whether an organization takes an event for
 * each changed product.
 */
export function selectHolders(p1Ids: readonly string[]) {
  return orm
    .select({
      orgId: sql<string>`${organizations.id}`.as('holder_id'),
      takesEach: sql<number>`${takesEachProduct(sql`${organizations.id}`)}`.as('takes_each'),
    })
    .from(organizations)
    .where(
      sql`${isSettled(sql`${organizations.id}`)} and exists (select 1 from json_each(${JSON.stringify(p1Ids)}) as wanted
        cross join ${inventory} on ${inventory.orgId} = ${organizations.id} and ${inventory.p1Id} = wanted.value)`,
    );
}
