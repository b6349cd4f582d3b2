import { and, asc, eq, gt, type InferInsertModel, isNull, sql } from 'drizzle-orm';
import { type Condition, inList, mustChangeOneRow, updateOneRow } from '../platform/data/db';
import { type Named, namedColumns, orm, prepared } from '../platform/data/statements';
import { organizations } from './tables';

export function insertOrganization(row: InferInsertModel<typeof organizations>) {
  return orm.insert(organizations).values(row);
}

/**
 * The batch is undone unless the organization exists. @param seenAt the batch is also undone if it was changed after
 * this time
 */
export function updateOrganizationRow(
  id: string,
  changes: {
    [K in keyof InferInsertModel<typeof organizations>]?: InferInsertModel<typeof organizations>[K] | Condition;
  },
  seenAt?: number,
) {
  const isAsSeen = seenAt === undefined ? undefined : eq(organizations.updatedAt, seenAt);
  const write = orm
    .update(organizations)
    .set(changes)
    .where(and(eq(organizations.id, id), isAsSeen));
  return mustChangeOneRow(write);
}

/** Gives a live organization its test organization. The batch is undone unless it has none yet. */
export function claimTestOrganization(id: string, testId: string) {
  const hasNone = and(eq(organizations.isTest, false), isNull(organizations.counterpartId));
  return updateOneRow(organizations, { counterpartId: testId }, and(eq(organizations.id, id), hasNone));
}

/** The test organization is suspended with its live one: its keys and webhooks are that one's, too. */
export function suspendTestOf(orgId: string, suspendedAt: Condition | null) {
  return orm
    .update(organizations)
    .set({ suspendedAt })
    .where(and(eq(organizations.counterpartId, orgId), eq(organizations.isTest, true)));
}

/** Suspended again, it is so since the first time. */
export function suspendedSince(isSuspended: boolean, now: number): Condition | null {
  return isSuspended ? sql`coalesce(${organizations.suspendedAt}, ${now})` : null;
}

export function selectOrganization(id: string) {
  return orm.select().from(organizations).where(eq(organizations.id, id));
}

/** So many days after it was issued a prescription is no longer accepted. */
export const selectPrescriptionValidDays = prepared(({ orgId }: Named<{ orgId: string }>) =>
  orm
    .select(namedColumns({ validDays: organizations.prescriptionValidDays }))
    .from(organizations)
    .where(eq(organizations.id, orgId)),
);

/** The organizations that live here, after an id, ordered by id. */
export function selectRetention(after: string, limit: number) {
  return orm
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

/** How long an organization keeps data, in days. */
export type OrganizationRetention = Awaited<ReturnType<typeof selectRetention>>[number];

/** Those of the organizations that are there, in whatever state. */
export function selectOrganizationIds(ids: readonly string[]) {
  return orm
    .select({ id: organizations.id })
    .from(organizations)
    .where(sql`${organizations.id} in ${inList(ids)}`);
}
