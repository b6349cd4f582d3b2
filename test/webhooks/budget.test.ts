import { expect, test } from 'vitest';
import { consumeDeliveries, sweepDeliveries } from '../../src/webhooks/sweep';
import { eventually } from '../support/eventually.ts';
import { outsideAnswers } from '../support/outbound';
import { accepted } from '../support/probe';
import { deliveriesOf, newReceiverUrl, openSubscribed, PRODUCTION_SCHEDULE } from '../support/webhooks';
import { envelope, openPharmacy, submit, subscribe, systemContext } from '../support/world';

const BATCH = 10;

/** Ten deliveries that the queue hands over at once: two of each of five subscriptions. */
async function openBatch() {
  const pharmacy = await openPharmacy();
  for (let count = 0; count < 5; count += 1) await subscribe(pharmacy.orgId, newReceiverUrl());
  for (let count = 0; count < BATCH / 5; count += 1) await accepted(await submit(pharmacy, envelope()));
  const ids = (await deliveriesOf(pharmacy.orgId)).map(({ id }) => id);
  return { ids };
}

test('a batch of 10 that succeeds: 3 round trips, 9 statements, 4 rows written for each', async () => {
  const { ids } = await openBatch();
  const posts = outsideAnswers();
  const { ctx } = systemContext({ env: PRODUCTION_SCHEDULE });
  await consumeDeliveries(ctx, ids);
  expect(posts).toHaveLength(BATCH);
  // The claim, then five outcomes at a time: attempts, deliveries, health, and what is due next of the same subscriptions.
  expect(ctx.db.meter).toMatchObject({ roundTrips: 3, statements: 1 + 2 * 4 });
  // Each of the five subscriptions becomes healthy.
  expect(ctx.db.meter.rowsWritten).toBe(4 * BATCH + 5);
});

test('a batch of 10 that fails: 3 round trips, 25 statements, 5 rows written for each, two sends to the queue', async () => {
  const { ids } = await openBatch();
  outsideAnswers(() => new Response(null, { status: 500 }));
  const sends: number[] = [];
  const WEBHOOK_DELIVERIES = {
    async sendBatch(messages: unknown[]) {
      sends.push(messages.length);
    },
  } as unknown as Queue;
  const { ctx } = systemContext({ env: { ...PRODUCTION_SCHEDULE, WEBHOOK_DELIVERIES } });
  await consumeDeliveries(ctx, ids);
  expect(sends).toEqual([BATCH / 2, BATCH / 2]);
  expect(ctx.db.meter).toMatchObject({ roundTrips: 3, statements: 1 + 2 * (2 + 2 * 5) });
  expect(ctx.db.meter.rowsWritten).toBe(5 * BATCH);
});

test('a batch of copies that claims nothing: 1 round trip, nothing written', async () => {
  const { ids } = await openBatch();
  outsideAnswers();
  await consumeDeliveries(systemContext().ctx, ids);
  const { ctx } = systemContext();
  await consumeDeliveries(ctx, ids);
  expect(ctx.db.meter).toMatchObject({ roundTrips: 1, statements: 1, rowsWritten: 0 });
});

test('at most 5 posts are under way at once, and a slow one does not hold the others up', async () => {
  const { ids } = await openBatch();
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let most = 0;
  const posts = outsideAnswers(async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise<void>((resolve) => waiting.push(resolve));
    underWay -= 1;
    return new Response(null, { status: 200 });
  });
  const { ctx } = systemContext();
  const consuming = consumeDeliveries(ctx, ids);
  await eventually(() => expect(waiting).toHaveLength(5));
  // The first one stays open until all the others are through.
  for (let answered = 1; answered < BATCH; answered += 1) {
    await eventually(() => expect(waiting.length).toBeGreaterThan(answered));
    waiting[answered]?.();
  }
  await eventually(() => expect(underWay).toBe(1));
  expect(posts).toHaveLength(BATCH);
  waiting[0]?.();
  await consuming;
  expect(most).toBe(5);
});

test('a sweep that finds nothing costs 1 round trip and writes nothing', async () => {
  await openSubscribed();
  // The first sweep also writes the check value of the keys.
  await sweepDeliveries(systemContext({ now: () => 0 }).ctx);
  const { ctx } = systemContext({ now: () => 0 });
  await sweepDeliveries(ctx);
  // What is due, what was interrupted, what is on hold, failing, recovered or released in part, the canaries.
  expect(ctx.db.meter).toMatchObject({ roundTrips: 1, statements: 6, rowsWritten: 0 });
});
