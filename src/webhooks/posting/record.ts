import { tryCommit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { decrypt } from '../../platform/crypto/crypto';
import { ifChanged } from '../../platform/data/db';
import type { Condition, Statement } from '../../platform/data/statements';
import { describeError, logged } from '../../platform/log';
import { fingerprintsOf } from '../../platform/mac';
import { type DueRow, enqueue } from '../../platform/queue/enqueue';
import { DAY_MS } from '../../platform/time';
import { type Due, messagesFor } from '../deliveries/after-commit';
import * as deliveriesStore from '../deliveries/store';
import { DISABLED_AFTER_DAYS, LEASE_MS } from '../limits';
import { resumeAndRequeue, resumeWith, stopIfChanged, stopping } from '../subscriptions/subscriptions';
import type { deliveryAttempts } from '../tables';
import { type AttemptOutcome, canPostTo } from './post';
import {
  type Canary,
  canaryKnows,
  disableFailing,
  type Failing,
  giveBack,
  holdFailing,
  holdUnready,
  insertCanary,
  markExhausted,
  markFailed,
  markHealthy,
  type OnHold,
  pauseGone,
  postpone,
  probe,
  releaseReady,
  releaseRecovered,
  selectNewestSecrets,
  type UnreadyReason,
} from './store';

/** A post that was made. */
interface Posted {
  claimed: Pick<deliveriesStore.ClaimedDelivery, 'id' | 'attempt'>;
  outcome: AttemptOutcome;
  /** Epoch ms, like all times in this file. */
  startedAt: number;
  endedAt: number;
}

/** A post of a claimed delivery, and what follows from its outcome. */
export interface Attempted extends Posted {
  claimed: deliveriesStore.ClaimedDelivery;
  /** When the next attempt is due; null if none follows. */
  nextAttemptAt: number | null;
  /** Until when the receiver asked to get no posts; null if it did not ask. */
  waitUntil: number | null;
}

interface Entry {
  done: Attempted | Unready;
  /** Whether the subscription's next due delivery is claimed in place of the ended one. */
  claimsNext: boolean;
  resolve: (next: deliveriesStore.ClaimedDelivery | undefined) => void;
}

/** Outcomes that arrive within this time of each other are recorded in one batch. */
const BATCH_WINDOW_MS = 4;
/** Delay before the next due delivery for a receiver that has just failed. */
const PAUSE_SECONDS = 5;

/** Records the outcomes of posts that run side by side. */
export class Recorder {
  #underWay = 0;
  #entries: Entry[] = [];
  #isWriting = false;
  readonly #ctx: Context;
  readonly #isSingle: boolean;

  /** @param isSingle posts run one after the other, so there is no other outcome to wait for */
  constructor(ctx: Context, isSingle: boolean) {
    this.#ctx = ctx;
    this.#isSingle = isSingle;
  }

  /** Counts a post as under way, so that `record` may wait for its outcome. */
  async during<T>(post: Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await post;
    } finally {
      this.#underWay -= 1;
    }
  }

  /**
   * Records an outcome in one batch with others that arrive at the same time. If an attempt could not be recorded, the
   * sweep finds it after its lease has expired.
   * @param hasRoom whether the caller can post the subscription's next due delivery; if not, it gets a queue message
   * @returns the next delivery to post, if there is one
   */
  record(done: Attempted | Unready, hasRoom: boolean): Promise<deliveriesStore.ClaimedDelivery | undefined> {
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

  async #write(batch: readonly Entry[]): Promise<deliveriesStore.ClaimedDelivery[]> {
    const said = ['error', 'attempts_not_recorded', { count: batch.length }] as const;
    return (await logged(this.#ctx, said, () => record(this.#ctx, batch))) ?? [];
  }
}

function hasFailed(done: Attempted | Unready): boolean {
  return !('outcome' in done) || done.outcome.failureClass !== null;
}

/** Writes outcomes as one batch. @returns the deliveries that the batch claimed */
async function record(ctx: Context, entries: readonly Entry[]): Promise<deliveriesStore.ClaimedDelivery[]> {
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
        ? deliveriesStore.insertAttempts({ attempts: attempted.map((done) => rowOf(done, triggerOf(done.claimed))) })
        : undefined,
    succeeded: recordSucceeded(attempted.filter((done) => !hasFailed(done))),
    failed: attempted.filter(hasFailed).flatMap((done) => recordFailed(ctx, done)),
    held: holdFor(ctx, unready),
    claimed:
      claiming.length > 0 ? deliveriesStore.claimNext({ freed: freedBy(claiming), ...claim }, canStart) : undefined,
    waiting: ending.length > 0 ? deliveriesStore.selectNext({ freed: freedBy(ending), now }) : undefined,
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

function freedBy(entries: readonly Entry[]): deliveriesStore.Freed {
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

function triggerOf({ subscriptionStatus, attempt, trigger }: deliveriesStore.ClaimedDelivery) {
  if (subscriptionStatus === 'holding') return 'probe';
  return attempt > 1 ? 'retry' : trigger;
}

function recordSucceeded(succeeded: readonly Attempted[]): Statement[] {
  if (succeeded.length === 0) return [];
  const claims = succeeded.map(({ claimed: { id, attempt }, endedAt }) => ({ id, attempt, endedAt }));
  const receivers = new Set(succeeded.map(({ claimed }) => claimed.subscriptionId));
  return [deliveriesStore.finishSucceeded({ claims }), markHealthy({ ids: [...receivers] })];
}

function recordFailed(ctx: Context, { claimed, outcome, endedAt, nextAttemptAt, waitUntil }: Attempted): Statement[] {
  const { subscriptionId, orgId } = claimed;
  const isLast = nextAttemptAt === null;
  const finished = deliveriesStore.finishAttempt({
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

/** A claimed delivery that this service cannot post. */
export interface Unready {
  claimed: deliveriesStore.ClaimedDelivery;
  hold: UnreadyReason;
  error?: unknown;
}

/** The most subscriptions that one run of the sweep releases; each takes one batch. */
const RELEASED_MAX = 50;

/**
 * Returns statements for the batch that records the other attempts. They put subscriptions on hold that cannot be
 * posted to, and give their claims back without counting an attempt. The deliveries stay `held` until `releaseHeld`
 * finds that posting is possible.
 */
function holdFor(ctx: Context, unready: readonly Unready[]): Statement[] {
  const first = new Map(unready.map((each) => [each.claimed.subscriptionId, each]));
  return [
    ...[...first.values()].flatMap(({ claimed, hold, error }) => {
      const { subscriptionId: id, orgId } = claimed;
      const why = error === undefined ? {} : describeError(error);
      ctx.log('error', 'subscription_held', { subscription_id: id, org_id: orgId, code: hold, ...why });
      const audit = { action: 'subscription.held' as const, reasonCode: hold };
      return stopIfChanged(ctx, { id, orgId }, holdUnready(claimed, hold, ctx.now()), audit);
    }),
    ...unready.map(({ claimed }) => giveBack(claimed)),
  ];
}

/**
 * Releases subscriptions on hold that can be posted to again, because the keys are back, the secret was rotated, or the
 * address is allowed again. Each is released in its own batch, and its held deliveries become due, oldest first.
 * @returns the queue messages for the sweep to send
 */
export async function releaseHeld(ctx: Context, onHold: readonly OnHold[]): Promise<DueRow[]> {
  const due: Due[] = [];
  let released = 0;
  for (const target of onHold) {
    const now = ctx.now();
    if (released >= RELEASED_MAX || !(await canPostTo(ctx, target, now))) continue;
    due.push(...(await release(ctx, target, now)));
    released += 1;
  }
  return messagesFor(due, ctx.now());
}

async function release(ctx: Context, target: OnHold, now: number) {
  const { subscriptionId: id, orgId } = target;
  const done = await tryCommit(
    ctx,
    resumeWith(ctx, { id, orgId }, releaseReady(target, now), { action: 'subscription.released' }),
  );
  // Somebody changed the subscription in the meantime; the next run checks it again.
  if (!done) return [];
  ctx.log('info', 'subscription_released', { subscription_id: id, org_id: orgId, count: done.released.length });
  return done.released;
}

interface Failed extends Omit<GivenUp, 'id'> {
  /** Null when there was no response. */
  httpStatus: number | null;
  /** Whether no further attempt of this delivery follows. */
  isLast: boolean;
  /** Epoch ms. */
  endedAt: number;
}

/**
 * Returns the statements for a failed attempt and its effect on the subscription. Several consecutive deliveries
 * without success put the subscription on hold: new deliveries wait as `held`. An answer of 410 Gone pauses it
 * (Standard Webhooks: the receiver wants no more posts).
 * @param finished the statement that ends the attempt
 */
function judgeFailed(
  ctx: Context,
  finished: Statement,
  { subscriptionId: id, orgId, httpStatus, isLast, endedAt }: Failed,
): Statement[] {
  if (!isLast) return ifChanged(finished, (onlyIf) => markFailed({ id }, onlyIf));
  const [change, action, reasonCode] =
    httpStatus === 410
      ? [pauseGone(id, endedAt), 'subscription.paused' as const, 'receiver_gone']
      : [holdFailing(id, endedAt), 'subscription.held' as const, 'receiver_failing'];
  return [
    ...ifChanged(finished, (onlyIf) => markExhausted({ id, endedAt }, onlyIf)),
    ...stopIfChanged(ctx, { id, orgId }, change, { action, reasonCode }),
  ];
}

/** Releases a subscription on hold whose receiver has accepted an attempt. */
async function goOnWithRecovered(ctx: Context, of: Pick<Failing, 'id' | 'orgId'>): Promise<void> {
  const done = await tryCommit(ctx, resumeAndRequeue(ctx, of, releaseRecovered(of.id, ctx.now()), 'recovery'));
  if (done) ctx.log('info', 'subscription_released', { subscription_id: of.id, org_id: of.orgId });
}

/** Logs deliveries that were given up, and subscriptions that were put on hold because of them. */
function logGivenUp(ctx: Context, givenUp: readonly GivenUp[], results: readonly unknown[]): void {
  for (const { id, subscriptionId, orgId } of givenUp) {
    const of = { subscription_id: subscriptionId, org_id: orgId };
    ctx.log('warn', 'delivery_exhausted', { delivery_id: id, ...of });
  }
  // SAFETY: only `holdFailing` returns rows with a `held`.
  for (const { held } of results.flat() as { held?: string }[]) {
    if (held === undefined) continue;
    const orgId = givenUp.find(({ subscriptionId }) => subscriptionId === held)?.orgId;
    ctx.log('warn', 'subscription_held', { subscription_id: held, org_id: orgId, code: 'receiver_failing' });
  }
}

type GivenUp = Pick<deliveriesStore.ClaimedDelivery, 'id' | 'subscriptionId' | 'orgId'>;

/**
 * Releases a subscription whose receiver accepts posts again. Disables a subscription whose receiver failed for days;
 * its held deliveries stay.
 */
export async function settleFailing(ctx: Context, failing: Failing): Promise<void> {
  const now = ctx.now();
  if (failing.isHealthy) await goOnWithRecovered(ctx, failing);
  else if ((failing.heldSince ?? now) <= now - DISABLED_AFTER_DAYS * DAY_MS) await disable(ctx, failing, now);
}

/** Tries each failing receiver with the oldest delivery that waits for it. @returns the deliveries that are tried */
export async function probeFailing(ctx: Context, failing: readonly Failing[]): Promise<{ id: string }[]> {
  if (failing.length === 0) return [];
  const now = ctx.now();
  const { probes } = await ctx.db.run({
    probes: failing.flatMap(({ id }) => probe(id, now)),
  });
  return (probes as { id: string }[][]).flatMap((rows, index) => (index % 2 === 0 ? [] : rows));
}

/** Disables the subscription; a probe that is still due becomes `held`. */
async function disable(ctx: Context, { id, orgId }: Failing, now: number): Promise<void> {
  const audit = { action: 'subscription.disabled' as const, reasonCode: 'receiver_failing' };
  const done = await tryCommit(ctx, {
    stopped: stopping(ctx, { id, orgId }, disableFailing({ id, orgId, now }), audit),
  });
  if (done) ctx.log('warn', 'subscription_disabled', { subscription_id: id, org_id: orgId, code: audit.reasonCode });
}

/** How many of the newest secrets are tried before the first canary (the MAC of a fixed text) is written. */
const TRIED_MAX = 20;

/** The condition of every claim: ROOT_SECRETS hold the roots with which this database was written. */
export async function keysAreKnown(ctx: Context): Promise<Condition> {
  return canaryKnows({ fingerprints: await fingerprintsOf(ctx.config.roots) });
}

/**
 * Whether ROOT_SECRETS hold the roots with which the database was written, according to the canaries (MACs of a fixed
 * text). If not, each run of the sweep logs an error and nothing is claimed (`keysAreKnown`). When a root becomes the
 * current one for the first time, it gets its own canary, so that older roots may be removed later.
 */
export async function areKeysRight(ctx: Context, canaries: readonly Canary[]): Promise<boolean> {
  const { roots } = ctx.config;
  const fingerprints = await fingerprintsOf(roots);
  const known = canaries.filter(({ keyId }) => keyId in fingerprints);
  const fit = known.length > 0 && known.every(({ keyId, fingerprint }) => fingerprints[keyId] === fingerprint);
  const isRight = canaries.length === 0 ? await opensSecrets(ctx) : fit;
  if (!isRight) {
    ctx.log('error', 'secrets_canary_failed', { code: 'root_secrets_wrong' });
    return false;
  }
  const { currentId } = roots;
  if (known.every(({ keyId }) => keyId !== currentId)) {
    const canary = { keyId: currentId, fingerprint: fingerprints[currentId] ?? '', createdAt: ctx.now() };
    // If this fails, the next run writes it.
    await ctx.db.run({ canary: insertCanary(canary) }).catch((error) => {
      ctx.log('error', 'canary_not_written', describeError(error));
    });
  }
  return true;
}

/**
 * Whether the roots can decrypt at least half of the newest secrets; true if there are no secrets. Used before the
 * first canary is written.
 */
async function opensSecrets(ctx: Context): Promise<boolean> {
  const newest = await ctx.db.rows(selectNewestSecrets(TRIED_MAX));
  const tries = newest.map(({ subscriptionId, secretCiphertext }) =>
    decrypt(ctx.config.roots, 'signing secret', secretCiphertext, subscriptionId).then(
      () => true,
      () => false,
    ),
  );
  const opened = (await Promise.all(tries)).filter(Boolean).length;
  return opened * 2 >= newest.length;
}
