import { and, asc, eq, type InferInsertModel, sql } from 'drizzle-orm';
import { insertSelect, mustChangeOneRow } from '../platform/data/db';
import { type Named, orm, prepared } from '../platform/data/statements';
import type { ShopSettings } from './fields';
import { pendingHosts, shopHosts, shops } from './tables';

/** @param max the batch is undone when the organization has this many shops */
export function insertShop(row: InferInsertModel<typeof shops>, max?: number) {
  const hasRoom =
    max === undefined ? sql`1` : sql`(select count(*) from ${shops} where ${shops.orgId} = ${row.orgId}) < ${max}`;
  return mustChangeOneRow(insertSelect(shops, { listedCount: 0, ...row }, sql`where ${hasRoom}`));
}

interface ShopChange {
  orgId: string;
  shopId: string;
  changes: ShopSettings;
  now: number;
}

/** The batch is undone unless the shop is unchanged since it was shown. */
export function updateShopRow({ orgId, shopId, changes, now }: ShopChange, seenAt: number) {
  const write = orm
    .update(shops)
    .set({ ...changes, updatedAt: now })
    .where(and(eq(shops.id, shopId), eq(shops.orgId, orgId), eq(shops.updatedAt, seenAt)));
  return mustChangeOneRow(write);
}

/** The batch is undone if the shop has this state already. */
export function updateShopActive(at: Omit<ShopChange, 'changes'>, isActive: boolean) {
  const write = orm
    .update(shops)
    .set({ isActive, updatedAt: at.now })
    .where(and(eq(shops.id, at.shopId), eq(shops.orgId, at.orgId), eq(shops.isActive, !isActive)));
  return mustChangeOneRow(write);
}

/** An organization's shops, the oldest first. */
export function selectShops(orgId: string, shopId?: string) {
  return orm
    .select()
    .from(shops)
    .where(and(eq(shops.orgId, orgId), shopId === undefined ? undefined : eq(shops.id, shopId)))
    .orderBy(asc(shops.id));
}

/** The hosts of an organization's shops, pending ones too; the first active host of each shop is used in links. */
export function selectHosts(orgId: string, shopId?: string) {
  const ofShop = shopId === undefined ? sql`1` : sql`shops.id = ${shopId}`;
  const named = sql`(
    select own.shop_id, own.host, 'active' as status, own.created_at from ${shops} join ${shopHosts} as own on own.shop_id = shops.id
      where shops.org_id = ${orgId} and ${ofShop}
    union all
    select own.shop_id, own.host, 'pending', own.created_at from ${shops} join ${pendingHosts} as own on own.shop_id = shops.id
      where own.org_id = ${orgId} and ${ofShop}) as named`;
  return orm
    .select({
      shopId: sql<string>`named.shop_id`.as('host_shop_id'),
      host: sql<string>`named.host`.as('host'),
      status: sql<'active' | 'pending'>`named.status`.as('status'),
    })
    .from(named)
    .orderBy(sql`named.created_at, named.host`);
}

/** Named as the fields are, so that D1's rows need no renaming. */
const shopColumns = {
  id: sql<string>`${shops.id}`.as('id'),
  orgId: sql<string>`${shops.orgId}`.as('orgId'),
  name: sql<string>`${shops.name}`.as('name'),
  isActive: sql<number>`${shops.isActive}`.as('isActive'),
  deliveryServiceName: sql<string>`${shops.deliveryServiceName}`.as('deliveryServiceName'),
};

/** The shop of an active host. Column names must be unique, because the statement is a join in a batch. */
export const selectShopByHost = prepared(({ host }: Named<{ host: string }>) =>
  orm
    .select(shopColumns)
    .from(shopHosts)
    .innerJoin(shops, eq(shops.id, shopHosts.shopId))
    .where(eq(shopHosts.host, host)),
);

export type ShopAtHost = Awaited<ReturnType<typeof selectShopByHost>>[number];

export const selectShopOfOrganization = prepared(({ orgId, shopId }: Named<{ orgId: string; shopId: string }>) =>
  orm
    .select(shopColumns)
    .from(shops)
    .where(and(eq(shops.id, shopId), eq(shops.orgId, orgId))),
);
