import { beforeEach, expect, test } from 'vitest';
import { enter } from '../management/browser';
import { DAY_MS, happened } from '../support/big';
import { cronAt } from '../support/invocations';
import { doctoredDb } from '../support/probe';
import { openSubscribed, type Subscribed } from '../support/webhooks';
import { rows } from '../support/world';

// Each test starts with an empty log: what it counts is its own.
beforeEach(async () => {
  await rows('delete from delivery_attempts');
  await rows('delete from deliveries');
  await rows('delete from events');
});

const now = Date.now();
const OLD = { from: now - 40 * DAY_MS, to: now - 36 * DAY_MS };
const YOUNG = { from: now - 34 * DAY_MS, to: now };

interface Spent {
  statements: number;
  rowsRead: number;
  /** The most rows that one statement changed. */
  changesMax: number;
}

/** One minute's cron, other than the hourly one. @returns what D1 did for it */
async function cron(refuse: (trip: number) => boolean = () => false): Promise<Spent> {
  const spent: Spent = { statements: 0, rowsRead: 0, changesMax: 0 };
  const DB = doctoredDb(async (trip, send) => {
    if (refuse(trip)) throw new Error('D1_ERROR: internal error; reference = 0');
    const results = await send();
    for (const { meta } of results) {
      spent.statements += 1;
      spent.rowsRead += meta.rows_read;
      spent.changesMax = Math.max(spent.changesMax, meta.changes);
    }
    return results;
  });
  const at = new Date(now);
  at.setUTCHours(3, 30, 0, 0);
  await cronAt(at.getTime(), { DB });
  return spent;
}

async function count(table: 'events' | 'deliveries' | 'delivery_attempts', before = now + DAY_MS): Promise<number> {
  const time = table === 'delivery_attempts' ? 'started_at' : 'created_at';
  const [row] = await rows<{ n: number }>(`select count(*) as n from ${table} where ${time} < ?`, before);
  return row?.n ?? 0;
}

async function opened(old: number, young: number): Promise<Subscribed> {
  const subscribed = await openSubscribed();
  const { pharmacy, subscriptionId } = subscribed;
  if (old > 0) await happened(pharmacy.orgId, old, { ...OLD, subscriptionId });
  if (young > 0) await happened(pharmacy.orgId, young, { ...YOUNG, subscriptionId });
  return subscribed;
}

test('events, deliveries and attempts end after 35 days; what is younger stays', async () => {
  await opened(300, 200);
  await cron();
  for (const table of ['events', 'deliveries', 'delivery_attempts'] as const) {
    expect([table, await count(table, now - 35 * DAY_MS), await count(table)]).toEqual([table, 0, 200]);
  }
});

test('the newest event of each organization stays, however old: the next one is numbered after it', async () => {
  await opened(300, 0);
  await opened(20, 0);
  const newest = await rows('select org_id, max(seq) as seq from events group by org_id order by org_id');
  expect(newest).toHaveLength(2);
  await cron();
  expect(await rows('select org_id, seq from events order by org_id')).toEqual(newest);
});

test('a run ends a bounded part, and the next ones the rest; no statement changes more than a few thousand rows', async () => {
  await opened(5_000, 10);
  const left: number[] = [];
  for (let runs = 0; runs < 4; runs += 1) {
    const { statements, changesMax } = await cron();
    expect(statements).toBeLessThan(100);
    expect(changesMax).toBeLessThanOrEqual(4_000);
    left.push(await count('events', now - 35 * DAY_MS));
  }
  expect(left[0]).toBeGreaterThan(0);
  // 100,000 orders a day with five events each are 350 a minute.
  expect(5_000 - (left[0] ?? 0)).toBeGreaterThanOrEqual(700);
  expect(left.at(-1)).toBe(0);
}, 120_000);

test('what a run reads grows with what it ends, not with what is kept', async () => {
  // What the checks of each minute read.
  const idle = await cron();
  await opened(200, 1_000);
  const small = await cron();
  expect(await count('events', now - 35 * DAY_MS)).toBe(0);
  await opened(200, 20_000);
  const large = await cron();
  expect(await count('events', now - 35 * DAY_MS)).toBe(0);
  expect(large.rowsRead - idle.rowsRead).toBeLessThanOrEqual(200 * 40);
  expect(Math.abs(large.rowsRead - small.rowsRead)).toBeLessThanOrEqual(20);
  expect((await cron()).rowsRead - idle.rowsRead).toBeLessThanOrEqual(30);
}, 120_000);

test('a run that dies in between has ended whole events, and the next goes on', async () => {
  await opened(1_500, 10);
  await cron((trip) => trip > 4);
  const half = await count('events', now - 35 * DAY_MS);
  expect(half).toBeGreaterThan(0);
  expect(half).toBeLessThan(1_500);
  expect(await count('deliveries', now - 35 * DAY_MS)).toBe(half);
  expect(await count('delivery_attempts', now - 35 * DAY_MS)).toBe(half);
  await cron();
  expect(await count('events', now - 35 * DAY_MS)).toBe(0);
});

test('an old event that was delivered once more within a day stays until reports have counted that', async () => {
  const { pharmacy, subscriptionId } = await openSubscribed();
  await happened(pharmacy.orgId, 1, { ...OLD, subscriptionId });
  await happened(pharmacy.orgId, 1, YOUNG);
  const deliveredAt = (time: number) => rows('update deliveries set created_at = ?', time);
  await deliveredAt(now - DAY_MS + 60_000);
  await cron();
  expect(await count('deliveries')).toBe(1);
  await deliveredAt(now - DAY_MS - 60_000);
  await cron();
  expect(await count('deliveries')).toBe(0);
});

test('what is under way is left alone; what waited for 35 days ends and the audit log says so, once a day', async () => {
  const { pharmacy, subscriptionId } = await openSubscribed();
  const at = { ...OLD, subscriptionId };
  await happened(pharmacy.orgId, 3, { ...at, status: 'held' });
  await happened(pharmacy.orgId, 1, { ...at, status: 'delivering' });
  await rows("update deliveries set lease_until = ? where status = 'delivering'", now + 60_000);
  // Asked for just now, for an old event.
  await happened(pharmacy.orgId, 1, { ...at, status: 'pending' });
  await rows("update deliveries set created_at = ? where status = 'pending'", now);
  await happened(pharmacy.orgId, 1, { ...YOUNG, subscriptionId, status: 'held' });
  await cron();
  const left = await rows<{ status: string }>('select status from deliveries order by status');
  expect(left.map(({ status }) => status)).toEqual(['delivering', 'held', 'pending']);
  await happened(pharmacy.orgId, 2, { ...at, status: 'held' });
  await happened(pharmacy.orgId, 1, YOUNG);
  await cron();
  expect(await count('deliveries')).toBe(3);
  const told = await rows(
    "select actor_kind, entity_id from audit_log where action = 'subscription.deliveries_expired'",
  );
  expect(told).toEqual([{ actor_kind: 'system', entity_id: subscriptionId }]);
  const { browser } = await enter(pharmacy.orgId, 'owner');
  expect((await browser.get('/manage/settings/audit?tab=all')).text).toContain('die 35 Tage gewartet hatten');
});

test('what has ended is neither shown nor sent once more: 404, and the pages around it work', async () => {
  const { pharmacy, subscriptionId } = await opened(3, 1);
  const [gone] = await rows<{ id: string }>('select id from deliveries order by id limit 1');
  await cron();
  const { browser } = await enter(pharmacy.orgId, 'owner');
  const path = `/manage/settings/webhooks/${subscriptionId}`;
  expect((await browser.get(`${path}/deliveries/${gone?.id}`)).status).toBe(404);
  expect((await browser.submit(`${path}/deliveries/${gone?.id}/redeliver`, {}, path)).status).toBe(404);
  for (const page of [path, `${path}?filter=failed`, '/manage/reports', '/manage/settings/audit']) {
    expect([page, (await browser.get(page)).status]).toEqual([page, 200]);
  }
});
