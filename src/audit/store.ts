import { and, desc, eq, type InferInsertModel, inArray } from 'drizzle-orm';
import { type Database, inList } from '../platform/db';
import { auditLog } from './tables';

/** As many as anybody reads on a page. */
const ROWS_MAX = 100;

export function insertAuditRow(db: Database, row: InferInsertModel<typeof auditLog>) {
  return db.orm.insert(auditLog).values(row);
}

export function selectActOfForm(db: Database, formId: string) {
  return db.orm.select({ id: auditLog.id }).from(auditLog).where(eq(auditLog.formId, formId)).limit(1);
}

/** Newest first. */
export function selectAuditOf(db: Database, orgId: string, entityIds: string[]) {
  return db.orm
    .select({
      at: auditLog.at,
      actorKind: auditLog.actorKind,
      actorId: auditLog.actorId,
      action: auditLog.action,
      fields: auditLog.fields,
      reasonCode: auditLog.reasonCode,
    })
    .from(auditLog)
    .where(and(eq(auditLog.orgId, orgId), inArray(auditLog.entityId, inList(entityIds))))
    .orderBy(desc(auditLog.id))
    .limit(ROWS_MAX);
}
