import { recordAudit } from '../../audit/record';
import { requireScope } from '../../platform/access';
import { commit, tryCommit } from '../../platform/commit';
import { type Context, forOrganization } from '../../platform/context';
import { newIdPrefix } from '../../platform/ids';
import { dueDeliveries } from '../deliveries/after-commit';
import type { SubscriptionRef } from '../deliveries/store';
import { notRedeliverable, requireSubscription } from '../errors';
import { selectShown } from '../subscriptions/subscriptions';
import * as store from './store';

/** One page of a recovery checks this many events or failed deliveries, in one batch. */
const PAGE = 500;
/** At most this many pages are handled before the response. A page may lead to few new deliveries. */
const PAGES_AT_ONCE = 3;
/** One run of the sweep handles at most this many pages of one subscription. */
const PAGES_A_RUN = 6;

interface Recovery {
  subscriptionId: string;
  /** Epoch ms. */
  since: number;
  /** Epoch ms; by default now. */
  until?: number;
}

/**
 * Returns a subscription, and the number of events that `recover` would send; see `countMissed`.
 * @throws AppError `subscription_not_found`
 */
export async function countUndelivered(ctx: Context, input: Recovery) {
  const { orgId } = requireScope(ctx, 'webhooks.read');
  return undeliveredOf(ctx, missedBy(ctx, orgId, input));
}

function missedBy(ctx: Context, orgId: string, { until, ...input }: Recovery): store.Missed {
  const now = ctx.now();
  return { orgId, ...input, until: Math.min(until ?? now, now) };
}

async function undeliveredOf(ctx: Context, missed: store.Missed) {
  const { found, undelivered } = await ctx.db.run({
    found: selectShown(ctx, missed.orgId, missed.subscriptionId),
    undelivered: store.countMissed(missed),
  });
  return { subscription: requireSubscription(found[0]), count: undelivered[0]?.count ?? 0 };
}

/**
 * Sends every event of a period that was not delivered. Events whose delivery failed come first, then events that
 * happened while the subscription was disabled, each oldest first. Deliveries for about 500 events are made at once,
 * those for the others by the sweep. Safe to repeat: an event that is on its way is not sent again.
 * @returns the number of events, as `countUndelivered`; 0 if another recovery is running
 * @throws AppError `not_redeliverable` while the subscription is not active, `subscription_not_found`
 */
export async function recover(ctx: Context, input: Recovery): Promise<{ count: number; isRunning: boolean }> {
  const { orgId } = requireScope(ctx, 'webhooks.write');
  const { subscriptionId } = input;
  const missed = missedBy(ctx, orgId, input);
  const { subscription, count } = await undeliveredOf(ctx, missed);
  if (subscription.status !== 'active') throw notRedeliverable();
  if (subscription.isRecovering === 1) return { count: 0, isRunning: true };
  const begun = await tryCommit(ctx, {
    progress: store.beginRecovery(missed, ctx.now()),
    audit: recordAudit(ctx, { orgId, action: 'subscription.redelivered', entityId: subscriptionId }),
  });
  let at = positionOf({ orgId, subscriptionId }, begun?.progress[0]);
  // Nothing is missing, or another recovery has begun since the read.
  if (!at) return { count: 0, isRunning: count > 0 };
  let enqueued = 0;
  for (let pages = 0; pages < PAGES_AT_ONCE && at && enqueued < PAGE; pages += 1) {
    const done: Recovered = await recoverPage(ctx, at, enqueued > 0);
    at = done.next;
    enqueued += done.count;
  }
  return { count, isRunning: false };
}

type Progress = { failedAfter: string | null; after: number | null } | undefined;

/** Returns the position of a recovery; null if none is running. */
function positionOf({ orgId, subscriptionId }: SubscriptionRef, progress: Progress): store.RecoveryPosition | null {
  if (!progress || progress.after === null) return null;
  return { orgId, subscriptionId, failedAfter: progress.failedAfter, after: progress.after };
}

interface Recovered {
  count: number;
  /** Null if the recovery has ended, or if another batch has continued it. */
  next: store.RecoveryPosition | null;
}

/**
 * Sends the next page of a recovery.
 * @param isFollowing whether an earlier page has already sent queue messages. This page then sends none
 */
async function recoverPage(ctx: Context, at: store.RecoveryPosition, isFollowing = false): Promise<Recovered> {
  const inserted = store.insertRecovered(at, PAGE, { idPrefix: newIdPrefix(), now: ctx.now() });
  const { recovered, progress } = await commit(ctx, {
    recovered: isFollowing ? inserted : dueDeliveries(inserted),
    progress: store.advanceRecovery(at, PAGE),
  });
  return { count: recovered.length, next: positionOf(at, progress[0]) };
}

/** Continues the recoveries that are not complete yet, for the sweep. Those of inactive subscriptions wait. */
export async function continueRecoveries(ctx: Context, unfinished: readonly store.Unfinished[]): Promise<void> {
  for (const each of unfinished.filter(({ status }) => status === 'active')) {
    const of = forOrganization(ctx, each.orgId);
    let at = positionOf(each, each);
    for (let pages = 0; pages < PAGES_A_RUN && at; pages += 1) {
      at = (await recoverPage(of, at)).next;
    }
  }
}
