import { afterEach, beforeEach, expect, test } from 'vitest';
import { commit } from '../../src/platform/commit';
import { newId } from '../../src/platform/ids';
import { redeliver } from '../../src/webhooks/log/log';
import { outboxEvent } from '../../src/webhooks/outbox';
import { updateSubscription } from '../../src/webhooks/subscriptions/settings';
import { resumeSubscription } from '../../src/webhooks/subscriptions/subscriptions';
import { sweepDeliveries } from '../../src/webhooks/sweep';
import { staffContext } from '../support/order-flow';
import { type Call, outsideAnswers } from '../support/outbound';
import { captureLogs } from '../support/probe';
import { auditOf, rowOf } from '../support/rows';
import {
  attemptsOf,
  deliverAt,
  deliveriesOf,
  deliveryRow,
  expectInOrder,
  leaveNothing,
  newReceiverUrl,
  openSubscribed,
  PRODUCTION_SCHEDULE,
  type Subscribed,
  submitForDelivery,
  sweepAndDeliver,
} from '../support/webhooks';
import { rows, systemContext } from '../support/world';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let start: number;
let posts: Call[];
/** How every receiver answers. */
let answer: number;

beforeEach(() => {
  start = Date.now() + 10_000;
  answer = 500;
  posts = outsideAnswers(() => new Response(null, { status: answer }));
});

afterEach(leaveNothing);

interface Row {
  status: string;
  hold_reason: string | null;
  held_since: number | null;
  next_probe_at: number | null;
  is_healthy: number;
  exhausted_in_row: number;
  updated_at: number;
}

const subscriptionRow = ({ subscriptionId }: Subscribed) => rowOf<Row>('subscriptions', { id: subscriptionId });

const actsOf = ({ subscriptionId }: Subscribed) => auditOf(subscriptionId, { actor_kind: 'system' });

/** One sweep and the messages that are due by it. @returns the posts that were made */
async function postsOfSweep(now: number): Promise<Call[]> {
  const before = posts.length;
  await sweepAndDeliver(now);
  return posts.slice(before);
}

/** Writes so many events in one commit, whose deliveries wait for the queue. @returns the ids of the deliveries */
async function openRuns({ pharmacy: { orgId }, subscriptionId }: Subscribed, count: number): Promise<string[]> {
  await rows('update subscriptions set is_healthy = 0 where id = ?', subscriptionId);
  const known = (await deliveriesOf(orgId)).length;
  const { ctx } = systemContext();
  const metadata = () => ({ order_id: newId() });
  const events = Array.from({ length: count }, () =>
    outboxEvent(ctx, { type: 'order_deleted', orgId, metadata: metadata() }),
  );
  await commit(ctx, { events });
  return (await deliveriesOf(orgId)).slice(known).map(({ id }) => id);
}

/** Runs that end with their next attempt if it fails: two were made before. */
async function openLast(opened: Subscribed, count: number): Promise<string[]> {
  const ids = await openRuns(opened, count);
  await rows(
    'update deliveries set attempt_count = 2 where id in (select value from json_each(?))',
    JSON.stringify(ids),
  );
  return ids;
}

async function consumeEach(now: number, ids: readonly string[]) {
  for (const id of ids) await deliverAt(now, [id]);
}

/** A subscription on hold since `start`, and runs without attempts that wait. */
async function openHolding(waiting: number) {
  const opened = await openSubscribed(['order_deleted', 'order_request_submitted']);
  const exhausted = await openLast(opened, 5);
  const ids = await openRuns(opened, waiting);
  await consumeEach(start, exhausted);
  posts.length = 0;
  return { ...opened, ids, exhausted };
}

function postedAs(made: readonly Call[]) {
  return made.map(({ headers }) => [headers.get('X-Service-Delivery-Id'), Number(headers.get('X-Service-Attempt'))]);
}

test('five runs in a row that end without success: on hold, with its time, an audit row, and what waits as held', async () => {
  const opened = await openSubscribed(['order_deleted', 'order_request_submitted']);
  const ids = await openLast(opened, 5);
  const [retried = '', waiting = ''] = await openRuns(opened, 2);
  await deliverAt(start - MINUTE, [retried]);
  await consumeEach(start, ids.slice(0, 4));
  expect(await subscriptionRow(opened)).toMatchObject({ status: 'active', exhausted_in_row: 4, is_healthy: 0 });
  const { lines } = captureLogs();
  await consumeEach(start + 1_000, ids.slice(4));
  const logged = lines.map((line) => JSON.parse(line)).filter(({ event }) => /exhausted|held/.test(event));
  const of = { subscription_id: opened.subscriptionId, org_id: opened.pharmacy.orgId };
  expect(logged).toMatchObject([
    { level: 'warn', event: 'delivery_exhausted', delivery_id: ids[4], ...of },
    { level: 'warn', event: 'subscription_held', code: 'receiver_failing', ...of },
  ]);
  expect(await subscriptionRow(opened)).toMatchObject({
    status: 'holding',
    hold_reason: 'receiver_failing',
    held_since: start + 1_000,
    next_probe_at: start + 1_000 + 15 * MINUTE,
  });
  expect(await actsOf(opened)).toMatchObject([{ action: 'subscription.held', reason_code: 'receiver_failing' }]);
  expect(await deliveryRow(retried)).toMatchObject({ status: 'held', attempt_count: 1 });
  expect(await deliveryRow(waiting)).toMatchObject({ status: 'held', attempt_count: 0 });
  expect(await submitForDelivery(opened)).toMatchObject({ status: 'held', attempt_count: 0 });
  posts.length = 0;
  expect(await deliverAt(start + HOUR, [retried, waiting])).toEqual([]);
  expect(posts).toEqual([]);
});

test('a success in between begins the count anew', async () => {
  const opened = await openSubscribed(['order_deleted', 'order_request_submitted']);
  await consumeEach(start, await openLast(opened, 4));
  answer = 204;
  await consumeEach(start, await openRuns(opened, 1));
  expect(await subscriptionRow(opened)).toMatchObject({ exhausted_in_row: 0, is_healthy: 1 });
  answer = 500;
  await consumeEach(start, await openLast(opened, 4));
  expect(await subscriptionRow(opened)).toMatchObject({ status: 'active', exhausted_in_row: 4, is_healthy: 0 });
});

test('attempts that will be repeated do not count: a run counts once, when it ends', async () => {
  const opened = await openSubscribed(['order_deleted', 'order_request_submitted']);
  await consumeEach(start, await openRuns(opened, 7));
  expect(await subscriptionRow(opened)).toMatchObject({ status: 'active', exhausted_in_row: 0, is_healthy: 0 });
});

test('a probe is the next attempt of the oldest held run, every 15 minutes; the third exhausts it, then the next is used', async () => {
  const opened = await openHolding(3);
  const [first, second] = opened.ids;
  const expected = [
    [first, 1],
    [first, 2],
    [first, 3],
    [second, 1],
  ];
  for (const [index, probe] of expected.entries()) {
    const due = start + (index + 1) * 15 * MINUTE;
    expect(await postsOfSweep(due - 1)).toEqual([]);
    expect(postedAs(await postsOfSweep(due))).toEqual([probe]);
  }
  expect(await deliveryRow(first ?? '')).toMatchObject({ status: 'exhausted', attempt_count: 3 });
  expect(await deliveryRow(second ?? '')).toMatchObject({ status: 'held', attempt_count: 1 });
  expect(await attemptsOf(first ?? '')).toMatchObject(
    [1, 2, 3].map((attempt) => ({ attempt, trigger: 'probe', http_status: 500 })),
  );
  expect(await subscriptionRow(opened)).toMatchObject({ status: 'holding', held_since: start });
});

test('a person may try the receiver at once with a held delivery, one at a time', async () => {
  const opened = await openHolding(3);
  const [, second = '', third = ''] = opened.ids;
  const { ctx } = staffContext(opened.pharmacy.orgId, 'owner', { now: () => start });
  expect(await redeliver(ctx, second)).toEqual({ deliveryId: second });
  expect(await deliveryRow(second)).toMatchObject({ status: 'pending' });
  expect(await subscriptionRow(opened)).toMatchObject({ status: 'holding', next_probe_at: start + 15 * MINUTE });
  await expect(redeliver(ctx, third)).rejects.toMatchObject({ code: 'not_redeliverable' });
  await deliverAt(start, [second]);
  expect(postedAs(posts)).toEqual([[second, 1]]);
  expect(await deliveryRow(second)).toMatchObject({ status: 'held' });
  answer = 204;
  await redeliver(ctx, third);
  await deliverAt(start, [third]);
  expect(await subscriptionRow(opened)).toMatchObject({ status: 'active' });
  await rows("update subscriptions set status = 'paused' where id = ?", opened.subscriptionId);
  await rows("update deliveries set status = 'held' where id = ?", second);
  await expect(redeliver(ctx, second)).rejects.toMatchObject({ code: 'not_redeliverable' });
});

test('after six hours on hold it is tried once an hour', async () => {
  const opened = await openHolding(6);
  const times: number[] = [];
  for (let minute = 5 * 60; minute <= 9 * 60; minute += 5) {
    for (const _ of await postsOfSweep(start + minute * MINUTE)) times.push(minute);
  }
  // The probe at six hours is the first that is followed by an hour.
  expect(times.slice(0, 5)).toEqual([300, 315, 330, 345, 360]);
  expect(times.slice(5)).toEqual([420, 480, 540]);
  expect(await subscriptionRow(opened)).toMatchObject({ status: 'holding' });
});

test('a probe whose message is lost is made up for, and no second run is tried meanwhile', async () => {
  const opened = await openHolding(2);
  const due = start + 15 * MINUTE;
  const { ctx } = systemContext({ now: () => due, env: PRODUCTION_SCHEDULE });
  await sweepDeliveries(ctx);
  expect(posts).toEqual([]);
  expect(postedAs(await postsOfSweep(due + MINUTE))).toEqual([[opened.ids[0], 1]]);
});

test('a probe that is accepted: active again, with an audit row, and what waited is delivered, oldest first', async () => {
  const opened = await openHolding(6);
  await postsOfSweep(start + 15 * MINUTE);
  answer = 204;
  posts.length = 0;
  const { lines } = captureLogs();
  await postsOfSweep(start + 30 * MINUTE);
  await postsOfSweep(start + 31 * MINUTE);
  const released = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'subscription_released');
  expect(released).toMatchObject([{ subscription_id: opened.subscriptionId, org_id: opened.pharmacy.orgId }]);
  expect(await subscriptionRow(opened)).toMatchObject({
    status: 'active',
    hold_reason: null,
    held_since: null,
    next_probe_at: null,
    is_healthy: 1,
    exhausted_in_row: 0,
  });
  const anew = (await deliveriesOf(opened.pharmacy.orgId)).filter(({ trigger }) => trigger === 'recovery');
  expect(anew.map(({ event_id }) => event_id)).toEqual(
    await Promise.all(opened.exhausted.map(async (id) => (await deliveryRow(id)).event_id)),
  );
  const [probe, ...others] = opened.ids;
  expect(postedAs(posts).map(([, attempt]) => attempt)).toEqual([2, ...Array(10).fill(1)]);
  expectInOrder(
    posts.map(({ headers }) => headers.get('X-Service-Delivery-Id')),
    [probe, ...anew.map(({ id }) => id), ...others],
  );
  for (const id of opened.ids) expect(await deliveryRow(id)).toMatchObject({ status: 'succeeded' });
  expect(await actsOf(opened)).toMatchObject([
    { action: 'subscription.held', reason_code: 'receiver_failing' },
    { action: 'subscription.released', reason_code: null },
  ]);
  posts.length = 0;
  const next = await submitForDelivery(opened);
  expect(postedAs(posts)).toEqual([[next.id, 1]]);
});

test('after five days it is disabled: what waited is kept, nothing is posted, and resuming delivers it', async () => {
  const opened = await openHolding(3);
  await postsOfSweep(start + 5 * DAY - 1);
  expect(await subscriptionRow(opened)).toMatchObject({ status: 'holding' });
  await postsOfSweep(start + 5 * DAY);
  expect(await subscriptionRow(opened)).toMatchObject({ status: 'disabled', hold_reason: 'receiver_failing' });
  expect((await actsOf(opened)).at(-1)).toMatchObject({
    action: 'subscription.disabled',
    reason_code: 'receiver_failing',
  });
  posts.length = 0;
  answer = 204;
  expect(await postsOfSweep(start + 6 * DAY)).toEqual([]);
  for (const id of opened.ids) expect(await deliveryRow(id)).toMatchObject({ status: 'held' });
  const { length } = await deliveriesOf(opened.pharmacy.orgId);
  await expect(submitForDelivery(opened)).resolves.toMatchObject({ id: opened.ids.at(-1) });
  expect(await deliveriesOf(opened.pharmacy.orgId)).toHaveLength(length);
  const { ctx, deliveriesEnqueued } = staffContext(opened.pharmacy.orgId, 'owner', { now: () => start + 6 * DAY });
  await resumeSubscription(ctx, opened.subscriptionId);
  // As many as may be under way at once, first of what was given up; each that ends goes on with the next.
  const anew = (await deliveriesOf(opened.pharmacy.orgId)).filter(({ trigger }) => trigger === 'redelivery');
  expect(anew).toHaveLength(5);
  expect(deliveriesEnqueued.map(({ id }) => id)).toEqual(anew.slice(0, 2).map(({ id }) => id));
  await deliverAt(
    start + 6 * DAY,
    deliveriesEnqueued.map(({ id }) => id),
  );
  for (const id of opened.ids) expect(await deliveryRow(id)).toMatchObject({ status: 'succeeded' });
});

test('a probe that still waits when the subscription is disabled is held like the others', async () => {
  const opened = await openHolding(2);
  const { ctx } = systemContext({ now: () => start + 5 * DAY - 1, env: PRODUCTION_SCHEDULE });
  await sweepDeliveries(ctx);
  expect(await deliveryRow(opened.ids[0] ?? '')).toMatchObject({ status: 'pending' });
  expect(await postsOfSweep(start + 5 * DAY)).toEqual([]);
  for (const id of opened.ids) expect(await deliveryRow(id)).toMatchObject({ status: 'held', attempt_count: 0 });
});

test.each(['at first', 'as the answer to a probe'])(
  '410 pauses a subscription, %s; it is never tried',
  async (when) => {
    const isProbe = when !== 'at first';
    const opened = isProbe ? await openHolding(2) : await openSubscribed(['order_deleted', 'order_request_submitted']);
    if (!isProbe) await openRuns(opened, 2);
    answer = 410;
    await postsOfSweep(start + 15 * MINUTE);
    expect(posts).toHaveLength(isProbe ? 1 : 2);
    expect(await subscriptionRow(opened)).toMatchObject({ status: 'paused', hold_reason: null, next_probe_at: null });
    expect((await actsOf(opened)).at(-1)).toMatchObject({
      action: 'subscription.paused',
      reason_code: 'receiver_gone',
    });
    const waiting = await submitForDelivery(opened);
    for (const time of [HOUR, DAY, 6 * DAY]) expect(await postsOfSweep(start + time)).toEqual([]);
    expect(await deliveryRow(waiting.id)).toMatchObject({ status: 'held', attempt_count: 0 });
    expect(await subscriptionRow(opened)).toMatchObject({ status: 'paused' });
  },
);

test('a probe that this service cannot post costs no attempt and waits on', async () => {
  const opened = await openHolding(1);
  const secret = await rowOf('subscriptions', { id: opened.subscriptionId });
  await rows("update subscriptions set secret_ciphertext = 'r1.AAAA' where id = ?", opened.subscriptionId);
  expect(await postsOfSweep(start + 15 * MINUTE)).toEqual([]);
  const [id = ''] = opened.ids;
  expect(await deliveryRow(id)).toMatchObject({ status: 'held', attempt_count: 0, lease_until: 0 });
  expect(await subscriptionRow(opened)).toMatchObject({ status: 'holding', hold_reason: 'receiver_failing' });
  await rows(
    'update subscriptions set secret_ciphertext = ? where id = ?',
    secret.secret_ciphertext,
    opened.subscriptionId,
  );
  answer = 204;
  expect(postedAs(await postsOfSweep(start + 30 * MINUTE))).toEqual([[id, 1]]);
});

test('a new address is tried at the next sweep', async () => {
  const opened = await openHolding(2);
  const { updated_at: seenAt } = await subscriptionRow(opened);
  const url = newReceiverUrl();
  const { ctx } = staffContext(opened.pharmacy.orgId, 'owner', { now: () => start + MINUTE });
  await updateSubscription(ctx, { id: opened.subscriptionId, seenAt, url, eventTypes: ['order_deleted'] });
  answer = 204;
  const made = await postsOfSweep(start + 2 * MINUTE);
  expect(made[0]?.url).toBe(url);
  expect(postedAs(made)[0]).toEqual([opened.ids[0], 1]);
  expect(await subscriptionRow(opened)).toMatchObject({ status: 'active' });
});

test('two sweeps at once make one probe', async () => {
  const opened = await openHolding(3);
  const due = start + 15 * MINUTE;
  await Promise.all([postsOfSweep(due), postsOfSweep(due), postsOfSweep(due)]);
  expect(postedAs(posts)).toEqual([[opened.ids[0], 1]]);
});
