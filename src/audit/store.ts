import { and, desc, eq, type InferInsertModel, inArray, sql } from 'drizzle-orm';
import { type Condition, type Database, inList, insertSelect, type Statement } from '../platform/db';
import { auditLog } from './tables';

/** More than a person reads on one page. */
const ROWS_MAX = 100;

type NewAuditRow = InferInsertModel<typeof auditLog>;

/**
 * When D1 runs a batch twice, the row is written once.
 * @param onlyIf the row is written only if this condition holds within the batch
 */
export function insertAuditRow(db: Database, row: NewAuditRow, onlyIf?: Condition): Statement {
  if (onlyIf === undefined) return db.orm.insert(auditLog).values(row).onConflictDoNothing();
  const empty = { actorId: null, fields: null, reasonCode: null, formId: null };
  return insertSelect(auditLog, { ...empty, ...row }, sql`where ${onlyIf}`).onConflictDoNothing();
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
