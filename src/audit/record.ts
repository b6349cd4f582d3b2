import { actorId } from '../platform/access';
import type { Context } from '../platform/context';
import type { Condition, Statement } from '../platform/db';
import type { AuditAction } from './actions';
import { insertAuditRow } from './store';

export type { AuditAction } from './actions';

export interface AuditEntry {
  orgId: string;
  action: AuditAction;
  entityId: string;
  fields?: string[];
  reasonCode?: string;
  /** Written only if this holds when the batch reaches it. */
  onlyIf?: Condition;
}

/**
 * The audit row of an act, for the batch that does the act: neither stands without the other. It also holds the id of
 * the form that asked (`Context.formId`), so that a form that may be sent once acts once, in the database.
 */
export function recordAudit(ctx: Context, entry: AuditEntry): Statement {
  const { actor } = ctx;
  const row = {
    orgId: entry.orgId,
    at: ctx.now(),
    actorKind: actor.kind,
    actorId: actorId(ctx),
    action: entry.action,
    entityId: entry.entityId,
    fields: entry.fields ?? null,
    reasonCode: entry.reasonCode ?? null,
    requestId: ctx.requestId,
    formId: ctx.formId ?? null,
  };
  return insertAuditRow(ctx.db, row, entry.onlyIf);
}
