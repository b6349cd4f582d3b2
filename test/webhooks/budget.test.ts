import { afterEach, expect, test, vi } from 'vitest';
import { consumeDeliveries } from '../../src/webhooks/consumer';
import { sweepDeliveries } from '../../src/webhooks/sweep';
import { outsideAnswers } from '../support/outbound';
import { messageFor, openSubscribed, PRODUCTION_SCHEDULE, submitForDelivery } from '../support/webhooks';
import { systemContext } from '../support/world';

afterEach(() => vi.restoreAllMocks());

const BATCH = 10;

/** As many deliveries as the platform hands over at once. */
async function openBatch() {
  const opened = await openSubscribed();
  const ids: string[] = [];
  for (let count = 0; count < BATCH; count += 1) ids.push((await submitForDelivery(opened)).id);
  return { ...opened, ids };
}

test('a batch of 10 that succeeds: 2 round trips, 21 statements, 5 rows written for each', async () => {
  const { ids } = await openBatch();
  const posts = outsideAnswers();
  const { ctx } = systemContext({ env: PRODUCTION_SCHEDULE });
  await consumeDeliveries(ctx, ids.map(messageFor));
  expect(posts).toHaveLength(BATCH);
  expect(ctx.db.meter).toMatchObject({ roundTrips: 2, statements: 1 + 2 * BATCH });
  expect(ctx.db.meter.rowsWritten).toBe(5 * BATCH);
});

test('a batch of 10 that fails: 2 round trips, 21 statements, 6 rows written for each, one send to the queue', async () => {
  const { ids } = await openBatch();
  outsideAnswers(() => new Response(null, { status: 500 }));
  const sends: number[] = [];
  const WEBHOOK_DELIVERIES = {
    async sendBatch(messages: unknown[]) {
      sends.push(messages.length);
    },
  } as unknown as Queue;
  const { ctx } = systemContext({ env: { ...PRODUCTION_SCHEDULE, WEBHOOK_DELIVERIES } });
  await consumeDeliveries(ctx, ids.map(messageFor));
  expect(sends).toEqual([BATCH]);
  expect(ctx.db.meter).toMatchObject({ roundTrips: 2, statements: 1 + 2 * BATCH });
  expect(ctx.db.meter.rowsWritten).toBe(6 * BATCH);
});

test('a batch of copies that claims nothing: 1 round trip, nothing written', async () => {
  const { ids } = await openBatch();
  outsideAnswers();
  await consumeDeliveries(systemContext().ctx, ids.map(messageFor));
  const { ctx } = systemContext();
  await consumeDeliveries(ctx, ids.map(messageFor));
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
  const consuming = consumeDeliveries(ctx, ids.map(messageFor));
  await vi.waitFor(() => expect(waiting).toHaveLength(5));
  // The first one stays open until all the others are through.
  for (let answered = 1; answered < BATCH; answered += 1) {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(answered));
    waiting[answered]?.();
  }
  await vi.waitFor(() => expect(underWay).toBe(1));
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
  // What is due, what was interrupted, what is on hold, the canaries.
  expect(ctx.db.meter).toMatchObject({ roundTrips: 1, statements: 4, rowsWritten: 0 });
});
