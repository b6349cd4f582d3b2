import { recordAudit } from '../../audit/record';
import { requireRole } from '../../platform/access';
import type { Context } from '../../platform/context';
import { assertOneRowChanged, isGuardFailure } from '../../platform/db';
import { enqueue } from '../../platform/enqueue';
import { notFound } from '../../platform/errors';
import { holdDeliveries } from '../deliveries/store';
import { queueMessagesFor } from './hold';
import {
  cancelDeliveries,
  markDeleted,
  releaseDeliveries,
  selectSubscription,
  selectSubscriptions,
  updateStatus,
} from './store';

export type Subscription = Awaited<ReturnType<typeof listSubscriptions>>[number];

/** The organization's subscriptions. Their secrets are not among what this gives. */
export async function listSubscriptions(ctx: Context) {
  const { orgId } = requireRole(ctx, ['owner']);
  const { found } = await ctx.db.run({ found: selectSubscriptions(ctx.db, orgId) });
  return found;
}

/** @throws AppError `subscription_not_found` */
export async function getSubscription(ctx: Context, id: string): Promise<Subscription> {
  const { orgId } = requireRole(ctx, ['owner']);
  const { found } = await ctx.db.run({ found: selectSubscription(ctx.db, orgId, id) });
  return found[0] ?? noSubscription();
}

/** Stops posting; what is due waits as `held`. Safe to repeat. @throws AppError `subscription_not_found` */
export async function pauseSubscription(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const at = { orgId, id, now: ctx.now() };
  await unlessUnchanged(
    ctx,
    id,
    ctx.db.run({
      subscription: updateStatus(ctx.db, at, ['active', 'holding'], 'paused'),
      guard: assertOneRowChanged(ctx.db),
      held: holdDeliveries(ctx.db, id),
      audit: recordAudit(ctx, { orgId, action: 'subscription.paused', entityId: id, fields: ['status'] }),
    }),
  );
}

/** Posts again, first what was held, whatever had stopped it. Safe to repeat. @throws AppError `subscription_not_found` */
export async function resumeSubscription(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const now = ctx.now();
  const done = await unlessUnchanged(
    ctx,
    id,
    ctx.db.run({
      subscription: updateStatus(ctx.db, { orgId, id, now }, ['paused', 'holding', 'disabled'], 'active'),
      guard: assertOneRowChanged(ctx.db),
      released: releaseDeliveries(ctx.db, id),
      audit: recordAudit(ctx, { orgId, action: 'subscription.resumed', entityId: id, fields: ['status'] }),
    }),
  );
  const due = queueMessagesFor(done?.released ?? [], now);
  if (due.length > 0) await enqueue(ctx, ctx.queues.webhookDeliveries, due);
}

/** Ends a subscription and all that waits for it; its place is free again. @throws AppError `subscription_not_found` */
export async function deleteSubscription(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const now = ctx.now();
  try {
    await ctx.db.run({
      subscription: markDeleted(ctx.db, orgId, id, now),
      guard: assertOneRowChanged(ctx.db),
      cancelled: cancelDeliveries(ctx.db, id, now),
      audit: recordAudit(ctx, { orgId, action: 'subscription.deleted', entityId: id }),
    });
  } catch (error) {
    if (isGuardFailure(error)) return noSubscription();
    throw error;
  }
}

/** A status that is already so is no fault; a subscription that is not there is one. */
export async function unlessUnchanged<T>(ctx: Context, id: string, batch: Promise<T>): Promise<T | undefined> {
  try {
    return await batch;
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
    await getSubscription(ctx, id);
    return undefined;
  }
}

/** @throws AppError `subscription_not_found` */
export function noSubscription(): never {
  throw notFound('subscription_not_found', 'There is no such webhook subscription.');
}
