import { recordAudit } from '../../audit/record';
import type { Context } from '../../platform/context';
import { assertOneRowChanged, isGuardFailure, type Statement } from '../../platform/db';
import type { DueRow } from '../../platform/enqueue';
import { describeError } from '../../platform/log';
import { canPostTo } from '../deliveries/attempt';
import { type ClaimedDelivery, holdDeliveries } from '../deliveries/store';
import type { HoldReason } from '../tables';
import { releaseDeliveries } from './store';
import { changedOne, giveBack, holdSubscription, type OnHold, releaseSubscription } from './store-holds';

/** A claim that nothing can be posted for, for a reason on this service's side. */
export interface Unready {
  claimed: ClaimedDelivery;
  hold: HoldReason;
  error?: unknown;
}

/** As many batches as one run of the sweep spends on them. */
const RELEASED_MAX = 50;
/** The sweep finds what is released beyond this. */
const MESSAGES_MAX = 500;

/**
 * Holds the subscriptions that cannot be posted to and gives the claims back uncounted, for the batch that records the
 * others. What waits and what comes is kept as `held`; `releaseHeld` posts it once it is possible.
 * @param leaseUntil of the claims, epoch ms
 */
export function holdFor(ctx: Context, unready: readonly Unready[], leaseUntil: number): Statement[] {
  const first = new Map(unready.map((each) => [each.claimed.subscriptionId, each]));
  return [
    ...[...first.values()].flatMap(({ claimed, hold, error }) => {
      const { subscriptionId: id, orgId } = claimed;
      const why = error === undefined ? {} : describeError(error);
      ctx.log('error', 'subscription_held', { subscription_id: id, org_id: orgId, code: hold, ...why });
      return [
        holdSubscription(ctx.db, claimed, hold, ctx.now()),
        recordAudit(ctx, {
          orgId,
          action: 'subscription.held',
          entityId: id,
          fields: ['status'],
          reasonCode: hold,
          onlyIf: changedOne,
        }),
        holdDeliveries(ctx.db, id),
      ];
    }),
    ...unready.map(({ claimed }) => giveBack(ctx.db, claimed, leaseUntil)),
  ];
}

/**
 * Looks whether what is on hold can be posted to again: the keys are back, the secret was rotated, the address is
 * allowed again. Each is released in a batch of its own, and all that waited is due, the oldest first.
 * @returns what to ring for
 */
export async function releaseHeld(ctx: Context, onHold: readonly OnHold[]): Promise<DueRow[]> {
  const due: { id: string; nextAttemptAt: number }[] = [];
  let released = 0;
  for (const target of onHold) {
    const now = ctx.now();
    if (released >= RELEASED_MAX || !(await canPostTo(ctx, target, now))) continue;
    due.push(...(await release(ctx, target, now)));
    released += 1;
  }
  return queueMessagesFor(due, ctx.now());
}

async function release(ctx: Context, target: OnHold, now: number) {
  const { subscriptionId: id, orgId } = target;
  try {
    const { waiting } = await ctx.db.run({
      subscription: releaseSubscription(ctx.db, target, now),
      guard: assertOneRowChanged(ctx.db),
      waiting: releaseDeliveries(ctx.db, id),
      audit: recordAudit(ctx, { orgId, action: 'subscription.released', entityId: id, fields: ['status'] }),
    });
    ctx.log('info', 'subscription_released', { subscription_id: id, org_id: orgId, count: waiting.length });
    return waiting;
  } catch (error) {
    // Somebody changed it meanwhile: the next run looks again.
    if (isGuardFailure(error)) return [];
    throw error;
  }
}

/** Doorbells for runs that were released, the oldest first, none before its time. */
export function queueMessagesFor(released: readonly { id: string; nextAttemptAt: number }[], now: number): DueRow[] {
  return released
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, MESSAGES_MAX)
    .map((run) => ({ id: run.id, delaySeconds: Math.max(0, Math.ceil((run.nextAttemptAt - now) / 1000)) }));
}
