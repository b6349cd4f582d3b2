import type { Context } from '../../platform/context';
import { mapConcurrent } from '../../platform/map-concurrent';
import { askedToWaitUntil, nextAttemptAt } from '../../platform/queue/retry';
import type { ClaimedDelivery } from '../deliveries/store-claim';
import { prepare } from './attempt';
import { countedAsPost } from './give-way';
import type { Unready } from './hold';
import { postWebhook } from './post';
import { type Attempted, Recorder } from './record';

interface Bounds {
  /** Posts under way at once. */
  atOnce: number;
  /** Epoch ms; the next deliveries of a subscription are only begun before it. */
  until: number;
}

/**
 * Posts claimed deliveries and records each outcome as it comes, so that a post that hangs delays no other's record. Then
 * goes on with what is due next of the same subscriptions, as many at a time as before; what is left when the time is up
 * gets a queue message. Healthy receivers come first. Never throws: an attempt that could not be recorded is found by the
 * sweep when its lease has ended.
 */
export async function deliverClaimed(
  ctx: Context,
  claimed: readonly ClaimedDelivery[],
  { atOnce, until }: Bounds,
): Promise<void> {
  const recorder = new Recorder(ctx, claimed.length === 1);
  let begun = 0;
  await mapConcurrent(
    claimed.toSorted((a, b) => b.isHealthy - a.isHealthy),
    atOnce,
    async (first) => {
      begun += 1;
      for (let next: ClaimedDelivery | undefined = first; next; ) {
        const done: Attempted | Unready = await recorder.during(attempt(ctx, next));
        next = await recorder.record(done, begun === claimed.length && ctx.now() < until);
      }
    },
  );
}

async function attempt(ctx: Context, claimed: ClaimedDelivery): Promise<Attempted | Unready> {
  const startedAt = ctx.now();
  const prepared = await prepare(ctx, claimed, startedAt);
  if ('hold' in prepared) return { claimed, ...prepared };
  const outcome = await countedAsPost(ctx, postWebhook(prepared.signed));
  const endedAt = ctx.now();
  const ended = {
    attempt: claimed.attempt,
    now: endedAt,
    random: ctx.random(),
    scheduleSeconds: ctx.config.retryScheduleSeconds,
    ...outcome,
  };
  return {
    claimed,
    outcome,
    startedAt,
    endedAt,
    nextAttemptAt: outcome.failureClass === null ? null : nextAttemptAt(ended),
    waitUntil: askedToWaitUntil(ended),
  };
}
