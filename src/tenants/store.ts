import { and, asc, eq, gt, type InferInsertModel } from 'drizzle-orm';
import type { Database } from '../platform/db';
import { organizations } from './tables';

export function insertOrganization(db: Database, row: InferInsertModel<typeof organizations>) {
  return db.orm.insert(organizations).values(row);
}

/** @param seenAt changes nothing when somebody changed the row since */
export function updateOrganizationRow(
  db: Database,
  id: string,
  changes: Partial<InferInsertModel<typeof organizations>>,
  seenAt?: number,
) {
  const isAsSeen = seenAt === undefined ? undefined : eq(organizations.updatedAt, seenAt);
  return db.orm
    .update(organizations)
    .set(changes)
    .where(and(eq(organizations.id, id), isAsSeen));
}

export function selectOrganization(db: Database, id: string) {
  return db.orm.select().from(organizations).where(eq(organizations.id, id));
}

/** The organizations behind an id, in order of their ids. */
export function selectRetention(db: Database, after: string, limit: number) {
  return db.orm
    .select({
      id: organizations.id,
      requestRetentionDays: organizations.requestRetentionDays,
      orderRetentionDays: organizations.orderRetentionDays,
    })
    .from(organizations)
    .where(gt(organizations.id, after))
    .orderBy(asc(organizations.id))
    .limit(limit);
}
