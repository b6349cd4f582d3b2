import { actingAs } from '../../src/platform/context';
import { firstIdAt, newId } from '../../src/platform/ids';
import { listDeliveries, readHealth, readSubscription } from '../../src/webhooks/log/log';
import { openOrganization } from '../support/operator';
import { insertRow, insertRows, quoted, rowsOf } from '../support/rows';
import { expect, test } from '../support/test';
import { openSubscribed, type Subscribed } from '../support/webhooks';
import { rows, subscribe, systemContext } from '../support/world';

const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR = 3_600_000;

interface Made {
  status?: string;
  trigger?: string;
  /** Hours ago. */
  hours?: number;
  attempts?: { ms: number; http?: number; failure?: string }[];
}

/** Writes deliveries as they are stored, the oldest first. */
async function make({ pharmacy, subscriptionId }: Subscribed, deliveries: Made[]): Promise<void> {
  const [org_id, event_id] = [pharmacy.orgId, `event-${subscriptionId}`];
  if ((await rowsOf('events', { id: event_id })).length === 0) {
    await insertRow('events', { id: event_id, org_id, created_at: NOW });
  }
  for (const [index, { status, trigger, hours = 1, attempts = [] }] of deliveries.entries()) {
    const at = NOW - hours * HOUR;
    const id = `${firstIdAt(at).slice(0, 24)}${String(index).padStart(6, '0')}${subscriptionId.slice(-6)}`;
    const hasEnded = status === undefined || status === 'succeeded' || status === 'exhausted';
    await insertRow('deliveries', {
      ...{ id, org_id, event_id, subscription_id: subscriptionId, trigger, status, attempt_count: attempts.length },
      ...{ created_at: at, finished_at: hasEnded ? at + 500 : null },
    });
    for (const [n, { ms, http, failure }] of attempts.entries()) {
      const how = { started_at: at, duration_ms: ms, http_status: http, failure_class: failure };
      await insertRow('delivery_attempts', { delivery_id: id, attempt: n + 1, trigger, ...how });
    }
  }
}

/** 10,000 deliveries that wait for an hour and were not tried. */
async function makeWaiting({ pharmacy, subscriptionId }: Subscribed, status: 'pending' | 'held'): Promise<void> {
  await insertRows('deliveries', 10_000, {
    id: `'${firstIdAt(NOW - HOUR).slice(0, 24)}' || printf('%06x', i) || '${subscriptionId.slice(-6)}'`,
    ...{ org_id: quoted(pharmacy.orgId), event_id: quoted(`event-${subscriptionId}`), status: quoted(status) },
    ...{ subscription_id: quoted(subscriptionId), attempt_count: 0, created_at: NOW - HOUR },
  });
}

function owner(orgId: string) {
  const { ctx } = systemContext({ now: () => NOW });
  return actingAs(ctx, { kind: 'staff', memberId: 'm', orgId, role: 'owner' });
}

/** The last 24 hours, by how many hours ago something was attempted. */
function hoursWith(some: Record<number, { succeeded: number; failed: number }>) {
  return Array.from({ length: 24 }, (_, index) => some[23 - index] ?? { succeeded: 0, failed: 0 });
}

const accepted = (ms: number) => ({ ms, http: 200 });

test('the figures are those of the attempts of the last 24 hours: share accepted, times of answers, failures by how often', async () => {
  const subscribed = await openSubscribed();
  await make(subscribed, [
    { hours: 25, status: 'exhausted', attempts: [{ ms: 9_999, failure: 'dns' }] },
    {
      hours: 20,
      attempts: [{ ms: 10_000, failure: 'timeout' }, { ms: 300, http: 500, failure: 'http' }, accepted(100)],
    },
    ...Array.from({ length: 15 }, (_, n) => ({ hours: 10, attempts: [accepted(10 + n)] })),
    { hours: 9, status: 'exhausted', attempts: [{ ms: 400, http: 500, failure: 'http' }] },
    { hours: 8, status: 'exhausted', trigger: 'test', attempts: [{ ms: 1, failure: 'tls' }] },
    { hours: 3, status: 'pending', attempts: [{ ms: 0, failure: 'blocked' }] },
    { hours: 2, status: 'held' },
  ]);
  const [first] = await readHealth(owner(subscribed.pharmacy.orgId));
  expect(first?.subscription.id).toBe(subscribed.subscriptionId);
  expect(first?.health).toEqual({
    attempts: 20,
    succeeded: 16,
    hours: hoursWith({
      20: { succeeded: 1, failed: 2 },
      10: { succeeded: 15, failed: 0 },
      9: { succeeded: 0, failed: 1 },
      3: { succeeded: 0, failed: 1 },
    }),
    // Of 19 times the tenth and the nineteenth.
    p50Ms: 19,
    p95Ms: 10_000,
    lastSuccessAt: NOW - 10 * HOUR + 500,
    failures: [
      { failureClass: 'http', httpStatus: 500, count: 2 },
      expect.objectContaining({ count: 1 }),
      expect.objectContaining({ count: 1 }),
    ],
    waiting: 2,
    oldestWaitingAt: NOW - 3 * HOUR,
    givenUp: 0,
    givenUpSince: null,
    filtered: 0,
  });
});

test('a subscription without deliveries has no figures; those of others are not seen', async ({ subscribed }) => {
  await make(subscribed, [{ attempts: [accepted(10)] }]);
  const { orgId } = subscribed.pharmacy;
  await subscribe(orgId, 'https://second.example.com/');
  const both = await readHealth(owner(orgId));
  expect(both.map(({ health }) => health.attempts)).toEqual([1, 0]);
  expect(both[1]?.health).toEqual({
    attempts: 0,
    succeeded: 0,
    hours: hoursWith({}),
    p50Ms: null,
    p95Ms: null,
    lastSuccessAt: null,
    failures: [],
    waiting: 0,
    oldestWaitingAt: null,
    givenUp: 0,
    givenUpSince: null,
    filtered: 0,
  });
  const stranger = owner(await openOrganization());
  expect(await readHealth(stranger)).toEqual([]);
  const theirs = { subscriptionId: subscribed.subscriptionId, filter: { status: 'all' } as const };
  await expect(readSubscription(stranger, theirs)).rejects.toMatchObject({ code: 'subscription_not_found' });
});

test('what a receiver on hold is tried with is in the figures, however much waits behind it; rows read are bounded', async () => {
  const subscribed = await openSubscribed();
  await make(subscribed, [
    { hours: 5, status: 'exhausted', attempts: [{ ms: 20, http: 401, failure: 'http' }] },
    { hours: 4, status: 'held', attempts: [{ ms: 30, http: 401, failure: 'http' }] },
  ]);
  await makeWaiting(subscribed, 'held');
  const ctx = owner(subscribed.pharmacy.orgId);
  const [only] = await readHealth(ctx);
  expect(only?.health).toMatchObject({
    attempts: 2,
    failures: [{ failureClass: 'http', httpStatus: 401, count: 2 }],
    waiting: 1_000,
    oldestWaitingAt: NOW - 4 * HOUR,
  });
  expect(ctx.db.meter.roundTrips).toBe(1);
  expect(ctx.db.meter.rowsRead).toBeLessThanOrEqual(3_000);
});

test('what was accepted last is in the figures while a receiver that asked for time waits', async ({ subscribed }) => {
  await make(subscribed, [{ hours: 4, attempts: [accepted(30)] }]);
  await makeWaiting(subscribed, 'pending');
  const [only] = await readHealth(owner(subscribed.pharmacy.orgId));
  expect(only?.health).toMatchObject({
    attempts: 1,
    lastSuccessAt: NOW - 4 * HOUR + 500,
    waiting: 1_000,
    oldestWaitingAt: NOW - HOUR,
  });
});

test('the figures are those of the newest 500 deliveries; rows read are bounded', async ({ subscribed }) => {
  await make(subscribed, [
    ...Array.from({ length: 700 }, () => ({ hours: 3, attempts: [accepted(900)] })),
    ...Array.from({ length: 20 }, () => ({ hours: 2, status: 'exhausted', attempts: [{ ms: 5, failure: 'dns' }] })),
    ...Array.from({ length: 480 }, () => ({ hours: 1, attempts: [accepted(10)] })),
  ]);
  const ctx = owner(subscribed.pharmacy.orgId);
  const [only] = await readHealth(ctx);
  expect(only?.health).toMatchObject({
    attempts: 500,
    succeeded: 480,
    p50Ms: 10,
    p95Ms: 10,
    failures: [{ failureClass: 'dns', httpStatus: null, count: 20 }],
  });
  expect(ctx.db.meter.rowsRead).toBeLessThanOrEqual(4_000);
});

test('a page of the log reads what it shows, and not all that a filter could look through', async ({ subscribed }) => {
  await make(
    subscribed,
    Array.from({ length: 300 }, () => ({ attempts: [accepted(10)] })),
  );
  const ctx = owner(subscribed.pharmacy.orgId);
  const { subscriptionId } = subscribed;
  const first = await listDeliveries(ctx, { subscriptionId, filter: { status: 'all' } });
  expect(ctx.db.meter.rowsRead).toBeLessThanOrEqual(300);
  const { deliveries, nextBefore } = await listDeliveries(ctx, {
    filter: { status: 'all' },
    before: first.nextBefore,
    limit: 250,
  });
  expect([first.deliveries.length, deliveries.length, nextBefore]).toEqual([50, 250, undefined]);
});

test('the history tells every change of the status with its reason, newest first, and of the address alone', async () => {
  const { pharmacy, subscriptionId } = await openSubscribed();
  const acts: [string, string | null, string | null][] = [
    ['subscription.held', 'receiver_failing', null],
    ['subscription.tested', null, null],
    ['subscription.updated', null, '["event_types"]'],
    ['subscription.updated', null, '["url"]'],
    ['subscription.disabled', 'receiver_failing', null],
  ];
  for (const [index, [action, reason, fields]] of acts.entries()) {
    await rows(
      `insert into audit_log (id, org_id, at, actor_kind, action, entity_id, reason_code, fields, request_id)
       values (?, ?, ?, 'system', ?, ?, ?, ?, 'r')`,
      newId(),
      pharmacy.orgId,
      NOW + index,
      action,
      subscriptionId,
      reason,
      fields,
    );
  }
  const { history } = await readSubscription(owner(pharmacy.orgId), { subscriptionId, filter: { status: 'all' } });
  expect(history.map(({ action, reasonCode }) => [action, reasonCode])).toEqual([
    ['subscription.disabled', 'receiver_failing'],
    ['subscription.updated', null],
    ['subscription.held', 'receiver_failing'],
    ['subscription.created', null],
  ]);
});
