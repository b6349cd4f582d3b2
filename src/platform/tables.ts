import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { business, type FieldsOf } from './fields';

/**
 * The values of an organization's setting `signatureCheck`, for a prescription whose signature is not valid: `inform`
 * tells staff, `enforce` also stops the approval.
 */
export const SIGNATURE_CHECKS = ['inform', 'enforce'] as const;

export const ORGANIZATION_STATES = ['active', 'moving', 'gone'] as const;
export type OrganizationState = (typeof ORGANIZATION_STATES)[number];

/** The organizations of a database. Only src/tenants changes their settings. Other slices read them. */
export const organizations = sqliteTable(
  'organizations',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /**
     * The state is `moving` on the old database while the organization is copied to another one, and on the new
     * database until the copy is complete. It is `gone` on the old database until the organization's rows there are
     * deleted.
     */
    state: text('state', { enum: ORGANIZATION_STATES }).notNull().default('active'),
    /**
     * The time when the last move that blocked the organization's writes began, epoch ms. Late steps of an earlier move
     * are refused.
     */
    fencedBy: integer('fenced_by'),
    /** The time when the operator suspended the organization, epoch ms; null if it is not suspended. */
    suspendedAt: integer('suspended_at'),
    /**
     * Whether the organization is a test organization, made by an owner. A test organization has its own keys, hosts
     * and data. The value never changes.
     */
    isTest: integer('is_test', { mode: 'boolean' }).notNull().default(false),
    /**
     * Id of the test organization of a live organization, or of the live organization of a test organization. Null if
     * there is none. The two may be on different databases.
     */
    counterpartId: text('counterpart_id'),
    iban: text('iban'),
    /** The account holder that a payment page shows; null if it is the organization's name. */
    paymentRecipient: text('payment_recipient'),
    lowStockThreshold: integer('low_stock_threshold').notNull(),
    /**
     * The number of days after which personal data of rejected requests are erased. The next column has the number for
     * ended orders.
     */
    requestRetentionDays: integer('request_retention_days').notNull(),
    orderRetentionDays: integer('order_retention_days').notNull(),
    /** For how many days after its issue a prescription is accepted. */
    prescriptionValidDays: integer('prescription_valid_days').notNull().default(90),
    /** The effect of a prescription's invalid signature: `inform` tells staff, `enforce` also stops the approval. */
    signatureCheck: text('signature_check', { enum: SIGNATURE_CHECKS }).notNull().default('inform'),
    /** `ShippingRule[]`: each rule says which products are not handed out with which shipping option. */
    shippingRules: text('shipping_rules', { mode: 'json' }).$type<unknown[]>().notNull().default([]),
    /** Order numbers up to this one are not given again. Orders with such numbers may have been lost in a restore. */
    orderNumberFloor: integer('order_number_floor').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    // This index has only organizations that are being moved. Sweeps skip them (`isSettled`).
    index('organizations_away').on(t.id).where(sql`state <> 'active'`),
    index('organizations_suspended').on(t.id).where(sql`suspended_at is not null`),
    // At most one test organization of each live organization.
    uniqueIndex('organizations_test_of').on(t.counterpartId).where(sql`is_test = 1`),
    check('organizations_test', sql`${t.isTest} = 0 or ${t.counterpartId} is not null`),
    check('organizations_threshold', sql`${t.lowStockThreshold} >= 0`),
    check('organizations_state', sql`${t.state} in ('active', 'moving', 'gone')`),
  ],
);

/** The column with the id of a row's organization. */
export const organizationId = () =>
  text('org_id')
    .notNull()
    .references(() => organizations.id);

/**
 * The installation that this database belongs to, in one row. The bucket holds the same id. Files are moved and deleted
 * only while both ids are equal, so that a database never decides about the files of another one.
 */
export const installation = sqliteTable(
  'installation',
  {
    /** Always 1. */
    singleton: integer('singleton').primaryKey(),
    id: text('id').notNull(),
    /** The number of this database. Number 0 is `DB`, and number n is `DB_n`. */
    shard: integer('shard').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    /** The time when the bucket was first seen to have the id. Until then, the bucket may lack it. */
    confirmedAt: integer('confirmed_at'),
  },
  (t) => [check('installation_single', sql`${t.singleton} = 1`)],
);
export const installationFields = business('singleton', 'id', 'shard', 'createdAt', 'confirmedAt') satisfies FieldsOf<
  typeof installation
>;

/** An empty table. Every insert fails its CHECK, which rolls the batch back. */
export const guards = sqliteTable(
  'guards',
  { id: integer('id').primaryKey(), changed: integer('changed').notNull() },
  (t) => [check('must_change_one', sql`${t.changed} = 1`)],
);
export const guardsFields = business('id', 'changed') satisfies FieldsOf<typeof guards>;
