import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm';
import { productFields } from '../catalog/fields';
import { catalogProducts } from '../catalog/tables';
import { has } from '../platform/data/columns';
import { insertSelect } from '../platform/data/db';
import { type Condition, jsonOf, type Named, orm, prepared, type Value } from '../platform/data/statements';
import { isSettled } from '../tenants/tables';
import { PRICE_FACTOR } from './limits';
import type { LedgerWriter } from './store-stock';
import { inventory, listings, onHand, reservations, stockMovements } from './tables';

/** An item of a request, as it was sent. */
export interface ReservedItem {
  p1Id: string | null;
  productId: string | null;
  quantity: number;
  priceCents: number;
}

export interface Reserving extends LedgerWriter {
  /** The id that all movements get. There is one movement for each product. */
  id: string;
  requestId: string;
  shopId: string;
  items: readonly ReservedItem[];
  /** Epoch ms. */
  until: number;
  familyId: string;
  /**
   * The percentage of a product's free stock that all requests of the key may hold together; null for all of the stock.
   */
  share: number | null;
}

/**
 * Reserves stock for the items, as far as the stock and `share` allow. Inserts one ledger row for each product with a
 * reserved quantity. If the price of an item shows that its quantity means packs, the quantity is converted to units
 * (`unitsMeant`), and only whole packs are reserved. An item is about the product `p1Id` if the organization holds it,
 * otherwise about the product `productId`.
 */
export const insertReserved = prepared((of: Named<Reserving>, onlyIf: Condition) => {
  const { orgId } = of;
  const item = (name: keyof ReservedItem) => sql`item.value ->> ${sql.raw(`'${name}'`)}`;
  const said = (field: 'priceCents' | 'unitStep') =>
    sql`json_extract(${listings.overrides}, ${sql.raw(`'$.${productFields[field].wire}'`)})`;
  const price = sql`coalesce(round(${said('priceCents')} * 100), ${inventory.priceCents}, ${catalogProducts.priceCents})`;
  const step = sql`coalesce(${said('unitStep')}, ${inventory.unitStep}, ${catalogProducts.unitStep}, 1)`;
  const off = (units: SQL) =>
    sql`max(1.0 * ${item('priceCents')} / (price * ${units}), 1.0 * price * ${units} / ${item('priceCents')})`;
  const [ofUnit, ofStep] = [off(sql`1`), off(sql`step`)];
  const arePacks = sql`step > 1 and ${ofStep} < ${ofUnit} and ${ofStep} <= ${sql.raw(String(PRICE_FACTOR))}`;
  const wanted = sql`(select p1_id, sum(${item('quantity')} * iif(${arePacks}, step, 1)) as units,
      max(iif(${arePacks}, step, 1)) as pack, stock, on_hand
    from (select item.value as value, ${inventory.p1Id} as p1_id, ${inventory.stockQuantity} as stock,
        ${onHand} as on_hand, ${price} as price, ${step} as step
      from json_each(${jsonOf(of.items)}) as item cross join ${inventory} on ${inventory.orgId} = ${orgId}
        and ${inventory.p1Id} = coalesce((select own.p1_id from ${inventory} as own
          where own.org_id = ${orgId} and own.p1_id = ${item('p1Id')}), ${item('productId')})
        cross join ${catalogProducts} on ${catalogProducts.p1Id} = ${inventory.p1Id}
        left join ${listings} on ${listings.shopId} = ${of.shopId} and ${listings.p1Id} = ${inventory.p1Id}) as item
    group by p1_id)`;
  const theirs = sql`(select coalesce(sum(held.quantity), 0) from ${reservations} as held
    cross join order_requests as sent on sent.id = held.order_request_id
    where held.org_id = ${orgId} and held.p1_id = wanted.p1_id and sent.integration_id = ${of.familyId})`;
  const limit = sql`iif(${of.share} is null, stock,
    max(0, min(stock, (stock + ${theirs}) * ${of.share} / 100 - ${theirs})))`;
  const quantity = sql`cast(min(units, ${limit}) / pack as integer) * pack`;
  return insertSelect(
    stockMovements,
    {
      ...{ id: of.id, orgId, createdAt: of.now, orderId: null, actorKind: of.actorKind, actorId: of.actorId },
      ...{
        reason: 'reserved',
        reference: null,
        countedAt: null,
        orderRequestId: of.requestId,
        reservedUntil: of.until,
      },
      p1Id: sql`made.p1_id`,
      delta: sql`-made.quantity`,
      before: sql`made.stock`,
      after: sql`made.stock - made.quantity`,
      committedDelta: 0,
      onHandDelta: 0,
      onHandAfter: sql`made.on_hand`,
      reservedDelta: sql`made.quantity`,
    },
    sql`from (select p1_id, stock, on_hand, ${quantity} as quantity from ${wanted} as wanted) as made
      where made.quantity > 0 and ${onlyIf}`,
  ).onConflictDoNothing();
});

/** A reservation, by its key. */
export interface Reserved {
  requestId: string;
  p1Id: string;
}

interface Releasing extends LedgerWriter {
  /** The reservations, each with the id of its movement. */
  released: readonly (Reserved & { id: string })[];
  /** Only reservations that end by this time are released, epoch ms; null for all. */
  dueAt: number | null;
}

/** Releases the given reservations that still exist and that end by `dueAt`. */
export const insertReleased = prepared((of: Named<Releasing>) => {
  const { orgId } = of;
  return insertSelect(
    stockMovements,
    {
      ...{ orgId, createdAt: of.now, orderId: null, actorKind: of.actorKind, actorId: of.actorId },
      ...{
        reason: 'released',
        reference: null,
        countedAt: null,
        reservedUntil: null,
        committedDelta: 0,
        onHandDelta: 0,
      },
      id: sql`released.value ->> 'id'`,
      p1Id: inventory.p1Id.getSQL(),
      delta: sql`${reservations.quantity}`,
      before: sql`${inventory.stockQuantity}`,
      after: sql`${inventory.stockQuantity} + ${reservations.quantity}`,
      onHandAfter: onHand,
      reservedDelta: sql`-${reservations.quantity}`,
      orderRequestId: sql`${reservations.orderRequestId}`,
    },
    sql`from json_each(${jsonOf(of.released)}) as released
      cross join ${reservations} on ${reservations.orderRequestId} = released.value ->> 'requestId'
        and ${reservations.p1Id} = released.value ->> 'p1Id' and ${reservations.orgId} = ${orgId}
        and ${reservations.until} <= coalesce(${of.dueAt}, ${reservations.until})
      cross join ${inventory} on ${inventory.orgId} = ${orgId} and ${inventory.p1Id} = ${reservations.p1Id}
      where true`,
  ).onConflictDoNothing();
});

const columns = {
  requestId: sql<string>`${reservations.orderRequestId}`.as('reserved_for'),
  p1Id: sql<string>`${reservations.p1Id}`.as('reserved_p1_id'),
  orgId: sql<string>`${reservations.orgId}`.as('reserved_org_id'),
  quantity: sql<number>`${reservations.quantity}`.as('reserved_quantity'),
  until: sql<number>`${reservations.until}`.as('reserved_until'),
};

export const selectReservations = prepared(({ requestId }: Named<{ requestId: string }>) =>
  orm.select(columns).from(reservations).where(eq(reservations.orderRequestId, requestId)),
);

export type Reservation = Awaited<ReturnType<typeof selectReservations>>[number];

/**
 * Reads the reservations of many requests. If the organization has no reservation, the requests are not read.
 * @param requestIds a subquery of the requests' ids
 */
export function selectReservationsOf(orgId: Value<string>, requestIds: Condition) {
  const isAny = sql`exists (select 1 from ${reservations} as known where known.org_id = ${orgId})`;
  return orm
    .select(columns)
    .from(reservations)
    .where(sql`${isAny} and ${reservations.orderRequestId} in ${requestIds}`);
}

/** Selects the reservations of one request. @param requestId a subquery of its id */
export function selectReservationsIn(requestId: Condition) {
  return orm.select(columns).from(reservations).where(sql`${reservations.orderRequestId} = ${requestId}`);
}

/** Selects the reservations of a product, the newest first. */
export function selectReservationsFor(orgId: string, p1Id: string, limit: number) {
  return orm
    .select(columns)
    .from(reservations)
    .where(has(reservations, { orgId, p1Id }))
    .orderBy(sql`${reservations.orderRequestId} desc`)
    .limit(limit);
}

/** Reads the reservations that have ended, of organizations that are on this database and not being moved. */
export function selectDueReservations(now: number, limit: number) {
  return orm
    .select(columns)
    .from(reservations)
    .where(and(lte(reservations.until, now), isSettled(reservations.orgId)))
    .orderBy(asc(reservations.until))
    .limit(limit);
}

/**
 * Returns SQL for the reserved quantities of a request: JSON of `[quantity, until]` by product id. It is for queries
 * about requests.
 * @param requestId a column with the request's id
 */
export function reservedOf(requestId: SQL | Value<string>) {
  return sql<string>`(select json_group_object(held.p1_id, json_array(held.quantity, held.until))
    from ${reservations} as held where held.order_request_id = ${requestId})`;
}

/** Lets a request's reservations end later, never earlier. */
export function prolongReservations(requestId: string, until: number) {
  return orm
    .update(reservations)
    .set({ until: sql`max(${reservations.until}, ${until})` })
    .where(eq(reservations.orderRequestId, requestId));
}
