import { env } from 'cloudflare:workers';
import { sweepSearch } from '../../src/order-requests/search/search';
import { newId } from '../../src/platform/ids';
import { endpoints } from '../../src/public-api/routes';
import { consumeDeliveries, sweepDeliveries } from '../../src/webhooks/sweep';
import { eventCursor } from '../../src/wire/cursors';
import { Browser, enter, signIn } from '../management/browser';
import { cronAt } from '../support/invocations';
import { addedSince, DATABASES, everything, moveTo, openRich, type Rich } from '../support/moving';
import { ask } from '../support/operator';
import { callApi, holdProduct, signedTokenFor, succeeded } from '../support/organization';
import {
  beginImport,
  fileOf,
  importFrom,
  type OpenFile,
  type Progress,
  sendPart,
  takeOut,
} from '../support/organization-file';
import { outsideAnswers } from '../support/outbound';
import { problemOf } from '../support/probe';
import { openSeller, placeOrder } from '../support/seller';
import { beforeEach, expect, test, vi } from '../support/test';
import { BASE, call, envelope, OPERATOR_TOKEN, rows, rowsIn, submit, systemContext } from '../support/world';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

/** The bucket has been in use: the journal covers what comes. */
async function useBucket(): Promise<void> {
  await env.FILES.put('installation', 'test');
  vi.setSystemTime(Date.now() + 60_000);
}

const idsOf = async (api: Rich, path: string, query: Record<string, string> = {}) =>
  ((await callApi(api, 'GET', path, { query: { limit: '100', ...query } })).body.data ?? []) as Record<
    string,
    string
  >[];

const QUERIES: Record<string, Record<string, string>> = {
  '/batches': { batch: 'A1' },
  '/customers': { email: 'erika@example.com' },
  '/events': { cursor: eventCursor(0) },
};

/** What every GET of the organization API answers, each with the ids that the lists name. */
async function answersOf(api: Rich): Promise<Map<string, string>> {
  const requests = await idsOf(api, '/order-requests', { status: 'all' });
  const orders = await idsOf(api, '/orders');
  const products = await idsOf(api, '/inventory');
  const customers = orders.map(({ customer }) => customer as unknown as Record<string, string>);
  const prescriptions = await rowsOfPrescriptions(api.orgId);
  const found = new Map<string, string>();
  for (const { method, path } of endpoints as readonly { method: string; path: string }[]) {
    if (method.toLowerCase() !== 'get') continue;
    const kind = path.split('/')[1] ?? '';
    const named =
      { orders, 'order-requests': requests, inventory: products, products, customers, prescriptions }[kind] ?? [];
    const ids = path.includes(':') ? named.map((row) => row.id ?? row.p1_id ?? '') : [''];
    for (const id of ids) {
      const at = path.replace(/:\w+/, id);
      const query = QUERIES[path] ?? {};
      const shop: Record<string, string> = kind === 'products' ? { shop_id: api.shopId } : {};
      const { status, body } = await callApi(api, 'GET', at, { query: { ...query, ...shop } });
      const { request_id: _, ...said } = body;
      found.set(at, JSON.stringify({ status, said }));
    }
  }
  return found;
}

const rowsOfPrescriptions = async (orgId: string) =>
  (
    await Promise.all(
      DATABASES.map((_, shard) =>
        rowsIn<Record<string, string>>(shard, 'select id from prescriptions where org_id = ?', orgId),
      ),
    )
  ).flat();

/** What each page says to which links lead from the first one, but the audit log, which also says who took the file. */
async function pagesOf(email: string): Promise<Map<string, string>> {
  const browser = new Browser();
  expect((await signIn(browser, email)).status).toBe(303);
  const found = new Map<string, string>();
  const paths = ['/manage', '/manage/search?q=Mustermann', '/manage/search?q=Ibuprofen', '/manage/orders?q=Mustermann'];
  for (const path of paths) {
    if (/audit|sign-out|export\b|log\?|\.pdf$/.test(path) || found.size > 150) continue;
    const { status, text } = await browser.get(path);
    const said = text.replace(/(name="form_(token|id)" value|nonce)="[^"]*"/g, '').replace(/\?v=\w+/g, '');
    found.set(path, `${status} ${said.replace(/[\w-]{40,}\.[\w-]{20,}|data-(version|tag)="[^"]*"/g, '')}`);
    for (const [, href = ''] of text.matchAll(/href="(\/manage[^"#]*)/g)) {
      const next = href.replaceAll('&amp;', '&');
      if (!paths.includes(next)) paths.push(next);
    }
  }
  return found;
}

test.each([0, 1])(
  'an organization imported on database %i answers every list, page and search as before',
  async (shard) => {
    await useBucket();
    const before = await everything(0);
    const rich = await openRich();
    const { orgId } = rich;
    const { email } = await enter(orgId, 'owner');
    await rows("update deliveries set status = 'succeeded', next_attempt_at = 0 where org_id = ?", orgId);
    // Links for passwords end with the sessions.
    await rows('delete from staff_resets where member_id in (select id from members where org_id = ?)', orgId);
    await sweepSearch(systemContext().ctx);
    const [answers, pages] = [await answersOf(rich), await pagesOf(email)];
    expect(answers.size).toBeGreaterThan(20);
    expect(pages.size).toBeGreaterThan(40);
    const file = await fileOf(orgId);
    const was = (await addedSince(before, 0)).filter((row) => !/^staff_(sessions|resets|page_data)/.test(row));
    await takeOut(orgId);
    expect(await addedSince(before, 0)).toEqual([]);
    const beforeImport = await everything(shard);
    const keys = was.flatMap((row) => /"file_key":"([^"]+)"/.exec(row)?.[1] ?? []);
    const sizesOf = () => Promise.all(keys.map(async (key) => (await env.FILES.head(key))?.size));
    const sizes = await sizesOf();
    await env.FILES.delete(keys);

    expect(await importFrom(orgId, file, { shard })).toMatchObject({ mode: 'new', state: 'done', shard });
    expect(sizes.length).toBeGreaterThan(0);
    expect(await sizesOf()).toEqual(sizes);
    const isNews = (row: string) => /organization\.imported|is_test":1|rows_read/.test(row);
    const settled = (row: string) => row.replace(/"order_number_floor":\d+/, '');
    const is = (await addedSince(beforeImport, shard)).filter((row) => !isNews(row)).map(settled);
    expect(is).toEqual(was.filter((row) => !isNews(row)).map(settled));
    const { ctx } = systemContext();
    await sweepSearch({ ...ctx, db: ctx.databases.at(shard) });
    expect(Object.fromEntries(await answersOf(rich))).toEqual(Object.fromEntries(answers));
    const after = await pagesOf(email);
    for (const [path, text] of pages) {
      const now = after.get(path) ?? '';
      const at = [...text].findIndex((letter, index) => letter !== now[index]);
      expect([path, now.slice(at - 200, at + 100)]).toEqual([path, text.slice(at - 200, at + 100)]);
    }
  },
);

test('it goes on: keys, references, numbers and the feed are continued, and nothing of the past is sent again', async () => {
  await useBucket();
  const rich = await openRich();
  const { orgId } = rich;
  const numberOf = async () => Number((await placeOrder(rich)).number);
  const last = await numberOf();
  const sent = envelope();
  expect((await submit(rich, sent)).status).toBe(200);
  const file = await fileOf(orgId);
  await takeOut(orgId);
  const posts = outsideAnswers();
  await importFrom(orgId, file, { shard: 1 });
  const waiting = await rowsIn<{ id: string }>(1, 'select id from deliveries where org_id = ?', orgId);
  const again = await submit(rich, sent);
  expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
  expect(await numberOf()).toBeGreaterThan(last);
  vi.setSystemTime(Date.now() + 3_600_000);
  const { ctx } = systemContext();
  const home = { ...ctx, db: ctx.databases.at(1) };
  await sweepDeliveries(home);
  await consumeDeliveries(
    home,
    waiting.map(({ id }) => id),
  );
  expect(waiting.length).toBeGreaterThan(0);
  const old = new Set(waiting.map(({ id }) => id));
  expect(posts.filter(({ headers }) => old.has(headers.get('X-Service-Delivery-Id') ?? ''))).toEqual([]);
  expect(await rowsIn(1, 'select count(distinct seq) - count(*) as n from events where org_id = ?', orgId)).toEqual([
    { n: 0 },
  ]);
});

async function taken(): Promise<{ orgId: string; file: OpenFile }> {
  await useBucket();
  const seller = await openSeller();
  await placeOrder(seller);
  const file = await fileOf(seller.orgId);
  return { orgId: seller.orgId, file };
}

test('refuses an organization that is here, and a manifest of another one, version or service', async () => {
  const { orgId, file } = await taken();
  await problemOf(await beginImport(orgId, file.manifest), 409, 'conflict');
  expect(await rows('select state from organizations where id = ?', orgId)).toEqual([{ state: 'active' }]);
  const manifest = JSON.parse(file.manifest);
  const faults = [
    ['invalid_manifest', 'no manifest'],
    ['invalid_manifest', JSON.stringify({ ...manifest, parts: [] })],
    ['invalid_manifest', JSON.stringify({ ...manifest, parts: manifest.parts.toReversed() })],
    [
      'invalid_manifest',
      JSON.stringify({ ...manifest, parts: [{ ...manifest.parts[0], name: '10-guards-00000.ndjson.age' }] }),
    ],
    ['other_organization', JSON.stringify({ ...manifest, org_id: newId() })],
    ['other_schema', JSON.stringify({ ...manifest, schema: 'f'.repeat(64) })],
  ];
  for (const [code, text] of faults) {
    const refused = await problemOf(await beginImport(orgId, text ?? ''), 400, 'validation_failed');
    expect(JSON.stringify(refused)).toContain(code);
  }
});

test('refuses a part that is another one, comes too early, or has rows of somebody else; nothing of it is written', async () => {
  const { orgId, file } = await taken();
  const other = await openSeller();
  await placeOrder(other);
  await takeOut(orgId);
  const begun = await (await beginImport(orgId, file.manifest, { shard: 0 })).json<Progress>();
  const send = (part: number, bytes = file.parts[part] as Uint8Array) => sendPart(orgId, begun.import_id, part, bytes);
  await problemOf(await send(0, new TextEncoder().encode('{}\n')), 400, 'validation_failed');
  await problemOf(await send(1), 409, 'conflict');
  await problemOf(await sendPart(orgId, 'f'.repeat(64), 0, file.parts[0] as Uint8Array), 404, 'not_found');
  expect((await send(0)).status).toBe(200);
  expect(await (await send(0)).json()).toMatchObject({ next: 1 });
  // A file that somebody made: a customer of the other organization, and one who has the id of such.
  const [customer] = await rows<{ id: string }>('select * from customers where org_id = ?', other.orgId);
  const [member] = await rows('select * from staff_accounts limit 1');
  const forged = [
    ['customers', { ...customer }],
    ['customers', { ...customer, org_id: orgId, email: null }],
    ['customers', { ...customer, 'id" from customers --': 1 }],
    ['staff_accounts', { ...member, id: newId() }],
  ] as const;
  for (const [table, row] of forged) {
    if (Object.keys(row).length < 3) continue;
    const text = new TextEncoder().encode(`${JSON.stringify(row)}\n`);
    const hash = [...new Uint8Array(await crypto.subtle.digest('SHA-256', text))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
    const manifest = JSON.parse(file.manifest);
    const [first] = manifest.parts;
    const parts = [first, { name: `50-${table}-00000.ndjson.age`, rows: 1, files: 0, sha256: hash }];
    const made = JSON.stringify({ ...manifest, parts });
    const { import_id: id } = await (await beginImport(orgId, made, { shard: 0 })).json<Progress>();
    expect((await sendPart(orgId, id, 0, file.parts[0] as Uint8Array)).status).toBe(200);
    const refused = await sendPart(orgId, id, 1, text);
    expect([table, [400, 409].includes(refused.status)]).toEqual([table, true]);
  }
  expect(await rows('select * from customers where org_id = ?', other.orgId)).toEqual([customer]);
  expect(await rows('select * from customers where org_id = ?', orgId)).toEqual([]);
});

test('an import that is interrupted after any part goes on, and the same part twice changes nothing', async () => {
  const { orgId, file } = await taken();
  const before = await everything(1);
  await takeOut(orgId);
  const once = { ...file };
  const begun = await (await beginImport(orgId, once.manifest, { shard: 1 })).json<Progress>();
  const FILES = { ...env.FILES };
  for (const [part, bytes] of file.parts.entries()) {
    // The rows are in, and the bucket does not answer when this is noted.
    const put = () => Promise.reject(new Error('the process died'));
    const failing = { get: (key: string) => env.FILES.get(key), put, head: (key: string) => env.FILES.head(key) };
    const died = await sendPart(orgId, begun.import_id, part, bytes, { FILES: failing as unknown as R2Bucket });
    expect(died.status).toBe(502);
    expect(await (await beginImport(orgId, once.manifest, { shard: 1 })).json()).toMatchObject({ next: part });
    expect((await sendPart(orgId, begun.import_id, part, bytes)).status).toBe(200);
  }
  expect(FILES).toBeDefined();
  expect(await (await beginImport(orgId, once.manifest)).json()).toMatchObject({ state: 'done' });
  expect((await addedSince(before, 1)).filter((row) => row.startsWith('orders '))).toHaveLength(1);
  expect(await (await beginImport(orgId, once.manifest)).json()).toMatchObject({ state: 'done' });
});

test('nobody gets in before it is over, and a file that the journal does not cover is refused', async () => {
  await env.FILES.delete('installation');
  const seller = await openSeller();
  await placeOrder(seller);
  const file = await fileOf(seller.orgId);
  await takeOut(seller.orgId);
  const refused = await problemOf(await beginImport(seller.orgId, file.manifest), 409, 'conflict');
  expect(JSON.stringify(refused)).toContain('journal');
  // Not even where the bucket was used later.
  await useBucket();
  const { orgId, file: covered } = await taken();
  await takeOut(orgId);
  const begun = await (await beginImport(orgId, covered.manifest, { shard: 0 })).json<Progress>();
  for (const [part, bytes] of covered.parts.entries()) await sendPart(orgId, begun.import_id, part, bytes);
  expect(await rows('select state, suspended_at is null as is_open from organizations where id = ?', orgId)).toEqual([
    { state: 'moving', is_open: 0 },
  ]);
  await importFrom(orgId, covered);
  expect(await rows('select state, suspended_at is null as is_open from organizations where id = ?', orgId)).toEqual([
    { state: 'active', is_open: 1 },
  ]);
  // A process that died before it noted this goes on.
  const key = `exports/imports/${orgId}`;
  const noted = await (await env.FILES.get(key))?.json<object>();
  await env.FILES.put(key, JSON.stringify({ ...noted, state: 'replaying' }));
  expect(await importFrom(orgId, covered)).toMatchObject({ state: 'done' });
});

test('a file of another deployment is refused unless its journal was copied here', async () => {
  await useBucket();
  const { orgId, file } = await taken();
  await takeOut(orgId);
  const manifest = { ...JSON.parse(file.manifest), bucket: 'of another' };
  const refused = await problemOf(await beginImport(orgId, JSON.stringify(manifest)), 409, 'conflict');
  expect(JSON.stringify(refused)).toContain('journal');
  await env.FILES.put('journal-since/copied', manifest.fence);
  expect(await (await beginImport(orgId, JSON.stringify(manifest))).json()).toMatchObject({ mode: 'new', next: 0 });
  await env.FILES.delete('journal-since/copied');
});

test.each(['imported', 'moved', 'restored by an import of an older file'])(
  'reservations of an organization that is %s add up, are released by row and end at their time',
  async (how) => {
    await useBucket();
    const seller = await openSeller();
    const { orgId } = seller;
    await rows('update shops set reserve_pending_minutes = 30, reserve_paid_minutes = 4320 where org_id = ?', orgId);
    await rows('update api_keys set reserves = 1 where org_id = ?', orgId);
    const product = await holdProduct(seller, { stock: 10, unit: 'g' });
    const reserve = async (quantity: number) => {
      const items = [{ p1_id: product.p1_id, quantity, price: product.price }];
      const sent = envelope(
        { payment_status: 'paid', shipping_option: 'Abholung', items },
        { external_reference: newId() },
      );
      return (await submit(seller, sent)).json<{ id: string; reserved_until: string }>();
    };
    const [first] = [await reserve(2), await reserve(4)];
    const shard = how === 'moved' ? 1 : 0;
    if (how === 'moved') expect(await moveTo(orgId, 1)).toMatchObject({ state: 'done', shard });
    else {
      const file = await fileOf(orgId);
      if (how !== 'imported') await reserve(3);
      await takeOut(orgId);
      expect(await importFrom(orgId, file, { shard })).toMatchObject({ state: 'done' });
    }
    const wrong = await unbalanced();
    const stock = () =>
      rowsIn(shard, 'select stock_quantity, reserved_quantity, shortage from inventory where org_id = ?', orgId);
    expect(await stock()).toEqual([{ stock_quantity: 4, reserved_quantity: 6, shortage: 0 }]);
    expect(await unbalanced()).toBe(wrong);
    seller.token = await signedTokenFor(seller);
    succeeded(await callApi(seller, 'PATCH', `/inventory/${product.p1_id}`, { body: { on_hand: 1, reason: 'count' } }));
    expect(await stock()).toEqual([{ stock_quantity: 0, reserved_quantity: 1, shortage: 0 }]);
    expect(await unbalanced()).toBe(wrong);
    const ended = Date.parse(first.reserved_until) + 60_000;
    vi.setSystemTime(ended);
    await cronAt(ended);
    expect(await stock()).toEqual([{ stock_quantity: 1, reserved_quantity: 0, shortage: 0 }]);
    expect(await unbalanced()).toBe(wrong);
  },
);

/** How many products' reservations do not add up, as readiness says. */
async function unbalanced(): Promise<number> {
  const response = await call(`${BASE}/readyz`, { headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } });
  const { checks } = await response.json<{ checks: { reservations: { figure: number } } }>();
  return checks.reservations.figure;
}

test('an import that is given up leaves nothing behind, and may begin anew', async () => {
  const { orgId, file } = await taken();
  await takeOut(orgId);
  const before = await everything(0);
  const giveUp = () => ask(`/organizations/${orgId}/imports`, undefined, { method: 'DELETE' });
  await problemOf(await giveUp(), 404, 'not_found');
  const { import_id } = await (await beginImport(orgId, file.manifest, { shard: 0 })).json<Progress>();
  for (const part of [0, 1, 2]) {
    expect((await sendPart(orgId, import_id, part, file.parts[part] as Uint8Array)).status).toBe(200);
  }
  expect(await rows('select state from organizations where id = ?', orgId)).toEqual([{ state: 'moving' }]);
  const given = await giveUp();
  expect([given.status, await given.json()]).toEqual([200, { state: 'deleted' }]);
  expect(await addedSince(before, 0)).toEqual([]);
  expect(await importFrom(orgId, file, { shard: 0 })).toMatchObject({ mode: 'new', state: 'done' });
  await problemOf(await giveUp(), 409, 'conflict');
});
