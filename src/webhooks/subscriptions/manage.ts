import { recordAudit } from '../../audit/record';
import { requireRole, requireScope } from '../../platform/access';
import { commit, tryCommit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { type AppError, notFound } from '../../platform/errors';
import { cancelDeliveries, holdDeliveries } from '../deliveries/store-held';
import { setGoing } from './failing';
import { markDeleted, pause, resume, selectSubscription, selectSubscriptions } from './store';

export type Subscription = Awaited<ReturnType<typeof listSubscriptions>>[number];

/** The organization's subscriptions, without their secrets. */
export async function listSubscriptions(ctx: Context) {
  const { orgId } = requireScope(ctx, 'webhooks.read');
  const { found } = await ctx.db.run({ found: selectSubscriptions(orgId) });
  return found;
}

/** @throws AppError `subscription_not_found` */
export async function getSubscription(ctx: Context, id: string): Promise<Subscription> {
  const { orgId } = requireScope(ctx, 'webhooks.read');
  const { found } = await ctx.db.run({ found: selectSubscription(orgId, id) });
  return requireSubscription(found[0]);
}

/** Stops posting; due deliveries wait as `held`. Safe to repeat. @throws AppError `subscription_not_found` */
export async function pauseSubscription(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const at = { orgId, id, now: ctx.now() };
  const paused = await tryCommit(ctx, {
    subscription: pause(at),
    held: holdDeliveries(id),
    audit: recordAudit(ctx, { orgId, action: 'subscription.paused', entityId: id, fields: ['status'] }),
  });
  if (!paused) await getSubscription(ctx, id);
}

/**
 * Starts posting again, for whatever reason it had stopped: first what was given up in the failures that stopped it, then what
 * was `held`. A wait that the receiver had asked for ends. Safe to repeat.
 * @throws AppError `subscription_not_found`
 */
export async function resumeSubscription(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const resumed = await tryCommit(ctx, {
    ...setGoing(ctx, { id, as: 'redelivery', going: resume({ orgId, id, now: ctx.now() }) }),
    audit: recordAudit(ctx, { orgId, action: 'subscription.resumed', entityId: id, fields: ['status'] }),
  });
  if (!resumed) await getSubscription(ctx, id);
}

/**
 * Deletes a subscription and ends its waiting deliveries; it no longer counts toward the limit.
 * @throws AppError `subscription_not_found`
 */
export async function deleteSubscription(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const now = ctx.now();
  const batch = {
    subscription: markDeleted(orgId, id, now),
    cancelled: cancelDeliveries(id, now),
    audit: recordAudit(ctx, { orgId, action: 'subscription.deleted', entityId: id }),
  };
  await commit(ctx, batch, { refused: noSubscription });
}

/** @throws AppError `subscription_not_found` */
export function requireSubscription<T>(subscription: T | undefined): T {
  if (subscription === undefined) throw noSubscription();
  return subscription;
}

function noSubscription(): AppError {
  return notFound('subscription_not_found', 'There is no such webhook subscription.');
}
