import { and, asc, eq, isNotNull, lte, ne, sql } from 'drizzle-orm';
import { inList, insertSelect, mustChangeOneRow } from '../platform/data/db';
import { namedColumns, orm } from '../platform/data/statements';
import type { HostOfShop } from './store-hosts';
import {
  type HostFailure,
  isSettled,
  organizations,
  type PendingStatus,
  pendingHosts,
  releasedHosts,
  shopHosts,
} from './tables';

/** A host that an owner asked for, as far as its checks need it. */
export type PendingHost = Awaited<ReturnType<typeof selectPendingToCheck>>[number];

const { id, orgId, shopId, host, status, createdAt, checkedAt, customHostnameId } = pendingHosts;
const pendingColumns = namedColumns({ id, orgId, shopId, host, status, createdAt, checkedAt, customHostnameId });

/** Hosts whose next look is due, the longest due first. */
export function selectPendingToCheck(now: number, limit: number) {
  return orm
    .select(pendingColumns)
    .from(pendingHosts)
    .where(and(ne(pendingHosts.status, 'failed'), lte(pendingHosts.nextCheckAt, now), isSettled(pendingHosts.orgId)))
    .orderBy(asc(pendingHosts.nextCheckAt))
    .limit(limit);
}

/** One host of a shop that is not active. */
export function selectPendingHost(at: HostOfShop) {
  return orm
    .select(pendingColumns)
    .from(pendingHosts)
    .where(and(eq(pendingHosts.orgId, at.orgId), eq(pendingHosts.shopId, at.shopId), eq(pendingHosts.host, at.host)));
}

export interface Looked {
  status?: PendingStatus;
  failure?: HostFailure | null;
  hasCname?: boolean;
  hasTxt?: boolean;
  checkedAt?: number;
  nextCheckAt?: number;
  customHostnameId?: string | null;
}

/** Writes what a look found, unless somebody else has gone on with the host since it was read. */
export function updatePendingHost(read: Pick<PendingHost, 'id' | 'status'>, changes: Looked) {
  return orm
    .update(pendingHosts)
    .set(changes)
    .where(and(eq(pendingHosts.id, read.id), eq(pendingHosts.status, read.status)));
}

/** Active hosts whose next look is due, the longest due first. */
export function selectActiveToCheck(now: number, limit: number) {
  const { host, orgId, shopId, customHostnameId, movedAt } = shopHosts;
  return orm
    .select(namedColumns({ host, orgId, shopId, customHostnameId, movedAt }))
    .from(shopHosts)
    .where(and(lte(shopHosts.nextCheckAt, now), isSettled(shopHosts.orgId)))
    .orderBy(asc(shopHosts.nextCheckAt))
    .limit(limit);
}

export function updateActiveHost(at: HostOfShop, changes: { customHostnameId?: string; nextCheckAt: number }) {
  return orm
    .update(shopHosts)
    .set(changes)
    .where(and(eq(shopHosts.host, at.host), eq(shopHosts.shopId, at.shopId)));
}

/** Notes that a host points elsewhere, or here again; the batch is undone where that is noted already. */
export function updateMoved(at: HostOfShop, movedAt: number | null) {
  const isOther = movedAt === null ? sql`${shopHosts.movedAt} is not null` : sql`${shopHosts.movedAt} is null`;
  const write = orm
    .update(shopHosts)
    .set({ movedAt })
    .where(and(eq(shopHosts.host, at.host), eq(shopHosts.shopId, at.shopId), isOther));
  return mustChangeOneRow(write);
}

/** Active hosts of this database whose DNS points elsewhere, the longest first. */
export function selectMovedHosts(limit: number) {
  const { host, orgId, shopId, createdAt, movedAt } = shopHosts;
  const { name: organizationName, isTest } = organizations;
  return orm
    .select(namedColumns({ host, orgId, organizationName, isTest, shopId, createdAt, movedAt }))
    .from(shopHosts)
    .innerJoin(organizations, eq(organizations.id, orgId))
    .where(and(isNotNull(movedAt), ne(organizations.state, 'gone')))
    .orderBy(asc(movedAt))
    .limit(limit);
}

/** Notes that a host has to go at Cloudflare, where it may be. It comes before the statement that deletes the row. */
export function insertReleased(at: HostOfShop, from: 'active' | 'pending', now: number) {
  const table = from === 'active' ? shopHosts : pendingHosts;
  // Nothing is made at Cloudflare for one whose DNS was never right.
  const mayExist = from === 'active' ? sql`1` : sql`own.status <> 'pending'`;
  return insertSelect(
    releasedHosts,
    { host: at.host, createdAt: now },
    sql`from ${table} as own where own.host = ${at.host} and own.shop_id = ${at.shopId} and own.org_id = ${at.orgId}
      and ${mayExist}`,
  ).onConflictDoNothing();
}

/** Those released before a time, the longest first; `isTaken`: a shop of this database has it again. */
export function selectReleased(before: number, limit: number) {
  const isTaken = sql<number>`exists (select 1 from ${shopHosts} as own where own.host = released_hosts.host)`;
  return orm
    .select({ ...namedColumns({ host: releasedHosts.host }), isTaken: isTaken.as('is_taken') })
    .from(releasedHosts)
    .where(lte(releasedHosts.createdAt, before))
    .orderBy(asc(releasedHosts.createdAt))
    .limit(limit);
}

/** Whether a host is about to be deleted at Cloudflare. */
export function selectReleasedOf(host: string) {
  return orm.select({ host: releasedHosts.host }).from(releasedHosts).where(eq(releasedHosts.host, host));
}

export function deleteReleased(hosts: readonly string[]) {
  return orm.delete(releasedHosts).where(sql`${releasedHosts.host} in ${inList(hosts)}`);
}
