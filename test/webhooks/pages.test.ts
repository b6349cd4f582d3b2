import { afterEach, expect, test } from 'vitest';
import {
  deleteSubscription,
  pauseSubscription,
  resumeSubscription,
} from '../../src/webhooks/subscriptions/subscriptions';
import { sweepDeliveries } from '../../src/webhooks/sweep';
import { happened } from '../support/big';
import { staffContext } from '../support/order-flow';
import { outsideAnswers } from '../support/outbound';
import { doctoredDb } from '../support/probe';
import {
  announceEvent,
  deliver,
  leaveNothing,
  openSubscribed,
  PRODUCTION_SCHEDULE,
  sweepAt,
} from '../support/webhooks';
import { rows, systemContext } from '../support/world';

const MINUTE = 60_000;
/** More than two pages. */
const WAITING = 2_500;

afterEach(leaveNothing);

/** A subscription for which so many deliveries wait. */
async function open(status: 'active' | 'paused' | 'holding') {
  const opened = await openSubscribed(['order_deleted']);
  const { subscriptionId, pharmacy } = opened;
  const now = Date.now();
  const waits = status === 'active' ? 'pending' : 'held';
  await happened(pharmacy.orgId, WAITING, { from: now - 60 * MINUTE, to: now, subscriptionId, status: waits });
  await rows(
    `update subscriptions set status = ?, hold_reason = iif(?1 = 'holding', 'receiver_failing', null) where id = ?`,
    status,
    subscriptionId,
  );
  return { orgId: pharmacy.orgId, subscriptionId };
}

/** How many deliveries have each status, the oldest of each first. */
async function counted(subscriptionId: string) {
  const found = await rows<{ status: string; count: number }>(
    'select status, count(*) as count from deliveries where subscription_id = ? group by status order by min(id)',
    subscriptionId,
  );
  return found.map(({ status, count }) => [status, count]);
}

/** A database that tells the most rows that one of its batches wrote. */
function countingDatabase() {
  const most = { rows: 0 };
  const DB = doctoredDb(async (_, send) => {
    const results = await send();
    const written = results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
    most.rows = Math.max(most.rows, written);
    return results;
  });
  return { DB, most };
}

test.each([
  ['releases', 'paused', resumeSubscription, 'pending', 'held'],
  ['holds', 'active', pauseSubscription, 'held', 'pending'],
  ['cancels', 'active', deleteSubscription, 'cancelled', 'pending'],
] as const)(
  'a change of status that %s many deliveries moves a page of the oldest, the sweep the others, no batch more than one',
  async (_, status, change, becomes, was) => {
    const { orgId, subscriptionId } = await open(status);
    const { DB, most } = countingDatabase();
    await change(staffContext(orgId, 'owner', { env: { DB } }).ctx, subscriptionId);
    expect(await counted(subscriptionId)).toEqual([
      [becomes, 1_000],
      [was, WAITING - 1_000],
    ]);
    await sweepAt(Date.now(), { DB });
    expect(await counted(subscriptionId)).toEqual([[becomes, WAITING]]);
    expect(most.rows).toBeLessThanOrEqual(4_000);
    const { ctx } = systemContext();
    await sweepDeliveries(ctx);
    expect(ctx.db.meter.rowsWritten).toBeLessThanOrEqual(10);
  },
  60_000,
);

test('what is not held yet is not posted, but for the one that tries the receiver', async () => {
  const { subscriptionId } = await open('active');
  const posts = outsideAnswers(() => new Response(null, { status: 500 }));
  const now = Date.now();
  const [first] = await rows<{ id: string }>(
    'select id from deliveries where subscription_id = ? order by id',
    subscriptionId,
  );
  await rows(
    `update subscriptions set status = 'holding', hold_reason = 'receiver_failing', held_since = ?, next_probe_at = ?, is_settling = 1,
       is_healthy = 0 where id = ?`,
    now,
    now + 15 * MINUTE,
    subscriptionId,
  );
  const all = await rows<{ id: string }>('select id from deliveries where subscription_id = ?', subscriptionId);
  const ids = all.map(({ id }) => id).slice(0, 20);
  await deliver(ids, { now: () => now + MINUTE, env: PRODUCTION_SCHEDULE });
  expect(posts).toEqual([]);
  await sweepAt(Date.now());
  expect(await counted(subscriptionId)).toEqual([['held', WAITING]]);
  const probed = { now: () => now + 16 * MINUTE, env: PRODUCTION_SCHEDULE };
  const { ctx } = systemContext(probed);
  await sweepDeliveries(ctx);
  await deliver(ids, probed);
  expect(posts.map(({ headers }) => headers.get('X-Service-Delivery-Id'))).toEqual([first?.id]);
}, 60_000);

test('paused again in between, what was released is held again, and a new event waits with it', async () => {
  const { orgId, subscriptionId } = await open('paused');
  const { ctx } = staffContext(orgId, 'owner');
  await resumeSubscription(ctx, subscriptionId);
  await pauseSubscription(ctx, subscriptionId);
  await announceEvent({ type: 'order_deleted', orgId, metadata: { order_id: 'o' } });
  await sweepAt(Date.now());
  expect(await counted(subscriptionId)).toEqual([['held', WAITING + 1]]);
}, 60_000);
