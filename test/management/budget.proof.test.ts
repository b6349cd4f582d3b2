import { beforeAll, expect, test } from 'vitest';
import { sweepSearch } from '../../src/order-requests/search/search';
import { type Cost, costOf } from '../support/cost';
import { holdProduct } from '../support/organization';
import { insertRows, madeAt, quoted } from '../support/rows';
import { openSeller, type Seller } from '../support/seller';
import { ONE_DATABASE, rows, subscribe, systemContext } from '../support/world';
import { type Browser, enter, type Page } from './browser';

const REQUESTS = 10_000;
const DAYS = 60;
const DAY_MS = 86_400_000;
const ROUND_TRIPS = 3;
const BYTES_MAX = 60 * 1024;
const SEARCHED = 1_500;

let browser: Browser;
let ids: { pending: string; order: string };

/** Two organizations with equal data: what a page of one reads must not grow with the other's data. */
beforeAll(async () => {
  const [seller, other] = [await openSeller(), await openSeller()];
  await fill(seller);
  await fill(other);
  await subscribe(seller.orgId, 'https://a.example.com/');
  // A product of the catalog that changes is a change of every inbox.
  await rows('update catalog_products set price_cents = 100');
  ({ browser } = await enter(seller.orgId, 'owner'));
  browser.env = ONE_DATABASE;
  const one = async (query: string) => (await rows<{ id: string }>(query, seller.orgId))[0]?.id ?? '';
  ids = {
    pending: await one(`select id from order_requests where org_id = ? and status = 'pending' order by id limit 1`),
    order: await one('select id from orders where org_id = ? order by id desc limit 1'),
  };
  const { ctx } = systemContext();
  for (let left = REQUESTS; left > 0; left -= 1000) await sweepSearch(ctx);
  await rows('analyze');
}, 240_000);

/**
 * By plain SQL, a few statements per organization. Of each 10 requests 4 wait (one of them for an answer), 4 are
 * approved and 2 rejected.
 */
async function fill(seller: Seller): Promise<void> {
  const { orgId, shopId } = seller;
  const held = await holdProduct(seller, { stock: 9 });
  const at = `(${Date.now() - DAYS * DAY_MS} + i * ${Math.floor((DAYS * DAY_MS) / REQUESTS)})`;
  const hex = `printf('%012x', ${at})`;
  const idOf = (group: string) =>
    `(substr(${hex}, 1, 8) || '-' || substr(${hex}, 9) || '-7${group}-8000-${orgId.slice(-6)}' || printf('%06x', i))`;
  const own = { org_id: quoted(orgId), ...madeAt(at) };
  const item = {
    name: 'Ibuprofen 400 mg akut Filmtabletten 20 St',
    quantity: 2,
    priceCents: 495,
    p1Id: held.p1_id,
    prescriptionRequired: false,
  };
  const sold = {
    ...{ shop_id: quoted(shopId), items: quoted(JSON.stringify([item])), total_cents: 990 },
    ...{ customer_name: `'Wilhelmine-Charlotte Kundin ' || i`, customer_email: `'kundin' || i || '@example.com'` },
  };
  await insertRows('order_requests', REQUESTS, {
    ...{ id: idOf('000'), ...own, ...sold, source: `'telemed'`, external_reference: `'RX-' || i` },
    status: `case when i % 10 < 4 then 'pending' when i % 10 < 8 then 'approved' else 'rejected' end`,
    ...{ payload: `'{"payload":{}}'`, needs_info: 'i % 10 = 3', decided_at: `iif(i % 10 < 4, null, ${at} + 60000)` },
    order_id: `iif(i % 10 between 4 and 7, ${idOf('001')}, null)`,
  });
  const status = `iif(i % 10 < 5, 'awaiting_packing', 'delivered')`;
  await insertRows('orders', REQUESTS, { id: idOf('001'), ...own, ...sold, status });
  const file = { order_request_id: idOf('000'), status: `'stored'`, file_key: idOf('002'), sha256: `'x'` };
  await insertRows('prescriptions', REQUESTS, { id: idOf('002'), ...own, ...file }, 'i % 2 = 0');
}

const period = (days: number) => {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return `from=${day(Date.now() - days * DAY_MS)}&to=${day(Date.now())}`;
};

/**
 * Pages of what waits, of which there is far more here than test/growth has, by how many rows they may read: a page of a list
 * and what waits (140), the counts of the tabs (1,000 of each status), the hits of a search and what it counts of them,
 * a report's days and the requests of its period that wait (4,000); 17 to 40 totals make up 60 days, by their dates.
 */
const PAGES: [path: (of: typeof ids) => string, rowsRead: number][] = [
  [() => '/manage/requests', 8_000],
  [() => '/manage/requests?tab=needs_info', 8_000],
  [() => '/manage/requests?tab=approved', 8_000],
  [() => '/manage/requests?tab=rejected', 8_000],
  [() => '/manage/requests?q=kundin%2042', 8_000],
  [({ pending }) => `/manage/requests?after=${pending}`, 8_000],
  [({ pending }) => `/manage/requests/${pending}`, 3_500],
  [() => '/manage/search?q=kundin%2042', SEARCHED],
  [() => '/manage/search?q=kundin', SEARCHED],
  [() => '/manage/search?q=nirgends', SEARCHED],
  // A page, and up to 100 of each part, which are counted.
  [() => '/manage/orders', 800],
  [() => '/manage/orders?tab=waiting', 800],
  [() => '/manage/orders?tab=all&q=kundin%2042', SEARCHED + 800],
  [() => '/manage/orders?status=delivered', 800],
  [() => '/manage/orders?status=cancelled', 800],
  [() => '/manage/expected', 400],
  [({ order }) => `/manage/orders/${order}`, 400],
  [() => '/manage/reports', 8_000],
  [() => `/manage/reports?${period(60)}`, 10_000],
  [() => `/manage/reports/days.csv?${period(60)}`, 6_000],
  [() => `/manage/reports/products.csv?${period(60)}`, 700],
];

test(`with one database, ${REQUESTS} requests, as many orders and another organization as busy, each page keeps to its budget`, async () => {
  const over: [string, Cost & { bytes: number }][] = [];
  for (const [pathOf, rowsRead] of PAGES) {
    const path = pathOf(ids);
    let page: Page | undefined;
    const cost = await costOf(async () => {
      page = await browser.get(path);
    });
    const bytes = new TextEncoder().encode(page?.text).length;
    expect([path, page?.status]).toEqual([path, 200]);
    if (cost.roundTrips > ROUND_TRIPS || cost.rowsRead > rowsRead || cost.rowsWritten > 1 || bytes > BYTES_MAX) {
      over.push([path, { ...cost, bytes }]);
    }
  }
  expect(over).toEqual([]);
});
