import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { members } from '../../auth/tables';
import { selectOrderable } from '../../inventory/store-listings';
import { selectReservationsOf } from '../../inventory/store-reservations';
import { orders } from '../../orders/tables';
import { ROLES, roleHolds } from '../../platform/access';
import { has } from '../../platform/data/columns';
import { inList } from '../../platform/data/db';
import { LOOKED_MAX, madeWithin, type PageAfter, type PageBefore, type Period } from '../../platform/data/page';
import {
  type Condition,
  idsForEach,
  type Named,
  namedAlike,
  orm,
  prepared,
  preparedEach,
  type Value,
} from '../../platform/data/statements';
import { ABOVE_ALL_IDS } from '../../platform/ids';
import { selectPrescriptionStates, selectPrescriptionsOfRequests } from '../../prescriptions/store';
import { foundIds, type Sought, shopTerm, stateTerm } from '../../search/store';
import { shops } from '../../tenants/tables';
import { events } from '../../webhooks/tables';
import { TAB_COUNTED_MAX, WAITING_COUNTED_MAX } from '../limits';
import { productsNamedBy, type RequestRow, type RequestStatus, selectRequests, shopsOf } from '../store';
import { EVERY_ORGANIZATION, inboxChanges, orderRequests } from '../tables';

/** The tabs of the inbox. A request that waits for information is still pending, but has a tab of its own. */
export const INBOX_TABS = ['open', 'needs_info', 'approved', 'rejected'] as const;
export type InboxTab = (typeof INBOX_TABS)[number];

export interface InboxFilter {
  tab: InboxTab;
  shopId?: string;
  /** The text to search for: words of a name, an address, a reference or an item. */
  search?: string;
  /** The last id of the previous page. */
  after?: string;
}

export const STATUS_OF_TAB: Record<InboxTab, RequestRow['status']> = {
  open: 'pending',
  needs_info: 'pending',
  approved: 'approved',
  rejected: 'rejected',
};

/** Whether the tab lists the request that has waited longest first. Tabs of decided requests list the newest first. */
function isQueue(tab: InboxTab): boolean {
  return STATUS_OF_TAB[tab] === 'pending';
}

/** Which page of a tab to read. */
interface InboxPage {
  orgId: string;
  status: RequestRow['status'];
  /** 1 for the requests that wait for information, 0 for other requests. Not used for decided requests. */
  needsInfo: number;
  /** Null for all shops. */
  shopId: string | null;
  /** The last id of the previous page; null for the first one. */
  after: string | null;
  limit: number;
}

function pageOfInbox(orgId: string, { tab, shopId, after }: InboxFilter, limit: number): InboxPage {
  const needsInfo = tab === 'needs_info' ? 1 : 0;
  return { orgId, status: STATUS_OF_TAB[tab], needsInfo, shopId: shopId ?? null, after: after ?? null, limit };
}

/** Ids of one page of the inbox, as a subquery. */
function inboxPage(of: InboxPage | Named<InboxPage>, inQueue: boolean): Condition {
  return sql`(select id from ${inTab(of, inQueue)} and ${beyond(of, inQueue)}
    order by ${orderIn(inQueue)} limit ${of.limit})`;
}

/** Ids of one page of the inbox with a text search, as a subquery. */
function foundPage(of: InboxPage, tab: InboxTab, sought: Sought): Condition {
  const { shopId, after, limit } = of;
  const inQueue = isQueue(tab);
  const states = [[stateTerm(tab)], ...(shopId === null ? [] : [[shopTerm(shopId)]])];
  const found = foundIds(sought, { states, after, limit, isAscending: inQueue });
  const flag = inQueue ? sql`and needs_info = ${of.needsInfo}` : sql``;
  // Rows that are not indexed yet may be of any tab. `+` keeps SQLite from reading the tab instead of the search
  // results.
  return sql`(select id from ${orderRequests} where id in ${found} and +org_id = ${of.orgId} and +status = ${of.status} ${flag}
    and (${shopId} is null or +shop_id = ${shopId}) and ${beyond(of, inQueue)}
    order by ${orderIn(inQueue)} limit ${limit})`;
}

/**
 * Returns the SQL that follows FROM, with the WHERE clause, for the requests of a tab. The decided requests of a shop
 * have their own index. The pending requests of a shop are found by scanning those of its organization.
 */
function inTab({ orgId, status, needsInfo, shopId }: InboxPage | Named<InboxPage>, inQueue: boolean): Condition {
  if (!inQueue && typeof shopId === 'string') {
    return sql`${orderRequests} indexed by order_requests_by_shop
      where shop_id = ${shopId} and org_id = ${orgId} and status = ${status} and status <> 'pending'`;
  }
  const flag = inQueue ? sql`and needs_info = ${needsInfo}` : sql``;
  return sql`${orderRequests} where org_id = ${orgId} and status = ${status} ${flag}
    and (${shopId} is null or shop_id = ${shopId})`;
}

function beyond({ after }: InboxPage | Named<InboxPage>, inQueue: boolean): Condition {
  // Every id sorts before `~`.
  return inQueue ? sql`id > coalesce(${after}, '')` : sql`id < coalesce(${after}, '~')`;
}

function orderIn(inQueue: boolean): Condition {
  return inQueue ? sql`id asc` : sql`id desc`;
}

/**
 * The number of the request's order; null if there is none. Table names are written out, because Drizzle omits them in a
 * statement about one table.
 */
const NUMBER = sql<number | null>`(select made.number from ${orders} as made
  where made.org_id = order_requests.org_id and made.id = order_requests.order_id)`.as('order_number');

/** The columns of a request that the inbox shows. */
const INBOX_COLUMNS = namedAlike({
  id: orderRequests.id,
  shopId: orderRequests.shopId,
  source: orderRequests.source,
  status: orderRequests.status,
  needsInfoCode: orderRequests.needsInfoCode,
  supplements: orderRequests.supplements,
  reasonCode: orderRequests.reasonCode,
  cashOnPickup: orderRequests.cashOnPickup,
  customerName: orderRequests.customerName,
  customerEmail: orderRequests.customerEmail,
  addressStreet: orderRequests.addressStreet,
  addressCity: orderRequests.addressCity,
  addressPostalCode: orderRequests.addressPostalCode,
  shippingOption: orderRequests.shippingOption,
  paymentStatus: orderRequests.paymentStatus,
  totalCents: orderRequests.totalCents,
  feeCents: orderRequests.feeCents,
  discountCents: orderRequests.discountCents,
  feeLimits: orderRequests.feeLimits,
  items: orderRequests.items,
  approvedItems: orderRequests.approvedItems,
  createdAt: orderRequests.createdAt,
});

/**
 * Selects the requests of a page of the inbox: with `inQueue` the oldest first, otherwise the newest.
 * @param page a subquery of ids
 */
function selectInboxRows(page: Condition, inQueue: boolean) {
  return orm
    .select({ ...INBOX_COLUMNS, orderNumber: NUMBER })
    .from(orderRequests)
    .where(sql`${orderRequests.id} in ${page}`)
    .orderBy(inQueue ? asc(orderRequests.id) : desc(orderRequests.id));
}

/** The number of requests in each tab. */
export const countTabs = prepared(({ orgId }: Named<{ orgId: string }>) => {
  const ofStatus = (status: RequestRow['status'], flag: Condition) => sql`select * from (
    select status, ${flag} as flagged from ${orderRequests} where org_id = ${orgId} and status = ${status}
    limit ${TAB_COUNTED_MAX})`;
  const tabCounts = sql.join(
    [ofStatus('pending', sql`needs_info`), ofStatus('approved', sql`0`), ofStatus('rejected', sql`0`)],
    sql` union all `,
  );
  return orm
    .select({
      status: sql<RequestRow['status']>`status`.as('tab_status'),
      isFlagged: sql<number>`flagged`.as('tab_flagged'),
      count: sql<number>`count(*)`.as('amount'),
    })
    .from(sql`(${tabCounts})`)
    .groupBy(sql`status, flagged`);
});

export type CountedTab = Awaited<ReturnType<typeof countTabs>>[number];

/**
 * The version of an organization's inbox: its newest event, and the counts of changes without an event. While the
 * version is the same, everything that `readInbox` reads is the same. Reads three rows at most.
 */
export const selectInboxVersion = prepared(({ orgId }: Named<{ orgId: string }>) => {
  const changesOf = (id: Value<string>) =>
    sql`coalesce((select ${inboxChanges.changes} from ${inboxChanges} where org_id = ${id}), 0)`;
  const newest = sql`coalesce((select id from ${events} where org_id = ${orgId} order by seq desc limit 1), '')`;
  const version = sql<string>`${newest} || ' ' || ${changesOf(orgId)} || ' ' || ${changesOf(EVERY_ORGANIZATION)}`;
  return orm.select({ version: version.as('inbox_version') }).from(sql`(select 1)`);
});

/**
 * The number of pending requests without an open question, counted up to `WAITING_COUNTED_MAX`. The batch that reads a
 * session runs this query before any scope is checked: show the result only to the member of that session.
 */
export const countWaiting = prepared(({ orgId }: Named<{ orgId: string }>) => {
  const waiting = sql`(select 1 from ${orderRequests} where org_id = ${orgId} and status = 'pending' and needs_info = 0
    limit ${WAITING_COUNTED_MAX})`;
  return orm.select({ count: sql<number>`count(*)`.as('waiting') }).from(waiting);
});

/**
 * Selects who decided a request or, for a pending request, who prepared its review (null for a program), and the number
 * of its order.
 */
export function selectDecision(orgId: string, id: string) {
  const name = sql`(select coalesce(name, nullif(email, '')) from ${members} as decider
    where decider.org_id = ${orgId} and decider.id = coalesce(decided_by, draft ->> '$.savedBy'))`;
  return orm
    .select({
      name: sql<string | null>`${name}`.as('decider_name'),
      orderNumber: NUMBER,
    })
    .from(orderRequests)
    .where(has(orderRequests, { orgId, id }));
}

/**
 * One other open request: the next one (`behind`), the previous one (`before`), or the one that has waited longest
 * (`anywhere`).
 */
export function selectNextOpen(orgId: string, id: string, where: 'behind' | 'anywhere' | 'before') {
  const compared = { behind: sql`>`, anywhere: sql`<>`, before: sql`<` }[where];
  return orm
    .select({ id: orderRequests.id })
    .from(orderRequests)
    .where(
      and(
        has(orderRequests, { orgId, status: 'pending', needsInfo: false }),
        sql`${orderRequests.id} ${compared} ${id}`,
      ),
    )
    .orderBy(where === 'before' ? desc(orderRequests.id) : asc(orderRequests.id))
    .limit(1);
}

/** The number of open requests that have waited longer than this one, counted up to `WAITING_COUNTED_MAX`. */
export const countBefore = prepared(({ orgId, id }: Named<{ orgId: string; id: string }>) => {
  const before = sql`(select 1 from ${orderRequests} where org_id = ${orgId} and status = 'pending' and needs_info = 0
    and id < ${id} limit ${WAITING_COUNTED_MAX})`;
  return orm.select({ count: sql<number>`count(*)`.as('waiting_before') }).from(before);
});

/** The most names of members that a page shows. */
const CHECKERS_MAX = 4;

/** Names of members whose role may check prescriptions, at most `CHECKERS_MAX`. */
export function selectCheckers(orgId: string) {
  const roles = ROLES.filter((role) => roleHolds(role, 'prescriptions.write'));
  return orm
    .select({ name: sql<string>`coalesce(${members.name}, nullif(${members.email}, ''))`.as('checker_name') })
    .from(members)
    .where(
      and(eq(members.orgId, orgId), sql`revoked_at is null and accepted_at is not null`, inArray(members.role, roles)),
    )
    .orderBy(asc(members.id))
    .limit(CHECKERS_MAX);
}

/**
 * The rest of this file selects pages of requests for the organization API. A page is a subquery of ids, so that
 * related rows are read in the same round trip.
 */

export interface RequestPage extends PageBefore {
  statuses: readonly RequestStatus[];
}

/** The values of a page, or their placeholders in a prepared statement. */
type PageValues = { [Name in keyof RequestPage]: Value<RequestPage[Name]> };

export interface RequestFilter extends Period {
  paymentStatuses?: readonly RequestRow['paymentStatus'][];
  shopId?: string;
  externalReference?: string;
}

/** One page of requests, newest first. */
function requestPage(page: PageValues, filter: RequestFilter = {}): Condition {
  if (!isLookedThrough(filter)) return lookedAt(page, filter);
  const looked = lookedAt({ ...page, limit: LOOKED_MAX }, filter);
  return sql`(select id from ${orderRequests} where id in ${looked} and ${matches(filter)} order by id desc limit ${page.limit})`;
}

/**
 * Whether a page is found by scanning requests, at most `LOOKED_MAX`. This is so for a filter by payment status,
 * because no index contains the payment status. A filter that also names a reference needs no scan, because references
 * have an index.
 */
function isLookedThrough({ paymentStatuses, externalReference }: RequestFilter): boolean {
  return paymentStatuses !== undefined && externalReference === undefined;
}

/**
 * Selects the id of the last request that a page scanned (`isLookedThrough`). Returns no row if the page scanned fewer
 * than `LOOKED_MAX` requests.
 */
function selectLookedEnd(page: RequestPage, filter: RequestFilter) {
  return orm
    .select({ before: sql<string>`looked_end` })
    .from(
      sql`(select min(id) as looked_end, count(*) as looked from ${lookedAt({ ...page, limit: LOOKED_MAX }, filter)})`,
    )
    .where(sql`looked >= ${LOOKED_MAX}`);
}

/** Ids of the newest requests that an index finds for a filter, as a subquery. */
function lookedAt(page: PageValues, filter: RequestFilter): SQL {
  const { orgId, statuses, before, limit } = page;
  if (filter.externalReference === undefined) return newestOf(page, filter);
  const conditions = and(
    // Names the organization's shops, so that SQLite can use the index of references, which begins with the shop.
    sql`shop_id in (select ${shops.id} from ${shops} where ${shops.orgId} = ${orgId})`,
    sql`external_reference = ${filter.externalReference}`,
    // `+` stops SQLite from scanning whole statuses when the index of references finds the rows.
    sql`+status in ${inList(statuses)}`,
    madeWithin(filter, before),
    matches(filter),
  );
  return sql`(select id from ${orderRequests} where ${conditions} order by id desc limit ${limit})`;
}

/**
 * Returns a subquery of the ids of the newest requests. It reads one page from an index for each status. The index by
 * shop has no pending requests, so the pending requests of a shop are found among those of the organization.
 */
function newestOf({ orgId, statuses, before, limit }: PageValues, filter: RequestFilter): SQL {
  const { shopId } = filter;
  const made = madeWithin(filter, before);
  const newest = (place: SQL) =>
    idsForEach(
      statuses,
      sql`select id from ${orderRequests} indexed by ${place} and status = each.value and ${made}
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

function matches({ paymentStatuses, shopId }: RequestFilter): SQL | undefined {
  return and(
    paymentStatuses && sql`+payment_status in ${inList(paymentStatuses)}`,
    shopId === undefined ? undefined : sql`+shop_id = ${shopId}`,
  );
}

interface ChangesPage extends PageAfter<number> {
  statuses: readonly RequestStatus[];
}

/** One page of requests after a change number, sorted by change number. */
function changesPage(page: ChangesPage, filter: RequestFilter): Condition {
  const { orgId, after, statuses, limit } = page;
  const { externalReference } = filter;
  const matching = and(
    sql`change_number <= coalesce(${lookedChange(page)}, ${Number.MAX_SAFE_INTEGER})`,
    sql`+status in ${inList(statuses)}`,
    externalReference === undefined ? undefined : sql`+external_reference = ${externalReference}`,
    madeWithin(filter, ABOVE_ALL_IDS),
    matches(filter),
  );
  const conditions = and(
    sql`org_id = ${orgId} and change_number > ${after}`,
    areLookedThrough(page, filter) ? matching : undefined,
  );
  return sql`(select id from ${orderRequests} where ${conditions} order by change_number limit ${limit})`;
}

/** Whether the page is filtered. A filtered page scans at most `LOOKED_MAX` changes. */
function areLookedThrough({ statuses }: ChangesPage, filter: RequestFilter): boolean {
  const isOfAll = orderRequests.status.enumValues.every((status) => statuses.includes(status));
  return !isOfAll || Object.values(filter).some((value) => value !== undefined);
}

/**
 * Selects the change number of the last change that a filtered page scanned. It is null if the page scanned fewer than
 * `LOOKED_MAX` changes.
 */
function selectLookedChange(page: ChangesPage) {
  return orm
    .select({ changedAfter: sql<number | null>`${lookedChange(page)}`.as('looked_change') })
    .from(sql`(select 1)`);
}

function lookedChange({ orgId, after }: ChangesPage): SQL {
  return sql`(select change_number from ${orderRequests} where org_id = ${orgId} and change_number > ${after}
    order by change_number limit 1 offset ${LOOKED_MAX - 1})`;
}

/** A page of requests, with their prescriptions and the products that they name. */
export function selectRequestPage(page: RequestPage, filter: RequestFilter) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return {
    ...(isFiltered ? requestsIn(page.orgId, requestPage(page, filter)) : allRequests(page)),
    end: isLookedThrough(filter) ? selectLookedEnd(page, filter) : undefined,
  };
}

/** Like `selectRequestPage`, sorted by change number. */
export function selectChangesPage(page: ChangesPage, filter: RequestFilter) {
  return {
    ...requestsIn(page.orgId, changesPage(page, filter), sql`change_number`),
    end: areLookedThrough(page, filter) ? selectLookedChange(page) : undefined,
  };
}

const allRequests = preparedEach((page: Named<RequestPage>) => requestsIn(page.orgId, requestPage(page)));

/** Requests with their prescriptions and products. @param ids a subquery */
function requestsIn(orgId: Value<string>, ids: Condition, order = sql`id desc`) {
  return {
    rows: selectRequests(ids, order),
    prescriptions: selectPrescriptionsOfRequests(orgId, ids),
    reserved: selectReservationsOf(orgId, ids),
    products: productsOf(orgId, ids),
  };
}

/**
 * A page of the inbox, with the data for the lines and labels of its requests.
 * @param sought the result of the text search; null without one
 * @param limit the most rows of the page
 */
export function selectInboxPage(orgId: string, filter: InboxFilter, sought: Sought | null, limit: number) {
  const page = pageOfInbox(orgId, filter, limit);
  const inQueue = isQueue(filter.tab);
  if (sought) return entriesIn(orgId, foundPage(page, filter.tab, sought), inQueue);
  if (!inQueue && filter.shopId !== undefined) return entriesIn(orgId, inboxPage(page, inQueue), inQueue);
  return inQueue ? waiting(page) : decided(page);
}

// These queries are prepared, because every open inbox runs them every few seconds.
const waiting = preparedEach((page: Named<InboxPage>) => entriesIn(page.orgId, inboxPage(page, true), true));
const decided = preparedEach((page: Named<InboxPage>) => entriesIn(page.orgId, inboxPage(page, false), false));

function entriesIn(orgId: Value<string>, ids: Condition, inQueue: boolean) {
  return {
    rows: selectInboxRows(ids, inQueue),
    prescriptions: selectPrescriptionStates(orgId, ids),
    reserved: selectReservationsOf(orgId, ids),
    products: productsOf(orgId, ids),
  };
}

function productsOf(orgId: Value<string>, requestIds: Condition) {
  return selectOrderable(orgId, shopsOf(requestIds), productsNamedBy(requestIds));
}
