import type { Context } from '../../platform/context';
import type { Statement } from '../../platform/data/db';
import { describeError } from '../../platform/log';
import { enqueue } from '../../platform/queue/enqueue';
import { finishAttempt, finishSucceeded, insertAttempts } from '../deliveries/store-attempts';
import { type ClaimedDelivery, claimNext, type Freed, selectNext } from '../deliveries/store-claim';
import { LEASE_MS } from '../limits';
import type { deliveryAttempts } from '../tables';
import { keysAreKnown } from './canary';
import { goOnWithRecovered, judgeFailed, logGivenUp } from './failing';
import { holdFor, type Unready } from './hold';
import type { AttemptOutcome } from './post';
import { markHealthy, postpone } from './store-failing';

/** A post that was made. */
interface Posted {
  claimed: Pick<ClaimedDelivery, 'id' | 'attempt'>;
  outcome: AttemptOutcome;
  /** Epoch ms, as all times here. */
  startedAt: number;
  endedAt: number;
}

/** The same of a claim, and what follows from it. */
export interface Attempted extends Posted {
  claimed: ClaimedDelivery;
  /** Null when no attempt follows. */
  nextAttemptAt: number | null;
  /** Until when the receiver asked to be left alone; null when it did not. */
  waitUntil: number | null;
}

interface Entry {
  done: Attempted | Unready;
  /** Whether the next due delivery of the subscription is claimed in the place of this one. */
  claimsNext: boolean;
  resolve: (next: ClaimedDelivery | undefined) => void;
}

/** Outcomes that come within this time of each other are recorded as one batch. */
const BATCH_WINDOW_MS = 4;
/** So long a receiver that failed is left alone before its next due delivery is tried. */
const PAUSE_SECONDS = 5;

/** Records the outcomes of posts that run side by side. */
export class Recorder {
  #underWay = 0;
  #entries: Entry[] = [];
  #isWriting = false;
  readonly #ctx: Context;
  readonly #isSingle: boolean;

  /** @param isSingle posts are made one after the other: no outcome is waited for by another */
  constructor(ctx: Context, isSingle: boolean) {
    this.#ctx = ctx;
    this.#isSingle = isSingle;
  }

  /** Tells that a post is under way, so that its outcome may be waited for. */
  async during<T>(post: Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await post;
    } finally {
      this.#underWay -= 1;
    }
  }

  /**
   * Records an outcome in one batch with those that come at the same time. An attempt that cannot be recorded is found by the sweep
   * when its lease has ended.
   * @param hasRoom whether the caller can post the subscription's next due delivery; otherwise that gets a queue message
   * @returns the next delivery to post, if there is one
   */
  record(done: Attempted | Unready, hasRoom: boolean): Promise<ClaimedDelivery | undefined> {
    const claimsNext = hasRoom && !hasFailed(done);
    return new Promise((resolve) => {
      this.#entries.push({ done, claimsNext, resolve });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    if (!this.#isSingle) await this.#ctx.wait(this.#underWay > 0 ? BATCH_WINDOW_MS : 0);
    while (this.#entries.length > 0) {
      const batch = this.#entries;
      this.#entries = [];
      const next = await this.#write(batch);
      for (const { done, claimsNext, resolve } of batch) {
        const { subscriptionId } = done.claimed;
        const at = claimsNext ? next.findIndex((claimed) => claimed.subscriptionId === subscriptionId) : -1;
        resolve(at < 0 ? undefined : next.splice(at, 1)[0]);
      }
    }
    this.#isWriting = false;
  }

  async #write(batch: readonly Entry[]): Promise<ClaimedDelivery[]> {
    try {
      return await record(this.#ctx, batch);
    } catch (error) {
      this.#ctx.log('error', 'attempts_not_recorded', { count: batch.length, ...describeError(error) });
      return [];
    }
  }
}

function hasFailed(done: Attempted | Unready): boolean {
  return !('outcome' in done) || done.outcome.failureClass !== null;
}

/** Writes outcomes as one batch. @returns what it claimed */
async function record(ctx: Context, entries: readonly Entry[]): Promise<ClaimedDelivery[]> {
  const now = ctx.now();
  const claim = { now, leaseUntil: now + LEASE_MS };
  const canStart = await keysAreKnown(ctx);
  const attempted = entries.map(({ done }) => done).filter((done) => 'outcome' in done);
  const unready = entries.map(({ done }) => done).filter((done) => 'hold' in done);
  const claiming = entries.filter(({ claimsNext }) => claimsNext);
  const ending = entries.filter(({ claimsNext }) => !claimsNext);
  const {
    claimed = [],
    waiting = [],
    failed,
  } = await ctx.db.run({
    attempts:
      attempted.length > 0
        ? insertAttempts({ attempts: attempted.map((done) => rowOf(done, triggerOf(done.claimed))) })
        : undefined,
    succeeded: recordSucceeded(attempted.filter((done) => !hasFailed(done))),
    failed: attempted.filter(hasFailed).flatMap((done) => recordFailed(ctx, done)),
    held: holdFor(ctx, unready),
    claimed: claiming.length > 0 ? claimNext({ freed: freedBy(claiming), ...claim }, canStart) : undefined,
    waiting: ending.length > 0 ? selectNext({ freed: freedBy(ending), now }) : undefined,
  });
  logGivenUp(
    ctx,
    attempted.filter((done) => hasFailed(done) && done.nextAttemptAt === null).map(({ claimed: of }) => of),
    failed,
  );
  const retries = attempted.flatMap(({ claimed: { id }, endedAt, nextAttemptAt: at }) =>
    at === null ? [] : [{ id, delaySeconds: Math.ceil((at - endedAt) / 1000) }],
  );
  const failing = new Set(ending.filter(({ done }) => hasFailed(done)).map(({ done }) => done.claimed.subscriptionId));
  const next = waiting.map(({ id, subscriptionId }) => ({
    id,
    delaySeconds: failing.has(subscriptionId) ? PAUSE_SECONDS : 0,
  }));
  await enqueue(ctx, ctx.queues.webhookDeliveries, [...retries, ...next]);
  for (const { claimed: probe, outcome } of attempted) {
    const hasRecovered = probe.subscriptionStatus === 'holding' && outcome.failureClass === null;
    if (hasRecovered) await goOnWithRecovered(ctx, { id: probe.subscriptionId, orgId: probe.orgId });
  }
  return claimed;
}

function freedBy(entries: readonly Entry[]): Freed {
  const of = Map.groupBy(entries, ({ done }) => done.claimed.subscriptionId);
  return Object.fromEntries([...of].map(([subscriptionId, { length }]) => [subscriptionId, length]));
}

/** The log row of a post. */
export function rowOf(
  { claimed: { id, attempt }, outcome, startedAt, endedAt }: Posted,
  trigger: (typeof deliveryAttempts.$inferInsert)['trigger'],
) {
  const { httpStatus, failureClass, answerExcerpt } = outcome;
  const durationMs = endedAt - startedAt;
  return { deliveryId: id, attempt, trigger, startedAt, durationMs, httpStatus, failureClass, answerExcerpt };
}

function triggerOf({ subscriptionStatus, attempt, trigger }: ClaimedDelivery) {
  if (subscriptionStatus === 'holding') return 'probe';
  return attempt > 1 ? 'retry' : trigger;
}

function recordSucceeded(succeeded: readonly Attempted[]): Statement[] {
  if (succeeded.length === 0) return [];
  const claims = succeeded.map(({ claimed: { id, attempt }, endedAt }) => ({ id, attempt, endedAt }));
  const receivers = new Set(succeeded.map(({ claimed }) => claimed.subscriptionId));
  return [finishSucceeded({ claims }), markHealthy({ ids: [...receivers] })];
}

function recordFailed(ctx: Context, { claimed, outcome, endedAt, nextAttemptAt, waitUntil }: Attempted): Statement[] {
  const { subscriptionId, orgId } = claimed;
  const isLast = nextAttemptAt === null;
  const finished = finishAttempt({
    id: claimed.id,
    attempt: claimed.attempt,
    status: isLast ? 'exhausted' : 'pending',
    nextAttemptAt: nextAttemptAt ?? 0,
    finishedAt: isLast ? endedAt : null,
  });
  return [
    ...judgeFailed(ctx, finished, { subscriptionId, orgId, httpStatus: outcome.httpStatus, isLast, endedAt }),
    ...(waitUntil === null ? [] : [postpone(subscriptionId, waitUntil)]),
  ];
}
