import { afterEach, beforeEach, expect, test } from 'vitest';
import { commit } from '../../src/platform/commit';
import { newId } from '../../src/platform/ids';
import { outboxEvent } from '../../src/webhooks/outbox';
import { sendTestEvent } from '../../src/webhooks/posting/test-event';
import { updateSubscription } from '../../src/webhooks/subscriptions/settings';
import { getSubscription, pauseSubscription, resumeSubscription } from '../../src/webhooks/subscriptions/subscriptions';
import { enter } from '../management/browser';
import { staffContext } from '../support/order-flow';
import { type Call, outsideAnswers } from '../support/outbound';
import {
  announceEvent,
  attemptsOf,
  deliver,
  deliverAt,
  deliveriesOf,
  leaveNothing,
  newReceiverUrl,
  PRODUCTION_SCHEDULE,
  sweepAt,
} from '../support/webhooks';
import { openPharmacy, rows, subscribe, systemContext } from '../support/world';

const HOUR = 3_600_000;

let start: number;
let posts: Call[];
/** Whether receivers ask to be left alone for an hour. */
let isBusy: boolean;

beforeEach(() => {
  start = Date.now();
  isBusy = true;
  posts = outsideAnswers(() =>
    isBusy ? new Response(null, { status: 503, headers: { 'Retry-After': '3600' } }) : new Response(null),
  );
});

afterEach(leaveNothing);

/** A healthy subscription, whose first attempts start with the commit. */
async function open() {
  const { orgId } = await openPharmacy();
  const { subscriptionId } = await subscribe(orgId, newReceiverUrl(), ['order_deleted'], { isHealthy: true });
  const announce = (now: number) =>
    announceEvent({ type: 'order_deleted', orgId, metadata: { order_id: newId() } }, now).then(([id = '']) => id);
  return { orgId, subscriptionId, announce };
}

/** The sweep of a moment and the messages that it sent. */
async function sweepAndDeliverAt(now: number): Promise<void> {
  const enqueued = await sweepAt(now);
  await deliverAt(
    now,
    enqueued.map(({ id }) => id),
  );
}

test('a receiver that asks to wait gets one post of twelve events, on no way another one before its time, then all of them, the oldest first', async () => {
  const { orgId, subscriptionId, announce } = await open();
  const ids = [await announce(start)];
  for (let second = 1; second < 12; second += 1) ids.push(await announce(start + second * 1000));
  expect(posts).toHaveLength(1);
  const [asked] = await rows<{ wait_until: number }>('select * from subscriptions where id = ?', subscriptionId);
  const until = asked?.wait_until ?? 0;
  expect(until).toBeGreaterThanOrEqual(start + HOUR);
  for (const now of [start + 60_000, start + HOUR / 2, until - 1]) {
    await deliver(ids, { now: () => now, env: PRODUCTION_SCHEDULE });
    await sweepAndDeliverAt(now);
  }
  expect(posts).toHaveLength(1);
  const waiting = await deliveriesOf(orgId);
  expect(waiting.map(({ status, attempt_count }) => [status, attempt_count])).toEqual(
    ids.map((_, index) => ['pending', index === 0 ? 1 : 0]),
  );
  isBusy = false;
  await deliver(ids.slice(0, 1), { now: () => until, env: PRODUCTION_SCHEDULE });
  expect(posts.slice(1).map(({ headers }) => headers.get('X-Service-Delivery-Id'))).toEqual(ids);
  for (const { id } of await deliveriesOf(orgId)) {
    expect((await attemptsOf(id)).at(-1)).toMatchObject({ attempt: id === ids[0] ? 2 : 1, http_status: 200 });
  }
});

test('a commit whose receiver waits sends no message, and what another attempt got accepted does not end the wait', async () => {
  const { orgId, announce } = await open();
  await announce(start);
  await rows('update subscriptions set is_healthy = 1');
  const { ctx, deliveriesEnqueued, settled } = systemContext({ now: () => start + 1000 });
  await commit(ctx, { event: outboxEvent(ctx, { type: 'order_deleted', orgId, metadata: { order_id: newId() } }) });
  await settled();
  expect([posts.length, deliveriesEnqueued]).toEqual([1, []]);
});

test('if its retry is lost, the sweep goes on once the time has come', async () => {
  const { announce } = await open();
  await announce(start);
  await announce(start + 1000);
  isBusy = false;
  await sweepAndDeliverAt(start + HOUR - 1000);
  expect(posts).toHaveLength(1);
  await sweepAndDeliverAt(start + HOUR + 60_000);
  expect(posts).toHaveLength(3);
});

test('a failing receiver on hold is not tried before the time that it asked for', async () => {
  const { subscriptionId, announce } = await open();
  await announce(start);
  await rows(
    `update subscriptions set status = 'holding', hold_reason = 'receiver_failing', held_since = ?, next_probe_at = ? where id = ?`,
    start,
    start,
    subscriptionId,
  );
  await rows("update deliveries set status = 'held' where subscription_id = ?", subscriptionId);
  await announce(start + 1000);
  await sweepAndDeliverAt(start + HOUR / 2);
  expect(posts).toHaveLength(1);
  await sweepAndDeliverAt(start + HOUR + 60_000);
  expect(posts).toHaveLength(2);
});

test('an owner sees until when it waits, may send a test event meanwhile, and a new address is called at once', async () => {
  const { orgId, subscriptionId, announce } = await open();
  await announce(start);
  await announce(start + 1000);
  const { browser } = await enter(orgId, 'owner');
  const page = `/manage/settings/webhooks/${subscriptionId}`;
  expect((await browser.get(page)).text).toContain('hat darum gebeten, bis');
  expect((await browser.get(page, { 'Accept-Language': 'en' })).text).toContain('asked us to wait until');
  const { ctx } = staffContext(orgId, 'owner');
  await sendTestEvent(ctx, { subscriptionId, eventType: 'order_deleted' });
  expect(posts).toHaveLength(2);
  isBusy = false;
  const { updatedAt: seenAt } = await getSubscription(ctx, subscriptionId);
  await updateSubscription(ctx, { id: subscriptionId, seenAt, url: newReceiverUrl(), eventTypes: ['order_deleted'] });
  await sweepAndDeliverAt(start + 120_000);
  // Both: what the first one's receiver asked for says nothing about the new address.
  expect(posts).toHaveLength(4);
  expect((await browser.get(page)).text).not.toContain('hat darum gebeten');
});

test('an owner ends a wait by pausing and resuming, and all that waited is posted', async () => {
  const { orgId, subscriptionId, announce } = await open();
  await announce(start);
  await announce(start + 1000);
  const { ctx } = staffContext(orgId, 'owner');
  isBusy = false;
  await pauseSubscription(ctx, subscriptionId);
  await resumeSubscription(ctx, subscriptionId);
  expect(await getSubscription(ctx, subscriptionId)).toMatchObject({ waitUntil: null });
  await sweepAndDeliverAt(start + 120_000);
  expect(posts).toHaveLength(3);
  expect((await deliveriesOf(orgId)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
});
