import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import type { Statement } from '../platform/db';
import { enqueue, rowIdsOf } from '../platform/enqueue';
import { mapConcurrent } from '../platform/map-concurrent';
import { nextAttemptAt } from '../platform/retry';
import { prepare } from './deliveries/attempt';
import { type AttemptOutcome, postWebhook } from './deliveries/post';
import {
  type ClaimedDelivery,
  claimDeliveries,
  finishAttempt,
  holdDeliveries,
  insertAttempt,
  pauseRefused,
} from './deliveries/store';
import { fingerprintsOf } from './subscriptions/canary';
import { holdFor, type Unready } from './subscriptions/hold';
import { canaryKnows } from './subscriptions/store-canary';

/** Longer than a whole batch takes: two rounds of posts at 10 s each, and the writes before and after. */
const LEASE_MS = 60_000;
/** An invocation may have six connections; one is kept free for D1. */
const POSTS_AT_ONCE = 5;

interface Attempted {
  claimed: ClaimedDelivery;
  outcome: AttemptOutcome;
  startedAt: number;
  endedAt: number;
  nextAttemptAt: number | null;
}

/**
 * Delivers a batch of queue messages: claims all, posts each, records all. Two D1 round trips, whatever the size of the
 * batch. Messages are only hints: a repeated one claims nothing, a malformed one is dropped, and the caller
 * acknowledges all of them. A claim that cannot be posted because of this service is given back without counting an
 * attempt, and its subscription is put on hold.
 */
export async function consumeDeliveries(ctx: Context, messages: readonly unknown[]): Promise<void> {
  requireSystem(ctx);
  const ids = rowIdsOf(ctx, messages);
  if (ids.length === 0) return;
  const now = ctx.now();
  const leaseUntil = now + LEASE_MS;
  const keysAreRight = canaryKnows(await fingerprintsOf(ctx.config.encryptionKeys));
  const { claimed } = await ctx.db.run({ claimed: claimDeliveries(ctx.db, ids, now, leaseUntil, keysAreRight) });
  const done = await mapConcurrent(claimed, POSTS_AT_ONCE, (delivery) => attempt(ctx, delivery));
  if (done.length === 0) return;
  const attempted = done.filter((each) => 'outcome' in each);
  const unready = done.filter((each) => 'hold' in each);
  await ctx.db.run({
    recorded: attempted.flatMap((each) => recordAttempt(ctx, each)),
    held: holdFor(ctx, unready, leaseUntil),
  });
  const retries = attempted.flatMap(({ claimed: { id }, endedAt, nextAttemptAt: at }) =>
    at === null ? [] : [{ id, delaySeconds: Math.floor((at - endedAt) / 1000) }],
  );
  await enqueue(ctx, ctx.queues.webhookDeliveries, retries);
}

async function attempt(ctx: Context, claimed: ClaimedDelivery): Promise<Attempted | Unready> {
  const startedAt = ctx.now();
  const prepared = await prepare(ctx, claimed, startedAt);
  if ('hold' in prepared) return { claimed, ...prepared };
  const outcome = await postWebhook(prepared.signed);
  const endedAt = ctx.now();
  return {
    claimed,
    outcome,
    startedAt,
    endedAt,
    nextAttemptAt:
      outcome.failureClass === null
        ? null
        : nextAttemptAt({
            attempt: claimed.attempt,
            now: endedAt,
            random: ctx.random(),
            scheduleSeconds: ctx.config.retryScheduleSeconds,
            httpStatus: outcome.httpStatus,
            retryAfter: outcome.retryAfter,
          }),
  };
}

function recordAttempt(ctx: Context, done: Attempted): Statement[] {
  const { claimed, outcome, startedAt, endedAt } = done;
  const isSuccess = outcome.failureClass === null;
  return [
    insertAttempt(ctx.db, {
      deliveryId: claimed.id,
      attempt: claimed.attempt,
      trigger: claimed.attempt > 1 ? 'retry' : claimed.trigger,
      startedAt,
      durationMs: endedAt - startedAt,
      httpStatus: outcome.httpStatus,
      failureClass: outcome.failureClass,
      answerExcerpt: outcome.answerExcerpt,
    }),
    finishAttempt(ctx.db, claimed, {
      status: isSuccess ? 'succeeded' : done.nextAttemptAt === null ? 'exhausted' : 'pending',
      nextAttemptAt: done.nextAttemptAt ?? 0,
      finishedAt: done.nextAttemptAt === null ? endedAt : null,
    }),
    // 410 Gone: the receiver wants no more posts from this subscription (Standard Webhooks).
    ...(outcome.httpStatus === 410
      ? [pauseRefused(ctx.db, claimed.subscriptionId, endedAt), holdDeliveries(ctx.db, claimed.subscriptionId)]
      : []),
  ];
}
