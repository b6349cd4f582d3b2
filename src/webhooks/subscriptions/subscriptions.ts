import { noting } from '../../audit/journal';
import { type AuditEntry, recordAudit } from '../../audit/record';
import { isHostTaken } from '../../directory/reserve';
import { requireOperator, requireRole, requireScope } from '../../platform/access';
import { type BatchEntry, commit, tryCommit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { assertInBatch, type GuardedWrite, ifChanged } from '../../platform/data/db';
import type { Condition, Statement } from '../../platform/data/statements';
import { type AppError, invalidField, notFound } from '../../platform/errors/errors';
import { hostOf, isOfBaseHost, type OutboundRefusal, REFUSAL_MESSAGES, refusalOf } from '../../platform/http/outgoing';
import { newIdPrefix } from '../../platform/ids';
import { dueDeliveries } from '../deliveries/after-commit';
import {
  cancelDeliveries,
  hastenDeliveries,
  holdDeliveries,
  insertGivenUp,
  noteUnsettled,
  releaseDeliveries,
} from '../deliveries/store-fanout';
import { requireSubscription } from '../errors';
import * as store from './store';

export type Subscription = Awaited<ReturnType<typeof store.selectSubscriptions>>[number];

/** @throws AppError `subscription_not_found` */
export async function getSubscription(ctx: Context, id: string): Promise<Subscription> {
  const { orgId } = requireScope(ctx, 'webhooks.read');
  const found = await ctx.db.rows(selectShown(ctx, orgId, id));
  return requireSubscription(found[0]);
}

/** Reads a subscription that the actor may see. Only staff see callbacks of integrations. */
export function selectShown(ctx: Context, orgId: string, id: string) {
  return store.selectSubscription(orgId, id, seesCallbacks(ctx));
}

export function seesCallbacks({ actor }: Context): boolean {
  return actor.kind === 'staff';
}

/**
 * Stops posting; due deliveries wait as `held`. Safe to repeat.
 * @returns whether the subscription was running
 * @throws AppError `subscription_not_found`
 */
export async function pauseSubscription(ctx: Context, id: string): Promise<boolean> {
  const { orgId } = requireRole(ctx, ['owner']);
  const change = store.pause({ orgId, id, now: ctx.now() });
  const stopped = stopping(ctx, { id, orgId }, change, { action: 'subscription.paused' });
  const paused = await tryCommit(ctx, { stopped });
  if (!paused) await getSubscription(ctx, id);
  return paused !== null;
}

/**
 * Starts posting again after a pause, a hold or a disabling. Events that were given up in the failure streak come
 * first, then the `held` deliveries. If the receiver had asked to wait, the wait ends. Safe to repeat.
 * @returns whether the subscription was stopped
 * @throws AppError `subscription_not_found`
 */
export async function resumeSubscription(ctx: Context, id: string): Promise<boolean> {
  const { orgId } = requireRole(ctx, ['owner']);
  const change = store.resume({ orgId, id, now: ctx.now() });
  const resumed = await tryCommit(ctx, resumeAndRequeue(ctx, { id, orgId }, change, 'redelivery'));
  if (!resumed) await getSubscription(ctx, id);
  return resumed !== null;
}

/**
 * Deletes a subscription and ends its waiting deliveries. The subscription no longer counts toward the limit.
 * @throws AppError `subscription_not_found`
 */
export async function deleteSubscription(ctx: Context, id: string): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner']);
  const now = ctx.now();
  const batch = {
    subscription: store.markDeleted(orgId, id, now),
    cancelled: cancelDeliveries(id, now),
    unsettled: noteUnsettled(id),
    audit: recordAudit(ctx, { orgId, action: 'subscription.deleted', entityId: id }),
  };
  await noting(ctx, { orgId, kind: 'subscription', id, at: now }, () =>
    commit(ctx, batch, { refused: () => notFound('subscription_not_found') }),
  );
}

/** Deletes a subscription again if a restore of the database has undone its deletion. */
export async function deleteSubscriptionAgain(
  ctx: Context,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  requireOperator(ctx);
  const now = ctx.now();
  await commit(ctx, {
    subscription: ifChanged(store.endAgain({ orgId, id, now }), (onlyIf) =>
      recordAudit(ctx, { orgId, action: 'subscription.deleted', entityId: id, onlyIf }),
    ),
    cancelled: cancelDeliveries(id, now),
    unsettled: noteUnsettled(id),
  });
}

interface Subscribed {
  id: string;
  orgId: string;
}

type Change = Pick<AuditEntry, 'action' | 'reasonCode'>;

/** Returns the batch entries of a status change that stops posts, with its audit row. Due deliveries become `held`. */
export function stopping(ctx: Context, of: Subscribed, subscription: GuardedWrite, change: Change): BatchEntry[] {
  return [subscription, auditOf(ctx, of, change), holdDeliveries(of.id), noteUnsettled(of.id)];
}

/** Like `stopping`, for a change that may find nothing to do. In that case, no audit row is written. */
export function stopIfChanged(ctx: Context, of: Subscribed, subscription: Statement, change: Change): Statement[] {
  const audited = ifChanged(subscription, (onlyIf) => auditOf(ctx, of, { ...change, onlyIf }));
  return [...audited, holdDeliveries(of.id), noteUnsettled(of.id)];
}

/**
 * Returns the batch entries of a status change that starts posts again, with its audit row. `released` returns the held
 * deliveries that are due, oldest first.
 */
export function resumeWith(ctx: Context, of: Subscribed, subscription: GuardedWrite, change: Change) {
  const [released, unsettled] = [releaseDeliveries(of.id), noteUnsettled(of.id)];
  return { subscription, released, unsettled, audit: auditOf(ctx, of, change) };
}

/**
 * Like `resumeWith`, for a subscription that failures may have stopped. Events that were given up in these failures are
 * due again, too, before held ones.
 * @param trigger `recovery` if automatic; `redelivery` if a person asks for it, which also ends a wait that the
 *   receiver had asked for
 */
export function resumeAndRequeue(
  ctx: Context,
  of: Subscribed,
  subscription: GuardedWrite,
  trigger: 'recovery' | 'redelivery',
) {
  const now = ctx.now();
  const action = trigger === 'recovery' ? 'subscription.released' : 'subscription.resumed';
  const others = resumeWith(ctx, of, subscription, { action });
  return {
    givenUp: dueDeliveries(insertGivenUp(of.id, trigger, { idPrefix: newIdPrefix(), now })),
    // These two statements must run before the change. They read `failing_since` and `wait_until`, which the change
    // clears.
    hastened: trigger === 'redelivery' ? hastenDeliveries(of.id, now) : undefined,
    ...others,
    released: dueDeliveries(others.released),
  };
}

function auditOf(ctx: Context, { id, orgId }: Subscribed, change: Change & Pick<AuditEntry, 'onlyIf'>): Statement {
  return recordAudit(ctx, { orgId, entityId: id, fields: ['status'], ...change });
}

interface Ending {
  orgId: string;
  /** A subquery of `apiKeys.familyId`. */
  integrationId: Condition;
  /** The id of the integration's callback as it was read (`selectCallbackOf`); undefined if there was none. */
  seen: string | undefined;
}

/**
 * Returns the statements that delete the callback of an integration, for the batch that revokes its last key. Waiting
 * deliveries are cancelled. The batch is undone if the integration has got another callback since `seen` was read.
 */
export function endingCallback(ctx: Context, { orgId, integrationId, seen }: Ending, onlyIf: Condition): Statement[] {
  const same = assertInBatch(store.hasNoOtherCallback(orgId, integrationId, seen));
  if (seen === undefined) return [same];
  const now = ctx.now();
  const ended = ifChanged(store.endCallbackIf({ orgId, id: seen, now }, onlyIf), (isEnded) =>
    recordAudit(ctx, {
      orgId,
      action: 'subscription.deleted',
      entityId: seen,
      reasonCode: 'key_revoked',
      onlyIf: isEnded,
    }),
  );
  return [same, ...ended, cancelDeliveries(seen, now), noteUnsettled(seen)];
}

/**
 * Returns the host of an address to subscribe, in the form that D1 stores. The write checks whether a shop on the same
 * database has the host.
 * @throws AppError `validation_failed` at `/url`
 */
export async function hostToSubscribe(ctx: Context, url: string): Promise<string> {
  const refusal = refusalOfWebhook(ctx, url);
  if (refusal) throw refusedUrl(refusal);
  const host = hostOf(new URL(url));
  if (await isHostTaken(ctx, host)) throw refusedUrl('own_host');
  return host;
}

/**
 * Returns why a subscription may not have an address; null if no reason is known yet. For a form that shows all errors
 * at once.
 */
export function refusalOfUrl(ctx: Context, url: string): OutboundRefusal | null {
  requireRole(ctx, ['owner']);
  return refusalOfWebhook(ctx, url);
}

/**
 * Returns why an address may not be posted to, or null if it may. Only the text of the address is checked. The host of
 * a shop is allowed, because a request reaches it over the public internet (`global_fetch_strictly_public`).
 */
export function refusalOfWebhook({ config }: Context, url: string): OutboundRefusal | null {
  const isOwnHost = (host: string) => isOfBaseHost(host, config.baseHost);
  return refusalOf(url, { isOwnHost, allowLoopback: config.allowLoopbackWebhooks });
}

export function unknownShop(): AppError {
  return invalidField('/shop_ids', 'unknown_shop', 'Name shops of the organization by their shop_id.');
}

export function refusedUrl(refusal: keyof typeof REFUSAL_MESSAGES): AppError {
  return invalidField('/url', refusal, REFUSAL_MESSAGES[refusal]);
}
