import { BELONGINGS, STAYING } from '../../src/directory/move/belongings';
import { eventCursor } from '../../src/wire/cursors';
import { addedSince, everything, moveTo, openRich, type Rich, statesOf } from '../support/moving';
import { callApi, succeeded } from '../support/organization';
import { beforeEach, expect, test, vi } from '../support/test';
import { envelope, rows, submit } from '../support/world';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

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

/** Sessions are left out; that a file was written and fetched stands in the audit log. */
const isCopied = (row: string) => !/^staff_(sessions|resets|page_data)|organization\.(export_begun|imported)/.test(row);

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

  expect(await moveTo(orgId, 1)).toMatchObject({ mode: 'move', state: 'done', shard: 1 });
  expect(await statesOf(orgId)).toEqual(['gone', 'active']);
  expect((await addedSince(before[1], 1)).filter(isCopied)).toEqual(was.filter(isCopied));
  expect(await readFeed(rich)).toEqual(feed);

  succeeded(await callApi(rich, 'GET', '/orders'));
  // Sessions end; everything else goes on.
  expect((await rich.browser.get('/manage/orders')).status).toBe(303);
  expect((await submit(rich, envelope())).status).toBe(200);
  const now = await addedSince(before[1], 1);
  expect(now.length).toBeGreaterThan(was.length);
  expect((await readFeed(rich)).slice(0, feed.length)).toEqual(feed);
  expect(await readFeed(rich)).toHaveLength(feed.length + 1);

  expect(await moveTo(orgId, 0)).toMatchObject({ state: 'done', shard: 0 });
  expect(await statesOf(orgId)).toEqual(['active', 'gone']);
  expect((await addedSince(before[0], 0)).filter(isCopied)).toEqual(now.filter(isCopied));
  const [stock] = await rows(
    `select count(*) as wrong from inventory where org_id = ? and stock_quantity <>
      (select stock_after from stock_movements as last where last.org_id = inventory.org_id and last.p1_id = inventory.p1_id
        order by last.id desc limit 1)`,
    orgId,
  );
  expect(stock).toEqual({ wrong: 0 });
});
