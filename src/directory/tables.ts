import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

export const DIRECTORY_KINDS = ['organization', 'host', 'email'] as const;
export type DirectoryKind = (typeof DIRECTORY_KINDS)[number];

/**
 * Which database an organization lives on, and what leads to it. Only the copy in `DB` is used; it is the one place where a
 * host is unique. A row is written before or together with what it stands for, and may outlive it for a while.
 */
export const directory = sqliteTable(
  'directory',
  {
    kind: text('kind').$type<DirectoryKind>().notNull(),
    /** The organization's id; the host; HMAC-SHA-256 of the e-mail address under the pepper, hex. */
    key: text('key').notNull(),
    orgId: text('org_id').notNull(),
    /** The number of the database: 0 is `DB`, n is `DB_n`. */
    shard: integer('shard').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.key, t.orgId] }),
    uniqueIndex('directory_one_home').on(t.kind, t.key).where(sql`kind <> 'email'`),
    index('directory_by_organization').on(t.orgId),
    check('directory_kind', sql`${t.kind} in ('organization', 'host', 'email')`),
  ],
);
