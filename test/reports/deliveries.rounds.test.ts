import { withDatabase } from '../../src/platform/context';
import { firstIdAt } from '../../src/platform/ids';
import { summarize } from '../../src/reports/summary';
import { sumDeliveries } from '../../src/reports/sweep';
import { redeliver } from '../../src/webhooks/log/log';
import { pauseSubscription, resumeSubscription } from '../../src/webhooks/subscriptions/subscriptions';
import { consumeDeliveries, sweepDeliveries } from '../../src/webhooks/sweep';
import { DAY_MS, happened } from '../support/big';
import { cronAt } from '../support/invocations';
import { moveTo, openRich } from '../support/moving';
import { staffContext } from '../support/order-flow';
import { callApi, signedTokenFor, succeeded } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { doctoredDb } from '../support/probe';
import { rounds } from '../support/rounds';
import { seeded } from '../support/seeded';
import { beforeEach, expect, test, vi } from '../support/test';
import { deliver, deliveriesOf, newReceiverUrl, openSubscribed, submitForDelivery } from '../support/webhooks';
import { ONE_DATABASE, rows, rowsIn, subscribe, systemContext } from '../support/world';

const HOUR_MS = 3_600_000;
const ACTS = rounds(120, 400);
const A_DAY = rounds(100, 1_450);

let tests = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  // Ids never go back in time: each test begins after what the last one made.
  tests += 1;
  vi.setSystemTime(Date.now() + tests * 30 * DAY_MS);
});
interface Ended {
  delivered: number;
  exhausted: number;
}

async function summaryOf(orgId: string, from: number, to: number) {
  const { ctx } = staffContext(orgId, 'owner', { env: ONE_DATABASE });
  const { delivered, exhausted } = (await summarize(ctx, { from, to })).deliveries;
  expect(ctx.db.meter.roundTrips).toBe(1);
  return { counts: { delivered, exhausted }, rowsRead: ctx.db.meter.rowsRead };
}

/** The same, from every delivery. */
async function countOf(orgId: string, from: number, to: number, shard = 0): Promise<Ended> {
  const [counts] = await rowsIn<Ended>(
    shard,
    `select coalesce(sum(status = 'succeeded'), 0) as delivered, coalesce(sum(status = 'exhausted'), 0) as exhausted
     from deliveries where org_id = ? and id >= ? and id < ?`,
    orgId,
    firstIdAt(from),
    firstIdAt(to),
  );
  return counts as Ended;
}

/** One run of the job. @returns what it cost */
async function sum(changed: Partial<Env> = {}) {
  const { ctx } = systemContext({ env: changed });
  await sumDeliveries(ctx);
  return ctx.db.meter;
}

async function totalsOf(orgId: string, shard = 0) {
  return rowsIn<Ended & { summed_until: number }>(
    shard,
    'select * from delivery_totals where org_id = ? order by starts_at',
    orgId,
  );
}

test('a summary reads rows by its days, not its deliveries', async ({ subscribed: { pharmacy, subscriptionId } }) => {
  const today = Date.now() - (Date.now() % DAY_MS);
  vi.setSystemTime(today + 13 * HOUR_MS);
  for (let ago = 34; ago >= 0; ago -= 1) {
    const from = today - ago * DAY_MS + 9 * HOUR_MS;
    const status = ago % 5 === 0 ? 'exhausted' : 'succeeded';
    await happened(pharmacy.orgId, A_DAY, { from, to: from + 2 * HOUR_MS, subscriptionId, status });
  }
  // As the cron does each hour.
  for (let runs = 0; runs < 8; runs += 1) await cronAt('2026-11-23T12:02:00Z', ONE_DATABASE);
  const [from, to] = [today - 34 * DAY_MS, today + DAY_MS];
  const { counts, rowsRead } = await summaryOf(pharmacy.orgId, from, to);
  expect(counts).toEqual({ delivered: 28 * A_DAY, exhausted: 7 * A_DAY });
  expect(rowsRead).toBeLessThanOrEqual(500);
  const month = await summaryOf(pharmacy.orgId, Date.now() - 30 * DAY_MS, Date.now());
  expect(month.counts).toEqual(await countOf(pharmacy.orgId, Date.now() - 30 * DAY_MS, Date.now()));
  expect(month.rowsRead).toBeLessThanOrEqual(500);
  // With nothing to add the job reads a few rows of each organization.
  expect((await sum(ONE_DATABASE)).rowsRead).toBeLessThanOrEqual(20);
  await rows('analyze');
  expect((await sum(ONE_DATABASE)).rowsRead).toBeLessThanOrEqual(20);
  // Deliveries end after 35 days, figures do not.
  await rows('delete from delivery_attempts');
  await rows('delete from deliveries where org_id = ?', pharmacy.orgId);
  expect((await summaryOf(pharmacy.orgId, from, to)).counts).toEqual(counts);
}, 120_000);

test('at any time, whatever was held, retried or redelivered in between, a summary is what a count of all deliveries gives', async () => {
  // From there on the parts of a day change soon, whenever the test runs.
  vi.setSystemTime(Date.now() - (Date.now() % DAY_MS) + 20 * HOUR_MS);
  const opened = await openSubscribed();
  const { orgId } = opened.pharmacy;
  const other = await subscribe(orgId, newReceiverUrl());
  const random = seeded(20_261_201);
  const below = (count: number) => Math.floor(random() * count);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const began = Date.now();
  const owner = () => staffContext(orgId, 'owner').ctx;
  const subscriptionOf = () => one([opened.subscriptionId, other.subscriptionId]);
  outsideAnswers(() => new Response(null, { status: one([204, 204, 204, 204, 500, 500, 500, 500, 410]) }));
  const post = async () => {
    const pending = (await deliveriesOf(orgId)).filter(({ status }) => status === 'pending');
    await deliver(pending.slice(0, 20).map(({ id }) => id));
  };
  const acts: (() => Promise<unknown>)[] = [
    () => submitForDelivery(opened),
    () => submitForDelivery(opened),
    post,
    post,
    () => pauseSubscription(owner(), subscriptionOf()).catch(() => undefined),
    () => resumeSubscription(owner(), subscriptionOf()).catch(() => undefined),
    () => resumeSubscription(owner(), subscriptionOf()).catch(() => undefined),
    async () => redeliver(owner(), one(await deliveriesOf(orgId)).id).catch(() => undefined),
    () => sweepDeliveries(systemContext().ctx),
    () => sum(),
    () => sum(),
    async () => vi.setSystemTime(Date.now() + below(5 * HOUR_MS)),
    async () => vi.setSystemTime(Date.now() + below(70 * 60_000)),
  ];
  await submitForDelivery(opened);
  for (let count = 0; count < ACTS; count += 1) {
    await one(acts)();
    if (count % 10 > 0) continue;
    const [now, within] = [Date.now() + 1, began + below(Date.now() - began)];
    for (const [from, to] of [
      [began - DAY_MS, now],
      [began - (began % DAY_MS), within],
      [within, now],
      [within - (within % DAY_MS), within - (within % DAY_MS) + DAY_MS],
      [within - (within % HOUR_MS), within - (within % HOUR_MS) + 5 * HOUR_MS],
    ] as const) {
      const { counts } = await summaryOf(orgId, from, to);
      expect(counts, `act ${count}, ${from} to ${to}`).toEqual(await countOf(orgId, from, to));
    }
  }
  const totals = await totalsOf(orgId);
  const late = (await deliveriesOf(orgId)).filter(({ id, finished_at, status }) => {
    return (
      status !== 'cancelled' && (finished_at ?? 0) > Number.parseInt(id.slice(0, 13).replace('-', ''), 16) + 4 * HOUR_MS
    );
  });
  const all = await countOf(orgId, 0, Date.now());
  expect(totals.length).toBeGreaterThan(rounds(1, 5));
  expect(late.length).toBeGreaterThan(rounds(5, 20));
  expect(Math.min(all.delivered, all.exhausted)).toBeGreaterThan(10);
}, 120_000);

test('a run adds a bounded number of hours, and the next ones the rest; each is added once, though D1 runs it twice', async () => {
  const { pharmacy, subscriptionId } = await openSubscribed();
  const { orgId } = pharmacy;
  const from = Date.now() - (Date.now() % HOUR_MS);
  await happened(orgId, 60, { from, to: from + 30 * HOUR_MS, subscriptionId });
  vi.setSystemTime(from + 31.9 * HOUR_MS);
  const DB = doctoredDb(async (_, send) => {
    await send();
    return send();
  });
  const added: number[] = [];
  for (let runs = 0; runs < 4; runs += 1) {
    const { statements, rowsRead } = await sum({ ...ONE_DATABASE, DB });
    expect(statements).toBeLessThanOrEqual(24);
    expect(rowsRead).toBeLessThanOrEqual(24 * 40);
    added.push((await totalsOf(orgId)).reduce((before, { delivered }) => before + delivered, 0));
    expect((await summaryOf(orgId, from, Date.now())).counts).toEqual({ delivered: 60, exhausted: 0 });
  }
  // Two of each hour; the last hour is not quiet yet.
  expect(added).toEqual([24, 48, 58, 58]);
});

test('a move takes the totals along, and what ends there is added there', async () => {
  const rich = await openRich();
  const began = Date.now() - DAY_MS;
  vi.setSystemTime(Date.now() + 4 * HOUR_MS);
  await sum();
  const before = await totalsOf(rich.orgId);
  expect(before).toMatchObject([{ delivered: 5 }, { delivered: 0 }]);
  expect(await moveTo(rich.orgId, 1)).toMatchObject({ state: 'done', shard: 1 });
  expect(await totalsOf(rich.orgId, 1)).toEqual(before);
  outsideAnswers();
  const { ctx } = systemContext();
  const waiting = await rowsIn<{ id: string }>(
    1,
    "select id from deliveries where org_id = ? and status = 'pending'",
    rich.orgId,
  );
  await consumeDeliveries(
    withDatabase(ctx, ctx.databases.at(1)),
    waiting.map(({ id }) => id),
  );
  const { delivered } = await countOf(rich.orgId, began, Date.now(), 1);
  expect(delivered).toBeGreaterThan(0);
  expect((await totalsOf(rich.orgId, 1)).map((total) => total.delivered)).toEqual([5, delivered]);
  rich.token = await signedTokenFor(rich);
  expect(succeeded(await callApi(rich, 'GET', '/reports/summary')).webhooks).toMatchObject({ delivered });
}, 60_000);
