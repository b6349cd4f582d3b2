import { recordAudit } from '../audit/record';
import { requireRole } from '../platform/access';
import type { Context } from '../platform/context';
import { isGuardFailure, mustChangeOne } from '../platform/db';
import { ring } from '../platform/doorbell';
import { AppError, notFound } from '../platform/errors';
import { newId } from '../platform/ids';
import {
  cancelDeliveries,
  type DeliveryFilter,
  holdDeliveries,
  insertRedelivery,
  markDeleted,
  releaseDeliveries,
  selectAttempts,
  selectDelivery,
  selectLog,
  selectSubscription,
  selectSubscriptions,
  updateStatus,
} from './store-manage';

const LOG_PAGE = 50;
/** The sweep finds what is released beyond this. */
const DOORBELLS_MAX = 500;

export type Subscription = Awaited<ReturnType<typeof listSubscriptions>>[number];
export type LoggedDelivery = Awaited<ReturnType<typeof listDeliveries>>['deliveries'][number];

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
      guard: mustChangeOne(ctx.db),
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
      guard: mustChangeOne(ctx.db),
      released: releaseDeliveries(ctx.db, id),
      audit: recordAudit(ctx, { orgId, action: 'subscription.resumed', entityId: id, fields: ['status'] }),
    }),
  );
  const due = (done?.released ?? [])
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, DOORBELLS_MAX)
    .map((run) => ({ id: run.id, delaySeconds: Math.max(0, Math.ceil((run.nextAttemptAt - now) / 1000)) }));
  if (due.length > 0) await ring(ctx, ctx.queues.webhookDeliveries, due);
}

/** Ends a subscription and all that waits for it; its place is free again. @throws AppError `subscription_not_found` */
export async function deleteSubscription(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const now = ctx.now();
  try {
    await ctx.db.run({
      subscription: markDeleted(ctx.db, orgId, id, now),
      guard: mustChangeOne(ctx.db),
      cancelled: cancelDeliveries(ctx.db, id, now),
      audit: recordAudit(ctx, { orgId, action: 'subscription.deleted', entityId: id }),
    });
  } catch (error) {
    if (isGuardFailure(error)) return noSubscription();
    throw error;
  }
}

/** A page of the log, newest first. @throws AppError `subscription_not_found` */
export async function listDeliveries(
  ctx: Context,
  input: { subscriptionId: string; filter: DeliveryFilter; before?: string },
) {
  const { orgId } = requireRole(ctx, ['owner']);
  const { found, deliveries } = await ctx.db.run({
    found: selectSubscription(ctx.db, orgId, input.subscriptionId),
    deliveries: selectLog(ctx.db, { orgId, ...input }, { ...input, limit: LOG_PAGE + 1 }),
  });
  const page = deliveries.slice(0, LOG_PAGE);
  return {
    subscription: found[0] ?? noSubscription(),
    deliveries: page,
    nextBefore: deliveries.length > LOG_PAGE ? page.at(-1)?.id : undefined,
  };
}

/** One run with its event as sent and its attempts. @throws AppError `delivery_not_found`, `subscription_not_found` */
export async function getDelivery(ctx: Context, input: { subscriptionId: string; deliveryId: string }) {
  const { orgId } = requireRole(ctx, ['owner']);
  const { found, delivery, attempts } = await ctx.db.run({
    found: selectSubscription(ctx.db, orgId, input.subscriptionId),
    delivery: selectDelivery(ctx.db, orgId, input.deliveryId),
    attempts: selectAttempts(ctx.db, orgId, input.deliveryId),
  });
  const [subscription, run] = [found[0] ?? noSubscription(), delivery[0]];
  if (run?.subscriptionId !== subscription.id) throw noDelivery();
  return { subscription, delivery: run, attempts };
}

/**
 * Sends the event of a run that has ended once more, as a run of its own.
 * @throws AppError `delivery_not_found`, `not_redeliverable` while it is on its way or its subscription is not active
 */
export async function redeliver(ctx: Context, deliveryId: string): Promise<{ deliveryId: string }> {
  const { orgId } = requireRole(ctx, ['owner']);
  const id = newId();
  try {
    await ctx.db.run({
      run: insertRedelivery(ctx.db, { orgId, deliveryId }, id, ctx.now()),
      guard: mustChangeOne(ctx.db),
      audit: recordAudit(ctx, { orgId, action: 'delivery.redelivered', entityId: id }),
    });
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
    const { delivery } = await ctx.db.run({ delivery: selectDelivery(ctx.db, orgId, deliveryId) });
    if (delivery.length === 0) throw noDelivery();
    throw new AppError(
      'conflict',
      'not_redeliverable',
      'Redeliver what has ended, while its subscription is active. Resume the subscription first.',
    );
  }
  await ring(ctx, ctx.queues.webhookDeliveries, [{ id }]);
  return { deliveryId: id };
}

/** A status that is already so is no fault; a subscription that is not there is one. */
async function unlessUnchanged<T>(ctx: Context, id: string, batch: Promise<T>): Promise<T | undefined> {
  try {
    return await batch;
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
    await getSubscription(ctx, id);
    return undefined;
  }
}

function noSubscription(): never {
  throw notFound('subscription_not_found', 'There is no such webhook subscription.');
}

function noDelivery(): AppError {
  return notFound('delivery_not_found', 'There is no such delivery.');
}
