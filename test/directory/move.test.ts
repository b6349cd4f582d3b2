import { env } from 'cloudflare:workers';
import { BELONGINGS, STAYING } from '../../src/directory/move/belongings';
import { sweepLeft, sweepMoves } from '../../src/directory/move/move';
import { withDatabase } from '../../src/platform/context';
import { newId } from '../../src/platform/ids';
import { sweepFetches, sweepFileDeletions, sweepTrash } from '../../src/prescriptions/sweep';
import { endOldEvents } from '../../src/webhooks/events/feed';
import { consumeDeliveries, sweepDeliveries } from '../../src/webhooks/sweep';
import { eventCursor } from '../../src/wire/cursors';
import {
  addedSince,
  DATABASES,
  everything,
  move,
  moveTo,
  openRich,
  pass,
  progressOf,
  type Rich,
  statesOf,
} from '../support/moving';
import { callApi, expectProblem, succeeded } from '../support/organization';
import { d1Down, databaseDown, outsideAnswers } from '../support/outbound';
import { openSeller, placeOrder } from '../support/seller';
import { beforeEach, expect, test, vi } from '../support/test';
import { envelope, openPharmacy, rows, submit, systemContext } from '../support/world';

const DAY_SECONDS = 24 * 60 * 60;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
/** A sweep or a consumer on one database. */
async function onShard(shard: number, work: typeof sweepDeliveries) {
  const { ctx, deliveriesEnqueued, settled } = systemContext();
  await work(withDatabase(ctx, ctx.databases.at(shard)));
  await settled();
  return deliveriesEnqueued;
}

async function readFeed(api: Rich, after = 0): Promise<{ id: string }[]> {
  const { data } = succeeded(
    await callApi(api, 'GET', '/events', { query: { cursor: eventCursor(after), limit: 100 } }),
  );
  return data;
}

test('every table belongs to an organization and moves, or is named as one that stays', async () => {
  const tables = await rows<{ name: string; sql: string }>(
    "select name, sql from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name not like 'sqlite%' and name <> 'd1_migrations'",
  );
  const named = [...BELONGINGS.map(({ table }) => table), ...STAYING];
  expect(named.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  for (const { table, key } of BELONGINGS) {
    const columns = await rows<{ name: string; pk: number; type: string }>(`pragma table_info("${table}")`);
    const primary = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    expect({ table, key: primary.map(({ name }) => name) }).toEqual({ table, key });
    // A page is sent as JSON.
    expect(columns.filter(({ type }) => /blob/i.test(type))).toEqual([]);
  }
});

test('an organization moves to another database and back, and all of it is as it was', async () => {
  const before = [await everything(0), await everything(1)] as const;
  const rich = await openRich();
  const { orgId } = rich;
  const was = await addedSince(before[0], 0);
  for (const { table } of BELONGINGS)
    expect(
      was.filter((row) => row.startsWith(`${table} `)),
      table,
    ).not.toEqual([]);
  const feed = await readFeed(rich);
  expect(feed.length).toBeGreaterThan(2);

  expect(await moveTo(orgId, 1)).toMatchObject({ state: 'settled', step: 'done', shard: 1, rows_copied: was.length });
  expect(await statesOf(orgId)).toEqual(['gone', 'active']);
  expect(await addedSince(before[1], 1)).toEqual(was);
  expect(await readFeed(rich)).toEqual(feed);

  succeeded(await callApi(rich, 'GET', '/orders'));
  expect((await rich.browser.get('/manage/orders')).status).toBe(200);
  expect((await submit(rich, envelope())).status).toBe(200);
  const now = await addedSince(before[1], 1);
  expect(now.length).toBeGreaterThan(was.length);
  expect((await readFeed(rich)).slice(0, feed.length)).toEqual(feed);
  expect(await readFeed(rich)).toHaveLength(feed.length + 1);

  expect(await moveTo(orgId, 0)).toMatchObject({ state: 'settled', shard: 0, rows_copied: now.length });
  expect(await statesOf(orgId)).toEqual(['active', 'gone']);
  expect(await addedSince(before[0], 0)).toEqual(now);
  const [stock] = await rows(
    `select count(*) as wrong from inventory where org_id = ? and stock_quantity <>
      (select stock_after from stock_movements as last where last.org_id = inventory.org_id and last.p1_id = inventory.p1_id
        order by last.id desc limit 1)`,
    orgId,
  );
  expect(stock).toEqual({ wrong: 0 });
});

test('the rows that are left behind are deleted after a day, and no row of anybody else', async () => {
  await openRich();
  const others = await everything(0);
  const { orgId } = await openRich();
  await moveTo(orgId, 1);
  const left = await everything(0);
  pass(DAY_SECONDS - 60);
  await onShard(0, sweepLeft);
  expect(await everything(0)).toEqual(left);
  pass(120);
  await onShard(0, sweepLeft);
  expect(await statesOf(orgId)).toEqual([null, 'active']);
  expect(await everything(0)).toEqual(others);
});

test('what cannot be deleted keeps nothing else that was left behind from being deleted', async () => {
  const stuck = await Promise.all(Array.from({ length: 6 }, () => openPharmacy()));
  const [refused, ...home] = stuck.map(({ orgId }) => orgId) as [string, ...string[]];
  await moveTo(refused, 1);
  // Left says the database, but the directory does not lead elsewhere.
  for (const orgId of home) await rows("update organizations set state = 'gone', updated_at = 1 where id = ?", orgId);
  const { orgId } = await openPharmacy();
  await moveTo(orgId, 1);
  pass(DAY_SECONDS + 60);
  const { ctx } = systemContext({ env: { DB: refusingDeletes(refused) } });
  await sweepLeft(ctx);
  expect(await statesOf(orgId)).toEqual([null, 'active']);
  for (const each of home) expect(await statesOf(each)).toEqual(['gone', null]);
  expect(await statesOf(refused)).toEqual(['gone', 'active']);
  await onShard(0, sweepLeft);
  expect(await statesOf(refused)).toEqual([null, 'active']);
  for (const each of home) await rows("update organizations set state = 'active' where id = ?", each);
});

/** `DB`, which cannot delete what is of one organization. */
function refusingDeletes(orgId: string): D1Database {
  const prepare = (query: string) => {
    const statement = DATABASES[0].prepare(query);
    const bind = (...values: unknown[]) => {
      const isRefused = query.startsWith('delete from') && values.includes(orgId);
      return Object.assign(statement.bind(...values), { isRefused });
    };
    return { bind };
  };
  const batch = async (statements: (D1PreparedStatement & { isRefused?: boolean })[]) => {
    if (statements.some(({ isRefused }) => isRefused)) throw d1Down();
    return DATABASES[0].batch(statements);
  };
  // SAFETY: the tested code calls only `prepare` and `batch`.
  return { prepare, batch } as unknown as D1Database;
}

/** A database that holds back the first batch with a statement like this, and every one behind it. */
function stalling(db: D1Database, isLast: (query: string, values: unknown[]) => boolean) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isStalled = false;
  const prepare = (query: string) => ({
    bind: (...values: unknown[]) => Object.assign(db.prepare(query).bind(...values), { isLast: isLast(query, values) }),
  });
  const batch = async (statements: (D1PreparedStatement & { isLast?: boolean })[]) => {
    isStalled ||= statements.some((statement) => statement.isLast);
    if (isStalled) {
      reached.resolve();
      await released.promise;
    }
    return db.batch(statements);
  };
  // SAFETY: the tested code calls only `prepare` and `batch`.
  return { db: { prepare, batch } as unknown as D1Database, reached: reached.promise, release: released.resolve };
}

const setsState = (state: string) => (query: string, values: unknown[]) =>
  query.startsWith('update "organizations"') && values.includes(state);

test.each([
  ['leaves the old database', 'DB', setsState('gone')],
  ['turns the directory', 'DB', (query: string) => query.startsWith('update "directory"')],
  ['arrives at the new database', 'DB_1', setsState('active')],
] as const)(
  'a late invocation that %s does nothing to the move back',
  async (_, name, isLast) => {
    const before = await everything(0);
    const { orgId } = await openRich();
    const was = await addedSince(before, 0);
    await move(orgId, 1);
    pass(121);
    const stalled = stalling(name === 'DB' ? DATABASES[0] : DATABASES[1], isLast);
    const late = move(orgId, 1, { [name]: stalled.db });
    await stalled.reached;
    pass(61);
    expect(await moveTo(orgId, 1)).toMatchObject({ state: 'settled', shard: 1 });
    await move(orgId, 0);
    pass(121);
    const copied = stalling(DATABASES[1], (query) => query.includes('"audit_log"'));
    const back = move(orgId, 0, { DB_1: copied.db });
    await copied.reached;
    expect(await statesOf(orgId)).toEqual(['moving', 'moving']);
    stalled.release();
    await late;
    expect(await statesOf(orgId)).toEqual(['moving', 'moving']);
    copied.release();
    await back;
    expect(await moveTo(orgId, 0)).toMatchObject({ state: 'settled', shard: 0, round: 1 });
    expect(await statesOf(orgId)).toEqual(['active', 'gone']);
    expect(await addedSince(before, 0)).toEqual(was);
  },
  60_000,
);

test('a late invocation fences no organization that has been there and back', async ({ pharmacy: { orgId } }) => {
  const stalled = stalling(DATABASES[0], setsState('moving'));
  const late = move(orgId, 1, { DB: stalled.db });
  await stalled.reached;
  pass(61);
  expect(await moveTo(orgId, 1)).toMatchObject({ state: 'settled', shard: 1 });
  expect(await moveTo(orgId, 0)).toMatchObject({ state: 'settled', shard: 0 });
  stalled.release();
  await late;
  expect(await statesOf(orgId)).toEqual(['active', 'gone']);
});

test('while it is moved its requests get 503 with Retry-After, and go through afterwards with the same key and token', async () => {
  const rich = await openRich();
  expect(await move(rich.orgId, 1)).toMatchObject({ state: 'moving', step: 'wait', shard: 0 });
  const read = await callApi(rich, 'GET', '/orders');
  expectProblem(read, 503, 'organization_moving');
  expect(read.headers.get('Retry-After')).toBe('30');
  const page = await rich.browser.get('/manage/orders');
  expect(page.status).toBe(503);
  expect(page.text).toContain('Die Daten Ihrer Apotheke ziehen um');
  const submission = envelope();
  const refused = await submit(rich, submission);
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '30']);
  pass(119);
  expect(await move(rich.orgId, 1)).toMatchObject({ step: 'wait' });
  pass(2);
  // The isolate has just asked for the route, and keeps it: the old one.
  expectProblem(await callApi(rich, 'GET', '/orders'), 503, 'organization_moving');
  expect((await submit(rich, submission)).status).toBe(503);
  expect(await move(rich.orgId, 1)).toMatchObject({ state: 'settled', shard: 1 });
  expect((await submit(rich, submission)).status).toBe(200);
  succeeded(await callApi(rich, 'GET', '/orders'));
  const reference = submission.external_reference;
  const found = await Promise.all(
    DATABASES.map((db) =>
      db.prepare('select id from order_requests where external_reference = ?').bind(reference).all(),
    ),
  );
  expect(found.map(({ results }) => results.length)).toEqual([0, 1]);
  const again = await submit(rich, submission);
  expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
});

test('nothing new is begun for it while it is moved; what waits is posted once, from its new database', async () => {
  const rich = await openRich();
  const posts = outsideAnswers();
  pass(3600);
  const due = (
    await rows<{ id: string }>("select id from deliveries where org_id = ? and status = 'pending'", rich.orgId)
  ).map(({ id }) => id);
  expect(due.length).toBeGreaterThan(0);
  const mine = (messages: readonly { id: string }[]) => messages.map(({ id }) => id).filter((id) => due.includes(id));
  const consume = (shard: number) => onShard(shard, (ctx) => consumeDeliveries(ctx, due));
  await move(rich.orgId, 1);
  const ofOrganization = async () => [...(await everything(0))].filter((row) => row.includes(rich.orgId));
  const fenced = await ofOrganization();
  expect(mine(await onShard(0, sweepDeliveries))).toEqual([]);
  await consume(0);
  await onShard(0, endOldEvents);
  await onShard(0, sweepFetches);
  expect(await ofOrganization()).toEqual(fenced);
  pass(121);
  await move(rich.orgId, 1);
  expect(posts).toEqual([]);
  expect(mine(await onShard(0, sweepDeliveries))).toEqual([]);
  await consume(0);
  expect(posts).toEqual([]);
  for (let runs = 0; runs < due.length; runs += 1) {
    const sent = mine(await onShard(1, sweepDeliveries));
    await onShard(1, (ctx) => consumeDeliveries(ctx, sent));
    pass(61);
  }
  const ids = posts.map(({ headers }) => headers.get('X-Service-Delivery-Id') ?? '');
  expect(ids.toSorted()).toEqual(due.toSorted());
});

test('the outcome of a post that was under way when it was fenced is recorded, and moves along', async () => {
  const { orgId, ...rest } = await openRich();
  const rich = { orgId, ...rest };
  await rows('update subscriptions set is_healthy = 1 where org_id = ?', orgId);
  await rows("update deliveries set status = 'succeeded', next_attempt_at = 0 where org_id = ?", orgId);
  const posts = outsideAnswers(async () => {
    await move(orgId, 1);
    return new Response(null, { status: 204 });
  });
  expect((await submit(rich, envelope())).status).toBe(200);
  expect(posts).toHaveLength(1);
  expect(await statesOf(orgId)).toEqual(['moving', null]);
  const [last] = await rows(
    'select status, attempt_count from deliveries where org_id = ? order by id desc limit 1',
    orgId,
  );
  expect(last).toEqual({ status: 'succeeded', attempt_count: 1 });
  pass(121);
  await move(orgId, 1);
  pass(3600);
  const mine = new Set(
    (await rows<{ id: string }>('select id from deliveries where org_id = ?', orgId)).map(({ id }) => id),
  );
  expect((await onShard(1, sweepDeliveries)).filter(({ id }) => mine.has(id))).toEqual([]);
});

test('a file that is given up after the move stays in the trash, whatever the rows say that were left behind', async () => {
  const { orgId } = await openRich();
  const [named] = await rows<{ key: string }>('select file_key as key from prescriptions where org_id = ?', orgId);
  const fileKey = named?.key ?? '';
  await moveTo(orgId, 1);
  await DATABASES[1].batch([
    DATABASES[1].prepare("update prescriptions set status = 'erased', file_key = null where org_id = ?").bind(orgId),
    DATABASES[1].prepare('insert into file_deletions (file_key, created_at) values (?, ?)').bind(fileKey, Date.now()),
  ]);
  expect(await env.FILES.head(fileKey)).not.toBeNull();
  await onShard(1, sweepFileDeletions);
  expect(await env.FILES.head(fileKey)).toBeNull();
  await onShard(0, sweepTrash);
  expect(await env.FILES.head(fileKey)).toBeNull();
});

test('a caller that ended leaves nobody fenced: the cron goes on to the end', async ({ pharmacy: { orgId } }) => {
  await move(orgId, 1);
  pass(121);
  await onShard(0, sweepMoves);
  expect(await progressOf(orgId)).toMatchObject({ state: 'settled', shard: 1 });
});

/** The other database, with something done behind each batch that inserts into a table. */
function changingBehind(table: string, change: () => Promise<unknown>): Partial<Env> {
  const prepare = (query: string) => {
    const statement = DATABASES[1].prepare(query);
    const isInsert = query.startsWith(`insert into "${table}"`);
    const bind = (...values: unknown[]) => Object.assign(statement.bind(...values), { isInsert });
    return { bind };
  };
  const batch = async (statements: (D1PreparedStatement & { isInsert?: boolean })[]) => {
    const results = await DATABASES[1].batch(statements);
    if (statements.some(({ isInsert }) => isInsert)) await change();
    return results;
  };
  // SAFETY: the tested code calls only `prepare` and `batch`.
  return { DB_1: { prepare, batch } as unknown as D1Database };
}

test('a copy that differs is made anew', async () => {
  const before = [await everything(0), await everything(1)] as const;
  const api = await openSeller();
  const { orgId } = api;
  await placeOrder(api);
  const was = await addedSince(before[0], 0);
  let changes = 0;
  const changed = changingBehind('customers', async () => {
    changes += 1;
    if (changes > 1) return;
    await DATABASES[1].prepare('update customers set name = ? where org_id = ?').bind('somebody else', orgId).run();
  });
  expect(await moveTo(orgId, 1, changed)).toMatchObject({ state: 'settled', shard: 1, round: 2 });
  expect(await addedSince(before[1], 1)).toEqual(was);
});

test.each([
  ['differs each time', 'customers', 'update customers set name = ? where org_id = ?'],
  ['lacks rows each time', 'audit_log', "update organizations set state = 'gone', name = ? where id = ?"],
])('a copy that %s is given up: the organization goes on where it was', async (_, table, change) => {
  const before = await everything(0);
  const api = await openSeller();
  await placeOrder(api);
  const was = await addedSince(before, 0);
  const changed = changingBehind(table, () => DATABASES[1].prepare(change).bind('somebody else', api.orgId).run());
  expect(await moveTo(api.orgId, 1, changed)).toMatchObject({
    state: 'failed',
    shard: 0,
    failure: expect.any(String),
  });
  expect(await statesOf(api.orgId)).toEqual(['active', 'gone']);
  expect(await addedSince(before, 0)).toEqual(was);
  succeeded(await callApi(api, 'GET', '/orders'));
  expect(await moveTo(api.orgId, 1)).toMatchObject({ state: 'settled', shard: 1 });
});

test('a database out of reach keeps a pharmacy waiting for ten minutes, and no longer', async ({ seller: api }) => {
  const DB_1 = databaseDown();
  await move(api.orgId, 1, { DB_1 });
  pass(121);
  expect(await move(api.orgId, 1, { DB_1 })).toMatchObject({ state: 'moving' });
  pass(601);
  expect(await move(api.orgId, 1, { DB_1 })).toMatchObject({ state: 'failed', shard: 0 });
  succeeded(await callApi(api, 'GET', '/orders'));
});

test('where nothing is to be moved nothing is done, and what cannot be is refused', async ({ pharmacy: { orgId } }) => {
  expect(await move(orgId, 0)).toEqual({ org_id: orgId, shard: 0, state: 'settled' });
  expect(await progressOf(orgId)).toEqual({ org_id: orgId, shard: 0, state: 'settled' });
  expect(await move(orgId, 2)).toMatchObject({ status: 400, code: 'validation_failed' });
  expect(await move(newId(), 1)).toMatchObject({ status: 404, code: 'organization_not_found' });
  await move(orgId, 1);
  expect(await move(orgId, 0)).toMatchObject({ status: 409, code: 'conflict' });
});
