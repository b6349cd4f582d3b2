import { type SQLWrapper, sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Condition } from '../platform/data/statements';
import { organizationId, organizations } from '../platform/tables';
import { FEE_MAX_CENTS_DEFAULT } from './limits';
import type { ShippingAliases, ShopFees } from './rules';
import { SHIPPING_KINDS } from './shipping';

export const shops = sqliteTable(
  'shops',
  {
    id: text('id').primaryKey(),
    orgId: organizationId(),
    name: text('name').notNull(),
    isActive: integer('is_active', { mode: 'boolean' }).notNull(),
    /** The name of the shop's own delivery service: the fourth value of `shipping_option`. */
    deliveryServiceName: text('delivery_service_name').notNull(),
    /** Who brings an Express order: a courier of the pharmacy, or others. */
    expressKind: text('express_kind', { enum: SHIPPING_KINDS }).notNull().default('bote'),
    /** Who brings an order of the shop's own delivery service. */
    deliveryServiceKind: text('delivery_service_kind', { enum: SHIPPING_KINDS }).notNull().default('bote'),
    /** Other names under which platforms send the shop's shipping options. */
    shippingAliases: text('shipping_aliases', { mode: 'json' }).$type<ShippingAliases>().notNull().default({}),
    /** How many products the shop offers. Only triggers on `listings` (migrations) write it. */
    listedCount: integer('listed_count').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /**
     * Street with house number. Customers see the address and the phone number on the shop's pages, papers and
     * messages.
     */
    street: text('street'),
    postalCode: text('postal_code'),
    city: text('city'),
    phone: text('phone'),
    /** As customers read it: “Mo–Fr 8–18.30 Uhr, Sa 8–13 Uhr”. */
    openingHours: text('opening_hours'),
    fees: text('fees', { mode: 'json' }).$type<ShopFees>().notNull().default({}),
    /**
     * The highest fee in cents. A platform's total may exceed the sum of the lines by this much. The excess is then a
     * fee.
     */
    feeMaxCents: integer('fee_max_cents').notNull().default(FEE_MAX_CENTS_DEFAULT),
    /**
     * For how many minutes a pending request reserves stock; 0 for not at all. The next column is for paid requests.
     */
    reservePendingMinutes: integer('reserve_pending_minutes').notNull().default(0),
    reservePaidMinutes: integer('reserve_paid_minutes').notNull().default(0),
  },
  (t) => [index('shops_by_org').on(t.orgId)],
);

/** The column that refers to the shop of a row. */
export const shopId = () =>
  text('shop_id')
    .notNull()
    .references(() => shops.id);

/** The columns of a shop that customers see. They have aliases, because they are used in joins of a batch. */
export const shopPlace = {
  shopName: sql<string>`${shops.name}`.as('shop_name'),
  street: sql<string | null>`${shops.street}`.as('shop_street'),
  postalCode: sql<string | null>`${shops.postalCode}`.as('shop_postal_code'),
  city: sql<string | null>`${shops.city}`.as('shop_city'),
  phone: sql<string | null>`${shops.phone}`.as('shop_phone'),
  openingHours: sql<string | null>`${shops.openingHours}`.as('shop_opening_hours'),
};

/** The active hosts: requests to them get the shop's pages. Other hosts of shops are in `pending_hosts`. */
export const shopHosts = sqliteTable(
  'shop_hosts',
  {
    /** Lowercase, punycode, no port, no trailing dot. */
    host: text('host').primaryKey(),
    orgId: organizationId(),
    shopId: shopId(),
    /** Epoch ms. Links use the oldest of a shop's hosts. */
    createdAt: integer('created_at').notNull(),
    /** The id that the host has at Cloudflare. Null if it is not known, or if the operator created the host there. */
    customHostnameId: text('custom_hostname_id'),
    /**
     * The time since which the host's DNS points elsewhere, according to Cloudflare; epoch ms. Even then, the host
     * stays with its shop.
     */
    movedAt: integer('moved_at'),
    nextCheckAt: integer('next_check_at').notNull().default(0),
  },
  (t) => [
    index('shop_hosts_by_shop').on(t.shopId, t.createdAt),
    index('shop_hosts_to_check').on(t.nextCheckAt),
    index('shop_hosts_moved').on(t.movedAt).where(sql`moved_at is not null`),
    check(
      'shop_hosts_normalised',
      sql`${t.host} = lower(${t.host}) and ${t.host} not like '%:%' and ${t.host} not like '%.'`,
    ),
  ],
);

/**
 * `pending`: the host's DNS is not right yet. `verifying`: the host has no certificate yet. `failed`: the setup has
 * ended, and the owner must try again.
 */
export const PENDING_STATUSES = ['pending', 'verifying', 'failed'] as const;
export type PendingStatus = (typeof PENDING_STATUSES)[number];
/** `taken`: another shop has the host. `refused`: Cloudflare refuses the host or gives no certificate for it. */
export const HOST_FAILURES = ['taken', 'refused'] as const;
export type HostFailure = (typeof HOST_FAILURES)[number];

/**
 * Hosts that owners asked for and that are not active yet. Several organizations may ask for the same host. A TXT
 * record in the DNS of the host proves which of them owns it.
 */
export const pendingHosts = sqliteTable(
  'pending_hosts',
  {
    /** UUIDv7. The operator's list is sorted by it, so the host that waits longest is first. */
    id: text('id').primaryKey(),
    orgId: organizationId(),
    shopId: shopId(),
    /** As in `shop_hosts`. */
    host: text('host').notNull(),
    createdAt: integer('created_at').notNull(),
    status: text('status', { enum: PENDING_STATUSES }).notNull().default('pending'),
    /** The reason why the status is `failed`. */
    failure: text('failure', { enum: HOST_FAILURES }),
    /** Whether the last DNS check found the CNAME record, and the TXT record (next column), to be right. */
    hasCname: integer('has_cname', { mode: 'boolean' }).notNull().default(false),
    hasTxt: integer('has_txt', { mode: 'boolean' }).notNull().default(false),
    checkedAt: integer('checked_at'),
    nextCheckAt: integer('next_check_at').notNull().default(0),
    /** The id that the host has at Cloudflare; null until it was created there. */
    customHostnameId: text('custom_hostname_id'),
  },
  (t) => [
    uniqueIndex('pending_hosts_once').on(t.host, t.shopId),
    index('pending_hosts_to_check').on(t.nextCheckAt).where(sql`status <> 'failed'`),
    check('pending_hosts_status', sql`${t.status} in ('pending', 'verifying', 'failed')`),
    check('pending_hosts_failure', sql`${t.failure} is null or ${t.failure} in ('taken', 'refused')`),
    index('pending_hosts_by_org').on(t.orgId),
    check(
      'pending_hosts_normalised',
      sql`${t.host} = lower(${t.host}) and ${t.host} not like '%:%' and ${t.host} not like '%.'`,
    ),
  ],
);

/** Hosts that were removed from their shop and still have to be deleted at Cloudflare. */
export const releasedHosts = sqliteTable('released_hosts', {
  host: text('host').primaryKey(),
  createdAt: integer('created_at').notNull(),
});

/**
 * SQL for whether the organization is in this database and is not being moved. Queue consumers and sweeps need it,
 * because no request of the organization starts them. Reads an index that has only the organizations for which this is
 * false.
 * @param orgId a column
 */
export function isSettled(orgId: SQLWrapper): Condition {
  return sql`${orgId} not in (select away.id from ${organizations} as away where away.state <> 'active')`;
}

/** SQL for whether the organization is no test organization. */
export function isNoTest(orgId: string): Condition {
  return sql`not exists (select 1 from ${organizations} as tested where tested.id = ${orgId} and tested.is_test = 1)`;
}

/**
 * SQL for whether the organization is suspended. Reads an index that has only suspended organizations.
 * @param orgId a column
 */
export function isSuspended(orgId: SQLWrapper): Condition {
  return sql`${orgId} in (select off.id from ${organizations} as off where off.suspended_at is not null)`;
}

/**
 * SQL for whether the organization is in this database, is not being moved, and is not suspended. @param orgId a column
 */
export function isAtWork(orgId: SQLWrapper): Condition {
  return sql`(${isSettled(orgId)} and not ${isSuspended(orgId)})`;
}

/** SQL for whether the row belongs to an organization that has not moved to another database. @param orgId a column */
export function hasNotLeft(orgId: SQLWrapper): Condition {
  return sql`${orgId} not in (select away.id from ${organizations} as away where away.state <> 'active' and away.state = 'gone')`;
}
