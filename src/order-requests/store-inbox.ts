import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { members } from '../auth/tables';
import { SEARCHED_MAX } from '../orders/limits';
import { type Condition, containsText, type Database } from '../platform/db';
import { shopHosts, shops } from '../tenants/tables';
import type { RequestRow } from './store-review';
import { orderRequests } from './tables';

/** The piles of the inbox. What waits for an answer is still pending, but nobody's next task. */
export const INBOX_TABS = ['open', 'needs_info', 'approved', 'rejected'] as const;
export type InboxTab = (typeof INBOX_TABS)[number];

export interface InboxFilter {
  tab: InboxTab;
  shopId?: string;
  /** Part of a name, an address, a reference or an id. */
  search?: string;
  /** The last id of the page before. */
  after?: string;
}

/** What a request is found by, without a table's name: also over a subquery. */
const WORDS_OF_REQUEST = sql`(coalesce(customer_name, '') || char(10) || coalesce(customer_email, '') || char(10)
  || coalesce(external_reference, '') || char(10) || id)`;

export const STATUS_OF_TAB: Record<InboxTab, RequestRow['status']> = {
  open: 'pending',
  needs_info: 'pending',
  approved: 'approved',
  rejected: 'rejected',
};

/** What waits longest comes first; of what is decided, the newest. */
function isQueue(tab: InboxTab): boolean {
  return STATUS_OF_TAB[tab] === 'pending';
}

/** Ids of one page of the inbox, as a subquery. */
export function inboxPage(orgId: string, filter: InboxFilter, limit: number): Condition {
  const { tab, shopId, search, after } = filter;
  const pile = sql`org_id = ${orgId} and status = ${STATUS_OF_TAB[tab]}
    ${isQueue(tab) ? sql`and needs_info = ${tab === 'needs_info' ? 1 : 0}` : sql``}
    ${shopId === undefined ? sql`` : sql`and shop_id = ${shopId}`}`;
  const order = isQueue(tab) ? sql`id asc` : sql`id desc`;
  const beyond = after === undefined ? sql`` : isQueue(tab) ? sql`and id > ${after}` : sql`and id < ${after}`;
  if (search === undefined) {
    return sql`(select id from ${orderRequests} where ${pile} ${beyond} order by ${order} limit ${limit})`;
  }
  const newest = sql`(select id, customer_name, customer_email, external_reference from ${orderRequests}
    where ${pile} order by id desc limit ${SEARCHED_MAX})`;
  return sql`(select id from ${newest} where ${containsText(WORDS_OF_REQUEST, search)} ${beyond} order by ${order} limit ${limit})`;
}

/** Everything but the body as it was sent, which may hold 64 KiB, of a page of requests. */
export function selectInboxRows(db: Database, tab: InboxTab, page: Condition) {
  const { payload: _, ...columns } = getTableColumns(orderRequests);
  return db.orm
    .select({
      ...columns,
      cashOnPickup: sql<number | null>`json_extract(payload, '$.payload.cash_on_pickup')`.as('cash_on_pickup'),
    })
    .from(orderRequests)
    .where(sql`${orderRequests.id} in ${page}`)
    .orderBy(isQueue(tab) ? asc(orderRequests.id) : desc(orderRequests.id));
}

export type InboxRow = Awaited<ReturnType<typeof selectInboxRows>>[number];

/** As many requests of a status as are counted: the inbox looks every few seconds, and nobody works from such a number. */
export const PILE_COUNTED_MAX = 1000;

/** How much lies on each pile. */
export function countPiles(db: Database, orgId: string) {
  const pile = (status: RequestRow['status'], flag: Condition) => sql`select * from (
    select status, ${flag} as flagged from ${orderRequests} where org_id = ${orgId} and status = ${status}
    limit ${PILE_COUNTED_MAX})`;
  const piles = sql.join(
    [pile('pending', sql`needs_info`), pile('approved', sql`0`), pile('rejected', sql`0`)],
    sql` union all `,
  );
  return db.orm
    .select({
      status: sql<RequestRow['status']>`status`.as('pile_status'),
      isFlagged: sql<number>`flagged`.as('pile_flagged'),
      count: sql<number>`count(*)`.as('amount'),
    })
    .from(sql`(${piles})`)
    .groupBy(sql`status, flagged`);
}

/** Behind this many nobody counts any more. */
export const WAITING_COUNTED_MAX = 100;

/** How many requests wait for a decision, read no further than that; those marked as needing an answer are passed over. */
export function countWaiting(db: Database, orgId: Condition) {
  const waiting = sql`(select 1 from ${orderRequests} where org_id = ${orgId} and status = 'pending' and needs_info = 0
    limit ${WAITING_COUNTED_MAX})`;
  return db.orm.select({ count: sql<number>`count(*)`.as('waiting') }).from(waiting);
}

/** The newest requests that hold a text, whatever became of them; of each status the newest are looked at. */
export function selectRequestsHolding(db: Database, orgId: string, search: string, limit: number) {
  const newest = (status: RequestRow['status']) => sql`select * from (select id, customer_name, customer_email,
    external_reference from ${orderRequests} where org_id = ${orgId} and status = ${status} order by id desc limit ${SEARCHED_MAX})`;
  const looked = sql.join([newest('pending'), newest('approved'), newest('rejected')], sql` union all `);
  const found = sql`(select id from (${looked}) where ${containsText(WORDS_OF_REQUEST, search)} order by id desc limit ${limit})`;
  return db.orm
    .select({
      id: orderRequests.id,
      status: orderRequests.status,
      needsInfo: orderRequests.needsInfo,
      customerName: orderRequests.customerName,
      customerEmail: orderRequests.customerEmail,
      externalReference: orderRequests.externalReference,
      createdAt: orderRequests.createdAt,
    })
    .from(orderRequests)
    .where(sql`${orderRequests.id} in ${found}`)
    .orderBy(desc(orderRequests.id));
}

/** The organization's shops by age, each with its first address. */
export function selectShopsWithHost(db: Database, orgId: string) {
  const host = sql<string | null>`(select ${shopHosts.host} from ${shopHosts}
    where ${shopHosts.shopId} = shops.id and ${shopHosts.status} = 'active' order by ${shopHosts.createdAt} limit 1)`;
  return db.orm
    .select({ id: shops.id, name: shops.name, host: host.as('first_host') })
    .from(shops)
    .where(eq(shops.orgId, orgId))
    .orderBy(asc(shops.id));
}

/** The member who decided a request; nobody when a program did. */
export function selectDecider(db: Database, orgId: string, requestId: string) {
  return db.orm
    .select({ name: members.name, email: members.email })
    .from(members)
    .where(
      and(
        eq(members.orgId, orgId),
        sql`${members.id} = (select decided_by from order_requests where order_requests.id = ${requestId})`,
      ),
    );
}

/** The open request that waits longest: behind this one, or of all others. */
export function selectNextOpen(db: Database, orgId: string, id: string, where: 'behind' | 'anywhere') {
  const beyond = where === 'behind' ? sql`${orderRequests.id} > ${id}` : sql`${orderRequests.id} <> ${id}`;
  return db.orm
    .select({ id: orderRequests.id })
    .from(orderRequests)
    .where(
      and(
        eq(orderRequests.orgId, orgId),
        eq(orderRequests.status, 'pending'),
        eq(orderRequests.needsInfo, false),
        beyond,
      ),
    )
    .orderBy(asc(orderRequests.id))
    .limit(1);
}
