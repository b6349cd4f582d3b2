import { newId } from '../../src/platform/ids';
import {
  callApi,
  expectProblem,
  holdProduct,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { idAt, insertRow, madeAt } from '../support/rows';
import { expect, test, vi } from '../support/test';
import { rows, subscribe } from '../support/world';

const DAY = 86_400_000;
const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' };

interface OrderFacts {
  at: string;
  status: string;
  cents: number;
  deletedAt?: number;
}

async function putOrder({ orgId, shopId }: OrganizationApi, { at, status, cents, deletedAt }: OrderFacts) {
  const time = Date.parse(at);
  await insertRow('orders', {
    ...{ id: idAt(time), org_id: orgId, shop_id: shopId, status, payment_status: 'pending', total_cents: cents },
    ...{ deleted_at: deletedAt, ...madeAt(time) },
  });
}

async function putRequest(
  { orgId, shopId }: OrganizationApi,
  { at, status, decidedAfterSeconds }: { at: string; status: string; decidedAfterSeconds?: number },
) {
  const time = Date.parse(at);
  const decided_at = decidedAfterSeconds === undefined ? null : time + decidedAfterSeconds * 1000;
  const own = { id: idAt(time), org_id: orgId, shop_id: shopId, ...madeAt(time) };
  await insertRow('order_requests', { ...own, status, decided_at });
}

async function putDelivery(
  { orgId: org_id }: OrganizationApi,
  subscription_id: string,
  { at, status }: { at: string; status: string },
) {
  const [created_at, event_id] = [Date.parse(at), newId()];
  await insertRow('events', { id: event_id, org_id, type: 'order_deleted', created_at });
  await insertRow('deliveries', { id: idAt(created_at), org_id, event_id, subscription_id, status, created_at });
}

function askSummary(api: OrganizationApi, query: Record<string, string> = NOVEMBER) {
  return callApi(api, 'GET', '/reports/summary', { query });
}

async function summaryOf(api: OrganizationApi, query?: Record<string, string>) {
  return succeeded(await askSummary(api, query));
}

const ORDERS: OrderFacts[] = [
  { at: '2026-10-31T23:59:59.999Z', status: 'delivered', cents: 100_000 },
  { at: '2026-11-01T00:00:00.000Z', status: 'delivered', cents: 1000 },
  { at: '2026-11-01T12:00:00.000Z', status: 'delivered', cents: 1 },
  { at: '2026-11-01T23:59:59.999Z', status: 'awaiting_packing', cents: 2050 },
  { at: '2026-11-02T00:00:00.000Z', status: 'cancelled', cents: 9900 },
  { at: '2026-11-02T10:00:00.000Z', status: 'returned', cents: 5000 },
  { at: '2026-11-02T10:00:00.000Z', status: 'picked_up', cents: 25 },
  { at: '2026-11-15T10:00:00.000Z', status: 'cancelled', cents: 1, deletedAt: 1 },
  { at: '2026-11-30T23:59:59.999Z', status: 'shipped', cents: 500 },
  { at: '2026-12-01T00:00:00.000Z', status: 'delivered', cents: 100_000 },
];

test('orders are counted by day and status from the first millisecond to the last; turnover leaves out what came to nothing', async () => {
  const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
  for (const order of ORDERS) await putOrder(api, order);
  await putOrder(other, { at: '2026-11-10T10:00:00Z', status: 'delivered', cents: 777_700 });
  expect(await summaryOf(api)).toMatchObject({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-30T23:59:59.999Z',
    orders: [
      { day: '2026-11-01', status: 'awaiting_packing', count: 1 },
      { day: '2026-11-01', status: 'delivered', count: 2 },
      { day: '2026-11-02', status: 'cancelled', count: 1 },
      { day: '2026-11-02', status: 'picked_up', count: 1 },
      { day: '2026-11-02', status: 'returned', count: 1 },
      { day: '2026-11-30', status: 'shipped', count: 1 },
    ],
    turnover: 35.76,
  });
});

test('a period of one day is that day', async ({ api }) => {
  for (const order of ORDERS) await putOrder(api, order);
  const summary = await summaryOf(api, { from: '2026-11-30', to: '2026-11-30' });
  expect(summary.orders).toEqual([{ day: '2026-11-30', status: 'shipped', count: 1 }]);
  expect(summary.turnover).toBe(5);
});

test('an organization in which nothing happened', async ({ api }) => {
  expect(await summaryOf(api)).toEqual({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-30T23:59:59.999Z',
    orders: [],
    turnover: 0,
    order_requests: {},
    median_review_seconds: null,
    low_stock: [],
    webhooks: { delivered: 0, exhausted: 0, success_rate: null },
  });
});

test('requests are counted by where they stand, those of the period and the organization alone', async () => {
  const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
  const days = ['2026-11-01T00:00:00.000Z', '2026-11-15T10:00:00Z', '2026-11-30T23:59:59.999Z'];
  for (const at of days) await putRequest(api, { at, status: 'pending' });
  for (const status of ['approved', 'approved', 'rejected', 'deleted']) {
    await putRequest(api, { at: '2026-11-03T10:00:00Z', status });
  }
  for (const at of ['2026-10-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z']) {
    await putRequest(api, { at, status: 'approved' });
  }
  await putRequest(other, { at: '2026-11-03T10:00:00Z', status: 'approved' });
  expect((await summaryOf(api)).order_requests).toEqual({ pending: 3, approved: 2, rejected: 1, deleted: 1 });
});

test('the median review time is that of the requests of the period that were decided, the lower of two', async ({
  api,
}) => {
  const seconds = [300, 60, 120, 4000];
  expect((await summaryOf(api)).median_review_seconds).toBeNull();
  for (const [count, expected] of [300, 60, 120, 120].entries()) {
    const status = count % 2 === 0 ? 'approved' : 'rejected';
    await putRequest(api, { at: '2026-11-03T10:00:00Z', status, decidedAfterSeconds: seconds[count] });
    await putRequest(api, { at: '2026-11-03T10:00:00Z', status: 'pending' });
    await putRequest(api, { at: '2026-10-03T10:00:00Z', status: 'approved', decidedAfterSeconds: 1 });
    await putRequest(api, { at: '2026-12-03T10:00:00Z', status: 'approved', decidedAfterSeconds: 9_999 });
    expect((await summaryOf(api)).median_review_seconds).toBe(expected);
  }
});

test('low stock is what lies below its own threshold, else below the organization’s, the least first', async () => {
  const [api, other] = [await openOrganizationApi({ low_stock_threshold: 10 }), await openOrganizationApi()];
  const hold = async (stock: number, threshold?: number, unit?: 'g') => {
    const { p1_id } = await holdProduct(api, { stock, unit });
    if (threshold !== undefined) {
      succeeded(await callApi(api, 'PATCH', `/inventory/${p1_id}`, { body: { low_stock_threshold: threshold } }));
    }
    return p1_id;
  };
  const below = await hold(9);
  await hold(10);
  await hold(9, 9);
  const ownBelow = await hold(49, 50, 'g');
  const empty = await hold(0);
  await hold(0, 0);
  await holdProduct(other, { stock: 1 });
  expect((await summaryOf(api)).low_stock).toEqual([
    { p1_id: empty, unit: 'piece', stock_quantity: 0, threshold: 10 },
    { p1_id: below, unit: 'piece', stock_quantity: 9, threshold: 10 },
    { p1_id: ownBelow, unit: 'g', stock_quantity: 49, threshold: 50 },
  ]);
});

test('webhook success is the share of the runs of the period that ended well, over all subscriptions', async () => {
  const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
  const subscriptions = [
    await subscribe(api.orgId, 'https://a.example.com/'),
    await subscribe(api.orgId, 'https://b.example.com/'),
  ].map(({ subscriptionId }) => subscriptionId);
  const [first = '', second = ''] = subscriptions;
  await putDelivery(api, first, { at: '2026-11-01T00:00:00.000Z', status: 'succeeded' });
  await putDelivery(api, second, { at: '2026-11-30T23:59:59.999Z', status: 'succeeded' });
  await putDelivery(api, second, { at: '2026-11-10T10:00:00Z', status: 'succeeded' });
  await putDelivery(api, first, { at: '2026-11-10T10:00:00Z', status: 'exhausted' });
  for (const status of ['pending', 'delivering', 'held', 'cancelled']) {
    await putDelivery(api, first, { at: '2026-11-10T10:00:00Z', status });
  }
  for (const at of ['2026-10-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z']) {
    await putDelivery(api, first, { at, status: 'exhausted' });
  }
  const { subscriptionId } = await subscribe(other.orgId, 'https://c.example.com/');
  await putDelivery(other, subscriptionId, { at: '2026-11-10T10:00:00Z', status: 'exhausted' });
  expect((await summaryOf(api)).webhooks).toEqual({ delivered: 3, exhausted: 1, success_rate: 0.75 });
  // A subscription that is gone takes no history with it.
  await rows('update subscriptions set deleted_at = 1 where id = ?', second);
  expect((await summaryOf(api)).webhooks).toEqual({ delivered: 3, exhausted: 1, success_rate: 0.75 });
});

test('without a period it is the last 30 days up to now', async ({ api }) => {
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now);
  for (const [ago, cents] of [
    [1, 1],
    [30 * DAY, 20],
    [30 * DAY + 1, 300],
    [0, 4_000],
  ] as const) {
    await putOrder(api, { at: new Date(now - ago).toISOString(), status: 'shipped', cents });
  }
  expect(await summaryOf(api, {})).toMatchObject({
    from: new Date(now - 30 * DAY).toISOString(),
    to: new Date(now - 1).toISOString(),
    turnover: 0.21,
  });
});

test('from alone goes up to now, to alone back 30 days', async ({ api }) => {
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now);
  const from = new Date(now - 3 * DAY).toISOString().slice(0, 10);
  expect(await summaryOf(api, { from })).toMatchObject({
    from: `${from}T00:00:00.000Z`,
    to: new Date(now - 1).toISOString(),
  });
  expect(await summaryOf(api, { to: '2026-11-30' })).toMatchObject({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-30T23:59:59.999Z',
  });
});

test('what is no period is refused', async ({ api }) => {
  for (const query of [
    { from: 'yesterday' },
    { to: '2026-02-30' },
    { from: '2026-11-01T00:00:00Z' },
    { from: '' },
    { from: '2026-11-02', to: '2026-11-01' },
    { from: '2999-01-01' },
    { from: '2026-01-01', to: '2027-01-02' },
  ] as Record<string, string>[])
    expectProblem(await askSummary(api, query), 400, 'validation_failed');
});

test('366 days are a period', async ({ api }) => {
  const summary = await summaryOf(api, { from: '2026-01-01', to: '2027-01-01' });
  expect(summary).toMatchObject({ from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T23:59:59.999Z' });
});
