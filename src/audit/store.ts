import type { InferInsertModel } from 'drizzle-orm';
import type { Database } from '../platform/db';
import { auditLog } from './tables';

export function insertAuditRow(db: Database, row: InferInsertModel<typeof auditLog>) {
  return db.orm.insert(auditLog).values(row);
}
