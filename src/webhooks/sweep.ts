import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { inPages } from '../platform/data/page';
import { newId } from '../platform/ids';
import { logged } from '../platform/log';
import { enqueue } from '../platform/queue/enqueue';
import { nextAttemptUnanswered } from '../platform/queue/retry';
import { settleDeliveries } from './deliveries/after-commit';
import * as deliveriesStore from './deliveries/store';
import { LEASE_MS, QUEUED_UNDER_WAY_MAX } from './limits';
import { deliverClaimed } from './posting/deliver';
import { areKeysRight, keysAreKnown, probeFailing, releaseHeld, settleFailing } from './posting/record';
import { selectCanaries, selectFailing, selectOnHold } from './posting/store';
import { continueRecoveries } from './recovery/recover';
import { selectUnfinished } from './recovery/store';

/** A delivery must be due for this long (ms) before the sweep sends a message for it. */
const GRACE_MS = 5_000;
const DUE_MAX = 5_000;
const LEASED_OUT_MAX = 500;
/** The most deliveries in one batch. */
const PAGE = 100;
/** One run checks at most this many subscriptions on hold, because each check decrypts a secret. */
const ON_HOLD_MAX = 200;
const UNFINISHED_MAX = 40;

/**
 * Handles deliveries that were not posted after the commit or by the queue. A due delivery whose message was lost gets
 * another message. If a lease has expired without a record, the attempt is logged as failed (`interrupted`). If that
 * was the last attempt, nobody knows whether the event has arrived, so one recovery delivery follows. There is at most
 * one for each event and subscription. A test event gets no further attempt. The sweep also moves the deliveries of
 * subscriptions that stopped or resumed, tries failing receivers, checks subscriptions on hold, and continues
 * recoveries. While ROOT_SECRETS are wrong, it only handles expired leases. If a step fails, the others still run.
 */
export async function sweepDeliveries(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const now = ctx.now();
  const { canaries, due, leasedOut, onHold, failing, unfinished } = await ctx.db.run({
    canaries: selectCanaries(),
    due: deliveriesStore.selectDue({ now, before: now - GRACE_MS, ofEach: QUEUED_UNDER_WAY_MAX, limit: DUE_MAX }),
    leasedOut: deliveriesStore.selectLeasedOut(now, LEASED_OUT_MAX),
    onHold: selectOnHold(ON_HOLD_MAX),
    failing: selectFailing(now, ON_HOLD_MAX),
    unfinished: selectUnfinished(UNFINISHED_MAX),
  });
  const guarded = (work: () => Promise<void>) => logged(ctx, ['error', 'sweep_part_failed'], work);
  const keysAreRight = await areKeysRight(ctx, canaries);
  if (keysAreRight) for (const page of inPages(due, PAGE)) await guarded(() => sendAgain(ctx, page, now));
  for (const page of inPages(leasedOut, PAGE)) await guarded(() => endLeases(ctx, page, now));
  if (!keysAreRight) return;
  const unsettled = unfinished.filter(({ isSettling }) => isSettling);
  await guarded(() => settleDeliveries(ctx, unsettled));
  for (const each of failing) await guarded(() => settleFailing(ctx, each));
  await guarded(async () => enqueue(ctx, ctx.queues.webhookDeliveries, await probeFailing(ctx, failing)));
  await guarded(async () => enqueue(ctx, ctx.queues.webhookDeliveries, await releaseHeld(ctx, onHold)));
  await guarded(() => continueRecoveries(ctx, unfinished));
}

/**
 * Sends a message for each delivery, and then marks the deliveries. If marking fails, the next run sends the messages
 * again.
 */
async function sendAgain(ctx: Context, due: readonly { id: string }[], now: number): Promise<void> {
  await enqueue(ctx, ctx.queues.webhookDeliveries, due);
  const ids = due.map(({ id }) => id);
  await ctx.db.run({ marked: deliveriesStore.markSent(ids, now + LEASE_MS) });
}

async function endLeases(ctx: Context, leasedOut: readonly deliveriesStore.LeasedOut[], now: number): Promise<void> {
  const interrupted = leasedOut.map((lost) => planAfterInterruption(ctx, lost, now));
  await ctx.db.run({
    logged: deliveriesStore.logInterrupted(interrupted, now),
    ended: deliveriesStore.endInterrupted(interrupted, now),
    recoveries: deliveriesStore.insertRecoveries(interrupted, now),
  });
  const messages = interrupted.flatMap(({ id, nextAttemptAt: at, recoveryId }) => {
    if (at !== null) return [{ id, delaySeconds: Math.floor((at - now) / 1000) }];
    return recoveryId === null ? [] : [{ id: recoveryId }];
  });
  await enqueue(ctx, ctx.queues.webhookDeliveries, messages);
}

function planAfterInterruption(
  ctx: Context,
  { id, trigger, attempt }: deliveriesStore.LeasedOut,
  now: number,
): deliveriesStore.Interrupted {
  if (trigger === 'test') return { id, attempt, nextAttemptAt: null, recoveryId: null };
  const at = nextAttemptUnanswered(ctx, attempt, now);
  return { id, attempt, nextAttemptAt: at, recoveryId: at === null ? newId() : null };
}

/** The most posts at the same time. An invocation may have six connections, and one is kept free for D1. */
const POSTS_AT_ONCE = 5;
/** One invocation starts further due deliveries of its subscriptions for this long. */
const FOLLOWING_POSTS_MS = 30_000;

/**
 * Posts the deliveries with these ids, which queue messages for one database have named, and records the outcomes.
 * Claims only as many as may be under way for each subscription. A repeated message claims nothing. A message claims
 * nothing, either, if its delivery has moved to another database: the sweep there finds the delivery within a minute.
 * The caller can therefore acknowledge all messages. If this service itself cannot post a claimed delivery, the claim
 * is given back without counting an attempt, and the subscription is put on hold.
 */
export async function consumeDeliveries(ctx: Context, ids: readonly string[]): Promise<void> {
  requireSystem(ctx);
  const now = ctx.now();
  const claim = { ids, now, leaseUntil: now + LEASE_MS };
  const claimed = await ctx.db.rows(deliveriesStore.claimDeliveries(claim, await keysAreKnown(ctx)));
  await deliverClaimed(ctx, claimed, { atOnce: POSTS_AT_ONCE, until: now + FOLLOWING_POSTS_MS });
}
