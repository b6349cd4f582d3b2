import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import type { Statement } from '../platform/db';
import { enqueue } from '../platform/enqueue';
import { newId } from '../platform/ids';
import { nextAttemptAt } from '../platform/retry';
import {
  finishAttempt,
  insertAttempt,
  insertRecoveryDelivery,
  type LeasedOutDelivery,
  selectDue,
  selectLeasedOut,
} from './deliveries/store';
import { areKeysRight } from './subscriptions/canary';
import { releaseHeld } from './subscriptions/hold';
import { selectCanaries } from './subscriptions/store-canary';
import { selectOnHold } from './subscriptions/store-holds';

export { endOldEvents } from './deliveries/retention';

/** The sweep sends another message for a row only after this time. */
const GRACE_MS = 5_000;
const DUE_MAX = 500;
const LEASED_OUT_MAX = 50;
/** How many subscriptions on hold one run checks; each costs an AES decryption. */
const ON_HOLD_MAX = 200;

/**
 * Finds deliveries whose queue message was lost. Due deliveries get another message. A lease that ended without a
 * record is logged as an attempt of class `interrupted`, which counts; if it was the last attempt, nobody knows whether
 * the event arrived, so one recovery delivery follows, at most one for each event and subscription. A test event gets
 * no further attempt. While ENCRYPTION_KEYS are wrong no messages are sent. Subscriptions on hold are checked again.
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
  const again = plans.flatMap(({ messages }) => messages);
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
  if (isTest) return { statements, messages: [] };
  if (nextAt !== null)
    return { statements, messages: [{ id: lost.id, delaySeconds: Math.floor((nextAt - now) / 1000) }] };
  statements.push(insertRecoveryDelivery(ctx.db, lost, recoveryId, now));
  return { statements, messages: [{ id: recoveryId }] };
}
