import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '../../src/app';
import { readConfig } from '../../src/platform/config';
import { newId } from '../../src/platform/ids';
import { idToken } from '../../src/platform/mac';
import { sumDeliveries } from '../../src/reports/sweep';
import { newExport, recordKey } from '../../src/restore/organization/record';
import { type Browser, enter } from '../management/browser';
import { DAY_MS } from '../support/big';
import { callApi, succeeded } from '../support/organization';
import { accepted } from '../support/probe';
import { Restoring } from '../support/restore';
import { rounds } from '../support/rounds';
import { openSeller, type Seller } from '../support/seller';
import { BASE, call, envelope, OPERATOR_TOKEN, rows, submit, subscribe, systemContext } from '../support/world';
import { explain } from './explain';
import { fill } from './fill';
import { indexSearch } from './index-search';
import { recordingDb, type Sent } from './recorder';
import { type Ids, VISITS, type Visit } from './routes';

/**
 * What a page or call reads does not grow with the organization: every table is filled to the proportions of so many orders,
 * every GET route is asked, and what it reads is compared with its budget, the same for each size. Once without what SQLite's
 * planner learns of the tables, and by `npm run proof` once with it.
 */
const ORDERS = rounds(4_000, 100_000);

/** A bound for what hangs: so many rows take minutes, more where the machine is busy. */
const FILL_MS = 900_000;

/** Of a page, its session included. */
const PAGE_TRIPS = 3;
/** That the session was used. */
const PAGE_WRITTEN = 1;
/** Rows that an order request with its events and a token may read, together. */
const WRITE = 60;

interface Grown {
  seller: Seller;
  browser: Browser;
  subscriptionIds: string[];
  memberId: string;
  /** Somebody else. */
  colleagueId: string;
}

let large: Grown;
let ids: Ids;
/** Every statement that the service sent while it was walked through. */
const statements = new Map<string, Sent>();

beforeAll(async () => {
  large = await grow(ORDERS);
  const small = await grow(ORDERS / 8);
  // What the hourly job adds to the totals in the 35 days that deliveries are kept.
  const { ctx } = systemContext();
  for (let run = 0; run < (35 * 24) / 12; run += 1) await sumDeliveries(ctx);
  for (const orgId of [large.seller.orgId, small.seller.orgId]) await indexSearch(ctx, orgId);
  ids = await idsOf(large);
}, FILL_MS);

async function grow(orders: number): Promise<Grown> {
  const seller = await openSeller();
  const subscriptionIds: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const url = `https://hooks-${n}.example.com/`;
    subscriptionIds.push((await subscribe(seller.orgId, url, ['product_updated'])).subscriptionId);
  }
  const { browser, email } = await enter(seller.orgId, 'owner');
  const idAt = async (address: string) =>
    (await rows<{ id: string }>('select id from members where email = ?', address))[0]?.id ?? '';
  const memberId = await idAt(email);
  const colleagueId = await idAt((await enter(seller.orgId, 'staff')).email);
  await fill({ ...seller, subscriptionIds, memberId }, orders);
  return { seller, browser, subscriptionIds, memberId, colleagueId };
}

async function idsOf({ seller, subscriptionIds, colleagueId }: Grown): Promise<Ids> {
  const { orgId, shopId, otherShopId, host } = seller;
  const one = async (query: string, ...values: unknown[]) => {
    const [row] = await rows<{ id: string }>(query, ...values);
    return row?.id ?? '';
  };
  const newest = (table: string, where = 'true') =>
    one(`select id from ${table} where org_id = ? and ${where} order by id desc limit 1`, orgId);
  const restoring = new Restoring(Date.now());
  await restoring.before();
  const [counted] = await rows<{ n: number }>('select listed_count as n from shops where id = ?', shopId);
  return {
    ...{ orgId, shopId, otherShopId, host, subscriptions: subscriptionIds, member: colleagueId },
    restore: restoring.id,
    exported: await putExport(orgId),
    leavingToken: await idToken({ config: readConfig(env) }, 'organization end', orgId),
    order: await newest('orders', 'order_request_id is not null'),
    packing: await newest('orders', `order_request_id is not null and status = 'awaiting_packing'`),
    ready: await newest('orders', `order_request_id is not null and status = 'ready_pickup'`),
    owing: await newest('orders', 'expected_on is not null'),
    request: await newest('order_requests', `status = 'approved'`),
    sent: await sendTwo(seller),
    pending: await one(
      `select id from order_requests where org_id = ? and status = 'pending' order by id limit 1`,
      orgId,
    ),
    importId: await one('select id from inventory_imports where org_id = ? order by id limit 1', orgId),
    product: await one('select p1_id as id from inventory where org_id = ? order by p1_id limit 1', orgId),
    customer: await newest('customers'),
    delivery: await one(
      'select id from deliveries where subscription_id = ? order by id desc limit 1',
      subscriptionIds[0],
    ),
    key: await newest('api_keys', 'revoked_at is null'),
    integrationKey: await newest('api_keys', `revoked_at is null and scopes like '%external_orders.submit%'`),
    event: await newest('events'),
    prescription: await newest('prescriptions'),
    optOutToken: await idToken({ config: readConfig(env) }, 'email opt-out', await newest('emails')),
    payToken: await idToken({ config: readConfig(env) }, 'payment link', await newest('payment_links')),
    listed: counted?.n ?? 0,
  };
}

/** A file without parts of the organization, which is being ended. @returns its id */
async function putExport(orgId: string): Promise<string> {
  const [id, at] = [newId(), Date.now()];
  const of = { id, org_id: orgId, public_key: '', status: 'ready', fence: at } as const;
  const { record } = newExport({ ...of, sha256: '', ended_at: at, is_own: true });
  await env.FILES.put(recordKey({ org_id: orgId, id }), JSON.stringify(record));
  const ends = {
    v: 1,
    org_id: orgId,
    export_id: id,
    state: 'waiting',
    began_at: at,
    confirmed_at: at,
    erased_at: null,
  };
  await env.FILES.put(`exports/ends/${orgId}`, JSON.stringify(ends));
  return id;
}

/** Two requests of the seller's platform with one reference, the first of which was rejected. @returns the id of the second */
async function sendTwo(seller: Seller): Promise<string> {
  const external_reference = 'RX-sent';
  const first = await accepted(await submit(seller, envelope({}, { external_reference })));
  succeeded(await callApi(seller, 'POST', `/order-requests/${first.id}/reject`, { body: { reason_code: 'test' } }));
  const other = envelope({ customer_name: 'Max' }, { external_reference });
  return (await accepted(await submit(seller, other))).id;
}

/** Always empty. */
const EMPTY = ['guards'];

test('every table has rows, so that none is forgotten when one is added', async () => {
  const tables = await rows<{ name: string }>(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'
      and name not like '\\_cf%' escape '\\' and name not in ('d1_migrations', 'search_words')`,
  );
  const empty: string[] = [];
  for (const { name } of tables) {
    if ((await rows(`select 1 from "${name}" limit 1`)).length === 0) empty.push(name);
  }
  expect(empty).toEqual(EMPTY);
});

test('every GET route has a budget', () => {
  const routes = app.routes.filter(({ method }) => method === 'GET').map(({ path }) => path.replace(/(?<=.)\/$/, ''));
  expect(Object.keys(VISITS).toSorted()).toEqual([...new Set(routes)].toSorted());
});

const WITHOUT = 'without statistics';

describe.each(rounds([WITHOUT], [WITHOUT, 'with statistics']))('%s', (name) => {
  beforeAll(async () => {
    // What another file has left is gone with its tables.
    if (name === 'with statistics') await rows('analyze');
    // The isolate has heard of the key and the organization.
    succeeded(await callApi(large.seller, 'GET', '/shops'));
  });

  test('each page and call keeps to its budget', async () => {
    const over: string[] = [];
    for (const [route, visitsOf] of Object.entries(VISITS)) {
      for (const visit of visitsOf(ids)) {
        const { status, sent } = await ask(route, visit);
        const read = sent.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
        // Shown when the test fails.
        console.log(`${read} of ${visit.rows} rows: ${visit.path}`);
        for (const each of sent) statements.set(each.sql, each);
        if (status !== (visit.status ?? 200)) over.push(`${visit.path}: status ${status}`);
        if (read > visit.rows) over.push(`${visit.path}: ${read} rows instead of ${visit.rows}`);
        if (!visit.path.startsWith('/manage')) continue;
        const trips = Math.max(0, ...sent.map(({ trip }) => trip));
        const written = sent.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
        if (trips > (visit.trips ?? PAGE_TRIPS)) over.push(`${visit.path}: ${trips} round trips`);
        if (written > (visit.written ?? PAGE_WRITTEN)) over.push(`${visit.path}: ${written} rows written`);
      }
    }
    expect(over).toEqual([]);
  });

  test('an order request and a token read no more rows than in a small organization', async () => {
    const { DB, sent } = recordingDb();
    const env = { DB, DB_1: undefined };
    const { seller } = large;
    expect((await submit(seller, envelope(), env)).status).toBe(200);
    const tokenUrl = `${BASE}/api/v2/public/orgs/${seller.orgId}/auth/token`;
    const headers = { 'X-API-Key': seller.apiKey };
    expect((await call(tokenUrl, { method: 'POST', headers }, env)).status).toBe(200);
    for (const each of sent) statements.set(each.sql, each);
    expect(sent.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThanOrEqual(WRITE);
  });

  test('what erasing a person reads is what the person has', async () => {
    const [person] = await rows<{ id: string }>(
      `select customer_id as id from orders where org_id = ? and status = 'delivered' and erased_at is null
        group by customer_id having count(*) = 2 and max(created_at) < ? limit 1`,
      ids.orgId,
      Date.now() - 20 * DAY_MS,
    );
    const { DB, sent } = recordingDb();
    const env = { DB, DB_1: undefined };
    succeeded(await callApi({ ...large.seller, env }, 'DELETE', `/customers/${person?.id}`));
    for (const each of sent) statements.set(each.sql, each);
    // Beside that: the requests that wait, one in 200, some times.
    expect(sent.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThanOrEqual(2_000 + (8 * ORDERS) / 200);
  });

  test('no statement reads a whole table, or all of an organization', async () => {
    expect(statements.size).toBeGreaterThan(80);
    const faults: string[] = [];
    for (const sent of statements.values()) faults.push(...(await explain(sent)));
    expect([...new Set(faults)]).toEqual([]);
  });
});

/** One request, as whoever may ask it. */
async function ask(route: string, { path }: Visit): Promise<{ status: number; sent: Sent[] }> {
  const { DB, sent } = recordingDb();
  const env = { DB, DB_1: undefined };
  const { seller, browser } = large;
  if (path.startsWith('/manage')) {
    browser.env = env;
    const { status } = await browser.get(path);
    return { status, sent };
  }
  const base = route.startsWith('/shop/') ? `http://${seller.host}:8787` : BASE;
  const token = path.startsWith('/api/v2') ? seller.token : OPERATOR_TOKEN;
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(path.startsWith('/api/v1') && { apikey: seller.integrationKey }),
  };
  const response = await call(`${base}${path}`, { headers }, env);
  await response.arrayBuffer();
  return { status: response.status, sent };
}
