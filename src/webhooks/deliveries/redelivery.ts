import { recordAudit } from '../../audit/record';
import { requireRole } from '../../platform/access';
import { commit, tryCommit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { AppError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { REDELIVERED_AT_ONCE } from '../limits';
import { getSubscription, requireSubscription, type Subscription } from '../subscriptions/manage';
import { selectSubscription } from '../subscriptions/store';
import { dueDeliveries } from './after-commit';
import { noDelivery } from './log';
import { selectDelivery } from './store-log';
import { countFailedSince, insertRedeliveries, insertRedelivery, REDELIVERED } from './store-redelivery';

/**
 * Sends the event of an ended delivery again, as a new delivery. A test event is created anew instead.
 * @throws AppError `delivery_not_found`, `not_redeliverable` while the event is on its way or its subscription is not
 *   active
 */
export async function redeliver(ctx: Context, deliveryId: string): Promise<{ deliveryId: string }> {
  const { orgId } = requireRole(ctx, ['owner']);
  const id = newId();
  const batch = {
    delivery: dueDeliveries(insertRedelivery(ctx.db, { orgId, deliveryId }, id, ctx.now())),
    audit: recordAudit(ctx, { orgId, action: 'delivery.redelivered', entityId: id }),
  };
  const refused = async () => {
    const { delivery } = await ctx.db.run({ delivery: selectDelivery(ctx.db, orgId, deliveryId) });
    return delivery.length === 0 ? noDelivery() : notRedeliverable();
  };
  await commit(ctx, batch, { refused });
  return { deliveryId: id };
}

interface Bulk {
  subscriptionId: string;
  /** Only deliveries created since then, epoch ms. */
  since: number;
}

/** How many events `redeliverFailed` would send. @throws AppError `subscription_not_found` */
export async function countFailed(ctx: Context, input: Bulk): Promise<{ subscription: Subscription; count: number }> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { found, failed } = await ctx.db.run({
    found: selectSubscription(ctx.db, orgId, input.subscriptionId),
    failed: countFailedSince(ctx.db, { orgId, ...input }, input.since),
  });
  return { subscription: requireSubscription(found[0]), count: failed[0]?.count ?? 0 };
}

/**
 * Sends every event again whose deliveries since a time all failed, the oldest first, at most `REDELIVERED_AT_ONCE`.
 * One statement finds the events and creates the deliveries, so two calls at the same time create none twice.
 * @returns how many events are on their way now
 * @throws AppError `not_redeliverable` while the subscription is not active, `subscription_not_found`
 */
export async function redeliverFailed(ctx: Context, input: Bulk): Promise<{ count: number }> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { subscriptionId, since } = input;
  const ids = Array.from({ length: REDELIVERED_AT_ONCE }, newId);
  // The audit row and the deliveries have the same time: `selectProgress` finds them by it.
  const now = ctx.now();
  const audit = recordAudit({ ...ctx, now: () => now }, { orgId, action: REDELIVERED, entityId: subscriptionId });
  const made = await tryCommit(ctx, {
    deliveries: dueDeliveries(insertRedeliveries(ctx.db, { orgId, subscriptionId }, since, ids, now)),
    audit,
  });
  if (made) return { count: made.deliveries.length };
  const { status } = await getSubscription(ctx, subscriptionId);
  if (status !== 'active') throw notRedeliverable();
  return { count: 0 };
}

function notRedeliverable(): AppError {
  return new AppError(
    'not_redeliverable',
    'Only ended deliveries of an active subscription can be redelivered. Resume the subscription if it is paused.',
  );
}
