import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids';
import { readSubscription } from '../../src/webhooks/log/log';
import { resumeSubscription } from '../../src/webhooks/subscriptions/subscriptions';
import { enter } from '../management/browser';
import { faultyDatabase } from '../support/faults';
import { staffContext } from '../support/order-flow';
import { type Call, outsideAnswers } from '../support/outbound';
import {
  announceEvent,
  expectInOrder,
  leaveNothing,
  newReceiverUrl,
  subscriptionStatus,
  sweepAndDeliver,
} from '../support/webhooks';
import { openPharmacy, rows, subscribe } from '../support/world';

const MINUTE = 60_000;

let now: number;
let posts: Call[];
/** How receivers answer, by the event's id. */
let answer: (eventId: string) => number;

beforeEach(() => {
  now = Date.now();
  answer = () => 500;
  posts = outsideAnswers(({ headers }) => new Response(null, { status: answer(headers.get('webhook-id') ?? '') }));
});

afterEach(leaveNothing);

interface Opened {
  orgId: string;
  subscriptionId: string;
  eventIds: string[];
}

async function open(): Promise<Opened> {
  const { orgId } = await openPharmacy();
  const { subscriptionId } = await subscribe(orgId, newReceiverUrl(), ['order_deleted'], { isHealthy: true });
  now = Date.now();
  return { orgId, subscriptionId, eventIds: [] };
}

async function announce({ orgId, eventIds }: Opened): Promise<void> {
  const [id = ''] = await announceEvent({ type: 'order_deleted', orgId, metadata: { order_id: newId() } }, now);
  const [row] = await rows<{ event_id: string }>('select event_id from deliveries where id = ?', id);
  eventIds.push(row?.event_id ?? '');
}

/** The sweep, and the messages that are due by it, after some minutes. */
async function sweepAfter(minutes: number, env: Partial<Env> = {}): Promise<void> {
  now += minutes * MINUTE;
  await sweepAndDeliver(now, env);
}

/** So long a time, with a sweep every four minutes. */
async function after(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 4) await sweepAfter(4);
}

/** Five events that were given up, seven behind them that wait, at a receiver that is down. */
async function openDown(): Promise<Opened> {
  const opened = await open();
  for (let count = 0; count < 5; count += 1) await announce(opened);
  await after(48);
  for (let count = 0; count < 7; count += 1) await announce(opened);
  expect(await statuses(opened)).toEqual([...Array(5).fill('exhausted'), ...Array(7).fill('held')]);
  expect(await subscriptionStatus(opened.subscriptionId)).toBe('holding');
  posts.length = 0;
  return opened;
}

async function statuses({ subscriptionId }: Opened) {
  const found = await rows<{ status: string }>(
    'select status from deliveries where subscription_id = ? order by id',
    subscriptionId,
  );
  return found.map(({ status }) => status);
}

/** The events that a receiver took since it recovered, as their places, in the order in which they came. */
function arrived({ eventIds }: Opened): number[] {
  return posts.map(({ headers }) => eventIds.indexOf(headers.get('webhook-id') ?? ''));
}

async function givenUp({ orgId, subscriptionId }: Opened) {
  const { ctx } = staffContext(orgId, 'owner', { now: () => now });
  const { health } = await readSubscription(ctx, { subscriptionId, filter: { status: 'all' } });
  return health.givenUp;
}

test('twelve events to a receiver that was down: all arrive once it accepts, the probe first, then the oldest, each once', async () => {
  const opened = await openDown();
  answer = () => 204;
  await after(20);
  expectInOrder(arrived(opened), [5, 0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11]);
  expect(await givenUp(opened)).toBe(0);
});

test.each([
  'is not carried out, an error that is not sent again',
  'is carried out and its answer lost, an error that is not sent again',
  'is carried out and its answer lost, a transient error',
] as const)('a release that %s loses no event and makes none twice', async (how) => {
  const opened = await openDown();
  await rows('update subscriptions set is_healthy = 1 where id = ?', opened.subscriptionId);
  answer = () => 204;
  const { DB } = faultyDatabase({ batch: 2, how });
  await sweepAfter(1, { DB });
  await after(8);
  expect(arrived(opened).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index));
});

test.each(['holding', 'disabled', 'paused'])(
  'a person who resumes it while %s need not ask for them',
  async (status) => {
    const opened = await openDown();
    await rows('update subscriptions set status = ? where id = ?', status, opened.subscriptionId);
    answer = () => 204;
    const { ctx, settled } = staffContext(opened.orgId, 'owner', { now: () => now });
    await resumeSubscription(ctx, opened.subscriptionId);
    await settled();
    await after(8);
    expectInOrder(
      arrived(opened),
      Array.from({ length: 12 }, (_, index) => index),
    );
  },
);

test('resumed too early, what is given up again still arrives by itself', async () => {
  const opened = await openDown();
  const { ctx, settled } = staffContext(opened.orgId, 'owner', { now: () => now });
  await resumeSubscription(ctx, opened.subscriptionId);
  await settled();
  await after(100);
  expect(await subscriptionStatus(opened.subscriptionId)).toBe('holding');
  answer = () => 204;
  posts.length = 0;
  await after(60);
  expect(arrived(opened).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index));
});

test('events that a receiver can never take are delivered anew once by themselves, not for ever', async () => {
  const opened = await openDown();
  const poison = new Set(opened.eventIds.slice(0, 5));
  answer = (eventId) => (poison.has(eventId) ? 500 : 204);
  await after(120);
  expect(posts.filter(({ headers }) => poison.has(headers.get('webhook-id') ?? ''))).toHaveLength(15);
  expect(await givenUp(opened)).toBe(5);
});

test('what was given up without a hold is counted, and one click delivers it again', async () => {
  const opened = await open();
  await announce(opened);
  await announce(opened);
  await after(32);
  answer = () => 204;
  await announce(opened);
  await sweepAfter(1);
  expect(await statuses(opened)).toEqual(['exhausted', 'exhausted', 'succeeded']);
  expect(await givenUp(opened)).toBe(2);
  const { browser } = await enter(opened.orgId, 'owner');
  const path = `/manage/settings/webhooks/${opened.subscriptionId}`;
  const { text } = await browser.get(path);
  expect(text).toContain('2 Ereignisse haben wir aufgegeben');
  expect((await browser.get(path, { 'Accept-Language': 'en' })).text).toContain('We gave up on 2 events');
  const since = /action="[^"]+\/redeliver".*?name="since" value="([^"]+)"/.exec(text)?.[1] ?? '';
  await browser.submit(`${path}/redeliver`, { since }, path);
  posts.length = 0;
  now = Date.now();
  await after(8);
  expect(arrived(opened)).toEqual([0, 1]);
  expect(await givenUp(opened)).toBe(0);
  expect((await browser.get(path)).text).not.toContain('aufgegeben');
});
