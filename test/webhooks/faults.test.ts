import type { Context } from '../../src/platform/context';
import { always } from '../../src/platform/data/statements';
import { claimDeliveries, finishAttempt, insertAttempts } from '../../src/webhooks/deliveries/store';
import { sweepDeliveries } from '../../src/webhooks/sweep';
import { outsideAnswers } from '../support/outbound';
import { doctoredDb } from '../support/probe';
import { expect, test } from '../support/test';
import {
  attemptsOf,
  deliver,
  deliverAt,
  deliveriesOf,
  deliveryRow,
  openDelivery,
  PRODUCTION_SCHEDULE,
  submitForDelivery,
  sweepAt,
} from '../support/webhooks';
import { rows, systemContext } from '../support/world';

const MINUTE = 60_000;
const LEASE = 60_000;
const GRACE = 5_000;

/** Those messages of a sweep that are of an organization. */
async function sweepOf(orgId: string, now: number) {
  const enqueued = await sweepAt(now);
  const mine = new Set((await deliveriesOf(orgId)).map(({ id }) => id));
  return enqueued.filter(({ id }) => mine.has(id));
}

/** A process that claims a delivery and then dies. */
async function claimAndDie(ids: string[], now: number): Promise<number> {
  const { ctx } = systemContext();
  const { claimed } = await ctx.db.run({ claimed: claimDeliveries({ ids, now, leaseUntil: now + LEASE }, always) });
  return claimed.length;
}

/** A run whose third claimer died. @returns the moment of its claim */
async function interruptThird(deliveryId: string): Promise<number> {
  let now = Date.now();
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await deliverAt(now, [deliveryId]);
    now += 20 * MINUTE;
  }
  expect(await claimAndDie([deliveryId], now)).toBe(1);
  // What other runs left is done before the sweeps whose steps are counted.
  await sweepAt(now + LEASE - 1);
  return now;
}

test('a queue that fails while a retry is planned loses no retry', async ({ delivery: { deliveryId, pharmacy } }) => {
  const posts = outsideAnswers(() => new Response(null, { status: 500 }));
  const broken = { sendBatch: () => Promise.reject(new Error('queue is down')) } as unknown as Queue;
  const now = Date.now();
  await deliver([deliveryId], { now: () => now, env: { ...PRODUCTION_SCHEDULE, WEBHOOK_DELIVERIES: broken } });
  const later = now + 2 * MINUTE;
  expect(await sweepOf(pharmacy.orgId, later)).toEqual([{ id: deliveryId, delaySeconds: 0 }]);
  await deliverAt(later, [deliveryId]);
  expect(posts).toHaveLength(2);
});

test('the sweep leaves what is not due or a message may reach', async ({ delivery: { deliveryId, pharmacy } }) => {
  outsideAnswers(() => new Response(null, { status: 500 }));
  const now = Date.now();
  expect(await sweepOf(pharmacy.orgId, now)).toEqual([]);
  await deliverAt(now, [deliveryId]);
  expect(await sweepOf(pharmacy.orgId, now + MINUTE + GRACE - 1)).toEqual([]);
  expect(await sweepOf(pharmacy.orgId, now + MINUTE + GRACE)).toHaveLength(1);
});

test('an interrupted attempt of a subscription that was paused meanwhile is held', async ({ delivery: opened }) => {
  const gone = await submitForDelivery(opened);
  const now = Date.now();
  await claimAndDie([opened.deliveryId], now);
  outsideAnswers(() => new Response(null, { status: 410 }));
  await deliverAt(now, [gone.id]);
  await sweepOf(opened.pharmacy.orgId, now + LEASE);
  expect(await deliveryRow(opened.deliveryId)).toMatchObject({ status: 'held', attempt_count: 1 });
});

test('two sweeps that saw one lost lease make one recovery run', async ({ delivery: { deliveryId, pharmacy } }) => {
  outsideAnswers(() => new Response(null, { status: 500 }));
  const end = (await interruptThird(deliveryId)) + LEASE;
  // The second sweep runs whole between what the first one reads and what it writes.
  let trips = 0;
  const DB = doctoredDb(async (trip, send) => {
    trips = trip;
    if (trip === 2) await sweepOf(pharmacy.orgId, end);
    return send();
  });
  const { ctx } = systemContext({ now: () => end, env: { ...PRODUCTION_SCHEDULE, DB } });
  await sweepDeliveries(ctx);
  expect(trips).toBe(2);
  expect((await deliveriesOf(pharmacy.orgId)).map(({ trigger }) => trigger)).toEqual(['event', 'recovery']);
});

test('a claimer that comes back late with an answer, just as the sweep gives it up, keeps its answer', async () => {
  const { deliveryId, pharmacy } = await openDelivery();
  outsideAnswers(() => new Response(null, { status: 500 }));
  const end = (await interruptThird(deliveryId)) + LEASE;
  const DB = doctoredDb(async (trip, send) => {
    if (trip === 2) await recordLate(systemContext().ctx, deliveryId, end);
    return send();
  });
  const { ctx } = systemContext({ now: () => end, env: { ...PRODUCTION_SCHEDULE, DB } });
  await sweepDeliveries(ctx);
  expect((await attemptsOf(deliveryId)).at(-1)).toMatchObject({ attempt: 3, failure_class: 'http', http_status: 500 });
  expect((await deliveriesOf(pharmacy.orgId)).map(({ trigger }) => trigger)).toEqual(['event']);
});

async function recordLate(ctx: Context, deliveryId: string, endedAt: number): Promise<void> {
  await ctx.db.run({
    attempt: insertAttempts({
      attempts: [
        {
          deliveryId,
          attempt: 3,
          trigger: 'retry',
          startedAt: endedAt - LEASE,
          durationMs: LEASE,
          httpStatus: 500,
          failureClass: 'http',
        },
      ],
    }),
    finish: finishAttempt({ id: deliveryId, attempt: 3, status: 'exhausted', nextAttemptAt: 0, finishedAt: endedAt }),
  });
}

test('an interrupted recovery run makes no second one', async ({ delivery: { deliveryId, pharmacy } }) => {
  outsideAnswers(() => new Response(null, { status: 500 }));
  const end = (await interruptThird(deliveryId)) + LEASE;
  await sweepOf(pharmacy.orgId, end);
  const recovery = (await deliveriesOf(pharmacy.orgId)).at(-1);
  let now = end;
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    expect(await claimAndDie([recovery?.id ?? ''], now)).toBe(1);
    await sweepOf(pharmacy.orgId, now + LEASE);
    now += 20 * MINUTE;
  }
  const all = await deliveriesOf(pharmacy.orgId);
  expect(all.map(({ trigger, status }) => [trigger, status])).toEqual([
    ['event', 'exhausted'],
    ['recovery', 'exhausted'],
  ]);
});

test('a run that was exhausted by answers gets no recovery run', async ({ delivery: { deliveryId, pharmacy } }) => {
  outsideAnswers(() => new Response(null, { status: 500 }));
  let now = Date.now();
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await deliverAt(now, [deliveryId]);
    now += 20 * MINUTE;
  }
  await sweepOf(pharmacy.orgId, now);
  expect(await deliveriesOf(pharmacy.orgId)).toHaveLength(1);
});

test('a recovery run for a subscription that was disabled or deleted meanwhile is not made', async () => {
  const { deliveryId, pharmacy, subscriptionId } = await openDelivery();
  outsideAnswers(() => new Response(null, { status: 500 }));
  const end = (await interruptThird(deliveryId)) + LEASE;
  await rows("update subscriptions set status = 'disabled' where id = ?", subscriptionId);
  await sweepOf(pharmacy.orgId, end);
  expect(await deliveriesOf(pharmacy.orgId)).toHaveLength(1);
});

test('a recovery run for a paused subscription waits as held', async () => {
  const { deliveryId, pharmacy, subscriptionId } = await openDelivery();
  outsideAnswers(() => new Response(null, { status: 500 }));
  const end = (await interruptThird(deliveryId)) + LEASE;
  await rows("update subscriptions set status = 'paused' where id = ?", subscriptionId);
  await sweepOf(pharmacy.orgId, end);
  expect((await deliveriesOf(pharmacy.orgId)).at(-1)).toMatchObject({ trigger: 'recovery', status: 'held' });
});
