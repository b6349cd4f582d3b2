import { and, eq, type InferInsertModel } from 'drizzle-orm';
import type { Database } from '../platform/db';
import { type DirectoryKind, directory } from './tables';

/** Where the organizations live that a key leads to; for an organization or a host, one at most. */
export function selectEntries(db: Database, kind: DirectoryKind, key: string) {
  return db.orm
    .select({ orgId: directory.orgId, shard: directory.shard })
    .from(directory)
    .where(and(eq(directory.kind, kind), eq(directory.key, key)));
}

/** @throws ConstraintError when the host leads to another organization */
export function insertEntry(db: Database, row: InferInsertModel<typeof directory>) {
  return db.orm
    .insert(directory)
    .values(row)
    .onConflictDoNothing({ target: [directory.kind, directory.key, directory.orgId] });
}
