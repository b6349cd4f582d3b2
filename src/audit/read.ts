import { requireRole, requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { ConstraintError } from '../platform/data/db';
import * as store from './store';

/** The history of an order and of everything that belongs to it, newest first: only ids, field names and codes. */
export async function listAudit(ctx: Context, ...entityIds: string[]) {
  const { orgId } = requireScope(ctx, 'orders.read');
  return ctx.db.rows(store.selectAuditOf(orgId, entityIds));
}

/** Whether a form that may be submitted once (`Context.formId`) was already submitted. */
export async function wasFormSent(ctx: Context, formId: string): Promise<boolean> {
  const rows = await ctx.db.rows(store.selectActOfForm(formId));
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
 * The statements that read the organization's log, newest first, for the caller's own batches: `rows` returns `limit`
 * rows, and one more if there are further rows. `scanEnd` returns the last id that was scanned, for a search that found
 * fewer rows.
 */
export function auditLogOf(ctx: Context, filter: store.AuditFilter, { limit, scanned }: store.AuditReach) {
  const { orgId } = requireRole(ctx, ['owner']);
  const reach = { limit: limit + 1, scanned };
  return {
    rows: store.selectAuditLog(orgId, filter, reach),
    scanEnd: store.isSearch(filter) ? store.selectScanEnd(orgId, filter, reach) : undefined,
  };
}
