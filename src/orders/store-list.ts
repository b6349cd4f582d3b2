import { and, asc, desc, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { inList } from '../platform/data/db';
import { madeWithin, type Period } from '../platform/data/period';
import { idsForEach, type Named, orm, prepared } from '../platform/data/statements';
import { narrowColumns } from '../platform/data/wide-rows';
import { LOOKED_MAX } from '../platform/page';
import { shops } from '../tenants/tables';
import { ORDER_STATUSES, type OrderPaymentStatus, type OrderStatus, orders } from './tables';

export interface OrderFilter extends Period {
  statuses?: readonly OrderStatus[];
  paymentStatuses?: readonly OrderPaymentStatus[];
  shopId?: string;
  externalId?: string;
  externalReference?: string;
}

export interface OrderPage {
  orgId: string;
  before: string;
  limit: number;
}

/** What may be large of an order. */
export const WIDE = [orders.items, orders.platformDetails, orders.packing, orders.supply];
export const LISTED = narrowColumns(orders, WIDE);

/** Whole orders, in any order: wide ones of a page, those of an export. @param ids a subquery */
export function selectWholeOrders(orgId: string, ids: SQL) {
  return orm
    .select()
    .from(orders)
    .where(and(eq(orders.orgId, orgId), sql`${orders.id} in ${ids}`));
}

/** All orders, newest first, after a cursor. */
export const selectAllOrders = prepared(({ orgId, before, limit }: Named<OrderPage>) =>
  orm
    .select(LISTED)
    .from(orders)
    .where(and(eq(orders.orgId, orgId), isNull(orders.deletedAt), lt(orders.id, before)))
    .orderBy(desc(orders.id))
    .limit(limit),
);

/** Orders that match a filter, newest first, after a cursor. */
export function selectOrders(page: OrderPage, filter: OrderFilter) {
  const found = lookedAt({ ...page, limit: isLookedThrough(filter) ? LOOKED_MAX : page.limit }, filter);
  return orm
    .select(LISTED)
    .from(orders)
    .where(and(eq(orders.orgId, page.orgId), isNull(orders.deletedAt), sql`${orders.id} in ${found}`, matches(filter)))
    .orderBy(desc(orders.id))
    .limit(page.limit);
}

/** No index has the payment beside the rest: a page looks through so many orders at most. */
export function isLookedThrough({ paymentStatuses, externalId, externalReference }: OrderFilter): boolean {
  return paymentStatuses !== undefined && externalId === undefined && externalReference === undefined;
}

/** Where a page that looks through orders ended, if there are more. */
export function selectLookedEnd(page: OrderPage, filter: OrderFilter) {
  const looked = lookedAt({ ...page, limit: LOOKED_MAX }, filter);
  return orm
    .select({ before: sql<string>`looked_end` })
    .from(sql`(select min(id) as looked_end, count(*) as looked from ${looked})`)
    .where(sql`looked >= ${LOOKED_MAX}`);
}

/** Ids of the newest orders that an index finds for a filter, as a subquery. */
function lookedAt(page: OrderPage, filter: OrderFilter): SQL {
  const { orgId } = page;
  const { statuses, shopId, externalId, externalReference } = filter;
  const within = madeWithin(filter, page.before);
  if (externalId !== undefined) {
    // The index begins with the shop.
    return sql`(select id from ${orders} indexed by orders_external where external_id = ${externalId} and deleted_at is null
      and shop_id in (select ${shops.id} from ${shops} where ${shops.orgId} = ${orgId}) and ${within})`;
  }
  if (externalReference !== undefined) {
    return sql`(select id from ${orders} indexed by orders_by_reference
      where org_id = ${orgId} and external_reference = ${externalReference} and ${within})`;
  }
  const newest = sql`and deleted_at is null and ${within} order by id desc limit ${page.limit}`;
  const [status, ...furtherStatuses] = statuses ?? [];
  if (shopId === undefined && status !== undefined && furtherStatuses.length === 0) {
    return sql`(select id from ${orders} indexed by orders_by_status where org_id = ${orgId} and status = ${status} ${newest})`;
  }
  if (shopId !== undefined || statuses !== undefined) {
    // Of each status a page is read, however many there are.
    const of =
      shopId === undefined
        ? sql`orders_by_status where org_id = ${orgId}`
        : sql`orders_by_shop where shop_id = ${shopId} and org_id = ${orgId}`;
    const ofEach = sql`select id from ${orders} indexed by ${of} and status = each.value ${newest}`;
    const found = idsForEach(statuses ?? ORDER_STATUSES, ofEach);
    return sql`(select found.value as id from ${found} order by id desc limit ${page.limit})`;
  }
  return sql`(select id from ${orders} where org_id = ${orgId} ${newest})`;
}

/** `+` keeps SQLite from taking an index for what the subquery or the cursor finds. */
function matches(filter: OrderFilter): SQL | undefined {
  const { statuses, paymentStatuses, shopId, externalId, externalReference, createdAfter, createdBefore } = filter;
  return and(
    statuses && sql`+${orders.status} in ${inList(statuses)}`,
    paymentStatuses && sql`+${orders.paymentStatus} in ${inList(paymentStatuses)}`,
    shopId === undefined ? undefined : sql`+${orders.shopId} = ${shopId}`,
    externalId === undefined ? undefined : sql`+${orders.externalId} = ${externalId}`,
    externalReference === undefined ? undefined : sql`+${orders.externalReference} = ${externalReference}`,
    createdAfter === undefined ? undefined : sql`+${orders.createdAt} > ${createdAfter}`,
    createdBefore === undefined ? undefined : sql`+${orders.createdAt} < ${createdBefore}`,
  );
}

export interface ChangesPage {
  orgId: string;
  after: number;
  limit: number;
}

/** Orders behind a change number, deleted ones too, in the order of their last changes. */
export function selectChangedOrders({ orgId, after, limit }: ChangesPage, filter: OrderFilter) {
  const matching = matches(filter);
  const isLooked = sql`change_number <= coalesce(${lookedChange(orgId, after)}, ${Number.MAX_SAFE_INTEGER})`;
  return orm
    .select(LISTED)
    .from(orders)
    .where(and(eq(orders.orgId, orgId), gt(orders.changeNumber, after), matching && and(isLooked, matching)))
    .orderBy(asc(orders.changeNumber))
    .limit(limit);
}

/** Where a page of changes ended that looked through as many as it may; null if there were fewer. */
export function selectLookedChange(orgId: string, after: number) {
  return orm
    .select({ changedAfter: sql<number | null>`${lookedChange(orgId, after)}`.as('looked_change') })
    .from(sql`(select 1)`);
}

function lookedChange(orgId: string, after: number): SQL {
  return sql`(select change_number from ${orders} where org_id = ${orgId} and change_number > ${after}
    order by change_number limit 1 offset ${LOOKED_MAX - 1})`;
}
