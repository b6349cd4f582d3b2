import { tryCommit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import type { Statement } from '../../platform/data/db';
import { describeError } from '../../platform/log';
import type { DueRow } from '../../platform/queue/enqueue';
import { type Due, messagesFor } from '../deliveries/after-commit';
import type { ClaimedDelivery } from '../deliveries/store-claim';
import { goingOn, stoppingIfChanged } from '../subscriptions/status';
import { canPostTo } from './attempt';
import { giveBack, holdUnready, type OnHold, releaseReady, type UnreadyReason } from './store-holds';

/** A claim that cannot be posted because of this service. */
export interface Unready {
  claimed: ClaimedDelivery;
  hold: UnreadyReason;
  error?: unknown;
}

/** The most batches that one run of the sweep uses for this. */
const RELEASED_MAX = 50;

/**
 * Puts the subscriptions that cannot be posted to on hold and gives the claims back without counting an attempt, for
 * the batch that records the other attempts. Their deliveries are kept as `held` until `releaseHeld` finds that posting
 * is possible.
 */
export function holdFor(ctx: Context, unready: readonly Unready[]): Statement[] {
  const first = new Map(unready.map((each) => [each.claimed.subscriptionId, each]));
  return [
    ...[...first.values()].flatMap(({ claimed, hold, error }) => {
      const { subscriptionId: id, orgId } = claimed;
      const why = error === undefined ? {} : describeError(error);
      ctx.log('error', 'subscription_held', { subscription_id: id, org_id: orgId, code: hold, ...why });
      const audit = { action: 'subscription.held' as const, reasonCode: hold };
      return stoppingIfChanged(ctx, { id, orgId }, holdUnready(claimed, hold, ctx.now()), audit);
    }),
    ...unready.map(({ claimed }) => giveBack(claimed)),
  ];
}

/**
 * Looks whether what is on hold can be posted to again: the keys are back, the secret was rotated, the address is
 * allowed again. Each is released in a batch of its own, and what waited is due, the oldest first.
 * @returns what the sweep enqueues, as many as one run of it may
 */
export async function releaseHeld(ctx: Context, onHold: readonly OnHold[]): Promise<DueRow[]> {
  const due: Due[] = [];
  let released = 0;
  for (const target of onHold) {
    const now = ctx.now();
    if (released >= RELEASED_MAX || !(await canPostTo(ctx, target, now))) continue;
    due.push(...(await release(ctx, target, now)));
    released += 1;
  }
  return messagesFor(due, ctx.now());
}

async function release(ctx: Context, target: OnHold, now: number) {
  const { subscriptionId: id, orgId } = target;
  const done = await tryCommit(
    ctx,
    goingOn(ctx, { id, orgId }, releaseReady(target, now), { action: 'subscription.released' }),
  );
  // It was changed in the meantime: the next run checks it again.
  if (!done) return [];
  ctx.log('info', 'subscription_released', { subscription_id: id, org_id: orgId, count: done.released.length });
  return done.released;
}
