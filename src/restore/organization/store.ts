import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { insertSelect } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import { organizations } from '../../platform/tables';
import { fileDeletions, prescriptions } from '../../prescriptions/tables';

/** An organization's stored PDFs, by id. */
export function selectStored(orgId: string, { after, limit }: { after: string; limit: number }) {
  return orm
    .select({ id: prescriptions.id, fileKey: prescriptions.fileKey, sizeBytes: prescriptions.sizeBytes })
    .from(prescriptions)
    .where(and(eq(prescriptions.orgId, orgId), gt(prescriptions.id, after), eq(prescriptions.status, 'stored')))
    .orderBy(asc(prescriptions.id))
    .limit(limit);
}

/** The test organizations of an organization. */
export function selectTestsOf(orgId: string) {
  return orm
    .select({ id: organizations.id })
    .from(organizations)
    .where(and(eq(organizations.counterpartId, orgId), eq(organizations.isTest, true)));
}

/** Nothing works for an organization that is gone, and its rows may be deleted. */
export function markGone(orgId: string, now: number) {
  return orm.update(organizations).set({ state: 'gone', updatedAt: now }).where(eq(organizations.id, orgId));
}

/** Puts all PDFs of an organization on the deletion list. */
export function giveUpFilesOf(orgId: string, now: number) {
  const row = { fileKey: sql`file_key`, createdAt: now };
  const from = sql`from ${prescriptions} where org_id = ${orgId} and file_key is not null`;
  return insertSelect(fileDeletions, row, from).onConflictDoNothing();
}

/** The live organization has no test organization any more. */
export function forgetTestOf(orgId: string) {
  return orm
    .update(organizations)
    .set({ counterpartId: null })
    .where(and(eq(organizations.counterpartId, orgId), eq(organizations.isTest, false)));
}
