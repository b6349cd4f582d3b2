import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

export const organizations = sqliteTable(
  'organizations',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    iban: text('iban'),
    /** Account holder as it goes on a payment page; the organization's name when null. */
    paymentRecipient: text('payment_recipient'),
    lowStockThreshold: integer('low_stock_threshold').notNull(),
    /** Days after which a rejected request is emptied of the person, and an ended order. */
    requestRetentionDays: integer('request_retention_days').notNull(),
    orderRetentionDays: integer('order_retention_days').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [check('organizations_threshold', sql`${t.lowStockThreshold} >= 0`)],
);

export const shops = sqliteTable(
  'shops',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id')
      .notNull()
      .references(() => organizations.id),
    name: text('name').notNull(),
    isActive: integer('is_active', { mode: 'boolean' }).notNull(),
    /** The fourth value of `shipping_option`: the third-party service that this shop works with. */
    deliveryServiceName: text('delivery_service_name').notNull(),
    /** How many products the shop offers. Triggers on `listings` keep it (migrations); nothing else writes it. */
    listedCount: integer('listed_count').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [index('shops_by_org').on(t.orgId)],
);

export const shopHosts = sqliteTable(
  'shop_hosts',
  {
    /** Lower case, punycode, no port, no trailing dot. */
    host: text('host').primaryKey(),
    shopId: text('shop_id')
      .notNull()
      .references(() => shops.id),
    /** Only an active host answers. What waits for the operator stands in `pending_hosts`; `pending` here is older. */
    status: text('status', { enum: ['active', 'pending'] }).notNull(),
    /** When it was added; of an active one, when it became so: the first of these is the shop's address in links. */
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('shop_hosts_by_shop').on(t.shopId, t.createdAt),
    check('shop_hosts_status', sql`${t.status} in ('active', 'pending')`),
    check(
      'shop_hosts_normalised',
      sql`${t.host} = lower(${t.host}) and ${t.host} not like '%:%' and ${t.host} not like '%.'`,
    ),
  ],
);

/**
 * Hosts that owners asked for and that wait for the operator. A wish keeps nobody away: several organizations may ask for
 * one name, and the operator finds out whose it is.
 */
export const pendingHosts = sqliteTable(
  'pending_hosts',
  {
    /** Grows with each row: the operator's list pages by it, the longest wait first. */
    seq: integer('seq').primaryKey(),
    orgId: text('org_id')
      .notNull()
      .references(() => organizations.id),
    shopId: text('shop_id')
      .notNull()
      .references(() => shops.id),
    /** As in `shop_hosts`. */
    host: text('host').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('pending_hosts_once').on(t.host, t.shopId),
    index('pending_hosts_by_org').on(t.orgId),
    check(
      'pending_hosts_normalised',
      sql`${t.host} = lower(${t.host}) and ${t.host} not like '%:%' and ${t.host} not like '%.'`,
    ),
  ],
);
