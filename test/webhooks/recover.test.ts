import { afterEach, expect, test } from 'vitest';
import { firstIdAt, newId } from '../../src/platform/ids';
import { countUndelivered, recover } from '../../src/webhooks/recovery/recover';
import { happened } from '../support/big';
import { faultyDatabase } from '../support/faults';
import { staffContext } from '../support/order-flow';
import { leaveNothing, newReceiverUrl, sweepAt } from '../support/webhooks';
import { openPharmacy, rows, subscribe } from '../support/world';

afterEach(leaveNothing);

const HOUR = 3_600_000;

/**
 * A subscription that was made a day ago, and events of the last hours, one a second, none of which it got. With
 * `failed`, so many of the first ones have a delivery that ended without success; the others happened while it was disabled.
 */
async function openMissed(count: number, { failed = 0 } = {}) {
  const { orgId } = await openPharmacy();
  const { subscriptionId } = await subscribe(orgId, newReceiverUrl(), ['order_deleted']);
  const since = Date.now() - 3 * HOUR;
  await rows('update subscriptions set created_at = ? where id = ?', since - 24 * HOUR, subscriptionId);
  const events = Array.from({ length: count }, (_, index) => {
    const createdAt = since + index * 1000;
    return { id: `${firstIdAt(createdAt).slice(0, 14)}${newId().slice(14)}`, createdAt };
  });
  await rows(
    `insert into events (seq, id, org_id, type, body, is_test, created_at)
     select 1 + key, value ->> 'id', ?, 'order_deleted', '{"id":"' || (value ->> 'id') || '"}', 0, value ->> 'createdAt' from json_each(?)`,
    orgId,
    JSON.stringify(events),
  );
  await rows(
    `insert into deliveries (id, org_id, event_id, subscription_id, priority, "trigger", status, attempt_count,
       next_attempt_at, lease_until, created_at, finished_at)
     select value ->> 'id', ?, value ->> 'id', ?, 0, 'event', 'exhausted', 3, 0, 0, value ->> 'createdAt', 1 from json_each(?)`,
    orgId,
    subscriptionId,
    JSON.stringify(events.slice(0, failed)),
  );
  await rows(
    'update subscriptions set skipped_after = ?, skipped_until = ? where id = ?',
    failed,
    count,
    subscriptionId,
  );
  return { orgId, subscriptionId, since, eventIds: events.map(({ id }) => id) };
}

/** Which of the missed events are delivered again, as their places, in the order in which the deliveries are tried. */
async function recovered({ subscriptionId, eventIds }: Awaited<ReturnType<typeof openMissed>>): Promise<number[]> {
  const found = await rows<{ event_id: string }>(
    `select event_id from deliveries where subscription_id = ? and "trigger" = 'redelivery' order by id`,
    subscriptionId,
  );
  return found.map(({ event_id }) => eventIds.indexOf(event_id));
}

/** The places from one up to, but not including, another. */
function places(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

test('what failed and what happened while it was disabled is counted and delivered again, oldest first', async () => {
  const missed = await openMissed(8, { failed: 3 });
  const { orgId, subscriptionId, since } = missed;
  const { ctx, deliveriesEnqueued } = staffContext(orgId, 'owner');
  expect(await countUndelivered(ctx, { subscriptionId, since })).toMatchObject({ count: 8 });
  expect(await recover(ctx, { subscriptionId, since })).toEqual({ count: 8, isRunning: false });
  expect(await recovered(missed)).toEqual(places(0, 8));
  // As many messages as attempts may be under way; each that ends goes on with the next.
  expect(deliveriesEnqueued).toHaveLength(2);
});

test('more than a page: the first is enqueued at once, the sweep does the others, each event once', async () => {
  const missed = await openMissed(1_203, { failed: 700 });
  const { orgId, subscriptionId, since } = missed;
  const { ctx } = staffContext(orgId, 'owner');
  expect(await recover(ctx, { subscriptionId, since })).toEqual({ count: 1_203, isRunning: false });
  expect(await recovered(missed)).toEqual(places(0, 500));
  await sweepAt(Date.now());
  expect(await recovered(missed)).toEqual(places(0, 1_203));
  expect(await rows('select recover_after from subscriptions where id = ?', subscriptionId)).toEqual([
    { recover_after: null },
  ]);
});

test('only events since the time are counted and delivered again', async () => {
  const missed = await openMissed(10);
  const { orgId, subscriptionId, since } = missed;
  const { ctx } = staffContext(orgId, 'owner');
  const later = since + 4_000;
  expect(await recover(ctx, { subscriptionId, since: later })).toEqual({ count: 6, isRunning: false });
  expect(await recovered(missed)).toEqual(places(4, 10));
});

test('asked twice, or by two people at once, each event is delivered again once', async () => {
  const missed = await openMissed(620);
  const { orgId, subscriptionId, since } = missed;
  await Promise.all([1, 2, 3].map(() => recover(staffContext(orgId, 'owner').ctx, { subscriptionId, since })));
  await sweepAt(Date.now());
  expect((await recovered(missed)).toSorted((a, b) => a - b)).toEqual(places(0, 620));
  expect(await recover(staffContext(orgId, 'owner').ctx, { subscriptionId, since })).toEqual({
    count: 0,
    isRunning: false,
  });
});

test.each([2, 3])('a process that ends at batch %d loses no event: the sweep goes on', async (batch) => {
  const missed = await openMissed(620);
  const { orgId, subscriptionId, since } = missed;
  const { DB } = faultyDatabase({ batch, how: 'is not carried out, an error that is not sent again' });
  await recover(staffContext(orgId, 'owner', { env: { DB } }).ctx, { subscriptionId, since }).catch(() => undefined);
  const [begun] = await rows('select recover_after from subscriptions where id = ?', subscriptionId);
  if (begun?.recover_after === null) await recover(staffContext(orgId, 'owner').ctx, { subscriptionId, since });
  await sweepAt(Date.now());
  expect((await recovered(missed)).toSorted((a, b) => a - b)).toEqual(places(0, 620));
});

test.each([2, 3])('a page whose answer is lost, in batch %d, is not left out and not made twice', async (batch) => {
  const missed = await openMissed(1_100);
  const { orgId, subscriptionId, since } = missed;
  const { DB } = faultyDatabase({ batch, how: 'is carried out and its answer lost, a transient error' });
  await recover(staffContext(orgId, 'owner', { env: { DB } }).ctx, { subscriptionId, since });
  await sweepAt(Date.now());
  expect((await recovered(missed)).toSorted((a, b) => a - b)).toEqual(places(0, 1_100));
});

test('a subscription that is paused meanwhile goes on with what is left when it is resumed', async () => {
  const missed = await openMissed(620);
  const { orgId, subscriptionId, since } = missed;
  await recover(staffContext(orgId, 'owner').ctx, { subscriptionId, since });
  await rows("update subscriptions set status = 'paused' where id = ?", subscriptionId);
  await sweepAt(Date.now());
  expect(await recovered(missed)).toHaveLength(500);
  await rows("update subscriptions set status = 'active' where id = ?", subscriptionId);
  await sweepAt(Date.now());
  expect(await recovered(missed)).toEqual(places(0, 620));
});

test.each(['paused', 'holding', 'disabled'])('nothing is delivered again while it is %s', async (status) => {
  const missed = await openMissed(3);
  const { orgId, subscriptionId, since } = missed;
  await rows('update subscriptions set status = ? where id = ?', status, subscriptionId);
  const asked = recover(staffContext(orgId, 'owner').ctx, { subscriptionId, since });
  await expect(asked).rejects.toMatchObject({ code: 'not_redeliverable' });
  expect(await recovered(missed)).toEqual([]);
});

test('nothing of another organization, and no type that it has not subscribed to, is delivered again', async () => {
  const mine = await openMissed(3);
  const other = await openMissed(3);
  await rows("update events set type = 'low_stock' where id = ?", mine.eventIds[1]);
  const { subscriptionId, since } = mine;
  const asked = recover(staffContext(other.orgId, 'owner').ctx, { subscriptionId, since });
  await expect(asked).rejects.toMatchObject({ code: 'subscription_not_found' });
  expect(await recover(staffContext(mine.orgId, 'owner').ctx, { subscriptionId, since })).toEqual({
    count: 2,
    isRunning: false,
  });
  expect(await recovered(mine)).toEqual([0, 2]);
  expect(await recovered(other)).toEqual([]);
});

/** What was delivered around the three that failed. */
async function openFailedAmong(before: number, after: number) {
  const missed = await openMissed(3, { failed: 3 });
  const { orgId, subscriptionId, since } = missed;
  await happened(orgId, before, { from: since - HOUR / 2, to: since - 1, subscriptionId });
  // Numbers are those of the order of commits.
  await rows(
    'update events set seq = seq + 100000 where id in (select value from json_each(?))',
    JSON.stringify(missed.eventIds),
  );
  await happened(orgId, after, { from: since + 10_000, to: Date.now() - 1000, subscriptionId });
  return missed;
}

test('what failed is found however many events were delivered around it, and the cost is that of what failed', async () => {
  const missed = await openFailedAmong(21_000, 4_000);
  const { orgId, subscriptionId, since } = missed;
  const { ctx } = staffContext(orgId, 'owner');
  expect(await countUndelivered(ctx, { subscriptionId, since })).toMatchObject({ count: 3 });
  expect(await recover(ctx, { subscriptionId, since })).toEqual({ count: 3, isRunning: false });
  await sweepAt(Date.now());
  expect(await recovered(missed)).toEqual([0, 1, 2]);
  expect(ctx.db.meter.rowsRead).toBeLessThanOrEqual(2_500);
}, 60_000);

test('with an end, only events up to that are counted and delivered again', async () => {
  const missed = await openMissed(10, { failed: 6 });
  const { orgId, subscriptionId, since } = missed;
  const { ctx } = staffContext(orgId, 'owner');
  const asked = { subscriptionId, since: since + 2_000, until: since + 7_000 };
  expect(await countUndelivered(ctx, asked)).toMatchObject({ count: 6 });
  expect(await recover(ctx, asked)).toEqual({ count: 6, isRunning: false });
  await sweepAt(Date.now());
  expect(await recovered(missed)).toEqual(places(2, 8));
});

test('what failed once more while it is recovered is not taken again by the same recovery', async () => {
  const missed = await openMissed(1_200, { failed: 1_200 });
  const { orgId, subscriptionId, since } = missed;
  await recover(staffContext(orgId, 'owner').ctx, { subscriptionId, since });
  await rows(
    `update deliveries set status = 'exhausted' where subscription_id = ? and "trigger" = 'redelivery'`,
    subscriptionId,
  );
  await sweepAt(Date.now());
  await sweepAt(Date.now());
  expect(await recovered(missed)).toEqual(places(0, 1_200));
});
