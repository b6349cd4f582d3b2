import { expect, test } from 'vitest';
import { kept } from '../../src/management/ui/format';
import { Browser, enter, invite, PASSWORD, signIn } from '../management/browser';
import { follow, tickedOn } from '../management/page-forms';
import { allKeys } from '../support/files';
import { cronAt, queueBrings } from '../support/invocations';
import { API_SCOPES, callApi, importProduct, succeeded, tokenFor } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { newPerson, pdfOf } from '../support/person';
import { accepted } from '../support/probe';
import { rounds } from '../support/rounds';
import { IBAN } from '../support/seller';
import { call, databaseOf, envelope, operate, rowsIn, submit } from '../support/world';

const DAY = 86_400_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Each database has its own copy of the catalog, and `DB` the directory. */
const SHARED = ['catalog_products', 'directory', 'd1_migrations'];

/** Blocks of the catalog's list are a copy of it: they name products of organizations elsewhere. */
function isOfCatalog(table: string, row: string): boolean {
  return table === 'product_blocks' && JSON.parse(row).list_id === '';
}

/** Every row of a database, as text, by table. */
async function contentOf(shard: number): Promise<[table: string, row: string][]> {
  const db = databaseOf(shard);
  const { results: tables } = await db
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name <> 'search_words'",
    )
    .all<{ name: string }>();
  const found = await db.batch(tables.map(({ name }) => db.prepare(`select * from "${name}"`)));
  return tables.flatMap(({ name }, index) =>
    (found[index]?.results ?? []).map((row): [string, string] => [name, JSON.stringify(row)]),
  );
}

/** Onboards a pharmacy as the operator does. */
async function onboard(shard: number) {
  const fields = { name: 'Löwen-Apotheke', iban: IBAN, request_retention_days: 7 };
  const { org_id: orgId, ...made } = await operate<{ org_id: string; shard: number }>('/organizations', {
    ...fields,
    shard,
  });
  expect(made).toEqual({ shard, is_test: false });
  const [host, laterHost] = [`rx-${crypto.randomUUID()}.localhost`, `later-${crypto.randomUUID()}.localhost`];
  const { shop_id: shopId = '' } = await operate(`/organizations/${orgId}/shops`, { name: 'Mitte', hosts: [host] });
  await operate(`/organizations/${orgId}/shops/${shopId}/hosts`, { host: laterHost });
  const key = (name: string, scopes: readonly string[]) =>
    operate<{ api_key: string }>(`/organizations/${orgId}/api-keys`, { name, scopes });
  const { api_key: apiKey } = await key('erp', API_SCOPES);
  const { api_key: integrationKey } = await key('telemed', ['external_orders.submit']);
  const url = `http://${laterHost}:8787/api/v1/external-order`;
  const token = await tokenFor({ orgId, apiKey });
  return { orgId, shard, shopId, host, laterHost, url, integrationKey, apiKey, token };
}

/** An owner who takes up the invitation and signs in by e-mail in another browser. */
async function openOwner(orgId: string, name: string) {
  const { email, path } = await invite(orgId, 'owner');
  expect(await new Browser().submit(path, { name, password: PASSWORD })).toMatchObject({ status: 303 });
  const browser = new Browser();
  expect(await signIn(browser, email)).toMatchObject({ status: 303, location: '/manage' });
  return { email, browser };
}

test.each(rounds([1], [1, 0]))(
  'an organization lives its whole life on database %i, and the other one holds nothing of it but what leads to it',
  async (shard) => {
    const pharmacy = await onboard(shard);
    const { orgId, shopId } = pharmacy;
    const owner = await openOwner(orgId, 'Ada Öz');
    const pharmacist = await enter(orgId, 'pharmacist', 'Kim Öztürk', { shard });
    const [healthy, failing] = [
      `https://a-${crypto.randomUUID()}.example.com/`,
      `https://b-${crypto.randomUUID()}.example.com/`,
    ];
    const event_types = ['order_request_submitted', 'order_created', 'order_marked_paid'];
    for (const url of [healthy, failing]) await operate(`/organizations/${orgId}/subscriptions`, { url, event_types });
    const posts = outsideAnswers((post) => {
      const isFirst = posts.filter(({ url }) => url === post.url).length === 1;
      return new Response(null, { status: post.url === failing && isFirst ? 500 : 204 });
    });

    // Products, stock, what a shop sells and for how much.
    const product = await importProduct({ prescription_required: true });
    const item = { p1_id: product.p1_id, name: product.name, quantity: 2, price: 4.95 };
    const add = { p1_id: product.p1_id, initial_stock: 20 };
    succeeded(await callApi(pharmacy, 'POST', '/products/add-to-inventory', { body: add }), 201);
    const attach = { shop_id: shopId, p1_id: product.p1_id, overrides: { price: 2 } };
    succeeded(await callApi(pharmacy, 'POST', '/shops/attach-product', { body: attach }));
    expect((await owner.browser.get(`/manage/products/${product.p1_id}`)).text).toContain(product.name);

    // An order request with a PDF, sent twice, and its webhooks: at once, and by the queue where the receiver failed.
    const queued: unknown[] = [];
    const sendBatch = async (messages: { body: unknown }[]) => queued.push(...messages.map(({ body }) => body));
    // The second attempt may be made at once: a message may come 2 s early.
    const env = { WEBHOOK_DELIVERIES: { sendBatch } as unknown as Queue, RETRY_SCHEDULE_SECONDS: '0,1,1' };
    const person = newPerson();
    const body = envelope({ ...person, items: [item], prescription_pdf_base64: pdfOf(person) });
    const first = await accepted(await submit(pharmacy, body, env));
    const again = await submit(pharmacy, body);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect((await accepted(again)).id).toBe(first.id);
    expect(posts.map(({ url }) => url).sort()).toEqual([healthy, failing]);
    expect(queued).toMatchObject([{ v: 2, shard }]);
    await queueBrings('webhook-deliveries', queued);
    expect(posts.map(({ url }) => url).sort()).toEqual([healthy, failing, failing]);

    // Review on the pages: inbox, prescription, approval.
    const at = `/manage/requests/${first.id}`;
    const { browser } = pharmacist;
    expect((await browser.get('/manage/requests')).text).toContain(person.customer_name);
    const page = await browser.get(at);
    const [, prescriptionId = ''] = /\/manage\/prescriptions\/([\w-]{36})\/pdf/.exec(page.text) ?? [];
    expect((await browser.get(`/manage/prescriptions/${prescriptionId}/pdf`)).text).toContain(person.customer_email);
    await follow(browser, await browser.post(`${at}/approve`, tickedOn(page, `${at}/approve`)));

    // The order: stock, payment page on the shop's first host, hand-over, customer.
    const get = async (path: string, query = {}) => succeeded(await callApi(pharmacy, 'GET', path, { query }));
    const { order_id: orderId } = await get(`/order-requests/${first.id}`);
    expect((await get('/inventory')).data).toMatchObject([{ p1_id: product.p1_id, stock_quantity: 18 }]);
    const order = (act: string, sent: unknown, status = 200, method = 'POST') =>
      callApi(pharmacy, method, `/orders/${orderId}${act}`, { body: sent }).then((answer) => succeeded(answer, status));
    const link = await order('/payment-links', {}, 201);
    expect(new URL(link.url).hostname).toBe(pharmacy.host);
    expect((await call(link.url)).status).toBe(200);
    await order('/mark-paid', {});
    for (const status of ['ready_pickup', 'picked_up']) await order('', { status }, 200, 'PATCH');
    const customerId = (await get(`/orders/${orderId}`)).customer.id;

    // Another request is rejected by API; retention takes it out after a week.
    const other = newPerson();
    const second = await accepted(
      await submit(pharmacy, envelope({ ...other, prescription_pdf_base64: pdfOf(other) })),
    );
    succeeded(
      await callApi(pharmacy, 'POST', `/order-requests/${second.id}/reject`, { body: { reason_code: 'test' } }),
    );

    // What it all came to: feed, reports, audit log, CSV.
    const feed = await get('/events', { limit: 200 });
    expect(feed.data.map(({ event_type }: { event_type: string }) => event_type)).toEqual(
      expect.arrayContaining([
        ...event_types,
        'order_request_approved',
        'prescription_approved',
        'order_request_rejected',
      ]),
    );
    expect((await get('/reports/summary')).orders).toBeTruthy();
    expect((await owner.browser.get('/manage/reports?period=30')).text).toContain(kept(product.name));
    for (const file of [
      '/manage/reports/days.csv',
      '/manage/reports/products.csv',
      '/manage/settings/audit/export.csv',
    ]) {
      expect((await owner.browser.get(file)).headers.get('Content-Type')).toContain('text/csv');
    }
    expect((await owner.browser.get('/manage/settings/audit')).text).toContain('Kim Öztürk');

    const before = (await contentOf(shard)).map(([, row]) => row).join('\n');
    for (const said of [person, other].flatMap((each) => Object.values(each))) expect(before).toContain(said);

    // The person is erased, and in the night what was rejected; their files go to the trash.
    succeeded(await callApi(pharmacy, 'DELETE', `/customers/${customerId}`));
    await rowsIn(shard, 'update order_requests set decided_at = ? where id = ?', Date.now() - 8 * DAY, second.id);
    // The night may be over already for a database that had no organization.
    await rowsIn(shard, 'delete from sweep_cursors');
    for (const time of ['2026-11-20T01:17:00Z', '2026-11-20T01:18:00Z']) await cronAt(time);
    const after = (await contentOf(shard)).map(([, row]) => row.toLowerCase()).join('\n');
    for (const said of [person, other].flatMap((each) => Object.values(each))) {
      expect(after).not.toContain(said.toLowerCase());
    }
    expect(await allKeys('prescriptions/')).toEqual([]);

    // Nothing of it is on the other database.
    const theirs = await contentOf(1 - shard);
    const names = [pharmacy.host, pharmacy.laterHost, owner.email, pharmacist.email, new URL(healthy).hostname];
    const ids = new Set<string>();
    for (const [table, row] of await contentOf(shard)) {
      if (SHARED.includes(table) || isOfCatalog(table, row)) continue;
      // The product's own id is the catalog's, and search has it in small letters.
      const rest = row.replaceAll(product.p1_id, '').replaceAll(product.p1_id.toLowerCase(), '');
      for (const [id] of rest.matchAll(UUID)) ids.add(id);
    }
    expect(ids.size).toBeGreaterThan(50);
    const marks = [...names, ...ids];
    const leftThere = theirs.filter(([, row]) => marks.some((mark) => row.includes(mark)));
    const leading = ['organization', 'host', 'host', 'email', 'email'].map((kind) => ['directory', kind]);
    expect(leftThere.map(([table, row]) => [table, JSON.parse(row).kind]).sort()).toEqual(
      shard === 0 ? [] : leading.sort(),
    );
  },
);
