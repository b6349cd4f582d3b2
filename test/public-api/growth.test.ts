import { eventCursor } from '../../src/wire/cursors';
import { DAY_MS, happened, stockUp } from '../support/big';
import { type Cost, costOf, warm } from '../support/cost';
import { approve, openRequest, orderBody, patchOrder, upsert } from '../support/order-flow';
import { callApi, holdProduct, type OrganizationApi, openOrganizationApi, succeeded } from '../support/organization';
import { expect, test } from '../support/test';
import { rows } from '../support/world';

/** The cost of a call does not grow with what is stored beside what it is about: each is counted at two sizes. */

/** Noise of an index's end: the row behind the last one is looked at. */
const SLACK = 12;
/** Of a small and of a large organization. */
const SIZES = [100, 5_000] as const;

function linesOf(run: string, count: number) {
  return Array.from({ length: count }, (_, at) => ({
    p1_id: `${run}-${String(at * 7).padStart(5, '0')}`,
    quantity: 1,
    price: 1,
  }));
}

async function approvalCost(api: OrganizationApi, run: string, count: number): Promise<Cost> {
  const id = await openRequest(api, { items: linesOf(run, count) });
  await warm(api);
  return costOf(async () => succeeded(await approve(api, id)));
}

/** Every other command that moves stock, on a product of the run. */
const COMMANDS: [string, (api: OrganizationApi, run: string) => Promise<() => Promise<unknown>>][] = [
  [
    'cancelling an order',
    async (api, run) => {
      const id = await orderOf(api, run);
      return async () => succeeded(await patchOrder(api, id, { status: 'cancelled', reason_code: 'test' }));
    },
  ],
  [
    'an upsert that changes the lines',
    async (api, run) => {
      const body = orderBody(api, {
        items: linesOf(run, 3).map(({ quantity, ...line }) => ({ ...line, qty: quantity })),
      });
      succeeded(await upsert(api, body), 201);
      const items = linesOf(run, 5).map(({ quantity, ...line }) => ({ ...line, qty: quantity }));
      return async () => succeeded(await upsert(api, { ...body, items }));
    },
  ],
  [
    'a count of stock',
    async (api, run) => async () =>
      succeeded(await callApi(api, 'PATCH', `/inventory/${run}-00007`, { body: { stock_quantity: 0 } })),
  ],
];

async function orderOf(api: OrganizationApi, run: string): Promise<string> {
  const id = await openRequest(api, { items: linesOf(run, 5) });
  return succeeded(await approve(api, id)).order_id;
}

test('a command reads as much in a large organization as in a small one, an approval at most 37 rows a line', async () => {
  const costs = [];
  for (const size of SIZES) {
    const api = await openOrganizationApi();
    const run = await stockUp(api, size);
    const [one, eleven] = [await approvalCost(api, run, 1), await approvalCost(api, run, 11)];
    expect(one.rowsRead).toBeLessThanOrEqual(105);
    expect((eleven.rowsRead - one.rowsRead) / 10).toBeLessThanOrEqual(37);
    const read: Record<string, number> = { 'an approval': eleven.rowsRead };
    for (const [name, prepare] of COMMANDS) {
      const command = await prepare(api, run);
      await warm(api);
      read[name] = (await costOf(command)).rowsRead;
      expect([name, Math.max(300, read[name])]).toEqual([name, 300]);
    }
    costs.push(read);
  }
  const [small = {}, large = {}] = costs;
  for (const [name, rowsRead] of Object.entries(large)) {
    expect([name, Math.max(SLACK, Math.abs(rowsRead - (small[name] ?? 0)))]).toEqual([name, SLACK]);
  }
});

test('the total of a shop’s products is exact after each write and is not counted for each page', async ({ api }) => {
  await stockUp(api, SIZES[0]);
  await warm(api);
  const shop = { shop_id: api.shopId };
  const list = async () => succeeded(await callApi(api, 'GET', '/products', { query: { ...shop, limit: 20 } }));
  const small = await costOf(list);
  await stockUp(api, SIZES[1]);
  const large = await costOf(list);
  expect(large.rowsRead).toBeLessThanOrEqual(3 * 20 + SLACK);
  expect(Math.abs(large.rowsRead - small.rowsRead)).toBeLessThanOrEqual(SLACK);
  const { p1_id } = await holdProduct(api);
  const total = async () => (await list()).pagination.total;
  const before = await total();
  expect(before).toBe(SIZES[0] + SIZES[1]);
  for (const shop_id of [api.shopId, api.otherShopId, api.shopId]) {
    succeeded(await callApi(api, 'POST', '/shops/attach-product', { body: { shop_id, p1_id } }));
  }
  expect(await total()).toBe(before + 1);
  succeeded(await callApi(api, 'POST', '/shops/detach-product', { body: { ...shop, p1_id } }));
  succeeded(await callApi(api, 'POST', '/shops/detach-product', { body: { ...shop, p1_id } }));
  expect(await total()).toBe(before);
  succeeded(await callApi(api, 'POST', '/shops/attach-product', { body: { ...shop, p1_id } }));
  succeeded(await callApi(api, 'DELETE', `/inventory/${p1_id}`));
  expect(await total()).toBe(before);
});

test('the events feed reads what it gives, however many older events there are', async ({ api }) => {
  const now = Date.now();
  await happened(api.orgId, 15_000, { from: now - 34 * DAY_MS, to: now - 31 * DAY_MS });
  await happened(api.orgId, 1_000, { from: now - 29 * DAY_MS, to: now });
  await warm(api);
  const page = (query: Record<string, string | number>) => async () =>
    succeeded(await callApi(api, 'GET', '/events', { query }));
  const first = await page({ limit: 200 })();
  expect(first.data).toHaveLength(200);
  const [oldest] = await rows<{ id: string }>(
    'select id from events where org_id = ? and created_at >= ? order by seq limit 1',
    api.orgId,
    now - 30 * DAY_MS,
  );
  expect(first.data[0].id).toBe(oldest?.id);
  expect((await costOf(page({ limit: 200 }))).rowsRead).toBeLessThanOrEqual(10_300);
  expect((await costOf(page({ limit: 200, cursor: first.next_cursor }))).rowsRead).toBeLessThanOrEqual(220);
  // A cursor that somebody kept for too long is no worse than none.
  expect((await costOf(page({ limit: 200, cursor: eventCursor(1) }))).rowsRead).toBeLessThanOrEqual(10_300);
}, 120_000);
