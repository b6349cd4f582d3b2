import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { newId } from '../../src/platform/ids';
import { cronAt } from '../support/invocations';
import { captureLogs } from '../support/probe';
import { rows } from '../support/world';

/** What D1 allows one invocation of a Worker, statements of a batch counted one by one. */
const QUERIES_MAX = 1_000;
const DAY = 86_400_000;
const NIGHT = Date.parse('2026-11-20T00:00:00Z');

beforeEach(async () => {
  for (const table of ['order_requests', 'shops', 'organizations']) await rows(`delete from ${table}`);
  await rows('delete from sweep_cursors').catch(() => undefined);
});

/** D1 that refuses what goes over the limit of one invocation. */
function limitedDb() {
  const used = { queries: 0 };
  const DB = {
    prepare: (query: string) => env.DB.prepare(query),
    batch(statements: D1PreparedStatement[]) {
      used.queries += statements.length;
      if (used.queries > QUERIES_MAX) return Promise.reject(new Error('D1_ERROR: Too many API requests'));
      return env.DB.batch(statements);
    },
  } as unknown as D1Database;
  return { DB, used };
}

interface Run {
  queries: number;
}

/** The cron, minute by minute from 01:00 on until nothing is left over, each run an invocation of its own. */
async function night(date: number, runs: Run[] = [], minutes = 300): Promise<Run[]> {
  vi.useFakeTimers({ toFake: ['Date'] });
  for (let minute = 60; minute < minutes; minute += 1) {
    const scheduledTime = new Date(date + minute * 60_000);
    vi.setSystemTime(scheduledTime);
    const { DB, used } = limitedDb();
    await cronAt(scheduledTime.getTime(), { DB });
    runs.push({ queries: used.queries });
    if (minutes === 300 && minute % 10 === 9 && (await leftOver()).length === 0) break;
  }
  return runs;
}

/** Organizations with one shop each and so many old rejected requests. */
async function openOrganizations(count: number, requests = 1): Promise<void> {
  const mark = newId().slice(0, 30);
  const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)';
  await rows(
    `insert into organizations (id, name, low_stock_threshold, request_retention_days, order_retention_days, created_at,
       updated_at) ${numbers} select printf('%s%06d', ?1, i), 'x', 5, 90, 1861, 0, 0 from n`,
    mark,
    count,
  );
  await rows(
    `insert into shops (id, org_id, name, is_active, delivery_service_name, created_at, updated_at)
     select 's-' || id, id, 'x', 1, 'x', 0, 0 from organizations where id like ? || '%'`,
    mark,
  );
  await rows(
    `insert into order_requests (id, org_id, shop_id, integration_id, source, status, customer_name, payment_status, items,
       decided_at, created_at, updated_at, change_number) ${numbers}
     select printf('r-%s-%06d', o.id, i), o.id, 's-' || o.id, 'x', 'x', 'rejected', 'Erika', 'pending', '[]', ?3, ?3, ?3, i
     from n, organizations as o where o.id like ?1 || '%' and n.i <= ?2`,
    mark,
    requests,
    NIGHT - 100 * DAY,
  );
}

async function leftOver(): Promise<string[]> {
  const found = await rows<{ org_id: string }>(
    "select distinct org_id from order_requests where customer_name = 'Erika' order by org_id",
  );
  return found.map(({ org_id }) => org_id);
}

describe('retention', () => {
  const organizations = 1_001;
  test(`of ${organizations} organizations ends in one night, within the queries that D1 allows each run`, async () => {
    await openOrganizations(organizations);
    const { lines } = captureLogs();
    const runs = await night(NIGHT);
    expect(await leftOver()).toEqual([]);
    expect(Math.max(...runs.map(({ queries }) => queries))).toBeLessThanOrEqual(QUERIES_MAX);
    // These organizations stand in no directory, which the checks say.
    expect(lines.filter((line) => line.includes('"error"') && !line.includes('"alert_began"'))).toEqual([]);
  });

  test('gives no run more than 50 organizations', async () => {
    await openOrganizations(120, 0);
    const { lines } = captureLogs();
    await night(NIGHT, [], 70);
    const turns = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'retention_run');
    expect(turns.map(({ total }) => total)).toEqual([50, 50, 20]);
  });

  test('of an organization that has much more than one turn takes out keeps no other waiting', async () => {
    await openOrganizations(1, 1_700);
    await openOrganizations(60);
    const [first] = await leftOver();
    captureLogs();
    await night(NIGHT, [], 63);
    expect(await leftOver()).toEqual([first]);
    await night(NIGHT, [], 70);
    expect(await leftOver()).toEqual([]);
  });

  test('that fails for one organization goes on to the next and tries that one again the next night', async () => {
    await openOrganizations(20);
    const [first = ''] = await leftOver();
    await rows(`create trigger stuck before update on order_requests when old.org_id = '${first}'
      begin select raise(abort, 'stuck'); end`);
    const { lines } = captureLogs();
    await night(NIGHT, [], 66);
    expect(await leftOver()).toEqual([first]);
    const failures = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'retention_failed');
    expect(failures).toMatchObject([{ level: 'error', org_id: first }]);
    await rows('drop trigger stuck');
    await night(NIGHT + DAY, [], 66);
    expect(await leftOver()).toEqual([]);
  });

  test('whose invocation dies in the middle of an organization goes on with the next one', async () => {
    await openOrganizations(3);
    const [first] = await leftOver();
    captureLogs();
    vi.useFakeTimers({ toFake: ['Date'], now: NIGHT + 60 * 60_000 });
    // Nothing of this invocation comes back from its first erasure on.
    let isOver = false;
    const DB = {
      prepare: (query: string) => env.DB.prepare(query),
      async batch(statements: D1PreparedStatement[]) {
        isOver ||= statements.length > 7;
        if (isOver) throw new Error('the isolate ended');
        return env.DB.batch(statements);
      },
    } as unknown as D1Database;
    await cronAt(NIGHT + 60 * 60_000, { DB });
    await night(NIGHT, [], 63);
    expect(await leftOver()).toEqual([first]);
    await night(NIGHT + DAY, [], 63);
    expect(await leftOver()).toEqual([]);
  });

  test('that does not come to the end in one night goes on there in the next', async () => {
    await openOrganizations(130);
    const all = await leftOver();
    captureLogs();
    await night(NIGHT, [], 61);
    const left = await leftOver();
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(all.length);
    expect(left).toEqual(all.slice(-left.length));
    await night(NIGHT + DAY, [], 61);
    const [next] = await leftOver();
    expect(all.indexOf(next ?? '')).toBeGreaterThan(all.indexOf(left[0] ?? ''));
  });
});
