import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm';
import { customers, type OrderStatus, orders } from '../../orders/tables';
import type { Condition } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import type { RequestStatus } from '../store-requests';
import { orderRequests } from '../tables';

/** So many of each are shown. */
const SHOWN_MAX = 10;
/** So many people of one name are looked at. */
const NAMESAKES_MAX = 50;

/** The request that is looked at, which is not read yet. */
function ofThis(column: string, id: string): Condition {
  return sql`(select ${sql.raw(column)} from order_requests as this where this.id = ${id})`;
}

/** A telephone number without what people put between its digits, and with one 0 for the country's code and any zero behind it. */
function digitsOf(phone: Condition): Condition {
  const separators = [' ', '-', '/', '.', '(', ')'];
  const bare = separators.reduce((text, each) => sql`replace(${text}, ${each}, '')`, phone);
  const national = (prefix: string) =>
    sql`when ${bare} like ${`${prefix}%`} then '0' || ltrim(substr(${bare}, ${prefix.length + 1}), '0')`;
  return sql`case ${national('+49')} ${national('0049')} else ${bare} end`;
}

/**
 * Earlier orders of the person of a request, newest first: of the customer with its id or e-mail address, and of customers with
 * its name and telephone number.
 */
export function selectEarlierOrders(orgId: string, requestId: string) {
  const byEmail = sql`(select id from ${customers} where org_id = ${orgId} and erased_at is null
    and (id = ${ofThis('customer_id', requestId)} or email = ${ofThis('lower(customer_email)', requestId)}))`;
  const byName = sql`(select id from ${customers} indexed by customers_by_name where org_id = ${orgId}
    and name_folded is not null and name_folded = ${ofThis('customer_name_folded', requestId)} limit ${NAMESAKES_MAX})`;
  const isSamePhone = sql`${digitsOf(sql`orders.address_phone`)} = ${digitsOf(ofThis('address_phone', requestId))}`;
  const isByEmail = sql`orders.customer_id in ${byEmail}`;
  return orm
    .select({
      id: orders.id,
      number: orders.number,
      status: sql<OrderStatus>`orders.status`.as('earlier_status'),
      createdAt: orders.createdAt,
      isByEmail: sql<number>`${isByEmail}`.as('is_by_email'),
    })
    .from(orders)
    .where(
      and(
        // `+` keeps SQLite from reading all of the organization.
        sql`+${orders.orgId} = ${orgId}`,
        isNull(orders.deletedAt),
        sql`orders.customer_id in (select * from ${byEmail} union select * from ${byName})`,
        sql`(${isByEmail} or ${isSamePhone})`,
        sql`orders.order_request_id is not ${requestId}`,
      ),
    )
    .orderBy(desc(orders.id))
    .limit(SHOWN_MAX + 1);
}

/** Earlier requests with the same e-mail address that did not become orders, newest first. */
export function selectEarlierRequests(orgId: string, requestId: string) {
  return orm
    .select({
      id: orderRequests.id,
      status: sql<RequestStatus>`order_requests.status`.as('request_status'),
      createdAt: orderRequests.createdAt,
    })
    .from(orderRequests)
    .where(
      and(
        sql`lower(customer_email) = ${ofThis('lower(customer_email)', requestId)}`,
        sql`customer_email is not null and status <> 'pending'`,
        sql`+${orderRequests.orgId} = ${orgId}`,
        eq(orderRequests.status, 'rejected'),
        ne(orderRequests.id, requestId),
      ),
    )
    .orderBy(desc(orderRequests.id))
    .limit(SHOWN_MAX + 1);
}

export type EarlierOrder = Awaited<ReturnType<typeof selectEarlierOrders>>[number];
export type EarlierRequest = Awaited<ReturnType<typeof selectEarlierRequests>>[number];

/** Who somebody is to the pharmacy. */
export interface PersonStrip {
  /** Orders before this one and requests that were rejected, newest first. */
  orders: EarlierOrder[];
  requests: EarlierRequest[];
  /** There are more than are shown. */
  isMore: boolean;
  /** How orders were found: the same e-mail address (or customer id), else the same name and telephone number; null for none. */
  foundBy: 'email' | 'name_and_phone' | null;
  /** Another request of the same person of these days. */
  possibleDuplicateId: string | null;
}

/** What is shown of what was found. */
export function stripOf(
  found: { earlierOrders: EarlierOrder[]; earlierRequests: EarlierRequest[] },
  possibleDuplicateId: string | null,
): PersonStrip {
  const { earlierOrders, earlierRequests } = found;
  const isByEmail = earlierRequests.length > 0 || earlierOrders.some((order) => order.isByEmail === 1);
  return {
    orders: earlierOrders.slice(0, SHOWN_MAX),
    requests: earlierRequests.slice(0, SHOWN_MAX),
    isMore: Math.max(earlierOrders.length, earlierRequests.length) > SHOWN_MAX,
    foundBy: isByEmail ? 'email' : earlierOrders.length > 0 ? 'name_and_phone' : null,
    possibleDuplicateId,
  };
}
