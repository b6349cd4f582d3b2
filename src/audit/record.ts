import { actorId } from '../platform/access';
import type { Context } from '../platform/context';
import type { Condition, Statement } from '../platform/data/statements';
import { newId } from '../platform/ids';
import type { AuditAction } from './actions';
import { insertAuditRow } from './store';

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
 * The statement that writes an action's audit row. Add it to the action's batch, so that neither exists without the
 * other. The row also stores the id of the form (`Context.formId`), so that the database refuses a second submission of
 * the form.
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
  return insertAuditRow(row, entry.onlyIf);
}
