import { requireRole, requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { ConstraintError } from '../platform/data/db';
import {
  type AuditFilter,
  type AuditReach,
  isSearch,
  selectActOfForm,
  selectAuditLog,
  selectAuditOf,
  selectScanEnd,
} from './store';

/** The history of an order and of everything that belongs to it, newest first: only ids, field names and codes. */
export async function listAudit(ctx: Context, ...entityIds: string[]) {
  const { orgId } = requireScope(ctx, 'orders.read');
  return ctx.db.rows(selectAuditOf(orgId, entityIds));
}

/** Whether a form that may be submitted once (`Context.formId`) was already submitted. */
export async function wasFormSent(ctx: Context, formId: string): Promise<boolean> {
  const rows = await ctx.db.rows(selectActOfForm(formId));
  return rows.length > 0;
}

/**
 * Whether an action failed because its form was already submitted: the trigger or the unique index refused the audit
 * row.
 */
export function isFormRepeated(error: unknown): boolean {
  return error instanceof ConstraintError && /form_already_sent|audit_log\.form_id/.test(error.constraint);
}

/**
 * The statements that read the organization's log, newest first, for the caller's own batches: `rows` returns one more
 * than `limit` if there are more, and `scanEnd` the last id that was scanned, for a search that found fewer.
 */
export function auditLogOf(ctx: Context, filter: AuditFilter, { limit, scanned }: AuditReach) {
  const { orgId } = requireRole(ctx, ['owner']);
  const reach = { limit: limit + 1, scanned };
  return {
    rows: selectAuditLog(orgId, filter, reach),
    scanEnd: isSearch(filter) ? selectScanEnd(orgId, filter, reach) : undefined,
  };
}
