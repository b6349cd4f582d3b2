import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BELONGINGS, STAYING } from '../../src/directory/move/belongings';
import { sweepLeft, sweepMoves } from '../../src/directory/sweep';
import { withDatabase } from '../../src/platform/context';
import { consumeDeliveries } from '../../src/webhooks/consumer';
import type { sweepDeliveries } from '../../src/webhooks/sweep';
import {
  addedSince,
  DATABASES,
  everything,
  move,
  moveTo,
  openRich,
  pass,
  pathOf,
  progressOf,
  type Rich,
  statesOf,
} from '../support/moving';
import { callApi, expectProblem, importProduct, openOrganizationApi, succeeded } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { call, envelope, json, OPERATOR_TOKEN, rows, submit, systemContext } from '../support/world';

const DAY_SECONDS = 24 * 60 * 60;
const NOTHING: ReadonlySet<string> = new Set();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A sweep or a consumer on one database. */
async function onShard(shard: number, work: typeof sweepDeliveries) {
  const { ctx, deliveriesEnqueued, settled } = systemContext();
  await work(withDatabase(ctx, ctx.databases.at(shard)));
  await settled();
  return deliveriesEnqueued;
}

async function readFeed(api: Rich, after = 0): Promise<{ id: string }[]> {
  const { data } = succeeded(await callApi(api, 'GET', '/events', { query: { cursor: after, limit: 100 } }));
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
  const before = await everything(0);
  const { orgId } = await openRich();
  const stays = await openRich();
  await moveTo(orgId, 1);
  const left = await everything(0);
  pass(DAY_SECONDS - 60);
  await onShard(0, sweepLeft);
  expect(await everything(0)).toEqual(left);
  pass(120);
  await onShard(0, sweepLeft);
  expect(await statesOf(orgId)).toEqual([null, 'active']);
  expect((await addedSince(before, 0)).filter((row) => row.includes(orgId))).toEqual([]);
  expect((await addedSince(before, 0)).length).toBe(
    (await addedSince(left.difference(before).union(before), 0)).length + (await addedSince(before, 0)).length,
  );
  succeeded(await callApi(stays, 'GET', '/orders'));
});
