import { type OutboxEntry, outboxEntry } from '../../platform/commit';
import { actingAs, type Context, evenIfMoving } from '../../platform/context';
import { newIdPrefix } from '../../platform/ids';
import { mapConcurrent } from '../../platform/map-concurrent';
import { askedToWaitUntil, nextAttemptAt } from '../../platform/queue/retry';
import { enqueueDue } from '../deliveries/after-commit';
import type { ClaimedDelivery } from '../deliveries/store';
import { insertFanOut, type StartedDelivery, selectStarted } from '../deliveries/store-fanout';
import { FIRST_ATTEMPTS_MAX, LEASE_MS } from '../limits';
import { postWebhook, prepare } from './post';
import { type Attempted, keysAreKnown, Recorder, type Unready } from './record';

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

/** Work after a response may take 30 s, of which the last post may take ten. */
const FOLLOWING_POSTS_MS = 10_000;

/**
 * What becomes of the events of a batch, all of them together. The deliveries are written at its end: those that are
 * claimed from their first moment are posted as soon as it is committed, without the queue; the others get a message.
 */
export async function fanOut(ctx: Context, eventIds: readonly string[]): Promise<OutboxEntry> {
  await giveWayToPosts(ctx);
  const now = ctx.now();
  const leaseUntil = now + LEASE_MS;
  const made = { eventIds, idPrefix: newIdPrefix(), now, leaseUntil };
  return outboxEntry([insertFanOut(made, await keysAreKnown(ctx)), selectStarted(made)], { afterCommit: start });
}

async function start(ctx: Context, started: readonly StartedDelivery[]): Promise<void> {
  const claimed = started.filter(({ status }) => status === 'delivering');
  // Where attempts are under way, each that ends goes on with what is due next: a message would find no room.
  const due = started.filter(({ status, underWay }) => status === 'pending' && underWay === 0);
  // What happens to a delivery is nobody's act: it is not logged as that of whoever caused the event.
  const system = { ...actingAs(evenIfMoving(ctx), { kind: 'system' }), formId: undefined };
  await Promise.all([
    deliverClaimed(system, claimed, { atOnce: FIRST_ATTEMPTS_MAX, until: ctx.now() + FOLLOWING_POSTS_MS }),
    enqueueDue(ctx, due),
  ]);
}

/** Posts of one isolate under way at once, beyond which commands give way to them. */
const GIVE_WAY_BEYOND = 16;
/** So often a command gives way, a millisecond each time. */
const TURNS = 4;
const TURN_MS = 1;
/** A post that takes longer waits for its receiver, not for the isolate. */
const WAITS_FOR_RECEIVER_MS = 250;

/** When the posts began that this isolate has begun and that have not ended, epoch ms. */
const underWay = new Set<{ since: number }>();

/** Counts a post as under way until it has ended. */
export async function countedAsPost<T>(ctx: Pick<Context, 'now'>, post: Promise<T>): Promise<T> {
  const counted = { since: ctx.now() };
  underWay.add(counted);
  try {
    return await post;
  } finally {
    underWay.delete(counted);
  }
}

/**
 * Lets posts that are under way go on before a command writes new events. An isolate has one thread, and in a burst new
 * requests would take all of it: what was accepted would be delivered seconds later, although both together last as long in
 * either order. Receivers that hang delay no command.
 */
export async function giveWayToPosts(ctx: Pick<Context, 'now' | 'wait'>): Promise<void> {
  for (let turn = 0; turn < TURNS && waitingForIsolate(ctx.now()) > GIVE_WAY_BEYOND; turn += 1) await ctx.wait(TURN_MS);
}

function waitingForIsolate(now: number): number {
  return [...underWay].filter(({ since }) => now - since < WAITS_FOR_RECEIVER_MS).length;
}
