import { and, asc, eq, gt, type InferInsertModel, isNull, sql } from 'drizzle-orm';
import { has } from '../platform/data/columns';
import { inList, insertSelect, mustChangeOneRow, updateOneRow } from '../platform/data/db';
import { type Condition, type Named, namedAlike, orm, prepared } from '../platform/data/statements';
import { organizations } from '../platform/tables';
import type { ShopFeeSettings, ShopSettings } from './fields';
import { FEE_MAX_CENTS_DEFAULT } from './limits';
import { type HostFailure, type PendingStatus, pendingHosts, shopHosts, shopPlace, shops } from './tables';

export function insertOrganization(row: InferInsertModel<typeof organizations>) {
  return orm.insert(organizations).values(row);
}

/**
 * Changes an organization. The batch is undone if there is no such organization.
 * @param seenAt the `updatedAt` that the caller saw. The batch is also undone if `updatedAt` has changed since
 */
export function updateOrganizationRow(
  id: string,
  changes: {
    [K in keyof InferInsertModel<typeof organizations>]?: InferInsertModel<typeof organizations>[K] | Condition;
  },
  seenAt?: number,
) {
  const isAsSeen = seenAt === undefined ? undefined : eq(organizations.updatedAt, seenAt);
  return updateOneRow(organizations, changes, and(eq(organizations.id, id), isAsSeen));
}

/** Links a live organization to its new test organization. The batch is undone if it already has one. */
export function claimTestOrganization(id: string, testId: string) {
  const hasNone = has(organizations, { isTest: false, counterpartId: null });
  return updateOneRow(organizations, { counterpartId: testId }, and(eq(organizations.id, id), hasNone));
}

/** Suspends or reactivates a live organization's test organization, because both are suspended together. */
export function suspendTestOf(orgId: string, suspendedAt: Condition | null) {
  return orm
    .update(organizations)
    .set({ suspendedAt })
    .where(has(organizations, { counterpartId: orgId, isTest: true }));
}

/** Returns the new value of `suspendedAt`. If the organization is suspended already, the first time stays. */
export function suspendedSince(isSuspended: boolean, now: number): Condition | null {
  return isSuspended ? sql`coalesce(${organizations.suspendedAt}, ${now})` : null;
}

export function selectOrganization(id: string) {
  return orm.select().from(organizations).where(eq(organizations.id, id));
}

/** Selects for how many days after its issue a prescription is accepted, and the effect of an invalid signature. */
export const selectPrescriptionValidDays = prepared(({ orgId }: Named<{ orgId: string }>) =>
  orm
    .select({ validDays: organizations.prescriptionValidDays, signatureCheck: organizations.signatureCheck })
    .from(organizations)
    .where(eq(organizations.id, orgId)),
);

export type PrescriptionSettings = Awaited<ReturnType<typeof selectPrescriptionValidDays>>[number];

/** Selects the retention periods of the active organizations with ids after `after`, ordered by id. */
export function selectRetention(after: string, limit: number) {
  return orm
    .select({
      id: organizations.id,
      requestRetentionDays: organizations.requestRetentionDays,
      orderRetentionDays: organizations.orderRetentionDays,
    })
    .from(organizations)
    .where(and(gt(organizations.id, after), eq(organizations.state, 'active')))
    .orderBy(asc(organizations.id))
    .limit(limit);
}

/** How long an organization keeps data, in days. */
export type OrganizationRetention = Awaited<ReturnType<typeof selectRetention>>[number];

/** Selects those of the given organizations that are in this database, in any state. */
export function selectOrganizationIds(ids: readonly string[]) {
  return orm
    .select({ id: organizations.id })
    .from(organizations)
    .where(sql`${organizations.id} in ${inList(ids)}`);
}

/** `moved`: the host is active, but its DNS now points elsewhere. */
export type HostStatus = 'active' | 'moved' | PendingStatus;

/** Whether the service answers requests to a host of this status. */
export function isServed(status: HostStatus): boolean {
  return status === 'active' || status === 'moved';
}

const EMPTY_SHOP = {
  ...{ listedCount: 0, fees: {}, feeMaxCents: FEE_MAX_CENTS_DEFAULT },
  ...{ street: null, postalCode: null, city: null, phone: null, openingHours: null },
  expressKind: 'bote' as const,
  deliveryServiceKind: 'bote' as const,
  shippingAliases: {},
  ...{ reservePendingMinutes: 0, reservePaidMinutes: 0 },
};

type NewShop = Omit<InferInsertModel<typeof shops>, 'expressKind' | 'deliveryServiceKind' | 'shippingAliases'>;

/** Inserts a shop. @param max the batch is undone if the organization already has this many shops */
export function insertShop(row: NewShop, max?: number) {
  const hasRoom =
    max === undefined ? sql`1` : sql`(select count(*) from ${shops} where ${shops.orgId} = ${row.orgId}) < ${max}`;
  return mustChangeOneRow(insertSelect(shops, { ...EMPTY_SHOP, ...row }, sql`where ${hasRoom}`));
}

interface ShopChange {
  orgId: string;
  shopId: string;
  changes: Partial<ShopSettings & ShopFeeSettings & { isActive: boolean }>;
  now: number;
}

/** Changes a shop. The batch is undone if the shop's `updatedAt` is no longer `seenAt`. */
export function updateShopRow({ orgId, shopId, changes, now }: ShopChange, seenAt: number) {
  return updateOneRow(
    shops,
    { ...changes, updatedAt: Math.max(now, seenAt + 1) },
    has(shops, { id: shopId, orgId, updatedAt: seenAt }),
  );
}

/** Activates or deactivates a shop. The batch is undone if the shop is already in this state. */
export function updateShopActive(at: Omit<ShopChange, 'changes'>, isActive: boolean) {
  return updateOneRow(
    shops,
    { isActive, updatedAt: at.now },
    has(shops, { id: at.shopId, orgId: at.orgId, isActive: !isActive }),
  );
}

/** Selects an organization's shops, the oldest first. */
export function selectShops(orgId: string, shopId?: string) {
  return orm
    .select()
    .from(shops)
    .where(and(eq(shops.orgId, orgId), shopId === undefined ? undefined : eq(shops.id, shopId)))
    .orderBy(asc(shops.id));
}

/**
 * Selects the hosts of an organization's shops, active and pending, oldest first. Links use a shop's first active host.
 */
export function selectHosts(orgId: string, shopId?: string) {
  const ofShop = shopId === undefined ? sql`1` : sql`shops.id = ${shopId}`;
  const named = sql`(
    select own.shop_id, own.host, iif(own.moved_at is null, 'active', 'moved') as status, own.created_at, null as id,
      null as failure, 0 as has_cname, 0 as has_txt, null as checked_at from ${shops} join ${shopHosts} as own on own.shop_id = shops.id
      where shops.org_id = ${orgId} and ${ofShop}
    union all
    select own.shop_id, own.host, own.status, own.created_at, own.id, own.failure, own.has_cname, own.has_txt,
      own.checked_at from ${shops} join ${pendingHosts} as own on own.shop_id = shops.id
      where own.org_id = ${orgId} and ${ofShop}) as named`;
  return orm
    .select({
      shopId: sql<string>`named.shop_id`.as('host_shop_id'),
      host: sql<string>`named.host`.as('host'),
      status: sql<HostStatus>`named.status`.as('status'),
      pendingId: sql<string | null>`named.id`.as('pending_id'),
      failure: sql<HostFailure | null>`named.failure`.as('failure'),
      hasCname: sql<number>`named.has_cname`.as('has_cname'),
      hasTxt: sql<number>`named.has_txt`.as('has_txt'),
      checkedAt: sql<number | null>`named.checked_at`.as('checked_at'),
    })
    .from(named)
    .orderBy(sql`named.created_at, named.host`);
}

/** Selects an organization's shops by name, each with its first active host. */
export const selectShopsWithHost = prepared(({ orgId }: Named<{ orgId: string }>) => {
  const host = sql<string | null>`(select own.host from ${shopHosts} as own where own.shop_id = shops.id
    order by own.created_at, own.host limit 1)`;
  return orm
    .select({
      id: shops.id,
      name: shops.name,
      isActive: shops.isActive,
      deliveryServiceName: shops.deliveryServiceName,
      host: host.as('host'),
    })
    .from(shops)
    .where(eq(shops.orgId, orgId))
    .orderBy(shops.name, shops.id);
});

const shopColumns = namedAlike({
  id: shops.id,
  orgId: shops.orgId,
  name: shops.name,
  isActive: shops.isActive,
  deliveryServiceName: shops.deliveryServiceName,
  shippingAliases: shops.shippingAliases,
  listedCount: shops.listedCount,
  fees: shops.fees,
  feeMaxCents: shops.feeMaxCents,
  reservePendingMinutes: shops.reservePendingMinutes,
  reservePaidMinutes: shops.reservePaidMinutes,
});

/** Selects the shop of an active host. The column names must be unique, because this is a join in a batch. */
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
    .where(has(shops, { id: shopId, orgId })),
);

/** Selects the public details of the shop of an active host. No row while the shop's organization is suspended. */
export const selectShopAtDoor = prepared(({ host }: Named<{ host: string }>) =>
  orm
    .select({ ...shopPlace, isTest: sql<number>`${organizations.isTest}`.as('organization_is_test') })
    .from(shopHosts)
    .innerJoin(shops, eq(shops.id, shopHosts.shopId))
    .innerJoin(organizations, eq(organizations.id, shops.orgId))
    .where(and(eq(shopHosts.host, host), isNull(organizations.suspendedAt))),
);

export type ShopAtDoor = Awaited<ReturnType<typeof selectShopAtDoor>>[number];
