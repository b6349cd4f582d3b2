import { and, asc, eq, sql } from 'drizzle-orm';
import { type Database, insertSelect } from '../platform/db';
import { organizations, shopHosts, shops } from './tables';

export interface HostOfShop {
  orgId: string;
  shopId: string;
  host: string;
}

function isTheirShop({ orgId, shopId }: Omit<HostOfShop, 'host'>) {
  return sql`exists (select 1 from ${shops} where ${shops.id} = ${shopId} and ${shops.orgId} = ${orgId})`;
}

/**
 * Adds a host that waits for the operator, unless the shop is not theirs or has as many as it may; guard it with
 * `mustChangeOne`.
 */
export function insertPendingHost(db: Database, at: HostOfShop, max: number, createdAt: number) {
  const row = { host: at.host, shopId: at.shopId, status: 'pending' as const, createdAt };
  const hasRoom = sql`(select count(*) from ${shopHosts} where ${shopHosts.shopId} = ${at.shopId}) < ${max}`;
  return insertSelect(db, shopHosts, row, sql`where ${isTheirShop(at)} and ${hasRoom}`);
}

/**
 * Makes a host the shop's, active from now on: a new one, or one that waits, in whichever shop. What waits is a wish, so
 * that nobody keeps a name by asking for it first. Nothing happens to an active one; guard it with `mustChangeOne`.
 */
export function claimHost(db: Database, at: HostOfShop, createdAt: number) {
  const row = { host: at.host, shopId: at.shopId, status: 'active' as const, createdAt };
  return insertSelect(db, shopHosts, row, sql`where ${isTheirShop(at)}`).onConflictDoUpdate({
    target: shopHosts.host,
    set: { shopId: at.shopId, status: 'active', createdAt },
    setWhere: sql`shop_hosts.status = 'pending'`,
  });
}

/**
 * Removes a host while it has the status that was seen; the last active one of an active shop stays. Guard it with
 * `mustChangeOne`.
 */
export function deleteHost(db: Database, at: HostOfShop, status: 'active' | 'pending') {
  // Names are written out: Drizzle leaves the table off a column in a statement about one table.
  const isSpare = sql`(shop_hosts.status = 'pending'
    or not exists (select 1 from ${shops} as shop where shop.id = ${at.shopId} and shop.is_active = 1)
    or (select count(*) from ${shopHosts} as own where own.shop_id = ${at.shopId} and own.status = 'active') > 1)`;
  const isIt = and(eq(shopHosts.host, at.host), eq(shopHosts.shopId, at.shopId), eq(shopHosts.status, status));
  return db.orm.delete(shopHosts).where(and(isIt, sql`${isTheirShop(at)} and ${isSpare}`));
}

/** Whose a host is, and whether a shop is theirs: why `claimHost` did nothing. */
export function selectHost(db: Database, host: string) {
  return db.orm
    .select({ shopId: shopHosts.shopId, status: shopHosts.status })
    .from(shopHosts)
    .where(eq(shopHosts.host, host));
}

/** Hosts that wait for the operator, of all organizations, the longest wait first. */
export function selectPendingHosts(db: Database, limit: number) {
  return db.orm
    .select({
      orgId: sql<string>`${shops.orgId}`.as('host_org_id'),
      organizationName: sql<string>`${organizations.name}`.as('host_organization_name'),
      shopId: sql<string>`${shopHosts.shopId}`.as('host_shop_id'),
      host: shopHosts.host,
      createdAt: sql<number>`${shopHosts.createdAt}`.as('host_created_at'),
    })
    .from(shopHosts)
    .innerJoin(shops, eq(shops.id, shopHosts.shopId))
    .innerJoin(organizations, eq(organizations.id, shops.orgId))
    .where(eq(shopHosts.status, 'pending'))
    .orderBy(asc(shopHosts.createdAt), asc(shopHosts.host))
    .limit(limit);
}
