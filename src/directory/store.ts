import { and, eq, gt, type InferInsertModel, type InferSelectModel, inArray, lt, sql } from 'drizzle-orm';
import { has, isUnder } from '../platform/data/columns';
import { insertSelect } from '../platform/data/db';
import { type Condition, orm, type Statement, type Value } from '../platform/data/statements';
import { type DirectoryKind, directory, moves } from './tables';

export type EntryRow = InferSelectModel<typeof directory>;

/**
 * Selects the entries that have one of the keys. There is at most one entry for the key of an organization or a host.
 */
export function selectEntries(kind: DirectoryKind, ...keys: string[]) {
  return orm
    .select()
    .from(directory)
    .where(and(eq(directory.kind, kind), inArray(directory.key, keys)));
}

/**
 * Inserts an entry. An existing entry of a host or an address gets the new creation time. Its database is the one that
 * the organization's own entry names, not `row.shard`: the organization may have been moved since that was read.
 * @throws ConstraintError when the organization or the host leads to another organization
 */
export function upsertEntry(row: InferInsertModel<typeof directory>): Statement {
  const target = [directory.kind, directory.key, directory.orgId];
  if (row.kind === 'organization') return orm.insert(directory).values(row).onConflictDoNothing({ target });
  return insertSelect(
    directory,
    { ...row, shard: sql`home.shard` },
    sql`from ${directory} as home where home.kind = 'organization' and home.key = ${row.orgId}`,
  ).onConflictDoUpdate({ target, set: { shard: sql`excluded.shard`, createdAt: sql`excluded.created_at` } });
}

/** Condition: the database that runs the batch holds the directory, and the directory has this organization. */
export function isDirectoryOf(orgId: string): Condition {
  return sql`exists (select 1 from ${directory} where ${directory.kind} = 'organization' and ${directory.key} = ${orgId})`;
}

/** Condition: the directory has this host. False if the database that runs the batch does not hold the directory. */
export function isHostListed(host: Value<string | null> | Condition): Condition {
  return sql`exists (select 1 from ${directory} as listed where listed.kind = 'host' and listed.key = ${host})`;
}

/** Condition: the clock of the database that runs the batch is before `time`. @param time epoch ms */
export function isEarlierThan(time: number): Condition {
  return sql`unixepoch('subsec') * 1000 < ${time}`;
}

export function deleteEntry({ kind, key, orgId }: Pick<EntryRow, 'kind' | 'key' | 'orgId'>) {
  return orm.delete(directory).where(has(directory, { kind, key, orgId }));
}

/** Deletes all directory entries of an organization, and the rows of its moves. */
export function deleteEntriesOf(orgId: string): Statement[] {
  return [orm.delete(directory).where(eq(directory.orgId, orgId)), orm.delete(moves).where(eq(moves.orgId, orgId))];
}

/**
 * Deletes those of the entries that have not changed since they were read. An entry changes when it is written again,
 * or when its organization is moved.
 */
export function deleteAsRead(rows: readonly EntryRow[]) {
  const value = (key: keyof EntryRow) => sql`json_extract(value, ${`$.${key}`})`;
  const read = sql`select ${value('kind')}, ${value('key')}, ${value('orgId')}, ${value('shard')}, ${value('createdAt')}
    from json_each(${JSON.stringify(rows)})`;
  return orm.delete(directory).where(sql`(kind, key, org_id, shard, created_at) in (${read})`);
}

/** One page of all organizations, by id. */
export function selectOrganizationEntries(after: string, limit: number) {
  return orm
    .select({ orgId: directory.orgId, shard: directory.shard })
    .from(directory)
    .where(and(eq(directory.kind, 'organization'), gt(directory.key, after)))
    .orderBy(directory.key)
    .limit(limit);
}

/** One page of the entries that lead to a database, by organization and key. */
export function selectEntriesOf(
  at: { kind: DirectoryKind; shard: number },
  { before, after, limit }: { before: number; after: Pick<EntryRow, 'orgId' | 'key'>; limit: number },
) {
  return orm
    .select()
    .from(directory)
    .where(
      and(
        has(directory, { kind: at.kind, shard: at.shard }),
        lt(directory.createdAt, before),
        sql`(${directory.orgId}, ${directory.key}) > (${after.orgId}, ${after.key})`,
      ),
    )
    .orderBy(directory.orgId, directory.key)
    .limit(limit);
}

/** Up to `limit` e-mail entries that lead to a database and whose key was made under this root secret. */
export function selectEmailEntriesUnder(rootId: string, at: { shard: number; limit: number }) {
  return orm
    .select()
    .from(directory)
    .where(and(has(directory, { shard: at.shard, kind: 'email' }), isUnder(directory.key, rootId)))
    .orderBy(directory.key, directory.orgId)
    .limit(at.limit);
}

/** Changes the keys of e-mail entries. Replaces an entry that already has the new key. */
export function updateEmailKeys(changes: readonly { orgId: string; from: string; to: string }[]) {
  const value = (name: keyof (typeof changes)[number]) => sql`changed.value ->> ${`$.${name}`}`;
  const changed = sql`json_each(${JSON.stringify(changes)}) as changed`;
  const to = sql`(select ${value('to')} from ${changed}
    where ${value('from')} = ${directory.key} and ${value('orgId')} = ${directory.orgId})`;
  return orm.run(sql`update or replace ${directory} set key = ${to}
    where (kind, key, org_id) in (select 'email', ${value('from')}, ${value('orgId')} from ${changed})`);
}

/** A trivial query; its response includes the size of the database. */
export function ping() {
  return orm.select({ answer: sql`1`.as('answer') }).from(sql`(select 1)`);
}
