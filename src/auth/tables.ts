import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Role, Scope } from '../platform/access';
import { organizationId } from '../platform/tables';

/** How much of the stock a platform sees: nothing, a level (`many`, `few`, `none`), or the quantity. */
export const STOCK_SHOWN = ['none', 'level', 'quantity'] as const;
export type StockShown = (typeof STOCK_SHOWN)[number];

export const apiKeys = sqliteTable(
  'api_keys',
  {
    /** The public id, which the key itself contains. */
    id: text('id').primaryKey(),
    orgId: organizationId(),
    /**
     * The id of the key's family, which is one integration. A key that replaces another key has the same family.
     * Idempotency therefore treats both keys as one caller.
     */
    familyId: text('family_id').notNull(),
    name: text('name').notNull(),
    scopes: text('scopes', { mode: 'json' }).$type<Scope[]>().notNull(),
    /** Shops whose prescriptions the key may read; null for all. */
    prescriptionShopIds: text('prescription_shop_ids', { mode: 'json' }).$type<string[]>(),
    /** MAC of the whole key (platform/mac.ts). The key itself is not stored. */
    hash: text('hash').notNull(),
    /**
     * Whether webhooks get `order_request_submitted` about order requests that are sent with this key. This is agreed
     * for each integration.
     */
    sendsSubmittedEvents: integer('sends_submitted_events', { mode: 'boolean' }).notNull(),
    /**
     * Whether order requests with this key reserve stock. They do so only in a shop that has set how long a reservation
     * lasts.
     */
    reserves: integer('reserves', { mode: 'boolean' }).notNull().default(false),
    /**
     * The largest share of a product's free stock that order requests with this key may hold, in percent; null if they
     * may hold all of it.
     */
    reserveShare: integer('reserve_share'),
    /** How much of the stock the key's platform sees. */
    stockShown: text('stock_shown', { enum: STOCK_SHOWN }).notNull().default('none'),
    createdAt: integer('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    expiresAt: integer('expires_at'),
    revokedAt: integer('revoked_at'),
    /** Updated at most once a minute. */
    lastUsedAt: integer('last_used_at'),
  },
  (t) => [
    index('api_keys_by_org').on(t.orgId),
    index('api_keys_by_hash').on(t.hash).where(sql`revoked_at is null`),
    check('api_keys_scopes', sql`json_valid(${t.scopes})`),
  ],
);

/**
 * Memberships. Each row is a person in one organization, identified by e-mail address. A person who works for several
 * organizations has a row, a password and a second factor in each, so changes in one organization do not affect
 * another. Of an organization's rows with the same address, at most one is not revoked (unique index).
 */
export const members = sqliteTable(
  'members',
  {
    id: text('id').primaryKey(),
    orgId: organizationId(),
    /** In lower case. Empty some months after the member was revoked (`forgetRevoked`). */
    email: text('email').notNull(),
    /** Null until the invitation is accepted, and again some years after the member was revoked (`forgetRevoked`). */
    name: text('name'),
    role: text('role').$type<Role>().notNull(),
    twoFactorEnabled: integer('two_factor_enabled', { mode: 'boolean' }).notNull(),
    /** MAC of the invitation's token; null once the invitation is used or withdrawn. */
    invitationHash: text('invitation_hash'),
    invitationExpiresAt: integer('invitation_expires_at'),
    invitedAt: integer('invited_at').notNull(),
    acceptedAt: integer('accepted_at'),
    /** Revoked members keep their row, because the audit log shows their names. */
    revokedAt: integer('revoked_at'),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('members_of').on(t.orgId, t.id).where(sql`id is not null`),
    uniqueIndex('members_one_invitation').on(t.orgId, t.email).where(sql`revoked_at is null`),
    index('members_by_email').on(t.email).where(sql`accepted_at is not null and revoked_at is null`),
    uniqueIndex('members_by_invitation').on(t.invitationHash).where(sql`invitation_hash is not null`),
    check('members_role', sql`${t.role} in ('owner', 'pharmacist', 'staff')`),
    check('members_email', sql`${t.email} = lower(${t.email})`),
    check('members_invited_or_accepted', sql`${t.acceptedAt} is null or ${t.invitationHash} is null`),
  ],
);

const memberId = () =>
  text('member_id')
    .notNull()
    .references(() => members.id);

export const staffSessions = sqliteTable(
  'staff_sessions',
  {
    id: text('id').primaryKey(),
    /** MAC of the cookie's token: nobody can sign in with a copy of the table. */
    tokenHash: text('token_hash').notNull(),
    memberId: memberId(),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('staff_sessions_by_token').on(t.tokenHash),
    index('staff_sessions_by_member').on(t.memberId, t.expiresAt),
  ],
);

/** Passwords of members. */
export const staffAccounts = sqliteTable(
  'staff_accounts',
  {
    id: text('id').primaryKey(),
    memberId: memberId(),
    /**
     * Salted scrypt hash, preceded by cost and salt (staff/passwords/hash.ts). All memberships of an address have the
     * same cost and salt.
     */
    password: text('password_hash').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [uniqueIndex('staff_accounts_by_member').on(t.memberId)],
);

/** Links with which a member sets a new password. At most one for each member: a new one replaces it. */
export const staffResets = sqliteTable(
  'staff_resets',
  {
    memberId: text('member_id')
      .primaryKey()
      .references(() => members.id),
    /** MAC of the link's token. */
    hash: text('token_hash').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** Whether using the link also removes the second factor. */
    endsSecondFactor: integer('ends_second_factor', { mode: 'boolean' }).notNull(),
  },
  (t) => [uniqueIndex('staff_resets_by_token').on(t.hash)],
);

/** Sign-ins whose password was right and that wait for a second factor or for the choice of a pharmacy. */
export const staffVerifications = sqliteTable(
  'staff_verifications',
  {
    id: text('id').primaryKey(),
    /** The step for which the sign-in waits, and the MAC of the cookie's token. */
    identifier: text('identifier').notNull(),
    /** JSON of the member whose second factor is asked for, or of the memberships to choose from. */
    value: text('value').notNull(),
    /** The number of second-factor codes that this sign-in has tried. */
    tries: integer('tries').notNull().default(0),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('staff_verifications_by_identifier').on(t.identifier, t.createdAt),
    index('staff_verifications_by_expiry').on(t.expiresAt),
  ],
);

export const staffSecondFactors = sqliteTable(
  'staff_second_factors',
  {
    id: text('id').primaryKey(),
    memberId: memberId(),
    /**
     * The key from which the app computes its codes. The next column has the recovery codes. Both are encrypted under
     * the same root secret.
     */
    secret: text('secret').notNull(),
    backupCodes: text('backup_codes').notNull(),
    /** False until the first code was accepted. */
    verified: integer('verified', { mode: 'boolean' }).notNull(),
    /** The number of codes that were tried since the last right one. */
    failures: integer('failed_verification_count').notNull(),
    lockedUntil: integer('locked_until'),
    /** The 30-second step of the last accepted code: codes of this step and of earlier ones are refused. */
    lastStep: integer('last_step'),
  },
  (t) => [uniqueIndex('staff_second_factors_by_member').on(t.memberId)],
);

/**
 * Data that a response of the management interface stores for the page to which it redirects. They are a secret that is
 * shown once, or the fields of a form that was sent after the session had ended. They are encrypted, can be read by one
 * person only, and are kept for a few minutes.
 */
export const staffPageData = sqliteTable(
  'staff_page_data',
  {
    id: text('id').primaryKey(),
    memberId: memberId(),
    /** Output of `crypto.encrypt`, bound to the id and the person. */
    sealed: text('sealed').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('staff_page_data_by_expiry').on(t.expiresAt)],
);
