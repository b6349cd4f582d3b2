import { beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { attemptsOf, deliverAt, deliveryRow, submitForDelivery } from '../support/webhooks';
import { openPharmacy, rows, subscribe } from '../support/world';

// Real connections of workerd to a server that fails beneath HTTP; what a receiver may do within HTTP: retries.test.ts.

/** What stands for the ten seconds that a post has. */
const TIME_MS = 3_000;

beforeEach(() => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === 10_000 ? TIME_MS : ms));
});

const { open, closed } = inject('receiverPorts');

async function openAt(url: string) {
  const pharmacy = await openPharmacy();
  const { subscriptionId } = await subscribe(pharmacy.orgId, url);
  const { id } = await submitForDelivery({ pharmacy, url, subscriptionId, signingSecret: '' });
  return { id, subscriptionId };
}

const FAILURES: [string, string, { failure_class: string; http_status: number | null }][] = [
  ['refuses the connection', `http://127.0.0.1:${closed}/in`, { failure_class: 'connect', http_status: null }],
  // workerd's error says no more than "internal error" here.
  ['speaks no TLS', `https://127.0.0.1:${open}/in`, { failure_class: 'connect', http_status: null }],
  ['hangs up', `http://127.0.0.1:${open}/hangs-up`, { failure_class: 'connect', http_status: null }],
  [
    'resets the connection',
    `http://127.0.0.1:${open}/resets-connection`,
    { failure_class: 'connect', http_status: null },
  ],
  ['answers in no HTTP', `http://127.0.0.1:${open}/answers-garbage`, { failure_class: 'connect', http_status: null }],
  [
    'answers half a header',
    `http://127.0.0.1:${open}/answers-half-a-header`,
    { failure_class: 'connect', http_status: null },
  ],
  ['never answers', `http://127.0.0.1:${open}/never-answers`, { failure_class: 'timeout', http_status: null }],
  ['redirects', `http://127.0.0.1:${open}/redirects`, { failure_class: 'redirect', http_status: 307 }],
  [
    'hangs in the body of a failure',
    `http://127.0.0.1:${open}/hangs-after-failing-headers`,
    { failure_class: 'http', http_status: 500 },
  ],
];

describe.each(FAILURES)('a receiver that %s', (_, url, logged) => {
  test(`is logged as ${logged.failure_class} and tried again after a minute, and delays nobody else`, async () => {
    const failing = await openAt(url);
    const well = await openAt(`http://127.0.0.1:${open}/accepts`);
    const now = Date.now();
    const enqueued = await deliverAt(now, [failing.id, well.id]);
    expect(await attemptsOf(failing.id)).toMatchObject([{ attempt: 1, ...logged }]);
    expect(await deliveryRow(failing.id)).toMatchObject({
      status: 'pending',
      attempt_count: 1,
      next_attempt_at: now + 60_000,
    });
    expect(enqueued).toEqual([{ id: failing.id, delaySeconds: 60 }]);
    expect(await deliveryRow(well.id)).toMatchObject({ status: 'succeeded', attempt_count: 1 });
  });
});

test.each([
  ['hangs after its headers', 'hangs-after-headers', null],
  ['resets the connection in the body', 'resets-in-body', null],
  ['answers without an end', 'never-ends', 'a'.repeat(2048)],
  ['answers just before its time is up', 'answers-just-in-time', ''],
])('a receiver that has said 2xx and %s has accepted, and is not posted to again', async (_, path, excerpt) => {
  const { id } = await openAt(`http://127.0.0.1:${open}/${path}`);
  const begun = performance.now();
  expect(await deliverAt(Date.now(), [id])).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(TIME_MS * 10);
  expect(await deliveryRow(id)).toMatchObject({ status: 'succeeded', attempt_count: 1 });
  const [attempt] = await attemptsOf(id);
  expect(attempt).toMatchObject({ failure_class: null, answer_excerpt: excerpt });
});

test('while a receiver that never answers is waited for, the others are posted to and recorded', async () => {
  const time = new AbortController();
  vi.mocked(AbortSignal.timeout).mockReturnValue(time.signal);
  const hole = await openAt(`http://127.0.0.1:${open}/never-answers`);
  const well = await openAt(`http://127.0.0.1:${open}/accepts`);
  const work = deliverAt(Date.now(), [hole.id, well.id]);
  await eventually(async () => expect(await deliveryRow(well.id)).toMatchObject({ status: 'succeeded' }));
  expect(await deliveryRow(hole.id)).toMatchObject({ status: 'delivering' });
  time.abort(new DOMException('The time is up', 'TimeoutError'));
  await work;
  expect(
    await rows(
      'select is_healthy from subscriptions where id in (?, ?) order by id',
      hole.subscriptionId,
      well.subscriptionId,
    ),
  ).toEqual([{ is_healthy: 0 }, { is_healthy: 1 }]);
});
