import { recordAudit } from '../audit/record';
import { actorId, requireScope } from '../platform/access';
import { type BatchEntry, commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import type { Context } from '../platform/context';
import { assertInBatch } from '../platform/data/db';
import type { Condition } from '../platform/data/statements';
import { notFound } from '../platform/errors/errors';
import { isSetAside } from './coverage';
import { type PrescriptionRow, selectPrescription, updatePrescriptionIf } from './store';

export const NOT_APPROVED = {
  approvedAt: null,
  approvedBy: null,
  approvedLines: null,
  checkedAs: null,
  verifiedWith: null,
};
export const NOT_SET_ASIDE = { setAsideAt: null, setAsideBy: null, setAsideReason: null };

export interface SetAside {
  id: string;
  /** The request that the prescription came with. */
  requestId: string;
  /** The condition under which the prescription may be set aside or taken back. */
  while: Condition;
}

/**
 * Sets aside a prescription that does not belong to its request. It loses its approval, covers nothing, and blocks
 * nothing. Has no effect if it is set aside already.
 * @throws AppError `prescription_not_found`
 */
export function setPrescriptionAside(ctx: Context, input: SetAside & { reason: string }): Promise<void> {
  const { orgId } = requireScope(ctx, 'prescriptions.write');
  const columns = setAsideFor(ctx, input.reason);
  return change(ctx, orgId, input, { to: true, action: 'prescription.set_aside', columns });
}

/** The `setAsideReason` of a prescription that its platform replaced. Pages translate it. */
export const REPLACED = 'replaced';

/**
 * Returns the entries that set prescriptions aside because their platform replaced them. The batch is undone if one of
 * them has changed since it was read.
 */
export function replacedEntries(ctx: Context, rows: readonly PrescriptionRow[]): BatchEntry[] {
  const columns = setAsideFor(ctx, REPLACED);
  return rows.flatMap((row) => [
    updatePrescriptionIf(row, ['status', 'approvedAt', 'setAsideAt'], columns),
    recordAudit(ctx, { orgId: row.orgId, action: 'prescription.set_aside', entityId: row.id }),
  ]);
}

/**
 * Takes back a prescription that was set aside. It has to be checked again.
 * @throws AppError `prescription_not_found`
 */
export function takePrescriptionBack(ctx: Context, input: SetAside): Promise<void> {
  const { orgId } = requireScope(ctx, 'prescriptions.write');
  const columns = { ...NOT_SET_ASIDE, updatedAt: ctx.now() };
  return change(ctx, orgId, input, { to: false, action: 'prescription.taken_back', columns });
}

function setAsideFor(ctx: Context, reason: string) {
  const now = ctx.now();
  return { ...NOT_APPROVED, setAsideAt: now, setAsideBy: actorId(ctx), setAsideReason: reason, updatedAt: now };
}

function change(
  ctx: Context,
  orgId: string,
  { id, requestId, while: holds }: SetAside,
  {
    to,
    action,
    columns,
  }: {
    to: boolean;
    action: 'prescription.set_aside' | 'prescription.taken_back';
    columns: Parameters<typeof updatePrescriptionIf>[2];
  },
): Promise<void> {
  return retryOnConflict(ctx, async () => {
    const row = await loadPrescription(ctx, orgId, id, requestId);
    if (isSetAside(row) === to) return;
    await commit(ctx, {
      allowed: assertInBatch(holds),
      prescription: updatePrescriptionIf(row, ['status', 'approvedAt', 'setAsideAt'], columns),
      audit: recordAudit(ctx, { orgId, action, entityId: id }),
    });
  });
}

/**
 * Returns a prescription of the organization.
 * @param requestId the request that the prescription must belong to, if one is given
 * @throws AppError `prescription_not_found`
 */
export async function loadPrescription(
  ctx: Context,
  orgId: string,
  id: string,
  requestId?: string,
): Promise<PrescriptionRow> {
  const [row] = await ctx.db.rows(selectPrescription(orgId, id));
  if (!row || (requestId !== undefined && row.orderRequestId !== requestId)) {
    throw notFound('prescription_not_found');
  }
  return row;
}
