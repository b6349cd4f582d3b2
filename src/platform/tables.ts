import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { business, type FieldsOf } from './fields';

/**
 * A setting of the organization: what happens if the signature of a prescription is not valid. `inform` tells staff,
 * `enforce` also stops the approval.
 */
export const SIGNATURE_CHECKS = ['inform', 'enforce'] as const;

export const ORGANIZATION_STATES = ['active', 'moving', 'gone'] as const;
export type OrganizationState = (typeof ORGANIZATION_STATES)[number];

/**
 * The organizations of a database. Only src/tenants uses their columns, except the columns that say whether an
 * organization is on this database.
 */
export const organizations = sqliteTable(
  'organizations',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /**
     * `moving` on the old database while the organization is copied to another one, and on the new database until the
     * copy is complete. `gone` on the old database until the organization's rows are deleted.
     */
    state: text('state', { enum: ORGANIZATION_STATES }).notNull().default('active'),
    /**
     * When the last move that blocked the organization's writes began, epoch ms. Late steps of an earlier move are
     * refused.
     */
    fencedBy: integer('fenced_by'),
    /** When the operator suspended it, epoch ms; null if it is not suspended. */
    suspendedAt: integer('suspended_at'),
    /** A test organization, made by an owner. It has its own keys, hosts and data. Never changes. */
    isTest: integer('is_test', { mode: 'boolean' }).notNull().default(false),
    /**
     * The live organization of a test organization, or the test organization of a live one; null if there is none. The
     * two may be on different databases.
     */
    counterpartId: text('counterpart_id'),
    iban: text('iban'),
    /** Account holder shown on a payment page; null for the organization's name. */
    paymentRecipient: text('payment_recipient'),
    lowStockThreshold: integer('low_stock_threshold').notNull(),
    /** Days after which the personal data of rejected requests and of ended orders are erased. */
    requestRetentionDays: integer('request_retention_days').notNull(),
    orderRetentionDays: integer('order_retention_days').notNull(),
    /** For how many days after its issue a prescription is accepted. */
    prescriptionValidDays: integer('prescription_valid_days').notNull().default(90),
    /**
     * What happens if the signature of a prescription is not valid: `inform` tells staff, `enforce` also stops the
     * approval.
     */
    signatureCheck: text('signature_check', { enum: SIGNATURE_CHECKS }).notNull().default('inform'),
    /** `ShippingRule[]`: which products are not handed out by which shipping option. */
    shippingRules: text('shipping_rules', { mode: 'json' }).$type<unknown[]>().notNull().default([]),
    /** The next order number is higher than this, because orders with lower numbers were lost in a restore. */
    orderNumberFloor: integer('order_number_floor').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    // Holds only organizations that move; sweeps skip them (`isSettled`).
    index('organizations_away').on(t.id).where(sql`state <> 'active'`),
    index('organizations_suspended').on(t.id).where(sql`suspended_at is not null`),
    // At most one test organization of each live organization.
    uniqueIndex('organizations_test_of').on(t.counterpartId).where(sql`is_test = 1`),
    check('organizations_test', sql`${t.isTest} = 0 or ${t.counterpartId} is not null`),
    check('organizations_threshold', sql`${t.lowStockThreshold} >= 0`),
    check('organizations_state', sql`${t.state} in ('active', 'moving', 'gone')`),
  ],
);

/** The column of the organization that a row belongs to. */
export const organizationId = () =>
  text('org_id')
    .notNull()
    .references(() => organizations.id);

/**
 * The installation that this database belongs to, one row. The bucket holds the same id. Files are moved and deleted
 * only while both ids agree, so that a database never decides about files of another database.
 */
export const installation = sqliteTable(
  'installation',
  {
    /** Always 1. */
    singleton: integer('singleton').primaryKey(),
    id: text('id').notNull(),
    /** The number of this database: 0 is `DB`, n is `DB_n`. */
    shard: integer('shard').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    /** When the bucket was first seen to have the id; before that, the bucket may lack it. */
    confirmedAt: integer('confirmed_at'),
  },
  (t) => [check('installation_single', sql`${t.singleton} = 1`)],
);
export const installationFields = business('singleton', 'id', 'shard', 'createdAt', 'confirmedAt') satisfies FieldsOf<
  typeof installation
>;

/** Always empty: every insert fails the CHECK of this table, which rolls the batch back. */
export const guards = sqliteTable(
  'guards',
  { id: integer('id').primaryKey(), changed: integer('changed').notNull() },
  (t) => [check('must_change_one', sql`${t.changed} = 1`)],
);
export const guardsFields = business('id', 'changed') satisfies FieldsOf<typeof guards>;
