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
 * Undoes the batch if the host is already an active host of a shop, by violating the key of `shop_hosts`. Otherwise
 * inserts nothing.
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
 * Adds a pending host. The batch is undone in these cases: the shop does not belong to the organization, the shop has
 * `HOSTS_MAX` active and pending hosts, or the organization has `PENDING_HOSTS_MAX` pending hosts. Must come after
 * `refuseActiveHost`.
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
 * Counts the pending hosts of an organization. The number tells which of two limits made `insertPendingHost` undo the
 * batch: the organization's or the shop's.
 */
export function selectPendingCount(orgId: string) {
  return orm
    .select({ pending: countPending(orgId).as('pending_of_organization') })
    .from(organizations)
    .where(eq(organizations.id, orgId));
}

/** SQL for whether the row of a host is left over from an organization that has moved to another database. */
const isLeftBehind = sql`exists (select 1 from ${organizations} where id = shop_hosts.org_id and state = 'gone')`;

/**
 * Makes a host an active host of the shop, even if other organizations asked for it. The batch is undone if the host is
 * active already. Must come before `deletePendingOf`, because the active host takes its id at Cloudflare from the
 * shop's own pending row.
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

/** Deletes the pending rows of a host in all organizations, because the host is now active. */
export function deletePendingOf(host: string) {
  return orm.delete(pendingHosts).where(eq(pendingHosts.host, host));
}

/**
 * Deletes a pending host. The batch is undone if the host is not pending.
 * @param before epoch ms. The batch is also undone if the host was asked for at this time or later
 */
export function deletePendingHost({ orgId, shopId, host }: HostOfShop, before?: number) {
  const isEarlier = before === undefined ? undefined : lt(pendingHosts.createdAt, before);
  const isIt = has(pendingHosts, { orgId, shopId, host });
  return mustChangeOneRow(orm.delete(pendingHosts).where(and(isIt, isEarlier)));
}

/**
 * Deletes an active host. The batch is undone if the host does not exist, or if it is the last active host of an active
 * shop.
 * @param before epoch ms. The batch is also undone if the host became active at this time or later
 */
export function deleteHost(at: HostOfShop, before?: number) {
  const isEarlier = before === undefined ? undefined : lt(shopHosts.createdAt, before);
  // This uses table aliases, because Drizzle omits table names in a statement about one table.
  const isSpare = sql`(not exists (select 1 from ${shops} as shop where shop.id = ${at.shopId} and shop.is_active = 1)
    or (select count(*) from ${shopHosts} as own where own.shop_id = ${at.shopId}) > 1)`;
  const isIt = and(has(shopHosts, { host: at.host, shopId: at.shopId }), isEarlier);
  return mustChangeOneRow(orm.delete(shopHosts).where(and(isIt, sql`${isTheirShop(at)} and ${isSpare}`)));
}

/** Selects the shop of an active host. The result tells why `claimHost` failed. */
export function selectHost(host: string) {
  return orm.select({ shopId: shopHosts.shopId }).from(shopHosts).where(eq(shopHosts.host, host));
}

/** Selects those of the given hosts that are active, with their organizations. */
export function selectActiveHosts(hosts: readonly string[]) {
  return orm
    .select({ host: shopHosts.host, orgId: shopHosts.orgId })
    .from(shopHosts)
    .where(sql`${shopHosts.host} in ${inList(hosts)}`);
}

/** Selects one page of the pending hosts of a database. The host that waits longest is first. */
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

/** A pending host with the columns that a check needs. */
export type PendingHost = Awaited<ReturnType<typeof selectPendingToCheck>>[number];

const { id, orgId, shopId, host, status, createdAt, checkedAt, customHostnameId } = pendingHosts;
const pendingColumns = { id, orgId, shopId, host, status, createdAt, checkedAt, customHostnameId };

/** Selects the pending hosts whose next check is due. The one that is longest overdue is first. */
export function selectPendingToCheck(now: number, limit: number) {
  return orm
    .select(pendingColumns)
    .from(pendingHosts)
    .where(and(ne(pendingHosts.status, 'failed'), lte(pendingHosts.nextCheckAt, now), isSettled(pendingHosts.orgId)))
    .orderBy(asc(pendingHosts.nextCheckAt))
    .limit(limit);
}

/** Selects one pending host of a shop. */
export function selectPendingHost(at: HostOfShop) {
  return orm
    .select(pendingColumns)
    .from(pendingHosts)
    .where(has(pendingHosts, { orgId: at.orgId, shopId: at.shopId, host: at.host }));
}

/** The columns that a check of a pending host changes. */
export type Looked = Partial<typeof pendingHosts.$inferInsert>;

/** Saves the result of a check, unless the status of the host has changed since it was read. */
export function updatePendingHost(read: Pick<PendingHost, 'id' | 'status'>, changes: Looked) {
  return orm
    .update(pendingHosts)
    .set(changes)
    .where(has(pendingHosts, { id: read.id, status: read.status }));
}

/** Selects the active hosts whose next check is due. The one that is longest overdue is first. */
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
 * Stores since when a host points elsewhere, or null if it points here again. The batch is undone if the row already
 * has a time, or, for null, if it already has null.
 */
export function updateMoved(at: HostOfShop, movedAt: number | null) {
  const isOther = movedAt === null ? sql`${shopHosts.movedAt} is not null` : sql`${shopHosts.movedAt} is null`;
  return updateOneRow(shopHosts, { movedAt }, and(has(shopHosts, { host: at.host, shopId: at.shopId }), isOther));
}

/** Selects the active hosts of this database whose DNS points elsewhere. The one that moved first is first. */
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

/** Notes that a host has to be deleted at Cloudflare. Must come before the statement that deletes the host's row. */
export function insertReleased(at: HostOfShop, from: 'active' | 'pending', now: number) {
  const table = from === 'active' ? shopHosts : pendingHosts;
  // A host was created at Cloudflare only if its DNS was right.
  const mayExist = from === 'active' ? sql`1` : sql`own.status <> 'pending'`;
  return insertSelect(
    releasedHosts,
    { host: at.host, createdAt: now },
    sql`from ${table} as own where own.host = ${at.host} and own.shop_id = ${at.shopId} and own.org_id = ${at.orgId}
      and ${mayExist}`,
  ).onConflictDoNothing();
}

/**
 * Selects the hosts that were released at a time or before, oldest first. `isTaken`: a shop of this database has the
 * host again.
 */
export function selectReleased(before: number, limit: number) {
  const isTaken = sql<number>`exists (select 1 from ${shopHosts} as own where own.host = released_hosts.host)`;
  return orm
    .select({ host: releasedHosts.host, isTaken: isTaken.as('is_taken') })
    .from(releasedHosts)
    .where(lte(releasedHosts.createdAt, before))
    .orderBy(asc(releasedHosts.createdAt))
    .limit(limit);
}

/** Selects a row if the host still has to be deleted at Cloudflare. */
export function selectReleasedOf(host: string) {
  return orm.select({ host: releasedHosts.host }).from(releasedHosts).where(eq(releasedHosts.host, host));
}

export function deleteReleased(hosts: readonly string[]) {
  return orm.delete(releasedHosts).where(sql`${releasedHosts.host} in ${inList(hosts)}`);
}
