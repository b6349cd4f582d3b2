import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm';
import { selectOrderable } from '../../inventory/store-listings';
import { selectReservations } from '../../inventory/store-reservations';
import { selectCustomer } from '../../orders/store';
import { customers, type OrderStatus, orders } from '../../orders/tables';
import { selectOpenQuestions } from '../../orders/timeline/store';
import { has, pick } from '../../platform/data/columns';
import { type Condition, type Named, orm, prepared, preparedEach } from '../../platform/data/statements';
import { selectPrescriptionsOf } from '../../prescriptions/store';
import { prescriptions } from '../../prescriptions/tables';
import { selectPrescriptionValidDays } from '../../tenants/store';
import { EARLIER_SHOWN } from '../limits';
import { fieldOf, type RequestStatus, type Searched, selectPossibleDuplicate, selectRequest } from '../store';
import { orderRequests } from '../tables';

export function selectDecided(orgId: string, id: string) {
  return orm
    .select({
      id: orderRequests.id,
      status: orderRequests.status,
      /** Null once the person was erased. */
      customer: sql<string | null>`coalesce(${orderRequests.customerName}, ${orderRequests.customerEmail})`.as(
        'customer',
      ),
      /** Set for an approved request. */
      orderId: orderRequests.orderId,
    })
    .from(orderRequests)
    .where(has(orderRequests, { orgId, id }));
}

export type DecidedRequest = Awaited<ReturnType<typeof selectDecided>>[number];

/**
 * Returns the queries for a request and everything that a decision about it depends on.
 * @param p1Ids a subquery of the products to load
 */
export function selectFacts(of: Searched, p1Ids: Condition) {
  return {
    rows: selectRequest(of),
    ...aboutRequest(of),
    products: selectProducts(of, p1Ids),
    duplicates: selectPossibleDuplicate(of),
    reserved: selectReservations({ requestId: of.id }),
    sharing: selectSharing(of),
    settings: selectPrescriptionValidDays(of),
  };
}

const aboutRequest = preparedEach(({ orgId, id }: Named<Searched>) => ({
  prescriptions: selectPrescriptionsOf(orgId, { orderRequestId: id }),
  open: selectOpenQuestions(orgId, id),
  customer: selectCustomer(orgId, fieldOf(id, 'customer_id'), fieldOf(id, 'lower(customer_email)')),
}));

const selectProducts = prepared(({ orgId, id }: Named<Searched>, p1Ids: Condition) =>
  selectOrderable(orgId, fieldOf(id, 'shop_id'), p1Ids),
);

/** The most other requests with the same prescription that a query returns. */
const SHARING_MAX = 20;

/**
 * Selects other requests of the organization that have a prescription with the same file or the same signature as a
 * prescription of this request. The stored MACs of files and signatures are compared.
 * Requests that may have redeemed the prescription come first, so that `SHARING_MAX` cuts off only the others.
 */
export const selectSharing = prepared(({ orgId, id }: Named<Searched>) => {
  const same = (column: string) => sql`select other.order_request_id as id
    from ${prescriptions} as mine join ${prescriptions} as other
      on other.org_id = mine.org_id and ${sql.raw(`other.${column} = mine.${column}`)}
    where mine.order_request_id = ${id} and mine.org_id = ${orgId} and mine.set_aside_at is null
      and other.set_aside_at is null and other.order_request_id <> ${id}`;
  const made = (column: 'number' | 'status') =>
    sql`(select ${sql.raw(`made.${column}`)} from ${orders} as made
      where made.org_id = shared.org_id and made.id = shared.order_id)`;
  const mayHaveRedeemed = sql<number>`(shared.id < ${id} and shared.status in ('pending', 'approved')
    and coalesce(${made('status')}, '') <> 'cancelled')`;
  return orm
    .select({
      id: sql<string>`shared.id`.as('shared_id'),
      status: sql<RequestStatus>`shared.status`.as('shared_status'),
      createdAt: sql<number>`shared.created_at`.as('shared_at'),
      customerName: sql<string | null>`shared.customer_name`.as('shared_name'),
      orderId: sql<string | null>`shared.order_id`.as('shared_order'),
      orderNumber: sql<number | null>`${made('number')}`.as('shared_number'),
      mayHaveRedeemed: sql<number>`${mayHaveRedeemed}`.as('may_have_redeemed'),
    })
    .from(sql`${orderRequests} as shared`)
    .where(
      sql`+shared.org_id = ${orgId} and shared.id in (select id from (${same('file_mark')} union ${same('signature_mark')}))`,
    )
    .orderBy(sql`${mayHaveRedeemed} desc, shared.id desc`)
    .limit(SHARING_MAX);
});

/** Another request with the same prescription. */
export type SharingRequest = Awaited<ReturnType<typeof selectSharing>>[number];

/** How many of the organization's last verified prescriptions are searched for one of the same platform. */
const VERIFIED_LOOKED_AT = 50;

/**
 * Selects `verified_with` of the platform's last prescription that another program verified. It names this program and
 * its result.
 */
export const selectLastVerifiedWith = prepared(({ orgId, id }: Named<Pick<Searched, 'orgId' | 'id'>>) =>
  orm
    .select({ verifiedWith: sql<string>`verified_with` })
    .from(
      sql`(select verified_with, order_request_id from ${prescriptions} where org_id = ${orgId} and verified_with <> ''
        order by approved_at desc limit ${VERIFIED_LOOKED_AT}) as verified`,
    )
    .where(
      sql`(select integration_id from ${orderRequests} as sent where sent.id = verified.order_request_id)
        = ${fieldOf(id, 'integration_id')}`,
    )
    .limit(1),
);

/** The most customers with the same name whose orders are searched. */
const NAMESAKES_MAX = 50;

/**
 * Returns a subquery that reads one column of the reviewed request. It is for queries that run before the request is
 * read.
 */
function ofThis(column: string, id: string): Condition {
  return sql`(select ${sql.raw(column)} from order_requests as this where this.id = ${id})`;
}

/**
 * Returns SQL for a phone number without separators. A leading +49 or 0049, with any zeros after it, becomes a single
 * 0.
 */
function digitsOf(phone: Condition): Condition {
  const separators = [' ', '-', '/', '.', '(', ')'];
  const bare = separators.reduce((text, each) => sql`replace(${text}, ${each}, '')`, phone);
  const national = (prefix: string) =>
    sql`when ${bare} like ${`${prefix}%`} then '0' || ltrim(substr(${bare}, ${prefix.length + 1}), '0')`;
  return sql`case ${national('+49')} ${national('0049')} else ${bare} end`;
}

/**
 * Selects other orders of a request's person, newest first. An order is found if its customer has the request's
 * customer id or e-mail address. An order with the person's phone number is also found if its customer has the person's
 * name.
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
      ...pick(orders, ['id', 'number', 'createdAt']),
      ...pick(orders, ['shippingOption']),
      status: sql<OrderStatus>`orders.status`.as('earlier_status'),
      isByEmail: sql<number>`${isByEmail}`.as('is_by_email'),
    })
    .from(orders)
    .where(
      and(
        // `+` keeps SQLite from reading all orders of the organization.
        sql`+${orders.orgId} = ${orgId}`,
        isNull(orders.deletedAt),
        sql`orders.customer_id in (select * from ${byEmail} union select * from ${byName})`,
        sql`(${isByEmail} or ${isSamePhone})`,
        sql`orders.order_request_id is not ${requestId}`,
      ),
    )
    .orderBy(desc(orders.id))
    .limit(EARLIER_SHOWN + 1);
}

/** Selects rejected requests with the same e-mail address, newest first. */
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
    .limit(EARLIER_SHOWN + 1);
}

type EarlierOrder = Awaited<ReturnType<typeof selectEarlierOrders>>[number];
type EarlierRequest = Awaited<ReturnType<typeof selectEarlierRequests>>[number];

/** Other orders and rejected requests of the person who sent a request. */
interface PersonStrip {
  /**
   * The person's orders that came from other requests, and the person's rejected requests. Both lists are newest first.
   */
  orders: EarlierOrder[];
  requests: EarlierRequest[];
  /** Whether there are more orders or requests than are shown. */
  isMore: boolean;
  /**
   * How the orders and requests were found. `email`: at least one by e-mail address or customer id. `name_and_phone`:
   * all by name and phone number. Null if none were found.
   */
  foundBy: 'email' | 'name_and_phone' | null;
  /** Id of another recent request that may be of the same person. */
  possibleDuplicateId: string | null;
}

/** Returns the found orders and requests as the review shows them, at most `EARLIER_SHOWN` of each. */
export function stripOf(
  found: { earlierOrders: EarlierOrder[]; earlierRequests: EarlierRequest[] },
  possibleDuplicateId: string | null,
): PersonStrip {
  const { earlierOrders, earlierRequests } = found;
  const isByEmail = earlierRequests.length > 0 || earlierOrders.some((order) => order.isByEmail === 1);
  return {
    orders: earlierOrders.slice(0, EARLIER_SHOWN),
    requests: earlierRequests.slice(0, EARLIER_SHOWN),
    isMore: Math.max(earlierOrders.length, earlierRequests.length) > EARLIER_SHOWN,
    foundBy: isByEmail ? 'email' : earlierOrders.length > 0 ? 'name_and_phone' : null,
    possibleDuplicateId,
  };
}
