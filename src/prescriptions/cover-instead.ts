import { requireScope } from '../platform/access';
import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { AppError } from '../platform/errors';
import type { About } from '../webhooks/outbox';
import { approvalEntries, approvedFor } from './check';
import { coveredLines, isApproved } from './coverage';
import type { PrescriptionRow } from './store';

interface Exchange {
  /** The product that is not handed out, and how many of it; null where it needed no prescription. */
  instead: { p1Id: string; quantity: number } | null;
  /** The one that is, and how many; null where it needs none. */
  now: { p1Id: string; quantity: number } | null;
}

/**
 * What makes approved prescriptions cover another product instead, for the batch that exchanges it: the decision of whoever may
 * check prescriptions.
 * @param about the order
 * @throws AppError `insufficient_scope`; `prescription_not_approved` where none is approved
 */
export function coverInstead(
  ctx: Context,
  prescriptions: readonly PrescriptionRow[],
  { instead, now }: Exchange,
  about: About,
): BatchEntry[] {
  requireScope(ctx, 'prescriptions.write');
  const approved = prescriptions.filter(isApproved);
  const covered = approved.map((row) => quantitiesOf(row));
  let left = instead?.quantity ?? 0;
  let place = -1;
  for (const [index, quantities] of covered.entries()) {
    const had = instead === null ? 0 : (quantities.get(instead.p1Id) ?? 0);
    if (instead === null || had === 0 || left === 0) continue;
    if (place < 0) place = index;
    const taken = Math.min(had, left);
    left -= taken;
    if (had === taken) quantities.delete(instead.p1Id);
    else quantities.set(instead.p1Id, had - taken);
  }
  const target = covered[Math.max(0, place)];
  if (now && !target)
    throw new AppError('prescription_not_approved', 'The product needs an approved prescription first.');
  if (now && target) target.set(now.p1Id, (target.get(now.p1Id) ?? 0) + now.quantity);
  return approved.flatMap((row, index) => {
    const lines = coveredLines(covered[index] as ReadonlyMap<string, number>);
    return JSON.stringify(lines) === JSON.stringify(row.approvedLines)
      ? []
      : approvalEntries(ctx, approvedFor(ctx, row, lines), about);
  });
}

function quantitiesOf({ approvedLines }: PrescriptionRow): Map<string, number> {
  return new Map((approvedLines ?? []).map(({ p1Id, quantity }) => [p1Id, quantity]));
}
