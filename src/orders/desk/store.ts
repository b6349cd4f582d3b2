import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { inList } from '../../platform/data/db';
import { idBefore, LOOKED_MAX, madeWithin, type PageBefore, type Period } from '../../platform/data/page';
import { type Condition, type Named, orm, prepared, type Value } from '../../platform/data/statements';
import { ABOVE_ALL_IDS } from '../../platform/ids';
import { foundIds, type Sought, shopTerm, stateTerm } from '../../search/store';
import { shops } from '../../tenants/tables';
import { DESK_COUNTED_MAX } from '../limits';
import { LISTED, selectOrders } from '../store';
import { courierTours, IS_PARCEL, IS_TO_PACK, IS_WAITING, type OrderStatus, orders } from '../tables';

/**
 * The parts of the staff's list of orders. Each part has the orders with the same next task. Without a part, the list
 * shows all orders.
 */
export const DESK_PARTS = ['to_pack', 'ready_pickup', 'ready_shipping', 'waiting', 'courier'] as const;
export type DeskPart = (typeof DESK_PARTS)[number];

/** The condition of each part. The index of the part has the same condition, so that SQLite uses it. */
const IN_PART: Record<DeskPart, SQL> = {
  to_pack: IS_TO_PACK,
  ready_pickup: sql`status = 'ready_pickup'`,
  ready_shipping: sql`status = 'ready_shipping' and ${IS_PARCEL}`,
  courier: sql`status = 'ready_shipping' and not ${IS_PARCEL}`,
  waiting: IS_WAITING,
};

const INDEX_OF_PART: Record<DeskPart, SQL> = {
  to_pack: sql`orders_to_pack`,
  ready_pickup: sql`orders_by_status`,
  ready_shipping: sql`orders_to_ship`,
  courier: sql`orders_to_carry`,
  waiting: sql`orders_waiting`,
};

export type DeskCounts = Record<Exclude<DeskPart, 'to_pack'> | 'expected', number>;

/**
 * Counts the orders in each part. `expected` counts the orders whose missing packs are expected by `day`. Each count
 * stops at `DESK_COUNTED_MAX`. Orders to be packed are counted when the session is read (`countToPack`).
 */
export const countDesk = prepared(({ orgId, day }: Named<{ orgId: string; day: string }>) => {
  const expected = sql<number>`(select count(*) from (select 1 from ${orders} indexed by orders_expected
    where org_id = ${orgId} and expected_on is not null and expected_on <= ${day} limit ${DESK_COUNTED_MAX}))`;
  const count = (part: DeskPart) =>
    sql<number>`(select count(*) from (select 1 from ${orders} indexed by ${INDEX_OF_PART[part]}
      where org_id = ${orgId} and ${IN_PART[part]} limit ${DESK_COUNTED_MAX}))`.as(`count_${part}`);
  return orm
    .select({
      ready_pickup: count('ready_pickup'),
      ready_shipping: count('ready_shipping'),
      waiting: count('waiting'),
      expected: expected.as('count_expected'),
      courier: count('courier'),
    })
    .from(sql`(select 1)`);
});

export interface DeskFilter extends Period {
  /** Undefined for all orders, in every status. */
  part?: DeskPart;
  status?: OrderStatus;
  shopId?: string;
  /** The result of a text search. */
  sought?: Sought;
}

/**
 * Selects orders of a part, newest first. If the list is filtered by shop and no index fits, only a limited number of
 * orders is scanned (`selectDeskEnd`).
 */
export function selectDesk(page: PageBefore, filter: DeskFilter) {
  const { part, shopId, sought, createdAfter, createdBefore } = filter;
  if (sought !== undefined) return ordersIn(page.orgId, found(page, { ...filter, sought }));
  const { status } = filter;
  if (part === undefined) return selectOrders(page, { ...filter, statuses: status && [status] });
  const isPlain = shopId === undefined && createdAfter === undefined && createdBefore === undefined;
  return isPlain ? PLAIN[part](page) : ordersIn(page.orgId, filtered(part, page, filter));
}

const ordersIn = (orgId: Value<string>, ids: SQL) =>
  orm
    .select(LISTED)
    .from(orders)
    .where(and(eq(orders.orgId, orgId), sql`${orders.id} in ${ids}`))
    .orderBy(desc(orders.id));

const plain = (part: DeskPart) =>
  prepared(({ orgId, before, limit }: Named<PageBefore>) =>
    ordersIn(orgId, sql`(select id from ${walked(part, orgId)} and id < ${before} order by id desc limit ${limit})`),
  );
// SAFETY: `DESK_PARTS` has each part once.
const PLAIN = Object.fromEntries(DESK_PARTS.map((part) => [part, plain(part)])) as Record<
  DeskPart,
  ReturnType<typeof plain>
>;

/** Returns the SQL that selects a part, from after FROM: the table, the part's index and the WHERE clause. */
function walked(part: DeskPart, orgId: Value<string>): SQL {
  return sql`${orders} indexed by ${INDEX_OF_PART[part]} where org_id = ${orgId} and ${IN_PART[part]} and deleted_at is null`;
}

function filtered(part: DeskPart, page: PageBefore, filter: DeskFilter): SQL {
  const { orgId, before, limit } = page;
  const { shopId } = filter;
  const within = madeWithin(filter, before);
  const newest = sql`order by id desc limit ${limit}`;
  if (shopId === undefined) return sql`(select id from ${walked(part, orgId)} and ${within} ${newest})`;
  if (!isDeskLooked(filter)) {
    return sql`(select id from ${orders} indexed by orders_by_shop where shop_id = ${shopId} and org_id = ${orgId}
      and ${IN_PART[part]} and deleted_at is null and ${within} ${newest})`;
  }
  return sql`(select id from ${looked(part, page, filter)} where shop_id = ${shopId} ${newest})`;
}

/** Whether a page scans only a limited number of orders, because no index fits its filter. */
export function isDeskLooked({ part, shopId, sought }: DeskFilter): boolean {
  const isByShop = part === undefined || part === 'ready_pickup';
  return shopId !== undefined && sought === undefined && !isByShop;
}

function looked(part: DeskPart, { orgId, before, limit }: PageBefore, filter: DeskFilter): SQL {
  return sql`(select id, shop_id from ${walked(part, orgId)} and ${madeWithin(filter, before)}
    order by id desc limit ${Math.max(LOOKED_MAX, limit)})`;
}

/**
 * Selects the id of the last order that a page scanned. Returns no row if the page scanned fewer orders than it may,
 * because then no more orders follow.
 */
export function selectDeskEnd(part: DeskPart, page: PageBefore, filter: DeskFilter) {
  return orm
    .select({ before: sql<string>`looked_end` })
    .from(sql`(select min(id) as looked_end, count(*) as looked from ${looked(part, page, filter)})`)
    .where(sql`looked >= ${Math.max(LOOKED_MAX, page.limit)}`);
}

/**
 * The most search results that a page checks against filters that the search index lacks. A page with a higher limit
 * checks as many results as its limit.
 */
const FOUND_MAX = 500;

const STATUSES_OF_PART: Record<DeskPart, readonly OrderStatus[]> = {
  to_pack: ['awaiting_packing'],
  ready_pickup: ['ready_pickup'],
  ready_shipping: ['ready_shipping'],
  courier: ['ready_shipping'],
  waiting: ['awaiting_prescription', 'awaiting_payment', 'awaiting_packing', 'ready_pickup', 'ready_shipping'],
};

/**
 * Returns a subquery of the ids of orders that a search finds, in one part or in all. If the text is a number, the
 * order with that number is found however old it is.
 */
function found({ orgId, before, limit }: PageBefore, filter: DeskFilter & { sought: Sought }): SQL {
  const { part, status, shopId, sought } = filter;
  const statuses = part ? STATUSES_OF_PART[part] : status ? [status] : [];
  // Orders newer than the cursor do not count towards the limit.
  const bound = idBefore(before, filter.createdBefore);
  const states = [statuses.map(stateTerm), shopId === undefined ? [] : [shopTerm(shopId)]];
  const ids = foundIds(sought, {
    states: states.filter((group) => group.length > 0),
    after: bound === ABOVE_ALL_IDS ? null : bound,
    limit: Math.max(FOUND_MAX, limit),
  });
  const conditions = and(
    part && IN_PART[part],
    status && sql`status = ${status}`,
    shopId === undefined ? undefined : sql`shop_id = ${shopId}`,
    sql`deleted_at is null`,
    madeWithin(filter, before),
  );
  return sql`(select id from (select id as meant_id from (select id from ${ids}
      union select id from ${orders} indexed by orders_number where org_id = ${orgId} and number = ${sought.query.number ?? -1}))
    cross join ${orders} where org_id = ${orgId} and id = meant_id and ${conditions} order by id desc limit ${limit})`;
}

/**
 * Returns subqueries about the orders with these numbers: the ids of the orders, and the ids of their requests, shops
 * and products.
 */
export function numbered(orgId: string, numbers: readonly number[]) {
  const of = (column: SQL) =>
    sql`(select ${column} from ${orders} indexed by orders_number where org_id = ${orgId} and number in ${inList(numbers)} and deleted_at is null)`;
  return {
    ids: of(sql`id`),
    requestIds: of(sql`order_request_id`),
    shopIds: of(sql`shop_id`),
    p1Ids: sql`(select json_extract(line.value, '$.p1Id') from ${orders}, json_each(${orders.items}) as line
      where orders.org_id = ${orgId} and orders.id in ${of(sql`id`)})`,
  };
}

/** Selects the orders with these numbers, newest first. */
export function selectNumbered(orgId: string, numbers: readonly number[]) {
  return ordersIn(orgId, numbered(orgId, numbers).ids);
}

/**
 * Selects these shops with the sender's address that slips and labels show.
 * @param shopIds a subquery
 */
export function selectSenders(orgId: string, shopIds: Condition) {
  const { id, name, street, postalCode, city, phone } = shops;
  return orm
    .select({ id, name, street, postalCode, city, phone })
    .from(shops)
    .where(and(eq(shops.orgId, orgId), sql`${shops.id} in ${shopIds}`));
}

/**
 * Selects the orders without a parcel that were delivered within a period, latest first. Scans at most `LOOKED_MAX`
 * ended orders.
 */
export const selectCarried = prepared(({ orgId, from, to }: Named<{ orgId: string; from: number; to: number }>) => {
  const ended = sql`(select rowid as ended from ${orders} indexed by orders_ended where org_id = ${orgId}
    and updated_at between ${from} and ${to} and erased_at is null
    and status in ('delivered', 'picked_up', 'returned', 'cancelled') order by updated_at desc limit ${LOOKED_MAX})`;
  return orm
    .select()
    .from(orders)
    .where(
      and(
        // `+` makes SQLite use the rowids. Without statistics, SQLite would read all orders of the organization.
        sql`+${orders.orgId} = ${orgId}`,
        sql`orders.rowid in ${ended} and +status = 'delivered' and not ${IS_PARCEL} and deleted_at is null`,
      ),
    )
    .orderBy(sql`updated_at desc`);
});

export const selectSequence = prepared(({ orgId }: Named<{ orgId: string }>) =>
  orm.select({ sequence: courierTours.sequence }).from(courierTours).where(eq(courierTours.orgId, orgId)),
);

/**
 * Stores a sequence of stops. Stops of the stored sequence that the caller did not see, such as those of another shop,
 * are put after it.
 * @param stops all stops that the caller saw
 */
export function writeSequence(orgId: string, sequence: readonly string[], stops: readonly string[]) {
  const others = sql`select value from json_each(${courierTours.sequence}) where value not in ${inList(stops)}`;
  const all = sql`select value from json_each(${JSON.stringify(sequence)}) union all ${others} limit ${KEPT_MAX}`;
  return orm
    .insert(courierTours)
    .values({ orgId, sequence })
    .onConflictDoUpdate({
      target: courierTours.orgId,
      set: { sequence: sql`(select json_group_array(value) from (${all}))` },
    });
}

/** The most stops in a stored sequence, including stops that are done. */
const KEPT_MAX = 500;
