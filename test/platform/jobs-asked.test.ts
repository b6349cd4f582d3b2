import { env } from 'cloudflare:workers';
import { beforeEach, expect, test, vi } from 'vitest';
import { DAY_MS, happened } from '../support/big';
import { eventually } from '../support/eventually.ts';
import { queueBrings, queueTo, scheduledAt } from '../support/invocations';
import { reject, request } from '../support/person';
import { captureLogs } from '../support/probe';
import { openSeller } from '../support/seller';
import { newReceiverUrl } from '../support/webhooks';
import { envelope, rows, rowsIn, submit, subscribe } from '../support/world';

/** For each test another night, since a database is gone through once a night. */
let nights = 8;
beforeEach(() => {
  nights += 1;
});

const at = (hour: number, minute: number) => new Date(Date.now() + nights * DAY_MS).setUTCHours(hour, minute, 0, 0);
const message = (time: number, shard = 0) => ({ v: 1, shard, time });

/** A request that the night after the next week erases. @returns whether that has happened */
async function openRejected(shard = 0) {
  const seller = await openSeller({ shard, request_retention_days: 7 });
  const id = await request(seller, envelope().payload);
  await reject(seller, id);
  const erased = () =>
    rowsIn(shard, 'select erased_at from order_requests where id = ?', id).then(([row]) => row?.erased_at !== null);
  return { seller, erased };
}

/** A database with something to do for its jobs: to erase, to add up, to end, to send again. */
async function openBusy() {
  const { seller, erased } = await openRejected();
  const { subscriptionId } = await subscribe(seller.orgId, newReceiverUrl());
  await submit(seller, envelope());
  const night = at(2, 2);
  await happened(seller.orgId, 40, {
    from: night - 40 * DAY_MS,
    to: night - 36 * DAY_MS,
    subscriptionId,
    status: 'held',
  });
  await happened(seller.orgId, 90, { from: night - DAY_MS / 2, to: night - DAY_MS / 4, subscriptionId });
  vi.useFakeTimers({ toFake: ['Date'], now: night });
  captureLogs();
  return { orgId: seller.orgId, night, erased };
}

const audited = (orgId: string, action: string) =>
  rows('select 1 from audit_log where org_id = ? and action = ?', orgId, action).then(({ length }) => length);

async function expectDoneOnce(orgId: string) {
  expect(await audited(orgId, 'retention.erased')).toBe(1);
  expect(await audited(orgId, 'subscription.deliveries_expired')).toBe(1);
  const [totals] = await rows('select sum(delivered) as n from delivery_totals where org_id = ?', orgId);
  expect(totals).toEqual({ n: 90 });
}

test('copies of a message at the same moment do once what one of them does', async () => {
  const { orgId, night, erased } = await openBusy();
  await Promise.all(Array.from({ length: 4 }, () => queueBrings('jobs', [message(night)])));
  expect(await erased()).toBe(true);
  await expectDoneOnce(orgId);
});

test('a message that comes late asks for the jobs of its own minute', async () => {
  const { erased } = await openRejected();
  captureLogs();
  vi.useFakeTimers({ toFake: ['Date'], now: at(3, 0) });
  await queueBrings('jobs', [message(at(0, 59))]);
  expect(await erased()).toBe(false);
  vi.setSystemTime(at(11, 0));
  await queueBrings('jobs', [message(at(1, 0))]);
  expect(await erased()).toBe(true);
});

test('deletions that are paused while a message is on its way are not done', async () => {
  const { erased } = await openRejected();
  captureLogs();
  vi.useFakeTimers({ toFake: ['Date'], now: at(2, 0) });
  await queueBrings('jobs', [message(at(2, 0))], { DELETIONS: 'paused' as Env['DELETIONS'] });
  expect(await erased()).toBe(false);
  await queueBrings('jobs', [message(at(2, 0))]);
  expect(await erased()).toBe(true);
});

test('with the queue down the cron does the jobs of every database itself', async () => {
  const opened = [await openRejected(0), await openRejected(1)];
  const { lines } = captureLogs();
  const JOBS = { sendBatch: () => Promise.reject(new Error('Queue is away')) } as unknown as Queue<unknown>;
  vi.useFakeTimers({ toFake: ['Date'], now: at(2, 0) });
  await scheduledAt(at(2, 0), { JOBS });
  for (const { erased } of opened) expect(await erased()).toBe(true);
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ level: 'error', event: 'jobs_not_enqueued', count: 3 }),
  );
});

test('the cron itself asks no database: it sends a message for each one, and one for the jobs of all together', async () => {
  const { erased } = await openRejected();
  const bodies: unknown[] = [];
  vi.useFakeTimers({ toFake: ['Date'], now: at(2, 0) });
  await scheduledAt(at(2, 0), { JOBS: queueTo((batch) => bodies.push(...batch)) });
  expect(bodies).toEqual([message(at(2, 0)), message(at(2, 0), 1), { v: 1, shard: null, time: at(2, 0) }]);
  expect(await erased()).toBe(false);
});

test('what the cron sends arrives: the queue and its consumer are those of wrangler.toml', async () => {
  const opened = [await openRejected(0), await openRejected(1)];
  vi.useFakeTimers({ toFake: ['Date'], now: at(2, 0) });
  await scheduledAt(at(2, 0), { JOBS: env.JOBS });
  for (const { erased } of opened) await eventually(async () => expect(await erased()).toBe(true));
});

test('malformed messages, and those of a database that is not bound, are acknowledged and logged; the others are done', async () => {
  const { erased } = await openRejected();
  const { lines } = captureLogs();
  const time = at(2, 0);
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  const malformed = [
    null,
    'x',
    [],
    {},
    { v: 2, shard: 0, time },
    { v: 1, shard: -1, time },
    { v: 1, shard: 0.5, time },
  ];
  const unknown = [
    { v: 1, shard: 9, time },
    { v: 1, shard: 0 },
    { v: 1, shard: 0, time: '2026-01-01' },
  ];
  const result = await queueBrings('jobs', [...malformed, ...unknown, message(time)]);
  expect(result).toMatchObject({ outcome: 'ok', ackAll: true, retryBatch: { retry: false }, retryMessages: [] });
  expect(await erased()).toBe(true);
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ event: 'malformed_message', count: malformed.length + unknown.length }),
  );
});
