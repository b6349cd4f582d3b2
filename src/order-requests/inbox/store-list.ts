import { and, type SQL, sql } from 'drizzle-orm';
import { type Condition, inList } from '../../platform/data/db';
import { madeWithin, type Period } from '../../platform/data/period';
import { idsForEach, orm, type Value } from '../../platform/data/statements';
import { LOOKED_MAX } from '../../platform/page';
import { shops } from '../../tenants/tables';
import type { RequestRow, RequestStatus } from '../store-requests';
import { orderRequests } from '../tables';

/** Pages of requests for the organization API, as subqueries of ids: related rows are read in the same round trip. */

export interface RequestPage {
  orgId: string;
  statuses: readonly RequestStatus[];
  before: string;
  limit: number;
}

/** A page, or the places of its values in a statement that is prepared. */
type PageValues = { [Name in keyof RequestPage]: Value<RequestPage[Name]> };

export interface RequestFilter extends Period {
  paymentStatuses?: readonly RequestRow['paymentStatus'][];
  shopId?: string;
  externalReference?: string;
}

/** One page of requests, newest first. */
export function requestPage(page: PageValues, filter: RequestFilter = {}): Condition {
  if (!isLookedThrough(filter)) return lookedAt(page, filter);
  const looked = lookedAt({ ...page, limit: LOOKED_MAX }, filter);
  return sql`(select id from ${orderRequests} where id in ${looked} and ${matches(filter)} order by id desc limit ${page.limit})`;
}

/** No index has the payment beside the rest: a page looks through so many requests at most. */
export function isLookedThrough({ paymentStatuses, externalReference }: RequestFilter): boolean {
  return paymentStatuses !== undefined && externalReference === undefined;
}

/** Where a page that looks through requests ended, if there are more. */
export function selectLookedEnd(page: RequestPage, filter: RequestFilter) {
  return orm
    .select({ before: sql<string>`looked_end` })
    .from(
      sql`(select min(id) as looked_end, count(*) as looked from ${lookedAt({ ...page, limit: LOOKED_MAX }, filter)})`,
    )
    .where(sql`looked >= ${LOOKED_MAX}`);
}

/** The newest requests that an index finds for a filter. */
function lookedAt(page: PageValues, filter: RequestFilter): SQL {
  const { orgId, statuses, before, limit } = page;
  if (filter.externalReference === undefined) return newestOf(page, filter);
  const conditions = and(
    // Names the organization's shops, so that SQLite can use the index of references, which begins with the shop.
    sql`shop_id in (select ${shops.id} from ${shops} where ${shops.orgId} = ${orgId})`,
    sql`external_reference = ${filter.externalReference}`,
    // `+` stops SQLite from scanning whole statuses when the index of references finds the rows.
    sql`+status in ${inList(statuses)}`,
    sql`id < ${before}`,
    matches(filter),
  );
  return sql`(select id from ${orderRequests} where ${conditions} order by id desc limit ${limit})`;
}

/**
 * Of each status a page is read from an index, however many there are. A shop's index leaves out those that wait: those of the
 * organization are looked through.
 */
function newestOf({ orgId, statuses, before, limit }: PageValues, filter: RequestFilter): SQL {
  const { shopId } = filter;
  const made = madeWithin(filter);
  const newest = (place: SQL) =>
    idsForEach(
      statuses,
      sql`select id from ${orderRequests} indexed by ${place} and status = each.value and id < ${before} and ${made}
        order by id desc limit ${limit}`,
    );
  const ofOrganization = sql`order_requests_by_status where org_id = ${orgId}`;
  const found =
    shopId === undefined
      ? sql`select found.value as id from ${newest(ofOrganization)}`
      : sql`select found.value as id from ${newest(sql`order_requests_by_shop where shop_id = ${shopId} and org_id = ${orgId} and status <> 'pending'`)}
        union all
        select found.value from ${newest(sql`${ofOrganization} and shop_id = ${shopId} and each.value = 'pending'`)}`;
  return sql`(select id from (${found}) order by id desc limit ${limit})`;
}

function matches({ paymentStatuses, shopId, createdAfter, createdBefore }: RequestFilter): SQL | undefined {
  return and(
    paymentStatuses && sql`+payment_status in ${inList(paymentStatuses)}`,
    shopId === undefined ? undefined : sql`+shop_id = ${shopId}`,
    createdAfter === undefined && createdBefore === undefined ? undefined : madeWithin({ createdAfter, createdBefore }),
  );
}

export interface ChangesPage {
  orgId: string;
  statuses: readonly RequestStatus[];
  after: number;
  limit: number;
}

/** One page of requests behind a change number, in the order of their last changes. */
export function changesPage(page: ChangesPage, filter: RequestFilter): Condition {
  const { orgId, after } = page;
  const { externalReference } = filter;
  const conditions = and(
    sql`org_id = ${orgId} and change_number > ${after}`,
    sql`change_number <= coalesce(${lookedChange(page)}, ${Number.MAX_SAFE_INTEGER})`,
    sql`+status in ${inList(page.statuses)}`,
    externalReference === undefined ? undefined : sql`+external_reference = ${externalReference}`,
    matches(filter),
  );
  return sql`(select id from ${orderRequests} where ${conditions} order by change_number limit ${page.limit})`;
}

/** Where a page of changes ended that looked through as many as it may; null if there were fewer. */
export function selectLookedChange(page: ChangesPage) {
  return orm
    .select({ changedAfter: sql<number | null>`${lookedChange(page)}`.as('looked_change') })
    .from(sql`(select 1)`);
}

function lookedChange({ orgId, after }: ChangesPage): SQL {
  return sql`(select change_number from ${orderRequests} where org_id = ${orgId} and change_number > ${after}
    order by change_number limit 1 offset ${LOOKED_MAX - 1})`;
}
