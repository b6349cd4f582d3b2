import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { business, type FieldsOf } from '../platform/fields';

/**
 * Commands that were sent with an `Idempotency-Key`, and how they were answered. A row is written in the batch of its command, so
 * that the key is used up if and only if the command has taken effect. A key counts within its integration
 * (`apiKeys.familyId`).
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    orgId: text('org_id').notNull(),
    familyId: text('family_id').notNull(),
    /** MAC of what was sent, which may be a reference of a person's order: it outlives an erasure for a day. */
    key: text('key').notNull(),
    /** MAC of method, address and body: distinguishes a repetition from another request with the same key. */
    fingerprint: text('fingerprint').notNull(),
    /** Of the first request: D1 may be sent its batch twice, which then meets its own row. */
    requestId: text('request_id').notNull(),
    /** Of the response; null until it is kept. */
    status: integer('status'),
    /** Headers and body of the response, encrypted; null until it is kept, empty after an erasure. */
    answer: text('answer'),
    createdAt: integer('created_at').notNull(),
    /**
     * The id of what the command made or changed: a response is made from it where none is kept, and an erasure finds it by
     * that. Null where only the body says what it is.
     */
    about: text('about'),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.familyId, t.key] }),
    index('idempotency_keys_by_age').on(t.createdAt),
    index('idempotency_keys_about').on(t.orgId, t.about).where(sql`about is not null`),
  ],
);

export const idempotencyKeysFields = {
  ...business('orgId', 'familyId', 'requestId', 'status', 'createdAt', 'about'),
  key: { class: 'secret', kept: 'for 24 hours: a MAC' },
  fingerprint: { class: 'secret', kept: 'for 24 hours: a MAC' },
  answer: { class: 'health', erased: 'an empty text; without one, deleted after 24 hours. Encrypted' },
} as const satisfies FieldsOf<typeof idempotencyKeys>;
