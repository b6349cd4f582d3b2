import { requireRole, requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { ConstraintError } from '../platform/db';
import { selectActOfForm, selectAuditOf } from './store';
import { type AuditFilter, type AuditReach, isSearch, selectAuditLog, selectScanEnd } from './store-log';

export type { AuditAction } from './actions';
export { type ErasureEntry, type JournaledErasure, journaling, readJournal } from './journal';
export { AUDIT_KINDS, type AuditKind, kindOf } from './kinds';
export type { AuditFilter, AuditReach } from './store-log';

export type AuditRow = Awaited<ReturnType<typeof listAudit>>[number];

/** What happened to an order and to what belongs to it, newest first: ids, names of fields and codes. */
export async function listAudit(ctx: Context, ...entityIds: string[]) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows } = await ctx.db.run({ rows: selectAuditOf(ctx.db, orgId, entityIds) });
  return rows;
}

/** Whether a form that may be sent once (`Context.formId`) has acted already. */
export async function wasFormSent(ctx: Context, formId: string): Promise<boolean> {
  const { rows } = await ctx.db.run({ rows: selectActOfForm(ctx.db, formId) });
  return rows.length > 0;
}

/** An act failed because its form had acted already: the trigger or the unique index refused the audit row. */
export function isFormRepeated(error: unknown): boolean {
  return error instanceof ConstraintError && /form_already_sent|audit_log\.form_id/.test(error.constraint);
}

/**
 * The statements that read the organization's whole log, newest first, for the caller's own batch: `rows`, one more than
 * asked for where more follow, and for a search `scanEnd`, the id behind which nothing was looked at.
 */
export function auditLogOf(ctx: Context, filter: AuditFilter, { limit, scanned }: AuditReach) {
  const { orgId } = requireRole(ctx, ['owner']);
  const reach = { limit: limit + 1, scanned };
  return {
    rows: selectAuditLog(ctx.db, orgId, filter, reach),
    scanEnd: isSearch(filter) ? selectScanEnd(ctx.db, orgId, filter, reach) : undefined,
  };
}
