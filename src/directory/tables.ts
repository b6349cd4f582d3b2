import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { business, type FieldsOf } from '../platform/fields';

const MOVE_STEPS = ['fence', 'wait', 'clear', 'copy', 'verify', 'switch', 'done', 'unfence', 'failed'] as const;

export type DirectoryKind = 'organization' | 'host' | 'email';

/**
 * The directory: the database of each organization, and the keys that lead to it. Every database has this table, but
 * only the one in `DB` is used: a host is unique only there. A row is written before or together with its record (such
 * as a host), and may exist longer than the record.
 */
export const directory = sqliteTable(
  'directory',
  {
    kind: text('kind').$type<DirectoryKind>().notNull(),
    /** The organization's id, the host, or a MAC of the e-mail address. */
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

/**
 * This table is not used any more, because an organization now moves as a file. It stays because no migration drops a
 * table. Its rows are deleted with their organization.
 */
export const moves = sqliteTable(
  'moves',
  {
    orgId: text('org_id').primaryKey(),
    /** The numbers of the databases. */
    fromShard: integer('from_shard').notNull(),
    toShard: integer('to_shard').notNull(),
    step: text('step', { enum: MOVE_STEPS }).notNull(),
    /** The table that is being cleared, copied or verified, and the key of its last processed row, as JSON. */
    tableName: text('table_name'),
    position: text('position'),
    /** Rows copied in this round. */
    copied: integer('copied').notNull(),
    /** Number of the copy attempt, from 1. A copy that differs is repeated. */
    round: integer('round').notNull(),
    /** For the table being verified, as JSON: number and digest of the rows read so far. */
    digest: text('digest'),
    fencedAt: integer('fenced_at'),
    /** Only one invocation at a time continues a move: it holds this lease under its own name. */
    lease: text('lease').notNull(),
    leaseUntil: integer('lease_until').notNull(),
    startedAt: integer('started_at').notNull(),
    /** When progress was last saved. */
    updatedAt: integer('updated_at').notNull(),
    finishedAt: integer('finished_at'),
    failure: text('failure'),
  },
  (t) => [
    index('moves_under_way').on(t.orgId).where(sql`finished_at is null`),
    check(
      'moves_step',
      sql`${t.step} in ('fence', 'wait', 'clear', 'copy', 'verify', 'switch', 'done', 'unfence', 'failed')`,
    ),
    check('moves_elsewhere', sql`${t.fromShard} <> ${t.toShard}`),
  ],
);

export const directoryFields = {
  ...business('kind', 'orgId', 'shard', 'createdAt'),
  key: { class: 'person', kept: 'while the member exists: a MAC of the e-mail address that somebody signs in with' },
} as const satisfies FieldsOf<typeof directory>;

export const movesFields = {
  ...business('orgId', 'fromShard', 'toShard', 'step', 'tableName', 'position', 'copied', 'round', 'digest'),
  ...business('fencedAt', 'lease', 'leaseUntil', 'startedAt', 'updatedAt', 'finishedAt', 'failure'),
} satisfies FieldsOf<typeof moves>;
