import { recordAudit } from '../../audit/record';
import { requireRole } from '../../platform/access';
import type { Context } from '../../platform/context';
import { assertInBatch, assertOneRowChanged, isGuardFailure } from '../../platform/db';
import { enqueue } from '../../platform/enqueue';
import { AppError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { REDELIVERED_AT_ONCE } from '../limits';
import { getSubscription, noSubscription, type Subscription } from '../subscriptions/manage';
import { selectSubscription } from '../subscriptions/store';
import { noDelivery } from './log';
import { selectDelivery } from './store-log';
import { countFailedSince, hasChanged, insertRedeliveries, insertRedelivery, REDELIVERED } from './store-redelivery';

/**
 * Sends the event of a run that has ended once more, as a run of its own. A test event is made anew instead.
 * @throws AppError `delivery_not_found`, `not_redeliverable` while it is on its way or its subscription is not active
 */
export async function redeliver(ctx: Context, deliveryId: string): Promise<{ deliveryId: string }> {
  const { orgId } = requireRole(ctx, ['owner']);
  const id = newId();
  try {
    await ctx.db.run({
      run: insertRedelivery(ctx.db, { orgId, deliveryId }, id, ctx.now()),
      guard: assertOneRowChanged(ctx.db),
      audit: recordAudit(ctx, { orgId, action: 'delivery.redelivered', entityId: id }),
    });
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
    const { delivery } = await ctx.db.run({ delivery: selectDelivery(ctx.db, orgId, deliveryId) });
    if (delivery.length === 0) throw noDelivery();
    throw notRedeliverable();
  }
  await enqueue(ctx, ctx.queues.webhookDeliveries, [{ id }]);
  return { deliveryId: id };
}

interface Bulk {
  subscriptionId: string;
  /** Runs made since then, epoch ms. */
  since: number;
}

/** How many events `redeliverFailed` would send. @throws AppError `subscription_not_found` */
export async function countFailed(ctx: Context, input: Bulk): Promise<{ subscription: Subscription; count: number }> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { found, failed } = await ctx.db.run({
    found: selectSubscription(ctx.db, orgId, input.subscriptionId),
    failed: countFailedSince(ctx.db, { orgId, ...input }, input.since),
  });
  return { subscription: found[0] ?? noSubscription(), count: failed[0]?.count ?? 0 };
}

/**
 * Sends every event once more whose runs since a time all failed, the oldest first, `REDELIVERED_AT_ONCE` at most. One
 * statement finds and makes them: whoever asks at the same moment finds those on their way and makes none twice.
 * @returns how many are on their way now
 * @throws AppError `not_redeliverable` while the subscription is not active, `subscription_not_found`
 */
export async function redeliverFailed(ctx: Context, input: Bulk): Promise<{ count: number }> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { subscriptionId, since } = input;
  const ids = Array.from({ length: REDELIVERED_AT_ONCE }, newId);
  // The audit row and the runs share one time: `selectProgress` finds them by it.
  const now = ctx.now();
  const audit = recordAudit({ ...ctx, now: () => now }, { orgId, action: REDELIVERED, entityId: subscriptionId });
  try {
    const { runs } = await ctx.db.run({
      runs: insertRedeliveries(ctx.db, { orgId, subscriptionId }, since, ids, now),
      guard: assertInBatch(ctx.db, hasChanged),
      audit,
    });
    await enqueue(ctx, ctx.queues.webhookDeliveries, runs);
    return { count: runs.length };
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
    const { status } = await getSubscription(ctx, subscriptionId);
    if (status !== 'active') throw notRedeliverable();
    return { count: 0 };
  }
}

function notRedeliverable(): AppError {
  return new AppError(
    'not_redeliverable',
    'Redeliver what has ended, while its subscription is active. Resume the subscription first.',
  );
}
