import { requireRole, requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { selectAuditOf } from './store';
import { type AuditFilter, type AuditReach, isSearch, selectAuditLog, selectScanEnd } from './store-log';

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
