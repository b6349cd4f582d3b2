import { and, desc, eq, type InferSelectModel, sql } from 'drizzle-orm';
import { type Condition, inList, insertSelect } from '../platform/data/db';
import { columnsOf, type Named, orm, prepared } from '../platform/data/statements';
import { auditLog } from './tables';

/** More than a person reads on one page. */
const ROWS_MAX = 100;

/** The row is written only if the condition holds within the batch; when D1 runs that twice, once. */
export const insertAuditRow = prepared((row: Named<InferSelectModel<typeof auditLog>>, onlyIf: Condition) =>
  insertSelect(auditLog, columnsOf(auditLog, row), sql`where ${onlyIf}`).onConflictDoNothing(),
);

/** The row is written: the batch that writes it ran already. */
export function isRecorded(orgId: string, id: string): Condition {
  return sql`exists (select 1 from ${auditLog} where org_id = ${orgId} and id = ${id})`;
}

/** A row if it is written: before a command decides anew, it looks whether D1 carried out what it was sent before. */
export function selectRecorded(orgId: string, id: string) {
  return orm
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(and(eq(auditLog.orgId, orgId), eq(auditLog.id, id)));
}

/**
 * The audit log for statements about some of its entities: put it behind FROM, and name organization and entity. Without the
 * hint SQLite reads the organization's whole log, by the key, as long as it has no statistics.
 */
export const auditByEntity: Condition = sql`${auditLog} indexed by audit_log_by_entity`;

/** The row is one of the newest about some entities. @param entityIds a subquery of ids */
export function isNewestOf(orgId: string, entityIds: Condition, limit: number): Condition {
  return sql`${auditLog.orgId} = ${orgId} and ${auditLog.id} in (select id from ${auditByEntity}
    where org_id = ${orgId} and entity_id in ${entityIds} order by id desc limit ${limit})`;
}

export function selectActOfForm(formId: string) {
  return orm.select({ id: auditLog.id }).from(auditLog).where(eq(auditLog.formId, formId)).limit(1);
}

/** Newest first. */
export function selectAuditOf(orgId: string, entityIds: string[]) {
  return orm
    .select({
      at: auditLog.at,
      actorKind: auditLog.actorKind,
      actorId: auditLog.actorId,
      action: auditLog.action,
      fields: auditLog.fields,
      reasonCode: auditLog.reasonCode,
    })
    .from(auditLog)
    .where(isNewestOf(orgId, inList(entityIds), ROWS_MAX))
    .orderBy(desc(auditLog.id));
}
