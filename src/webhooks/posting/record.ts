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

/** A post of a claimed delivery, with what follows from its outcome. */
export interface Attempted extends Posted {
  claimed: deliveriesStore.ClaimedDelivery;
  /** The time when the next attempt is due; null if none follows. */
  nextAttemptAt: number | null;
  /** The time until which the receiver wants no posts; null if it did not ask for a wait. */
  waitUntil: number | null;
}

interface Entry {
  done: Attempted | Unready;
  /**
   * Whether the batch that records this attempt also claims the next due delivery of the subscription. If not, that
   * delivery gets a queue message.
   */
  claimsNext: boolean;
  resolve: (next: deliveriesStore.ClaimedDelivery | undefined) => void;
}

/**
 * How long the recorder waits for further outcomes before it writes a batch. It waits only if other posts are under
 * way.
 */
const BATCH_WINDOW_MS = 4;
/** How long the next due delivery of a subscription waits after a failed attempt. */
const PAUSE_SECONDS = 5;

/** Records the outcomes of posts that run at the same time. */
export class Recorder {
  #underWay = 0;
  #entries: Entry[] = [];
  #isWriting = false;
  readonly #ctx: Context;
  readonly #isSingle: boolean;

  /** @param isSingle whether posts run one after the other. `record` then waits for no other outcome */
  constructor(ctx: Context, isSingle: boolean) {
    this.#ctx = ctx;
    this.#isSingle = isSingle;
  }

  /**
   * Returns the result of a post, and counts the post as under way until it ends. `record` may wait for the outcomes of
   * posts that are under way.
   */
  async during<T>(post: Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await post;
    } finally {
      this.#underWay -= 1;
    }
  }

  /**
   * Records an outcome, in one batch with others that arrive at the same time. If the outcome cannot be recorded, the
   * sweep finds the attempt after its lease has expired.
   * @param hasRoom whether the caller can post the next due delivery of the subscription. If not, that delivery gets a
   *   queue message
   * @returns the next delivery to post; undefined if there is none
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

/** Records outcomes in one batch. @returns the next deliveries to post, which the batch has claimed */
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

/** Returns the row of a post in the attempt log. */
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

/** One run of the sweep releases at most this many subscriptions. Each takes one batch. */
const RELEASED_MAX = 50;

/**
 * Returns statements for deliveries that this service cannot post, for the batch that records the other attempts. They
 * put the subscriptions on hold, and give the claims back without counting an attempt. The deliveries stay `held` until
 * `releaseHeld` finds that posting is possible.
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
 * Releases subscriptions that were on hold because this service could not post. It can post again if the keys are back,
 * the secret was rotated, or the address is allowed. Each subscription is released in its own batch. Its held
 * deliveries become due, oldest first.
 * @returns the queue messages that the sweep has to send
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
  /** Null if there was no response. */
  httpStatus: number | null;
  /** Whether this was the last attempt of the delivery. */
  isLast: boolean;
  /** Epoch ms. */
  endedAt: number;
}

/**
 * Returns the statements that end a failed attempt and change its subscription. If several deliveries in a row have
 * failed for good, the subscription is put on hold; new deliveries then wait as `held`. If the answer was 410 Gone, the
 * receiver wants no more posts (Standard Webhooks), and the subscription is paused.
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

/** Releases a subscription that is on hold for a failing receiver: the receiver has accepted a post. */
async function goOnWithRecovered(ctx: Context, of: Pick<Failing, 'id' | 'orgId'>): Promise<void> {
  const done = await tryCommit(ctx, resumeAndRequeue(ctx, of, releaseRecovered(of.id, ctx.now()), 'recovery'));
  if (done) ctx.log('info', 'subscription_released', { subscription_id: of.id, org_id: of.orgId });
}

/** Logs the deliveries that were given up, and the subscriptions that are on hold because of that. */
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
 * Releases a subscription on hold if its receiver accepts posts again. Disables it if the receiver has failed for days.
 * The deliveries of a disabled subscription stay held.
 */
export async function settleFailing(ctx: Context, failing: Failing): Promise<void> {
  const now = ctx.now();
  if (failing.isHealthy) await goOnWithRecovered(ctx, failing);
  else if ((failing.heldSince ?? now) <= now - DISABLED_AFTER_DAYS * DAY_MS) await disable(ctx, failing, now);
}

/** Tries each failing receiver with the oldest delivery that waits for it. @returns these deliveries */
export async function probeFailing(ctx: Context, failing: readonly Failing[]): Promise<{ id: string }[]> {
  if (failing.length === 0) return [];
  const now = ctx.now();
  const { probes } = await ctx.db.run({
    probes: failing.flatMap(({ id }) => probe(id, now)),
  });
  return (probes as { id: string }[][]).flatMap((rows, index) => (index % 2 === 0 ? [] : rows));
}

/** Disables a subscription. A probe that is still due becomes `held`. */
async function disable(ctx: Context, { id, orgId }: Failing, now: number): Promise<void> {
  const audit = { action: 'subscription.disabled' as const, reasonCode: 'receiver_failing' };
  const done = await tryCommit(ctx, {
    stopped: stopping(ctx, { id, orgId }, disableFailing({ id, orgId, now }), audit),
  });
  if (done) ctx.log('warn', 'subscription_disabled', { subscription_id: id, org_id: orgId, code: audit.reasonCode });
}

/** The number of newest secrets that are tried as long as there is no canary (the MAC of a fixed text). */
const TRIED_MAX = 20;

/**
 * Returns the condition under which a delivery may be claimed: ROOT_SECRETS contain the root secrets with which this
 * database was written.
 */
export async function keysAreKnown(ctx: Context): Promise<Condition> {
  return canaryKnows({ fingerprints: await fingerprintsOf(ctx.config.roots) });
}

/**
 * Whether ROOT_SECRETS contain the root secrets with which the database was written, as its canaries (MACs of a fixed
 * text) show. If not, an error is logged, and no delivery is claimed (`keysAreKnown`). Otherwise, the current root
 * secret gets a canary if it has none, so that older root secrets may be removed later.
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
 * Whether the root secrets can decrypt at least half of the newest secrets; true if there are no secrets. As long as
 * there is no canary, this result says whether the root secrets are right.
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
