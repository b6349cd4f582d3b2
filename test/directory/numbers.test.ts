import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { cronAt } from '../support/invocations';
import { ask } from '../support/operator';
import { captureLogs, problemOf } from '../support/probe';
import { rows } from '../support/world';
import { DB_1, openOn } from './shards';

/** How many rows tables of both databases have; the directory, if it is the right one, may have one that leads to nothing. */
async function footprint(): Promise<number[]> {
  const tables = ['organizations', 'installation', 'audit_log', 'catalog_products'];
  const counts = [env.DB, DB_1].flatMap((db) =>
    tables.map((table) => db.prepare(`select count(*) as n from ${table}`)),
  );
  return Promise.all(counts.map(async (count) => (await count.first<{ n: number }>())?.n ?? 0));
}

/** The same database as a new isolate sees it. */
function anew(db: D1Database): D1Database {
  return {
    prepare: (query: string) => db.prepare(query),
    batch: (statements: D1PreparedStatement[]) => db.batch(statements),
  } as unknown as D1Database;
}

const misconfigured = (lines: readonly string[]) =>
  lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'misconfigured');

test('each database gets its number with its first organization', async () => {
  await Promise.all([openOn(0), openOn(1)]);
  expect(await rows('select shard from installation')).toEqual([{ shard: 0 }]);
  expect((await DB_1.prepare('select shard from installation').all()).results).toEqual([{ shard: 1 }]);
});

test.each([
  ['swapped', () => ({ DB: anew(DB_1), DB_1: anew(env.DB) })],
  ['one database twice', () => ({ DB: anew(env.DB), DB_1: anew(env.DB) })],
  ['one database twice, the other one', () => ({ DB: anew(DB_1), DB_1: anew(DB_1) })],
])('bindings that are %s are refused, nothing is written, and a log line says why', async (_, bindings) => {
  await Promise.all([openOn(0), openOn(1)]);
  const before = await footprint();
  const { lines } = captureLogs();

  await problemOf(await ask('/organizations', { name: 'A', shard: 1 }, { env: bindings() }), 500, 'internal_error');
  const list = await ask('/hosts?status=pending', undefined, { method: 'GET', env: bindings() });
  await problemOf(list, 500, 'internal_error');
  await cronAt(Date.UTC(2026, 0, 1, 4, 32), bindings());

  expect(misconfigured(lines)).not.toEqual([]);
  vi.restoreAllMocks();
  expect(await footprint()).toEqual(before);
});

test('one database twice is noticed before the first organization', async () => {
  for (const db of [env.DB, DB_1]) await db.prepare('delete from installation').run();
  const one = anew(env.DB);
  const { lines } = captureLogs();
  const made = await ask('/organizations', { name: 'A', shard: 1 }, { env: { DB: one, DB_1: anew(env.DB) } });
  await problemOf(made, 500, 'internal_error');
  expect(misconfigured(lines)).toMatchObject([{ shard: 1 }]);
  expect((await ask('/organizations', { name: 'A', shard: 0 })).status).toBe(201);
});

test('a database that has told its number is not asked again', async () => {
  await openOn(0);
  const sizes: number[] = [];
  const DB = {
    prepare: (query: string) => env.DB.prepare(query),
    batch: (statements: D1PreparedStatement[]) => {
      sizes.push(statements.length);
      return env.DB.batch(statements);
    },
  } as unknown as D1Database;
  for (let time = 0; time < 3; time += 1) await ask('/hosts?status=pending', undefined, { method: 'GET', env: { DB } });
  expect(sizes).toEqual([2, 1, 1]);
});
