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

/** Selects a subscription, if the actor may see it. Only staff see callbacks of integrations. */
export function selectShown(ctx: Context, orgId: string, id: string) {
  return store.selectSubscription(orgId, id, seesCallbacks(ctx));
}

export function seesCallbacks({ actor }: Context): boolean {
  return actor.kind === 'staff';
}

/**
 * Pauses a subscription. Nothing is posted to it from then on; due deliveries wait as `held`. Safe to repeat.
 * @returns whether the subscription was active or on hold
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
 * Makes a subscription active again that was paused, on hold or disabled. Events that were given up in its failure
 * streak are posted first, then the `held` deliveries. If the receiver had asked to wait, the wait ends. Safe to
 * repeat.
 * @returns false if the subscription was already active
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
 * Deletes a subscription and cancels its waiting deliveries. A deleted subscription no longer counts toward the limit
 * of the organization.
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

/** Deletes a subscription again, because a restore of the database may have undone its deletion. */
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

/**
 * Returns batch entries for a status change that stops posts: the change, its audit row, and the statements that make
 * due deliveries `held`.
 */
export function stopping(ctx: Context, of: Subscribed, subscription: GuardedWrite, change: Change): BatchEntry[] {
  return [subscription, auditOf(ctx, of, change), holdDeliveries(of.id), noteUnsettled(of.id)];
}

/** As `stopping`, for a statement that may change nothing. If so, no audit row is written. */
export function stopIfChanged(ctx: Context, of: Subscribed, subscription: Statement, change: Change): Statement[] {
  const audited = ifChanged(subscription, (onlyIf) => auditOf(ctx, of, { ...change, onlyIf }));
  return [...audited, holdDeliveries(of.id), noteUnsettled(of.id)];
}

/**
 * Returns batch entries for a status change that starts posts again: the change, its audit row, and the statements that
 * make held deliveries due. The entry `released` returns these deliveries, oldest first.
 */
export function resumeWith(ctx: Context, of: Subscribed, subscription: GuardedWrite, change: Change) {
  const [released, unsettled] = [releaseDeliveries(of.id), noteUnsettled(of.id)];
  return { subscription, released, unsettled, audit: auditOf(ctx, of, change) };
}

/**
 * As `resumeWith`, for a subscription that may have been stopped by failures. Events that were given up in these
 * failures are due again, too. They come before the held deliveries.
 * @param trigger `recovery` if the service resumes the subscription; `redelivery` if a person does. `redelivery` also
 *   ends a wait that the receiver asked for
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
  /** SQL for the id of the integration (`apiKeys.familyId`). */
  integrationId: Condition;
  /** The id of the integration's callback when it was read (`selectCallbackOf`); undefined if there was none. */
  seen: string | undefined;
}

/**
 * Returns the statements that delete the callback of an integration and cancel its waiting deliveries. They belong to
 * the batch that revokes the last key of the integration. The batch is undone if the integration has got another
 * callback since `seen` was read.
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
 * Returns the host of an address that is to be subscribed, as D1 stores it. Refuses the host of a shop. The write
 * checks this once more for the shops on the same database.
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
 * Returns why a subscription may not have an address, as far as its text tells; otherwise null. For a form that shows
 * all errors at once.
 */
export function refusalOfUrl(ctx: Context, url: string): OutboundRefusal | null {
  requireRole(ctx, ['owner']);
  return refusalOfWebhook(ctx, url);
}

/**
 * Returns why nothing may be posted to an address, as far as its text tells; otherwise null. The host of a shop is
 * allowed here, because a request to it goes over the public internet (`global_fetch_strictly_public`).
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
