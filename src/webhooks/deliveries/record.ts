import type { Context } from '../../platform/context';
import type { Statement } from '../../platform/db';
import { enqueue } from '../../platform/enqueue';
import { describeError } from '../../platform/log';
import { LEASE_MS } from '../limits';
import { keysAreKnown } from '../subscriptions/canary';
import { goOnWithRecovered, judgeReceiver } from '../subscriptions/failing';
import { holdFor, type Unready } from '../subscriptions/hold';
import type { AttemptOutcome } from './post';
import { finishAttempt, insertAttempt } from './store';
import { type ClaimedDelivery, claimNext, selectNext } from './store-claim';

/** A post that was made. */
export interface Attempted {
  claimed: ClaimedDelivery;
  outcome: AttemptOutcome;
  /** Epoch ms, as all times here. */
  startedAt: number;
  endedAt: number;
  /** Null when no attempt follows. */
  nextAttemptAt: number | null;
}

interface Entry {
  done: Attempted | Unready;
  /** Whether the next due delivery of the subscription is claimed in the place of this one. */
  goesOn: boolean;
  resolve: (next: ClaimedDelivery | undefined) => void;
}

/** Outcomes that come within so many ms of each other are recorded together. */
const MOMENT_MS = 4;
/** So long a receiver that failed is left alone before its next due delivery is tried. */
const PAUSE_SECONDS = 5;

/** Records the outcomes of posts that run side by side. */
export class Recorder {
  #underWay = 0;
  #entries: Entry[] = [];
  #isWriting = false;
  readonly #ctx: Context;

  constructor(ctx: Context) {
    this.#ctx = ctx;
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
   * Records an outcome together with those of the same moment. An attempt that cannot be recorded is found by the sweep
   * when its lease has ended.
   * @param hasRoom whether the caller can post the subscription's next due delivery; otherwise that gets a queue message
   * @returns the next delivery to post, if there is one
   */
  record(done: Attempted | Unready, hasRoom: boolean): Promise<ClaimedDelivery | undefined> {
    const goesOn = hasRoom && !hasFailed(done);
    return new Promise((resolve) => {
      this.#entries.push({ done, goesOn, resolve });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    await this.#ctx.wait(this.#underWay > 0 ? MOMENT_MS : 0);
    while (this.#entries.length > 0) {
      const moment = this.#entries;
      this.#entries = [];
      const next = await this.#write(moment);
      for (const { done, goesOn, resolve } of moment) {
        const { subscriptionId } = done.claimed;
        const at = goesOn ? next.findIndex((claimed) => claimed.subscriptionId === subscriptionId) : -1;
        resolve(at < 0 ? undefined : next.splice(at, 1)[0]);
      }
    }
    this.#isWriting = false;
  }

  async #write(moment: readonly Entry[]): Promise<ClaimedDelivery[]> {
    try {
      return await record(this.#ctx, moment);
    } catch (error) {
      this.#ctx.log('error', 'attempts_not_recorded', { count: moment.length, ...describeError(error) });
      return [];
    }
  }
}

function hasFailed(done: Attempted | Unready): boolean {
  return !('outcome' in done) || done.outcome.failureClass !== null;
}

/** Writes the outcomes of one moment as one batch. @returns what it claimed */
async function record(ctx: Context, entries: readonly Entry[]): Promise<ClaimedDelivery[]> {
  const now = ctx.now();
  const claim = { now, leaseUntil: now + LEASE_MS, onlyIf: await keysAreKnown(ctx) };
  const attempted = entries.map(({ done }) => done).filter((done) => 'outcome' in done);
  const unready = entries.map(({ done }) => done).filter((done) => 'hold' in done);
  const goingOn = bySubscription(entries.filter(({ goesOn }) => goesOn));
  const ending = bySubscription(entries.filter(({ goesOn }) => !goesOn));
  const { claimed, waiting } = await ctx.db.run({
    recorded: attempted.flatMap((done) => recordAttempt(ctx, done)),
    held: holdFor(ctx, unready),
    claimed: goingOn.map(([id, { length }]) => claimNext(ctx.db, id, length, claim)),
    waiting: ending.map(([id, { length }]) => selectNext(ctx.db, id, length, now)),
  });
  const retries = attempted.flatMap(({ claimed: { id }, endedAt, nextAttemptAt: at }) =>
    at === null ? [] : [{ id, delaySeconds: Math.floor((at - endedAt) / 1000) }],
  );
  const next = ending.flatMap(([, of], index) => {
    const delaySeconds = of.some(({ done }) => hasFailed(done)) ? PAUSE_SECONDS : 0;
    return (waiting as { id: string }[][])[index]?.map(({ id }) => ({ id, delaySeconds })) ?? [];
  });
  await enqueue(ctx, ctx.queues.webhookDeliveries, [...retries, ...next]);
  for (const { claimed: probe, outcome } of attempted) {
    const hasRecovered = probe.subscriptionStatus === 'holding' && outcome.failureClass === null;
    if (hasRecovered) await goOnWithRecovered(ctx, { id: probe.subscriptionId, orgId: probe.orgId });
  }
  return (claimed as ClaimedDelivery[][]).flat();
}

function bySubscription(entries: readonly Entry[]): [string, Entry[]][] {
  return [...Map.groupBy(entries, ({ done }) => done.claimed.subscriptionId)];
}

function recordAttempt(ctx: Context, { claimed, outcome, startedAt, endedAt, nextAttemptAt }: Attempted): Statement[] {
  const isLast = nextAttemptAt === null;
  const { subscriptionId, orgId } = claimed;
  return [
    insertAttempt(ctx.db, {
      deliveryId: claimed.id,
      attempt: claimed.attempt,
      trigger: triggerOf(claimed),
      startedAt,
      durationMs: endedAt - startedAt,
      httpStatus: outcome.httpStatus,
      failureClass: outcome.failureClass,
      answerExcerpt: outcome.answerExcerpt,
    }),
    finishAttempt(ctx.db, claimed, {
      status: outcome.failureClass === null ? 'succeeded' : isLast ? 'exhausted' : 'pending',
      nextAttemptAt: nextAttemptAt ?? 0,
      finishedAt: isLast ? endedAt : null,
    }),
    ...judgeReceiver(ctx, { subscriptionId, orgId, outcome, isLast, endedAt }),
  ];
}

function triggerOf({ subscriptionStatus, attempt, trigger }: ClaimedDelivery) {
  if (subscriptionStatus === 'holding') return 'probe';
  return attempt > 1 ? 'retry' : trigger;
}
