import { env } from 'cloudflare:workers';
import { newId } from '../../src/platform/ids';
import { messagesByShard } from '../../src/platform/queue/jobs';
import { queueBrings } from '../support/invocations';
import { databaseDown, outsideAnswers } from '../support/outbound';
import { expect, test, vi } from '../support/test';
import {
  attemptsOf,
  deliver,
  deliveryRow,
  openDelivery,
  PRODUCTION_SCHEDULE,
  submitForDelivery,
} from '../support/webhooks';
import { systemContext } from '../support/world';

function captureLog(level: 'info' | 'warn' | 'error') {
  const spy = vi.spyOn(console, level).mockImplementation(() => undefined);
  return () => spy.mock.calls.map(([line]) => JSON.parse(String(line)));
}

test('the same message twice in one batch makes one post', async ({ delivery: { deliveryId }, posts }) => {
  await deliver([deliveryId, deliveryId, deliveryId]);
  expect(posts).toHaveLength(1);
});

test('20 copies of a message at once make one post', async ({ delivery: { deliveryId } }) => {
  const posts = outsideAnswers(() => new Response(null, { status: 500 }));
  await Promise.all(Array.from({ length: 20 }, () => deliver([deliveryId], { env: PRODUCTION_SCHEDULE })));
  expect(posts).toHaveLength(1);
  expect(await attemptsOf(deliveryId)).toHaveLength(1);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'pending', attempt_count: 1 });
});

test.each([
  [-2_001, 1],
  [-2_000, 2],
  [0, 2],
])('a retry enqueued for %d ms from its time: %d posts in all', async (offset, count) => {
  const { deliveryId } = await openDelivery();
  const posts = outsideAnswers(() => new Response(null, { status: 500 }));
  const now = Date.now();
  await deliver([deliveryId], { now: () => now, env: PRODUCTION_SCHEDULE });
  const { next_attempt_at: due } = await deliveryRow(deliveryId);
  await deliver([deliveryId], { now: () => due + offset, env: PRODUCTION_SCHEDULE });
  expect(posts).toHaveLength(count);
  expect(await deliveryRow(deliveryId)).toMatchObject({ attempt_count: count });
});

test('malformed messages, and those of a database that is not bound, are dropped and logged; the others stay', () => {
  const { ctx } = systemContext();
  const log = vi.fn();
  const [id, other] = [newId(), newId()];
  const malformed = [null, 'x', 7, [], {}, { id }, { v: 3, shard: 0, id }, { v: 2, id }, { v: 2, shard: -1, id }];
  const unknown = [
    { v: 2, shard: 9, id },
    { v: 2, shard: 0, id: "' or 1=1 --" },
  ];
  const known = [
    { v: 2, shard: 0, id },
    { v: 2, shard: 1, id: other },
  ];
  expect(messagesByShard({ ...ctx, log }, [...malformed, ...known, ...unknown])).toEqual(
    new Map([
      [0, [id]],
      [1, [other]],
    ]),
  );
  expect(log.mock.calls).toEqual([['warn', 'malformed_message', { count: malformed.length + unknown.length }]]);
});

test('the Worker delivers and acknowledges all that its queue brings', async ({ delivery: { deliveryId }, posts }) => {
  const result = await queueBrings('webhook-deliveries', [{ v: 2, shard: 0, id: deliveryId }, 'malformed']);
  expect(result).toMatchObject({ outcome: 'ok', ackAll: true, retryBatch: { retry: false }, retryMessages: [] });
  expect(posts).toHaveLength(1);
});

test.each(['webhook-deliveries', 'prescription-fetches'])(
  'with D1 down, the Worker acknowledges all of %s, logs and does not throw',
  async (name) => {
    const { deliveryId } = await openDelivery();
    const posts = outsideAnswers();
    const logged = captureLog('error');
    const result = await queueBrings(name, [{ v: 2, shard: 0, id: deliveryId }], { DB: databaseDown() });
    expect(result).toMatchObject({ outcome: 'ok', ackAll: true, retryBatch: { retry: false }, retryMessages: [] });
    expect(logged()).toMatchObject([{ event: 'job_failed', queue: name, error_class: 'AppError' }]);
    expect(posts).toEqual([]);
    expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'pending', attempt_count: 0 });
  },
);

test.each(['webhook-deliveries-dead', 'prescription-fetches-dead', 'jobs-dead'])(
  'messages of %s are acknowledged and logged, and nothing is posted',
  async (name) => {
    const { deliveryId } = await openDelivery();
    const posts = outsideAnswers();
    const logged = captureLog('error');
    const result = await queueBrings(name, [deliveryId, { any: 'thing' }]);
    expect(result).toMatchObject({ outcome: 'ok', ackAll: true, retryBatch: { retry: false } });
    expect(logged()).toMatchObject([{ event: 'dead_letters', queue: name, count: 2 }]);
    expect(posts).toEqual([]);
  },
);

test('a post that is under way while its subscription is deleted, and then fails, ends as canceled', async () => {
  const { deliveryId, subscriptionId } = await openDelivery();
  outsideAnswers(async () => {
    await env.DB.prepare('update subscriptions set deleted_at = 1 where id = ?').bind(subscriptionId).run();
    return new Response(null, { status: 500 });
  });
  const enqueued = await deliver([deliveryId]);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'cancelled', attempt_count: 1, lease_until: 0 });
  const later = { now: () => Date.now() + 3_600_000 };
  vi.restoreAllMocks();
  const posts = outsideAnswers();
  await deliver([deliveryId, ...enqueued.map(({ id }) => id)], later);
  expect(posts).toEqual([]);
});

test.each(['paused', 'holding', 'disabled', 'deleted'])('a %s subscription is not posted to', async (status) => {
  const { deliveryId, subscriptionId } = await openDelivery();
  const posts = outsideAnswers();
  const change = status === 'deleted' ? 'deleted_at = 1' : `status = '${status}'`;
  await env.DB.prepare(`update subscriptions set ${change} where id = ?`).bind(subscriptionId).run();
  await deliver([deliveryId]);
  expect(posts).toEqual([]);
  expect(await deliveryRow(deliveryId)).toMatchObject({ attempt_count: 0 });
});

test.each(['held', 'succeeded', 'exhausted', 'cancelled', 'delivering'])(
  'a delivery that is %s is not posted',
  async (status) => {
    const { deliveryId } = await openDelivery();
    const posts = outsideAnswers();
    await env.DB.prepare('update deliveries set status = ? where id = ?').bind(status, deliveryId).run();
    await deliver([deliveryId]);
    expect(posts).toEqual([]);
    expect(await deliveryRow(deliveryId)).toMatchObject({ status, attempt_count: 0 });
  },
);

test('the schema itself refuses a fourth attempt', async ({ delivery: { deliveryId } }) => {
  const fourth = env.DB.prepare('update deliveries set attempt_count = 4 where id = ?').bind(deliveryId).run();
  await expect(fourth).rejects.toThrow(/deliveries_three_attempts/);
});

test('one receiver that fails keeps none of its batch from being delivered', async ({ delivery: opened }) => {
  const second = await submitForDelivery(opened);
  const third = await submitForDelivery(opened);
  outsideAnswers(({ headers }) => {
    if (headers.get('X-Service-Delivery-Id') === second.id) throw new Error('connection reset');
    return new Response(null, { status: 200 });
  });
  await deliver([opened.deliveryId, second.id, third.id], { env: PRODUCTION_SCHEDULE });
  const statuses = [opened.deliveryId, second.id, third.id].map(async (id) => (await deliveryRow(id)).status);
  expect(await Promise.all(statuses)).toEqual(['succeeded', 'pending', 'succeeded']);
});
