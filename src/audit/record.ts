import { actorId, requireRole, requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { ConstraintError } from '../platform/data/db';
import type { Condition, Statement } from '../platform/data/statements';
import { newId } from '../platform/ids';
import type { AuditAction } from './actions';
import * as store from './store';

export interface AuditEntry {
  /** The id of the row. It is set only if another statement of the batch refers to the row. */
  id?: string;
  orgId: string;
  action: AuditAction;
  entityId: string;
  fields?: string[];
  reasonCode?: string;
  /** The row is written only if this condition holds within the batch. */
  onlyIf?: Condition;
}

/**
 * Returns the statement that writes an action's audit row. Add it to the action's batch, so that neither exists without
 * the other. The row also stores the id of the form (`Context.formId`), so that the database refuses a second
 * submission of the form.
 */
export function recordAudit(ctx: Context, entry: AuditEntry): Statement {
  const row = {
    id: entry.id ?? newId(),
    orgId: entry.orgId,
    at: ctx.now(),
    actorKind: ctx.actor.kind,
    actorId: actorId(ctx),
    action: entry.action,
    entityId: entry.entityId,
    fields: entry.fields ?? null,
    reasonCode: entry.reasonCode ?? null,
    requestId: ctx.requestId,
    formId: ctx.formId ?? null,
  };
  return store.insertAuditRow(row, entry.onlyIf);
}

/**
 * Returns the history of an order and of everything that belongs to the order, newest first. It has only ids, field
 * names and codes.
 */
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
 * Whether an action failed with this error because its form was submitted before. The trigger or the unique index has
 * then refused the audit row.
 */
export function isFormRepeated(error: unknown): boolean {
  return error instanceof ConstraintError && /form_already_sent|audit_log\.form_id/.test(error.constraint);
}

/**
 * Makes the statements that read the organization's log, newest first, for the caller's own batches. `rows` returns up
 * to `limit` rows, and one more if further rows follow. `scanEnd` is for a search that found fewer rows: it returns the
 * oldest id that the search has scanned.
 */
export function auditLogOf(ctx: Context, filter: store.AuditFilter, { limit, scanned }: store.AuditReach) {
  const { orgId } = requireRole(ctx, ['owner']);
  const reach = { limit: limit + 1, scanned };
  return {
    rows: store.selectAuditLog(orgId, filter, reach),
    scanEnd: store.isSearch(filter) ? store.selectScanEnd(orgId, filter, reach) : undefined,
  };
}
