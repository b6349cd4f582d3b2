import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Scope } from '../platform/access';
import { organizations } from '../tenants/tables';

export const apiKeys = sqliteTable(
  'api_keys',
  {
    /** The public part that stands in the key itself. */
    id: text('id').primaryKey(),
    orgId: text('org_id')
      .notNull()
      .references(() => organizations.id),
    /** Rotation makes a new key of the same family: for idempotency both are one integration. */
    familyId: text('family_id').notNull(),
    name: text('name').notNull(),
    scopes: text('scopes', { mode: 'json' }).$type<Scope[]>().notNull(),
    /** HMAC-SHA-256 of the whole key under the pepper, hex. The key itself is stored nowhere. */
    hash: text('hash').notNull(),
    /** The integration agreement: off means that submissions by this key send no `order_request_submitted`. */
    sendsSubmittedEvents: integer('sends_submitted_events', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    expiresAt: integer('expires_at'),
    revokedAt: integer('revoked_at'),
    /** Written at most once a minute. */
    lastUsedAt: integer('last_used_at'),
  },
  (t) => [index('api_keys_by_org').on(t.orgId), check('api_keys_scopes', sql`json_valid(${t.scopes})`)],
);
