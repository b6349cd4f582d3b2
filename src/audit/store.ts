import { and, desc, eq, type InferSelectModel, inArray, sql } from 'drizzle-orm';
import { type Condition, type Database, inList, insertSelect } from '../platform/db';
import { columnsOf, type Named, prepared } from '../platform/statements';
import { auditLog } from './tables';

/** More than a person reads on one page. */
const ROWS_MAX = 100;

/** The row is written only if the condition holds within the batch; when D1 runs that twice, once. */
export const insertAuditRow = prepared((row: Named<InferSelectModel<typeof auditLog>>, onlyIf: Condition) =>
  insertSelect(auditLog, columnsOf(auditLog, row), sql`where ${onlyIf}`).onConflictDoNothing(),
);

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
