import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { members } from '../../auth/tables';
import { ROLES, roleHolds } from '../../platform/access';
import type { Condition } from '../../platform/data/db';
import { type Named, namedColumns, orm, prepared, type Value } from '../../platform/data/statements';
import { foundIds, type Sought, shopTerm, stateTerm } from '../../search/service';
import { shopHosts, shops } from '../../tenants/tables';
import { events } from '../../webhooks/tables';
import type { RequestRow } from '../store-requests';
import { EVERY_ORGANIZATION, inboxChanges, orderRequests } from '../tables';

/** The tabs of the inbox. A request that waits for information is still pending, but has a tab of its own. */
export const INBOX_TABS = ['open', 'needs_info', 'approved', 'rejected'] as const;
export type InboxTab = (typeof INBOX_TABS)[number];

export interface InboxFilter {
  tab: InboxTab;
  shopId?: string;
  /** Words of a name, an address, a reference, items … */
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

/** Open requests are listed with the longest waiting first, decided ones with the newest first. */
export function isQueue(tab: InboxTab): boolean {
  return STATUS_OF_TAB[tab] === 'pending';
}

/** Which page of a tab to read. */
export interface InboxPage {
  orgId: string;
  status: RequestRow['status'];
  /** 0 or 1; the same for all decided requests. */
  needsInfo: number;
  /** Null for all shops. */
  shopId: string | null;
  /** The last id of the previous page; null for the first one. */
  after: string | null;
  limit: number;
}

export function pageOfInbox(orgId: string, { tab, shopId, after }: InboxFilter, limit: number): InboxPage {
  const needsInfo = tab === 'needs_info' ? 1 : 0;
  return { orgId, status: STATUS_OF_TAB[tab], needsInfo, shopId: shopId ?? null, after: after ?? null, limit };
}

/** Ids of one page of the inbox, as a subquery. */
export function inboxPage(of: InboxPage | Named<InboxPage>, inQueue: boolean): Condition {
  return sql`(select id from ${inTab(of, inQueue)} and ${beyond(of, inQueue)}
    order by ${orderIn(inQueue)} limit ${of.limit})`;
}

/** The same for those that a text finds. */
export function foundPage(of: InboxPage, tab: InboxTab, sought: Sought): Condition {
  const { shopId, after, limit } = of;
  const inQueue = isQueue(tab);
  const states = [[stateTerm(tab)], ...(shopId === null ? [] : [[shopTerm(shopId)]])];
  const found = foundIds(sought, { states, after, limit, isAscending: inQueue });
  const flag = inQueue ? sql`and needs_info = ${of.needsInfo}` : sql``;
  // What is not in the index yet may be of any tab. `+` keeps SQLite from reading the tab instead of what was found.
  return sql`(select id from ${orderRequests} where id in ${found} and +org_id = ${of.orgId} and +status = ${of.status} ${flag}
    and (${shopId} is null or +shop_id = ${shopId}) and ${beyond(of, inQueue)}
    order by ${orderIn(inQueue)} limit ${limit})`;
}

/** FROM and WHERE of a tab. A shop's decided requests have an index of their own; what waits is looked through. */
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

/** What the inbox shows of a page of requests. @param page a subquery of ids */
export function selectInboxRows(page: Condition, inQueue: boolean) {
  return orm
    .select(
      namedColumns({
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
        items: orderRequests.items,
        approvedItems: orderRequests.approvedItems,
        createdAt: orderRequests.createdAt,
      }),
    )
    .from(orderRequests)
    .where(sql`${orderRequests.id} in ${page}`)
    .orderBy(inQueue ? asc(orderRequests.id) : desc(orderRequests.id));
}

/** Counting stops here: the inbox refreshes every few seconds, and a larger number helps nobody. */
export const TAB_COUNTED_MAX = 1000;

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
 * Another text whenever anything has changed that an organization's inbox shows of its requests: its newest event, and the counts
 * of what changes without one. Three rows at most. While it is the same, so is all that `readInbox` reads.
 */
export const selectInboxVersion = prepared(({ orgId }: Named<{ orgId: string }>) => {
  const changesOf = (id: Value<string>) =>
    sql`coalesce((select ${inboxChanges.changes} from ${inboxChanges} where org_id = ${id}), 0)`;
  const newest = sql`coalesce((select id from ${events} where org_id = ${orgId} order by seq desc limit 1), '')`;
  const version = sql<string>`${newest} || ' ' || ${changesOf(orgId)} || ' ' || ${changesOf(EVERY_ORGANIZATION)}`;
  return orm.select({ version: version.as('inbox_version') }).from(sql`(select 1)`);
});

/** Counting stops here. */
export const WAITING_COUNTED_MAX = 100;

/**
 * How many requests wait for a decision, counted up to the limit; without those that wait for information. In the batch that
 * reads a session nobody's scopes are known yet: there it may be shown only to the person of that session.
 */
export const countWaiting = prepared(({ orgId }: Named<{ orgId: string }>) => {
  const waiting = sql`(select 1 from ${orderRequests} where org_id = ${orgId} and status = 'pending' and needs_info = 0
    limit ${WAITING_COUNTED_MAX})`;
  return orm.select({ count: sql<number>`count(*)`.as('waiting') }).from(waiting);
});

/** The organization's shops, oldest first, each with its first host. */
export const selectShopsWithHost = prepared(({ orgId }: Named<{ orgId: string }>) => {
  const host = sql<string | null>`(select ${shopHosts.host} from ${shopHosts}
    where ${shopHosts.shopId} = shops.id order by ${shopHosts.createdAt} limit 1)`;
  return orm
    .select({ id: shops.id, name: shops.name, host: host.as('first_host') })
    .from(shops)
    .where(eq(shops.orgId, orgId))
    .orderBy(asc(shops.id));
});

/** The member who decided a request, or prepared the review of one that waits; no row if a program decided. */
export function selectDecider(orgId: string, requestId: string) {
  return orm
    .select({ name: sql<string>`coalesce(${members.name}, ${members.email})`.as('decider_name') })
    .from(members)
    .where(
      and(
        eq(members.orgId, orgId),
        sql`${members.id} = (select coalesce(decided_by, draft ->> '$.savedBy') from order_requests where order_requests.id = ${requestId})`,
      ),
    );
}

/** An open request: the one that has waited longest after this one or of all others, or the last one before it. */
export function selectNextOpen(orgId: string, id: string, where: 'behind' | 'anywhere' | 'before') {
  const compared = { behind: sql`>`, anywhere: sql`<>`, before: sql`<` }[where];
  return orm
    .select({ id: orderRequests.id })
    .from(orderRequests)
    .where(
      and(
        eq(orderRequests.orgId, orgId),
        eq(orderRequests.status, 'pending'),
        eq(orderRequests.needsInfo, false),
        sql`${orderRequests.id} ${compared} ${id}`,
      ),
    )
    .orderBy(where === 'before' ? desc(orderRequests.id) : asc(orderRequests.id))
    .limit(1);
}

/** How many open requests have waited longer than this one, up to the limit. */
export const countBefore = prepared(({ orgId, id }: Named<{ orgId: string; id: string }>) => {
  const before = sql`(select 1 from ${orderRequests} where org_id = ${orgId} and status = 'pending' and needs_info = 0
    and id < ${id} limit ${WAITING_COUNTED_MAX})`;
  return orm.select({ count: sql<number>`count(*)`.as('waiting_before') }).from(before);
});

/** As many names as a page says. */
const CHECKERS_MAX = 4;

/** Names of those who may check prescriptions. */
export function selectCheckers(orgId: string) {
  const roles = ROLES.filter((role) => roleHolds(role, 'prescriptions.write'));
  return orm
    .select({ name: sql<string>`coalesce(${members.name}, ${members.email})`.as('checker_name') })
    .from(members)
    .where(
      and(eq(members.orgId, orgId), sql`revoked_at is null and accepted_at is not null`, inArray(members.role, roles)),
    )
    .orderBy(asc(members.id))
    .limit(CHECKERS_MAX);
}
