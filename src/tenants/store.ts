import { and, asc, count, eq, gt, type InferInsertModel, ne, sql } from 'drizzle-orm';
import { type Database, inList, mustChangeOneRow } from '../platform/db';
import { organizations } from './tables';

export function insertOrganization(db: Database, row: InferInsertModel<typeof organizations>) {
  return db.orm.insert(organizations).values(row);
}

/**
 * The batch is undone unless the organization exists. @param seenAt the batch is also undone if it was changed after
 * this time
 */
export function updateOrganizationRow(
  db: Database,
  id: string,
  changes: Partial<InferInsertModel<typeof organizations>>,
  seenAt?: number,
) {
  const isAsSeen = seenAt === undefined ? undefined : eq(organizations.updatedAt, seenAt);
  const write = db.orm
    .update(organizations)
    .set(changes)
    .where(and(eq(organizations.id, id), isAsSeen));
  return mustChangeOneRow(write);
}

export function selectOrganization(db: Database, id: string) {
  return db.orm.select().from(organizations).where(eq(organizations.id, id));
}

/** How many organizations live on this database, one on its way to another included. */
export function countOrganizations(db: Database) {
  return db.orm.select({ count: count() }).from(organizations).where(ne(organizations.state, 'gone'));
}

/** The organizations that live here, after an id, ordered by id. */
export function selectRetention(db: Database, after: string, limit: number) {
  return db.orm
    .select({
      id: organizations.id,
      requestRetentionDays: organizations.requestRetentionDays,
      orderRetentionDays: organizations.orderRetentionDays,
    })
    .from(organizations)
    .where(and(gt(organizations.id, after), eq(organizations.state, 'active')))
    .orderBy(asc(organizations.id))
    .limit(limit);
}

/** Those of the organizations that are there, in whatever state. */
export function selectOrganizationIds(db: Database, ids: readonly string[]) {
  return db.orm
    .select({ id: organizations.id })
    .from(organizations)
    .where(sql`${organizations.id} in ${inList(ids)}`);
}
