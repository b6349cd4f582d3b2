import { consumeDeliveries, sweepDeliveries } from '../../src/webhooks/sweep';
import { endlessBody, outsideAnswers } from '../support/outbound';
import { expect, test, vi } from '../support/test';
import {
  attemptsOf,
  deliver,
  deliverAt,
  deliveryRow,
  openDelivery,
  openSubscribed,
  PRODUCTION_SCHEDULE,
  submitForDelivery,
} from '../support/webhooks';
import { rows, systemContext } from '../support/world';

const MINUTE = 60_000;

/** One attempt that meets this answer. @returns what is stored afterwards, and the messages that were enqueued */
async function attemptThatMeets(answer: () => Response | Promise<Response>) {
  const opened = await openDelivery();
  const posts = outsideAnswers(answer);
  const now = Date.now();
  const enqueued = await deliverAt(now, [opened.deliveryId]);
  const [attempt] = await attemptsOf(opened.deliveryId);
  return { ...opened, now, posts, enqueued, row: await deliveryRow(opened.deliveryId), attempt };
}

test('500, 500, 200: three posts of the same bytes under one delivery id, then success', async () => {
  const { deliveryId } = await openDelivery();
  const posts = outsideAnswers((_, count) => new Response(null, { status: count < 3 ? 500 : 200 }));
  let now = Date.now();
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await deliverAt(now, [deliveryId]);
    now += 20 * MINUTE;
  }
  expect(posts.map(({ headers }) => headers.get('X-Service-Attempt'))).toEqual(['1', '2', '3']);
  expect(new Set(posts.map(({ headers }) => headers.get('X-Service-Delivery-Id')))).toEqual(new Set([deliveryId]));
  expect(new Set(posts.map(({ text }) => text)).size).toBe(1);
  expect(new Set(posts.map(({ headers }) => headers.get('X-Service-Signature'))).size).toBe(1);
  expect(new Set(posts.map(({ headers }) => headers.get('webhook-timestamp'))).size).toBe(3);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'succeeded', attempt_count: 3, lease_until: 0 });
});

test('the waits grow by the schedule; messages wait as long as their rows', async ({ delivery: { deliveryId } }) => {
  outsideAnswers(() => new Response(null, { status: 500 }));
  const start = Date.now();
  expect(await deliveryRow(deliveryId)).toMatchObject({ next_attempt_at: 0 });
  const first = await deliverAt(start, [deliveryId]);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'pending', next_attempt_at: start + MINUTE });
  const second = await deliverAt(start + MINUTE, [deliveryId]);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'pending', next_attempt_at: start + 16 * MINUTE });
  const third = await deliverAt(start + 16 * MINUTE, [deliveryId]);
  expect([first, second, third]).toEqual([
    [{ id: deliveryId, delaySeconds: 60 }],
    [{ id: deliveryId, delaySeconds: 900 }],
    [],
  ]);
});

test('three failures exhaust the run; nothing ever makes a fourth post', async ({ delivery: { deliveryId } }) => {
  const posts = outsideAnswers(() => new Response(null, { status: 500 }));
  let now = Date.now();
  for (let round = 0; round < 8; round += 1) {
    const { ctx, deliveriesEnqueued } = systemContext({ now: () => now, env: PRODUCTION_SCHEDULE });
    await sweepDeliveries(ctx);
    const enqueued = deliveriesEnqueued.map(({ id }) => id).filter((id) => id === deliveryId);
    await deliver([deliveryId, ...enqueued], { now: () => now, env: PRODUCTION_SCHEDULE });
    now += 24 * 60 * MINUTE;
  }
  const mine = posts.filter(({ headers }) => headers.get('X-Service-Delivery-Id') === deliveryId);
  expect(mine).toHaveLength(3);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'exhausted', attempt_count: 3 });
  expect((await attemptsOf(deliveryId)).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
});

test.each([200, 201, 202, 204, 299])('%d is success', async (status) => {
  const { row, enqueued, attempt } = await attemptThatMeets(() => new Response(null, { status }));
  expect(row).toMatchObject({ status: 'succeeded', attempt_count: 1 });
  expect(attempt).toMatchObject({ http_status: status, failure_class: null });
  expect(enqueued).toEqual([]);
});

test.each([301, 302, 303, 307, 308, 304])('%d is a failure of class redirect, and is not followed', async (status) => {
  const { row, posts, attempt } = await attemptThatMeets(
    () => new Response(null, { status, headers: { Location: 'https://elsewhere.example.com/' } }),
  );
  expect(posts).toHaveLength(1);
  expect(row).toMatchObject({ status: 'pending', attempt_count: 1 });
  expect(attempt).toMatchObject({ http_status: status, failure_class: 'redirect' });
});

test.each([400, 401, 404, 429, 500, 503])('%d is a failure that is tried again', async (status) => {
  const { row, attempt } = await attemptThatMeets(() => new Response(null, { status }));
  expect(row).toMatchObject({ status: 'pending', attempt_count: 1 });
  expect(attempt).toMatchObject({ http_status: status, failure_class: 'http' });
});

test.each([429, 503])('Retry-After on %d moves the next attempt later', async (status) => {
  const { row, enqueued, now } = await attemptThatMeets(
    () => new Response(null, { status, headers: { 'Retry-After': '300' } }),
  );
  expect(row.next_attempt_at).toBe(now + 300_000);
  expect(enqueued).toMatchObject([{ delaySeconds: 300 }]);
});

test('410 ends the run at once and pauses the subscription', async () => {
  const { row, enqueued, attempt, subscriptionId } = await attemptThatMeets(() => new Response(null, { status: 410 }));
  expect(row).toMatchObject({ status: 'exhausted', attempt_count: 1 });
  expect(attempt).toMatchObject({ http_status: 410, failure_class: 'http' });
  expect(enqueued).toEqual([]);
  expect(await rows('select status from subscriptions where id = ?', subscriptionId)).toEqual([{ status: 'paused' }]);
});

test.each(['410 first', '410 last'])(
  'a delivery that fails beside its subscription’s 410 is held: %s',
  async (order) => {
    const opened = await openSubscribed();
    const first = await submitForDelivery(opened);
    const second = await submitForDelivery(opened);
    const gone = order === '410 first' ? first.id : second.id;
    const failing = order === '410 first' ? second.id : first.id;
    outsideAnswers(
      ({ headers }) => new Response(null, { status: headers.get('X-Service-Delivery-Id') === gone ? 410 : 500 }),
    );
    await deliver([first.id, second.id]);
    expect(await deliveryRow(gone)).toMatchObject({ status: 'exhausted' });
    expect(await deliveryRow(failing)).toMatchObject({ status: 'held', attempt_count: 1 });
  },
);

test.each([
  ['dns', 'internal error; DNS lookup failed'],
  ['dns', 'Could not resolve host'],
  ['tls', 'TLS handshake failed'],
  ['tls', 'certificate has expired'],
  ['connect', 'Network connection lost.'],
  ['connect', 'connection refused'],
])('a network error is a failure of class %s: %s', async (failureClass, message) => {
  const { row, attempt } = await attemptThatMeets(() => Promise.reject(new Error(message)));
  expect(row).toMatchObject({ status: 'pending', attempt_count: 1 });
  expect(attempt).toMatchObject({ http_status: null, failure_class: failureClass, answer_excerpt: null });
});

test('a post is given 10 seconds, and running out of them is a failure of class timeout', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const { row, attempt } = await attemptThatMeets(() =>
    Promise.reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
  );
  expect(timeout.mock.calls).toEqual([[10_000]]);
  expect(row).toMatchObject({ status: 'pending', attempt_count: 1 });
  expect(attempt).toMatchObject({ http_status: null, failure_class: 'timeout' });
});

test('an answer whose body hangs until the time is up keeps its status', async () => {
  const { row, attempt } = await attemptThatMeets(() => {
    const stream = new ReadableStream({
      pull(controller) {
        controller.error(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
      },
    });
    return new Response(stream, { status: 200 });
  });
  expect(row).toMatchObject({ status: 'succeeded' });
  expect(attempt).toMatchObject({ http_status: 200, failure_class: null, answer_excerpt: null });
});

test('a long answer is kept to its first 2 KB', async () => {
  const { attempt } = await attemptThatMeets(() => new Response('x'.repeat(100_000), { status: 500 }));
  expect(attempt?.answer_excerpt).toBe('x'.repeat(2048));
});

test('an answer that never ends is cut, and no more of it is read than is kept', async () => {
  const endless = endlessBody(new Uint8Array(1024).fill(0x61));
  const { row, attempt } = await attemptThatMeets(() => new Response(endless.stream, { status: 200 }));
  expect(row).toMatchObject({ status: 'succeeded' });
  expect(attempt?.answer_excerpt).toBe('a'.repeat(2048));
  expect(endless.readBytes()).toBeLessThanOrEqual(5 * 1024);
});

test('control characters of an answer are neutralised, tabs and line ends stay', async () => {
  const { attempt } = await attemptThatMeets(
    () => new Response('a\u0000b\u001b[31mc\u009bd\u007f\te\r\nf', { status: 500 }),
  );
  expect(attempt?.answer_excerpt).toBe('a�b�[31mc�d�\te\r\nf');
});

test('an answer that is no text is kept as text', async () => {
  const { attempt } = await attemptThatMeets(() => new Response(new Uint8Array([0xff, 0xfe, 0x41]), { status: 500 }));
  expect(attempt?.answer_excerpt).toBe('��A');
});

test('the attempt log tells when, why, how long and what came, one row for each post', async () => {
  const { deliveryId } = await openDelivery();
  let now = Date.now();
  const start = now;
  outsideAnswers((_, count) => {
    now += 120;
    return count === 1 ? Response.json({ ok: false }, { status: 500 }) : Response.json({ ok: true });
  });
  const { ctx } = systemContext({ now: () => now, env: PRODUCTION_SCHEDULE });
  await consumeDeliveries(ctx, [deliveryId]);
  now = start + 2 * MINUTE;
  await consumeDeliveries(ctx, [deliveryId]);
  expect(await attemptsOf(deliveryId)).toEqual([
    {
      delivery_id: deliveryId,
      attempt: 1,
      trigger: 'event',
      started_at: start,
      duration_ms: 120,
      http_status: 500,
      failure_class: 'http',
      answer_excerpt: '{"ok":false}',
    },
    {
      delivery_id: deliveryId,
      attempt: 2,
      trigger: 'retry',
      started_at: start + 2 * MINUTE,
      duration_ms: 120,
      http_status: 200,
      failure_class: null,
      answer_excerpt: '{"ok":true}',
    },
  ]);
});
