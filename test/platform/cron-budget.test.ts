import { expect, test } from 'vitest';
import { cronAt } from '../support/invocations';
import { meteredDb } from '../support/probe';
import { insertRows } from '../support/rows';
import { ONE_DATABASE, rows } from '../support/world';

/** D1 allows 1,000 queries an invocation, and the cron does the work of all databases in one (docs/operating.md). */
test.each([
  ['in most minutes', '2026-11-22T12:33:00Z', 15],
  ['at the minute of hourly jobs', '2026-11-22T12:17:00Z', 17],
  ['at the minute of the trash', '2026-11-22T12:47:00Z', 17],
  ['at night', '2026-11-23T02:33:00Z', 17],
])('%s a database without work takes few statements of the cron', async (_, time, most) => {
  const { DB, trips } = meteredDb();
  // The first run of all notes what the later ones find.
  await cronAt(time, { ...ONE_DATABASE, DB });
  trips.splice(0);
  await cronAt(time, { ...ONE_DATABASE, DB });
  const statements = trips.reduce((sum, trip) => sum + trip.statements, 0);
  expect(statements).toBeGreaterThan(0);
  expect(statements).toBeLessThanOrEqual(most);
});

test('once a day the planner of each database learns how its tables have grown', async () => {
  await insertRows('audit_log', 1_000, { id: `'a' || i`, org_id: `'o'`, action: `'retention.erased'` });
  // There is no such table before the first time.
  const known = () => rows("select idx from sqlite_stat1 where tbl = 'audit_log'").catch(() => []);
  await cronAt('2026-11-23T05:02:00Z');
  expect(await known()).toEqual([]);
  await cronAt('2026-11-23T05:03:00Z');
  expect(await known()).not.toEqual([]);
});
