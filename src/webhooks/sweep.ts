import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import type { Statement } from '../platform/db';
import { enqueue } from '../platform/enqueue';
import { newId } from '../platform/ids';
import { nextAttemptAt } from '../platform/retry';
import {
  finishAttempt,
  insertAttempt,
  insertRecoveryRun,
  type LeasedOutDelivery,
  selectDue,
  selectLeasedOut,
} from './deliveries/store';
import { areKeysRight } from './subscriptions/canary';
import { releaseHeld } from './subscriptions/hold';
import { selectCanaries } from './subscriptions/store-canary';
import { selectOnHold } from './subscriptions/store-holds';

export { endOldEvents } from './deliveries/retention';

/** A doorbell gets this long before the sweep rings again. */
const GRACE_MS = 5_000;
const DUE_MAX = 500;
const LEASED_OUT_MAX = 50;
/** On hold that one run looks at: an AES decryption each. */
const ON_HOLD_MAX = 200;

/**
 * Finds what the doorbells missed. Runs that are due are rung for again; a lease that ran out is written down as an
 * attempt of class `interrupted`, which counts. If that was the last one, nobody knows whether the event arrived:
 * one recovery run, the only one an event and a subscription ever get, makes up for it. A test is one attempt and
 * nothing after it: whoever made it has long seen that no answer came. While ENCRYPTION_KEYS are wrong nothing is rung
 * for: it waits, and costs nothing. What is on hold is looked at again.
 */
export async function sweepDeliveries(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const now = ctx.now();
  const { canaries, due, leasedOut, onHold } = await ctx.db.run({
    canaries: selectCanaries(ctx.db),
    due: selectDue(ctx.db, now - GRACE_MS, DUE_MAX),
    leasedOut: selectLeasedOut(ctx.db, now, LEASED_OUT_MAX),
    onHold: selectOnHold(ctx.db, ON_HOLD_MAX),
  });
  const plans = leasedOut.map((lost) => planAfterInterruption(ctx, lost, now));
  await ctx.db.run({ interrupted: plans.flatMap(({ statements }) => statements) });
  const again = plans.flatMap(({ doorbells }) => doorbells);
  const keysAreRight = await areKeysRight(ctx, canaries);
  await enqueue(ctx, ctx.queues.webhookDeliveries, keysAreRight ? [...due, ...again] : again);
  if (keysAreRight) await enqueue(ctx, ctx.queues.webhookDeliveries, await releaseHeld(ctx, onHold));
}

function planAfterInterruption(ctx: Context, lost: LeasedOutDelivery, now: number) {
  const isTest = lost.trigger === 'test';
  const nextAt = isTest
    ? null
    : nextAttemptAt({
        attempt: lost.attempt,
        now,
        random: ctx.random(),
        scheduleSeconds: ctx.config.retryScheduleSeconds,
        httpStatus: null,
        retryAfter: null,
      });
  const recoveryId = newId();
  const statements: Statement[] = [
    insertAttempt(ctx.db, {
      deliveryId: lost.id,
      attempt: lost.attempt,
      trigger: lost.attempt > 1 ? 'retry' : lost.trigger,
      startedAt: lost.leaseUntil,
      durationMs: 0,
      failureClass: 'interrupted',
    }),
    finishAttempt(ctx.db, lost, {
      status: nextAt === null ? 'exhausted' : 'pending',
      nextAttemptAt: nextAt ?? 0,
      finishedAt: nextAt === null ? now : null,
    }),
  ];
  if (isTest) return { statements, doorbells: [] };
  if (nextAt !== null)
    return { statements, doorbells: [{ id: lost.id, delaySeconds: Math.floor((nextAt - now) / 1000) }] };
  statements.push(insertRecoveryRun(ctx.db, lost, recoveryId, now));
  return { statements, doorbells: [{ id: recoveryId }] };
}
