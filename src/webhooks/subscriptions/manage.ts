import { recordAudit } from '../../audit/record';
import { noting } from '../../audit/service';
import { requireOperator, requireRole, requireScope } from '../../platform/access';
import { commit, tryCommit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { ifChanged } from '../../platform/data/db';
import { cancelDeliveries, noteUnsettled } from '../deliveries/store-held';
import { noSubscription, requireSubscription } from '../errors';
import { goingOnAnew, stopping } from './status';
import { endAgain, markDeleted, pause, resume, selectSubscription, type selectSubscriptions } from './store';

export type Subscription = Awaited<ReturnType<typeof selectSubscriptions>>[number];

/** @throws AppError `subscription_not_found` */
export async function getSubscription(ctx: Context, id: string): Promise<Subscription> {
  const { orgId } = requireScope(ctx, 'webhooks.read');
  const found = await ctx.db.rows(selectShown(ctx, orgId, id));
  return requireSubscription(found[0]);
}

/** A subscription that the actor may see: callbacks of integrations belong to the interface alone. */
export function selectShown(ctx: Context, orgId: string, id: string) {
  return selectSubscription(orgId, id, seesCallbacks(ctx));
}

export function seesCallbacks({ actor }: Context): boolean {
  return actor.kind === 'staff';
}

/** Stops posting; due deliveries wait as `held`. Safe to repeat. @throws AppError `subscription_not_found` */
export async function pauseSubscription(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const change = pause({ orgId, id, now: ctx.now() });
  const stopped = stopping(ctx, { id, orgId }, change, { action: 'subscription.paused' });
  const paused = await tryCommit(ctx, { stopped });
  if (!paused) await getSubscription(ctx, id);
}

/**
 * Starts posting again, for whatever reason it had stopped: first what was given up in the failures that stopped it, then what
 * was `held`. A wait that the receiver had asked for ends. Safe to repeat.
 * @throws AppError `subscription_not_found`
 */
export async function resumeSubscription(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const change = resume({ orgId, id, now: ctx.now() });
  const resumed = await tryCommit(ctx, goingOnAnew(ctx, { id, orgId }, change, 'redelivery'));
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
    unsettled: noteUnsettled(id),
    audit: recordAudit(ctx, { orgId, action: 'subscription.deleted', entityId: id }),
  };
  await noting(ctx, { orgId, kind: 'subscription', id, at: now }, () =>
    commit(ctx, batch, { refused: noSubscription }),
  );
}

/** Deletes a subscription again that was deleted in the time that a restore of the database has undone. */
export async function deleteSubscriptionAgain(
  ctx: Context,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  requireOperator(ctx);
  const now = ctx.now();
  await commit(ctx, {
    subscription: ifChanged(endAgain({ orgId, id, now }), (onlyIf) =>
      recordAudit(ctx, { orgId, action: 'subscription.deleted', entityId: id, onlyIf }),
    ),
    cancelled: cancelDeliveries(id, now),
    unsettled: noteUnsettled(id),
  });
}
