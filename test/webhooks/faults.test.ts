import type { Context } from '../../src/platform/context';
import { always } from '../../src/platform/data/statements';
import { claimDeliveries, finishAttempt, insertAttempts } from '../../src/webhooks/deliveries/store';
import { sweepDeliveries } from '../../src/webhooks/sweep';
import { faultyDatabase } from '../support/faults';
import { databaseDown, outsideAnswers } from '../support/outbound';
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
import { envelope, rows, submit, subscribe, systemContext } from '../support/world';

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
  return now;
}

test('every message lost: the sweep sends them again and nothing is lost', async ({ subscribed: opened }) => {
  for (let count = 0; count < 12; count += 1) await submitForDelivery(opened);
  const posts = outsideAnswers();
  const now = Date.now() + GRACE + 1;
  const enqueued = await sweepOf(opened.pharmacy.orgId, now);
  // As many as may be under way at once; each that ends goes on with the next.
  expect(enqueued).toHaveLength(2);
  await deliverAt(
    now,
    enqueued.map(({ id }) => id),
  );
  expect(posts).toHaveLength(12);
  const statuses = (await deliveriesOf(opened.pharmacy.orgId)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set(['succeeded']));
});

test('a queue that fails after the commit changes nothing for the caller; the sweep delivers', async ({ pharmacy }) => {
  await subscribe(pharmacy.orgId, 'https://hooks.example.com/in');
  const broken = { sendBatch: () => Promise.reject(new Error('queue is down')) } as unknown as Queue;
  const response = await submit(pharmacy, envelope(), { WEBHOOK_DELIVERIES: broken });
  expect(response.status).toBe(200);
  const posts = outsideAnswers();
  const now = Date.now() + GRACE + 1;
  const enqueued = await sweepOf(pharmacy.orgId, now);
  await deliverAt(
    now,
    enqueued.map(({ id }) => id),
  );
  expect(posts).toHaveLength(1);
});

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

test('while a lease runs nobody else posts, the sweep waits', async ({ delivery: { deliveryId, pharmacy }, posts }) => {
  const now = Date.now();
  await claimAndDie([deliveryId], now);
  await deliverAt(now + LEASE - 1, [deliveryId]);
  expect(await sweepOf(pharmacy.orgId, now + LEASE - 1)).toEqual([]);
  expect(posts).toEqual([]);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'delivering', attempt_count: 1 });
});

test('a process that dies between claim and record: the sweep logs it, counts it and plans the next attempt', async () => {
  const { deliveryId, pharmacy } = await openDelivery();
  const now = Date.now();
  await claimAndDie([deliveryId], now);
  const end = now + LEASE;
  expect(await sweepOf(pharmacy.orgId, end)).toEqual([{ id: deliveryId, delaySeconds: 60 }]);
  expect(await deliveryRow(deliveryId)).toMatchObject({
    status: 'pending',
    attempt_count: 1,
    next_attempt_at: end + MINUTE,
    lease_until: 0,
  });
  expect(await attemptsOf(deliveryId)).toMatchObject([
    { attempt: 1, trigger: 'event', failure_class: 'interrupted', http_status: null },
  ]);
  const posts = outsideAnswers();
  await deliverAt(end + MINUTE, [deliveryId]);
  expect(posts.map(({ headers }) => headers.get('X-Service-Attempt'))).toEqual(['2']);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'succeeded', attempt_count: 2 });
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

test('interrupted at the third attempt: the run is exhausted and one recovery run makes up for it', async () => {
  const { deliveryId, eventId, subscriptionId, pharmacy } = await openDelivery();
  const posts = outsideAnswers(() => new Response(null, { status: 500 }));
  const end = (await interruptThird(deliveryId)) + LEASE;
  const enqueued = await sweepOf(pharmacy.orgId, end);
  const [lost, recovery, ...others] = await deliveriesOf(pharmacy.orgId);
  expect(others).toEqual([]);
  expect(lost).toMatchObject({ id: deliveryId, status: 'exhausted', attempt_count: 3, finished_at: end });
  expect(recovery).toMatchObject({
    event_id: eventId,
    subscription_id: subscriptionId,
    trigger: 'recovery',
    status: 'pending',
    attempt_count: 0,
  });
  expect(enqueued).toEqual([{ id: recovery?.id, delaySeconds: 0 }]);
  posts.length = 0;
  await deliverAt(end, [recovery?.id ?? '']);
  expect(posts[0]?.headers.get('X-Service-Delivery-Id')).toBe(recovery?.id);
  expect(posts[0]?.headers.get('webhook-id')).toBe(eventId);
  expect(await attemptsOf(recovery?.id ?? '')).toMatchObject([{ attempt: 1, trigger: 'recovery' }]);
});

test('overlapping sweeps make one recovery run', async ({ delivery: { deliveryId, pharmacy } }) => {
  outsideAnswers(() => new Response(null, { status: 500 }));
  const end = (await interruptThird(deliveryId)) + LEASE;
  await Promise.all(Array.from({ length: 5 }, () => sweepOf(pharmacy.orgId, end)));
  const all = await deliveriesOf(pharmacy.orgId);
  expect(all.map(({ trigger }) => trigger)).toEqual(['event', 'recovery']);
  expect(await attemptsOf(deliveryId)).toHaveLength(3);
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

test('D1 down whenever an attempt is to be recorded: at most three posts in the run, all counted', async () => {
  const { deliveryId, pharmacy } = await openDelivery();
  const posts = outsideAnswers();
  let now = Date.now();
  for (let round = 0; round < 6; round += 1) {
    const DB = databaseDown(1);
    const env = { ...PRODUCTION_SCHEDULE, DB };
    // The consumer's caller logs the failure and acknowledges.
    await deliver([deliveryId], { now: () => now, env }).catch(() => undefined);
    now += LEASE;
    await sweepOf(pharmacy.orgId, now);
    now += 20 * MINUTE;
  }
  const mine = posts.filter(({ headers }) => headers.get('X-Service-Delivery-Id') === deliveryId);
  expect(mine.map(({ headers }) => headers.get('X-Service-Attempt'))).toEqual(['1', '2', '3']);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'exhausted', attempt_count: 3 });
  expect((await attemptsOf(deliveryId)).map(({ failure_class }) => failure_class)).toEqual([
    'interrupted',
    'interrupted',
    'interrupted',
  ]);
});

test('a claim whose commit got lost on the way back posts nothing and costs one attempt', async () => {
  const { deliveryId, pharmacy } = await openDelivery();
  const posts = outsideAnswers();
  const { DB } = faultyDatabase({ batch: 1, how: 'is carried out and its answer lost, a transient error' });
  const now = Date.now();
  await deliver([deliveryId], { now: () => now, env: { ...PRODUCTION_SCHEDULE, DB } });
  expect(posts).toEqual([]);
  const end = now + LEASE;
  await sweepOf(pharmacy.orgId, end);
  await deliverAt(end + MINUTE, [deliveryId]);
  expect(posts).toHaveLength(1);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'succeeded', attempt_count: 2 });
});

test('a record whose commit got lost on the way back is written once', async ({ delivery: { deliveryId } }) => {
  outsideAnswers(() => new Response(null, { status: 500 }));
  const { DB, sizes } = faultyDatabase({ batch: 2, how: 'is carried out and its answer lost, a transient error' });
  const now = Date.now();
  const enqueued = await deliver([deliveryId], {
    now: () => now,
    env: { ...PRODUCTION_SCHEDULE, DB },
  });
  expect(sizes).toHaveLength(3);
  expect(enqueued).toEqual([{ id: deliveryId, delaySeconds: 60 }]);
  expect(await attemptsOf(deliveryId)).toHaveLength(1);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'pending', attempt_count: 1 });
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
