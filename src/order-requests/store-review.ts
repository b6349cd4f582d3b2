import {
  and,
  desc,
  eq,
  type InferInsertModel,
  type InferSelectModel,
  inArray,
  lt,
  ne,
  type SQL,
  sql,
} from 'drizzle-orm';
import { type Condition, type Database, inList, mustChangeOneRow } from '../platform/db';
import { shops } from '../tenants/tables';
import { orderRequests } from './tables';

export type RequestRow = InferSelectModel<typeof orderRequests>;
export type RequestStatus = RequestRow['status'];

export function selectRequest(db: Database, orgId: string, id: string) {
  return db.orm
    .select()
    .from(orderRequests)
    .where(and(eq(orderRequests.id, id), eq(orderRequests.orgId, orgId), ne(orderRequests.status, 'deleted')));
}

export interface RequestFilter {
  statuses: readonly RequestStatus[];
  shopId?: string;
  externalReference?: string;
}

/** Ids of one page of requests, newest first, as a subquery: related rows are read in the same round trip. */
export function requestPage(orgId: string, filter: RequestFilter, before: string | null, limit: number): Condition {
  const { externalReference } = filter;
  const conditions = and(
    externalReference === undefined ? eq(orderRequests.orgId, orgId) : hasReference(orgId, externalReference),
    // `+` stops SQLite from scanning whole statuses when the index of references finds the rows.
    sql`${sql.raw(externalReference === undefined ? '' : '+')}${orderRequests.status} in ${inList(filter.statuses)}`,
    before === null ? undefined : lt(orderRequests.id, before),
    filter.shopId === undefined ? undefined : eq(orderRequests.shopId, filter.shopId),
  );
  return sql`(select ${orderRequests.id} from ${orderRequests} where ${conditions} order by ${orderRequests.id} desc limit ${limit})`;
}

/** Names the organization's shops, so that SQLite can use the index of references, which begins with the shop. */
function hasReference(orgId: string, reference: string): SQL | undefined {
  const ofOrganization = sql`(select ${shops.id} from ${shops} where ${shops.orgId} = ${orgId})`;
  return and(sql`${orderRequests.shopId} in ${ofOrganization}`, eq(orderRequests.externalReference, reference));
}

export function selectRequests(db: Database, page: Condition) {
  return db.orm.select().from(orderRequests).where(sql`${orderRequests.id} in ${page}`).orderBy(desc(orderRequests.id));
}

/**
 * Ids of the products that requests name, and of some others, as a subquery.
 * @param requests a subquery of request ids
 */
export function productsNamedBy(requests: Condition, others: readonly string[] = []): Condition {
  const named = sql`select json_extract(item.value, key.value) from order_requests as named, json_each(named.items) as item,
    json_each('["$.p1Id","$.productId"]') as key where named.id in ${requests}`;
  return others.length === 0 ? sql`(${named})` : sql`(${named} union all select value from ${inList(others)})`;
}

/** The shops of some requests, as a subquery; `requests` is one of request ids. */
export function shopsOf(requests: Condition): Condition {
  return sql`(select shop_id from order_requests as placed where placed.id in ${requests})`;
}

/** A column of a request that is not read yet, as a subquery. */
export function fieldOf(requestId: string, column: 'shop_id' | 'customer_id' | 'customer_email'): Condition {
  const value = { shop_id: sql`shop_id`, customer_id: sql`customer_id`, customer_email: sql`lower(customer_email)` }[
    column
  ];
  return sql`(select ${value} from ${orderRequests} where id = ${requestId})`;
}

/** The most requests that are searched for duplicates. */
const DUPLICATES_AMONG_MAX = 500;

/** Another request of the same person that is not rejected or deleted: same e-mail, or same name and postal code. */
export function selectPossibleDuplicate(db: Database, orgId: string, requestId: string, since: string) {
  const recent = sql`(select id from order_requests where org_id = ${orgId} and status in ('pending', 'approved')
    and id > ${since} and id <> ${requestId} order by id desc limit ${DUPLICATES_AMONG_MAX})`;
  return db.orm
    .select({ id: orderRequests.id })
    .from(orderRequests)
    .where(
      and(
        sql`${orderRequests.id} in ${recent}`,
        sql`exists (select 1 from order_requests as this where this.id = ${requestId} and (
            lower(this.customer_email) = lower(order_requests.customer_email)
            or (lower(this.customer_name) = lower(order_requests.customer_name)
              and this.address_postal_code = order_requests.address_postal_code)))`,
      ),
    )
    .limit(1);
}

/** Changes a request; the batch is undone unless it still has one of these statuses. */
export function updateRequestIf(
  db: Database,
  orgId: string,
  id: string,
  from: readonly RequestStatus[],
  changes: Partial<InferInsertModel<typeof orderRequests>>,
) {
  const write = db.orm
    .update(orderRequests)
    .set(changes)
    .where(and(eq(orderRequests.id, id), eq(orderRequests.orgId, orgId), inArray(orderRequests.status, [...from])));
  return mustChangeOneRow(write);
}

/** The request is still pending; a condition for other writes in the batch. */
export function requestWaits(orgId: string, id: string): Condition {
  return sql`exists (select 1 from ${orderRequests} where id = ${id} and org_id = ${orgId} and status = 'pending')`;
}

/** What deleting, erasure and retention clear in a request: all personal data. The row stays. */
export const ERASED = {
  fingerprint: null,
  externalReference: null,
  payload: null,
  prescriptionPdfUrl: null,
  cashOnPickup: null,
  customerName: null,
  customerEmail: null,
  customerId: null,
  addressStreet: null,
  addressCity: null,
  addressPostalCode: null,
  addressPhone: null,
  paymentReference: null,
  items: [],
  approvedItems: null,
  needsInfoNote: null,
  reasonNote: null,
  overrideReason: null,
};
