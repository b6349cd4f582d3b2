import { afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids';
import { faultyDatabase } from '../support/faults';
import { outsideAnswers } from '../support/outbound';
import { announceEvent, deliveriesOf, leaveNothing, newReceiverUrl, sweepAt } from '../support/webhooks';
import { openPharmacy, rows, subscribe } from '../support/world';

afterEach(leaveNothing);

// The first run of all also writes the check value of the keys.
beforeAll(async () => {
  await sweepAt(0);
});

const LEASE = 60_000;
const GRACE = 5_000;

/** Deliveries that wait, so many to each of some subscriptions. */
async function openWaiting(subscriptions: number, ofEach: number) {
  const { orgId } = await openPharmacy();
  for (let count = 0; count < subscriptions; count += 1) await subscribe(orgId, newReceiverUrl(), ['order_deleted']);
  for (let count = 0; count < ofEach; count += 1) {
    await announceEvent({ type: 'order_deleted', orgId, metadata: { order_id: newId() } });
  }
}

test('a message goes out even if its mark cannot be written; the next run sends it once more', async () => {
  await openWaiting(3, 2);
  const now = Date.now() + GRACE;
  // What is to be done is read in the first batch.
  const { DB } = faultyDatabase({ batch: 2, how: 'is not carried out, an error that is not sent again' });
  expect(await sweepAt(now, { DB })).toHaveLength(6);
  expect(await sweepAt(now + 1_000)).toHaveLength(6);
  expect(await sweepAt(now + 2_000)).toEqual([]);
});

test('a queue that takes nothing marks nothing as sent for longer than a lease', async () => {
  await openWaiting(2, 1);
  const broken = { sendBatch: () => Promise.reject(new Error('queue is down')) } as unknown as Queue;
  const now = Date.now() + GRACE;
  expect(await sweepAt(now, { WEBHOOK_DELIVERIES: broken })).toEqual([]);
  expect(await sweepAt(now + LEASE)).toHaveLength(2);
});

/** Something to do for each part of a sweep, each with a subscription of its own. @returns which parts were done */
async function openParts() {
  const { orgId } = await openPharmacy();
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    ids.push((await subscribe(orgId, newReceiverUrl(), ['order_deleted'])).subscriptionId);
  }
  await announceEvent({ type: 'order_deleted', orgId, metadata: { order_id: newId() } });
  const now = Date.now();
  const [, leased, failing, unready, recovering] = ids;
  await rows(
    "update deliveries set status = 'delivering', attempt_count = 1, lease_until = 1 where subscription_id = ?",
    leased,
  );
  await rows("update deliveries set status = 'held' where subscription_id in (?, ?)", failing, unready);
  await rows("update deliveries set status = 'exhausted' where subscription_id = ?", recovering);
  const hold = `update subscriptions set status = 'holding', hold_reason = ?, held_since = ?, next_probe_at = ? where id = ?`;
  await rows(hold, 'receiver_failing', now, now, failing);
  await rows(hold, 'secret_unreadable', now, null, unready);
  await rows(
    `update subscriptions set recover_failed_after = '0', recover_after = 0, recover_since = 0, recover_until = ?1,
      recover_started_at = ?1 where id = ?2`,
    now + 1,
    recovering,
  );
  return async (enqueued: readonly { id: string }[]) => {
    const runs = await deliveriesOf(orgId);
    const of = (id = '') => runs.filter(({ subscription_id }) => subscription_id === id);
    const isEnqueued = (id = '') => of(id).some((run) => enqueued.some((message) => message.id === run.id));
    return {
      due: isEnqueued(ids[0]),
      leased: isEnqueued(leased),
      failing: isEnqueued(failing),
      unready: isEnqueued(unready),
      recovering: isEnqueued(recovering),
    };
  };
}

test('a part of a run that fails keeps no other from being done', async () => {
  outsideAnswers();
  const all = { due: true, leased: true, failing: true, unready: true, recovering: true };
  const now = () => Date.now() + GRACE;
  const open = await openParts();
  const { DB, sizes } = faultyDatabase(null);
  expect(await open(await sweepAt(now(), { DB }))).toEqual(all);
  const failed: string[] = [];
  for (let batch = 2; batch <= sizes.length; batch += 1) {
    await leaveNothing();
    const done = await openParts();
    const fault = faultyDatabase({ batch, how: 'is not carried out, an error that is not sent again' });
    const parts = await done(await sweepAt(now(), { DB: fault.DB }));
    const undone = Object.entries(parts).flatMap(([part, isDone]) => (isDone ? [] : [part]));
    expect(undone.length, `batch ${batch}`).toBeLessThanOrEqual(1);
    failed.push(...undone);
  }
  // Each part but the first failed once: the messages of that go out before its write.
  expect(new Set(failed)).toEqual(new Set(['leased', 'failing', 'unready', 'recovering']));
});
