import { and, eq, sql } from 'drizzle-orm';
import { type Condition, updateOneRow } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import { type HoldReason, subscriptions } from '../tables';

/** Increases in every case, so that two changes within one millisecond get different values. */
export function changedAt(now: number) {
  return sql`max(${now}, updated_at + 1)`;
}

/** What a subscription that is not on hold has. */
export const NOT_ON_HOLD = { holdReason: null, heldSince: null, nextProbeAt: null, probeId: null };

interface Hold {
  reason: HoldReason;
  now: number;
  /** When a held delivery tries it again; without it, the sweep looks. */
  nextProbeAt?: number;
}

/** Puts an active subscription on hold if the condition holds. */
export function hold(which: Condition | undefined, { reason, now, nextProbeAt }: Hold) {
  return orm
    .update(subscriptions)
    .set({ status: 'holding', holdReason: reason, heldSince: now, nextProbeAt, updatedAt: changedAt(now) })
    .where(and(eq(subscriptions.status, 'active'), which));
}

/** Posts again to a subscription on hold; the batch is undone unless the condition holds. */
export function release(which: Condition | undefined, now: number) {
  const released = { ...NOT_ON_HOLD, status: 'active' as const, updatedAt: changedAt(now) };
  return updateOneRow(subscriptions, released, and(eq(subscriptions.status, 'holding'), which));
}
