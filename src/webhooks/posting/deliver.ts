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
  /** The most posts that are under way at the same time. */
  atOnce: number;
  /** Epoch ms. After this time, no next delivery of a subscription is started. */
  until: number;
}

/**
 * Posts claimed deliveries. Those to healthy receivers come first. Each outcome is recorded as it arrives, so a hanging
 * post does not delay other records. When a post ends, the next due delivery of its subscription is posted. After
 * `until`, or while claimed deliveries still wait, that next delivery gets a queue message instead. Never throws: if an
 * attempt could not be recorded, the sweep finds it after its lease has expired.
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

/**
 * The time in ms for which one command may start further posts. Work after a response may take 30 s, and the last post
 * may take 10 s of these.
 */
const FOLLOWING_POSTS_MS = 10_000;

/**
 * Returns the batch entry that writes the deliveries of all events of a batch. It belongs at the end of the batch.
 * After the commit, the deliveries that were inserted as claimed are posted, without the queue. The others get a queue
 * message.
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
  // An attempt that is under way continues with the next due delivery when it ends, so no message is needed.
  const due = started.filter(({ status, underWay }) => status === 'pending' && underWay === 0);
  // A delivery is an act of the system, so it is not logged as an act of the person or program that caused the event.
  const system = { ...actingAs(evenIfMoving(ctx), { kind: 'system' }), formId: undefined };
  await Promise.all([
    deliverClaimed(system, claimed, { atOnce: FIRST_ATTEMPTS_MAX, until: ctx.now() + FOLLOWING_POSTS_MS }),
    enqueueDue(ctx, due),
  ]);
}

/** If more posts than this are under way in an isolate, its commands wait briefly. */
const GIVE_WAY_BEYOND = 16;
/** One command waits at most this many times, for `TURN_MS` each time. */
const TURNS = 4;
const TURN_MS = 1;
/** A post that is under way for longer than this waits for its receiver, not for the isolate. */
const WAITS_FOR_RECEIVER_MS = 250;

/** The posts of this isolate that are under way, each with the time (epoch ms) at which it began. */
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
 * Lets posts that are under way go on before a command writes new events. An isolate has only one thread. In a burst,
 * new requests would take all of its time, and deliveries would be late by seconds. The work as a whole takes no
 * longer. Posts to hanging receivers do not make a command wait.
 */
export async function giveWayToPosts(ctx: Pick<Context, 'now' | 'wait'>): Promise<void> {
  for (let turn = 0; turn < TURNS && waitingForIsolate(ctx.now()) > GIVE_WAY_BEYOND; turn += 1) await ctx.wait(TURN_MS);
}

function waitingForIsolate(now: number): number {
  return [...underWay].filter(({ since }) => now - since < WAITS_FOR_RECEIVER_MS).length;
}
