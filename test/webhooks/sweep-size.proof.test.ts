import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids';
import { announceEvent, newReceiverUrl, sweepAt } from '../support/webhooks';
import { openPharmacy, rows, subscribe } from '../support/world';

const LEASE = 60_000;
const GRACE = 5_000;

// The first run of all also writes the check value of the keys.
beforeAll(async () => {
  await sweepAt(0);
});

/** Deliveries of one event to many subscriptions, more than an organization may have, so many to each. */
async function openMany(
  subscriptions: number,
  ofEach: number,
  columns: { status: string; attempts?: number; lease?: number },
) {
  const { orgId } = await openPharmacy();
  const { subscriptionId } = await subscribe(orgId, newReceiverUrl(), ['order_deleted']);
  await announceEvent({ type: 'order_deleted', orgId, metadata: { order_id: newId() } });
  await rows("update deliveries set status = 'cancelled' where org_id = ?", orgId);
  const ids = Array.from({ length: subscriptions }, newId);
  await rows(
    `insert into subscriptions (id, org_id, url, host, event_types, status, secret_ciphertext, created_at, updated_at)
     select made, org_id, url, host, event_types, status, secret_ciphertext, created_at, updated_at
     from subscriptions join (select value as made from json_each(?)) where id = ?`,
    JSON.stringify(ids),
    subscriptionId,
  );
  const made = ids.flatMap((of) => Array.from({ length: ofEach }, () => ({ id: newId(), of })));
  await rows(
    `insert into deliveries (id, org_id, event_id, subscription_id, priority, "trigger", status, attempt_count,
       next_attempt_at, lease_until, created_at)
     select made ->> 'id', org_id, event_id, made ->> 'of', 0, 'event', ?, ?, 0, ?, created_at
     from deliveries join (select value as made from json_each(?)) where org_id = ?`,
    columns.status,
    columns.attempts ?? 0,
    columns.lease ?? 0,
    JSON.stringify(made),
    orgId,
  );
  return { orgId, subscriptionOf: new Map(made.map(({ id, of }) => [id, of])) };
}

test('5,000 due deliveries a run, two of each subscription, none named twice within a lease', async () => {
  const { orgId, subscriptionOf } = await openMany(2_600, 3, { status: 'pending' });
  const start = Date.now() + GRACE;
  const runs = [];
  for (let run = 0; run < 3; run += 1) runs.push((await sweepAt(start + run * 29_000)).map(({ id }) => id));
  const [first = []] = runs;
  expect(runs.map(({ length }) => length)).toEqual([5_000, 2_700, 100]);
  expect(new Set(runs.flat()).size).toBe(7_800);
  for (const ids of runs) {
    const perSubscription = Map.groupBy(ids, (id) => subscriptionOf.get(id));
    expect(Math.max(...[...perSubscription.values()].map(({ length }) => length))).toBeLessThanOrEqual(2);
  }
  // Once the first messages must have come to nothing, they are sent again.
  const again = new Set((await sweepAt(start + LEASE)).map(({ id }) => id));
  expect(first.filter((id) => again.has(id))).toHaveLength(5_000);
  await rows("update deliveries set status = 'cancelled' where org_id = ?", orgId);
});

test('500 leases that ended are logged a run, the others by the next', async () => {
  const { orgId } = await openMany(310, 2, { status: 'delivering', attempts: 1, lease: 1 });
  const ended = async () => {
    const [row] = await rows<{ count: number }>(
      `select count(*) as count from delivery_attempts join deliveries on deliveries.id = delivery_id
       where org_id = ? and failure_class = 'interrupted'`,
      orgId,
    );
    return row?.count;
  };
  const now = Date.now();
  expect(await sweepAt(now)).toHaveLength(500);
  expect(await ended()).toBe(500);
  expect(await sweepAt(now + 1_000)).toHaveLength(120);
  expect(await ended()).toBe(620);
});
