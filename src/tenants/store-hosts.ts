import { and, asc, eq, gt, isNotNull, lt, lte, ne, sql } from 'drizzle-orm';
import { has } from '../platform/data/columns';
import { inList, insertSelect, mustChangeOneRow, updateOneRow } from '../platform/data/db';
import { orm } from '../platform/data/statements';
import { newId } from '../platform/ids';
import { organizations } from '../platform/tables';
import { HOSTS_MAX, PENDING_HOSTS_MAX } from './limits';
import { isSettled, type PendingStatus, pendingHosts, releasedHosts, shopHosts, shops } from './tables';

export interface HostOfShop {
  orgId: string;
  shopId: string;
  host: string;
}

function isTheirShop({ orgId, shopId }: Omit<HostOfShop, 'host'>) {
  return sql`exists (select 1 from ${shops} where ${shops.id} = ${shopId} and ${shops.orgId} = ${orgId})`;
}

/**
 * Rolls the batch back if the host is an active host of a shop: the insert then violates the key of `shop_hosts`.
 * Otherwise it inserts no row.
 */
export function refuseActiveHost(at: HostOfShop, createdAt: number) {
  const row = { ...at, createdAt, customHostnameId: null, movedAt: null, nextCheckAt: createdAt };
  return insertSelect(
    shopHosts,
    row,
    sql`where exists (select 1 from ${shopHosts} as own where own.host = ${at.host})`,
  );
}

function countPending(orgId: string, shopId?: string) {
  const ofShop = shopId === undefined ? sql`1` : sql`shop_id = ${shopId}`;
  return sql<number>`(select count(*) from ${pendingHosts} where org_id = ${orgId} and ${ofShop})`;
}

function countOfShop({ orgId, shopId }: Omit<HostOfShop, 'host'>) {
  return sql<number>`((select count(*) from ${shopHosts} where shop_id = ${shopId}) + ${countPending(orgId, shopId)})`;
}

/**
 * Adds a host that waits for the operator. The batch is undone if the shop does not belong to the organization, has
 * `HOSTS_MAX` hosts (active and pending), or the organization has `PENDING_HOSTS_MAX` pending hosts. Put
 * `refuseActiveHost` before it.
 */
export function insertPendingHost(at: HostOfShop, createdAt: number) {
  const unseen = { hasCname: false, hasTxt: false, checkedAt: null, nextCheckAt: createdAt };
  const fresh = { ...unseen, status: 'pending', failure: null, customHostnameId: null } as const;
  const row = { id: newId(), ...at, ...fresh, createdAt };
  const write = insertSelect(
    pendingHosts,
    row,
    sql`where ${isTheirShop(at)} and ${countOfShop(at)} < ${HOSTS_MAX} and ${countPending(at.orgId)} < ${PENDING_HOSTS_MAX}`,
  );
  return mustChangeOneRow(write);
}

/**
 * The number of pending hosts of an organization. It tells why `insertPendingHost` did nothing, if the shop is not at
 * its limit.
 */
export function selectPendingCount(orgId: string) {
  return orm
    .select({ pending: countPending(orgId).as('pending_of_organization') })
    .from(organizations)
    .where(eq(organizations.id, orgId));
}

/** The row of the host was left behind when its organization moved to another database. */
const isLeftBehind = sql`exists (select 1 from ${organizations} where id = shop_hosts.org_id and state = 'gone')`;

/**
 * Makes a host an active host of the shop, even if other organizations asked for it. The batch is undone if the host is
 * active already. Put `deletePendingOf` after it: the active host takes the Cloudflare id from the shop's own pending
 * row.
 */
export function claimHost(at: HostOfShop, createdAt: number) {
  const customHostnameId = sql`(select own.custom_hostname_id from ${pendingHosts} as own
    where own.host = ${at.host} and own.shop_id = ${at.shopId})`;
  const row = { ...at, createdAt, customHostnameId, movedAt: null, nextCheckAt: createdAt };
  const write = insertSelect(shopHosts, row, sql`where ${isTheirShop(at)}`).onConflictDoUpdate({
    target: shopHosts.host,
    set: { orgId: at.orgId, shopId: at.shopId, createdAt, customHostnameId, movedAt: null, nextCheckAt: createdAt },
    setWhere: isLeftBehind,
  });
  return mustChangeOneRow(write);
}

/** Deletes the pending rows of all organizations for a host that is now active. */
export function deletePendingOf(host: string) {
  return orm.delete(pendingHosts).where(eq(pendingHosts.host, host));
}

/**
 * Withdraws a pending host; the batch is undone if it is not pending.
 * @param before epoch ms; the host must have been asked for before it
 */
export function deletePendingHost({ orgId, shopId, host }: HostOfShop, before?: number) {
  const isEarlier = before === undefined ? undefined : lt(pendingHosts.createdAt, before);
  const isIt = has(pendingHosts, { orgId, shopId, host });
  return mustChangeOneRow(orm.delete(pendingHosts).where(and(isIt, isEarlier)));
}

/**
 * Removes an active host; the batch is undone if the host does not exist or is the last active host of an active shop.
 * @param before epoch ms; the host must have become active before it
 */
export function deleteHost(at: HostOfShop, before?: number) {
  const isEarlier = before === undefined ? undefined : lt(shopHosts.createdAt, before);
  // This uses table aliases, because Drizzle omits table names in a statement about one table.
  const isSpare = sql`(not exists (select 1 from ${shops} as shop where shop.id = ${at.shopId} and shop.is_active = 1)
    or (select count(*) from ${shopHosts} as own where own.shop_id = ${at.shopId}) > 1)`;
  const isIt = and(has(shopHosts, { host: at.host, shopId: at.shopId }), isEarlier);
  return mustChangeOneRow(orm.delete(shopHosts).where(and(isIt, sql`${isTheirShop(at)} and ${isSpare}`)));
}

/** The shop that has an active host. It tells why `claimHost` did nothing. */
export function selectHost(host: string) {
  return orm.select({ shopId: shopHosts.shopId }).from(shopHosts).where(eq(shopHosts.host, host));
}

/** The given hosts that are active, with their organizations. */
export function selectActiveHosts(hosts: readonly string[]) {
  return orm
    .select({ host: shopHosts.host, orgId: shopHosts.orgId })
    .from(shopHosts)
    .where(sql`${shopHosts.host} in ${inList(hosts)}`);
}

/** One page of the hosts of a database that are not active yet, the longest waiting first. */
export function selectPendingHosts(after: string, limit: number, one?: PendingStatus) {
  const organization = { organizationName: organizations.name, isTest: organizations.isTest };
  return orm
    .select({ id, orgId, shopId, host, status, createdAt, ...organization })
    .from(pendingHosts)
    .innerJoin(organizations, eq(organizations.id, orgId))
    .where(and(gt(id, after), ne(organizations.state, 'gone'), one && eq(status, one)))
    .orderBy(asc(id))
    .limit(limit);
}

/** A pending host, with the columns that its checks need. */
export type PendingHost = Awaited<ReturnType<typeof selectPendingToCheck>>[number];

const { id, orgId, shopId, host, status, createdAt, checkedAt, customHostnameId } = pendingHosts;
const pendingColumns = { id, orgId, shopId, host, status, createdAt, checkedAt, customHostnameId };

/** Pending hosts whose next check is due, the longest overdue first. */
export function selectPendingToCheck(now: number, limit: number) {
  return orm
    .select(pendingColumns)
    .from(pendingHosts)
    .where(and(ne(pendingHosts.status, 'failed'), lte(pendingHosts.nextCheckAt, now), isSettled(pendingHosts.orgId)))
    .orderBy(asc(pendingHosts.nextCheckAt))
    .limit(limit);
}

/** One pending host of a shop. */
export function selectPendingHost(at: HostOfShop) {
  return orm
    .select(pendingColumns)
    .from(pendingHosts)
    .where(has(pendingHosts, { orgId: at.orgId, shopId: at.shopId, host: at.host }));
}

/** The columns that a check of a pending host changes. */
export type Looked = Partial<typeof pendingHosts.$inferInsert>;

/** Saves the result of a check, unless the status of the host changed since it was read. */
export function updatePendingHost(read: Pick<PendingHost, 'id' | 'status'>, changes: Looked) {
  return orm
    .update(pendingHosts)
    .set(changes)
    .where(has(pendingHosts, { id: read.id, status: read.status }));
}

/** Active hosts whose next check is due, the longest overdue first. */
export function selectActiveToCheck(now: number, limit: number) {
  const { host, orgId, shopId, customHostnameId, movedAt } = shopHosts;
  return orm
    .select({ host, orgId, shopId, customHostnameId, movedAt })
    .from(shopHosts)
    .where(and(lte(shopHosts.nextCheckAt, now), isSettled(shopHosts.orgId)))
    .orderBy(asc(shopHosts.nextCheckAt))
    .limit(limit);
}

export function updateActiveHost(at: HostOfShop, changes: { customHostnameId?: string; nextCheckAt: number }) {
  return orm
    .update(shopHosts)
    .set(changes)
    .where(has(shopHosts, { host: at.host, shopId: at.shopId }));
}

/**
 * Stores since when a host points elsewhere; null if it points here again. The batch is undone if that is already
 * stored.
 */
export function updateMoved(at: HostOfShop, movedAt: number | null) {
  const isOther = movedAt === null ? sql`${shopHosts.movedAt} is not null` : sql`${shopHosts.movedAt} is null`;
  return updateOneRow(shopHosts, { movedAt }, and(has(shopHosts, { host: at.host, shopId: at.shopId }), isOther));
}

/** Active hosts of this database whose DNS points elsewhere; those that moved first come first. */
export function selectMovedHosts(limit: number) {
  const { host, orgId, shopId, createdAt, movedAt } = shopHosts;
  const { name: organizationName, isTest } = organizations;
  return orm
    .select({ host, orgId, organizationName, isTest, shopId, createdAt, movedAt })
    .from(shopHosts)
    .innerJoin(organizations, eq(organizations.id, orgId))
    .where(and(isNotNull(movedAt), ne(organizations.state, 'gone')))
    .orderBy(asc(movedAt))
    .limit(limit);
}

/** Queues a host for deletion at Cloudflare. Put it before the statement that deletes the row. */
export function insertReleased(at: HostOfShop, from: 'active' | 'pending', now: number) {
  const table = from === 'active' ? shopHosts : pendingHosts;
  // A host whose DNS was never right was not created at Cloudflare.
  const mayExist = from === 'active' ? sql`1` : sql`own.status <> 'pending'`;
  return insertSelect(
    releasedHosts,
    { host: at.host, createdAt: now },
    sql`from ${table} as own where own.host = ${at.host} and own.shop_id = ${at.shopId} and own.org_id = ${at.orgId}
      and ${mayExist}`,
  ).onConflictDoNothing();
}

/** Hosts released up to a time, oldest first; `isTaken`: a shop of this database has the host again. */
export function selectReleased(before: number, limit: number) {
  const isTaken = sql<number>`exists (select 1 from ${shopHosts} as own where own.host = released_hosts.host)`;
  return orm
    .select({ host: releasedHosts.host, isTaken: isTaken.as('is_taken') })
    .from(releasedHosts)
    .where(lte(releasedHosts.createdAt, before))
    .orderBy(asc(releasedHosts.createdAt))
    .limit(limit);
}

/** A row if the host waits to be deleted at Cloudflare. */
export function selectReleasedOf(host: string) {
  return orm.select({ host: releasedHosts.host }).from(releasedHosts).where(eq(releasedHosts.host, host));
}

export function deleteReleased(hosts: readonly string[]) {
  return orm.delete(releasedHosts).where(sql`${releasedHosts.host} in ${inList(hosts)}`);
}
