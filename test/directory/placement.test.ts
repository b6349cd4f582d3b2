import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { actingAs } from '../../src/platform/context';
import { createOrganization } from '../../src/tenants/organizations';
import { ask } from '../support/operator';
import { problemOf } from '../support/probe';
import { ONE_DATABASE, systemContext } from '../support/world';
import { DB_1, entriesOf, OUT_OF_REACH } from './shards';

/** D1 that says it holds so many bytes. */
function holding(db: D1Database, bytes: number): D1Database {
  return {
    prepare: (query: string) => db.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await db.batch(statements);
      return results.map((result) => ({ ...result, meta: { ...result.meta, size_after: bytes } }));
    },
  } as unknown as D1Database;
}

async function open(body: Record<string, unknown>, changed: Partial<Env> = {}) {
  const response = await ask('/organizations', { name: 'Löwen-Apotheke', ...body }, { env: changed });
  expect(response.status).toBe(201);
  return response.json<{ org_id: string; shard: number }>();
}

const livesOn = (db: D1Database, orgId: string) =>
  db.prepare('select 1 from organizations where id = ?').bind(orgId).first();

test.each([0, 1])('an organization is opened on the database that the operator names: %i', async (shard) => {
  const { org_id: orgId, ...rest } = await open({ shard });
  expect(rest).toEqual({ shard, is_test: false });
  const rows = await Promise.all([env.DB, DB_1].map((db) => livesOn(db, orgId)));
  expect(rows.map((row) => row !== null)).toEqual([shard === 0, shard === 1]);
  expect(await entriesOf(orgId)).toEqual([{ kind: 'organization', key: orgId, org_id: orgId, shard }]);
});

test.each([
  [2, {}],
  [1, ONE_DATABASE],
])('database %i is refused where it is not bound', async (shard, changed) => {
  const response = await ask('/organizations', { name: 'A', shard }, { env: changed });
  const { errors } = await problemOf(response, 400, 'validation_failed');
  expect(errors).toMatchObject([{ pointer: '/shard', code: 'not_bound' }]);
});

test('unless the operator names one, it is the database with the most room', async () => {
  expect(await open({}, { DB: holding(env.DB, 2), DB_1: holding(DB_1, 1) })).toMatchObject({ shard: 1 });
  expect(await open({}, { DB: holding(env.DB, 1), DB_1: holding(DB_1, 2) })).toMatchObject({ shard: 0 });
  expect(await open({}, { DB: holding(env.DB, 1), DB_1: holding(DB_1, 1) })).toMatchObject({ shard: 0 });
});

test('a database that cannot be reached gets none', async () => {
  expect(await open({}, { DB_1: OUT_OF_REACH })).toMatchObject({ shard: 0 });
  const response = await ask('/organizations', { name: 'A' }, { env: { DB: OUT_OF_REACH, DB_1: OUT_OF_REACH } });
  await problemOf(response, 502, 'backend_unreachable');
});

test('with one database no room is asked for', async () => {
  const ctx = actingAs(systemContext({ env: ONE_DATABASE }).ctx, { kind: 'operator', name: 'test' });
  expect(await createOrganization(ctx, { name: 'A' })).toMatchObject({ shard: 0 });
  expect(ctx.db.meter.roundTrips).toBe(1);
});
