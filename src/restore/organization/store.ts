import { and, asc, eq, gt } from 'drizzle-orm';
import { orm } from '../../platform/data/statements';
import { prescriptions } from '../../prescriptions/tables';

/** An organization's stored PDFs, by id. */
export function selectStored(orgId: string, { after, limit }: { after: string; limit: number }) {
  return orm
    .select({ id: prescriptions.id, fileKey: prescriptions.fileKey, sizeBytes: prescriptions.sizeBytes })
    .from(prescriptions)
    .where(and(eq(prescriptions.orgId, orgId), gt(prescriptions.id, after), eq(prescriptions.status, 'stored')))
    .orderBy(asc(prescriptions.id))
    .limit(limit);
}
