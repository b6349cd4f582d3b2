import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { business, type FieldsOf } from '../platform/fields';

/**
 * Commands with an `Idempotency-Key`, and their responses. A row is written in the batch of its command, so a command
 * that failed does not use its key up. A command that had nothing to change uses its key up, too. Keys are scoped to an
 * integration (`apiKeys.familyId`).
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    orgId: text('org_id').notNull(),
    familyId: text('family_id').notNull(),
    /**
     * MAC of the key as sent, which may be the reference of a person's order. The MAC outlives an erasure by a day at
     * most.
     */
    key: text('key').notNull(),
    /** MAC of method, address and body: distinguishes a repetition from another request with the same key. */
    fingerprint: text('fingerprint').notNull(),
    /** Id of the request that wrote the row. If D1 runs its batch twice, the request finds its own row. */
    requestId: text('request_id').notNull(),
    /** Status of the response; null until the response is kept. */
    status: integer('status'),
    /** Headers and body of the response, encrypted. Null until the response is kept, empty after an erasure. */
    answer: text('answer'),
    createdAt: integer('created_at').notNull(),
    /**
     * The id of the entity that the command made or changed; null if only the request's body names the entity. An
     * erasure needs the id. So does a repeated command whose response was not kept.
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
