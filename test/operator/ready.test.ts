import { env } from 'cloudflare:workers';
import { readHealth } from '../../src/health/watch';
import { actingAs } from '../../src/platform/context';
import { DATABASE_BYTES_MAX, DATABASE_BYTES_WARNING } from '../../src/tenants/limits';
import { openOrganization } from '../support/operator';
import { databaseDown } from '../support/outbound';
import { doctoredDb, freshAddress, meteredDb, problemOf } from '../support/probe';
import { expect, test } from '../support/test';
import { BASE, call, ONE_DATABASE, OPERATOR_TOKEN, systemContext } from '../support/world';

interface Report {
  status: string;
  checks: Record<string, { status: string; figure: number }>;
  databases: { shard: number; status: string; organizations: number; size_bytes: number; used: number }[];
}

async function ready(changed: Partial<Env> = {}): Promise<{ code: number; report: Report }> {
  const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
  const response = await call(`${BASE}/readyz`, { headers }, changed);
  return { code: response.status, report: await response.json() };
}

/** The second database, saying that it has this size. */
function ofSize(bytes: number): D1Database {
  return doctoredDb(
    async (_, send) => (await send()).map((result) => ({ ...result, meta: { ...result.meta, size_after: bytes } })),
    env.DB_1,
  );
}

test('tells each check by its name with the figure behind it, and of each database what it holds', async () => {
  const before = await ready();
  await openOrganization();

  const { code, report } = await ready();

  expect(code).toBe(200);
  const database = {
    status: 'ok',
    size_bytes: expect.any(Number),
    size_limit_bytes: DATABASE_BYTES_MAX,
    used: expect.any(Number),
    organizations: expect.any(Number),
    duration_ms: expect.any(Number),
  };
  const checks = [
    ...['cron', 'databases', 'directory', 'schema', 'canaries', 'deliveries'],
    ...[
      'dead_letters',
      'retention',
      'deletions',
      'size',
      'errors',
      'jobs',
      'hosts',
      'trust_lists',
      'reservations',
      'backup',
    ],
  ];
  expect(report).toEqual({
    status: 'ok',
    checks: {
      ...Object.fromEntries(checks.map((name) => [name, { status: 'ok', figure: expect.any(Number) }])),
      backup: { status: 'ok', figure: null },
    },
    databases: [
      { ...database, shard: 0 },
      { ...database, shard: 1 },
    ],
    roots: { current: 'r1', old: [] },
  });
  expect(Object.keys(report.checks)).toEqual(checks);
  expect(organizationsOf(report)).toBe(organizationsOf(before.report) + 1);
  for (const { size_bytes } of report.databases) expect(size_bytes).toBeGreaterThan(4096);
});

function organizationsOf({ databases }: Report): number {
  return databases.reduce((sum, { organizations }) => sum + organizations, 0);
}

test('with one database bound it tells of one, in one round trip', async () => {
  const { DB, trips } = meteredDb();
  const { code, report } = await ready({ ...ONE_DATABASE, DB });
  expect(code).toBe(200);
  expect(report.databases.map(({ shard }) => shard)).toEqual([0]);
  expect(trips).toMatchObject([{ statements: 2, rowsWritten: 0 }]);
});

test.for([
  ['below 60 % of what D1 allows', DATABASE_BYTES_WARNING - 1, 'ok', 0.6],
  ['from 60 % on', DATABASE_BYTES_WARNING, 'warning', 0.6],
  ['full', DATABASE_BYTES_MAX, 'warning', 1],
] as const)(
  'a database that is %s is told with the status of all, and that is no failure',
  async ([_, bytes, status, used]) => {
    const { code, report } = await ready({ DB_1: ofSize(bytes) });
    expect(code).toBe(200);
    expect(report).toMatchObject({
      status,
      checks: { size: { status, figure: used } },
      databases: [{ status: 'ok' }, { shard: 1, status, size_bytes: bytes, used }],
    });
  },
);

test('503 when a database cannot be reached; the others are told all the same', async () => {
  const { code, report } = await ready({ DB: databaseDown() });
  expect(code).toBe(503);
  expect(report).toMatchObject({
    status: 'failing',
    checks: { databases: { status: 'failing', code: 'unreachable', shard: 0 }, schema: { status: 'ok' } },
  });
  expect(report.databases).toMatchObject([
    { shard: 0, status: 'unreachable', size_bytes: null, used: null, organizations: null },
    { shard: 1, status: 'ok' },
  ]);
});

test('a database that does not answer counts as unreachable', async () => {
  const DB = doctoredDb(() => new Promise(() => undefined));
  const ctx = actingAs(systemContext({ env: { ...ONE_DATABASE, DB } }).ctx, { kind: 'operator', name: 'test' });
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const { checks } = await readHealth({ ...ctx, wait });
  expect(checks.databases).toMatchObject({ status: 'failing', code: 'unreachable', shard: 0 });
  expect(waits).toEqual([5_000]);
});

test.for([
  ['without the operator token', undefined],
  ['with another one', 'Bearer wrong'],
] as const)('401 %s, before any database is asked', async ([_, authorization]) => {
  const { DB, trips } = meteredDb();
  const headers = { 'CF-Connecting-IP': freshAddress(), ...(authorization && { Authorization: authorization }) };
  await problemOf(await call(`${BASE}/readyz`, { headers }, { DB }), 401, 'invalid_token');
  expect(trips).toEqual([]);
});

test('a shop does not have it', async () => {
  const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
  await problemOf(await call('https://rx.example.com/readyz', { headers }), 404, 'not_found');
});

test('/livez says that the service answers, and nothing else, to anybody', async () => {
  const { DB, trips } = meteredDb();
  const answer = await call(`${BASE}/livez`, {}, { DB, DB_1: databaseDown() });
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
  expect(trips).toEqual([]);
});
